import AgentCore
import Base
import Synchronization
import TestSupport
import XCTest

@testable import TerminalKit
@testable import chat

final class TurnScreenTests: XCTestCase {
    /// What stands on the screen, and how many writes brought it there.
    private final class Output: Sendable {
        private let state: Mutex<(screen: Screen, writes: Int)>
        init(columns: Int = 60) {
            state = Mutex((screen: Screen(rows: 24, columns: columns), writes: 0))
        }
        func add(_ bytes: [UInt8]) {
            state.withLock { state in
                state.screen.feed(bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] })
                state.writes += 1
            }
        }
        var lines: [String] { state.withLock { $0.screen.transcript } }
        var unknown: [String] { state.withLock { $0.screen.unknown } }
        var writes: Int { state.withLock { $0.writes } }
    }

    private var output = Output()
    private let clock = ManualClock()

    private func screen(
        canErase: Bool = true, thinking: ThinkingDisplay = .summary, columns: Int = 60,
        usesUnicode: Bool = true
    ) -> TurnScreen {
        TurnScreen(
            options: TurnScreen.Options(
                style: Style(usesColor: false, usesUnicode: usesUnicode), canErase: canErase,
                thinking: thinking, size: { ScreenSize(columns: columns, rows: 24) }),
            environment: clock.environment, output: { [output] in output.add($0) })
    }

    /// Lets time pass in steps of the screen's own ticks.
    private func pass(_ seconds: Double) async {
        for _ in 0..<Int(seconds / 0.25) {
            let count = clock.sleeps.count
            clock.advance(by: .milliseconds(250))
            await clock.waitForSleeps(count + 1)
        }
    }

    private func begin(_ screen: TurnScreen) async {
        await screen.begin()
        await clock.waitForSleeps(1)
    }

    private func end(_ screen: TurnScreen) async {
        await screen.finish()
        XCTAssertEqual(output.unknown, [])
    }

    func testAWaitIsShownAndErasedByTheAnswer() async {
        let screen = screen()
        await begin(screen)
        await pass(0.25)
        XCTAssertEqual(output.lines, [])
        await pass(1)
        XCTAssertEqual(output.lines, ["  … 1 s"])
        await screen.observe(.text("Hello"))
        XCTAssertEqual(output.lines, ["Hello"])
        await end(screen)
        XCTAssertEqual(output.lines, ["Hello"])
    }

    func testATextThatComesAtOnceIsPaintedPieceByPiece() async {
        let screen = screen()
        await begin(screen)
        // Pieces would end inside of a character.
        await screen.observe(.text("a" + String(repeating: "漢\n", count: 30_000)))
        XCTAssertGreaterThanOrEqual(output.writes, 5)
        await end(screen)
        let rest = Array(repeating: "漢", count: 29_999)
        XCTAssertEqual(output.lines, ["a漢"] + rest)
    }

    func testSilenceInTheMiddleOfAnAnswerIsSaidBelowItAndTheLineGoesOn() async {
        let screen = screen()
        await begin(screen)
        await screen.observe(.text("Hello"))
        await pass(19.75)
        XCTAssertEqual(output.lines, ["Hello"])
        await pass(0.25)
        XCTAssertEqual(output.lines, ["Hello", "  silent for 20 s · Ctrl-C stops"])
        await screen.observe(.text(" again"))
        XCTAssertEqual(output.lines, ["Hello again"])
        await end(screen)
        XCTAssertEqual(output.lines, ["Hello again"])
    }

    func testTheCountdownCountsAndGoes() async {
        let screen = screen()
        await begin(screen)
        let error = ProviderError(
            reason: .rateLimited, provider: .claude, host: "h", status: 529, retryAfter: 2)
        await screen.observe(.retrying(error, attempt: 2, of: 3, delay: 2))
        await pass(0.25)
        XCTAssertEqual(
            output.lines,
            [
                "  Claude is limiting your requests (529). Trying again in 2",
                "  s, attempt 2 of 3 · Ctrl-C stops",
            ])
        await pass(1)
        XCTAssertEqual(
            output.lines,
            [
                "  Claude is limiting your requests (529). Trying again in 1",
                "  s, attempt 2 of 3 · Ctrl-C stops",
            ])
        await screen.observe(.waiting(provider: .claude, model: "m"))
        await screen.observe(.text("Here."))
        await end(screen)
        XCTAssertEqual(output.lines, ["Here."])
    }

    func testInANarrowWindowTheFooterIsBrokenBetweenWords() async {
        output = Output(columns: 30)
        let screen = screen(columns: 30)
        await begin(screen)
        await pass(20)
        XCTAssertEqual(output.lines, ["  silent for 20 s · Ctrl-C", "  stops"])
        let error = ProviderError(reason: .overloaded, provider: .claude, host: "h")
        await screen.observe(.retrying(error, attempt: 2, of: 3, delay: 2))
        await pass(0.25)
        XCTAssertEqual(
            output.lines,
            ["  Claude … Trying again in 2", "  s, attempt 2 of 3 · Ctrl-C", "  stops"])
        await end(screen)
    }

    func testALongReasonLeavesRoomForTheCountdown() async {
        let screen = screen()
        await begin(screen)
        let error = ProviderError(
            reason: .rateLimited, provider: .claude, host: "h", status: 429,
            message: ServerText(
                String(repeating: "This would exceed your limit. ", count: 9), hiding: nil))
        await screen.observe(.retrying(error, attempt: 2, of: 3, delay: 2))
        await pass(0.25)
        let text = output.lines.joined().replacing("  ", with: " ")
        XCTAssertTrue(
            text.hasSuffix("Trying again in 2 s, attempt 2 of 3 · Ctrl-C stops"), text)
        XCTAssertTrue(text.hasPrefix(" Claude is limiting your"), text)
        XCTAssertEqual(output.lines.count, 2)
        await end(screen)
    }

    func testARunningToolIsNamed() async {
        let screen = screen()
        await begin(screen)
        let call = ToolCall(id: "1", name: "list_reminders", arguments: "{}")
        await screen.observe(.text("I look."))
        await screen.observe(.toolRunning(call, toolClass: .read))
        await pass(1)
        XCTAssertEqual(
            output.lines, ["I look.", "  ⚙ list_reminders", "  list_reminders … 1.0 s"])
        await end(screen)
        XCTAssertEqual(output.lines, ["I look.", "  ⚙ list_reminders"])
    }

    /// The first of several that tell how far they are, until it has ended.
    func testHowFarAToolIsStandsBelowUntilItEnds() async {
        func progress(_ title: String) -> ToolProgress {
            var progress = ToolProgress(activity: "Transcribing", title: title)
            (progress.fraction, progress.facts) = (0.5, ["half of it"])
            return progress
        }
        let screen = screen()
        await begin(screen)
        await screen.observe(.toolProgress(progress("one.wav"), callID: "1"))
        await pass(0.25)
        XCTAssertEqual(output.lines, ["  one.wav   50 %  half of it"])
        await screen.observe(.toolProgress(progress("two.wav"), callID: "2"))
        await pass(0.25)
        XCTAssertEqual(output.lines, ["  one.wav   50 %  half of it"])
        await screen.observe(.toolProgress(nil, callID: "1"))
        await pass(0.25)
        XCTAssertEqual(output.lines, ["  two.wav   50 %  half of it"])
        let writes = output.writes
        for _ in 0..<10_000 {
            await screen.observe(.toolProgress(progress("two.wav"), callID: "2"))
        }
        XCTAssertEqual(output.writes, writes)
        await screen.observe(.toolProgress(nil, callID: "2"))
        await end(screen)
        XCTAssertEqual(output.lines, [])
    }

    func testAQuestionStandsOnLinesOfItsOwnAndNothingIsDrawnOverIt() async {
        let screen = screen()
        await begin(screen)
        await pass(0.5)
        XCTAssertEqual(output.lines, ["  … 0 s"])
        await screen.observe(.text("I will delete it."))
        await screen.beginQuestion([StyledLine("  ⚙ delete_reminder asks to delete:")])
        let question = ["I will delete it.", "  ⚙ delete_reminder asks to delete:"]
        XCTAssertEqual(output.lines, question)
        await screen.typing(queued: ["x"], draft: "y")
        await pass(30)
        XCTAssertEqual(output.lines, question)
        await screen.endQuestion()
        await screen.typing(queued: [], draft: "")
        await pass(0.75)
        XCTAssertEqual(output.lines, question + ["  … 0 s"])
        // The answer took no longer because the question stood for a while.
        let elapsed = await screen.elapsed
        XCTAssertEqual(elapsed, 1.25, accuracy: 0.01)
        await end(screen)
        XCTAssertEqual(output.lines, question)
    }

    func testANoticeInTheMiddleOfALineStandsAboveItAndTheLineGoesOn() async {
        let screen = screen()
        await begin(screen)
        await screen.observe(.text("One.\n\nHalf a"))
        await screen.show([StyledLine("  ⏰ tea", .accent)])
        await screen.observe(.text(" line"))
        await end(screen)
        XCTAssertEqual(output.lines, ["One.", "  ⏰ tea", "", "Half a line"])
    }

    func testWhatIsTypedForLaterStandsBelow() async {
        let screen = screen()
        await begin(screen)
        await screen.observe(.text("Answer"))
        await screen.typing(queued: ["and\tthen?"], draft: "wha")
        XCTAssertEqual(output.lines, ["Answer", "  next: and then?", "> wha"])
        await end(screen)
        XCTAssertEqual(output.lines, ["Answer"])
    }

    func testThinkingIsFoldedToOneLineThatTellsItsLastWords() async {
        let screen = screen()
        await begin(screen)
        await screen.observe(.thinking("Let me see.\n\nThe user "))
        await screen.observe(.thinking("wants a ferry"))
        await pass(2)
        XCTAssertEqual(
            output.lines, ["  … thinking 2 s · Let me see. The user wants a ferry"])
        await screen.observe(.thinking(" that leaves late enough for the train from Bergen"))
        await pass(0.25)
        XCTAssertEqual(
            output.lines, ["  … thinking 2 s · … late enough for the train from Bergen"])
        await screen.observe(.text("At ten."))
        await end(screen)
        XCTAssertEqual(output.lines, ["  thought for 2 s", "At ten."])
    }

    func testWithoutUnicodeTheLineBelowIsWrittenInASCII() async {
        let screen = screen(usesUnicode: false)
        await begin(screen)
        await pass(20)
        XCTAssertEqual(output.lines, ["  silent for 20 s - Ctrl-C stops"])
        await screen.observe(
            .thinking("The user wants a ferry that leaves late enough for the train from Bergen"))
        await pass(0.25)
        XCTAssertEqual(
            output.lines, ["  ... thinking 1 s - ... enough for the train from Bergen"])
        await screen.observe(.text("At ten."))
        await end(screen)
    }

    func testThinkingIsShownWholeOrNotAtAll() async {
        let whole = screen(thinking: .full)
        await begin(whole)
        await whole.observe(.thinking("Hm.\nOr"))
        await whole.observe(.text("Yes."))
        await end(whole)
        XCTAssertEqual(output.lines, ["Hm.", "Or", "Yes."])
        let none = screen(thinking: .off)
        await none.observe(.thinking("Hm."))
        await none.observe(.text("No."))
        await end(none)
        XCTAssertEqual(output.lines, ["Hm.", "Or", "Yes.", "No."])
    }

    func testAFloodOfTextIsPaintedInFramesAndWholeAtTheEnd() async {
        let screen = screen()
        await begin(screen)
        for index in 0..<2_000 {
            await screen.observe(.text(index % 20 == 19 ? "\n\n" : "word "))
        }
        // No time has passed: the first piece, and nothing after it.
        XCTAssertEqual(output.writes, 1)
        await clock.waitForSleeps(2)
        clock.advance(by: .milliseconds(12))
        await clock.waitForSleeps(2)
        await end(screen)
        // A paragraph takes two rows and the empty one after it.
        XCTAssertEqual(output.lines.count, 299)
        XCTAssertEqual(output.lines.filter { $0.hasPrefix("word") }.count, 200)
        XCTAssertLessThanOrEqual(output.writes, 3)
    }

    func testATerminalThatCannotEraseGetsTheTextAsReceived() async {
        let screen = screen(canErase: false)
        await screen.begin()
        let error = ProviderError(reason: .overloaded, provider: .claude, host: "h")
        await screen.observe(.retrying(error, attempt: 2, of: 3, delay: 2))
        await screen.observe(.text("**Here.**"))
        await screen.typing(queued: [], draft: "x")
        await end(screen)
        XCTAssertEqual(
            output.lines,
            [
                "  ! Claude is overloaded. Trying again in 2 s, attempt 2 of",
                "3 · Ctrl-C stops", "**Here.**",
            ])
        // For the silence alone; nothing is drawn again.
        XCTAssertEqual(clock.sleeps, [.seconds(1)])
    }
}
