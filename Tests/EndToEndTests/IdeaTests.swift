import AgentCore
import Base
import Foundation
import Glibc
import TestSupport
import XCTest

/// Ideas with the real program and a server on loopback: one-shot, in a pipe,
/// and the failures of a server.
final class IdeaTests: XCTestCase {
    private let prompt = "One app idea, one sentence"

    private func chat(_ server: ProviderServer) throws -> ChatProgram {
        let chat = try ChatProgram(server)
        try set(prompt, in: chat)
        return chat
    }

    private func set(_ prompt: String, in chat: ChatProgram) throws {
        let done = try chat.run(["idea", "prompt", "set", prompt])
        XCTAssertEqual(done.exit, 0, done.errorText)
    }

    /// The text of the only message of a request.
    private func asked(_ server: ProviderServer, _ index: Int) throws -> String {
        try XCTUnwrap(server.messages(index).last)
    }

    private func ideas(_ chat: ChatProgram) throws -> [String] {
        try (chat.json(["idea", "list", "--json"]).arrayValue ?? []).compactMap {
            "\($0["id"]?.stringValue ?? "") \($0["title"]?.stringValue ?? "")"
        }
    }

    // MARK: - The prompt

    func testWithoutAPromptOrAKeyTheNextStepIsSaidAndNothingIsSent() throws {
        let server = try ProviderServer(.responses, [])
        let chat = try ChatProgram(server)
        for words in [["idea"], ["idea", "loop"]] {
            try chat.run(words).assertFailure(2, "chat idea prompt set")
        }
        // Without a key only an idea needs one.
        let keyless = try ChatProgram()
        try set(prompt, in: keyless)
        try keyless.run(["idea"]).assertFailure(4, "chat keys set openai")
        try keyless.run(["idea", "list"]).assertAnswer("No ideas are kept yet.\n")
        XCTAssertEqual(server.allRequests.count, 0)
        server.finish()
    }

    // MARK: - One idea

    func testAnIdeaStreamsAndNothingIsKept() throws {
        for format in [WireFormat.messages, .responses] {
            let (sent, go) = (Gate(), Gate())
            let server = try ProviderServer(
                format, [.paused(after: "A cup ", sent: sent, until: go, rest: "that sings.")])
            let chat = try chat(server)
            let program = try chat.start(["idea"])
            program.endInput()
            // The rest is sent only when the beginning has been seen.
            try program.waitFor(output: "A cup ")
            go.open()
            try program.finish().assertAnswer("A cup that sings.\n")
            XCTAssertEqual(try ideas(chat), [])
            XCTAssertEqual(server.requests.count, 1)
            XCTAssertTrue(try asked(server, 0).contains(prompt))
            server.finish()
        }
    }

    func testSeveralAreSavedInTheirOrderAndEachKnowsTheOnesBefore() throws {
        let server = try ProviderServer(
            .messages, [.text("A cup that sings."), .text("A hat that hides."), .text("A map.")])
        let chat = try chat(server)
        let done = try chat.run(["idea", "--count", "2", "--save", "--tone", "playful"])
        XCTAssertEqual(done.text, "A cup that sings.\n\nA hat that hides.\n")
        XCTAssertEqual(
            done.errorLines, ["✓ i1  A cup that sings.", "✓ i2  A hat that hides."])
        XCTAssertEqual(try ideas(chat), ["i1 A cup that sings.", "i2 A hat that hides."])
        XCTAssertFalse(try asked(server, 0).contains("not-these"))
        XCTAssertTrue(try asked(server, 0).contains("<tone>\nplayful\n</tone>"))
        XCTAssertTrue(try asked(server, 1).contains("- A cup that sings."))
        let json = try chat.json(["idea", "--json"])
        XCTAssertEqual(json[0]?["text"], "A map.")
        XCTAssertEqual(json[0]?["id"], .null)
        XCTAssertEqual(try ideas(chat).count, 2)
        server.finish()
    }

    func testEachFailureHasItsSentenceTheServersWordsAndOneRequest() throws {
        let said = #"{"type":"error","error":{"type":"e","message":"words of the server"}}"#
        let type = [HTTPHeader("Content-Type", "application/json")]
        let table: [(ProviderServer.Reply, Int32, String, String)] = [
            (.response(401, type, said), 4, "did not accept the key", ""),
            (.response(429, type, said), 1, "is limiting your requests", ""),
            (.response(500, type, said), 1, "returned an error (500)", ""),
            (.cut(after: "A cup "), 1, "broke", "A cup \n"),
        ]
        var sentences: Set<String> = []
        for (reply, exit, words, output) in table {
            let server = try ProviderServer(.messages, [reply])
            let chat = try chat(server)
            let result = try chat.run(["idea"])
            result.assertFailure(exit, words, output: output)
            if output.isEmpty { XCTAssertTrue(result.errorText.contains("words of the server")) }
            XCTAssertFalse(result.errorText.contains("message is kept"), result.errorText)
            sentences.insert(result.errorLines[0])
            XCTAssertEqual(server.requests.count, 1)
            XCTAssertEqual(try ideas(chat), [])
            server.stop()
        }
        XCTAssertEqual(sentences.count, table.count)
    }

