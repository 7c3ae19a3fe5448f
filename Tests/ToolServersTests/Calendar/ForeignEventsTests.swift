import Base
import Foundation
import ICalendar
import TestSupport
import XCTest

@testable import CalendarFiles
@testable import DateLanguage
@testable import Planner

/// Events as Google, Apple, Outlook, Nextcloud, Thunderbird, Fastmail, khal and
/// Evolution write them: zones by every naming, exceptions named in other
/// zones, overrides moved anywhere, changes of the clocks. What they mean is
/// said by python-dateutil and zoneinfo.
final class ForeignEventsTests: XCTestCase {
    private struct Time: Codable, Hashable {
        var uid: String
        var title: String
        var allDay: Bool
        var start: String
        var end: String
    }

    func testTimesAreThoseOfAnIndependentExpansion() async throws {
        let isFull = ProcessInfo.processInfo.environment["CHAT_FULL"] != nil
        let seed = UInt64.random(in: 0..<1 << 32)
        let count = isFull ? 5_000 : 250
        print("seed \(seed)")
        let folder = try CalendarFolder(inMemory: true)
        let source = try XCTUnwrap(Bundle.module.resourceURL)
            .appending(path: "Fixtures/foreign/events.py")
        let answers = try PythonOracle.run(
            try String(contentsOf: source, encoding: .utf8),
            input: ["\(seed) \(count) \(folder.root)/foreign"])
        var expected: [Time: Int] = [:]
        for answer in answers {
            expected[try JSONDecoder().decode(Time.self, from: Data(answer.utf8)), default: 0] += 1
        }
        XCTAssertGreaterThan(expected.count, count)

        let context = CalendarFolder.context()
        let book = EventBook(
            items: ItemActions(store: folder.store, environment: folder.environment),
            context: context, defaultCalendar: "foreign", reminderList: "reminders")
        let first = try XCTUnwrap(CivilDate(year: 2026, month: 1, day: 1))
        let last = try XCTUnwrap(CivilDate(year: 2026, month: 12, day: 31))
        let listing = try await book.events(on: first...last)
        XCTAssertEqual(listing.problems, [])
        let utc = LocalTime(.utc)
        func text(_ time: ItemTime) -> String {
            guard !time.isDate else { return time.civilDate.isoText }
            return utc.isoText(time.instant(in: context.local))
                .replacingOccurrences(of: "+00:00", with: "Z")
        }
        for event in listing.events {
            let time = Time(
                uid: event.uid, title: event.title, allDay: event.isAllDay,
                start: text(event.start), end: text(event.end))
            expected[time, default: 0] -= 1
        }
        let differences = expected.filter { $0.value != 0 }
        for (time, count) in differences.prefix(10) {
            let path = folder.root + "/foreign/" + time.uid.prefix(5) + ".ics"
            let file = String(decoding: try folder.bytes(path), as: UTF8.self)
            XCTFail("\(count > 0 ? "missing" : "too much"): \(time)\n\(file)")
        }
        let starts = listing.events.map { $0.start.instant(in: context.local) }
        XCTAssertEqual(starts, starts.sorted())
    }
}
