import AgentCore
import Foundation
import XCTest

@testable import Persistence

final class DatabaseFileTests: XCTestCase {
    private func mode(_ path: String) throws -> Int {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw SQLiteError.system("lstat", path: path) }
        return Int(status.st_mode & 0o777)
    }

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    func testFilesAndFoldersArePrivateWhateverTheMask() async throws {
        for mask in [0o000, 0o022, 0o077] as [mode_t] {
            let before = umask(mask)
            defer { umask(before) }
            let folder = try StoreFolder()
            let path = folder.path + "/a/b/chat.db"
            let store = try ConversationStore(path: path, environment: World().environment)
            let id = await store.newConversation(kind: .repl, provider: .local, model: "m").id
            _ = try await store.journal(for: id, in: .repl).begin(
                user: .user("x"), isLocal: false)
            let lock = try ConversationLock.acquire(folder: folder.path + "/s/locks", id: "x")
            XCTAssertEqual(
                try [
                    "/a", "/a/b", "/a/b/chat.db", "/a/b/chat.db-wal", "/a/b/chat.db-shm", "/s",
                    "/s/locks", "/s/locks/x.lock",
                ].map { try mode(folder.path + $0) },
                [0o700, 0o700, 0o600, 0o600, 0o600, 0o700, 0o700, 0o600])
            withExtendedLifetime(lock) {}
            await store.close()
        }
    }

    func testWhatIsNoPlainFileOfOursIsRefusedAndUntouched() async throws {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            for kind in ["symlink", "dangling", "hard link", "fifo", "folder"] {
                let folder = try StoreFolder()
                try DatabaseFile.makeFolder(folder.path + "/data")
                let target = folder.database + suffix
                let victim = folder.path + "/victim"
                try write("victim", to: victim)
                let made: Int32 =
                    switch kind {
                    case "symlink": symlink(victim, target)
                    case "dangling": symlink(folder.path + "/nothing", target)
                    case "hard link": link(victim, target)
                    case "fifo": mkfifo(target, 0o600)
                    default: mkdir(target, 0o700)
                    }
                XCTAssertEqual(made, 0)
                await XCTAssertReason(.cannotOpen) { _ = try folder.store() }
                XCTAssertEqual(try String(contentsOfFile: victim, encoding: .utf8), "victim")
                XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path + "/nothing"))
            }
        }
    }

    func testAFolderThatIsAFileOrALinkedFolder() async throws {
        let folder = try StoreFolder()
        try write("x", to: folder.path + "/data")
        await XCTAssertReason(.cannotOpen) { _ = try folder.store() }
        let linked = try StoreFolder()
        try DatabaseFile.makeFolder(linked.path + "/real")
        XCTAssertEqual(symlink(linked.path + "/real", linked.path + "/data"), 0)
        let store = try linked.store()
        XCTAssertEqual(store.path, linked.path + "/real/chat.db")
        await store.close()
    }

    func testALogWithoutItsDatabaseIsNotThrownAway() async throws {
        for isEmptyFile in [false, true] {
            let folder = try StoreFolder()
            let store = try folder.store()
            let id = await store.newConversation(kind: .repl, provider: .local, model: "m").id
            _ = try await store.journal(for: id, in: .repl).begin(
                user: .user("x"), isLocal: false)
            let copy = try folder.copyOfNow()
            let log = try copy.bytes("-wal")
            if isEmptyFile {
                try write("", to: copy.database)
            } else {
                XCTAssertEqual(unlink(copy.database), 0)
            }
            await XCTAssertReason(.corrupt) { _ = try copy.store() }
            XCTAssertEqual(try copy.bytes("-wal"), log)
            await store.close()
        }
    }

    func testAnEmptyFileIsANewDatabase() async throws {
        let folder = try StoreFolder()
        try DatabaseFile.makeFolder(folder.path + "/data")
        try write("", to: folder.database)
        let store = try folder.store()
        let listed = try await store.list(limit: 1)
        XCTAssertEqual(listed, [])
        await store.close()
    }

    func testAFileThatMayOnlyBeReadIsReadAndWritesAreTold() async throws {
        try XCTSkipIf(geteuid() == 0, "root may write everything")
        let folder = try StoreFolder()
        let first = try folder.store()
        await first.close()
        XCTAssertEqual(chmod(folder.database, 0o400), 0)
        let store = try folder.store()
        let id = await store.newConversation(kind: .repl, provider: .local, model: "m").id
        await XCTAssertReason(.readOnly) {
            _ = try await store.journal(for: id, in: .repl).begin(
                user: .user("x"), isLocal: false)
        }
        await store.close()
    }

    func testAFullDiskIsToldAndNothingIsLost() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let id = await store.newConversation(kind: .repl, provider: .local, model: "m").id
        let journal = store.journal(for: id, in: .repl)
        let first = try await journal.begin(user: .user("kept"), isLocal: false)
        try await journal.append("streamed", kind: .text, to: first)
        // SQLite itself refuses to grow, as it does when the disk is full.
        let pages = try await store.values("PRAGMA page_count").first ?? ""
        try await store.script("PRAGMA max_page_count=\(pages)")
        let large = String(repeating: "x", count: 100_000)
        await XCTAssertReason(.full) {
            try await journal.record(Message(role: .assistant, parts: [.text(large)]), in: first)
        }
        await XCTAssertReason(.full) {
            _ = try await journal.begin(user: .user(large), isLocal: false)
        }
        try await store.script("PRAGMA max_page_count=1000000")
        try await journal.close(first, status: .failed, usage: Usage(), note: nil)
        let turns = try await store.turns(of: id, last: 9)
        XCTAssertEqual(turns.map { $0.turn.messages.map(\.text) }, [["kept", "streamed"]])
        await store.close()
    }
}
