import AgentCore
import Foundation
import TestSupport
import XCTest

/// Ideas in the shell, from the prompt that is set once to the errors of a
/// server: acceptance checks 1 to 8. The loop with its keys is in
/// `IdeaLoopTests`.
final class IdeaTests: XCTestCase {
    private static let prompt = "One app idea, one sentence"

    /// A program with an idea prompt.
    private func chat(_ server: ProviderServer?, prompt: Bool = true) throws -> ChatProgram {
        let chat = try server.map { try ChatProgram($0) } ?? ChatProgram()
        if prompt { XCTAssertEqual(try chat.run(["idea", "prompt", "set", Self.prompt]).exit, 0) }
        return chat
    }

    private func server(_ ideas: String...) throws -> ProviderServer {
        try ProviderServer(.messages, ideas.map { .text($0) })
    }

    /// `i1 Title`, in the order of the list.
    private func kept(_ chat: ChatProgram, _ noun: String = "idea") throws -> [String] {
        (try chat.json([noun, "list", "--json"]).arrayValue ?? []).map {
            "\($0["id"]?.stringValue ?? "?") \($0["title"]?.stringValue ?? "?")"
        }
    }

    /// Check 1.
    func testTheIdeaPromptIsSetOnce() throws {
        let chat = try chat(nil)
        try chat.run(["idea", "prompt", "show"]).assertAnswer(Self.prompt + "\n")
        try chat.run(["idea", "prompt"]).assertAnswer(Self.prompt + "\n")
        XCTAssertEqual(
            try chat.run(["idea", "prompt", "set", "Ideas for", "a wet Sunday"]).exit, 0)
        try chat.run(["idea", "prompt", "show"]).assertAnswer("Ideas for a wet Sunday\n")
    }

    func testWithoutAnIdeaPromptItIsSaidHowToSetOne() throws {
        let server = try server()
        let chat = try chat(server, prompt: false)
        try chat.run(["idea"]).assertFailure(2, "No idea prompt is set", "chat idea prompt set")
        XCTAssertEqual(server.allRequests.count, 0)
        server.finish()
    }

    /// Check 2.
    func testAnIdeaIsShownAsItComesAndNotKept() throws {
        let gate = Gate()
        let server = try ProviderServer(
            .messages, [.paused(after: "A map of ", until: gate, rest: "quiet benches.")])
        let chat = try chat(server)
        let program = try chat.start(["idea"])
        program.endInput()
        // The server sends the rest only after this was seen.
        try program.waitFor(output: "A map of")
        gate.open()
        let result = try program.finish()
        XCTAssertEqual(result.exit, 0, result.errorText)
        XCTAssertEqual(result.text, "A map of quiet benches.\n")
        XCTAssertEqual(try kept(chat), [])
        XCTAssertEqual(try kept(chat, "library"), [])
        XCTAssertTrue(try server.messages(0).joined().contains(Self.prompt))
        server.finish()
    }

    /// Checks 3 and 4.
    func testTheLoopKeepsAndDiscardsAndDoesNotAskForTheSameAgain() throws {
        let server = try server(
            "A choir on a bus.", "Soup by post.", "A lamp that hums.", "Chess on stairs.",
            "A clock for cats.", "A bell for books.")
        let chat = try chat(server)
        let loop = try chat.run(["idea", "loop"], input: "s\nd\ns\nq\n")
        XCTAssertEqual(loop.exit, 0, loop.errorText)
        XCTAssertEqual(server.requests.count, 4)
        XCTAssertEqual(try kept(chat), ["i1 A choir on a bus.", "i2 A lamp that hums."])
        XCTAssertEqual(try chat.run(["idea"]).exit, 0)
        XCTAssertEqual(try chat.run(["idea", "--no-memory"]).exit, 0)
        XCTAssertEqual(server.requests.count, 6)
        let titles = ["A choir on a bus.", "A lamp that hums."]
        let (fifth, sixth) = try (server.messages(4).joined(), server.messages(5).joined())
        for title in titles + ["Soup by post."] {
            XCTAssertTrue(fifth.contains(title), "\(title) is missing in \(fifth)")
            XCTAssertFalse(sixth.contains(title), "\(title) is in \(sixth)")
        }
        server.finish()
    }

