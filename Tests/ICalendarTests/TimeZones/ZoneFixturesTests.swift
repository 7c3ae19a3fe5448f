import Base
import TestSupport
import XCTest

@testable import ICalendar

/// The files of other programs: when their events begin, seen from Tokyo.
final class ZoneFixturesTests: XCTestCase {
    private func start(_ name: String) throws -> (iso: String, unknown: [String]) {
        let zones = TimeZoneDatabase()
        let file = try CalendarParser.parse(try CalendarFixtures.file(name))
        let calendar = try XCTUnwrap(file.components("VCALENDAR").first)
        let event = try XCTUnwrap(calendar.components("VEVENT").first)
        let moment = try XCTUnwrap(event.first("DTSTART").flatMap(CalendarMoment.init))
        let local = LocalTime(try XCTUnwrap(zones.rules(named: "Asia/Tokyo")))
        let resolver = ZoneResolver(calendar: calendar, local: local, zones: zones)
        let read = resolver.time(moment)
        XCTAssertEqual(
            read.isGuess,
            !VTimeZone.zones(usedIn: event).map(\.tzid).filter { resolver.rules($0) == nil }.isEmpty
        )
        return (
            read.time.isoText(in: local),
            VTimeZone.zones(usedIn: event).map(\.tzid).filter { resolver.rules($0) == nil }
        )
    }

    func testEventsBeginWhenTheirProgramsMeant() throws {
        let expected = [
            "outlook-windows-zone.ics": "2026-03-06T01:00:00+09:00",
            "exchange-shown-zone.ics": "2026-07-06T00:00:00+09:00",
            "exchange-custom-zone.ics": "2026-07-06T00:00:00+09:00",
            "google-x-lic-location.ics": "2026-07-06T06:00:00+09:00",
            "apple-rules-until.ics": "2026-07-06T00:00:00+09:00",
            "thunderbird-prefix.ics": "2026-07-06T00:00:00+09:00",
            "khal-two-seasons.ics": "2026-07-06T00:00:00+09:00",
            "nextcloud-zone-after-event.ics": "2026-07-06T00:00:00+09:00",
            "zone-disagrees.ics": "2026-07-06T00:00:00+09:00",
            "zone-utc.ics": "2026-07-06T02:00:00+09:00",
            "zone-floating.ics": "2026-07-05T17:00:00+09:00",
            "all-day-with-tzid.ics": "2026-07-05",
            "year-1900-and-9999.ics": "1900-01-01T08:00:00+09:00",
        ]
        for (name, iso) in expected {
            let start = try start(name)
            XCTAssertEqual(start.iso, iso, name)
            XCTAssertEqual(start.unknown, [], name)
        }
    }

    func testUnknownZoneIsNamed() throws {
        let start = try start("zone-unknown.ics")
        XCTAssertEqual(start.iso, "2026-07-05T17:00:00+09:00")
        XCTAssertEqual(start.unknown, ["Mars/Base"])
    }

    func testYearsOutsideOfFourDigitsAreNoDates() throws {
        let file = try CalendarParser.parse(try CalendarFixtures.file("year-1900-and-9999.ics"))
        let event = try XCTUnwrap(file.components("VCALENDAR").first?.components("VEVENT").first)
        XCTAssertEqual(event.first("EXDATE").map(CalendarMoment.list), [])
        let end = try XCTUnwrap(event.first("DTEND").flatMap(CalendarMoment.init))
        let berlin = LocalTime(try XCTUnwrap(TimeZoneDatabase().rules(named: "Europe/Berlin")))
        let read = ZoneResolver(calendar: nil, local: berlin, zones: TimeZoneDatabase()).time(end)
        XCTAssertEqual(read.time.isoText(in: berlin), "9999-12-31T23:59:59+01:00")
    }

    /// A zone is added for every TZID of every file, and no other byte changes.
    func testEveryFixtureGetsItsZonesAndKeepsItsBytes() throws {
        for (name, bytes) in try CalendarFixtures.all() {
            let file = try CalendarParser.parse(bytes)
            for calendar in file.components("VCALENDAR") where calendar.end != nil {
                let resolver = ZoneResolver(
                    calendar: calendar, local: LocalTime(.utc), zones: TimeZoneDatabase())
                var changed = calendar
                VTimeZone.ensure(in: &changed, zones: resolver)
                let present = Set(changed.components("VTIMEZONE").compactMap(VTimeZone.tzid))
                let used = VTimeZone.zones(usedIn: calendar).map(\.tzid)
                    .filter { resolver.rules($0) != nil }
                XCTAssertTrue(present.isSuperset(of: used), name)
                let kept = changed.items.filter { calendar.items.contains($0) }
                XCTAssertEqual(kept, calendar.items, name)
            }
        }
    }
}
