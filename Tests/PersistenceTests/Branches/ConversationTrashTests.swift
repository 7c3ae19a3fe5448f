import AgentCore
import Foundation
import XCTest

@testable import Persistence

final class ConversationTrashTests: XCTestCase {
    private func add(_ text: String, to store: ConversationStore) async throws -> String {
        let id = await store.newConversation(kind: .repl, provider: .claude, model: "m").id
        let journal = store.journal(for: id, in: .repl)
        let turn = try await journal.begin(user: .user(text), isLocal: false)
        try await journal.close(turn, status: .done, usage: Usage(), note: nil)
        return id
    }

    func testWhatIsInTheTrashIsNeitherListedFoundResumedNorGoneOnWith() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let kept = try await add("kept zebra", to: store)
        let gone = try await add("gone zebra", to: store)
        let isFirst = try await store.moveToTrash(gone)
        let isSecond = try await store.moveToTrash(gone)
        XCTAssertEqual([isFirst, isSecond], [true, false])

        var found: [[String]] = []
        found.append(try await store.list(limit: 9).map(\.id))
        found.append(try await store.find("zebra").map(\.id))
        found.append(try await store.find("0000").map(\.id))
        found.append(try await store.find("Zébra").map(\.id))
        found.append([try await store.latest(kinds: [.repl])?.id ?? ""])
        found.append([try await store.latest(kinds: [.repl, .oneshot])?.id ?? ""])
        XCTAssertEqual(found, [[kept], [kept], [kept], [], [kept], [kept]])
        await XCTAssertReason(.notFound) {
            _ = try await store.journal(for: gone, in: .repl)
                .begin(user: .user("more"), isLocal: false)
        }
        await XCTAssertReason(.notFound) { _ = try await store.fork(gone) }
        await XCTAssertReason(.notFound) { try await store.moveToTrash("nobody") }
        let trash = try await store.deleted()
        XCTAssertEqual(trash.map(\.id), [gone])
        XCTAssertNotNil(trash.first?.deleted)
        await store.close()
    }

    func testTwoHundredDeletedConversationsComeBackAsTheyWere() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        var ids: [String] = []
        for number in 0..<200 { ids.append(try await add("text \(number)", to: store)) }
        let query = """
            SELECT * FROM conversations c JOIN turns t ON t.conversation = c.seq
            JOIN messages m ON m.turn = t.id JOIN parts p ON p.message = m.id ORDER BY p.id
            """
        let before = try await store.values(query, columns: 30)
        for id in ids { try await store.moveToTrash(id) }
        let empty = try await store.list(limit: 5)
        XCTAssertEqual(empty, [])
        for id in ids {
            let isBack = try await store.restore(id)
            XCTAssertTrue(isBack)
        }
        let after = try await store.values(query, columns: 30)
        XCTAssertEqual(after, before)
        let isBackTwice = try await store.restore(ids[0])
        XCTAssertFalse(isBackTwice)
        await store.close()
    }

    func testErasingLeavesNoWordInAnyFile() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let kept = try await add("an ordinary walrus", to: store)
        let gone = try await add("a secret pangolin", to: store)
        let notErased = try await store.erase([kept, gone]).ids
        XCTAssertEqual(notErased, [])
        try await store.moveToTrash(gone)
        let erased = try await store.erase([kept, gone]).ids
        XCTAssertEqual(erased, [gone])
        for suffix in ["", "-wal"] {
            let bytes = (try? folder.bytes(suffix)) ?? Data()
            XCTAssertNil(bytes.range(of: Data("pangolin".utf8)), suffix)
        }
        XCTAssertNotNil(try folder.bytes().range(of: Data("walrus".utf8)))
        let trash = try await store.deleted()
        let list = try await store.list(limit: 5).map(\.id)
        let rows = try await store.values("SELECT count(*) FROM parts")
        XCTAssertEqual(trash, [])
        XCTAssertEqual(list + rows, [kept, "1"])
        await store.close()
    }

    func testErasingLeavesNoWordInTheCopiesThatMigrationsMade() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let kept = try await add("an ordinary walrus", to: store)
        let gone = try await add("a secret pangolin", to: store)
        let copy = Migrator.backupMark + "9-20260101T000000Z"
        XCTAssertTrue(try DatabaseFile.create(folder.database + copy))
        try await folder.foreign { try $0.copy(to: folder.database + copy) }
        try Data("no database".utf8).write(to: URL(fileURLWithPath: folder.database + copy + "2"))
        try await store.moveToTrash(gone)
        let left = try await store.erase([gone]).left
        XCTAssertEqual(left.backups, [folder.database + copy + "2"])
        XCTAssertEqual(
            left.notices,
            ["A backup from before an update could not be cleaned: rm \(left.backups[0])"])
        XCTAssertNil(try folder.bytes(copy).range(of: Data("pangolin".utf8)))
        XCTAssertNotNil(try folder.bytes(copy).range(of: Data("walrus".utf8)))
        let list = try await store.list(limit: 5).map(\.id)
        XCTAssertEqual(list, [kept])
        await store.close()
    }
}
