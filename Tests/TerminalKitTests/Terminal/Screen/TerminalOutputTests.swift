import Foundation
import Glibc
import TestSupport
import XCTest

@testable import TerminalKit

/// Output while a prompt is open, while an answer streams, and at the edges.
final class TerminalOutputTests: XCTestCase {
    typealias Fixture = TerminalSessionTests.Fixture

    func testOutputAppearsAboveAHalfTypedLine() async throws {
        let fixture = try Fixture()
        let result = try await fixture.prompt()
        fixture.terminal.type("half typed li")
        try fixture.terminal.waitFor(lines: ["> half typed li"])
        await fixture.session.write("an alert")
        try fixture.terminal.waitFor(lines: ["an alert", "> half typed li"])
        await fixture.session.flush()
        await fixture.session.write("two\nlines\n")
        try fixture.terminal.waitFor(lines: ["an alert", "two", "lines", "> half typed li"])
        fixture.terminal.type("ne\r")
        let value = await result.value
        XCTAssertEqual(value, .line("half typed line"))
        await fixture.finish()
    }

    func testOutputAboveALineOfSeveralRowsClearsAllOfThem() async throws {
        // The cursor in the last row, in the first, at an edge; tabs, line
        // breaks, wide characters that do not fit.
        let long = String(repeating: "abcdefghi ", count: 5)
        for typed in [
            long, long + "\u{01}", String(repeating: "x", count: 18),
            String(repeating: "x", count: 38), String(repeating: "日本", count: 9) + "日",
            "a" + String(repeating: "日本", count: 12) + "\u{1B}[D\u{1B}[D\u{1B}[D",
        ] {
            let fixture = try Fixture(rows: 12, columns: 20)
            let result = try await fixture.prompt()
            fixture.terminal.type(typed)
            // What was typed without the keys that move.
            var marked = typed
            marked.removeAll { $0 == "\u{01}" }
            if let escape = marked.firstIndex(of: "\u{1B}") { marked = String(marked[..<escape]) }
            try fixture.terminal.waitFor("the typed line") {
                $0.lines.joined().filter { $0 != " " } == (">" + marked).filter { $0 != " " }
            }
            let before = fixture.terminal.screen.lines
            await fixture.session.write("an alert\n")
            try fixture.terminal.waitFor(lines: ["an alert"] + before)
            fixture.terminal.type("\u{05}\r")
            let value = await result.value
            XCTAssertEqual(value, .line(marked), typed.debugDescription)
            await fixture.finish()
        }
    }

    func testOutputAboveAPasteOfSeveralLines() async throws {
        let fixture = try Fixture(rows: 12, columns: 20)
        let result = try await fixture.prompt()
        fixture.terminal.paste("one\n\tthree\nlast")
        try fixture.terminal.waitFor(lines: ["> one", "        three", "last"])
        await fixture.session.write("an alert")
        try fixture.terminal.waitFor(lines: ["an alert", "> one", "        three", "last"])
        fixture.terminal.type("\r")
        let value = await result.value
        XCTAssertEqual(value, .line("one\n\tthree\nlast"))
        await fixture.finish()
    }

    func testPromptColoursTakeNoColumns() async throws {
        let fixture = try Fixture(rows: 12, columns: 20)
        let prompt = "\u{1B}[1m\u{1B}[36mchat>\u{1B}[0m "
        let result = Task { await fixture.session.readLine(prompt: prompt) }
        try fixture.terminal.waitFor(lines: ["chat>"])
        fixture.terminal.type("0123456789abcdefghij")
        try fixture.terminal.waitFor(lines: ["chat> 0123456789abcd", "efghij"])
        await fixture.session.write("an alert")
        try fixture.terminal.waitFor(lines: ["an alert", "chat> 0123456789abcd", "efghij"])
        fixture.terminal.type("\r")
        let value = await result.value
        XCTAssertEqual(value, .line("0123456789abcdefghij"))
        await fixture.finish()
    }

    func testOutputWithoutALineEndStaysAboveTheNextPrompt() async throws {
        let fixture = try Fixture()
        await fixture.session.write("no end")
        let result = Task { await fixture.session.readLine(prompt: "> ") }
        try fixture.terminal.waitFor(lines: ["no end", ">"])
        fixture.terminal.type("\r")
        let value = await result.value
        XCTAssertEqual(value, .line(""))
        await fixture.finish()
    }

