import AgentCore
import Foundation
import XCTest

@testable import Persistence

/// A long conversation costs what is shown of it. The plan of each statement
/// is compared, not the time it takes.
final class ConversationPagingTests: XCTestCase {
    private static let id = "11111111-0000-4000-8000-000000000000"

    /// 50,000 turns of two messages, made as docs/formats.md describes the
    /// tables, so that a benchmark may do the same.
    static let fill = """
        BEGIN;
        INSERT INTO conversations(seq, id, title, kind, provider, model, created, updated,
            messages, last_turn)
        VALUES (1, '\(id)', 'long', 'repl', 'claude', 'm', 0, 0, 100000, 50000);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
        INSERT INTO turns(id, conversation, status, provider, model, started, ended)
        SELECT i, 1, 'done', 'claude', 'm', i, i FROM n;
        INSERT INTO messages(id, turn, seq, role, created)
        SELECT id * 2 - 1, id, 1, 'user', id FROM turns
        UNION ALL SELECT id * 2, id, 2, 'assistant', id FROM turns;
        INSERT INTO parts(message, seq, kind, body)
        SELECT id, 1, 'text', json_object('text', 'message ' || id) FROM messages;
        COMMIT;
        """

    func testPagesOfALongConversation() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        try await store.script(Self.fill)

        var seen: [Int64] = []
        var before: TurnID?
        for _ in 0..<3 {
            let page = try await store.turns(of: Self.id, last: 4, before: before)
            before = page.first?.id
            seen = page.map(\.id.rawValue) + seen
        }
        XCTAssertEqual(seen, Array(49_989...50_000))
        let texts = try await store.turns(of: Self.id, last: 1).first?.turn.messages.map(\.text)
        XCTAssertEqual(texts, ["message 99999", "message 100000"])
        let start = try await store.turns(of: Self.id, last: 10, before: TurnID(3))
        XCTAssertEqual(start.map(\.id.rawValue), [1, 2])
        let none = try await store.turns(of: Self.id, last: 10, before: TurnID(1))
        XCTAssertEqual(none, [])

        let count = try await store.turnCount(of: Self.id)
        XCTAssertEqual(count, 50_000)

