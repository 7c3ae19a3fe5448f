import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// Stories by plain words, with the real program and a server that calls tools.
final class StoryToolProgramTests: XCTestCase {
    private static let tea =
        "“Come in,” said Alice. A fire burned.\n\n"
        + "“A raven is like a writing-desk.”\n\n“It is late,” said the Hatter.\n"

    private func chat(_ server: ProviderServer) throws -> ChatProgram {
        let chat = try ChatProgram(server)
        let path = try chat.folder.write(Self.tea.utf8, to: "tea.txt")
        XCTAssertEqual(try chat.run(["story", "import", path]).exit, 0)
        XCTAssertEqual(try chat.run(["story", "index", "--offline"]).exit, 0)
        return chat
    }

    func testALineIsLookedUpAndGivenToWhoSaidIt() throws {
        let calls: [ProviderServer.Reply] = [
            .toolCall("story_segments", #"{"query":"raven desk"}"#),
            .toolCall("story_fix_speaker", #"{"segment":3,"speaker":"Alice"}"#, id: "call_2"),
            .text("Done."),
        ]
        let server = try ProviderServer(.messages, calls)
        let chat = try chat(server)
        let words = "the line about the raven was said by Alice"
        let done = try chat.run(["--allow", "story_fix_speaker", words])
        XCTAssertEqual(done.exit, 0, done.errorText)
        let segments = try chat.json(["story", "segments", "--json"]).arrayValue ?? []
        XCTAssertEqual(segments[2]["speaker"], "Alice")
        XCTAssertEqual(segments[2]["by"], "user")
        XCTAssertEqual(try chat.run(["undo"]).exit, 0)
        let before = try chat.json(["story", "segments", "--json"]).arrayValue ?? []
        XCTAssertEqual(before[2]["by"], "rule")
        server.finish()
    }

    func testTheHatterIsMadeOlder() throws {
        let server = try ProviderServer(
            .messages,
            [
                .toolCall("story_set_voice", #"{"character":"the Hatter","age":"old"}"#),
                .text("He is old now."),
            ])
        let chat = try chat(server)
        try chat.usesEspeak()
        let done = try chat.run(["make the Hatter older"])
        XCTAssertEqual(done.exit, 0, done.errorText)
        let cast = try chat.json(["story", "cast", "--json"]).arrayValue ?? []
        XCTAssertEqual(cast.first { $0["name"] == "the Hatter" }?["age"], "old")
        let voices = try chat.json(["story", "voices", "--json"]).arrayValue ?? []
        let hatter = voices.first { $0["name"] == "the Hatter" }
        XCTAssert(
            hatter?["traits"]?.arrayValue?.contains("old") == true, "\(String(describing: hatter))")
        server.finish()
    }
}
