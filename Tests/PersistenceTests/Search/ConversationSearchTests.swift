import AgentCore
import Foundation
import TestSupport
import XCTest

@testable import Persistence

final class ConversationSearchTests: XCTestCase {
    @discardableResult
    private func say(
        _ text: String, answer: [Part] = [], to store: ConversationStore, id: String? = nil
    ) async throws -> (id: String, turn: TurnID) {
        let id =
            if let id { id } else {
                await store.newConversation(kind: .repl, provider: .claude, model: "m").id
            }
        let journal = store.journal(for: id, in: .repl)
        let turn = try await journal.begin(
            user: Message(role: .user, parts: [.text(text), .text(.context("context words"))]),
            isLocal: false)
        if !answer.isEmpty {
            try await journal.record(Message(role: .assistant, parts: answer), in: turn)
        }
        try await journal.close(turn, status: .done, usage: Usage(), note: nil)
        return (id, turn)
    }

    private func found(_ query: String, in store: ConversationStore) async throws -> [String] {
        try await store.search(SearchQuery(query)).hits.map { hit in
            hit.conversation.title + ": "
                + hit.snippet.spans.map { $0.isMatch ? "[\($0.text)]" : $0.text }.joined()
        }
    }

    func testWordsOfPeopleAndModelsAreFoundAndNothingElse() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let call = ToolCall(id: "1", name: "giraffe", arguments: "{\"a\":\"giraffe\"}")
        try await say(
            "Trip to Oslo",
            answer: [
                .thinking(Thinking(text: "giraffe")),
                .text("The Color Line ferry leaves at 14:00."),
                .toolCall(call),
            ], to: store)
        let journal = store.journal(
            for: await store.newConversation(kind: .repl, provider: .claude, model: "m").id,
            in: .repl)
        let turn = try await journal.begin(user: .user("a plain question"), isLocal: false)
        try await journal.recordResult(
            ToolResult(callID: "1", name: "x", text: "giraffe"), in: turn)
        try await journal.append("partial walrus", kind: .text, to: turn)
        let notYet = try await found("walrus", in: store)
        try await journal.close(turn, status: .interrupted, usage: Usage(), note: nil)

