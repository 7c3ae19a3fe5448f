import Base
import Foundation
import ICalendar
import TestSupport
import XCTest

@testable import DateLanguage
@testable import Planner

/// Busy and free intervals, on days of 23 and 25 hours too.
final class FreeTimeTests: XCTestCase {
    private let zones = TimeZoneDatabase()

    private func day(_ text: String) throws -> CivilDate {
        guard case .date(let date) = try ISO8601.parse(text) else { throw OtherKindOfTime(text) }
        return date
    }

    func testADayIsAsLongAsItIs() throws {
        let local = LocalTime(try XCTUnwrap(zones.rules(named: "Europe/Berlin")))
        for (text, hours) in [("2026-03-29", 23.0), ("2026-10-25", 25), ("2026-03-30", 24)] {
            let date = try day(text)
            let windows = FreeTime.windows(date...date, DayHours(from: 0, to: 1440), in: local)
            XCTAssertEqual(
                windows[0].upperBound.timeIntervalSince(windows[0].lowerBound), hours * 3600, text)
        }
        let late = FreeTime.windows(
            try day("2026-03-28")...day("2026-03-28"), .init(from: 22 * 60, to: 4 * 60), in: local)
        XCTAssertEqual(late[0].upperBound.timeIntervalSince(late[0].lowerBound), 5 * 3600)
    }

    func testGapsAgreeWithCountingMinutes() throws {
        var random = SplitMix(seed: 7)
        let utc = LocalTime(.utc)
        for _ in 0..<200 {
            var events: [Event] = []
            var isBusy = [Bool](repeating: false, count: 1440)
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                let from = Int.random(in: 0..<1440, using: &random)
                let to = min(1440, from + Int.random(in: 0...300, using: &random))
                let time = { (minutes: Int) in
                    ItemTime.time(CivilDateTime(secondsAsUTC: minutes * 60), zone: .utc)
                }
                events.append(Event(uid: "\(from)", title: "", start: time(from), end: time(to)))
                for minute in from..<to { isBusy[minute] = true }
            }
            let first = CivilDate(dayNumber: 0)
            let free = FreeTime.free(
                in: FreeTime.windows(first...first, DayHours(from: 0, to: 1440), in: utc),
                busy: FreeTime.busy(events, in: utc), after: Date(timeIntervalSince1970: 0),
                minimum: 0)
            var isFree = [Bool](repeating: false, count: 1440)
            for slot in free {
                let from = Int(slot.lowerBound.timeIntervalSince1970) / 60
                for minute in from..<Int(slot.upperBound.timeIntervalSince1970) / 60 {
                    isFree[minute] = true
                }
            }
            XCTAssertEqual(isFree, isBusy.map { !$0 })
        }
    }

    func testTheConflictsOfADayAreThoseOfEachEvent() {
        let utc = LocalTime(.utc)
        var random = SplitMix(seed: 11)
        for _ in 0..<50 {
            let events = (0..<Int.random(in: 0..<30, using: &random)).map { _ in
                let from = Int.random(in: 0..<600, using: &random)
                let to = from + Int.random(in: 0..<120, using: &random)
                func time(_ minutes: Int) -> ItemTime {
                    .time(CivilDateTime(secondsAsUTC: minutes * 60), zone: .utc)
                }
                var event = Event(
                    uid: "\(Int.random(in: 0..<20, using: &random))", title: "", start: time(from),
                    end: time(to))
                event.isTransparent = Int.random(in: 0..<5, using: &random) == 0
                return event
            }
            let found = FreeTime.conflicts(among: events, limit: .max, in: utc)
            for (event, places) in zip(events, found) {
                XCTAssertEqual(
                    places.map { events[$0] },
                    FreeTime.conflicts(with: event, among: events, in: utc))
            }
        }
    }

    func testHoursAreReadFromText() {
        let cases: [(String, DayHours?)] = [
            ("9-17", .working), ("9:00-17:00", .working), ("9:00 – 17:00", .working),
            ("0-24", DayHours(from: 0, to: 1440)), ("22-2", .init(from: 1320, to: 120)), ("9", nil),
            ("25-26", nil),
            ("9-9", nil), ("9:70-10", nil), ("a-b", nil),
        ]
        for (text, wanted) in cases { XCTAssertEqual(DayHours(text), wanted, text) }
    }
}
