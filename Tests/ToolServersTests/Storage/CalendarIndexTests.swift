import Base
import Foundation
import Persistence
import Synchronization
import TestSupport
import XCTest

@testable import CalendarFiles

/// The index changes how long a listing takes, and nothing else.
final class CalendarIndexTests: XCTestCase {
    /// Long after every file was written, so that the index may trust them.
    private static let later = Date().addingTimeInterval(60)

    private func store(
        _ folder: CalendarFolder, indexed: Bool = true, now: Date = later
    ) -> CalendarStore {
        var environment = folder.environment
        environment.now = { now }
        return CalendarStore(
            roots: [folder.root], trash: folder.trash, state: folder.state,
            environment: environment, indexThreshold: indexed ? 0 : .max)
    }

    private static let selections: [CalendarStore.Selection] = {
        let day = Date(timeIntervalSince1970: 1_790_000_000)
        return [
            .init(), .init(kind: "VTODO"), .init(kind: "VTODO", openOnly: true),
            .init(kind: "VEVENT", window: day..<day.addingTimeInterval(86_400)),
            .init(text: "MILK"), .init(text: "milk crème"), .init(openOnly: true),
            .init(window: day..<day.addingTimeInterval(86_400 * 30)),
            .init(
                openOnly: true, window: day..<day.addingTimeInterval(86_400), includesOverdue: true),
        ]
    }()