        var all: [[String]] = [notYet]
        for query in [
            "walrus", "giraffe", "context", "osl", "FERRY color", "\"line ferry\"",
            "\"ferry line\"", "fer line", "line fer", "fer ", "oslo ferry", "",
        ] {
            all.append(try await found(query, in: store))
        }
        let oslo = "Trip to Oslo: "
        XCTAssertEqual(
            all,
            [
                [], ["a plain question: partial [walrus]"], [], [], [oslo + "Trip to [Oslo]"],
                [oslo + "The [Color] Line [ferry] leaves at 14:00."],
                [oslo + "The Color [Line ferry] leaves at 14:00."], [], [],
                [oslo + "The Color [Line] [ferry] leaves at 14:00."], [], [], [],
            ])
        await store.close()
    }

    func testEveryScriptIsFoundWithAndWithoutAccents() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        for text in [
            "明日の会議は三時です", "Crème Brûlée", "회의에서 만나요", "ประชุมพรุ่งนี้", "Встреча в Москве",
            "AI会議room", "موعد الاجتماع",
        ] {
            try await say(text, to: store)
        }
        var all: [String: [String]] = [:]
        for query in ["会議", "会", "三時", "議会", "creme brulee", "회의", "ประชุม", "встр", "room", "موعد"]
        {
            all[query] = try await store.search(SearchQuery(query)).hits.map(\.conversation.title)
        }
        XCTAssertEqual(
            all,
            [
                "会議": ["AI会議room", "明日の会議は三時です"], "会": ["AI会議room", "明日の会議は三時です"],
                "三時": ["明日の会議は三時です"], "議会": [], "creme brulee": ["Crème Brûlée"],
                "회의": ["회의에서 만나요"], "ประชุม": ["ประชุมพรุ่งนี้"], "встр": ["Встреча в Москве"],
                "room": ["AI会議room"], "موعد": ["موعد الاجتماع"],
            ])
        await store.close()
    }

    func testABeginningFindsEveryWordThatBeginsSoFewOrMany() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        // More than a hundred words begin with "wa", two with "waz", one with "wazé".
        let words =
            (0..<120).map { "wa\($0)" } + ["Wazübel", "WAZ\u{C9}N", "wo", "w", "xwaz", "waz"]
        for word in words { try await say("old \(word) tree", to: store) }
        var all: [String: Int] = [:]
        for query in [
            "wa", "waz", "WAZ", "waze", "wazu", "old wa", "tree waz", "old \"tree waz", "wax",
        ] {
            all[query] = try await store.search(SearchQuery(query), limit: 500).hits.count
        }
        XCTAssertEqual(
            all,
            [
                "wa": 123, "waz": 3, "WAZ": 3, "waze": 1, "wazu": 1, "old wa": 123, "tree waz": 3,
                "old \"tree waz": 0, "wax": 0,
            ])
        await store.close()
    }

    func testNoTextIsASyntaxError() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        for text in Samples.naughty { try await say(text, to: store) }
        let odd = [
            "\"", "a\"b", "AND", "OR NOT", "NEAR(", "a NEAR/3 b", "^a", "*", "a*", "text:", "-",
            "+",
            "{a b}: c", ")(", "''", "\\", ";--",
        ]
        for text in Samples.naughty + odd {
            _ = try await store.search(SearchQuery(text))
            _ = try await store.search(SearchQuery("x " + text + " y"))
        }
        let hits = try await store.search(SearchQuery("drop table")).hits
        XCTAssertEqual(hits.map(\.conversation.title), ["''; DROP TABLE turns; --"])
        await store.close()
    }

    func testTheIndexFollowsForkReplacementTrashImportAndErasing() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let (first, _) = try await say("old pangolin", to: store)
        let (_, second) = try await say("second pangolin", to: store, id: first)
        let fork = try await store.fork(first)
        var all: [[String]] = []
        func look() async throws {
            all.append(try await store.search(SearchQuery("pangolin")).hits.map(\.conversation.id))
        }
        try await look()
        try await store.moveToTrash(fork.id)
        try await look()
        _ = try await store.journal(for: first, in: .repl, replacing: second)
            .begin(user: .user("second zebra"), isLocal: false)
        let seconds = try await found("second", in: store)
        XCTAssertEqual(seconds, ["old pangolin: [second] zebra"])
        try await store.restore(fork.id)
        try await look()
        try await store.moveToTrash(first)
        try await store.erase([first])
        try await look()
        let imported = try await store.importConversation(
            ImportedConversation(
                title: "in", provider: .openai, model: "x", created: .distantPast,
                updated: .distantPast, turns: try await store.turns(of: fork.id, last: 9)))
        guard case .stored(let record) = imported else { return XCTFail("\(imported)") }
        try await look()
        XCTAssertEqual(
            all,
            [[fork.id, first], [first], [fork.id, first], [fork.id], [fork.id, record.id]])
        let rows = try await store.values("SELECT count(*) FROM search")
        XCTAssertEqual(rows, ["4"])
        try await store.script("INSERT INTO search(search, rank) VALUES ('integrity-check', 1)")
        await store.close()
    }

    func testMessagesFromBeforeTheIndexAreIndexedInBatchesTheNewestFirst() async throws {
        let folder = try StoreFolder()
        let old = try Connection(path: try DatabaseFile.prepare(folder.database))
        try old.script("old", SchemaOne.sql)
        old.close()
        let store = try folder.store()
        var shares: [Double] = [try await store.unindexedShare()]
        try await say("a new ferry", to: store)
        var found: [[String]] = [try await self.found("ferry", in: store)]
        while try await !store.indexNextBatch(limit: 3) {
            shares.append(try await store.unindexedShare())
            found.append(try await self.found("ferry", in: store))
        }
        shares.append(try await store.unindexedShare())
        found.append(try await self.found("ferry", in: store))
        XCTAssertEqual(shares, [1, 5.0 / 8, 2.0 / 8, 0])
        let new = "a new ferry: a new [ferry]"
        XCTAssertEqual(
            found,
            [[new], [new], [new], [new, "Trip to Oslo: The Color Line [ferry]."]])
        let nothing = try await self.found("giraffe", in: store)
        let hidden = try await self.found("zebra", in: store)
        XCTAssertEqual(nothing + hidden, [])
        let again = try await store.indexNextBatch()
        XCTAssertTrue(again)
        await store.close()
    }

    func testSeveralInstancesIndexTogether() async throws {
        let folder = try StoreFolder()
        let old = try Connection(path: try DatabaseFile.prepare(folder.database))
        try old.script("old", SchemaOne.sql)
        old.close()
        let stores = [try folder.store(), try folder.store()]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in stores {
                group.addTask { while try await !store.indexNextBatch(limit: 1) {} }
            }
            try await group.waitForAll()
        }
        let rows = try await stores[0].values("SELECT rowid FROM search ORDER BY rowid")
        XCTAssertEqual(rows, ["1", "2", "5", "6", "7", "8"])
        for store in stores { await store.close() }
    }
}
