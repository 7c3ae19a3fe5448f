import AgentCore
import Base
import Foundation
import ICalendar
import TestSupport
import XCTest

@testable import CalendarFiles
@testable import Planner

/// One file, written as programs with mistakes of every kind would write it, in
/// random combinations: it is listed, its problems are told, and a change of one
/// item changes no line of what is not about that. The seed is in each failure;
/// CHAT_FULL=1 makes it more.
final class MutatedFilesTests: XCTestCase {
    private static let base = CalendarRig.calendar(
        """
        BEGIN:VTIMEZONE
        TZID:GMT+05:30
        BEGIN:STANDARD
        DTSTART:19700101T000000
        TZOFFSETFROM:+0530
        TZOFFSETTO:+0530
        END:STANDARD
        END:VTIMEZONE
        BEGIN:VEVENT
        UID:event
        DTSTAMP:20260301T080000Z
        SUMMARY:Frühstück mit Zoë
        DTSTART;TZID=GMT+05:30:20260302T090000
        DTEND;TZID=GMT+05:30:20260302T100000
        RRULE:FREQ=WEEKLY;UNTIL=20260331T000000Z
        EXDATE;TZID=GMT+05:30:20260309T090000
        LOCATION:Café\\, am Fluß
        X-ODD;X-P=ä:ö
        BEGIN:VALARM
        ACTION:DISPLAY
        TRIGGER:-PT15M
        END:VALARM
        END:VEVENT
        BEGIN:VTODO
        UID:todo
        DTSTAMP:20260301T080000Z
        SUMMARY:Bücher zurückbringen
        DUE;VALUE=DATE:20260305
        STATUS:NEEDS-ACTION
        END:VTODO
        BEGIN:VJOURNAL
        UID:journal
        SUMMARY:Tagebuch
        END:VJOURNAL
        """)

    private typealias Mutation = (
        name: String, edit: @Sendable (inout [UInt8], inout SplitMix) -> Void
    )

    private static func replace(_ old: String, _ new: String) -> Mutation {
        (
            "\(old) → \(new)",
            { bytes, _ in
                while let range = bytes.firstRange(of: Array(old.utf8)) {
                    let found = Array(new.utf8)
                    if found.firstRange(of: Array(old.utf8)) != nil {
                        bytes.replaceSubrange(range, with: found)
                        return
                    }
                    bytes.replaceSubrange(range, with: found)
                }
            }
        )
    }

