import AgentCore
import Foundation
import XCTest

@testable import Persistence

final class ConversationSummaryTests: XCTestCase {
    private func talk(_ store: ConversationStore, turns: Int) async throws -> (String, [TurnID]) {
        let id = await store.newConversation(kind: .repl, provider: .claude, model: "m").id
        let journal = store.journal(for: id, in: .repl)
        var ids: [TurnID] = []
        for number in 1...turns {
            let turn = try await journal.begin(user: .user("q\(number)"), isLocal: false)
            try await journal.close(turn, status: .done, usage: Usage(), note: nil)
            ids.append(turn)
        }
        return (id, ids)
    }

    private func summary(_ text: String, through turn: TurnID) -> StoredSummary {
        StoredSummary(
            throughTurn: turn, text: text, provider: .openai, model: "small",
            created: Date(timeIntervalSince1970: 1_700_000_000))
    }

    func testRequestsGetTheNewestSummaryAndTheTurnsBehindIt() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let (id, turns) = try await talk(store, turns: 5)
        let none = try await store.history(of: id, withinBytes: 10_000)
        XCTAssertEqual(none.summary, nil)
        XCTAssertEqual(none.turns.map(\.id), turns)

        try await store.addSummary(summary("one", through: turns[1]), to: id)
        try await store.addSummary(summary("two", through: turns[3]), to: id)
        let latest = try await store.history(of: id, withinBytes: 10_000).summary
        XCTAssertEqual(latest, summary("two", through: turns[3]))
        let history = try await store.history(of: id, withinBytes: 10_000)
        XCTAssertEqual(history.summary, latest)
        XCTAssertEqual(history.turns.map(\.id), [turns[4]])
        let shown = try await store.turns(of: id, last: 10).map(\.id)
        XCTAssertEqual(shown, turns)
        await store.close()
    }

    func testASummaryNeedsATurnOfThatConversation() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let (id, _) = try await talk(store, turns: 1)
        let (_, others) = try await talk(store, turns: 1)
        await XCTAssertReason(.notFound) {
            try await store.addSummary(self.summary("x", through: others[0]), to: id)
        }
        await XCTAssertReason(.notFound) {
            try await store.addSummary(self.summary("x", through: others[0]), to: "nobody")
        }
        await store.close()
    }

    func testASummaryOfATurnThatWasReplacedIsNotUsed() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let (id, turns) = try await talk(store, turns: 3)
        try await store.addSummary(summary("early", through: turns[0]), to: id)
        try await store.addSummary(summary("all", through: turns[2]), to: id)
        let again = store.journal(for: id, in: .repl, replacing: turns[2])
        let turn = try await again.begin(user: .user("q3 again"), isLocal: false)
        let history = try await store.history(of: id, withinBytes: 10_000)
        XCTAssertEqual(history.summary?.text, "early")
        XCTAssertEqual(history.turns.map(\.id), [turns[1], turn])
        await store.close()
    }
}
