import AgentCore
import TestSupport
import XCTest

@testable import Persistence

final class ConversationJournalTests: XCTestCase {
    private let world = World()

    private func begun(
        _ folder: StoreFolder
    ) async throws -> (ConversationStore, ConversationJournal, TurnID, String) {
        let store = try folder.store(world)
        let id = await store.newConversation(kind: .repl, provider: .claude, model: "m").id
        let journal = store.journal(for: id, in: .repl)
        let turn = try await journal.begin(user: .user("hello"), isLocal: false)
        return (store, journal, turn, id)
    }

    func testAWholeTurnIsReadBackAsItWasSaved() async throws {
        let folder = try StoreFolder()
        let (store, journal, turn, id) = try await begun(folder)
        let origin = ModelOrigin(provider: .claude, format: .messages, model: "m-1")
        let call = Message(
            role: .assistant,
            parts: [
                .text("let me see"), .toolCall(ToolCall(id: "1", name: "a", arguments: "{}")),
                .toolCall(ToolCall(id: "2", name: "b", arguments: "{}")),
            ], origin: origin)
        let results = [
            ToolResult(callID: "2", name: "b", text: "two"),
            ToolResult(callID: "1", name: "a", text: "one", isError: true),
        ]
        let answer = Message(role: .assistant, parts: [.text("done")], origin: origin)
        let usage = Usage(input: 10, cachedInput: 4, output: 3, reasoning: 1)

        try await journal.append("let me", kind: .text, to: turn)
        try await journal.record(call, in: turn)
        for result in results { try await journal.recordResult(result, in: turn) }
        try await journal.append("do", kind: .text, to: turn)
        try await journal.record(answer, in: turn)
        try await journal.close(turn, status: .done, usage: usage, note: nil)

        let turns = try await store.turns(of: id, last: 10)
        XCTAssertEqual(
            turns.map(\.turn),
            [
                Turn(
                    status: .done,
                    messages: [
                        .user("hello"), call,
                        Message(role: .tool, parts: results.map { .toolResult($0) }), answer,
                    ], usage: usage)
            ])
        XCTAssertEqual(turns.first?.isPartial, false)
        XCTAssertNotNil(turns.first?.ended)
        let counted = try await store.conversation(id)?.messages
        XCTAssertEqual(counted, 4)
        let left = try await store.values("SELECT count(*) FROM chunks")
        XCTAssertEqual(left, ["0"])
        await store.close()
    }

    func testWhatIsSentOrAcknowledgedIsSynchronisedAndStreamedTextIsNot() async throws {
        let folder = try StoreFolder()
        let (store, journal, turn, _) = try await begun(folder)
        // 2 is FULL, 1 is NORMAL (sqlite.org/pragma.html#pragma_synchronous).
        func mode() async throws -> String? { try await store.values("PRAGMA synchronous").first }
        var seen = [try await mode()]
        // Nothing is sent without this row, which synchronises the message with itself.
        _ = try await store.recordSending(Outgoing(.turn, []), host: "a.example", bytes: 1)
        seen.append(try await mode())
        try await journal.append(String(repeating: "a", count: 5_000), kind: .text, to: turn)
        seen.append(try await mode())
        let call = ToolCall(id: "1", name: "a", arguments: "{}")
        try await journal.record(Message(role: .assistant, parts: [.toolCall(call)]), in: turn)
        seen.append(try await mode())
        try await journal.append(String(repeating: "a", count: 5_000), kind: .text, to: turn)
        try await journal.recordResult(ToolResult(callID: "1", name: "a", text: ""), in: turn)
        seen.append(try await mode())
        try await journal.record(Message(role: .assistant, parts: [.text("x")]), in: turn)
        seen.append(try await mode())
        try await journal.close(turn, status: .done, usage: Usage(), note: nil)
        seen.append(try await mode())
        // No row precedes an act of ours.
        _ = try await journal.begin(user: .user("remind me"), isLocal: true)
        seen.append(try await mode())
        XCTAssertEqual(seen, ["1", "2", "1", "2", "2", "1", "2", "2"])
        await store.close()
    }

    func testStreamedTextIsWrittenWhenFourKilobytesHaveCome() async throws {
        let folder = try StoreFolder()
        let (store, journal, turn, _) = try await begun(folder)
        try await journal.append(String(repeating: "a", count: 4_095), kind: .text, to: turn)
        let before = try await store.values("SELECT length(text) FROM chunks")
        try await journal.append("b", kind: .text, to: turn)
        let after = try await store.values("SELECT length(text) FROM chunks")
        XCTAssertEqual(before, [])
        XCTAssertEqual(after, ["4096"])
        await store.close()
    }

