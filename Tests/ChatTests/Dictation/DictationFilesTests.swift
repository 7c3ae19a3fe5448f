import Foundation
import Glibc
import TestSupport
import XCTest

@testable import chat

/// Where recordings lie, and that none is lost or replaced.
final class DictationFilesTests: XCTestCase {
    private func write(_ path: String, _ count: Int = 100) throws {
        try Data(repeating: 7, count: count).write(to: URL(fileURLWithPath: path))
    }

    private func there(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    func testWhatLiesThereAtTheEndIsKeptAndAnEmptyOneIsNot() async throws {
        let folder = try TemporaryFolder()
        let files = DictationFiles(folder.path("recordings"))
        let place = try await files.begin("one")
        try write(place.folder + "/memo.wav")
        try write(place.folder + "/empty.wav", 44)
        let kept = await files.end(place)
        XCTAssertEqual(kept, [folder.path("recordings/memo.wav")])
        XCTAssertTrue(there(folder.path("recordings/memo.wav")))
        XCTAssertFalse(there(place.folder))
    }

    func testTwoOfOneNameAreBothKept() async throws {
        let folder = try TemporaryFolder()
        let files = DictationFiles(folder.path("recordings"))
        for name in ["one", "two", "three"] {
            let place = try await files.begin(name)
            try write(place.folder + "/memo.wav")
            await files.end(place)
        }
        for name in ["memo.wav", "memo (2).wav", "memo (3).wav"] {
            XCTAssertTrue(there(folder.path("recordings/" + name)), name)
        }
    }

    func testOnlyWhatNobodyWorksOnIsRescued() async throws {
        let folder = try TemporaryFolder()
        let files = DictationFiles(folder.path("recordings"))
        let working = try await files.begin("working")
        try write(working.folder + "/mine.wav")
        var left: DictationFiles.RecordingFolder? = try await files.begin("left")
        try write(try XCTUnwrap(left).folder + "/left.wav")
        left = nil
        XCTAssertNil(left)
        let rescued = await files.rescue()
        XCTAssertEqual(rescued, [folder.path("recordings/left.wav")])
        XCTAssertTrue(there(working.folder + "/mine.wav"))
        let again = await files.rescue()
        XCTAssertEqual(again, [])
        await files.end(working)
    }

    func testAWantedNameIsNeverOverAFileAndAFolderIsAskedBefore() async throws {
        let folder = try TemporaryFolder()
        let files = DictationFiles(folder.path("recordings"))
        let wanted = folder.path("memo.wav")
        try await files.check(wanted)
        let place = try await files.begin("one")
        try write(place.folder + "/a.wav", 3_000_000)
        let kept = try await files.keep(place.folder + "/a.wav", as: wanted)
        XCTAssertEqual(kept, wanted)
        XCTAssertEqual(try Data(contentsOf: URL(fileURLWithPath: wanted)).count, 3_000_000)
        for path in [wanted, folder.path("nowhere/memo.wav")] {
            do {
                try await files.check(path)
                XCTFail("\(path) was accepted")
            } catch {
                XCTAssertEqual(error.path, path)
            }
        }
        try write(place.folder + "/b.wav")
        do {
            _ = try await files.keep(place.folder + "/b.wav", as: wanted)
            XCTFail("a file was replaced")
        } catch {
            XCTAssertEqual(error.code, EEXIST)
        }
        XCTAssertTrue(there(place.folder + "/b.wav"))
        await files.end(place)
    }

    /// Another file system, where there is one.
    func testAcrossFileSystemsItIsCopied() async throws {
        let folder = try TemporaryFolder()
        var here = stat()
        var other = stat()
        let target = "/dev/shm/chat-test-\(getpid()).wav"
        guard stat(folder.path(""), &here) == 0, stat("/dev/shm", &other) == 0,
            here.st_dev != other.st_dev, access("/dev/shm", W_OK) == 0
        else { throw XCTSkip("there is no second file system") }
        defer { unlink(target) }
        let files = DictationFiles(folder.path("recordings"))
        let place = try await files.begin("one")
        try write(place.folder + "/a.wav", 2_500_000)
        _ = try await files.keep(place.folder + "/a.wav", as: target)
        XCTAssertEqual(try Data(contentsOf: URL(fileURLWithPath: target)).count, 2_500_000)
        XCTAssertFalse(there(place.folder + "/a.wav"))
        await files.end(place)
    }
}
