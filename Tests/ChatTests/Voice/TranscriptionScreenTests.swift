import AgentCore
import Foundation
import Synchronization
import TestSupport
import ToolServers
import XCTest

@testable import chat

/// A transcription on its way on a real pseudo-terminal, and on a line.
final class TranscriptionScreenTests: XCTestCase {
    typealias Fixture = TerminalSessionTests.Fixture

    private let view = UploadView(title: "memo.wav", glyphs: VoiceGlyphs(usesUnicode: true))
    private let style = Style(usesColor: false, usesUnicode: true)

    func testEscapeStopsItAndNothingOfItStays() async throws {
        let fixture = try Fixture()
        let clock = ManualClock()
        let screen = TranscriptionScreen(
            terminal: fixture.session, style: style, environment: clock.environment, view: view)
        let running = Task {
            try await screen.run {
                screen.observe(.sent(bytes: 500_000, of: 1_000_000))
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
        let quiet = QuestionTests.QuietTime()
        let fixture = try Fixture { $0.quietTimer = quiet.timer }
        let clock = ManualClock()
        let screen = TranscriptionScreen(
            terminal: fixture.session, style: style, environment: clock.environment, view: view)
        let running = Task {
            try await screen.run {
                screen.observe(.sent(bytes: 1, of: 2))
                let answer = await screen.confirms(
                    StyledLine("  It was cut off.", .warning), "  Again? ")
                screen.observe(.waiting)
                return answer
            }
        }
        try fixture.terminal.waitFor(lines: ["  It was cut off.", "  Again?"])
        quiet.pass()
        fixture.terminal.type("y\r")
        let answer = try await running.value
        XCTAssertTrue(answer)
        try fixture.terminal.waitFor(lines: ["  It was cut off.", "  Again? y"])
        await fixture.finish()
    }

    func testATerminalWithoutACursorGetsOnePlainLine() async throws {
        let fixture = try Fixture { $0.term = "dumb" }
        let screen = TranscriptionScreen(
            terminal: fixture.session, style: style, environment: ManualClock().environment,
            view: view)
        try await screen.run {
            for bytes in 1...9 { screen.observe(.sent(bytes: bytes, of: 9)) }
        }
        try fixture.terminal.waitFor(lines: ["  Transcribing memo.wav; Ctrl-C stops."])
        await fixture.finish()
    }

    func testOnALineItIsWrittenOverAndErased() async throws {
        let written = Mutex("")
        let screen = TranscriptionScreen(
            view,
            .line(columns: { 60 }, write: { text in written.withLock { $0 += text } }),
            environment: ManualClock().environment)
        let value = try await screen.run {
            screen.observe(.sent(bytes: 500_000, of: 1_000_000))
            screen.observe(.waiting)
            return 7
        }
        XCTAssertEqual(value, 7)
        var shown = Screen(rows: 3, columns: 60)
        let text = written.withLock { $0 }
        shown.feed(Array(text.utf8))
        XCTAssertTrue(text.contains("memo.wav   50 %  500 KB of 1.0 MB"), text.debugDescription)
        XCTAssertEqual(shown.transcript, [])
    }

    func testNowhereNothingIsWrittenAndACancelledTaskCancelsTheWork() async throws {
        let clock = ManualClock()
        let screen = TranscriptionScreen(view, .nowhere, environment: clock.environment)
        let running = Task {
            try await screen.run { try await clock.environment.sleep(.seconds(600)) }
        }
        running.cancel()
        do {
            try await running.value
            XCTFail("it was not stopped")
        } catch { XCTAssertTrue(error is CancellationError) }
    }
}
