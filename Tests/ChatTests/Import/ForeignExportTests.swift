import AgentCore
import Foundation
import Persistence
import TestSupport
import XCTest

@testable import chat

/// The export files of other programs, with invented content.
final class ForeignExportTests: XCTestCase {
    private func parse(_ text: String) throws -> JSONValue { try JSONParser.parse(text) }

    private func said(_ conversation: ImportedConversation?) -> [String] {
        (conversation?.turns ?? []).flatMap { stored in
            stored.turn.messages.map { message in
                let files = message.parts.compactMap { part in
                    if case .attachment(let file) = part { "<\(file.name)>" } else { nil }
                }
                return "\(message.role.rawValue): \(files.joined())\(message.text)"
            }
        }
    }

    private static let chatGPT = """
        { "title": "Ferry", "create_time": 1763700000.25, "update_time": 1763700100.5,
          "conversation_id": "0d9c1a52-1111-4222-8333-444455556666", "current_node": "n5",
          "default_model_slug": "gpt-x",
          "mapping": {
            "root": { "id": "root", "message": null, "parent": null, "children": ["n1"] },
            "n1": { "id": "n1", "parent": "root", "children": ["n2"], "message": {
                "author": { "role": "system" }, "create_time": null,
                "content": { "content_type": "text", "parts": [""] },
                "metadata": { "is_visually_hidden_from_conversation": true } } },
            "n2": { "id": "n2", "parent": "n1", "children": ["n3", "n4"], "message": {
                "author": { "role": "user" }, "create_time": 1763700001,
                "content": { "content_type": "multimodal_text", "parts": [
                    { "content_type": "image_asset_pointer", "asset_pointer": "x" }, "which ferry?" ] } } },
            "n3": { "id": "n3", "parent": "n2", "children": [], "message": {
                "author": { "role": "assistant" }, "create_time": 1763700002,
                "content": { "content_type": "text", "parts": ["the wrong one"] } } },
            "n4": { "id": "n4", "parent": "n2", "children": ["n5"], "message": {
                "author": { "role": "assistant" }, "create_time": 1763700003, "recipient": "python",
                "content": { "content_type": "code", "language": "python", "text": "1+1" } } },
            "n5": { "id": "n5", "parent": "n4", "children": [], "message": {
                "author": { "role": "assistant" }, "create_time": 1763700004, "recipient": "all",
                "metadata": { "model_slug": "gpt-y" },
                "content": { "content_type": "text", "parts": ["The one at **14:00**."] } } }
          } }
        """

    func testTheBranchThatWasSeenLastIsTakenAndOthersAreCounted() throws {
        var reader = ChatGPTExport()
        let found = reader.read(try parse(Self.chatGPT))
        XCTAssertEqual(
            said(found),
            ["user: [image asset pointer]\nwhich ferry?", "assistant: The one at **14:00**."])
        XCTAssertEqual(found?.title, "Ferry")
        XCTAssertEqual(found?.model, "gpt-y")
        XCTAssertEqual(found?.id, "0d9c1a52-1111-4222-8333-444455556666")
        XCTAssertEqual(found?.created, Date(timeIntervalSince1970: 1_763_700_000.25))
        XCTAssertEqual(reader.leftOut, 1)
    }

    func testParentsInACircleEnd() throws {
        var reader = ChatGPTExport()
        let found = reader.read(
            try parse(
                """
                { "current_node": "a", "mapping": {
                    "a": { "parent": "b", "message": { "author": { "role": "user" },
                        "content": { "content_type": "text", "parts": ["hi"] } } },
                    "b": { "parent": "a", "message": null } } }
                """))
        XCTAssertEqual(said(found), ["user: hi"])
    }

    func testBlocksAttachmentsAndFilesOfClaudeAreRead() throws {
        let found = ClaudeExport().read(
            try parse(
                """
                { "uuid": "1d9c1a52-1111-4222-8333-444455556666", "name": "Tax",
                  "created_at": "2026-03-01T10:00:00.123456Z",
                  "updated_at": "2026-03-01T10:05:00+00:00", "account": { "uuid": "x" },
                  "chat_messages": [
                    { "sender": "human", "text": "read this", "created_at": "2026-03-01T10:00:01Z",
                      "attachments": [ { "file_name": "a.txt", "extracted_content": "forty-two" },
                                       { "file_name": "empty.txt", "extracted_content": "" } ],
                      "files": [ { "file_name": "scan.png" } ] },
                    { "sender": "assistant", "text": "old", "created_at": "2026-03-01T10:00:09Z",
                      "content": [ { "type": "thinking", "thinking": "hm" },
                                   { "type": "text", "text": "It says" },
                                   { "type": "tool_use", "name": "x", "input": {} },
                                   { "type": "text", "text": "forty-two." } ] },
                    { "sender": "human", "text": "and?", "content": [] } ] }
                """))
        XCTAssertEqual(
            said(found),
            [
                "user: <a.txt>read this\n[file scan.png]", "assistant: It says\n\nforty-two.",
                "user: and?",
            ])
        XCTAssertEqual(found?.turns.map(\.turn.status), [.done, .interrupted])
        XCTAssertEqual(found?.title, "Tax")
    }

    func testImportingTwiceChangesNothingAndTellsSo() async throws {
        let rig = try ChatRig()
        _ = try rig.folder.write(Array("[\(Self.chatGPT), {\"x\": 1}]".utf8), to: "c.json")
        let call = CommandInvocation(verb: "import", arguments: [rig.folder.path("c.json")])
        let first = try await ImportCommand(services: rig.services).run(call)
        XCTAssertEqual(first.lines.map(\.text), ["✓ 1 conversation imported"])
        XCTAssertEqual(
            first.notices,
            ["2 messages or entries left out: on another branch, or not understood"])
        let second = try await ImportCommand(services: rig.services).run(call)
        XCTAssertEqual(
            second.lines.map(\.text), ["✓ 0 conversations imported · 1 there already"])
        let list = try await rig.services.store().list(limit: 9)
        XCTAssertEqual(list.map(\.title), ["Ferry"])
    }

    func testWhatIsNoExportIsRefusedByName() async throws {
        let rig = try ChatRig()
        for (text, problem) in [
            ("{}", "holds no conversation that is understood."),
            ("PK\u{3}\u{4}", "is a zip archive."),
            ("nonsense", "is not JSON (byte 0)."),
            (
                "{\"format\": \"chat.conversations\", \"version\": 9}",
                "was written by a newer chat."
            ),
        ] {
            let path = try rig.folder.write(Array(text.utf8), to: "x")
            do {
                _ = try await ImportCommand(services: rig.services).run(
                    CommandInvocation(verb: "import", arguments: [path]))
                XCTFail("no error for \(text)")
            } catch let error as UsageError {
                XCTAssertEqual(error.problem, "\(path) \(problem)")
            }
        }
    }
}
