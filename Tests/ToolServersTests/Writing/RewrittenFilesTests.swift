import Base
import Foundation
import Glibc
import TestSupport
import XCTest

@testable import Library
@testable import Texts

/// Files that are replaced in one step, and taken back, on a real disk.
final class RewrittenFilesTests: XCTestCase {
    private let clock = ManualClock()

    private func files(_ folder: TemporaryFolder) -> RewrittenFiles {
        RewrittenFiles(folder: folder.path("state"), environment: clock.environment)
    }

    private func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    func testAFileIsReplacedAndItsBytesComeBack() async throws {
        let folder = try TemporaryFolder()
        let old = Array("\u{FEFF}teh cat\r\nsat".utf8)
        try folder.write(old, to: "notes.md")
        let path = folder.path("notes.md")
        chmod(path, 0o640)
        symlink("notes.md", folder.path("link.md"))
        let files = files(folder)
        let none = try await files.history(undone: false, limit: 10)
        XCTAssertEqual(none, [])
        let file = try await files.read(folder.path("link.md"))
        XCTAssertEqual(file.text, "teh cat\r\nsat")
        try await files.rewrite(file, to: "The cat\r\nsat", verb: "proofread")
        XCTAssertEqual(try bytes(path), Array("\u{FEFF}The cat\r\nsat".utf8))
        var status = stat()
        XCTAssertEqual(stat(path, &status), 0)
        XCTAssertEqual(status.st_mode & 0o7777, 0o640)
        XCTAssertEqual(lstat(folder.path("link.md"), &status), 0)
        XCTAssertEqual(status.st_mode & S_IFMT, S_IFLNK)

        let steps = try await files.history(undone: false, limit: 10)
        XCTAssertEqual(
            steps.map { [$0.verb, $0.kind, $0.title, $0.subject] },
            [["proofread", "file", "link.md", file.realPath]])
        XCTAssertEqual(steps[0].paths, [file.realPath])
        XCTAssertTrue(steps[0].isFromHere)
        // Another process knows it, too.
        let other = self.files(folder)
        let step = try await XCTUnwrapAsync(try await other.history(undone: false, limit: 10).first)
        XCTAssertFalse(step.isFromHere)
        try await other.undo(step)
        XCTAssertEqual(try bytes(path), old)
        let undone = try await other.history(undone: true, limit: 10)
        XCTAssertEqual(undone.map(\.id), [step.id])
        try await other.redo(undone[0])
        XCTAssertEqual(try bytes(path), Array("\u{FEFF}The cat\r\nsat".utf8))
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted(),
            ["link.md", "notes.md", "state"])
    }

    private func XCTUnwrapAsync<T>(_ value: T?) async throws -> T { try XCTUnwrap(value) }

    func testWhatWasChangedSinceIsNeverLost() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("teh cat sat".utf8), to: "a.md")
        let files = files(folder)
        let file = try await files.read(folder.path("a.md"))
        try folder.write(Array("another text".utf8), to: "a.md")
        await XCTAssertThrows(.changedMeanwhile) {
            try await files.rewrite(file, to: "The cat sat", verb: "proofread")
        }
        XCTAssertEqual(try bytes(folder.path("a.md")), Array("another text".utf8))
        let none = try await files.history(undone: false, limit: 10)
        XCTAssertEqual(none, [], "what did not happen cannot be undone")

        let now = try await files.read(folder.path("a.md"))
        try await files.rewrite(now, to: "the other text", verb: "rewrote")
        try folder.write(Array("edited by hand".utf8), to: "a.md")
        let step = try await XCTUnwrapAsync(try await files.history(undone: false, limit: 1).first)
        await XCTAssertThrows(.changedSince) { try await files.undo(step) }
        XCTAssertEqual(try bytes(folder.path("a.md")), Array("edited by hand".utf8))
        try FileManager.default.removeItem(atPath: folder.path("a.md"))
        await XCTAssertThrows(.gone) { try await files.undo(step) }
    }

    func testWhatCannotBeWorkedOnSaysSo() async throws {
        let folder = try TemporaryFolder()
        let files = files(folder)
        try folder.write(Array("a\0b".utf8), to: "zero")
        try folder.write([0xFF, 0xFE, 0x41, 0x00], to: "utf16")
        try folder.write(Array(" \n".utf8), to: "blank")
        try folder.write([UInt8](repeating: 0x41, count: 3 << 20), to: "large")
        mkfifo(folder.path("pipe"), 0o600)
        for (name, reason) in [
            ("zero", WritingFileError.Reason.binary), ("utf16", .binary), ("blank", .empty),
            ("large", .tooLarge(3 << 20)), ("", .file(.isFolder)), ("pipe", .file(.notRegular)),
            ("absent", .file(.system(ENOENT))),
        ] {
            await XCTAssertThrows(reason) { _ = try await files.read(folder.path(name)) }
        }
        try folder.write(Array("one text here".utf8), to: "one")
        link(folder.path("one"), folder.path("two"))
        let linked = try await files.read(folder.path("one"))
        await XCTAssertThrows(.linked(2)) {
            try await files.rewrite(linked, to: "another", verb: "rewrote")
        }
        XCTAssertEqual(try bytes(folder.path("two")), Array("one text here".utf8))
    }

    /// Here the place of the log is taken; a full disk fails it in the same way.
    func testAFileIsLeftAloneWhereItsBytesCannotBeNoted() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("teh cat sat".utf8), to: "a.md")
        try folder.write(
            Array("no database at all, and long enough to be looked at".utf8), to: "state")
        let files = files(folder)
        let file = try await files.read(folder.path("a.md"))
        do {
            try await files.rewrite(file, to: "The cat sat", verb: "proofread")
            XCTFail()
        } catch let error as WritingFileError {
            guard case .notNoted = error.reason else { return XCTFail("\(error)") }
        }
        XCTAssertEqual(try bytes(folder.path("a.md")), Array("teh cat sat".utf8))
    }

    private func XCTAssertThrows(
        _ reason: WritingFileError.Reason, line: UInt = #line,
        _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            XCTFail("nothing was thrown", line: line)
        } catch {
            XCTAssertEqual((error as? WritingFileError)?.reason, reason, "\(error)", line: line)
        }
    }
}
