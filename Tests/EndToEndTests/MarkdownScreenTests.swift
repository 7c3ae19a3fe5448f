import AgentCore
import Foundation
import TestSupport
import XCTest

/// Formatted answers in the real program, as they stand on the screen.
final class MarkdownScreenTests: XCTestCase {
    private static let document = """
        # A trip to Oslo

        Take the **night train** from *Bergen*; it is `cheap` and leaves at 23:05. The \
        [timetable](https://example.com/times) folds over more than one row.

        - pack light
          1. socks
          2. a book about 漢字 and 日本語
        - [x] buy tickets
        - [ ] call Bo 👩‍👩‍👧 👍🏽 cafe\u{301}

        > A quote with **weight**
        > over two lines.

        | Day | What | Price |
        |:---|---|---:|
        | Monday | Vigeland park, a long cell that needs more rows on a small screen | 0 |
        | Tuesday | 漢字 museum | 180 |

        ```swift
        struct Trip { // why
            let price = 180, name = "Oslo"
        }
        ```

        ```python
        def f(x: int = None): return x + 1  # more
        ```

        ```sh
        for f in *.txt; do echo "$f"; done
        ```

        שלום עולם, ~~gone~~ and &#27;[31m &lt;b&gt;.

        The end.
        """

    /// In pieces of random size, never within a scalar.
    private static func pieces(_ text: String, seed: UInt64, upTo size: Int = 9) -> [String] {
        var random = SplitMix(seed: seed)
        var pieces: [String] = []
        var rest = text.unicodeScalars[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...size, using: &random))
            pieces.append(String(piece))
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }

    private func server(_ text: String, seed: UInt64 = 1, size: Int = 9) throws -> ProviderServer {
        let pieces = Self.pieces(text, seed: seed, upTo: size)
        return try ProviderServer(
            .messages, [.init { .sse(WireScript.text(pieces, format: $0)) }], repeats: true)
    }

    /// One answer in a terminal: its screen and its bytes.
    private func oneShot(
        _ server: ProviderServer, columns: Int = 80, _ variables: [String: String?] = [:],
        until text: String = "The end."
    ) throws -> (lines: [String], bytes: [UInt8]) {
        let chat = try ChatProgram(server)
        var all = chat.variables
        all["NO_COLOR"] = nil
        for (name, value) in variables { all[name] = value }
        let terminal = try PseudoTerminal(rows: 24, columns: columns)
        try terminal.spawn(try ChatProgram.path(), ["-p", "go"], environment: all)
        XCTAssertEqual(terminal.waitForExit(), 0)
        try terminal.waitFor("“\(text)”") { $0.transcript.contains { $0.contains(text) } }
        try terminal.waitFor("the usage") { $0.transcript.contains { $0.contains(" out · ") } }
        defer { terminal.end() }
        let lines = terminal.screen.transcript.filter { !$0.contains(" out · ") }
        return (lines, terminal.transcript)
    }

    func testADocumentAtTwoWidthsWhateverItsPieces() throws {
        for columns in [80, 40] {
            let server = try server(Self.document)
            let repl = try ChatTerminal(try ChatProgram(server), rows: 24, columns: columns)
            try repl.waitForPrompt(after: "/help")
            try repl.enter("go", until: "The end.")
            try repl.enter("/raw", until: "# A trip to Oslo")
            repl.leave()
            try Golden.assertEqual(repl.transcript, "markdown-\(columns)")
            server.stop()
            for seed in 2..<4 as Range<UInt64> {
                let other = try self.server(Self.document, seed: seed, size: 40)
                let shown = try oneShot(other, columns: columns).lines
                XCTAssertEqual(
                    shown,
                    Array(
                        repl.transcript.drop { !$0.hasPrefix("A trip") }
                            .prefix(shown.count)))
                other.stop()
            }
        }
    }

    func testWithoutColoursItIsFormattedAndADumbTerminalGetsItAsReceived() throws {
        let server = try server(Self.document)
        let plain = try oneShot(server, ["NO_COLOR": "1"])
        let text = String(decoding: plain.bytes, as: UTF8.self)
        XCTAssertNil(text.firstMatch(of: #/\u{1B}\[[\d;]*m/#))
        XCTAssertTrue(plain.lines.contains("• pack light"), "\(plain.lines)")
        let dumb = try oneShot(server, ["TERM": "dumb"])
        XCTAssertFalse(dumb.bytes.contains(0x1B))
        let received = Self.document.components(separatedBy: "\n").filter { $0.utf8.count < 60 }
        for line in received { XCTAssertTrue(dumb.lines.contains(line), line) }
        server.stop()
    }

    func testAResizeInTheMiddleOfAnAnswerLosesNothing() throws {
        let sent = Gate()
        let gate = Gate()
        let server = try ProviderServer(
            .messages,
            [
                .paused(
                    after: "# Title\n\n- one\n- two **bo", sent: sent, until: gate,
                    rest: "ld** and more\n- three\n\nThe end.")
            ])
        let repl = try ChatTerminal(try ChatProgram(server), rows: 30, columns: 80)
        try repl.waitForPrompt(after: "/help")
        repl.enter("go")
        try repl.waitFor("• two bo")
        repl.terminal.resize(rows: 20, columns: 40)
        gate.open()
        try repl.waitForPrompt(after: "The end.")
        repl.leave()
        let shown = repl.transcript.drop { $0 != "Title" }.prefix(7)
        XCTAssertEqual(
            Array(shown),
            ["Title", "", "• one", "• two bold and more", "• three", "", "The end."])
        server.stop()
    }

    func testAnAnswerFollowsItsWindowUntilItIsFinished() throws {
        let (sent, gate) = (Gate(), Gate())
        let server = try ProviderServer(
            .messages,
            [
                .paused(
                    after: "A paragraph of several words that is wider than a window of forty.\n\n"
                        + "- an item that is wide enough to hang in such a window\n\nThe **li",
                    sent: sent, until: gate, rest: "ve** end.")
            ])
        let repl = try ChatTerminal(
            try ChatProgram(server), rows: 30, columns: 80, isRefolded: true)
        try repl.waitForPrompt(after: "/help")
        repl.enter("go")
        func answer(_ screen: Screen) -> [String] {
            Array(screen.transcript.drop { $0 != "> go" }.dropFirst())
        }
        func wait(_ what: String, _ lines: [String]) throws {
            try repl.terminal.waitFor(what) { Array(answer($0).prefix(lines.count)) == lines }
        }
        let wide = [
            "A paragraph of several words that is wider than a window of forty.", "",
            "• an item that is wide enough to hang in such a window", "",
        ]
        try wait("the answer", wide + ["The li"])
        repl.terminal.resize(rows: 30, columns: 40)
        // The first line may have left a screen; the terminal has folded it.
        try wait(
            "the answer in narrow lines",
            [
                "A paragraph of several words that is wid", "er than a window of forty.", "",
                "• an item that is wide enough to hang in", "  such a window", "", "The li",
            ])
        repl.terminal.resize(rows: 30, columns: 80)
        try wait("the answer in wide lines", wide + ["The li"])
        gate.open()
        try repl.waitForPrompt(after: "The live end.")
        repl.terminal.resize(rows: 30, columns: 40)
        try wait(
            "the finished answer, folded by the terminal",
            [
                "A paragraph of several words that is wid", "er than a window of forty.", "",
                "• an item that is wide enough to hang in", " such a window", "", "The live end.",
            ])
        repl.terminal.resize(rows: 30, columns: 80)
        try wait("the finished answer", wide + ["The live end."])
        repl.leave()
        server.stop()
    }

    func testNoSequenceOfTheTextReachesTheTerminal() throws {
        let payloads = [
            "\u{1B}[2J", "\u{1B}]0;title\u{7}", "\u{1B}]52;c;ZXZpbA==\u{7}", "\u{9B}2J",
            "\u{1B}]8;;http://x\u{1B}\\", "\u{1B}c", "\u{1B}[?1049h", "\u{1B}[6n", "\u{202E}x",
            "over\rwrite", "\u{8}\u{8}", "\u{1B}", "&#27;[2J", "&#x1b;]0;t&#7;", "&#x9b;1m",
            "&#8238;x", "&NewLine;", "&#13;", "&#0;", "&#xE0041;",
        ]
        let wrapped = payloads.flatMap { payload in
            [
                "a \(payload) b", "`code \(payload)`", "**bold \(payload)**",
                "[label \(payload)](http://a/\(payload))", "<http://a/\(payload)>",
                "![pic \(payload)](<b \(payload)>)", "| a | b |\n|---|---|\n| \(payload) | c |",
                "```\(payload)\ncode \(payload)\n```", "# head \(payload)", "- item \(payload)",
                "> quote \(payload)", "[r]: http://x \"\(payload)\"\n\n[r]", "<b \(payload)>",
            ]
        }
        let own = #/\u{1B}\[\d*[ACDJ]|\u{1B}\[[\d;]+m|\r\n|\r\u{1B}/#
        for seed in 1...2 as ClosedRange<UInt64> {
            let server = try server(
                wrapped.joined(separator: "\n\n") + "\n\nThe end.", seed: seed, size: 5)
            let text = String(decoding: try oneShot(server).bytes, as: UTF8.self)
            // A return of ours is followed by a move, which was removed first.
            let rest = text.replacing(#/\r\u{1B}\[\d*[ACJ]/#, with: "").replacing(own, with: "")
            let found = rest.unicodeScalars.filter { scalar in
                switch scalar.value {
                case 0x0A: false
                case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2060...0x206F, 0xE0000...0xE007F:
                    true
                default: false
                }
            }
            XCTAssertEqual(found.map { String($0.value, radix: 16) }, [], "seed \(seed)")
            server.stop()
        }
    }
}
