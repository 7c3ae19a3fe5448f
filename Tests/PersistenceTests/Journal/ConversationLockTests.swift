import Foundation
import Synchronization
import XCTest

@testable import Persistence

final class ConversationLockTests: XCTestCase {
    func testOnlyOneHolderAtATimeAlsoWithinAProcess() throws {
        let folder = try StoreFolder()
        var first = try ConversationLock.acquire(folder: folder.locks, id: "a-1")
        XCTAssertNotNil(first)
        XCTAssertNil(try ConversationLock.acquire(folder: folder.locks, id: "a-1"))
        XCTAssertNotNil(try ConversationLock.acquire(folder: folder.locks, id: "a-2"))
        first = nil
        XCTAssertNotNil(try ConversationLock.acquire(folder: folder.locks, id: "a-1"))
    }

    func testLettingGoRemovesTheFileAndALeftOneIsNoObstacle() throws {
        let folder = try StoreFolder()
        var lock = try ConversationLock.acquire(folder: folder.locks, id: "a")
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: folder.locks), ["a.lock"])
        XCTAssertEqual(lock?.conversation, "a")
        lock = nil
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder.locks), [])
        // What kill -9 leaves: the file without a holder.
        try Data().write(to: URL(fileURLWithPath: folder.locks + "/a.lock"))
        XCTAssertNotNil(try ConversationLock.acquire(folder: folder.locks, id: "a"))
    }

    func testManyAtOnceNeverHoldItTogether() async throws {
        let folder = try StoreFolder()
        let locks = folder.locks
        let inside = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<500 {
                        guard let lock = try ConversationLock.acquire(folder: locks, id: "x")
                        else { continue }
                        inside.enter()
                        inside.leave()
                        withExtendedLifetime(lock) {}
                    }
                }
            }
            try await group.waitForAll()
        }
        XCTAssertEqual(inside.most, 1)
    }

    func testAnIDThatIsNoIDAndAPathThatIsNoFileAreRefused() async throws {
        let folder = try StoreFolder()
        for id in ["", "../x", "a/b", "a.b", "ä", String(repeating: "a", count: 65)] {
            await XCTAssertReason(.cannotOpen) {
                _ = try ConversationLock.acquire(folder: folder.locks, id: id)
            }
        }
        try DatabaseFile.makeFolder(folder.locks)
        XCTAssertEqual(mkfifo(folder.locks + "/fifo.lock", 0o600), 0)
        let victim = folder.path + "/victim"
        try Data("v".utf8).write(to: URL(fileURLWithPath: victim))
        XCTAssertEqual(symlink(victim, folder.locks + "/link.lock"), 0)
        XCTAssertEqual(mkdir(folder.locks + "/folder.lock", 0o700), 0)
        for id in ["fifo", "link", "folder"] {
            await XCTAssertReason(.cannotOpen) {
                _ = try ConversationLock.acquire(folder: folder.locks, id: id)
            }
        }
        XCTAssertEqual(FileManager.default.contents(atPath: victim), Data("v".utf8))
    }
}

private final class Counter: Sendable {
    private let counts = Mutex((now: 0, most: 0))
    var most: Int { counts.withLock { $0.most } }

    func enter() {
        counts.withLock {
            $0.now += 1
            $0.most = max($0.most, $0.now)
        }
    }

    func leave() { counts.withLock { $0.now -= 1 } }
}
