import AgentCore
import Base
import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import ChatKit
@testable import TerminalKit

/// A command on its way on a real pseudo-terminal, and on a line.
final class ProgressScreenTests: XCTestCase {
    /// A session and its terminal, in this process.
    private struct Fixture {
        let terminal: PseudoTerminal
        let session: TerminalSession

        init(configure: (inout TerminalSession.Options) -> Void = { _ in }) throws {
            terminal = try PseudoTerminal(rows: 24, columns: 80)
            var options = TerminalSession.Options()
            (options.input, options.output) = (terminal.slave, terminal.slave)
            options.term = "xterm-256color"
            options.handlesSignals = false
            configure(&options)
            session = try XCTUnwrap(TerminalSession(options))
        }

        func finish() async {
            await session.close()
            terminal.end()
        }
    }

    private let style = Style(usesColor: false, usesUnicode: true)
    private let glyphs = VoiceGlyphs(usesUnicode: true)

    private func progress(_ fact: String, _ fraction: Double? = nil, of title: String = "memo.wav")
        -> ToolProgress
    {
        var progress = ToolProgress(activity: "Transcribing", title: title)
        (progress.facts, progress.fraction) = ([fact], fraction)
        return progress
    }

    func testEscapeStopsItAndNothingOfItStays() async throws {
        let fixture = try Fixture()
        let clock = ManualClock()
        let screen = ProgressScreen(fixture.session, style)
        let half = progress("500 KB of 1.0 MB", 0.5)
        let running = Task {
            try await screen.run(isChat: true) { interaction in
                interaction.emit(half)
                try await clock.environment.sleep(.seconds(600))
            }
        }
        try fixture.terminal.waitFor("the bar") {
            $0.text.contains("50 %") && $0.text.contains("500 KB of 1.0 MB")
        }
        fixture.terminal.type("\r x\u{1B}")
        do {
            try await running.value
            XCTFail("it was not stopped")
        } catch { XCTAssertTrue(error is CancellationError) }
        try fixture.terminal.waitFor(lines: [])
        await fixture.finish()
    }

    func testAQuestionInTheMiddleGetsTheScreen() async throws {
        let quiet = QuietTime()
        let fixture = try Fixture { $0.quietTimer = quiet.timer }
        let screen = ProgressScreen(fixture.session, style)
        let (half, all) = (progress("1 of 2", 0.5), progress("waiting"))
        let running = Task {
            try await screen.run(isChat: true) { interaction in
                interaction.emit(half)
                let answer = await interaction.confirm("It was cut off.", "Again?")
                interaction.emit(all)
                return answer
            }
        }
        try fixture.terminal.waitFor(
            lines: ["  ! It was cut off.", "    Again? y or Enter for no:"])
        quiet.pass()
        fixture.terminal.type("y\r")
        let answer = try await running.value
        XCTAssertTrue(answer)
        try fixture.terminal.waitFor(
            lines: ["  ! It was cut off.", "    Again? y or Enter for no: y"])
        await fixture.finish()
    }

    func testALineIsAskedForInTheMiddleEchoedOrNot() async throws {
        let quiet = QuietTime()
        let fixture = try Fixture { $0.quietTimer = quiet.timer }
        let screen = ProgressScreen(fixture.session, style)
        let running = Task {
            try await screen.run(isChat: true) { interaction in
                let name = try await interaction.ask("Name: ", false)
                let phone = try await interaction.ask("Phone: ", true)
                return [name, phone, try await interaction.ask("More: ", false)]
            }
        }
        try fixture.terminal.waitFor(lines: ["  Name:"])
        quiet.pass()
        fixture.terminal.type("Ida \r")
        try fixture.terminal.waitFor(lines: ["  Name: Ida", "  Phone:"])
        quiet.pass()
        fixture.terminal.type(" 1234 \r")
        try fixture.terminal.waitFor(lines: ["  Name: Ida", "  Phone:", "  More:"])
        quiet.pass()
        fixture.terminal.type("half\u{04}")
        let answers = try await running.value
        XCTAssertEqual(answers, ["Ida ", "1234", nil])
        await fixture.finish()
    }

    func testALineThatIsAskedForWhereNoOneIsIsNil() async throws {
        let answer = try await ProgressScreen(.nowhere, glyphs).run(isChat: false) {
            try await $0.ask("Name: ", false)
        }
        XCTAssertNil(answer)
    }

    func testATerminalWithoutACursorGetsOnePlainLine() async throws {
        let fixture = try Fixture { $0.term = "dumb" }
        let screen = ProgressScreen(fixture.session, style)
        for count in 1...9 { await screen.show(progress("\(count) of 9")) }
        await screen.show(nil)
        try fixture.terminal.waitFor(lines: ["  Transcribing memo.wav; Ctrl-C stops."])
        await fixture.finish()
    }

    /// Written over, each file under its own name, made fit for a terminal.
    func testOnALineItIsWrittenOverAndErased() async throws {
        let written = Mutex<[String]>([])
        let screen = ProgressScreen(
            .line(columns: { 60 }, write: { text in written.withLock { $0.append(text) } }), glyphs)
        await screen.show(progress("500 KB of 1.0 MB", 0.5, of: "o\u{1B}ne.wav"))
        await screen.show(progress("500 KB of 1.0 MB", 0.5, of: "o\u{1B}ne.wav"))
        await screen.show(progress("waiting for the words", 1, of: "two.wav"))
        await screen.show(nil)
        await screen.show(nil)
        XCTAssertEqual(
            written.withLock { $0 },
            [
                "\ro\\x1bne.wav   50 %  500 KB of 1.0 MB\u{1B}[K",
                "\rtwo.wav  100 %  waiting for the words\u{1B}[K", "\r\u{1B}[K",
            ])
    }

    func testNothingIsWrittenOverAQuestion() async throws {
        let written = Mutex<[String]>([])
        let write: @Sendable (String) -> Void = { text in written.withLock { $0.append(text) } }
        let asked = Gate()
        let answered = Gate()
        let screen = ProgressScreen(.line(columns: { 60 }, write: write), glyphs) {
            warning, question in
            write("\(warning ?? "")|\(question)")
            asked.open()
            await answered.wait()
            return true
        }
        let half = progress("half", 0.5)
        await screen.show(half)
        let running = Task {
            try await screen.run(isChat: false) { interaction in
                await interaction.confirm("It was cut off.", "Again?")
            }
        }
        await asked.wait()
        await screen.show(progress("waiting"))
        answered.open()
        let answer = try await running.value
        XCTAssertTrue(answer)
        XCTAssertEqual(
            written.withLock { $0 },
            [
                "\rmemo.wav   50 %  half\u{1B}[K", "\r\u{1B}[K", "It was cut off.|Again?",
                "\rmemo.wav  waiting\u{1B}[K", "\r\u{1B}[K",
            ])
    }

    func testNowhereNothingIsWrittenAndACancelledTaskCancelsTheWork() async throws {
        let clock = ManualClock()
        let screen = ProgressScreen(.nowhere, glyphs)
        let running = Task {
            try await screen.run(isChat: false) { _ in
                try await clock.environment.sleep(.seconds(600))
            }
        }
        running.cancel()
        do {
            try await running.value
            XCTFail("it was not stopped")
        } catch { XCTAssertTrue(error is CancellationError) }
    }
}
