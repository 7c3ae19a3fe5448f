import Foundation
import Glibc
import TestSupport
import XCTest

@testable import TerminalKit

/// The session against a real pseudo-terminal, in this process.
final class TerminalSessionTests: XCTestCase {
    /// A session, its terminal, and the settings as they were before.
    struct Fixture {
        let terminal: PseudoTerminal
        let session: TerminalSession
        let before: String

        init(
            rows: Int = 24, columns: Int = 80,
            configure: (inout TerminalSession.Options) -> Void = { _ in }
        ) throws {
            terminal = try PseudoTerminal(rows: rows, columns: columns)
            before = terminal.settingsText
            var options = TerminalSession.Options()
            options.input = terminal.slave
            options.output = terminal.slave
            options.term = "xterm-256color"
            options.handlesSignals = false
            options.history = MemoryHistory()
            configure(&options)
            session = try XCTUnwrap(TerminalSession(options))
        }

        /// Starts a prompt and waits until it is drawn.
        func prompt(_ text: String = "> ") async throws -> Task<LineResult, Never> {
            let task = Task { await session.readLine(prompt: text) }
            try terminal.waitFor("a prompt") {
                $0.lines.last == text.trimmed
            }
            return task
        }

        /// Ends the session; the terminal is as it was.
        func finish() async {
            await session.close()
            XCTAssertEqual(terminal.settingsText, before)
            XCTAssertNoThrow(try terminal.waitFor("the end of paste mode") { !$0.hasPasteMode })
            XCTAssertEqual(terminal.screen.unknown, [])
            terminal.end()
        }
    }

    private func line(
        typing text: String, keys: LineEditor.Keys = .emacs
    ) async throws -> LineResult {
        let fixture = try Fixture { $0.keys = keys }
        let result = try await fixture.prompt()
        fixture.terminal.type(text)
        let value = await result.value
        await fixture.finish()
        return value
    }

    func testTypedLineIsReturnedAndTheTerminalRestored() async throws {
        let result = try await line(typing: "hello\r")
        XCTAssertEqual(result, .line("hello"))
    }

    func testEditingKeysMoveAndDelete() async throws {
        let cases: [(String, String)] = [
            ("bc\u{01}a\r", "abc"),
            ("ac\u{1B}[Db\r", "abc"),
            ("abx\u{7F}c\r", "abc"),
            ("abx\u{08}c\r", "abc"),
            ("xabc\u{1B}[H\u{1B}[3~\r", "abc"),
            ("xabc\u{01}\u{04}\r", "abc"),
            ("bc\u{1B}OHa\u{1B}OFd\r", "abcd"),
            ("one two\u{17}three\r", "one three"),
            ("rubbish\u{15}abc\r", "abc"),
            ("one two\u{1B}[1;5Dbig \r", "one big two"),
            ("a\u{1B}[99~\u{1B}[?1;2cb\r", "ab"),
            ("one\u{1B}\rtwo\r", "one\ntwo"),
        ]
        for (typed, wanted) in cases {
            let result = try await line(typing: typed)
            XCTAssertEqual(result, .line(wanted), typed.debugDescription)
        }
    }

    func testViKeysEditAndArrowsStayInInsertMode() async throws {
        let cases: [(String, String)] = [
            ("abc\u{1B}xad\r", "abd"),
            ("ac\u{1B}[Db\r", "abc"),
            ("one two\u{1B}bcwthree\r", "one three"),
            ("a\u{1B}[200~x\ny\u{1B}[201~b\r", "ax\nyb"),
        ]
        for (typed, wanted) in cases {
            let fixture = try Fixture { $0.keys = .vi }
            let result = try await fixture.prompt()
            // A lone ESC is known by the pause after it: one key at a time.
            for part in Self.keystrokes(typed) {
                let shown = fixture.terminal.transcript.count
                fixture.terminal.type(part)
                try fixture.terminal.waitForOutput(after: shown)
            }
            let value = await result.value
            XCTAssertEqual(value, .line(wanted), typed.debugDescription)
            await fixture.finish()
        }
    }

