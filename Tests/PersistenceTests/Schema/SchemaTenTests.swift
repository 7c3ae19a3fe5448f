import AgentCore
import Foundation
import TestSupport
import XCTest

@testable import Persistence

/// A database that the program before the ledger has written.
final class SchemaTenTests: XCTestCase {
    func testConversationsAndCallsAreThereAndTheLedgerBeginsEmpty() async throws {
        let folder = try StoreFolder()
        let path = try DatabaseFile.prepare(folder.database)
        try Data(try DatabaseFixtures.bytes(schema: 10)).write(to: URL(fileURLWithPath: path))
        let store = try folder.store()
        let found = try await store.list(limit: 10)
        XCTAssertEqual(found.map(\.title), ["tool n3", "plain n1"])
        let calls = try await store.toolCalls(limit: 10)
        XCTAssertEqual(calls.map(\.call.tool), ["create_reminder"])
        var rows = try await store.sent(SentFilter(limit: 10))
        XCTAssertEqual(rows, [])
        // And it is written from now on.
        _ = try await store.recordSending(
            Outgoing(.turn, conversation: found[0].id), host: "a.example", bytes: 3)
        rows = try await store.sent(SentFilter(limit: 10))
        XCTAssertEqual(rows.map(\.title), ["tool n3"])
        await store.close()
    }
}
