import Base
import Foundation
import ICalendar
import Synchronization
import TestSupport
import XCTest

@testable import CalendarFiles

/// Another program writes an item at every moment at which we may be changing
/// it, as vdirsyncer and khal write: a new file renamed onto the old one.
final class InterleavingTests: XCTestCase {
    private static let uid = "b58ff5d1-7d9c-4ad0-9d54-0c2ce1c1f009"
    private static let rounds = 1000

    private static func text(_ lines: [String]) -> [UInt8] {
        let all =
            ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTODO", "UID:" + uid, "SUMMARY:bins"]
            + lines + ["END:VTODO", "END:VCALENDAR", ""]
        return Array(all.joined(separator: "\r\n").utf8)
    }

    /// Adds a line to the file by way of a temporary one.
    private static func writeAsOthersDo(_ line: String, to path: String) throws {
        var text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        text = text.replacingOccurrences(of: "END:VTODO", with: line + "\r\nEND:VTODO")
        let temporary = path + ".other.tmp"
        try Data(text.utf8).write(to: URL(fileURLWithPath: temporary))
        guard rename(temporary, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    func testAThousandWritesBetweenReadAndWriteLoseNothing() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        let folder = try CalendarFolder(inMemory: true)
        let store = CalendarStore(
            roots: [folder.root], trash: folder.trash, environment: folder.environment)
        let file = Self.uid + ".ics"
        let path = folder.list + "/" + file
        var expected: Set<String> = []
        for round in 0..<Self.rounds {
            if round % 50 == 0 {
                // Short again: the point is the moment, not the length.
                expected = []
                try folder.put(Self.text([]), file)
            }
            // How often the other program is quicker than we are.
            let times = Int.random(in: 0...2, using: &random)
            let attempts = try await store.change(
                path, step: SyncedSide.step("changed", Self.uid),
                Self.edit(round, times: times, path: path))
            XCTAssertEqual(attempts, times + 1, "round \(round)")
            expected.insert("X-OURS-\(round)")
            expected.formUnion((0..<times).map { "X-THEIRS-\(round)-\($0)" })
            let item = try XCTUnwrap(
                try CalendarParser.parse(folder.bytes(path)).firstItem, "round \(round)")
            let names = item.items.compactMap { entry -> String? in
                if case .line(let line) = entry, line.name.hasPrefix("X-") {
                    line.name
                } else {
                    nil
                }
            }
            XCTAssertEqual(names.count, expected.count, "round \(round)")
            XCTAssertEqual(Set(names), expected, "round \(round)")
        }
        XCTAssertEqual(
            try folder.names(folder.list).filter { !$0.hasPrefix(".") }, [file],
            "something was left behind")
    }

    /// An edit that is overtaken that many times. Gives how often it was made.
    private static func edit(
        _ round: Int, times: Int, path: String
    ) -> @Sendable (inout Component) throws -> Int {
        let made = Counter()
        return { content in
            let attempt = made.next()
            if attempt < times {
                try writeAsOthersDo("X-THEIRS-\(round)-\(attempt):1", to: path)
            }
            content.editItem { item in
                item.items.append(.line(ContentLine("X-OURS-\(round)", value: "1")))
            }
            return attempt + 1
        }
    }

    func testADeletionBetweenReadAndWriteIsNotUndone() async throws {
        let folder = try CalendarFolder()
        let store = CalendarStore(
            roots: [folder.root], trash: folder.trash, environment: folder.environment)
        try folder.put(Self.text([]), "a.ics")
        let path = folder.list + "/a.ics"
        do {
            try await store.change(path, step: SyncedSide.step("changed", Self.uid)) { content in
                unlink(path)
                content.editItem { $0.set("PRIORITY", value: "1") }
            }
            XCTFail("a deleted item was changed")
        } catch let error as FileCallError {
            XCTAssertEqual(error.reason, .notFound)
        }
        XCTAssertFalse(FileManager.default.fileExists(atPath: path))
    }

    func testWhatOthersChangedIsNotDeletedUnseen() async throws {
        let folder = try CalendarFolder()
        let store = CalendarStore(
            roots: [folder.root], trash: folder.trash, environment: folder.environment)
        try folder.put(Self.text([]), "a.ics")
        let path = folder.list + "/a.ics"
        let looked = Counter()
        try await store.delete(path, step: SyncedSide.step("deleted", Self.uid)) { content in
            if looked.next() == 0 {
                try Self.writeAsOthersDo("PRIORITY:1", to: path)
            } else {
                XCTAssertEqual(content.firstItem?.first("PRIORITY")?.value, "1")
            }
        }
        XCTAssertEqual(looked.next(), 2, "the newer item was not looked at")
    }
}

/// Counts calls across isolation domains.
private final class Counter: Sendable {
    private let count = Mutex(0)

    /// How often it was called before.
    func next() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}
