import Foundation
import Glibc
import TestSupport
import XCTest

@testable import TerminalKit

/// Signals: the window's size, Ctrl-C during an answer, and the end. They reach
/// the whole process, so these tests send them to themselves.
final class TerminalSignalTests: XCTestCase {
    typealias Fixture = TerminalSessionTests.Fixture

    func testAResizedWindowGetsItsLineRedrawn() async throws {
        let fixture = try Fixture(rows: 10, columns: 40) { $0.handlesSignals = true }
        let result = try await fixture.prompt()
        fixture.terminal.type("0123456789abcdefghij")
        try fixture.terminal.waitFor(lines: ["> 0123456789abcdefghij"])
        for columns in [12, 60, 10, 1, 80, 30] {
            fixture.terminal.resize(rows: 10, columns: columns)
            let count = fixture.terminal.transcript.count
            kill(getpid(), SIGWINCH)
            try fixture.terminal.waitForOutput(after: count)
        }
        fixture.terminal.type("k")
        try fixture.terminal.waitFor("the line in the new width") {
            $0.lines.last == "> 0123456789abcdefghijk"
        }
        fixture.terminal.type("\r")
        let value = await result.value
        XCTAssertEqual(value, .line("0123456789abcdefghijk"))
        await fixture.finish()
    }

    func testAStormOfResizesDuringTypingKeepsTheTextAndEndsInTheRightPicture() async throws {
        var chance = SplitMix(seed: 20_261_121)
        let fixture = try Fixture { $0.handlesSignals = true }
        let result = try await fixture.prompt()
        var text = ""
        for _ in 0..<100 {
            let piece = ["日本", "語 ", "word ", "é", "🌍", "\n"].randomElement(using: &chance) ?? ""
            text += piece
            fixture.terminal.type(piece == "\n" ? "\u{1B}\r" : piece)
            fixture.terminal.resize(
                rows: .random(in: 1...40, using: &chance),
                columns: .random(in: 1...200, using: &chance))
            kill(getpid(), SIGWINCH)
        }
        fixture.terminal.resize(rows: 40, columns: 40)
        kill(getpid(), SIGWINCH)
        fixture.terminal.type("!")
        let rows = Self.folded("> " + text + "!", columns: 40)
        let screen = try fixture.terminal.waitFor("the last picture") {
            Array($0.lines.suffix(rows.count)) == rows.map(\.trimmed)
                && $0.cursor.row == $0.lines.count - 1
        }
        XCTAssertEqual(screen.cursor.column, Self.width(rows.last ?? ""))
        fixture.terminal.type("\r")
        let value = await result.value
        XCTAssertEqual(value, .line(text + "!"))
        await fixture.finish()
    }