    /// An item with a time within some years, one in three of them repeating.
    private static func item(_ generator: inout SplitMix, _ uid: String) -> [UInt8] {
        func pick(_ choices: [String]) -> String {
            choices[Int.random(in: 0..<choices.count, using: &generator)]
        }
        let kind = pick(["VTODO", "VEVENT", "VEVENT", "VJOURNAL"])
        let month = pick(["01", "06", "09", "12"])
        let start = "20\(pick(["24", "26", "26", "27"]))\(month)\(pick(["01", "17", "28"]))"
        var lines = ["BEGIN:VCALENDAR", "BEGIN:\(kind)", "UID:\(uid)"]
        lines.append("SUMMARY:\(pick(["buy milk", "Crème", "milk\\, crème", "dentist"]))")
        lines +=
            [
                ["DTSTART;VALUE=DATE:\(start)"], ["DTSTART:\(start)T101500Z"],
                ["DTSTART;TZID=Nowhere:\(start)T235959"], [], ["DUE:\(start)T000000"],
                ["DTSTART:rubbish"],
            ].randomElement(using: &generator) ?? []
        lines.append(
            pick([
                "X-NO:1", "RRULE:FREQ=DAILY;COUNT=40", "RRULE:FREQ=YEARLY", "RRULE:rubbish",
                "RRULE:FREQ=WEEKLY;UNTIL=20270101", "STATUS:COMPLETED", "STATUS:CANCELLED",
                "DURATION:P3W", "RDATE:20260921T000000Z,20280101",
            ]))
        lines += ["END:\(kind)", "END:VCALENDAR", ""]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    private func answers(_ store: CalendarStore) async throws -> [[String]] {
        var answers: [[String]] = []
        for selection in Self.selections {
            let files = try await store.files(selection)
            answers.append(
                files.files.map { "\($0.path) \($0.etag.identity) \($0.content)" }
                    + files.problems.map { "\($0)" })
        }
        return answers
    }

    func testAnswersAreTheSameThroughRandomChangesOfOthers() async throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        var generator = SplitMix(seed: seed)
        let folder = try CalendarFolder(inMemory: true)
        let names =
            (0..<60).map { "item-\($0).ics" } + ["e\u{301}.ics", "\u{E9}.ics", "🎁 b.ics"]
        for name in names { try folder.put(Self.item(&generator, name), name) }
        try folder.put(Array("rubbish".utf8), "bad.ics")
        let indexed = store(folder)
        for round in 0..<5 {
            let plain = try await answers(store(folder, indexed: false))
            let first = try await answers(indexed)
            XCTAssertEqual(first, plain, "seed \(seed) round \(round)")
            let second = try await answers(round % 2 == 0 ? indexed : store(folder))
            XCTAssertEqual(second, plain, "seed \(seed) round \(round), known")
            for _ in 0..<3 {
                let name = names.randomElement(using: &generator) ?? ""
                let path = folder.list + "/" + name
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: unlink(path)
                case 1:
                    // In place, of the same size, with the times set back.
                    var status = stat()
                    guard stat(path, &status) == 0 else { continue }
                    let old = try folder.bytes(path)
                    let text = String(decoding: old, as: UTF8.self)
                    let new = text.replacingOccurrences(of: "VEVENT", with: "VTODO ")
                    try Data(new.utf8).write(to: URL(fileURLWithPath: path))
                    var times = [status.st_atim, status.st_mtim]
                    XCTAssertEqual(utimensat(AT_FDCWD, path, &times, 0), 0)
                default: try folder.put(Self.item(&generator, name), name)
                }
            }
        }
    }

    func testFilesThatMayNotBeWantedAreNotRead() async throws {
        let folder = try CalendarFolder()
        var generator = SplitMix(seed: 1)
        for number in 0..<20 { try folder.put(Self.item(&generator, "\(number)"), "\(number).ics") }
        try folder.put(CalendarFixtures.file("todoman.ics"), "open.ics")
        let selection = CalendarStore.Selection(kind: "VTODO", openOnly: true, text: "bank card")
        _ = try await store(folder).files(selection)
        // Whoever reads one of these now does not come back.
        let entries = try XCTUnwrap(
            CalendarIndex(folder: folder.state, now: { Self.later })
                .entries(of: folder.list, words: ["bank", "card"]))
        XCTAssertEqual(entries.count, 21)
        XCTAssertEqual(entries.filter(\.hasWords).map(\.name), ["open.ics"])
        let found = try await store(folder).files(selection)
        XCTAssertEqual(found.files.map(\.path), [folder.list + "/open.ics"])
    }

    func testWhatIsFreshIsNotTrusted() async throws {
        let folder = try CalendarFolder()
        try folder.put(CalendarFixtures.file("todoman.ics"), "a.ics")
        let selection = CalendarStore.Selection(kind: "VTODO")
        // Read within the same tick in which it was written.
        _ = try await store(folder, now: Date()).files(selection)
        let index = CalendarIndex(folder: folder.state, now: { Self.later })
        XCTAssertEqual(index.entries(of: folder.list, words: [])?.count, 0)
        _ = try await store(folder).files(selection)
        XCTAssertEqual(index.entries(of: folder.list, words: [])?.count, 1)
    }

    func testWithoutAUsableIndexEverythingIsFound() async throws {
        let selection = CalendarStore.Selection(kind: "VTODO")
        let damages: [(CalendarFolder) throws -> Void] = [
            { try FileManager.default.removeItem(atPath: $0.state) },
            { try Data().write(to: URL(fileURLWithPath: $0.state + "/index.db")) },
            {
                try Data(repeating: 65, count: 20_000).write(
                    to: URL(fileURLWithPath: $0.state + "/index.db"))
            },
            { folder in
                let path = folder.state + "/index.db"
                var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
                for place in stride(from: 100, to: bytes.count, by: 37) { bytes[place] ^= 0x55 }
                try Data(bytes).write(to: URL(fileURLWithPath: path))
            },
            { folder in
                let path = folder.state + "/index.db"
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: false)
            },
            { folder in
                try FileManager.default.removeItem(atPath: folder.state)
                try Data().write(to: URL(fileURLWithPath: folder.state))
            },
        ]
        for (number, damage) in damages.enumerated() {
            let folder = try CalendarFolder()
            for name in ["a", "b", "c"] {
                try folder.put(CalendarFixtures.file("todoman.ics"), "\(name).ics")
            }
            do { _ = try await store(folder).files(selection) }
            try damage(folder)
            for round in 0..<3 {
                let found = try await store(folder).files(selection)
                XCTAssertEqual(found.files.count, 3, "damage \(number) round \(round)")
                XCTAssertEqual(found.problems, [])
            }
        }
    }

    func testAFlippedBitHidesNoItem() async throws {
        let folder = try CalendarFolder(inMemory: true)
        try folder.put(CalendarFixtures.file("todoman.ics"), "a.ics")
        let selection = CalendarStore.Selection(kind: "VTODO", openOnly: true)
        _ = try await store(folder).files(selection)
        for column in ["inode", "size", "modified", "changed", "kinds", "earliest", "latest"] {
            let connection = try CalendarIndexSchema.open(
                folder.state + "/index.db", busyTimeoutInMilliseconds: 100, now: Self.later)
            try connection.script("flip", "UPDATE files SET \(column) = \(column) + 4")
            connection.close()
            let found = try await store(folder).files(selection)
            XCTAssertEqual(found.files.count, 1, column)
        }
    }

    func testALockedIndexIsNotWaitedFor() async throws {
        let folder = try CalendarFolder()
        try folder.put(CalendarFixtures.file("todoman.ics"), "a.ics")
        let selection = CalendarStore.Selection(kind: "VTODO")
        _ = try await store(folder).files(selection)
        let other = try CalendarIndexSchema.open(
            folder.state + "/index.db", busyTimeoutInMilliseconds: 100, now: Self.later)
        try other.script("lock", "BEGIN EXCLUSIVE")
        try folder.put(CalendarFixtures.file("evolution.ics"), "b.ics")
        let found = try await store(folder).files(selection)
        XCTAssertEqual(found.files.map { $0.path.suffix(5) }, ["a.ics", "b.ics"])
        other.close()
    }
}