    func testStreamedTextIsWrittenInTimeThoughTheModelHasGoneSilent() async throws {
        let folder = try StoreFolder()
        let (store, journal, turn, _) = try await begun(folder)
        for round in 1...3 {
            try await journal.append("word ", kind: .text, to: turn)
            try await journal.append("hm", kind: .thinking, to: turn)
            let write = try XCTUnwrap(journal.pendingWrite)
            await world.someoneSleeps()
            world.wake()
            await write.value
            let rows = try await store.values(
                "SELECT kind, text FROM chunks ORDER BY seq", columns: 2)
            XCTAssertEqual(
                rows, Array(repeating: ["text|word ", "thinking|hm"], count: round).flatMap { $0 })
        }
        try await journal.close(turn, status: .interrupted, usage: Usage(), note: "stopped")
        await store.close()
    }

    func testClosingKeepsUnreplacedTextAsAPartialAnswer() async throws {
        let folder = try StoreFolder()
        let (store, journal, turn, id) = try await begun(folder)
        try await journal.append(String(repeating: "a", count: 5_000), kind: .text, to: turn)
        try await journal.append("…and é", kind: .text, to: turn)
        try await journal.close(
            turn, status: .interrupted, usage: Usage(input: .max), note: "stopped")

        let stored = try await store.turns(of: id, last: 1)
        XCTAssertEqual(
            stored.map(\.turn.messages),
            [
                [
                    .user("hello"),
                    Message(
                        role: .assistant,
                        parts: [.text(String(repeating: "a", count: 5_000) + "…and é")]),
                ]
            ])
        XCTAssertEqual(stored.map(\.isPartial), [true])
        XCTAssertEqual(stored.map(\.note), ["stopped"])
        XCTAssertEqual(stored.map(\.turn.usage.input), [1_000_000_000_000])
        XCTAssertNil(journal.pendingWrite)
        await store.close()
    }

    func testTextThatCannotBeWrittenIsToldAndKept() async throws {
        let folder = try StoreFolder()
        let store = try folder.store(world, busyTimeoutInMilliseconds: 20)
        let id = await store.newConversation(kind: .repl, provider: .claude, model: "m").id
        let journal = store.journal(for: id, in: .repl)
        let turn = try await journal.begin(user: .user("hello"), isLocal: false)
        try await folder.foreign { other in
            try other.script("test", "BEGIN IMMEDIATE")
            try await journal.append("one ", kind: .text, to: turn)
            let write = try XCTUnwrap(journal.pendingWrite)
            await world.someoneSleeps()
            world.wake()
            await write.value
            await XCTAssertReason(.locked) {
                try await journal.append("two ", kind: .text, to: turn)
            }
            await XCTAssertReason(.locked) {
                try await journal.close(turn, status: .done, usage: Usage(), note: nil)
            }
            try other.script("test", "ROLLBACK")
        }
        try await journal.append("three", kind: .text, to: turn)
        try await journal.close(turn, status: .interrupted, usage: Usage(), note: nil)
        let text = try await store.turns(of: id, last: 1).first?.turn.messages.last?.text
        XCTAssertEqual(text, "one two three")
        await store.close()
    }

    func testATurnThatAnotherInstanceDeletedFailsAloneAndTheNextOneWorks() async throws {
        let folder = try StoreFolder()
        let (store, journal, turn, id) = try await begun(folder)
        try await folder.foreign { other in
            try other.run("DELETE FROM turns")
        }
        try await journal.append("half", kind: .text, to: turn)
        await XCTAssertReason(.constraint) {
            try await journal.close(turn, status: .done, usage: Usage(), note: nil)
        }
        await XCTAssertReason(.notFound) {
            try await journal.close(turn, status: .done, usage: Usage(), note: nil)
        }
        let next = try await journal.begin(user: .user("again"), isLocal: false)
        XCTAssertGreaterThan(next.rawValue, turn.rawValue, "a number is never used twice")
        try await journal.append("whole", kind: .text, to: next)
        try await journal.close(next, status: .done, usage: Usage(), note: nil)
        let turns = try await store.turns(of: id, last: 9)
        XCTAssertEqual(turns.map { $0.turn.messages.map(\.text) }, [["again", "whole"]])
        await store.close()
    }

    func testAMessageThatIsNoAnswerLeavesStreamedTextAlone() async throws {
        let folder = try StoreFolder()
        let (store, journal, turn, id) = try await begun(folder)
        try await journal.append("half", kind: .text, to: turn)
        try await journal.record(
            Message(
                role: .tool, parts: [.toolResult(ToolResult(callID: "1", name: "a", text: ""))]),
            in: turn)
        try await journal.close(turn, status: .failed, usage: Usage(), note: nil)
        let roles = try await store.turns(of: id, last: 1).first?.turn.messages.map(\.role)
        XCTAssertEqual(roles, [.user, .tool, .assistant])
        await store.close()
    }
}
