import AgentCore
import Foundation
import XCTest

@testable import Persistence

final class ConversationBranchTests: XCTestCase {
    private let usage = Usage(input: 4, output: 2)

    private func talk(_ store: ConversationStore, turns: Int) async throws -> (String, [TurnID]) {
        let id = await store.newConversation(
            kind: .repl, provider: .claude, model: "m",
            preferences: ConversationPreferences(role: "editor", thinking: .full)
        ).id
        let journal = store.journal(for: id, in: .repl)
        var ids: [TurnID] = []
        for number in 1...turns {
            let user = Message(role: .user, parts: [.text("q\(number)")] + Samples.everyPart)
            let turn = try await journal.begin(user: user, isLocal: false)
            try await journal.record(
                Message(role: .assistant, parts: [.text("a\(number)")]), in: turn)
            try await journal.close(turn, status: .done, usage: usage, note: "n")
            ids.append(turn)
        }
        return (id, ids)
    }

    func testAForkHoldsEverythingBeforeTheTurnAndLeavesTheOtherAlone() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let (id, turns) = try await talk(store, turns: 4)
        try await store.addSummary(
            StoredSummary(
                throughTurn: turns[1], text: "s", provider: .claude, model: "m",
                created: Date(timeIntervalSince1970: 5)), to: id)
        let before = try await store.turns(of: id, last: 10)
        let fork = try await store.fork(id, before: turns[3])

        let copied = try await store.turns(of: fork.id, last: 10)
        XCTAssertEqual(copied.map(\.turn), before.dropLast().map(\.turn))
        XCTAssertEqual(copied.map(\.times), before.dropLast().map(\.times))
        XCTAssertEqual(copied.map(\.note), ["n", "n", "n"])
        XCTAssertEqual(fork.title, "q1 (fork)")
        XCTAssertEqual(fork.forkedFrom, id)
        XCTAssertEqual(fork.messages, 6)
        XCTAssertEqual(fork.preferences, ConversationPreferences(role: "editor", thinking: .full))
        let summary = try await store.history(of: fork.id, withinBytes: 10_000).summary
        XCTAssertEqual(summary?.text, "s")
        XCTAssertEqual(summary?.throughTurn, copied[1].id)
        let after = try await store.turns(of: id, last: 10)
        XCTAssertEqual(after, before)
        let order = try await store.list(limit: 5).map(\.id)
        XCTAssertEqual(order, [fork.id, id])
        let listed = try await store.conversation(fork.id)
        XCTAssertEqual(listed, fork)
        await store.close()
    }

    func testAForkBeforeTheFirstMessageIsADraft() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let (id, turns) = try await talk(store, turns: 1)
        let fork = try await store.fork(id, before: turns[0])
        XCTAssertEqual(fork.messages, 0)
        var list = try await store.list(limit: 5).map(\.id)
        XCTAssertEqual(list, [id])
        let journal = store.journal(for: fork.id, in: .repl)
        _ = try await journal.begin(user: .user("another way"), isLocal: false)
        list = try await store.list(limit: 5).map(\.id)
        XCTAssertEqual(list, [fork.id, id])
        let record = try await store.conversation(fork.id)
        XCTAssertEqual(record?.forkedFrom, id)
        XCTAssertEqual(record?.title, "q1 (fork)")
        XCTAssertEqual(record?.preferences.role, "editor")
        await store.close()
    }

    func testAForkLeavesOutWhatIsBeingAnsweredAndWhatWasReplaced() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let (id, turns) = try await talk(store, turns: 2)
        let again = store.journal(for: id, in: .repl, replacing: turns[1])
        let second = try await again.begin(user: .user("q2 again"), isLocal: false)
        try await again.close(second, status: .done, usage: usage, note: nil)
        _ = try await again.begin(user: .user("open"), isLocal: false)
        let fork = try await store.fork(id)
        let texts = try await store.turns(of: fork.id, last: 9).map {
            $0.turn.messages.first?.text.prefix(8)
        }
        XCTAssertEqual(
            texts.map { $0.map(String.init) ?? "" }.map { String($0.prefix(2)) }, ["q1", "q2"])
        XCTAssertEqual(fork.messages, 3)
        await XCTAssertReason(.notFound) { _ = try await store.fork("nobody") }
        await store.close()
    }

    func testAReplacedTurnIsKeptAndNeitherShownSentNorCounted() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let (id, turns) = try await talk(store, turns: 2)
        let again = store.journal(for: id, in: .repl, replacing: turns[1])
        let untouched = try await store.turns(of: id, last: 9).map(\.id)
        XCTAssertEqual(untouched, turns)
        let third = try await again.begin(user: .user("better"), isLocal: false)
        try await again.close(third, status: .done, usage: usage, note: nil)
        let fourth = try await again.begin(user: .user("next"), isLocal: false)

        let shown = try await store.turns(of: id, last: 9).map(\.id)
        XCTAssertEqual(shown, [turns[0], third, fourth])
        let sent = try await store.history(of: id, withinBytes: 1_000_000).turns.map(\.id)
        XCTAssertEqual(sent, shown)
        let all = try await store.turns(of: id, last: 9, includingReplaced: true)
        XCTAssertEqual(all.map(\.id), turns + [third, fourth])
        XCTAssertEqual(all.map { $0.replaced != nil }, [false, true, false, false])
        let record = try await store.conversation(id)
        XCTAssertEqual(record?.messages, 4)
        let count = try await store.turnCount(of: id)
        XCTAssertEqual(count, 3)
        await store.close()
    }

    func testATurnOfAnotherConversationIsNotReplaced() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let (id, _) = try await talk(store, turns: 1)
        let (other, turns) = try await talk(store, turns: 1)
        _ = try await store.journal(for: id, in: .repl, replacing: turns[0])
            .begin(user: .user("x"), isLocal: false)
        let replaced = try await store.turns(of: other, last: 1).first?.replaced
        XCTAssertNil(replaced)
        await store.close()
    }

    func testTitlesOfForks() {
        let titles = [
            "Oslo", "Oslo (fork)", "Oslo (fork 2)", "Oslo (fork x)", "(fork)", "", "a (b)",
            "Oslo (fork 9999999999999999999)",
        ].map(ConversationTitle.fork(of:))
        XCTAssertEqual(
            titles,
            [
                "Oslo (fork)", "Oslo (fork 2)", "Oslo (fork 3)", "Oslo (fork x) (fork)",
                "(fork) (fork)", " (fork)", "a (b) (fork)",
                "Oslo (fork 9999999999999999999) (fork)",
            ])
    }
}
