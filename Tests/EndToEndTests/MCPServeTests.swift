import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// `chat mcp serve` as hosts use it: the real program over pipes.
final class MCPServeTests: XCTestCase {
    private func titles(_ chat: ChatProgram) throws -> [String] {
        (try chat.json(["reminders", "list", "--json"]).arrayValue ?? [])
            .compactMap { $0["title"]?.stringValue }
    }

    func testAHostOfEachEraListsAndCallsAndItsChangesCanBeUndone() throws {
        for isModern in [false, true] {
            let chat = try ChatProgram()
            let host = try MCPHost(chat, isModern: isModern)
            let list = try host.request("tools/list")["result"]?["tools"]?.arrayValue ?? []
            let names = list.compactMap { $0["name"]?.stringValue }
            for name in [
                "create_reminder", "list_events", "library_search", "story_list",
                "search_conversations",
            ] { XCTAssert(names.contains(name), "\(name) is not in \(names)") }
            for name in ["delete_reminder", "delete_event", "transcribe_audio", "undo_change"] {
                XCTAssertFalse(names.contains(name), name)
            }
            let made = try host.call(
                "create_reminder",
                ["title": "call Zoë 🌷", "due_date": "2027-03-04T09:30:00+01:00"])
            XCTAssert(made.text.hasPrefix("created "), made.text)
            XCTAssertFalse(made.isError)
            XCTAssertEqual(try titles(chat), ["call Zoë 🌷"])
            let seen = try host.call("list_reminders")
            XCTAssert(seen.text.contains("call Zoë 🌷"), seen.text)
            // At the prompt of a shell, while the host is still there.
            XCTAssert(try chat.run(["undo"]).text.contains("undone"))
            XCTAssertEqual(try titles(chat), [])
            let result = try host.end()
            XCTAssertEqual(result.errorText, "")
        }
    }

    func testWhatDeletesIsOfferedOnlyWhereItWasAllowed() throws {
        let chat = try ChatProgram()
        try chat.run(["reminders", "add", "buy milk"])
        let strict = try MCPHost(chat)
        let refused = try strict.call("delete_reminder", ["reminder": "buy milk"])
        XCTAssert(refused.isError)
        XCTAssert(refused.text.contains("--allow delete_reminder"), refused.text)
        try strict.end()
        XCTAssertEqual(try titles(chat), ["buy milk"])

        let allowing = try MCPHost(chat, ["--allow", "delete_reminder"])
        let list = try allowing.request("tools/list")["result"]?["tools"]?.arrayValue ?? []
        let tool = try XCTUnwrap(list.first { $0["name"] == "delete_reminder" })
        XCTAssertEqual(tool["annotations"]?["destructiveHint"], true)
        let name = tool["inputSchema"]?["required"]?[0]?.stringValue ?? ""
        XCTAssertFalse(
            try allowing.call(
                "delete_reminder", .object(JSONObject([.init(name, "buy milk")]))
            ).isError)
        try allowing.end()
        XCTAssertEqual(try titles(chat), [])
        XCTAssert(try chat.run(["undo"]).text.contains("undone"))
        XCTAssertEqual(try titles(chat), ["buy milk"])
    }

    /// An undo deletes what was added, so it needs what a deletion needs.
    func testUndoingDoesForAHostWhatTheToolsForItMay() throws {
        for isModern in [false, true] {
            let chat = try ChatProgram()
            try chat.run(["reminders", "add", "buy milk"])
            let strict = try MCPHost(chat, isModern: isModern)
            let withheld = try strict.call("undo_change")
            XCTAssert(withheld.isError)
            XCTAssert(withheld.text.contains("--allow undo_change"), withheld.text)
            try strict.end()
            let half = try MCPHost(chat, ["--allow", "undo_change"], isModern: isModern)
            let refused = try half.call("undo_change")
            XCTAssert(refused.isError)
            XCTAssertEqual(try titles(chat), ["buy milk"])
            XCTAssertFalse(
                try half.call("edit_reminder", ["title": "milk", "new_title": "buy tea"]).isError)
            XCTAssertFalse(try half.call("undo_change").isError, "nothing is deleted by that")
            XCTAssertEqual(try titles(chat), ["buy milk"])
            try half.end()
            let allowing = try MCPHost(
                chat, ["--allow", "undo_change,delete_reminder"], isModern: isModern)
            XCTAssertFalse(try allowing.call("undo_change").isError)
            XCTAssertEqual(try titles(chat), [])
            try allowing.end()
        }
    }

    func testTheListSaysWhatIsOfferedAndMisspeltNamesAreUsageErrors() throws {
        let chat = try ChatProgram()
        try chat.run(["mcp", "serve", "--allow", "delete_remindr"])
            .assertFailure(2, "delete_remindr", "Did you mean delete_reminder?")
        try chat.run(["mcp", "serv"]).assertFailure(2, "Did you mean chat mcp serve?")
        let rows = try chat.json(["mcp", "tools", "--allow", "delete_event", "--json"]).arrayValue
        let offered = { (name: String) in rows?.first { $0["name"] == .string(name) }?["offered"] }
        XCTAssertEqual(offered("create_event"), true)
        XCTAssertEqual(offered("delete_event"), true)
        XCTAssertEqual(offered("delete_reminder"), false)
        XCTAssert(try chat.run(["mcp", "tools"]).text.contains("only with --allow"))
    }

