import Base
import Foundation
import TestSupport
import XCTest

@testable import CalendarFiles

final class TrashTests: XCTestCase {
    func testEveryDeletedFixtureComesBackByteForByte() throws {
        let folder = try CalendarFolder()
        let trash = Trash(path: folder.trash, now: { CalendarFolder.now })
        let fixtures = try CalendarFixtures.all()
        for (name, bytes) in fixtures { try folder.put(bytes, name) }
        let directory = folder.directory()
        for (name, _) in fixtures {
            _ = try directory.delete(name, expecting: try directory.item(name).etag)
        }
        XCTAssertEqual(try folder.names(folder.list), [])
        let entries = try trash.entries()
        XCTAssertEqual(
            Set(entries.map(\.path)), Set(fixtures.map { folder.list + "/" + $0.0 }))
        XCTAssertEqual(try folder.names(folder.trash).count, fixtures.count * 2)
        for entry in entries { try trash.restore(entry) }
        for (name, bytes) in fixtures {
            XCTAssertEqual(try folder.bytes(folder.list + "/" + name), bytes, name)
        }
        XCTAssertEqual(try folder.names(folder.trash), [])
    }

    func testRestoringNeverReplacesAFile() throws {
        let folder = try CalendarFolder()
        try folder.put([1], "x.ics")
        let directory = folder.directory()
        let entry = try directory.delete("x.ics", expecting: try directory.item("x.ics").etag)
        try folder.put([2], "x.ics")
        let trash = Trash(path: folder.trash, now: { CalendarFolder.now })
        XCTAssertThrowsError(try trash.restore(entry)) {
            XCTAssertEqual(($0 as? FileCallError)?.reason, .exists)
        }
        XCTAssertEqual(try folder.bytes(folder.list + "/x.ics"), [2])
        XCTAssertEqual(try trash.entries(), [entry])
    }

    /// What a kill between the note and the file leaves.
    func testANoteWithoutItsFileIsNoEntry() throws {
        let folder = try CalendarFolder()
        try folder.put([1], "x.ics")
        let directory = folder.directory()
        let entry = try directory.delete("x.ics", expecting: try directory.item("x.ics").etag)
        try FileManager.default.copyItem(
            atPath: folder.trash + "/\(entry.id).json", toPath: folder.trash + "/stray.json")
        let trash = Trash(path: folder.trash, now: { CalendarFolder.now })
        XCTAssertEqual(try trash.entries(), [entry])
    }

    func testTrashOnAnotherDeviceHoldsTheSameBytes() throws {
        var here = stat()
        var there = stat()
        let folder = try CalendarFolder()
        guard stat("/dev/shm", &there) == 0, stat(folder.path, &here) == 0,
            here.st_dev != there.st_dev, access("/dev/shm", W_OK) == 0
        else { throw XCTSkip("/dev/shm is no second device here") }
        let path = "/dev/shm/chat-test-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        let trash = Trash(path: path, now: { CalendarFolder.now })
        let directory = VDirectory(
            path: folder.list, trash: trash, uuid: folder.environment.uuid)
        let bytes = try CalendarFixtures.file("folded.ics")
        try folder.put(bytes, "x.ics")
        let entry = try directory.delete("x.ics", expecting: try directory.item("x.ics").etag)
        XCTAssertEqual(try folder.names(folder.list), [])
        XCTAssertEqual(try folder.bytes(path + "/\(entry.id).ics"), bytes)
        try trash.restore(entry)
        XCTAssertEqual(try folder.bytes(folder.list + "/x.ics"), bytes)
        XCTAssertEqual(try folder.names(path), [])
    }
}
