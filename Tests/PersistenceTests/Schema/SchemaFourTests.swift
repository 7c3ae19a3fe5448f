import AgentCore
import Foundation
import XCTest

@testable import Persistence

/// A file from before requests that are no turn were counted on their own: what
/// its summaries have used still counts.
final class SchemaFourTests: XCTestCase {
    private static let id = "11111111-0000-4000-8000-000000000001"
    private static let rows = """
        INSERT INTO conversations(seq, id, title, kind, provider, model, created, updated,
            messages, last_turn)
        VALUES (1, '\(id)', 'first words', 'repl', 'claude', 'm', 1, 2, 1, 1);
        INSERT INTO turns(id, conversation, status, provider, model, started, input_tokens)
        VALUES (1, 1, 'done', 'claude', 'm', 1, 7);
        INSERT INTO summaries(conversation, through_turn, text, provider, model, created,
            input_tokens, output_tokens)
        VALUES (1, 1, 's', 'claude', 'm', 1, 5, 3);
        """

    func testItsSummariesCountAndItsConversationsTakeTitlesAndGenerations() async throws {
        let folder = try StoreFolder()
        let old = try Connection(path: try DatabaseFile.prepare(folder.database))
        try Migrator(migrations: Array(Migrations.all.prefix(4))).prepare(old, now: Date())
        try old.script("old", Self.rows)
        old.close()
        let store = try folder.store()
        let before = try await store.usage(of: Self.id)
        XCTAssertEqual(before.map(\.usage), [Usage(input: 12, output: 3)])
        let model = ModelOrigin(provider: .claude, format: .messages, model: "m")
        try await store.count(Usage(input: 1), of: "title", by: model, for: Self.id)
        let after = try await store.usage(of: Self.id)
        XCTAssertEqual(after.map(\.usage), [Usage(input: 13, output: 3)])
        let isNew = try await store.entitle(Self.id, "A title", inPlaceOf: "first words")
        XCTAssertTrue(isNew)
        let found = try await store.find("FIRST").map(\.title)
        XCTAssertEqual(found, ["A title"])
        await store.close()
    }
}