    // MARK: - What is kept

    func testEditingDeletingAndUndoKeepTheNumbers() throws {
        let server = try ProviderServer(
            .messages, [.text("A cup."), .text("A hat."), .text("A map.")])
        let chat = try chat(server)
        XCTAssertEqual(try chat.run(["idea", "--count", "2", "--save"]).exit, 0)
        XCTAssertEqual(try chat.run(["idea", "edit", "1", "--text", "x"]).exit, 0)
        XCTAssertEqual(try chat.run(["idea", "delete", "2"]).exit, 0)
        XCTAssertEqual(try ideas(chat), ["i1 x"])
        XCTAssertEqual(try chat.run(["idea", "show", "1"]).text, "x\n")
        XCTAssertEqual(try chat.run(["library", "undo"]).exit, 0)
        XCTAssertEqual(try ideas(chat), ["i1 x", "i2 A hat."])
        XCTAssertEqual(try chat.run(["idea", "delete", "2"]).exit, 0)
        XCTAssertEqual(try chat.run(["idea", "--save"]).exit, 0)
        XCTAssertEqual(try ideas(chat), ["i1 x", "i3 A map."])
        let file = chat.folder.path("tea.md")
        XCTAssertEqual(try chat.run(["idea", "export", "3", "-o", file]).exit, 0)
        XCTAssertTrue(try String(contentsOfFile: file, encoding: .utf8).contains("A map."))
        XCTAssertNotEqual(try chat.run(["idea", "export", "3", "-o", file]).exit, 0)
        try chat.run(["idea", "show", "nothing like it"])
            .assertFailure(1, "No idea is called", "chat idea list")
        let several = try chat.run(["idea", "delete", "1", "3"])
        XCTAssertEqual(several.exit, 3)
        XCTAssertEqual(try ideas(chat).count, 2)
        XCTAssertEqual(try chat.run(["idea", "delete", "1", "3", "--yes"]).exit, 0)
        XCTAssertEqual(try ideas(chat), [])
        server.finish()
    }

    // MARK: - The loop in a pipe

    func testLettersFromAPipeMakeFourIdeasAndKeepTwo() throws {
        let server = try ProviderServer(
            .messages,
            [
                .text("A cup that sings."), .text("A hat that hides."), .text("A map of smells."),
                .text("A pen without ink."), .text("A fifth."), .text("A sixth."),
            ])
        let chat = try chat(server)
        let done = try chat.run(["idea", "loop"], input: "s\nd\ns\nq\n")
        XCTAssertEqual(done.exit, 0, done.errorText)
        XCTAssertEqual(server.requests.count, 4)
        XCTAssertEqual(
            done.text,
            "A cup that sings.\n\nA hat that hides.\n\nA map of smells.\n\nA pen without ink.\n")
        XCTAssertFalse(done.output.contains(0x1B))
        XCTAssertEqual(try ideas(chat), ["i1 A cup that sings.", "i2 A map of smells."])
        // The fifth knows what was saved and what was discarded.
        XCTAssertEqual(try chat.run(["idea"]).exit, 0)
        for title in ["A cup that sings.", "A hat that hides.", "A map of smells."] {
            XCTAssertTrue(try asked(server, 4).contains("- \(title)"), title)
        }
        XCTAssertEqual(try chat.run(["idea", "--no-memory"]).exit, 0)
        XCTAssertFalse(try asked(server, 5).contains("not-these"))
        server.finish()
    }

    func testAFailureEndsTheLoopInAPipeWithItsReason() throws {
        let server = try ProviderServer(
            .messages, [.text("A cup."), .response(500, [], #"{"error":{"message":"broken"}}"#)])
        let chat = try chat(server)
        let done = try chat.run(["idea", "loop"], input: "s\ns\ns\n")
        XCTAssertEqual(done.exit, 1)
        XCTAssertTrue(done.errorText.contains("broken"), done.errorText)
        XCTAssertEqual(try ideas(chat), ["i1 A cup."])
        XCTAssertEqual(server.requests.count, 2)
        server.stop()
    }
}
