import AgentCore
import Foundation
import XCTest

@testable import Persistence

/// A file of the first schema comes through every later migration whole.
final class SchemaOneTests: XCTestCase {
    private let oslo = "11111111-0000-4000-8000-000000000001"
    private let cut = "33333333-0000-4000-8000-000000000003"

    private func oldFile() throws -> StoreFolder {
        let folder = try StoreFolder()
        let old = try Connection(path: try DatabaseFile.prepare(folder.database))
        try old.script("old", SchemaOne.sql)
        old.close()
        return folder
    }

    func testEverythingInAnOldFileIsThereAfterwards() async throws {
        let folder = try oldFile()
        let store = try folder.store()
        let list = try await store.list(limit: 10)
        XCTAssertEqual(list.map(\.title), ["Cut off", "Trip to Oslo", "One shot"])
        XCTAssertEqual(list.map(\.preferences), Array(repeating: .init(), count: 3))
        XCTAssertEqual(list.map(\.deleted), [nil, nil, nil])
        XCTAssertEqual(list.map(\.forkedFrom), [nil, nil, nil])

        let turns = try await store.turns(of: oslo, last: 9)
        XCTAssertEqual(turns.map(\.turn.status), [.done, .interrupted])
        XCTAssertEqual(
            turns.map(\.turn.usage),
            [Usage(input: 10, cachedInput: 4, output: 7, reasoning: 2), Usage(input: 1, output: 1)])
        XCTAssertEqual(
            turns.map { $0.turn.messages.map(\.text) },
            [["what was the ferry called?", "The Color Line ferry.", ""], ["and when?", "At 14"]])
        XCTAssertEqual(turns.map(\.isPartial), [false, true])
        XCTAssertEqual(turns.map(\.replaced), [nil, nil])
        XCTAssertEqual(
            turns.map { $0.times.map(\.timeIntervalSince1970) }, [[1, 1.5, 1.5], [8, 9]])

        let used = try await store.usage(since: .distantPast)
        XCTAssertEqual(used.map(\.model), ["m1", "m3", "m2"])
        XCTAssertEqual(used.map(\.turns), [2, 1, 1])

        let lock = try XCTUnwrap(ConversationLock.acquire(folder: folder.locks, id: cut))
        let recovered = try await store.recover(holding: lock)
        XCTAssertEqual(recovered, [TurnID(4)])
        let rest = try await store.turns(of: cut, last: 1).first?.turn
        XCTAssertEqual(rest?.messages.map(\.text), ["hello local", "I was saying"])
        let problems = try await store.values("PRAGMA integrity_check")
        let orphans = try await store.values("PRAGMA foreign_key_check")
        XCTAssertEqual(problems + orphans, ["ok"])
        await store.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/data")
        XCTAssertEqual(names.filter { $0.contains("backup-v1-") }.count, 1)
    }

    func testAnUpgradedFileTakesNewTurnsPreferencesAndSummaries() async throws {
        let folder = try oldFile()
        let store = try folder.store()
        let chosen = ConversationPreferences(role: "editor", effort: .high)
        try await store.setPreferences(oslo, chosen)
        try await store.addSummary(
            StoredSummary(
                throughTurn: TurnID(1), text: "A ferry.", provider: .claude, model: "m1",
                created: Date(timeIntervalSince1970: 20)), to: oslo)
        let history = try await store.history(of: oslo, withinBytes: 10_000)
        XCTAssertEqual(history.summary?.text, "A ferry.")
        XCTAssertEqual(history.turns.map(\.id), [TurnID(3)])
        let kept = try await store.conversation(oslo)?.preferences
        XCTAssertEqual(kept, chosen)
        await store.close()
    }
}