    func testTypingDuringAnAnswerIsNotEchoedAndGoesToTheNextPrompt() async throws {
        let fixture = try Fixture()
        await fixture.session.write("the ans")
        await fixture.session.flush()
        fixture.terminal.type("next quest")
        await fixture.session.write("wer\n")
        try fixture.terminal.waitFor(lines: ["the answer"])
        let result = Task { await fixture.session.readLine(prompt: "> ") }
        try fixture.terminal.waitFor(lines: ["the answer", "> next quest"])
        fixture.terminal.type("ion\r")
        let value = await result.value
        XCTAssertEqual(value, .line("next question"))
        await fixture.finish()
    }

    func testLongOutputIsWholeAndInOrder() async throws {
        let fixture = try Fixture(rows: 5, columns: 80)
        let wanted = (0..<5_000).map { "line \($0) of a long answer" }
        for line in wanted { await fixture.session.write(line + "\n") }
        await fixture.session.flush()
        try fixture.terminal.waitFor(text: "line 4999 ")
        XCTAssertEqual(fixture.terminal.screen.transcript, wanted)
        await fixture.finish()
    }

    func testCompletionInsertsTheCommonPartThenListsAbove() async throws {
        let fixture = try Fixture(rows: 12, columns: 40) {
            $0.completer = { before, _ in
                let all = ["/model", "/models", "/keys", "/new"]
                return TabCompletion(
                    replacing: before,
                    candidates: all.filter { $0.hasPrefix(before) }.map { .init($0) })
            }
        }
        let result = try await fixture.prompt()
        fixture.terminal.type("/m\t")
        try fixture.terminal.waitFor(lines: ["> /model"])
        fixture.terminal.type("\t\t")
        try fixture.terminal.waitFor(lines: ["/model   /models", "> /model"])
        fixture.terminal.type("\u{15}/k\t")
        try fixture.terminal.waitFor(lines: ["/model   /models", "> /keys"])
        fixture.terminal.type("\r")
        let value = await result.value
        XCTAssertEqual(value, .line("/keys "))
        await fixture.finish()
    }

    func testDumbTerminalReadsLinesWithoutEscapes() async throws {
        let fixture = try Fixture { $0.term = "dumb" }
        let prompt = "\u{1B}[36m>\u{1B}[0m "
        let result = Task { await fixture.session.readLine(prompt: prompt) }
        try fixture.terminal.waitFor(lines: [">"])
        fixture.terminal.type("helol\u{7F}\u{7F}l")
        try fixture.terminal.waitFor(lines: ["> hell"])
        await fixture.session.write("an alert")
        try fixture.terminal.waitFor(lines: ["> hell", "an alert", "> hell"])
        fixture.terminal.type("o\r")
        let value = await result.value
        XCTAssertEqual(value, .line("hello"))
        await fixture.finish()
        XCTAssertFalse(fixture.terminal.transcript.contains(0x1B))
    }

    func testAnUnknownTerminalReadsLinesWithoutEscapes() async throws {
        let fixture = try Fixture { $0.term = "no-such-terminal" }
        let result = try await fixture.prompt()
        fixture.terminal.type("hello\r")
        let value = await result.value
        XCTAssertEqual(value, .line("hello"))
        await fixture.finish()
        XCTAssertFalse(fixture.terminal.transcript.contains(0x1B))
    }

    func testInputThatIsNoTerminalIsReadByLines() async throws {
        var ends: [Int32] = [-1, -1]
        XCTAssertEqual(pipe(&ends), 0)
        var options = TerminalSession.Options()
        options.input = ends[0]
        options.output = open("/dev/null", O_WRONLY)
        options.handlesSignals = false
        let session = try XCTUnwrap(TerminalSession(options))
        XCTAssertFalse(session.isInteractive)
        let text = Array("one\r\ntwo".utf8)
        XCTAssertEqual(write(ends[1], text, text.count), text.count)
        close(ends[1])
        var results: [LineResult] = []
        for _ in 0..<3 { results.append(await session.readLine(prompt: "> ")) }
        XCTAssertEqual(results, [.line("one"), .line("two"), .endOfInput])
        let answer = await session.ask("sure? ", mode: .yes)
        XCTAssertEqual(answer, .no)
        await session.close()
        close(ends[0])
        close(options.output)
    }
}
