import Foundation
import TestSupport
import XCTest

@testable import Base

final class PrivateFolderTests: XCTestCase {
    func testATemporaryFolderIsPrivateAndIsRemovedWithItsContentOnly() throws {
        let base = try TemporaryFolder()
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
}
