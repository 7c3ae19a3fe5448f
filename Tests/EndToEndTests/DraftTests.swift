import AgentCore
import Foundation
import TestSupport
import XCTest

/// What is being written: folded, put aside, edited elsewhere, and never lost.
final class DraftTests: XCTestCase {
    private static let up = "\u{1B}[A"

    private func isAtPrompt(_ screen: Screen) -> Bool { screen.isAtEmptyPrompt }

    // MARK: Screens

    private func screens(columns: Int) throws -> [String] {
        let gate = Gate()
        let server = try ProviderServer(
            .messages,
            [
                .text("seen"),
                .paused(after: "first ", until: gate, rest: "and last"), .text("二つ目"),
            ])
        let repl = try ChatTerminal(try ChatProgram(server), rows: 24, columns: columns)
        try repl.waitForPrompt(after: "or type")
        var seen: [String] = []
        func note(_ what: String, _ screen: Screen) {
            seen += ["--- \(what) (\(screen.cursor.row), \(screen.cursor.column))"]
            seen += screen.lines
        }
        let paste = (1...12).map { "行 \($0)" }.joined(separator: "\n")
        repl.terminal.type("見て ")
        repl.terminal.paste(paste)
        repl.terminal.type(" と ")
        repl.terminal.paste(paste)
        repl.terminal.type(" 👩‍👩‍👧 ok")
        note("folded", try repl.terminal.waitFor("both") { $0.lines.last?.hasSuffix("ok") == true })
        repl.terminal.type("\u{01}" + String(repeating: "\u{1B}[C", count: 4) + "\u{18}\u{0F}")
        // With the cursor where it stays: a drawing may come in pieces.
        note(
            "unfolded",
            try repl.terminal.waitFor("all") {
                $0.cursor.column == 5 && $0.lines.last?.hasSuffix("ok") == true
                    && $0.lines.contains("行 11")
            })
        repl.terminal.type("\u{03}")
        try repl.terminal.waitFor("a prompt", isAtPrompt)
        // Several rows: break, continue, wrap, and back up into the first.
        repl.terminal.type("日本語 one\u{0A}zwei")
        // Two line ends at once would be an unmarked paste.
        try repl.terminal.waitFor("zwei") { $0.lines.last?.hasSuffix("zwei") == true }
        repl.terminal.type("\\\r" + String(repeating: "三つ ", count: 12))
        repl.terminal.type(String(repeating: Self.up, count: columns < 60 ? 3 : 2) + "X")
        note(
            "several rows",
            try repl.terminal.waitFor("the X") {
                $0.cursor.column == 13 && $0.lines.contains { $0.contains("X") }
            })
        repl.terminal.type("\u{05}\r")
        try repl.waitForPrompt(after: "seen")
        repl.enter("go")
        try repl.waitFor("first")
        repl.terminal.type("次の質問\rhalb ge")
        gate.open()
        note(
            "type-ahead",
            try repl.terminal.waitFor("the end of the second answer") { screen in
                // The line stands below the answer already while that comes.
                screen.lines.suffix(4).first == "二つ目"
                    && screen.lines.last == "> halb ge" && screen.cursor.column == 9
            })
        repl.terminal.type("\u{15}")
        repl.leave()
        server.finish()
        return seen
    }

    func testFoldsRowsAndTypeAheadOnAWideAndANarrowScreen() throws {
        for columns in [80, 40] {
            try Golden.assertEqual(try screens(columns: columns), "editing-\(columns)")
        }
    }

    // MARK: Folds

    func testAFoldedPasteIsSentWholeAndKeptInTheHistory() throws {
        let server = try ProviderServer(.messages, [.text("seen")])
        let chat = try ChatProgram(server)
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        let paste = "a\nb\u{1B}[31m\nc\nd"
        repl.terminal.paste(paste)
        repl.terminal.paste("x\n2\n3\n4")
        try repl.waitForLine(
            "> [pasted 4 lines, 15 characters][pasted 4 lines, 7 characters #2]")
        // Backspace takes the second one whole; undo brings it back.
        repl.terminal.type("\u{7F}")
        try repl.waitForLine("> [pasted 4 lines, 15 characters]")
        repl.terminal.type("\u{1F}\u{17} end")
        try repl.waitForLine("> [pasted 4 lines, 15 characters] end")
        try repl.enter("", until: "seen")
        repl.leave()
        XCTAssertEqual(try server.messages(0), ["user: a\nb\\x1b[31m\nc\nd end"])
        XCTAssertTrue(
            String(decoding: try chat.bytes("state/history"), as: UTF8.self)
                .hasSuffix("\ta\\nb\\\\x1b[31m\\nc\\nd end\n"))
        server.finish()
    }

    // MARK: Drafts

    func testAStashedDraftComesBackAfterTheNextMessage() throws {
        let server = try ProviderServer(.messages, [.text("seen")])
        let repl = try ChatTerminal(try ChatProgram(server))
        try repl.waitForPrompt(after: "/help")
        repl.terminal.type("for later\u{1B}s")
        try repl.terminal.waitFor("a prompt", isAtPrompt)
        repl.enter("first this")
        try repl.waitForLine("> for later")
        repl.terminal.type("\u{15}")
        repl.leave()
        XCTAssertEqual(try server.messages(0), ["user: first this"])
        server.finish()
    }

    // MARK: The editor