        // {"text":"message 99999"} is 24 bytes, and 25 with six digits.
        let bounded = try await store.history(of: Self.id, withinBytes: 24 * 2 + 49).turns
        XCTAssertEqual(bounded.map(\.id.rawValue), [49_999, 50_000])
        let newest = try await store.history(of: Self.id, withinBytes: 0).turns
        XCTAssertEqual(newest.map(\.id.rawValue), [50_000])
        await store.close()
    }

    func testAPhotoDoesNotPushOutWhatWasSaidBeforeItAndATextDoes() async throws {
        for (type, kept) in [("image/png", 3), ("application/pdf", 3), ("text/plain", 1)] {
            let folder = try StoreFolder()
            let store = try folder.store()
            let file = Attachment(
                name: "f", mediaType: type, bytes: Array(repeating: 0x61, count: 3_000_000))
            let date = Date(timeIntervalSince1970: 0)
            let turns = [[.text("a")], [.attachment(file)], [Part.text("b")]].map { parts in
                StoredTurn(
                    id: TurnID(0),
                    turn: Turn(status: .done, messages: [Message(role: .user, parts: parts)]),
                    provider: .claude, model: "m", started: date, isPartial: false)
            }
            let imported = try await store.importConversation(
                ImportedConversation(
                    title: "t", provider: .claude, model: "m", created: date, updated: date,
                    turns: turns))
            guard case .stored(let record) = imported else { return XCTFail("\(imported)") }
            let page = try await store.history(of: record.id, withinBytes: 2_000_000).turns
            XCTAssertEqual(page.count, kept, type)
            await store.close()
        }
    }

    func testNothingThatAPersonWaitsForScansATable() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let searches: [SQL] = [
            ConversationSQL.turnCount, ConversationSQL.find, ConversationSQL.latestOfKind,
            ConversationSQL.list,
            ConversationSQL.withIDPrefix, ConversationSQL.turns, ConversationSQL.openTurns,
            ConversationSQL.messages, ConversationSQL.chunks, ConversationSQL.lastMessage,
            ConversationSQL.insertMessage, ConversationSQL.insertPart, ConversationSQL.insertChunk,
            ConversationSQL.insertTurn, ConversationSQL.touch, ConversationSQL.countMessage,
            ConversationSQL.closeTurn, ConversationSQL.deleteChunks,
            ConversationSQL.setPreferences, UsageSQL.ofConversation, UsageSQL.since,
            UsageSQL.byQuarter, UsageSQL.byConversation, UsageSQL.insert,
            ConversationSQL.entitle, ConversationSQL.rename,
            ConversationStore.latestSummary, ConversationStore.insertSummary,
            ConversationStore.hasTurn, BranchSQL.replaceTurn, BranchSQL.replaceSummaries,
            BranchSQL.uncountMessages, BranchSQL.copyTurns, BranchSQL.countAll,
            BranchSQL.delete, BranchSQL.restore, BranchSQL.erase,
            SearchSQL.place, SearchSQL.elsewhere, SearchSQL.conversation,
            SearchSQL.textParts, SearchSQL.unindexed, SearchSQL.role, SearchSQL.copied,
        ]
        for sql in searches {
            let plan = try await store.plan(sql)
            let isBad = plan.contains { step in
                Self.isScan(step)
                    || (step.contains("TEMP B-TREE") && !sql.text.contains("GROUP BY"))
            }
            XCTAssertFalse(isBad, "\(sql.beginning): \(plan)")
        }
        // Lowest and highest are looked up at an end of the table.
        for sql in [BranchSQL.lowestTurn, BranchSQL.lowestMessage] {
            let plan = try await store.plan(sql)
            XCTAssertEqual(plan.count, 1)
            XCTAssertTrue(plan.allSatisfy { $0.hasPrefix("SEARCH ") }, "\(plan)")
        }
        // From the last used on; the routine of each is looked up.
        let latest = try await store.plan(ConversationSQL.latest)
        XCTAssertEqual(
            latest,
            [
                "SCAN conversations USING INDEX conversations_by_use",
                "CORRELATED SCALAR SUBQUERY 1",
                "SEARCH sent USING INDEX sent_by_conversation (conversation=?)",
            ])
        await store.close()
    }

    /// Of a table; the rows of a query inside a query are only those it found.
    private static func isScan(_ step: String) -> Bool {
        guard step.hasPrefix("SCAN") else { return false }
        return [
            "conversations", "turns", "messages", "parts", "chunks", "summaries", "generations",
        ].contains {
            step.hasPrefix("SCAN \($0)")
        } || step.hasPrefix("SCAN t ") || step.hasPrefix("SCAN m ")
    }

    func testOpeningReadsTheSameWhateverIsStored() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        try await store.script(Self.fill)
        await store.close()
        let again = try folder.store()
        // Pages read since the file was opened: the header and the schema.
        let pages = await again.pagesRead
        XCTAssertLessThan(pages, 8)
        _ = try await again.latest(kinds: [.repl])
        _ = try await again.turns(of: Self.id, last: 5)
        let after = await again.pagesRead
        XCTAssertLessThan(after, 60)
        await again.close()
    }
}

extension ConversationStore {
    fileprivate func plan(_ sql: SQL) throws -> [String] {
        let parameters = (1...12).filter { sql.text.contains("?\($0)") }.max() ?? 0
        return try connection.rows(
            "EXPLAIN QUERY PLAN \(sql.text)", Array(repeating: .null, count: parameters)
        ) { $0.text(3) }
    }

    fileprivate var pagesRead: Int { connection.pagesRead }
}
