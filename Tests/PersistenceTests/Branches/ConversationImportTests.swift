import AgentCore
import Foundation
import XCTest

@testable import Persistence

final class ConversationImportTests: XCTestCase {
    private let id = "abcdefab-0000-4000-8000-00000000000a"

    private func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

    private func turn(_ text: String, at seconds: Double, status: Turn.Status = .done) -> StoredTurn
    {
        StoredTurn(
            id: TurnID(0),
            turn: Turn(
                status: status,
                messages: [
                    Message(role: .user, parts: [.text(text)] + Samples.everyPart),
                    Message(
                        role: .assistant, parts: [.text("re: \(text)")],
                        origin: ModelOrigin(provider: .openai, format: .chat, model: "x")),
                ], usage: Usage(input: 3, cachedInput: 2, cacheWrite: 1, output: 5, reasoning: 4)),
            provider: .openai, model: "x", started: date(seconds), ended: date(seconds + 2),
            note: "note", isPartial: status == .interrupted,
            times: [date(seconds), date(seconds + 1)])
    }

    private func imported(_ name: String, id: String?, turns: [StoredTurn]) -> ImportedConversation
    {
        ImportedConversation(
            id: id, title: name, provider: .openai, model: "x", created: date(100),
            updated: date(200), preferences: ConversationPreferences(system: "be brief"),
            turns: turns)
    }

    private func say(_ text: String, in store: ConversationStore) async throws -> String {
        let id = await store.newConversation(kind: .repl, provider: .local, model: "m").id
        let journal = store.journal(for: id, in: .repl)
        let turn = try await journal.begin(user: .user(text), isLocal: false)
        try await journal.close(turn, status: .done, usage: Usage(), note: nil)
        return id
    }

    func testWhatIsImportedIsThereWithItsTimesAndIsOlderThanWhatWasSaidHere() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let here = try await say("here", in: store)
        let turns = [turn("one", at: 100), turn("two", at: 198, status: .interrupted)]
        let outcome = try await store.importConversation(imported("Old", id: id, turns: turns))
        let record = try await store.conversation(id)
        XCTAssertEqual(outcome, record.map { .stored($0) })
        XCTAssertEqual(record?.title, "Old")
        XCTAssertEqual(record?.created, date(100))
        XCTAssertEqual(record?.updated, date(200))
        XCTAssertEqual(record?.messages, 4)
        XCTAssertEqual(record?.preferences.system, "be brief")

        let second = try await store.importConversation(
            imported("", id: nil, turns: [turn("older", at: 50)]))
        guard case .stored(let older) = second else { return XCTFail("\(second)") }
        XCTAssertEqual(older.title, "older")
        let list = try await store.list(limit: 9).map(\.id)
        XCTAssertEqual(list, [here, id, older.id])
        let latest = try await store.latest(kinds: [.repl])?.id
        XCTAssertEqual(latest, here)

        var stored = try await store.turns(of: id, last: 9)
        for index in stored.indices { stored[index].id = TurnID(0) }
        // Foreign text, although nothing in the parts says so.
        let foreign = turns.map { turn in
            var turn = turn
            turn.turn.carriesUntrustedText = true
            return turn
        }
        XCTAssertEqual(stored, foreign)
        let used = try await store.usage(since: .distantPast)
        XCTAssertEqual(used.map(\.provider), [.local])
        let problems = try await store.values("PRAGMA integrity_check")
        XCTAssertEqual(problems, ["ok"])
        await store.close()
    }

    func testAnImportedConversationIsGoneOnWithAndIsThenTheLatest() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        _ = try await say("here", in: store)
        _ = try await store.importConversation(imported("Old", id: id, turns: [turn("a", at: 1)]))
        let journal = store.journal(for: id, in: .repl)
        _ = try await journal.begin(user: .user("more"), isLocal: false)
        let latest = try await store.latest(kinds: [.repl])?.id
        XCTAssertEqual(latest, id)
        let texts = try await store.turns(of: id, last: 9).map { $0.turn.messages.count }
        XCTAssertEqual(texts, [2, 1])
        await store.close()
    }

    func testTheSameIDTwiceIsSkipped() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let file = imported("Old", id: id, turns: [turn("a", at: 1)])
        _ = try await store.importConversation(file)
        let record = try await store.conversation(id)
        let skipped = try await store.importConversation(file)
        XCTAssertEqual(skipped, record.map { .skipped($0) })
        let count = try await store.list(limit: 9).count
        XCTAssertEqual(count, 1)
        try await store.moveToTrash(id)
        let inTrash = try await store.importConversation(file)
        guard case .skipped(let deleted) = inTrash else { return XCTFail("\(inTrash)") }
        XCTAssertNotNil(deleted.deleted)
        await store.close()
    }

    func testOddFilesAreTakenAsFarAsTheyGo() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let none = try await store.importConversation(imported("None", id: id, turns: []))
        XCTAssertEqual(none, .empty)
        var open = turn("open", at: 5, status: .open)
        open.times = []
        open.ended = nil
        let odd = try await store.importConversation(
            imported("Odd", id: "../../etc/passwd", turns: [open]))
        guard case .stored(let record) = odd else { return XCTFail("\(odd)") }
        XCTAssertEqual(record.id.utf8.count, 36)
        let stored = try await store.turns(of: record.id, last: 1).first
        XCTAssertEqual(stored?.turn.status, .interrupted)
        XCTAssertEqual(stored?.times, [date(5), date(5)])
        await store.close()
    }
}
