import Foundation
import TestSupport
import XCTest

@testable import Base

final class PrivateFolderTests: XCTestCase {
    func testATemporaryFolderIsPrivateAndIsRemovedWithItsContentOnly() throws {
        let base = try TemporaryFolder()
        XCTAssertEqual(PrivateFolder.make(base.path("kept")), 0)
        let kept = try base.write([1], to: "kept/file")
        let path = try XCTUnwrap(
            PrivateFolder.makeTemporary("chat-test", ["TMPDIR": base.path]))
        XCTAssert(path.hasPrefix(base.path("chat-test-")), path)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        XCTAssertEqual(mode as? Int, 0o700)
        XCTAssertEqual(PrivateFolder.make(path + "/inner"), 0)
        XCTAssertEqual(WholeFile.create([1], at: path + "/inner/a", syncs: false), 0)
        XCTAssertEqual(symlink(base.path("kept"), path + "/link"), 0)
        PrivateFolder.remove(path)
        XCTAssertFalse(FileManager.default.fileExists(atPath: path))
        XCTAssertTrue(FileManager.default.fileExists(atPath: kept))
    }

    func testOnlyAnAbsoluteTMPDIRIsUsed() throws {
        let path = try XCTUnwrap(PrivateFolder.makeTemporary("chat-test", ["TMPDIR": "here"]))
        defer { PrivateFolder.remove(path) }
        XCTAssert(path.hasPrefix("/tmp/chat-test-"), path)
        XCTAssertNil(PrivateFolder.makeTemporary("a", ["TMPDIR": "/nonexistent"]))
    }

    func testALockedFolderIsMadeAndHeldByOneAtATime() throws {
        let base = try TemporaryFolder()
        let lock = PrivateFolder.lock(base.path("a/b"))
        XCTAssertGreaterThanOrEqual(lock, 0)
        let other = open(base.path("a/b"), O_RDONLY | O_DIRECTORY)
        defer { close(other) }
        XCTAssertEqual(flock(other, LOCK_EX | LOCK_NB), -1)
        close(lock)
        XCTAssertEqual(flock(other, LOCK_EX | LOCK_NB), 0)
        try base.write([1], to: "file")
        XCTAssertEqual(PrivateFolder.lock(base.path("file")), -ENOTDIR)
    }
}