    /// I14, from the other side: junk, ids that are in use, wrong and null ids, a line
    /// of 256 MB.
    func testHostileInputIsAnsweredAndBounded() throws {
        let chat = try ChatProgram()
        let host = try MCPHost(chat)
        let before = try Self.peakMemory(host.program.pid)
        let junk = [
            "Hello, is there anybody?", #"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            #"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, "\u{0}\u{1}\u{1B}[2J", "",
            #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x"}}"#,
            #"{"jsonrpc":"2.0","id":99,"result":{}}"#, String(repeating: "[", count: 100_000),
        ]
        for line in junk { host.program.write(Array((line + "\n").utf8)) }
        host.program.write([0xFF, 0xFE, 0x0A])
        let chunk = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
        for _ in 0..<256 { host.program.write(chunk) }
        host.program.write([0x0A])
        XCTAssertEqual(try host.request("ping")["result"], [:])
        XCTAssertLessThan(try Self.peakMemory(host.program.pid) - before, 64 << 10)
        let result = try host.end()
        let codes = result.text.split(separator: "\n").compactMap {
            (try? JSONParser.parse(String($0)))?["error"]?["code"]?.integerValue
        }
        XCTAssertEqual(codes, [-32700, -32600, -32600, -32700, -32700, -32700, -32600])
        XCTAssertFalse((result.output + result.errors).contains(0x1B))
    }

    /// In kilobytes.
    private static func peakMemory(_ pid: pid_t) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return Int(line.filter(\.isNumber)) ?? 0
    }

    func testItEndsWithTheInputWithASignalAndWithoutAReader() throws {
        let chat = try ChatProgram()
        let ended = try MCPHost(chat)
        try ended.end()

        let signalled = try MCPHost(chat)
        signalled.program.signal(SIGTERM)
        _ = try signalled.finish()

        let unread = try MCPHost(chat)
        unread.program.closeOutput()
        unread.say(["jsonrpc": "2.0", "id": 7, "method": "ping"])
        XCTAssertEqual(try unread.program.finish(limit: 20).exit, 0)
    }

    /// What a script pipes in is answered, in order, before the end.
    func testAPipeOfMessagesIsAnsweredWhole() throws {
        let chat = try ChatProgram()
        let meta =
            #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#
        let input = (1...20).map {
            #"{"jsonrpc":"2.0","id":\#($0),"method":"tools/call","params":{"name":"create_reminder","arguments":{"title":"number \#($0)"},\#(meta)}}"#
        }
        let result = try chat.run(["mcp", "serve"], input: input.joined(separator: "\n"))
        XCTAssertEqual(result.exit, 0, result.errorText)
        let ids = result.text.split(separator: "\n").map {
            (try? JSONParser.parse(String($0)))?["id"]?.integerValue
        }
        XCTAssertEqual(ids, Array(1...20))
        XCTAssertEqual(try titles(chat).count, 20)
    }

    func testAPromptOnTheSameDataSeesWhatAHostDidAndCanUndoIt() throws {
        let server = try ProviderServer(.messages, [.text("Take the Color Line ferry.")])
        let chat = try ChatProgram(server)
        try chat.run(["-p", "how do I get to Oslo?"])
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt()
        let host = try MCPHost(chat)
        let found = try host.call("search_conversations", ["query": "ferry"])
        XCTAssert(found.text.contains("Color Line"), found.text)
        XCTAssertEqual(
            try host.call("search_conversations", ["query": "submarine"]).text, "Nothing was found."
        )
        _ = try host.call("create_reminder", ["title": "feed the cat"])
        _ = try host.call(
            "library_save", ["kind": "idea", "title": "A boat", "text": "Build it of paper."])
        try repl.enter("/reminders list", until: "feed the cat")
        try repl.enter("/library list", until: "A boat")
        try repl.enter("/reminders add wash the car", until: "wash the car")
        XCTAssert(try host.call("list_reminders").text.contains("wash the car"))
        try repl.enter("/undo feed the cat", until: "undone")
        XCTAssertFalse(try host.call("list_reminders").text.contains("feed the cat"))
        try host.end()
        server.finish()
    }

    func testWhatIsNotLeftToAModelIsNotLeftToAHost() throws {
        let chat = try ChatProgram()
        try chat.run(["profile", "set", "name", "Ida Berg"])
        let file = chat.folder.path("resume.md")
        let resume = """
            # Ida Berg

            ida@mail.example.org

            ## Experience

            Boatbuilder at Northern Paper Works, 2016 to 2024. Built boats of paper for lakes and
            rivers, taught eleven apprentices, and kept the books of the yard without a single error.

            """
        try Data(resume.utf8).write(to: URL(fileURLWithPath: file))
        let kept = try chat.run(["library", "save", file, "--kind", "resume"])
        XCTAssertEqual(kept.exit, 0, kept.errorText)
        let host = try MCPHost(chat, ["--allow", "undo_change,library_trash"])
        _ = try host.call("library_search", ["query": "boats"])
        _ = try host.call("library_get", ["item": "i1"])
        _ = try host.call("undo_change")
        let result = try host.end()
        XCTAssert(result.text.contains("Built boats"), result.text)
        for word in ["Ida Berg", "ida@mail.example.org"] {
            XCTAssertFalse((result.text + result.errorText).contains(word), word)
        }
    }
}
