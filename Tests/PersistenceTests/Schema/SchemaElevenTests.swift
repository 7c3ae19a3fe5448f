import AgentCore
import Foundation
import TestSupport
import XCTest

@testable import Persistence

/// A database that the program before routines has written.
final class SchemaElevenTests: XCTestCase {
    func testTheLedgerIsThereAndNamesRoutinesFromNowOn() async throws {
        let folder = try StoreFolder()
        let path = try DatabaseFile.prepare(folder.database)
        try Data(try DatabaseFixtures.bytes(schema: 11)).write(to: URL(fileURLWithPath: path))
        let store = try folder.store()
        var rows = try await store.sent(SentFilter(limit: 10))
        XCTAssertEqual(rows.first?.title, "hi there")
        XCTAssertEqual(Set(rows.map(\.outgoing.routine)), [nil])
        let outgoing = ToolCallContext.$routine.withValue("r1") { Outgoing(.routine) }
        let id = try await store.recordSending(outgoing, host: "a.example", bytes: 3)
        rows = try await store.sent(SentFilter(limit: 1))
        XCTAssertEqual(rows.map(\.id), [id])
        XCTAssertEqual(rows.map(\.outgoing.routine), ["r1"])
        XCTAssertEqual(rows.map(\.outgoing.purpose.rawValue), ["routine"])
        await store.close()
    }
}
