import AgentCore
import Foundation
import ICalendar
import TestSupport
import XCTest

@testable import CalendarFiles

/// What is deleted can be had back, whichever way it went; and one item of a
/// file goes without the others.
final class CalendarDeletionTests: XCTestCase {
    func testTwoHundredDeletionsAreTakenBackByteForByte() async throws {
        let folder = try CalendarFolder(inMemory: true)
        let fixtures = try CalendarFixtures.all()
        let store = folder.store
        var restored = 0
        for round in 0..<200 {
            let (name, bytes) = fixtures[round % fixtures.count]
            let file = "\(round) \(name)"
            let path = folder.list + "/" + file
            try folder.put(bytes, file)
            let step = CalendarUndoTests.step("deleted", file)
            let uid = Self.uids(try CalendarParser.parse(bytes)).first
            let way = round % 4
            do {
                switch way {
                case 0, 1: try await store.delete(path, step: step)
                default: try await store.remove(uid: uid ?? "", from: path, step: step)
                }
            } catch {
                // No such item, or a file that is cut off: it is as it was.
                XCTAssertTrue(way >= 2, "\(error)")
                XCTAssertEqual(try folder.bytes(path), bytes)
                try await store.delete(path, step: step)
            }
            XCTAssertNotEqual(try? folder.bytes(path), bytes)
            let trash = Trash(path: folder.trash, now: { CalendarFolder.now })
            if way == 1 {
                // By the trash alone, without the notes.
                let entry = try XCTUnwrap(try trash.entries().first { $0.path == path })
                try trash.restore(entry)
            } else {
                try await folder.store.undo(step.id)
            }
            if try folder.bytes(path) == bytes { restored += 1 }
            XCTAssertEqual(try trash.entries().filter { $0.path == path }, [])
        }
        XCTAssertEqual(restored, 200)
    }

    private static func uids(_ content: Component) -> [String] {
        content.components("VCALENDAR").flatMap { $0.components() }.filter(\.isItem)
            .compactMap { $0.first("UID")?.value }
    }

    func testOneItemGoesAndTheOthersStayByteForByte() async throws {
        let folder = try CalendarFolder()
        let bytes = try CalendarFixtures.file("two-items.ics")
        let content = try CalendarParser.parse(bytes)
        let uids = Self.uids(content)
        XCTAssertGreaterThan(Set(uids).count, 1)
        try folder.put(bytes, "two.ics")
        let path = folder.list + "/two.ics"
        let steps = uids.map { CalendarUndoTests.step("deleted", $0) }
        try await folder.store.remove(uid: uids[0], from: path, step: steps[0])
        let rest = try folder.bytes(path)
        // Exactly the bytes of the one component are missing.
        let item = try XCTUnwrap(
            content.components("VCALENDAR")[0].components().first {
                $0.first("UID")?.value == uids[0]
            })
        let text = String(decoding: bytes, as: UTF8.self)
        let gone = String(decoding: CalendarWriter.bytes(item), as: UTF8.self)
        XCTAssertEqual(
            String(decoding: rest, as: UTF8.self), text.replacingOccurrences(of: gone, with: ""))
        do {
            try await folder.store.remove(uid: uids[0], from: path, step: steps[0])
            XCTFail("found twice")
        } catch ToolError.noMatch {
            // It is gone.
        }
        // The last one takes the file along.
        try await folder.store.remove(uid: uids[1], from: path, step: steps[1])
        XCTAssertEqual(try folder.names(folder.list), [])
        try await folder.store.undo(steps[1].id)
        XCTAssertEqual(try folder.bytes(path), rest)
        try await folder.store.undo(steps[0].id)
        XCTAssertEqual(try folder.bytes(path), bytes)
    }
}
