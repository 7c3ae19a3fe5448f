import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import Persistence

/// The kept bodies as files: private, compressed, and gone with what they were about.
final class SentBodiesTests: XCTestCase {
    private func sent(
        _ store: ConversationStore, for conversation: String? = nil
    ) async throws -> Int64 {
        try await store.recordSending(
            Outgoing(.turn, conversation: conversation), host: "a.example", bytes: 1)
    }

    func testABodyIsAPrivateCompressedFileAndAResponseNeedsItsRequest() throws {
        let folder = try TemporaryFolder()
        let bodies = SentBodies(beside: folder.path("chat.db"))
        let text = String(repeating: "the same words again, ", count: 500)
        try bodies.keep(text, as: .request, of: 7)
        try bodies.keep("yes", as: .response, of: 7)
        try bodies.keep("late", as: .response, of: 8)
        XCTAssertEqual(bodies.text(.request, of: 7), text)
        XCTAssertEqual(bodies.text(.response, of: 7), "yes")
        XCTAssertNil(bodies.text(.response, of: 8))
        XCTAssertEqual(FilePath.names(in: bodies.folder)?.sorted(), ["7.request", "7.response"])
        let facts = try FileManager.default.attributesOfItem(
            atPath: bodies.folder + "/7.request")
        XCTAssertEqual(facts[.posixPermissions] as? Int, 0o600)
        XCTAssertLessThan(facts[.size] as? Int ?? .max, text.utf8.count / 20)
        let mode = try FileManager.default.attributesOfItem(atPath: bodies.folder)
        XCTAssertEqual(mode[.posixPermissions] as? Int, 0o700)
    }

    func testAConversationTakesItsBodiesAlongIntoTheTrash() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let bodies = SentBodies(beside: store.path)
        let id = await store.newConversation(kind: .repl, provider: .claude, model: "m").id
        let journal = store.journal(for: id, in: .repl)
        let turn = try await journal.begin(user: .user("a"), isLocal: false)
        try await journal.close(turn, status: .done, usage: Usage(), note: nil)
        let (own, other) = (try await sent(store, for: id), try await sent(store, for: "x"))
        for row in [own, other] { try bodies.keep("words", as: .request, of: row) }
        try await store.moveToTrash(id)
        XCTAssertEqual(FilePath.names(in: bodies.folder), ["\(other).request"])
        // One that was sent while it was in the trash.
        let late = try await sent(store, for: id)
        try bodies.keep("words", as: .request, of: late)
        try await store.erase([id])
        XCTAssertEqual(FilePath.names(in: bodies.folder), ["\(other).request"])
        await store.close()
    }

    func testAnItemTakesAlongWhatWasSentForNoConversation() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let library = LibraryStore(path: store.path, environment: ManualClock().environment)
        let bodies = SentBodies(beside: store.path)
        let (own, other) = (try await sent(store), try await sent(store, for: "x"))
        let item = try await library.add([ItemDraft(kind: .idea, title: "Tea", body: "hot")])
        for row in [own, other] { try bodies.keep("words", as: .request, of: row) }
        _ = try await library.trash(item.map(\.id))
        XCTAssertEqual(FilePath.names(in: bodies.folder), ["\(other).request"])
        try bodies.keep("words", as: .request, of: own)
        _ = try await library.emptyTrash()
        XCTAssertEqual(FilePath.names(in: bodies.folder), ["\(other).request"])
        await library.close()
        await store.close()
    }

    func testOldBodiesGo() throws {
        let folder = try TemporaryFolder()
        let bodies = SentBodies(beside: folder.path("chat.db"))
        for row in [1, 2] as [Int64] { try bodies.keep("words", as: .request, of: row) }
        let then = Date(timeIntervalSince1970: 1_700_000_000)
        for (row, days) in [(1, 8.0), (2, 6.0)] {
            try FileManager.default.setAttributes(
                [.modificationDate: then - days * 86_400],
                ofItemAtPath: bodies.folder + "/\(row).request")
        }
        bodies.prune(before: then - 7 * 86_400)
        XCTAssertEqual(FilePath.names(in: bodies.folder), ["2.request"])
    }
}
