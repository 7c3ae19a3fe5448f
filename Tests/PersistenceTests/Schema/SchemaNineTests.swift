import AgentCore
import Foundation
import TestSupport
import XCTest

@testable import Persistence

/// A database that the program before the log of tool calls has written: three turns in
/// two conversations, two of them with a tool call.
final class SchemaNineTests: XCTestCase {
    func testConversationsAreThereAndTheLogBeginsEmpty() async throws {
        let folder = try StoreFolder()
        let path = try DatabaseFile.prepare(folder.database)
        try Data(try DatabaseFixtures.bytes(schema: 9)).write(to: URL(fileURLWithPath: path))
        let store = try folder.store()
        let found = try await store.list(limit: 10)
        XCTAssertEqual(found.map(\.title), ["tool n3", "plain n1"])
        XCTAssertEqual(found.map(\.messages), [4, 6])
        let before = try await store.toolCalls(limit: 10)
        XCTAssertEqual(before, [])
        let turns = try await store.turns(of: found[0].id, last: 1)
        XCTAssertEqual(
            turns.first?.turn.messages.flatMap(\.toolCalls).map(\.name), ["create_reminder"])
        // And it is written from now on.
        let journal = store.journal(for: found[0].id, in: .oneshot)
        let turn = try await journal.begin(user: .user("again"), isLocal: false)
        try await journal.recordResult(
            ToolResult(callID: "1", name: "look", text: "seen"), of: .ok("look"), in: turn)
        try await journal.close(turn, status: .done, usage: Usage(), note: nil)
        let after = try await store.toolCalls(limit: 10)
        XCTAssertEqual(after.map(\.call), [.ok("look")])
        XCTAssertEqual(after.map(\.title), ["tool n3"])
        await store.close()
    }
}
