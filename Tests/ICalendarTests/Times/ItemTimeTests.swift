import Base
import Foundation
import TestSupport
import XCTest

@testable import ICalendar

/// Times as they are written into files, and read back.
final class ItemTimeTests: XCTestCase {
    private func times() throws -> [(ItemTime, String)] {
        let zones = TimeZoneDatabase()
        let day = try XCTUnwrap(CivilDate(year: 2026, month: 3, day: 5))
        let time = try XCTUnwrap(CivilDateTime(day, hour: 17, minute: 0))
        return [
            (.date(time.date), "DUE;VALUE=DATE:20260305"),
            (.time(time, zone: nil), "DUE:20260305T170000"),
            (.time(time, zone: .utc), "DUE:20260305T170000Z"),
            (
                .time(time, zone: try XCTUnwrap(zones.rules(named: "Europe/Berlin"))),
                "DUE;TZID=Europe/Berlin:20260305T170000"
            ),
            (
                .time(time, zone: try XCTUnwrap(TimeZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0"))),
                "DUE;TZID=\"CET-1CEST,M3.5.0,M10.5.0\":20260305T170000"
            ),
        ]
    }

    func testEveryKindIsWrittenAsTheStandardAsks() throws {
        for (time, text) in try times() {
            let line = time.moment.line("DUE")
            XCTAssertEqual(String(decoding: line.raw, as: UTF8.self), text + "\r\n")
            var todo = Component("VTODO")
            todo.set("DUE", time.moment)
            XCTAssertEqual(todo.first("DUE"), line)
        }
    }

    func testWhatIsWrittenIsReadBack() throws {
        for (time, text) in try times() {
            let line = try XCTUnwrap(
                try CalendarParser.parse(Array(text.utf8)).first("DUE"), text)
            let moment = try XCTUnwrap(CalendarMoment(line), text)
            XCTAssertEqual(moment, time.moment)
        }
    }

    /// C8: no locale of the machine reaches a file.
    func testBytesDoNotDependOnTheLocale() throws {
        func bytes() throws -> [UInt8] {
            var calendar = Component("VCALENDAR")
            for (time, _) in try times() {
                var todo = Component("VTODO")
                todo.set("DUE", time.moment)
                todo.set("DURATION", value: CalendarDuration(days: 1, seconds: 61).text)
                calendar.items.append(.component(todo))
            }
            let resolver = ZoneResolver(
                calendar: calendar, local: LocalTime(.utc), zones: TimeZoneDatabase())
            VTimeZone.ensure(in: &calendar, zones: resolver)
            return CalendarWriter.bytes(calendar)
        }
        let old = setlocale(LC_ALL, nil).map { String(cString: $0) }
        let variables = ["LANG", "LC_ALL"].map { (name: String) in
            (name, getenv(name).map { String(cString: $0) })
        }
        defer {
            setlocale(LC_ALL, old)
            for (name, value) in variables {
                if let value { setenv(name, value, 1) } else { unsetenv(name) }
            }
        }
        let plain = try bytes()
        XCTAssertTrue(plain.allSatisfy { $0 < 0x80 })
        for locale in ["de_DE.UTF-8", "ar_EG.UTF-8", "th_TH.UTF-8", "tr_TR.UTF-8", "C"] {
            setenv("LANG", locale, 1)
            setenv("LC_ALL", locale, 1)
            // Where it is not installed, Foundation still goes by the variables.
            _ = setlocale(LC_ALL, "")
            XCTAssertEqual(try bytes(), plain, locale)
        }
    }
}
