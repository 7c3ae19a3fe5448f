import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import Persistence

final class ToolCallLogTests: XCTestCase {
    private func call(_ tool: String) -> ToolCallRecord {
        var call = ToolCallRecord(
            tool: tool, toolClass: .destroy, approval: "y", duration: .milliseconds(12),
            outcome: .ok)
        call.arguments = JSONObject([.init("title", .string("about \(tool)"))])
        call.reason = "because"
        call.resultBytes = 340
        call.undoSteps = ["one", "two"]
        return call
    }

    private func conversation(
        _ store: ConversationStore, _ calls: [ToolCallRecord]
    ) async throws -> String {
        let draft = await store.newConversation(kind: .repl, provider: .claude, model: "m")
        let journal = store.journal(for: draft.id, in: .repl)
        let turn = try await journal.begin(user: .user("Hello"), isLocal: false)
        for (index, call) in calls.enumerated() {
            try await journal.recordResult(
                ToolResult(callID: "\(index)", name: call.tool, text: "done"), of: call, in: turn)
        }
        try await journal.close(turn, status: .done, usage: Usage(), note: nil)
        return draft.id
    }

    func testACallIsReadBackWholeTheNewestFirst() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let one = try await conversation(store, [call("a"), call("b")])
        let two = try await conversation(store, [call("c")])
        let calls = try await store.toolCalls(limit: 10)
        XCTAssertEqual(calls.map(\.call), [call("c"), call("b"), call("a")])
        XCTAssertEqual(calls.map(\.conversation), [two, one, one])
        XCTAssertEqual(calls.map(\.title), ["Hello", "Hello", "Hello"])
        let some = try await store.toolCalls(limit: 1, of: one)
        XCTAssertEqual(some.map(\.call.tool), ["b"])
        await store.close()
    }

    func testANameThatAModelMadeUpIsCutAndHoldsNoKey() async throws {
        let store = try StoreFolder().store()
        var calls = [call(String(repeating: "x", count: 100_000))]
        calls.append(call("sk-proj-0123456789abcdefABCDEF"))
        _ = try await conversation(store, calls)
        let names = try await store.toolCalls(limit: 10).map(\.call.tool)
        XCTAssertEqual(names, ["[key]", String(repeating: "x", count: 64)])
        await store.close()
    }

    func testTheTrashHidesItAndEmptyingTheTrashErasesIt() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let id = try await conversation(store, [call("canarytool")])
        _ = try await conversation(store, [call("kept")])
        try await store.moveToTrash(id)
        var shown = try await store.toolCalls(limit: 10).map(\.call.tool)
        XCTAssertEqual(shown, ["kept"])
        try await store.restore(id)
        shown = try await store.toolCalls(limit: 10).map(\.call.tool)
        XCTAssertEqual(shown, ["kept", "canarytool"])
        try await store.moveToTrash(id)
        _ = try await store.erase([id])
        await store.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        XCTAssertNil(bytes.range(of: Data("canarytool".utf8)))
        XCTAssertNotNil(bytes.range(of: Data("kept".utf8)))
    }

    func testOldCallsAreDropped() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        _ = try await conversation(store, [call("first")])
        await store.close()
        let connection = try Connection(path: folder.database)
        try connection.script(
            "far ahead",
            "UPDATE tool_calls SET id = id + 5; "
                + "INSERT INTO tool_calls SELECT \(ConversationStore.toolCallLimit + 5), "
                + "conversation, made, 'late', class, arguments, approval, reason, outcome, "
                + "duration, bytes, undo FROM tool_calls;")
        connection.close()
        let again = try folder.store()
        _ = try await conversation(again, [call("last")])
        let names = try await again.toolCalls(limit: 10).map(\.call.tool)
        XCTAssertEqual(names, ["last", "late"])
        await again.close()
    }
}
