import AgentCore
import Foundation
import TestSupport
import XCTest

@testable import Persistence

/// A database of the program before redaction: what it holds is there, and no
/// conversation says anything of redaction until it is told to.
final class SchemaSixTests: XCTestCase {
    func testConversationsFromBeforeFollowTheConfigurationUntilTheyAreTold() async throws {
        let folder = try StoreFolder()
        let path = try DatabaseFile.prepare(folder.database)
        try Data(try DatabaseFixtures.bytes(schema: 5)).write(to: URL(fileURLWithPath: path))
        let old = try ConversationStore(
            path: folder.database, environment: World().environment,
            busyTimeoutInMilliseconds: 5_000,
            migrator: Migrator(migrations: Array(Migrations.all.prefix(6))))
        let version = try await old.values("PRAGMA user_version")
        XCTAssertEqual(version, ["6"])
        await old.close()

        let store = try folder.store()
        let records = try await store.list(limit: 20)
        XCTAssertFalse(records.isEmpty)
        XCTAssertEqual(records.compactMap(\.preferences.redacts), [])
        let id = records[0].id
        for wanted in [true, false, nil] {
            var preferences = records[0].preferences
            preferences.redacts = wanted
            try await store.setPreferences(id, preferences)
            let kept = try await store.conversation(id)
            XCTAssertEqual(kept?.preferences, preferences)
            XCTAssertEqual(kept?.deleted, records[0].deleted)
        }
        let found = try await store.find(records[0].title)
        XCTAssertTrue(found.contains { $0.id == id })
        await store.close()
    }
}