    /// Cuts before and after a lone ESC.
    private static func keystrokes(_ text: String) -> [String] {
        var parts: [String] = [""]
        var rest = text[...]
        while let character = rest.popFirst() {
            if character == "\u{1B}", rest.first != "[" {
                parts += ["\u{1B}", ""]
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts.filter { !$0.isEmpty }
    }

    func testBackspaceDeletesAWholeEmojiAndArrowsStepOverIt() async throws {
        let family = "👩‍👩‍👧‍👦"
        let deleted = try await line(typing: "a\(family)\u{7F}b\r")
        XCTAssertEqual(deleted, .line("ab"))
        let stepped = try await line(typing: "a\(family)\u{1B}[D\u{1B}[Db\r")
        XCTAssertEqual(stepped, .line("ba\(family)"))
        let wide = try await line(typing: "日本語é\u{7F}\u{7F}x\r")
        XCTAssertEqual(wide, .line("日本x"))
    }

    func testInvalidBytesBecomeReplacementCharacters() async throws {
        let fixture = try Fixture()
        let result = try await fixture.prompt()
        fixture.terminal.type([0x61, 0xFF, 0x62, 0xC3, 0x28, 0x00, 0xC2, 0x9B, 0x63, 0x0D])
        let value = await result.value
        XCTAssertEqual(value, .line("a\u{FFFD}b\u{FFFD}(c"))
        await fixture.finish()
    }

    func testControlCClearsTheLineAndKeepsItOutOfTheHistory() async throws {
        let fixture = try Fixture()
        let first = try await fixture.prompt()
        fixture.terminal.type("said\r")
        let said = await first.value
        XCTAssertEqual(said, .line("said"))
        let draft = Task { await fixture.session.readLine(prompt: "> ") }
        try fixture.terminal.waitFor(lines: ["> said", ">"])
        fixture.terminal.type("draft\u{03}")
        let interrupted = await draft.value
        XCTAssertEqual(interrupted, .interrupted("draft"))
        let second = Task { await fixture.session.readLine(prompt: "> ") }
        fixture.terminal.type("\u{1B}[A\r")
        let recalled = await second.value
        XCTAssertEqual(recalled, .line("said"))
        let third = Task { await fixture.session.readLine(prompt: "> ") }
        // Not the second prompt, seen late: between prompts Ctrl-C is a signal.
        try fixture.terminal.waitFor(lines: ["> said", "> draft", "> said", ">"])
        fixture.terminal.type("\u{03}")
        let empty = await third.value
        XCTAssertEqual(empty, .interrupted(""))
        let fourth = Task { await fixture.session.readLine(prompt: "> ") }
        fixture.terminal.type("\u{1F}s\r")
        let back = await fourth.value
        XCTAssertEqual(back, .line("drafts"))
        await fixture.finish()
    }

    func testTabCompletesWithoutALineEditor() async throws {
        let fixture = try Fixture {
            $0.term = "dumb"
            $0.completer = { before, _ in
                let names = ["/model", "/models", "/usage"].filter { $0.hasPrefix(before) }
                return TabCompletion(
                    replacing: before, candidates: before.isEmpty ? [] : names.map { .init($0) })
            }
        }
        let prompt = Task { await fixture.session.readLine(prompt: "> ") }
        try fixture.terminal.waitFor(lines: [">"])
        fixture.terminal.type("\t/mo\t")
        try fixture.terminal.waitFor(lines: ["> /model"])
        fixture.terminal.type("\t")
        try fixture.terminal.waitFor(lines: ["> /model", "/model   /models", "> /model"])
        fixture.terminal.type("s\t4\r")
        let line = await prompt.value
        XCTAssertEqual(line, .line("/models 4"))
        await fixture.finish()
    }

    func testControlDEndsOnlyOnAnEmptyLine() async throws {
        let fixture = try Fixture()
        let first = Task { await fixture.session.readLine(prompt: "> ") }
        fixture.terminal.type("a\u{04}\r")
        let kept = await first.value
        XCTAssertEqual(kept, .line("a"))
        let second = Task { await fixture.session.readLine(prompt: "> ") }
        fixture.terminal.type("\u{04}")
        let ended = await second.value
        XCTAssertEqual(ended, .endOfInput)
        await fixture.finish()
    }

    func testHistoryIsRecalledSearchedAndTheDraftSurvives() async throws {
        let fixture = try Fixture()
        for text in ["first thing", "second thing", " private"] {
            let task = Task { await fixture.session.readLine(prompt: "> ") }
            fixture.terminal.type(text + "\r")
            let result = await task.value
            XCTAssertEqual(result, .line(text))
        }
        let cases: [(String, String)] = [
            ("\u{1B}[A\u{1B}[A\r", "first thing"),
            ("half\u{1B}[A\u{1B}[B\r", "half"),
            ("\u{12}seco\r\r", "second thing"),
        ]
        for (typed, wanted) in cases {
            let task = Task { await fixture.session.readLine(prompt: "> ") }
            fixture.terminal.type(typed)
            let result = await task.value
            XCTAssertEqual(result, .line(wanted), typed.debugDescription)
        }
        await fixture.finish()
    }

    func testPasteOfSeveralLinesIsOneMessage() async throws {
        let fixture = try Fixture()
        let result = try await fixture.prompt()
        fixture.terminal.paste("one\r\ntwo\tx\rthree \u{1B}[31m\u{03}")
        try fixture.terminal.waitFor(text: "three \\x1b[31m\\x03")
        fixture.terminal.type("!\r")
        let value = await result.value
        XCTAssertEqual(value, .line("one\ntwo\tx\nthree \\x1b[31m\\x03!"))
        await fixture.finish()
    }

    func testAMegabytePasteIsWhole() async throws {
        let fixture = try Fixture()
        let result = try await fixture.prompt()
        let text = String(repeating: "0123456789abcde\n", count: 65_536) + "end"
        fixture.terminal.paste(text)
        fixture.terminal.type("\r")
        let value = await result.value
        XCTAssertTrue(value == .line(text))
        await fixture.finish()
    }
}

extension String {
    var trimmed: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
