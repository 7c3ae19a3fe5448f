import Foundation
import TestSupport
import XCTest

@testable import Base

/// Locks against a real disk.
final class FileLockTests: XCTestCase {
    private func opened(_ path: String, _ flags: Int32 = O_RDWR | O_CREAT) throws -> Int32 {
        let descriptor = open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o600)
        XCTAssertGreaterThanOrEqual(descriptor, 0)
        addTeardownBlock { close(descriptor) }
        return descriptor
    }

    func testOneDescriptorHasItAndAnotherDoesNot() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("lock")
        let first = try opened(path)
        XCTAssertEqual(FileLock.take(first, at: path), .ours)
        XCTAssertEqual(FileLock.take(first, at: path), .ours)
        XCTAssertEqual(FileLock.take(try opened(path), at: path), .held)
    }

    func testAFileThatWasRemovedOrReplacedIsNotTheOneThatIsMeant() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("lock")
        let first = try opened(path)
        unlink(path)
        XCTAssertEqual(FileLock.take(first, at: path), .stale)
        let second = try opened(path)
        XCTAssertEqual(FileLock.take(first, at: path), .stale)
        XCTAssertEqual(FileLock.take(second, at: path), .ours)
    }

    func testAPipeOrAFolderIsRefused() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("pipe")
        XCTAssertEqual(mkfifo(path, 0o600), 0)
        XCTAssertEqual(FileLock.take(try opened(path, O_RDWR), at: path), .notRegular)
        let place = folder.path("")
        XCTAssertEqual(FileLock.take(try opened(place, O_RDONLY), at: place), .notRegular)
    }
}
