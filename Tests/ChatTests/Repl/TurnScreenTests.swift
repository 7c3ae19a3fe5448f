import AgentCore
import Synchronization
import TestSupport
import XCTest

@testable import chat

final class TurnScreenTests: XCTestCase {
    /// Everything that was queued for the terminal, one entry for each write.
    private final class Output: Sendable {
        private let writes = Mutex<[String]>([])
        func add(_ bytes: [UInt8]) {
            writes.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
        }
        /// What came since the last call, with the erasing sequence as `‹`.
        func take() -> [String] {
            writes.withLock { writes in
                defer { writes = [] }
                return writes.map { $0.replacing("\r\u{1B}[K", with: "‹") }
            }
        }
    }

    private let output = Output()
    private let clock = ManualClock()

    private func screen(canErase: Bool = true) -> TurnScreen {
        TurnScreen(
            style: Style(usesColor: false, usesUnicode: true), canErase: canErase,
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

    func testAWaitIsShownAndErasedByTheAnswer() async {
        let screen = screen()
        await begin(screen)
        await pass(0.25)
        XCTAssertEqual(output.take(), [])
        await pass(1)
        XCTAssertEqual(output.take(), ["‹  … 0 s", "‹  … 1 s"])
        await screen.observe(.text("Hello"))
        await screen.finish()
        XCTAssertEqual(output.take(), ["‹Hello", "\n"])
    }

    func testSilenceInTheMiddleOfAnAnswerIsSaidAfterTwentySeconds() async {
        let screen = screen()
        await begin(screen)
        await screen.observe(.text("Hello"))
        await pass(19.75)
        XCTAssertEqual(output.take(), ["Hello"])
        await pass(0.25)
        XCTAssertEqual(output.take(), ["\n‹  silent for 20 s · Ctrl-C stops"])
        await screen.observe(.text(" again"))
        await screen.finish()
        XCTAssertEqual(output.take(), ["‹ again", "\n"])
    }

    func testTheCountdownCountsAndGoes() async {
        let screen = screen()
        await begin(screen)
        let error = ProviderError(
            reason: .overloaded, provider: .claude, host: "h", status: 529)
        await screen.observe(.retrying(error, attempt: 2, of: 3, delay: 2))
        await pass(2)
        let text = "Claude is overloaded (529). Trying again in"
        let rest = ", attempt 2 of 3 · Ctrl-C stops"
        XCTAssertEqual(
            output.take(),
            ["‹  \(text) 2 s\(rest)", "‹  \(text) 1 s\(rest)", "‹  \(text) 0 s\(rest)"])
        await screen.observe(.waiting(provider: .claude, model: "m"))
        await screen.observe(.text("Here."))
        await screen.finish()
        XCTAssertEqual(output.take(), ["‹Here.", "\n"])
    }

    func testARunningToolIsNamed() async {
        let screen = screen()
        await begin(screen)
        let call = ToolCall(id: "1", name: "list_reminders", arguments: "{}")
        await screen.observe(.toolRunning(call, toolClass: .read))
        await pass(1)
        XCTAssertEqual(
            output.take(),
            ["  ⚙ list_reminders  \n", "‹  list_reminders … 0.0 s", "‹  list_reminders … 1.0 s"])
        await screen.finish()
    }

    func testAQuestionStandsOnLinesOfItsOwnAndNothingIsDrawnOverIt() async {
        let screen = screen()
        await begin(screen)
        await screen.observe(.text("I will delete it."))
        await screen.beginQuestion([StyledLine("  ⚙ delete_reminder asks to delete:")])
        XCTAssertEqual(
            output.take(), ["I will delete it.", "\n  ⚙ delete_reminder asks to delete:\n"])
        await pass(30)
        XCTAssertEqual(output.take(), [])
        await screen.endQuestion()
        await pass(0.25)
        XCTAssertEqual(output.take(), [])
        await pass(0.5)
        XCTAssertEqual(output.take(), ["‹  … 0 s"])
        await screen.finish()
    }

    func testAQuestionErasesTheStatusLine() async {
        let screen = screen()
        await begin(screen)
        await pass(0.5)
        XCTAssertEqual(output.take(), ["‹  … 0 s"])
        await screen.beginQuestion([StyledLine("  ⚙ asks:")])
        XCTAssertEqual(output.take(), ["‹  ⚙ asks:\n"])
        await screen.finish()
    }

    func testATerminalThatCannotEraseGetsNoStatusLine() async {
        let screen = screen(canErase: false)
        await screen.begin()
        let error = ProviderError(reason: .overloaded, provider: .claude, host: "h")
        await screen.observe(.retrying(error, attempt: 2, of: 3, delay: 2))
        await screen.observe(.text("Here."))
        await screen.finish()
        XCTAssertEqual(
            output.take(),
            [
                "  ! Claude is overloaded. Trying again in 2 s, attempt 2 of 3 · Ctrl-C stops\n",
                "Here.", "\n",
            ])
        XCTAssertEqual(clock.sleeps, [])
    }
}
