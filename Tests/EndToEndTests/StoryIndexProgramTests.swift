import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// `chat story index` with the real program and a server on loopback: checks 23 to 25.
final class StoryIndexProgramTests: XCTestCase {
    private static let tea =
        "“Come in,” said Alice to the Hatter. A fire burned.\n\nThe wind rose. The clock struck "
        + "four.\n\n“Who is it?”\n\nThe wind rose again. Nothing moved in the house.\n\n“It is "
        + "only me.”\n\nThe wind rose again. Nothing moved in the house.\n\n“It is late,” said "
        + "the Hatter.\n\n“I know,” said Alice.\n"
    private static let cast =
        #"[{"name":"Alice","age":"child"},{"name":"the Hatter"},{"name":"Captain Hook"}]"#
    private static let speakers =
        #"[{"id":1,"speaker":"the Hatter"},{"id":2,"speaker":"the Hatter"},{"id":3,"speaker":"Hook"}]"#

    private func chat(_ server: ProviderServer, _ text: String = tea) throws -> ChatProgram {
        let chat = try ChatProgram(server)
        let path = try chat.folder.write(text.utf8, to: "tea.txt")
        XCTAssertEqual(try chat.run(["story", "import", path]).exit, 0)
        return chat
    }

    private func names(_ chat: ChatProgram) throws -> [String] {
        try (chat.json(["story", "cast", "--json"]).arrayValue ?? []).compactMap {
            $0["name"]?.stringValue
        }
    }

    func testAModelNamesTheCastAndLabelsWhatTheTextDoesNotTell() throws {
        for format in [WireFormat.messages, .responses] {
            let server = try ProviderServer(
                format, [.text("```json\n", Self.cast, "\n```"), .text("Here: ", Self.speakers)])
            let chat = try chat(server)
            XCTAssertEqual(try chat.run(["story", "index", "--offline"]).exit, 0)
            XCTAssertEqual(server.allRequests.count, 0)
            let done = try chat.run(["story", "index"])
            XCTAssertEqual(done.exit, 0, done.errorText)
            XCTAssert(done.errorText.contains("2 requests"), done.errorText)
            XCTAssert(
                done.text.contains("1 label, 1 conflict with tags · 2 answers of no use"),
                done.text)
            XCTAssertEqual(try names(chat).sorted(), ["Alice", "the Hatter"])
            let segments = try chat.json(["story", "segments", "--json"]).arrayValue ?? []
            XCTAssertEqual(segments.compactMap { $0["text"]?.stringValue }.joined(), Self.tea)
            XCTAssertEqual(
                segments.filter { $0["by"] == "model" }.map { $0["speaker"]?.stringValue },
                ["the Hatter"])
            let again = try chat.run(["story", "index"])
            XCTAssert(again.text.hasPrefix("Already indexed"), again.text)
            XCTAssertEqual(server.requests.count, 2)
            server.finish()
        }
    }

    func testAtThePromptItIsTheSameAndRedactionHolds() throws {
        let server = try ProviderServer(.messages, [.text(Self.cast), .text(Self.speakers)])
        let text = Self.tea + "\n“Write to ida.berg@example.org,” said Alice.\n"
        let repl = try ChatTerminal(try chat(server, text))
        try repl.waitForPrompt(after: "/help")
        repl.enter("/redact on")
        try repl.waitFor("redact >")
        repl.enter("/story index")
        try repl.waitFor("the Hatter  2 lines")
        let bodies = server.requests.map { String(decoding: $0.body, as: UTF8.self) }
        XCTAssertEqual(bodies.count, 2)
        for body in bodies {
            XCTAssertFalse(body.contains("ida.berg"), body)
            XCTAssertTrue(body.contains("[EMAIL]"), body)
        }
        repl.leave()
        server.finish()
    }
}