    private static func width(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x1100 ? 2 : 1) }
    }

    /// As a terminal of this width shows it.
    private static func folded(_ text: String, columns: Int) -> [String] {
        var rows = [""]
        for character in text {
            if character == "\n" || width(rows[rows.count - 1] + String(character)) > columns {
                rows.append("")
            }
            if character != "\n" { rows[rows.count - 1].append(character) }
        }
        return rows
    }

    func testAnInterruptDuringAnAnswerIsAnEvent() async throws {
        let (events, sink) = AsyncStream.makeStream(of: Int.self)
        let fixture = try Fixture {
            $0.handlesSignals = true
            $0.onInterrupt = { sink.yield(1) }
        }
        await fixture.session.write("an ans")
        await fixture.session.flush()
        kill(getpid(), SIGINT)
        Self.end(sink)
        var iterator = events.makeAsyncIterator()
        let event = await iterator.next()
        XCTAssertEqual(event, 1)
        await fixture.finish()
    }

    func testEscIsHeardInAFloodOfOutput() async throws {
        let (events, sink) = AsyncStream.makeStream(of: Int.self)
        let fixture = try Fixture { $0.onInterrupt = { sink.yield(1) } }
        let flood = Task {
            let line = Array(String(repeating: "x", count: 60_000).utf8)
            while !Task.isCancelled { await fixture.session.write(line) }
        }
        try fixture.terminal.waitFor(text: "xxx")
        fixture.terminal.type("\u{1B}")
        Self.end(sink)
        var iterator = events.makeAsyncIterator()
        let event = await iterator.next()
        XCTAssertEqual(event, 1)
        flood.cancel()
        await flood.value
        await fixture.finish()
    }

    /// An Esc that comes just as an answer ends stops nothing that is sent later.
    func testAPromptThatOpensEndsWhatWasStopped() async throws {
        let (events, sink) = AsyncStream.makeStream(of: String.self)
        let fixture = try Fixture {
            $0.onInterrupt = { sink.yield("stop") }
            $0.onPrompt = { sink.yield("prompt") }
        }
        await fixture.session.flush()
        fixture.terminal.type("\u{1B}")
        Self.end(sink)
        var iterator = events.makeAsyncIterator()
        var seen = [await iterator.next()]
        let result = try await fixture.prompt()
        seen.append(await iterator.next())
        fixture.terminal.type("\u{1B}bgo\r\u{1B}")
        let line = await result.value
        XCTAssertEqual(line, .line("go"))
        seen.append(await iterator.next())
        XCTAssertEqual(seen, ["stop", "prompt", "stop"])
        await fixture.finish()
    }

    /// Only a guard against an event that never comes.
    private static func end<Event>(_ sink: AsyncStream<Event>.Continuation) {
        DispatchQueue.global().asyncAfter(deadline: .now() + 20) { sink.finish() }
    }

    /// The event of an interrupt came; the mark behind it ends a wait in vain.
    private func assertInterrupted(
        _ events: AsyncStream<Int>, _ sink: AsyncStream<Int>.Continuation,
        line: UInt = #line
    ) async {
        sink.yield(2)
        var iterator = events.makeAsyncIterator()
        let event = await iterator.next()
        XCTAssertEqual(event, 1, line: line)
    }

    func testAnInterruptOfAQuestionIsANoAndAnEvent() async throws {
        let (events, sink) = AsyncStream.makeStream(of: Int.self)
        let fixture = try Fixture {
            $0.handlesSignals = true
            $0.onInterrupt = { sink.yield(1) }
        }
        let answer = Task { await fixture.session.ask("Delete? ", mode: .yes) }
        try fixture.terminal.waitFor(lines: ["Delete?"])
        kill(getpid(), SIGINT)
        let value = await answer.value
        XCTAssertEqual(value, .no)
        // What has asked is stopped; at a prompt there would be nothing to stop.
        await assertInterrupted(events, sink)
        await fixture.finish()
    }

    /// Between the line that was entered and the question behind it.
    func testAnInterruptJustBeforeAQuestionIsANoAndAnEvent() async throws {
        let (events, sink) = AsyncStream.makeStream(of: Int.self)
        let fixture = try Fixture {
            $0.handlesSignals = true
            $0.onInterrupt = { sink.yield(1) }
            // On the terminal's thread, with Enter read already.
            $0.completer = { _, _ in
                raise(SIGINT)
                return .none
            }
        }
        let result = try await fixture.prompt()
        let answer = await withCheckedContinuation { answer in
            let id = fixture.session.mailbox.newQuestion()
            _ = fixture.session.mailbox.post(.ask("Delete? ", .yes, id, answer))
            fixture.terminal.type("\t\r")
        }
        XCTAssertEqual(answer, .no)
        let value = await result.value
        XCTAssertEqual(value, .line(""))
        await assertInterrupted(events, sink)
        await fixture.finish()
    }

    /// As it comes when the mode was just changing.
    func testAControlCThatComesAsAByteStopsWhatAsks() async throws {
        let (events, sink) = AsyncStream.makeStream(of: Int.self)
        let fixture = try Fixture { $0.onInterrupt = { sink.yield(1) } }
        let answer = Task { await fixture.session.ask("Delete? ", mode: .yes) }
        try fixture.terminal.waitFor(lines: ["Delete?"])
        var mode = fixture.terminal.settings
        mode.c_lflag &= ~tcflag_t(ISIG)
        tcsetattr(fixture.terminal.slave, TCSANOW, &mode)
        fixture.terminal.type("\u{03}")
        let value = await answer.value
        XCTAssertEqual(value, .no)
        await assertInterrupted(events, sink)
        await fixture.finish()
    }

    func testControlCTypedRightAfterEnterStopsWhatThatLineBegins() async throws {
        let (events, sink) = AsyncStream.makeStream(of: Int.self)
        let fixture = try Fixture { $0.onInterrupt = { sink.yield(1) } }
        let result = try await fixture.prompt()
        fixture.terminal.type("hello\r\u{03}then")
        let value = await result.value
        XCTAssertEqual(value, .line("hello"))
        await assertInterrupted(events, sink)
        // The rest of the typing is for the next prompt.
        let next = Task { await fixture.session.readLine(prompt: "> ") }
        try fixture.terminal.waitFor(lines: ["> hello", "> then"])
        fixture.terminal.type("\r")
        let rest = await next.value
        XCTAssertEqual(rest, .line("then"))
        await fixture.finish()
    }

    func testAnInterruptAtThePromptClearsTheLine() async throws {
        let fixture = try Fixture { $0.handlesSignals = true }
        let result = try await fixture.prompt()
        fixture.terminal.type("draft")
        try fixture.terminal.waitFor(lines: ["> draft"])
        kill(getpid(), SIGINT)
        let value = await result.value
        XCTAssertEqual(value, .interrupted("draft"))
        await fixture.finish()
    }

    func testTerminationEndsThePromptWithTheTerminalRestored() async throws {
        let (events, sink) = AsyncStream.makeStream(of: Int32.self)
        let fixture = try Fixture {
            $0.handlesSignals = true
            $0.onTerminate = { sink.yield($0) }
        }
        let result = try await fixture.prompt()
        kill(getpid(), SIGTERM)
        Self.end(sink)
        var iterator = events.makeAsyncIterator()
        let signal = await iterator.next()
        XCTAssertEqual(signal, SIGTERM)
        let value = await result.value
        XCTAssertEqual(value, .endOfInput)
        let answer = await fixture.session.ask("sure? ", mode: .yes)
        XCTAssertEqual(answer, .no)
        await fixture.finish()
    }

    func testReleasedTerminalIsAsItWasAndReadByNobody() async throws {
        let fixture = try Fixture()
        await fixture.session.flush()
        XCTAssertNotEqual(fixture.terminal.settingsText, fixture.before)
        await fixture.session.release()
        XCTAssertEqual(fixture.terminal.settingsText, fixture.before)
        await fixture.session.reclaim()
        let result = try await fixture.prompt()
        fixture.terminal.type("back\r")
        let value = await result.value
        XCTAssertEqual(value, .line("back"))
        await fixture.finish()
    }

    func testAHangUpEndsThePrompt() async throws {
        let terminal = try PseudoTerminal()
        var options = TerminalSession.Options()
        options.input = terminal.slave
        options.output = terminal.slave
        options.term = "xterm"
        options.handlesSignals = false
        let session = try XCTUnwrap(TerminalSession(options))
        let result = Task { await session.readLine(prompt: "> ") }
        try terminal.waitFor(lines: [">"])
        terminal.hangUp()
        let value = await result.value
        XCTAssertEqual(value, .endOfInput)
        await session.close()
    }

    func testRandomBytesNeverHangNorBreakTheTerminal() async throws {
        var state: UInt64 = 20_221_030
        func random(_ bound: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % bound
        }
        for keys in [LineEditor.Keys.emacs, .vi] {
            for _ in 0..<100 {
                let fixture = try Fixture(rows: 5, columns: 20) { $0.keys = keys }
                let result = Task { await fixture.session.readLine(prompt: "> ") }
                let bytes = (0..<random(200)).map { _ in
                    random(3) == 0
                        ? [0x1B, 0x5B, 0x12, 0x7F, 0x09][Int(random(5))]
                        : UInt8(random(256))
                }
                // Ctrl-Z and Ctrl-\ would stop and end this process.
                fixture.terminal.type(bytes.filter { $0 != 0x1A && $0 != 0x1C })
                await fixture.session.close()
                _ = await result.value
                XCTAssertEqual(fixture.terminal.settingsText, fixture.before)
            }
        }
    }
}