    private static let mutations: [Mutation] = [
        replace("20260302T090000", "2026-03-02T09:00:00"),
        replace("20260302T100000", "20260301T100000"),
        replace("20260309T090000", " 20260309t0900"), replace("20260305", "2026-03-05"),
        replace("VALUE=DATE:20260305", "VALUE=DATE:20260305T120000"),
        replace(";TZID=GMT+05:30:20260302T090000", ":20260302T090000+0530"),
        replace("UNTIL=20260331T000000Z", "UNTIL=2026-03-31"), replace("SUMMARY", "summary"),
        replace("DTSTAMP:20260301T080000Z\r\n", ""), replace("UID:todo\r\n", ""),
        replace("UID:event\r\n", ""), replace("END:VALARM\r\n", ""), replace("END:VEVENT\r\n", ""),
        replace(
            "END:VTODO\r\nBEGIN:VJOURNAL",
            "END:VTODO\r\nEND:VCALENDAR\r\nBEGIN:VCALENDAR\r\nBEGIN:VJOURNAL"),
        replace("LOCATION:", "no property at all\r\nLOCATION:"),
        replace("DTEND", "DURATION:-PT1H\r\nX-E"),
        replace("SUMMARY:Bücher", "SUMMARY;ENCODING=QUOTED-PRINTABLE:B=C3=BC=\r\ncher"),
        replace("STATUS:NEEDS-ACTION", "STATUS:UNSURE\r\nPRIORITY:high"),
        ("mark", { bytes, _ in bytes = [0xEF, 0xBB, 0xBF] + bytes }),
        (
            "Latin-1",
            { bytes, _ in
                guard let text = String(validating: bytes, as: UTF8.self) else { return }
                bytes = text.unicodeScalars.map { $0.value < 256 ? UInt8($0.value) : 0x3F }
            }
        ),
        ("LF", { bytes, _ in bytes.removeAll { $0 == 0x0D } }),
        ("CR", { bytes, _ in bytes.removeAll { $0 == 0x0A } }),
        ("CRCRLF", { bytes, _ in bytes = bytes.flatMap { $0 == 0x0D ? [$0, $0] : [$0] } }),
        (
            "folded anywhere",
            { bytes, random in
                for _ in 0..<6 {
                    let place = Int.random(in: 1..<bytes.count, using: &random)
                    let fold = Bool.random(using: &random) ? "\r\n " : "\r\n\t"
                    if ![0x0D, 0x0A].contains(bytes[place]),
                        ![0x0D, 0x0A].contains(bytes[place - 1])
                    {
                        bytes.insert(contentsOf: Array(fold.utf8), at: place)
                    }
                }
            }
        ),
        (
            "twice",
            { bytes, _ in bytes += bytes }
        ),
        (
            "cut",
            { bytes, random in
                bytes.removeLast(Int.random(in: 0..<bytes.count / 2, using: &random))
            }
        ),
        (
            "a byte",
            { bytes, random in
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
        ),
    ]

    /// Every line as it would be written, but those that a change of the title
    /// may make another, with the ending apart.
    private func lines(_ bytes: [UInt8]) throws -> [[UInt8]] {
        var lines: [[UInt8]] = []
        func add(_ component: Component) {
            if let begin = component.begin { lines.append(Array(begin.raw)) }
            for item in component.items {
                switch item {
                case .component(let inner): add(inner)
                case .line(let line):
                    let owned = [
                        "SUMMARY", "DTSTAMP", "LAST-MODIFIED", "SEQUENCE", "UID",
                    ]
                    if !owned.contains(line.name) { lines.append(Array(line.raw)) }
                }
            }
            if let end = component.end { lines.append(Array(end.raw)) }
        }
        add(try CalendarParser.parse(bytes))
        return lines
    }

    func testNothingIsLostByAChangeOfAnotherLine() async throws {
        let isFull = ProcessInfo.processInfo.environment["CHAT_FULL"] == "1"
        var changed = 0
        for seed in 0..<UInt64(isFull ? 20_000 : 300) {
            var random = SplitMix(seed: seed)
            var bytes = Array(Self.base.utf8)
            var names: [String] = []
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let mutation = Self.mutations[
                    Int.random(in: 0..<Self.mutations.count, using: &random)]
                mutation.edit(&bytes, &random)
                names.append(mutation.name)
            }
            let what = "seed \(seed): \(names.joined(separator: ", "))"
            let rig = try CalendarRig(inMemory: true)
            try rig.folder.put(bytes, "a.ics", list: "calendar")
            let path = rig.folder.root + "/calendar/a.ics"
            let tree = try CalendarParser.parse(bytes)
            XCTAssertEqual(CalendarWriter.bytes(tree), bytes, what)
            _ = try await rig.run("list --from 2026-03-01 --to 2026-03-31")
            _ = try await EventBook.problems(in: rig.store, rig.server.moment().context)
            let written = CalendarWriter.bytes(tree.inUTF8)
            let shelf = try await rig.book.shelf()
            if let series = shelf.series.first {
                let edit = ItemEdit(title: "Abendessen")
                do {
                    _ = try await rig.book.edit(series.main, of: series, edit, scope: .all)
                } catch is ICalendarError {
                    // It is cut off, which is told.
                    XCTAssertFalse(tree.isTerminated, what)
                    XCTAssertEqual(try rig.folder.bytes(path), bytes, what)
                    continue
                } catch {
                    XCTFail("\(what): \(error)")
                    return
                }
                let after = try rig.folder.bytes(path)
                XCTAssertEqual(try lines(after), try lines(written), what)
                let again = try CalendarParser.parse(after)
                // Two of the same bytes without a UID are one until one is changed.
                XCTAssertGreaterThanOrEqual(again.itemIDs.count, tree.itemIDs.count, what)
                let titles = try await rig.book.shelf().series.map(\.main.name)
                XCTAssertTrue(titles.contains("Abendessen"), what)
                try await rig.undo()
                XCTAssertEqual(try rig.folder.bytes(path), bytes, what)
                changed += 1
            }
        }
        XCTAssertGreaterThan(changed, isFull ? 5_000 : 80)
    }
}
