import AgentCore
import Foundation
import XCTest

@testable import Persistence

/// A file from before it was stored which turns carry foreign text: what cannot
/// be told is taken for foreign.
final class SchemaThreeTests: XCTestCase {
    private static let turns = """
        INSERT INTO conversations(seq, id, title, kind, provider, model, created, updated,
            messages, last_turn)
        VALUES (1, '11111111-0000-4000-8000-000000000001', 't', 'repl', 'claude', 'm', 1, 2, 4, 4);
        INSERT INTO turns(id, conversation, status, is_local, provider, model, started, is_copy)
        VALUES (-3, 1, 'done', 0, 'claude', 'm', 1, 1), (2, 1, 'done', 1, 'claude', 'm', 1, 0),
            (3, 1, 'done', 0, 'claude', 'm', 1, 1), (4, 1, 'done', 0, 'claude', 'm', 1, 0);
        INSERT INTO messages(turn, seq, role, created)
        VALUES (-3, 1, 'user', 1), (2, 1, 'user', 1), (3, 1, 'user', 1), (4, 1, 'user', 1);
        INSERT INTO parts(message, seq, kind, body)
        SELECT id, 1, 'text', '{"text":"hello"}' FROM messages;
        """

    func testImportedCopiedAndLocalTurnsCarryForeignText() async throws {
        let folder = try StoreFolder()
        let old = try Connection(path: try DatabaseFile.prepare(folder.database))
        try Migrator(migrations: Array(Migrations.all.prefix(3))).prepare(old, now: Date())
        try old.script("old", Self.turns)
        old.close()
        let store = try folder.store()
        let turns = try await store.turns(
            of: "11111111-0000-4000-8000-000000000001", last: 9)
        XCTAssertEqual(turns.map(\.turn.carriesUntrustedText), [true, true, true, false])
        XCTAssertEqual(
            turns.map { $0.turn.messages.map(\.text) }, Array(repeating: ["hello"], count: 4))
        await store.close()
    }
}
