import Base
import Foundation
import ICalendar
import Synchronization
import XCTest

@testable import CalendarFiles

/// Another program writes between our reading and our writing, a thousand
/// times: nobody's change is lost, and nobody sees half a file.
final class CalendarConflictTests: XCTestCase {
    private enum Foreign: CaseIterable {
        case rewriteInPlace, sameSizeWithOldTimes, replace, replaceWithSameBytes, delete
        case deleteAndMakeAnew
    }

    /// Adds a line of its own to what is there. false: the file went.
    private static func act(_ foreign: Foreign, on path: String, mark: String) throws -> Bool {
        let old = String(
            decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        let new = Data(
            old.replacingOccurrences(
                of: "END:VTODO", with: "X-THEIRS:\(mark)\r\nEND:VTODO"
            ).utf8)
        let url = URL(fileURLWithPath: path)
        switch foreign {
        case .rewriteInPlace: try new.write(to: url)
        case .sameSizeWithOldTimes:
            var status = stat()
            XCTAssertEqual(stat(path, &status), 0)
            let changed = old.replacingOccurrences(of: "X-PLACE:........", with: "")
                .replacingOccurrences(of: "X-PLACE:--------", with: "X-PLACE:\(mark)")
            XCTAssertEqual(changed.utf8.count, old.utf8.count)
            try Data(changed.utf8).write(to: url)
            var times = [status.st_atim, status.st_mtim]
            XCTAssertEqual(utimensat(AT_FDCWD, path, &times, 0), 0)
        case .replace: try new.write(to: url, options: .atomic)
        case .replaceWithSameBytes: try Data(old.utf8).write(to: url, options: .atomic)
        case .delete:
            XCTAssertEqual(unlink(path), 0)
            return false
        case .deleteAndMakeAnew:
            XCTAssertEqual(unlink(path), 0)
            try new.write(to: url)
        }
        return true
    }

    private func file(_ uid: String) -> [UInt8] {
        Array(
            """
            BEGIN:VCALENDAR\r
            BEGIN:VTODO\r
            UID:\(uid)\r
            SUMMARY:before\r
            X-PLACE:--------\r
            END:VTODO\r
            END:VCALENDAR\r

            """.utf8)
    }

    func testAThousandInterleavingsLoseNoChange() async throws {
        let folder = try CalendarFolder(inMemory: true)
        let store = CalendarStore(
            roots: [folder.root], trash: folder.trash, environment: folder.environment)
        var lost = 0
        for round in 0..<1_000 {
            let foreign = Foreign.allCases[round % Foreign.allCases.count]
            let mark = String(String(10_000_000 + round).suffix(8))
            let path = folder.list + "/x.ics"
            try folder.put(file("x"), "x.ics")
            let isFirst = Atomic(true)
            let ours = CalendarUndoTests.step("renamed", "x")
            let deletes = round % 7 == 6
            do {
                if deletes {
                    try await store.delete(path, step: ours) { content in
                        if isFirst.exchange(false, ordering: .relaxed) {
                            _ = try Self.act(foreign, on: path, mark: mark)
                        } else {
                            // We see what they did, and may still go on.
                            XCTAssertTrue(
                                foreign == .replaceWithSameBytes
                                    || String(
                                        decoding: CalendarWriter.bytes(content), as: UTF8.self
                                    ).contains(mark), "\(foreign)")
                        }
                    }
                } else {
                    try await store.change(path, step: ours) { content in
                        CalendarUndoTests.retitle(&content, "after")
                        if isFirst.exchange(false, ordering: .relaxed) {
                            _ = try Self.act(foreign, on: path, mark: mark)
                        }
                    }
                }
                XCTAssertNotEqual(foreign, .delete)
                let text = deletes ? nil : String(decoding: try folder.bytes(path), as: UTF8.self)
                if let text {
                    let isTheirs = foreign == .replaceWithSameBytes || text.contains(mark)
                    if !isTheirs || !text.contains("SUMMARY:after") { lost += 1 }
                }
            } catch let error as FileCallError {
                // They deleted it, and it stays so.
                XCTAssertEqual(error.reason, .notFound, "\(foreign)")
                XCTAssertEqual(foreign, .delete)
                XCTAssertFalse(FileManager.default.fileExists(atPath: path))
            }
            unlink(path)
        }
        XCTAssertEqual(lost, 0)
        XCTAssertEqual(try folder.names(folder.list), [])
    }

    func testNoReaderSeesAHalfWhileWeChangeAndUndo() async throws {
        let folder = try CalendarFolder(inMemory: true)
        try folder.put(file("x"), "x.ics")
        let path = folder.list + "/x.ics"
        let isOver = Atomic(false)
        let looks = Atomic(0)
        let halves = Atomic(0)
        let reader = DispatchGroup()
        DispatchQueue(label: "reader").async(group: reader) {
            while !isOver.load(ordering: .relaxed) {
                looks.add(1, ordering: .relaxed)
                guard let bytes = try? folder.bytes(path) else {
                    halves.add(1, ordering: .relaxed)
                    continue
                }
                let text = String(decoding: bytes, as: UTF8.self)
                if !text.hasPrefix("BEGIN:VCALENDAR") || !text.hasSuffix("END:VCALENDAR\r\n") {
                    halves.add(1, ordering: .relaxed)
                }
            }
        }
        let store = folder.store
        for round in 0..<150 {
            let step = CalendarUndoTests.step("renamed", "x")
            try await store.change(path, step: step) {
                CalendarUndoTests.retitle(&$0, String(repeating: "long ", count: round))
            }
            try await store.undo(step.id)
        }
        isOver.store(true, ordering: .relaxed)
        reader.wait()
        XCTAssertEqual(halves.load(ordering: .relaxed), 0)
        XCTAssertGreaterThan(looks.load(ordering: .relaxed), 300)
        XCTAssertEqual(try folder.bytes(path), file("x"))
    }
}
