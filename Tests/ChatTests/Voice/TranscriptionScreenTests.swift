import AgentCore
import Foundation
import Synchronization
import TestSupport
import ToolServers
import XCTest

@testable import chat
@testable import TerminalKit

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

    func testSeveralRecordingsBeginAnewUnderTheirOwnNames() async throws {
        let written = Mutex<[String]>([])
        let screen = TranscriptionScreen(
            UploadView(title: "", glyphs: VoiceGlyphs(usesUnicode: true)),
            .line(columns: { 60 }, write: { text in written.withLock { $0.append(text) } }),
            environment: ManualClock().environment)
        try await screen.run {
            screen.observe(.sent(bytes: 500_000, of: 1_000_000), of: "/a/o\u{1B}ne.wav")
            screen.observe(.waiting, of: "/a/o\u{1B}ne.wav")
            screen.observe(.sent(bytes: 1_000, of: 2_000), of: "/a/two.wav")
        }
        XCTAssertEqual(
            written.withLock { $0 },
            [
                "\r    0 %  starting\u{1B}[K",
                "\ro\\x1bne.wav   50 %  500 KB of 1.0 MB\u{1B}[K",
                "\ro\\x1bne.wav  100 %  waiting for the words  0:00\u{1B}[K",
                "\rtwo.wav   50 %  1 KB of 2 KB\u{1B}[K", "\r\u{1B}[K",
            ])
    }

    func testNothingIsWrittenOverAQuestion() async throws {
        let written = Mutex<[String]>([])
        let write: @Sendable (String) -> Void = { text in written.withLock { $0.append(text) } }
        let clock = ManualClock()
        let asked = Gate()
        let answered = Gate()
        let screen = TranscriptionScreen(
            view, .line(columns: { 60 }, write: write), environment: clock.environment,
            ask: { line, question in
                write("\(line.text)|\(question)")
                asked.open()
                await answered.wait()
                return true
            })
        let running = Task {
            try await screen.run {
                screen.observe(.sent(bytes: 500_000, of: 1_000_000))
                return await screen.confirms(StyledLine("It was cut off."), "Again?")
            }
        }
        await asked.wait()
        screen.observe(.waiting)
        clock.advance(by: .seconds(5))
        answered.open()
        let answer = try await running.value
        XCTAssertTrue(answer)
        XCTAssertEqual(
            written.withLock { $0 },
            [
                "\rmemo.wav    0 %  starting\u{1B}[K",
                "\rmemo.wav   50 %  500 KB of 1.0 MB\u{1B}[K",
                "\r\u{1B}[K", "It was cut off.|Again?",
                "\rmemo.wav  100 %  waiting for the words  0:05\u{1B}[K", "\r\u{1B}[K",
            ])
    }

    func testWhatIsKeptIsCountedInWholePieces() {
        func kept(_ events: TranscriptionProgress...) -> String? {
            var progress = UploadProgress()
            for event in events { progress.take(event, at: 0) }
            return progress.keptPieces
        }
        XCTAssertNil(kept(.sent(bytes: 1, of: 2)))
        XCTAssertNil(kept(.piece(1, of: 3, wasDone: false)))
        XCTAssertEqual(kept(.piece(2, of: 3, wasDone: false)), "1 of 3 pieces is kept.")
    }

    func testATurnsFooterAndALineOfItsOwnShowWhatRunsInATurn() async throws {
        let clock = ManualClock()
        let written = Mutex<[String]>([])
        let watch = TranscriptionWatch(
            environment: clock.environment, glyphs: VoiceGlyphs(usesUnicode: true))
        XCTAssertNil(watch.line(columns: 60))
        watch.observe(.sent(bytes: 1_000, of: 2_000), of: "/a/one.wav")
        watch.observe(.waiting, of: "/a/two.wav")
        XCTAssertEqual(watch.line(columns: 60), "one.wav   50 %  1 KB of 2 KB")
        watch.end("/a/one.wav")
        XCTAssertEqual(watch.line(columns: 60), "two.wav  100 %  waiting for the words  0:00")
        let showing = Task {
            await watch.show(
                on: .line(columns: { 60 }, write: { text in written.withLock { $0.append(text) } })
            )
        }
        await clock.waitForSleeps(1)
        watch.observe(.text("hello"), of: "/a/two.wav")
        watch.end("/a/two.wav")
        showing.cancel()
        await showing.value
        XCTAssertEqual(
            written.withLock { $0 },
            ["\rtwo.wav  100 %  the words are coming\u{1B}[K", "\r\u{1B}[K"])
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