    private func editor(_ chat: ChatProgram, _ script: String) throws {
        try chat.prepare("an editor", "#!/bin/sh\n" + script)
        XCTAssertEqual(chmod(chat.file("an editor"), 0o700), 0)
        chat.variables["EDITOR"] = "'\(chat.file("an editor"))' --word"
    }

    func testTheDraftIsEditedInTheEditor() throws {
        let server = try ProviderServer(.messages, [.text("seen")])
        let chat = try ChatProgram(server)
        // Ctrl-C in the editor is the editor's.
        try editor(chat, "[ \"$1\" = --word ] && trap : INT && kill -INT 0\necho more >> \"$2\"\n")
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        repl.terminal.type("one\u{0A}two\u{18}\u{05}")
        try repl.terminal.waitFor("the text") {
            $0.lines.suffix(3) == ["> one", "two", "more"]
        }
        try repl.enter("", until: "seen")
        repl.enter("/edit some thing")
        try repl.terminal.waitFor("the text") { $0.lines.suffix(2) == ["> some thing", "more"] }
        repl.terminal.type("\u{03}")
        try repl.terminal.waitFor("a prompt", isAtPrompt)
        repl.leave()
        XCTAssertEqual(try server.messages(0), ["user: one\ntwo\nmore"])
        XCTAssertEqual(chat.files.filter { $0.hasSuffix(".md") }, [])
        server.finish()
    }

    /// No key, no descriptor of ours, and nothing that lies in the working folder.
    func testTheEditorGetsTheTerminalItsVariablesAndNothingElse() throws {
        let chat = try ChatProgram(["ANTHROPIC_API_KEY": "sk-ant-canary", "EVIL": "1"])
        try editor(
            chat,
            "env | sed 's/=.*//' | sort | tr '\\n' ' ' > \"$2\"\n"
                + "ls /proc/self/fd | tr '\\n' ' ' >> \"$2\"\n"
                + "[ -t 0 ] && [ -t 2 ] && echo terminal >> \"$2\"\n")
        chat.variables["XDG_CONFIG_HOME"] = chat.home
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        repl.enter("/edit x")
        // `ls` itself opens the folder as 3; `PWD` is the shell's.
        try repl.waitForLine(
            "> HOME LANG PATH PWD TERM TZ XDG_CONFIG_HOME 0 1 2 3 terminal")
        repl.terminal.type("\u{15}")
        repl.leave()
    }

    func testAnEditorOfARelativeFolderIsNotRun() throws {
        let chat = try ChatProgram()
        try chat.prepare("here", "#!/bin/sh\necho bad >> \"$1\"\n")
        XCTAssertEqual(chmod(chat.file("here"), 0o700), 0)
        // The home as it is seen from the working folder.
        let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
        let home = String(repeating: "../", count: depth) + chat.home.dropFirst()
        XCTAssertEqual(access(home + "/here", X_OK), 0)
        for (name, path) in [(home + "/here", TestMachine.path), ("here", home)] {
            chat.variables["EDITOR"] = name
            chat.variables["PATH"] = path
            let repl = try ChatTerminal(chat, columns: 300)
            try repl.waitForPrompt(after: "/help")
            repl.enter("/edit my draft")
            try repl.waitFor("\(name) could not be started: No such file")
            try repl.waitForLine("> my draft")
            repl.terminal.type("\u{15}")
            repl.leave()
        }
    }

    func testAHistoryOrLogThatIsALinkIsSaidOnceAndLeftAlone() throws {
        let server = try ProviderServer(.messages, [.text("seen")], repeats: true)
        let chat = try ChatProgram(server)
        try chat.prepare("victim", "theirs\n")
        // Makes the folder.
        try chat.prepare("state/other", "")
        for name in ["history", "log"] {
            XCTAssertEqual(symlink(chat.file("victim"), chat.file("state/\(name)")), 0)
        }
        let repl = try ChatTerminal(chat, columns: 200)
        try repl.waitForPrompt(after: "/help")
        try repl.enter("a message", until: "seen")
        repl.leave()
        let shown = repl.transcript.map { $0.trimmingCharacters(in: .whitespaces) }
        for name in ["history", "log"] {
            let line = "\(chat.file("state/\(name)")) is not used: it is a symbolic link."
            XCTAssertEqual(shown.filter { $0 == line }.count, 1, "\(shown)")
        }
        let answer = try chat.run(["-p", "x"])
        XCTAssertEqual(answer.text, "seen\n")
        XCTAssertEqual(
            answer.errorLines,
            ["chat: \(chat.file("state/log")) is not used: it is a symbolic link."])
        XCTAssertEqual(try chat.bytes("victim"), Array("theirs\n".utf8))
        server.finish()
    }

    func testAnEditorThatFailsOrIsNotThereLosesNothing() throws {
        let chat = try ChatProgram()
        try editor(chat, "echo changed > \"$2\"; exit 3\n")
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        repl.terminal.type("my draft\u{1B}e")
        try repl.waitFor("The message is unchanged: ")
        try repl.waitForLine("> my draft")
        XCTAssertEqual(chat.files.filter { $0.hasSuffix(".md") }.count, 1)
        repl.terminal.type("\u{15}")
        repl.leave()

        chat.variables["EDITOR"] = "/no/such/editor"
        let next = try ChatTerminal(chat)
        try next.waitForPrompt(after: "/help")
        next.terminal.type("my draft\u{1B}e")
        try next.waitFor("/no/such/editor could not be started: No such file")
        try next.waitForLine("> my draft")
        next.terminal.type("\u{15}")
        next.leave()
    }
}
