import AgentCore
import Base
import Foundation
import Persistence
import Synchronization
import TestSupport
import XCTest

@testable import ChatKit
@testable import chat

final class ExportTests: XCTestCase {
    /// Conversations of every shape, from a seed.
    private static func conversations(_ count: Int, seed: UInt64) -> [ImportedConversation] {
        var random = SplitMix(seed: seed)
        let texts = [
            "hello", "a\nb\n\n```\ncode ``` in\n```\n", "会議 👩‍👩‍👧 ‏שלום", "<script>alert(1)</script>",
            "\u{1B}[31mred\u{7}", "ends with space ", "[x](javascript:alert(1)) &#27;",
            "\u{202E}evil",
        ]
        func text() -> String { texts[Int(random.next() % UInt64(texts.count))] }
        func chance(_ n: UInt64) -> Bool { random.next() % n == 0 }
        let origin = ModelOrigin(provider: .claude, format: .messages, model: "m")
        return (0..<count).map { number in
            let created = Date(timeIntervalSince1970: 1_700_000_000.125 + Double(number) * 977)
            let turns = (0..<(1 + Int(random.next() % 4))).map { index -> StoredTurn in
                let time = created.addingTimeInterval(Double(index) * 61.007)
                var parts: [Part] = []
                if chance(3) {
                    parts.append(
                        .attachment(
                            Attachment(
                                name: "a\"<b>.png", mediaType: "image/png",
                                bytes: [0x89, 0x50, 0x4E, 0x47, 0, 255])))
                }
                parts += [.text(text()), .text(TextPart.context("now"))]
                var messages = [Message(role: .user, parts: parts)]
                if chance(2) {
                    messages.append(
                        Message(
                            role: .assistant,
                            parts: [
                                .thinking(Thinking(text: "hm", item: ["type": "thinking"])),
                                .toolCall(
                                    ToolCall(id: "c\(index)", name: "list", arguments: "{\"a\":1}")),
                            ], origin: origin))
                    messages.append(
                        Message(
                            role: .tool,
                            parts: [
                                .toolResult(
                                    ToolResult(
                                        callID: "c\(index)", name: "list", text: text(),
                                        isUntrusted: true))
                            ]))
                }
                messages.append(
                    Message(
                        role: .assistant, parts: [.text(text()), .refusal("no")], origin: origin))
                return StoredTurn(
                    id: TurnID(0),
                    turn: Turn(
                        status: chance(4) ? .interrupted : .done, messages: messages,
                        isLocal: chance(5),
                        usage: Usage(
                            input: 9, cachedInput: 3, cacheWrite: 2, output: 4, reasoning: 1)),
                    provider: .claude, model: "m", started: time,
                    ended: time.addingTimeInterval(2), note: chance(3) ? "cut" : nil,
                    isPartial: false, replaced: chance(6) ? time : nil,
                    times: messages.map { _ in time })
            }
            return ImportedConversation(
                id: UUID().uuidString.lowercased(), title: text().prefix(20) + " \(number)",
                provider: .claude, model: "m", created: created, updated: created,
                preferences: ConversationPreferences(
                    role: chance(2) ? "poet" : nil, system: chance(2) ? text() : nil,
                    effort: chance(2) ? .low : nil, thinking: chance(2) ? .full : nil,
                    redacts: chance(2) ? chance(2) : nil),
                turns: turns)
        }
    }

    private func export(_ rig: ChatRig, _ words: [String]) async throws -> [UInt8] {
        let output = try await rig.run(["conversations", "export"] + words)
        return output.document ?? []
    }

    func testExportedImportedAndExportedAgainIsTheSame() async throws {
        let count = ProcessInfo.processInfo.environment["CHAT_FULL"] == nil ? 20 : 100
        let (first, second) = (try ChatRig(), try ChatRig())
        for conversation in Self.conversations(count, seed: 7).reversed() {
            _ = try await first.services.store().importConversation(conversation)
        }
        let bytes = try await export(first, ["--all", "--format", "json"])
        let path = try second.folder.write(bytes, to: "all.json")
        let output = try await second.run(["conversations", "import", path])
        XCTAssertEqual(output.lines.map(\.text), ["✓ \(count) conversations imported"])
        XCTAssertEqual(output.notices, [])
        let again = try await export(second, ["--all", "--format", "json"])
        XCTAssertTrue(bytes == again, String(decoding: bytes.prefix(600), as: UTF8.self))
    }

