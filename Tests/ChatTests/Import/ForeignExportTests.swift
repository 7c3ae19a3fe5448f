import AgentCore
import Base
import Foundation
import Persistence
import TestSupport
import XCTest

@testable import ChatKit
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

    func testAFileTellsNoModelWhoTheUserIsOrHowToBehave() throws {
        let parts = ["notes", "first_system", "system", "context"].map {
            #"{"kind": "text", "body": {"text": "\#($0) words", "phase": "\#($0)"}}"#
        }.joined(separator: ", ")
        var reader = ConversationFileReader()
        let message = #"{"role": "user", "parts": [\#(parts)]}"#
        let found = reader.read(
            try parse(#"{"turns": [{"status": "done", "messages": [\#(message)]}]}"#))
        let wanted: [Part] = [.text(TextPart.context("context words"))]
        XCTAssertEqual(found?.turns.first?.turn.messages.first?.parts, wanted)
    }

    func testTheBranchThatWasSeenLastIsTakenAndOthersAreCounted() throws {
        var reader = ChatGPTExport()
        let found = reader.read(try parse(Self.chatGPT))
        XCTAssertEqual(
            said(found),
            ["user: [image]\nwhich ferry?", "assistant: The one at **14:00**."])
        XCTAssertEqual(found?.title, "Ferry")
        XCTAssertEqual(found?.model, "gpt-y")
        XCTAssertEqual(found?.id, "0d9c1a52-1111-4222-8333-444455556666")
        XCTAssertEqual(found?.created, Date(timeIntervalSince1970: 1_763_700_000.25))
        XCTAssertEqual(
            reader.leftOut.notice,
            "Left out: 1 message on other branches, 1 call or result of tools.")
    }

    /// A conversation of messages in a row, as `mapping` has them.
    private func chatGPT(_ messages: [String], head: String = "") -> String {
        let nodes = messages.enumerated().map { index, message in
            let parent = index == 0 ? "null" : "\"n\(index - 1)\""
            return "\"n\(index)\": {\"parent\": \(parent), \"message\": \(message)}"
        }
        return "{\(head) \"current_node\": \"n\(messages.count - 1)\", \"mapping\": {"
            + nodes.joined(separator: ",") + "}}"
    }

    private func message(
        _ role: String, _ parts: String, type: String = "text", more: String = ""
    ) -> String {
        #"{"author": {"role": "\#(role)"}, "content": {"content_type": "\#(type)", \#(parts)}"#
            + "\(more.isEmpty ? "" : ", " + more)}"
    }

    func testAttachmentsOfChatGPTAreNamed() throws {
        var reader = ChatGPTExport()
        let files =
            #""metadata": {"attachments": [{"id": "file-1", "name": "plan.pdf"}, "#
            + #"{"id": "file-2", "name": "photo.png"}, {"id": "file-3"}]}"#
        let found = reader.read(
            try parse(
                chatGPT([
                    message(
                        "user",
                        #""parts": [{"content_type": "image_asset_pointer", "#
                            + #""asset_pointer": "file-service://file-2"}, "#
                            + #"{"content_type": "audio_transcription", "text": "as said"}, "#
                            + #"{"content_type": "real_time_user_audio_video_asset_pointer"}, "#
                            + #""read this"]"#, type: "multimodal_text", more: files),
                    message("assistant", #""parts": ["done"]"#),
                    message("user", #""parts": [""]"#, more: files),
                ])))
        XCTAssertEqual(
            said(found),
            [
                "user: [image photo.png]\nas said\n[real time user audio video]\nread this\n"
                    + "[file plan.pdf]\n[file file-3]", "assistant: done",
                "user: [file plan.pdf]\n[file photo.png]\n[file file-3]",
            ])
        XCTAssertEqual(reader.leftOut, LeftOut())
    }

    func testWhatIsNotTakenOfAMessageIsCountedByKind() throws {
        var reader = ChatGPTExport()
        let found = reader.read(
            try parse(
                chatGPT([
                    message("system", #""parts": [""]"#),
                    message("system", #""parts": ["You are a GPT."]"#),
                    message(
                        "user", #""user_profile": "I sail.""#, type: "user_editable_context",
                        more: #""metadata": {"is_visually_hidden_from_conversation": true}"#),
                    message(
                        "assistant", #""model_set_context": """#, type: "model_editable_context"),
                    message("user", #""parts": ["and?"]"#),
                    message("assistant", #""thoughts": [{"content": "Hm"}]"#, type: "thoughts"),
                    message("assistant", #""content": "for 5 s""#, type: "reasoning_recap"),
                    message(
                        "assistant", #""text": "search()", "language": "unknown""#, type: "code",
                        more: #""recipient": "web""#),
                    message("tool", #""result": "pages""#, type: "tether_browsing_display"),
                    message("assistant", #""zzz": "new""#, type: "hologram"),
                    message("critic", #""parts": ["bad"]"#),
                    message("assistant", #""parts": ["Yes."]"#), "null",
                ])))
        XCTAssertEqual(said(found), ["user: and?", "assistant: Yes."])
        XCTAssertEqual(
            reader.leftOut.notice,
            "Left out: 2 calls and results of tools, 2 pieces of thinking, 2 hidden messages, "
                + "2 entries not understood.")
    }

    func testCitationMarksAreRemovedFromAnswers() throws {
        for (text, wanted, count) in [
            ("It sails.\u{E200}cite\u{E202}turn0search0\u{E201}", "It sails.", 1),
            (
                "It sails \u{E200}cite\u{E202}turn0search0\u{E202}turn1news2\u{E201}. Daily "
                    + "\u{E200}filecite\u{E202}turn0file1\u{E201}\nYes", "It sails. Daily\nYes", 2
            ),
            ("\u{E203}at two\u{E204}\u{E200}cite\u{E202}turn0search0\u{E201} pm", "at two pm", 1),
            (
                "To \u{E200}entity\u{E202}[\"city\",\"Oslo\",\"in Norway\"]\u{E201} by "
                    + "\u{E200}url\u{E202}Color Line\u{E202}turn0search3\u{E201}!",
                "To Oslo by Color Line!", 2
            ),
            ("a \u{E200}navlist\u{E202}News\u{E202}turn0news1\u{E201} b", "a b", 1),
            // What is no mark stays: these are also the signs of a font.
            (
                "an icon \u{E200}, \u{E203} and \u{E201}",
                "an icon \u{E200}, \u{E203} and \u{E201}", 0
            ),
        ] {
            var reader = ChatGPTExport()
            let parts = #""parts": [\#(JSONWriter.string(.string(text)))]"#
            let found = reader.read(
                try parse(chatGPT([message("user", parts), message("assistant", parts)])))
            XCTAssertEqual(said(found), ["user: \(text)", "assistant: \(wanted)"])
            XCTAssertEqual(reader.leftOut[.citation], count, text)
        }
    }

    func testAConversationWithoutTimesHasThoseOfItsMessages() throws {
        var reader = ChatGPTExport()
        let messages = [
            message("user", #""parts": ["a"]"#, more: #""create_time": 1763700007"#),
            message("assistant", #""parts": ["b"]"#, more: #""create_time": 1763700009.5"#),
            message("user", #""parts": ["c"]"#, more: #""create_time": null"#),
        ]
        let found = reader.read(
            try parse(chatGPT(messages, head: #""create_time": null, "update_time": null,"#)))
        XCTAssertEqual(found?.created, Date(timeIntervalSince1970: 1_763_700_007))
        XCTAssertEqual(found?.updated, Date(timeIntervalSince1970: 1_763_700_009.5))
        XCTAssertEqual(
            found?.turns.map(\.started),
            [1_763_700_007, 1_763_700_009.5].map { Date(timeIntervalSince1970: $0) })
        var claude = ClaudeExport()
        let other = claude.read(
            try parse(
                """
                { "chat_messages": [
                    { "sender": "human", "text": "a", "created_at": "2026-03-01T10:00:01Z" },
                    { "sender": "assistant", "text": "b", "created_at": "2026-03-01T10:00:09Z" }
                  ] }
                """))
        XCTAssertEqual(other?.created, FileTime.date("2026-03-01T10:00:01Z"))
        XCTAssertEqual(other?.updated, FileTime.date("2026-03-01T10:00:09Z"))
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
        var reader = ClaudeExport()
        let found = reader.read(
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
                    { "sender": "observer", "text": "x" },
                    { "sender": "human", "text": "and?", "content": [] } ] }
                """))
        XCTAssertEqual(
            said(found),
            [
                "user: <a.txt>read this\n[file empty.txt]\n[file scan.png]",
                "assistant: It says\n\nforty-two.", "user: and?",
            ])
        XCTAssertEqual(
            reader.leftOut.notice,
            "Left out: 1 call or result of tools, 1 piece of thinking, 1 entry not understood.")
        XCTAssertEqual(found?.turns.map(\.turn.status), [.done, .interrupted])
        XCTAssertEqual(found?.title, "Tax")
    }

    func testAnExportOfNothingIsNoMistakeOfTheUser() async throws {
        let rig = try ChatRig()
        _ = try rig.folder.write(Array("[]".utf8), to: "c.json")
        let output = try await rig.run(["conversations", "import", rig.folder.path("c.json")])
        XCTAssertEqual(output.lines.map(\.text), ["! 0 conversations imported"])
        XCTAssertEqual(output.outcome, .degraded)
        await rig.services.close()
    }

    func testImportingTwiceChangesNothingAndTellsSo() async throws {
        let rig = try ChatRig()
        _ = try rig.folder.write(Array("[\(Self.chatGPT), {\"x\": 1}]".utf8), to: "c.json")
        let call = ["conversations", "import", rig.folder.path("c.json")]
        let first = try await rig.run(call)
        XCTAssertEqual(first.lines.map(\.text), ["✓ 1 conversation imported"])
        XCTAssertEqual(
            first.notices,
            [
                "Left out: 1 message on other branches, 1 call or result of tools, "
                    + "1 entry not understood."
            ])
        XCTAssertEqual(first.outcome, .ok)
        let second = try await rig.run(call)
        XCTAssertEqual(
            second.lines.map(\.text), ["! 0 conversations imported · 1 there already"])
        XCTAssertEqual(second.outcome, .degraded)
        let list = try await rig.services.store().list(limit: 9)
        XCTAssertEqual(list.map(\.title), ["Ferry"])
    }

    func testWhatIsNoExportIsRefusedByName() async throws {
        let rig = try ChatRig()
        for (text, problem) in [
            ("{}", "contains no conversation that chat can read."),
            ("PK\u{3}\u{4}", "is a zip archive."),
            ("nonsense", "is not JSON (byte 0)."),
            (
                "{\"format\": \"chat.conversations\", \"version\": 9}",
                "was written by a newer version of chat."
            ),
        ] {
            let path = try rig.folder.write(Array(text.utf8), to: "x")
            do {
                _ = try await rig.run(["conversations", "import", path])
                XCTFail("no error for \(text)")
            } catch let error as UsageError {
                XCTAssertEqual(error.problem, "\(path) \(problem)")
            }
        }
    }
}
