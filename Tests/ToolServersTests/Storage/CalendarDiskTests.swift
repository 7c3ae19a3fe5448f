import AgentCore
import Base
import Foundation
import Persistence
import TestSupport
import XCTest

@testable import CalendarFiles

/// A disk that is full, read-only or gone: told, and nothing half done.
final class CalendarDiskTests: XCTestCase {
    /// A small file system of its own; gone with the value.
    private final class SmallDisk {
        let path: String

        init(_ path: String) throws {
            self.path = path
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
            guard Self.run("mount", "-t", "tmpfs", "-o", "size=192k", "tmpfs", path) else {
                throw XCTSkip("only root can make a file system of a given size here")
            }
        }

        deinit { _ = Self.run("umount", "-l", path) }

        func makeReadOnly() -> Bool { Self.run("mount", "-o", "remount,ro", path) }

        /// Takes what is left, page by page, so that no byte is.
        func fill() throws {
            let file = open(path + "/filler", O_WRONLY | O_CREAT, 0o600)
            defer { close(file) }
            let page = [UInt8](repeating: 1, count: 4_096)
            while write(file, page, page.count) == page.count {}
        }

        private static func run(_ words: String...) -> Bool {
            let process = Process.apart()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = words
            process.standardError = FileHandle.nullDevice
            do { try process.run() } catch { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }
    }

    private func assertFails(
        _ code: Int32, line: UInt = #line, _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            XCTFail("claimed to have worked", line: line)
        } catch let error as FileCallError {
            XCTAssertEqual(error.code, code, "\(error)", line: line)
        } catch { XCTFail("\(error)", line: line) }
    }

    /// Each kind of write; `step` names a file that exists.
    private func assertNothingCanBeWritten(
        _ folder: CalendarFolder, _ code: Int32, deleting: Bool
    ) async throws {
        let path = folder.list + "/a.ics"
        let bytes = try folder.bytes(path)
        let names = try folder.names(folder.list)
        let steps = try await folder.store.steps(limit: 9)
        await assertFails(code) {
            _ = try await folder.store.create(
                CalendarUndoTests.todo("x"), uid: "new", in: "reminders",
                step: CalendarUndoTests.step("created"))
        }
        await assertFails(code) {
            try await folder.store.change(path, step: CalendarUndoTests.step("renamed")) {
                CalendarUndoTests.retitle(&$0, String(repeating: "long ", count: 2_000))
            }
        }
        if deleting {
            await assertFails(code) {
                try await folder.store.delete(path, step: CalendarUndoTests.step("deleted"))
            }
        }
        XCTAssertEqual(try folder.bytes(path), bytes)
        XCTAssertEqual(try folder.names(folder.list), names)
        let after = try await folder.store.steps(limit: 9)
        XCTAssertEqual(after, steps)
    }

    func testAFullDiskIsToldAndLeavesEverythingAsItWas() async throws {
        let folder = try CalendarFolder()
        let disk = try SmallDisk(folder.root)
        _ = try await folder.store.create(
            CalendarUndoTests.todo("a"), uid: "a", in: "reminders",
            step: CalendarUndoTests.step("created"))
        try disk.fill()
        try await assertNothingCanBeWritten(folder, ENOSPC, deleting: false)
        // Room is made, and it goes on without a new start.
        XCTAssertEqual(unlink(disk.path + "/filler"), 0)
        let file = try await folder.store.create(
            CalendarUndoTests.todo("b"), uid: "b", in: "reminders",
            step: CalendarUndoTests.step("created", "b"))
        XCTAssertTrue(FileManager.default.fileExists(atPath: file.path))
    }

    func testADiskWithoutRoomForNotesLetsTheReminderBeWritten() async throws {
        let folder = try CalendarFolder()
        let disk = try SmallDisk(folder.state)
        let store = folder.store
        _ = try await store.create(
            CalendarUndoTests.todo("a"), uid: "a", in: "reminders",
            step: CalendarUndoTests.step("created", "a"))
        let first = await store.takeUndoFailure()
        XCTAssertNil(first)
        try disk.fill()
        var failure: SQLiteError?
        for number in 0..<40 where failure == nil {
            let file = try await store.create(
                CalendarUndoTests.todo("n"), uid: "n\(number)", in: "reminders",
                step: CalendarUndoTests.step("created", "n"))
            XCTAssertTrue(FileManager.default.fileExists(atPath: file.path))
            failure = await store.takeUndoFailure()
        }
        XCTAssertEqual(failure?.reason, .full)
        XCTAssertEqual(unlink(disk.path + "/filler"), 0)
        _ = try await store.create(
            CalendarUndoTests.todo("z"), uid: "z", in: "reminders",
            step: CalendarUndoTests.step("created", "z"))
        let last = await store.takeUndoFailure()
        XCTAssertNil(last)
        let steps = try await store.steps(limit: 1).map(\.title)
        XCTAssertEqual(steps, ["z"])
    }

    func testAReadOnlyDiskIsTold() async throws {
        let folder = try CalendarFolder()
        let disk = try SmallDisk(folder.root)
        _ = try await folder.store.create(
            CalendarUndoTests.todo("a"), uid: "a", in: "reminders",
            step: CalendarUndoTests.step("created"))
        XCTAssertTrue(disk.makeReadOnly())
        let collections = try await folder.store.collections()
        XCTAssertEqual(collections.map(\.isReadOnly), [true])
        // Listing goes on.
        let files = try await folder.store.files()
        XCTAssertEqual(files.files.count, 1)
        try await assertNothingCanBeWritten(folder, EROFS, deleting: true)
        let step = try await folder.store.steps(limit: 1)[0]
        await assertFails(EROFS) { try await folder.store.undo(step.id) }
        let after = try await folder.store.steps(limit: 1)
        XCTAssertEqual(after, [step])
    }

    func testAReadOnlyFolderIsTold() async throws {
        guard getuid() != 0 else { throw XCTSkip("permissions do not bind root") }
        let folder = try CalendarFolder()
        try folder.put(CalendarFixtures.file("todoman.ics"), "a.ics")
        chmod(folder.list, 0o500)
        defer { chmod(folder.list, 0o700) }
        try await assertNothingCanBeWritten(folder, EACCES, deleting: true)
    }

    func testAFolderThatVanishedIsTold() async throws {
        let folder = try CalendarFolder()
        try folder.put(CalendarFixtures.file("todoman.ics"), "a.ics")
        let path = folder.list + "/a.ics"
        let step = CalendarUndoTests.step("renamed")
        try await folder.store.change(path, step: step) { CalendarUndoTests.retitle(&$0, "b") }
        try FileManager.default.removeItem(atPath: folder.list)
        await assertFails(0) {
            try await folder.store.change(path, step: CalendarUndoTests.step("x")) {
                CalendarUndoTests.retitle(&$0, "c")
            }
        }
        await assertFails(0) {
            try await folder.store.delete(path, step: CalendarUndoTests.step("x"))
        }
        do {
            try await folder.store.undo(step.id)
            XCTFail("claimed to have worked")
        } catch ToolError.failed(let text) { XCTAssertTrue(text.contains("is gone"), text) }
        let files = try await folder.store.files()
        XCTAssertEqual(files.files.count + files.problems.count, 0)
    }
}
