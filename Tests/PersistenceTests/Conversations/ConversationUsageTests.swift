import AgentCore
import Base
import Foundation
import XCTest

@testable import Persistence

final class ConversationUsageTests: XCTestCase {
    private let usage = Usage(input: 10, cachedInput: 5, cacheWrite: 2, output: 3, reasoning: 1)

    private func close(
        _ turn: TurnID, _ journal: ConversationJournal, usage: Usage
    ) async throws {
        try await journal.close(turn, status: .done, usage: usage, note: nil)
    }

    func testAllFiveNumbersAreKept() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let id = await store.newConversation(kind: .repl, provider: .claude, model: "m").id
        let journal = store.journal(for: id, in: .repl)
        let turn = try await journal.begin(user: .user("a"), isLocal: false)
        try await close(turn, journal, usage: usage)
        let stored = try await store.turns(of: id, last: 1).first?.turn.usage
        XCTAssertEqual(stored, usage)
        let sum = try await store.usage(of: id)
        XCTAssertEqual(
            sum, [UsageTotal(provider: .claude, model: "m", turns: 1, usage: usage)])
        await store.close()
    }

    func testGenerationsAndReplacedTurnsCountAndCopiesDoNot() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let id = await store.newConversation(kind: .repl, provider: .claude, model: "m").id
        let journal = store.journal(for: id, in: .repl)
        let first = try await journal.begin(user: .user("a"), isLocal: false)
        try await close(first, journal, usage: usage)
        let small = ModelOrigin(provider: .claude, format: .messages, model: "small")
        try await store.count(usage, of: "title", by: small, for: id)
        let again = store.journal(for: id, in: .repl, replacing: first)
        let second = try await again.begin(user: .user("a"), isLocal: false)
        try await close(second, again, usage: usage)
        let fork = try await store.fork(id)

        let expected = [
            UsageTotal(provider: .claude, model: "m", turns: 2, usage: usage + usage),
            UsageTotal(provider: .claude, model: "small", turns: 0, usage: usage),
        ]
        let mine = try await store.usage(of: id)
        let all = try await store.usage(since: .distantPast)
        let forked = try await store.usage(of: fork.id)
        let byDay = try await store.usageByDay(since: .distantPast, zone: LocalTime(.utc))
        let byConversation = try await store.usageByConversation(
            since: .distantPast, limit: 10)
        XCTAssertEqual(mine, expected)
        XCTAssertEqual(all, expected)
        XCTAssertEqual(forked, [])
        XCTAssertEqual(byDay.map(\.totals), [expected])
        XCTAssertEqual(
            byConversation, [UsageOfConversation(id: id, title: "a", totals: expected)])
        let later = try await store.usage(since: Date(timeIntervalSince1970: 1_800_000_049))
        XCTAssertEqual(later, [])
        await store.close()
    }

    func testDaysAreThoseOfTheZone() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        // 2026-03-28T23:10Z, 23:50Z, 2026-03-29T21:59Z and 22:01Z: in Berlin
        // the first three are the short day on which summer time began.
        for (number, start) in [1_774_739_400, 1_774_741_800, 1_774_821_540, 1_774_821_660]
            .enumerated()
        {
            try await store.script(
                """
                INSERT OR IGNORE INTO conversations(seq, id, title, kind, provider, model,
                    created, updated) VALUES (1, 'c', 't', 'repl', 'claude', 'm', 0, 0);
                INSERT INTO turns(conversation, status, provider, model, started, input_tokens)
                VALUES (1, 'done', 'claude', 'm', \(start)000, \(number + 1));
                """)
        }
        let berlin = LocalTime(try XCTUnwrap(TimeZoneDatabase().rules(named: "Europe/Berlin")))
        let days = try await store.usageByDay(since: .distantPast, zone: berlin)
        XCTAssertEqual(
            days.map {
                "\($0.day.month)-\($0.day.day) \($0.totals.map(\.usage.input)) \($0.totals.map(\.turns))"
            },
            ["3-30 [4] [1]", "3-29 [6] [3]"])
        await store.close()
    }
}
