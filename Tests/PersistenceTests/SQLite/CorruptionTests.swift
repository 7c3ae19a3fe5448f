import AgentCore
import Foundation
import XCTest

@testable import Persistence

/// Damaged files: whatever the damage, the program goes on, says so or reads
/// what it can, and never makes a new database of an old one.
final class CorruptionTests: XCTestCase {
    private func original() async throws -> StoreFolder {
        let folder = try StoreFolder()
        let store = try folder.store()
        for _ in 0..<8 {
            let id = await store.newConversation(kind: .repl, provider: .claude, model: "m").id
            let journal = store.journal(for: id, in: .repl)
            for _ in 0..<3 {
                let turn = try await journal.begin(
                    user: Message(role: .user, parts: Samples.everyPart), isLocal: false)
                try await journal.append(
                    String(repeating: "text ", count: 1_000), kind: .text, to: turn)
                try await journal.close(turn, status: .interrupted, usage: Usage(), note: nil)
            }
        }
        await store.close()
        return folder
    }

    private func damage(_ bytes: Data, _ random: inout SeededGenerator) -> Data {
        var bytes = bytes
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
                    1 << UInt8.random(in: 0..<8, using: &random)
            }
        case 1: bytes = bytes.prefix(Int.random(in: 1..<bytes.count, using: &random))
        case 2:
            let page = Int.random(in: 0..<bytes.count / 4_096, using: &random)
            bytes.replaceSubrange(
                page * 4_096..<(page + 1) * 4_096, with: Data(repeating: 0, count: 4_096))
        case 3:
            for _ in 0..<4 {
                bytes[Int.random(in: 0..<100, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
        default:
            let first = Int.random(in: 0..<bytes.count / 4_096, using: &random)
            let second = Int.random(in: 0..<bytes.count / 4_096, using: &random)
            let page = bytes.subdata(in: first * 4_096..<(first + 1) * 4_096)
            bytes.replaceSubrange(second * 4_096..<(second + 1) * 4_096, with: page)
        }
        return bytes
    }

    func testTwoHundredDamagedFilesNeverCrashAndAreNeverReset() async throws {
        let seed: UInt64 = 20_261_121
        print("seed \(seed)")
        var random = SeededGenerator(state: seed)
        let folder = try await original()
        let whole = try folder.bytes()
        var refused = 0
        var failed = 0
        for number in 0..<200 {
            let copy = try folder.copyOfNow()
            let bytes = damage(whole, &random)
            try bytes.write(to: URL(fileURLWithPath: copy.database))
            let store: ConversationStore
            do {
                store = try copy.store()
            } catch let error as SQLiteError {
                XCTAssertEqual(try copy.bytes(), bytes, "mutant \(number) was changed")
                XCTAssertEqual(error.path, copy.database)
                refused += 1
                continue
            }
            do {
                for record in try await store.list(limit: 100) {
                    _ = try await store.turns(of: record.id, last: 100)
                }
                _ = try await store.find("text")
                if let latest = try await store.latest(kinds: [.repl]) {
                    let journal = store.journal(for: latest.id, in: .repl)
                    let turn = try await journal.begin(user: .user("more"), isLocal: false)
                    try await journal.close(turn, status: .done, usage: Usage(), note: nil)
                }
            } catch is SQLiteError {
                failed += 1
            }
            await store.close()
            // A file that was opened was written by SQLite only: what is there
            // is the old content, never an empty database.
            if bytes.count > 8 * 4_096 {
                XCTAssertGreaterThan(try copy.bytes().count, 4 * 4_096, "mutant \(number)")
            }
        }
        print("refused at opening \(refused), failed later \(failed)")
        XCTAssertGreaterThan(refused, 20)
        XCTAssertGreaterThan(failed, 10)
    }

    func testFilesThatAreNoDatabaseAreRefusedUntouched() async throws {
        let texts = [
            "x", "xy", String(repeating: "x", count: 99),
            String(repeating: "not a database ", count: 1_000),
            "SQLite format 3\0" + String(repeating: "\0", count: 5_000),
        ]
        for text in texts {
            let folder = try StoreFolder()
            try DatabaseFile.makeFolder(folder.path + "/data")
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.database))
            await XCTAssertReason(.notADatabase) { _ = try folder.store() }
            XCTAssertEqual(try folder.bytes(), Data(text.utf8))
        }
    }

    func testADamagedOrForeignLogNeverCrashes() async throws {
        var random = SeededGenerator(state: 11)
        let folder = try StoreFolder()
        let store = try folder.store()
        let id = await store.newConversation(kind: .repl, provider: .claude, model: "m").id
        let journal = store.journal(for: id, in: .repl)
        let turn = try await journal.begin(
            user: Message(role: .user, parts: Samples.everyPart), isLocal: false)
        try await journal.append(String(repeating: "a", count: 9_000), kind: .text, to: turn)
        let log = try folder.bytes("-wal")
        for _ in 0..<60 {
            let copy = try folder.copyOfNow()
            try damage(log, &random).write(to: URL(fileURLWithPath: copy.database + "-wal"))
            do {
                let opened = try copy.store()
                _ = try await opened.turns(of: id, last: 9)
                await opened.close()
            } catch is SQLiteError {
                continue
            }
        }
        await store.close()
    }

    func testATriggerOrViewOfAHostileFileDoesNotRun() async throws {
        let folder = try await original()
        try await folder.foreign { other in
            try other.script(
                "test",
                """
                CREATE TRIGGER evil AFTER INSERT ON turns BEGIN DELETE FROM messages; END;
                CREATE TRIGGER evil2 AFTER UPDATE ON conversations
                BEGIN UPDATE conversations SET title = 'owned'; END;
                """)
        }
        let store = try folder.store()
        let before = try await store.values("SELECT count(*) FROM messages")
        let latest = try await store.latest(kinds: [.repl])
        let id = try XCTUnwrap(latest?.id)
        let journal = store.journal(for: id, in: .repl)
        let turn = try await journal.begin(user: .user("more"), isLocal: false)
        try await journal.close(turn, status: .done, usage: Usage(), note: nil)
        let after = try await store.values("SELECT count(*) FROM messages")
        XCTAssertEqual([before, after], [["48"], ["49"]])
        let owned = try await store.values("SELECT count(*) FROM conversations WHERE title='owned'")
        XCTAssertEqual(owned, ["0"])
        await store.close()
    }
}