    func testAConversationIsWrittenTurnByTurn() async throws {
        let rig = try ChatRig()
        var conversation = Self.conversations(1, seed: 5)[0]
        let turn = conversation.turns[0]
        conversation.turns = (0..<20).map { number in
            var turn = turn
            turn.replaced = number == 3 ? turn.started : nil
            turn.turn.messages[0].parts = [
                .text("\(number) " + String(repeating: "tea", count: 5_000))
            ]
            return turn
        }
        _ = try await rig.services.store().importConversation(conversation)
        for format in ["md", "json"] {
            let whole = try await export(rig, ["--format", format])
            let (verb, read) = try XCTUnwrap(
                App.commands(rig.services).first { $0.name == "conversations" }
            ).read(["export", "--format", format])
            var arguments = read
            let pieces = Mutex<[[UInt8]]>([])
            arguments.interaction.write = { bytes in
                pieces.withLock { $0.append(bytes) }
                return true
            }
            let output = try await verb.run(arguments)
            XCTAssertNil(output.document)
            let written = pieces.withLock(\.self)
            XCTAssertTrue(Array(written.joined()) == whole, format)
            XCTAssertLessThan(written.map(\.count).max() ?? 0, 20_000)
            // A reader that has enough, such as head -1.
            let calls = Mutex(0)
            arguments.interaction.write = { _ in
                calls.withLock { $0 += 1 }
                return false
            }
            _ = try await verb.run(arguments)
            XCTAssertLessThan(calls.withLock(\.self), 3, format)
            let path = rig.folder.path("all.\(format)")
            _ = try await rig.run(["conversations", "export", "--output", path])
            XCTAssertTrue(try WholeFile.read(path) == whole, format)
        }
    }

    func testMarkdownHasTheWordsAsTheyWereAndToolsFolded() async throws {
        let rig = try ChatRig()
        var conversation = Self.conversations(1, seed: 1)[0]
        conversation.turns = [
            StoredTurn(
                id: TurnID(0),
                turn: Turn(
                    status: .interrupted,
                    messages: [
                        .user("what is ```x```?"),
                        Message(
                            role: .assistant,
                            parts: [
                                .text("A *fence*."),
                                .toolCall(ToolCall(id: "1", name: "list", arguments: "{}")),
                            ]),
                        Message(
                            role: .tool,
                            parts: [.toolResult(ToolResult(callID: "1", name: "list", text: "```"))]
                        ),
                    ]), provider: .claude, model: "m", started: conversation.created)
        ]
        conversation.title = "Fences"
        _ = try await rig.services.store().importConversation(conversation)
        let text = String(decoding: try await export(rig, ["Fences"]), as: UTF8.self)
        XCTAssertTrue(text.hasPrefix("# Fences\n\n*m · 1 turn · 2023-11-"), text)
        XCTAssertTrue(text.contains("\n## You\n\nwhat is ```x```?\n\n## m\n\nA *fence*.\n"), text)
        XCTAssertTrue(
            text.contains(
                "<details><summary>list</summary>\n\n````json\n{}\n````\n\n````\n```\n````\n\n</details>"
            ), text)
    }

    func testNoPageIsWritten() async throws {
        let rig = try ChatRig()
        _ = try await rig.services.store().importConversation(Self.conversations(1, seed: 4)[0])
        for words in [["--format", "html"], ["-o", "tea.html"], ["-o", "tea.HTM"]] {
            do {
                _ = try await export(rig, words)
                XCTFail("\(words)")
            } catch is UsageError {}
        }
    }

    func testAFileIsPrivateAndNotWrittenOverWithoutAYes() async throws {
        let rig = try ChatRig()
        _ = try await rig.services.store().importConversation(Self.conversations(1, seed: 2)[0])
        let path = rig.folder.path("out.json")
        let call = ["conversations", "export", "--output", path]
        let output = try await rig.run(call)
        XCTAssertTrue(output.lines[0].text.hasPrefix("✓ 1 conversation → \(path), "))
        var status = stat()
        XCTAssertEqual(stat(path, &status), 0)
        XCTAssertEqual(status.st_mode & 0o777, 0o600)
        do {
            _ = try await rig.run(call)
            XCTFail("written over")
        } catch let error as UsageError {
            XCTAssertEqual(error.problem, "\(path) already exists.")
        }
        _ = try await rig.run(["conversations", "export", "--yes", "--output", path])
    }

    func testTitlesMakeFileNamesThatAreNothingElse() {
        XCTAssertEqual(ExportCommand.fileName("../../etc/passwd"), "etc-passwd")
        XCTAssertEqual(ExportCommand.fileName("-rf * ~"), "rf")
        XCTAssertEqual(ExportCommand.fileName("会議 um 9?"), "会議-um-9")
        XCTAssertEqual(ExportCommand.fileName("…"), "conversation")
    }

    func testTimesKeepTheirMilliseconds() {
        for text in [
            "1969-12-31T23:59:59.999Z", "2026-11-21T14:05:06.007Z", "1970-01-01T00:00:00.000Z",
        ] {
            XCTAssertEqual(FileTime.date(text).map(FileTime.text), text)
        }
    }
}