    /// Check 5.
    func testIdeasAreEditedDeletedAndBroughtBackUnderTheirNumbers() throws {
        let server = try server("A choir on a bus.", "Soup by post.", "A lamp that hums.")
        let chat = try chat(server)
        XCTAssertEqual(try chat.run(["idea", "--count", "2", "--save"]).exit, 0)
        XCTAssertEqual(try chat.run(["idea", "edit", "1", "--text", "A choir on a boat."]).exit, 0)
        try chat.run(["idea", "show", "1"]).assertAnswer("A choir on a boat.\n")
        XCTAssertEqual(try chat.run(["idea", "delete", "2"]).exit, 0)
        XCTAssertEqual(try kept(chat), ["i1 A choir on a boat."])
        XCTAssertEqual(try chat.run(["undo"]).exit, 0)
        XCTAssertEqual(try kept(chat), ["i1 A choir on a boat.", "i2 Soup by post."])
        XCTAssertEqual(try chat.run(["idea", "delete", "i2"]).exit, 0)
        XCTAssertEqual(try chat.run(["library", "empty-trash", "--yes"]).exit, 0)
        XCTAssertEqual(try chat.run(["idea", "--save"]).exit, 0)
        XCTAssertEqual(try kept(chat), ["i1 A choir on a boat.", "i3 A lamp that hums."])
        server.finish()
    }

    /// Check 6.
    func testWithoutAKeyOnlyNewIdeasAreMissing() throws {
        let chat = try chat(nil)
        try chat.run(["idea"]).assertFailure(4, "chat keys set openai")
        try chat.run(["idea", "loop"], input: "s\n").assertFailure(4, "chat keys set openai")
        let list = try chat.run(["idea", "list"])
        XCTAssertEqual(list.exit, 0, list.errorText)
        XCTAssertEqual(list.errors, [])
    }

    /// Check 7.
    func testEachErrorOfTheServerIsShownInItsWordsAfterOneRequest() throws {
        func error(_ text: String) -> String {
            #"{"type":"error","error":{"type":"api_error","message":"\#(text)"}}"#
        }
        let server = try ProviderServer(
            .messages,
            [
                .response(401, [], error("this key has expired")),
                .response(429, [HTTPHeader("retry-after", "1")], error("too many ideas today")),
                .response(500, [], error("the kettle is broken")), .cut(after: "A lamp that"),
                .text("A choir on a bus."),
            ])
        let chat = try chat(server)
        var said: Set<String> = []
        for (number, words) in ["this key has expired", "too many ideas today", "kettle"]
            .enumerated()
        {
            let result = try chat.run(["idea"])
            XCTAssertNotEqual(result.exit, 0)
            result.assertFailure(result.exit, words)
            XCTAssertEqual(server.requests.count, number + 1)
            said.insert(result.errorText)
        }
        let cut = try chat.run(["idea"])
        XCTAssertNotEqual(cut.exit, 0)
        XCTAssertTrue(cut.text.hasPrefix("A lamp that"), cut.text)
        XCTAssertEqual(server.requests.count, 4)
        said.insert(cut.errorText)
        XCTAssertEqual(said.count, 4, "\(said)")
        XCTAssertEqual(try kept(chat), [])
        try chat.run(["idea"]).assertAnswer("A choir on a bus.\n")
        server.finish()
    }

    /// Check 8; what else a key must not get into is in `KeysTests`.
    func testNoKeyIsInWhatIdeasLeaveBehind() throws {
        let canary = "sk-canary-Zq8vN3xT5bL7wR2mK9pJ4hG6"
        let server = try ProviderServer(
            .messages, [.text("A choir on a bus."), .text("Soup by post."), .text("A lamp.")],
            accepts: canary)
        let chat = try chat(nil)
        chat.variables["ANTHROPIC_BASE_URL"] = server.url
        XCTAssertEqual(try chat.run(["keys", "set", "claude"], input: canary).exit, 0)
        XCTAssertEqual(try chat.run(["idea", "--save"]).exit, 0)
        XCTAssertEqual(try chat.run(["idea", "loop"], input: "s\nq\n").exit, 0)
        try chat.run(["idea", "prompt", "set", "Ideas like \(canary)"]).assertFailure(3, "key")
        try chat.run(["idea", "prompt", "show"]).assertAnswer(Self.prompt + "\n")
        let scan = CanaryScan(canary)
        for name in chat.files where name != "keys.json" {
            XCTAssertEqual(scan.hits(in: try chat.bytes(name)), [], name)
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: chat.file("keys.json"))
        XCTAssertEqual((attributes[.posixPermissions] as? NSNumber)?.intValue, 0o600)
        XCTAssertEqual(try chat.run(["keys", "remove", "claude"]).exit, 0)
        for name in chat.files {
            XCTAssertEqual(scan.hits(in: try chat.bytes(name)), [], name)
        }
        server.finish()
    }
}
