import Base
import Foundation
import ICalendar
import XCTest

@testable import Planner

/// Events that ring without an alarm, and alarms that are not written as the standard has
/// it.
extension AlertReaderTests {
    func testAnEventThatWasMadeHereRingsAheadWithoutAnAlarmAndOneOfOthersDoesNot() throws {
        let lunch = event("DTSTART:20261121T100000Z\nDTEND:20261121T110000Z")
        XCTAssertEqual(try alerts(lunch), [])
        XCTAssertEqual(try alerts(lunch, own: ["v"]), [])
        XCTAssertEqual(try alerts(lunch, own: ["u"]), ["20261121T095000Z t"])
        for (minutes, expected) in [
            (0, ["20261121T100000Z t"]), (4_320, ["20261118T100000Z t"]), (nil, []),
        ] as [(Int?, [String])] {
            var settings = AlertSettings()
            settings.eventMinutes = minutes
            XCTAssertEqual(try alerts(lunch, settings: settings, own: ["u"]), expected)
        }
        // The stretch of time that is looked at ends before the event begins.
        var settings = AlertSettings()
        settings.eventMinutes = 4_320
        XCTAssertEqual(
            try alerts(lunch, to: "20261118T100001Z", settings: settings, own: ["u"]),
            ["20261118T100000Z t"])
    }

    /// With one of its own, an event rings by that only; so does one that is to be silent.
    func testAnAlarmOrTheWishForNoneStandsInPlaceOfTheUsualOne() throws {
        let start = "DTSTART:20261121T100000Z"
        for (lines, alarm, expected) in [
            ("", "TRIGGER:-PT1H", ["20261121T090000Z t"]),
            ("X-CHAT-ALARM:NONE", nil, []),
            ("X-CHAT-ALARM:NONE", "TRIGGER:-PT1H", ["20261121T090000Z t"]),
            // Apple's "no alarm, not even by default".
            ("", "ACTION:NONE\nTRIGGER;VALUE=DATE-TIME:19760401T005545Z", []),
            ("", "PROXIMITY:ARRIVE\nTRIGGER:PT0S", []),
            // Seen elsewhere: it does not ring again by default.
            ("", "TRIGGER:-PT1H\nACKNOWLEDGED:20261121T090000Z", []),
            // What cannot be read is no alarm; it is reported.
            ("", "TRIGGER:-P15M", ["20261121T095000Z t"]),
            ("STATUS:CANCELLED", nil, []), ("STATUS:TENTATIVE", nil, ["20261121T095000Z t"]),
            ("X-MOZ-LASTACK:20261121T095000Z", nil, []),
            ("X-MOZ-LASTACK:20261121T094959Z", nil, ["20261121T095000Z t"]),
        ] as [(String, String?, [String])] {
            let lines = lines.isEmpty ? start : "\(start)\n\(lines)"
            XCTAssertEqual(
                try alerts(event(lines, alarm: alarm), own: ["u"]), expected,
                lines + (alarm ?? ""))
        }
        XCTAssertEqual(try alerts(todo("DUE:20261121T170000Z\nX-CHAT-ALARM:NONE")), [])
    }

    func testItRingsAtTheStartWhereThatIsNearer() throws {
        for (changed, expected) in [
            ("20261121T094959Z", ["20261121T095000Z t"]),
            ("20261121T095000Z", ["20261121T100000Z t"]),
            ("20261121T100000Z", ["20261121T100000Z t"]),
            // It was over when it was written.
            ("20261121T100001Z", []),
        ] {
            for name in ["LAST-MODIFIED", "DTSTAMP"] {
                XCTAssertEqual(
                    try alerts(
                        event("DTSTART:20261121T100000Z\n\(name):\(changed)"), own: ["u"],
                        near: "20261121T120000Z"), expected, changed)
            }
        }
        // A clock that is ahead does not silence it.
        XCTAssertEqual(
            try alerts(
                event("DTSTART:20261121T100000Z\nLAST-MODIFIED:20301121T100000Z"), own: ["u"],
                near: "20261121T080000Z"), ["20261121T095000Z t"])
    }

    /// What an event of before would have rung then was not missed.
    func testAnEventFromBeforeRingsFromTheUpgradeOn() throws {
        let series = event("DTSTART:20261121T100000Z\nRRULE:FREQ=DAILY;COUNT=3")
        for (since, expected) in [
            ("20261122T094959Z", ["20261122T095000Z t", "20261123T095000Z t"]),
            ("20261122T095500Z", ["20261122T100000Z t", "20261123T095000Z t"]),
            ("20261122T100001Z", ["20261123T095000Z t"]),
        ] {
            XCTAssertEqual(
                try alerts(series, own: ["u"], near: "20261122T120000Z", since: since), expected)
        }
    }

    func testEachOccurrenceRingsAsItIsNow() throws {
        let series =
            event("DTSTART:20261121T100000Z\nRRULE:FREQ=DAILY;COUNT=4\nEXDATE:20261122T100000Z")
            + "\n"
            + event("RECURRENCE-ID:20261123T100000Z\nDTSTART:20261123T150000Z")
            + "\n"
            + event("RECURRENCE-ID:20261124T100000Z\nDTSTART:20261124T100000Z\nSTATUS:CANCELLED")
        XCTAssertEqual(
            try alerts(series, own: ["u"]), ["20261121T095000Z t", "20261123T145000Z t"])
        // One with an alarm of its own, and one without that of its series.
        let mixed = { (main: String?, other: String?) in
            self.event("DTSTART:20261121T100000Z\nRRULE:FREQ=DAILY;COUNT=2", alarm: main) + "\n"
                + self.event(
                    "RECURRENCE-ID:20261122T100000Z\nDTSTART:20261122T100000Z", alarm: other)
        }
        XCTAssertEqual(
            try alerts(mixed(nil, "TRIGGER:-PT1H"), own: ["u"]),
            ["20261121T095000Z t", "20261122T090000Z t"])
        XCTAssertEqual(
            try alerts(mixed("TRIGGER:-PT1H", nil), own: ["u"]), ["20261121T090000Z t"])
    }

    /// Every minute: the nearest are found as for tasks.
    func testADenseSeriesRingsNearby() throws {
        let found = try alerts(
            event("DTSTART:20261121T000000Z\nRRULE:FREQ=MINUTELY"), own: ["u"],
            near: "20261121T120000Z")
        XCTAssert(found.contains("20261121T120000Z t"), "\(found.prefix(3))")
        XCTAssert(found.contains("20261121T120100Z t"))
    }

    func testADayRingsAtTheHourForDays() throws {
        let day = event("DTSTART;VALUE=DATE:20261121\nDTEND;VALUE=DATE:20261123")
        XCTAssertEqual(try alerts(day, zone: Self.berlin, own: ["u"]), [])
        var settings = AlertSettings()
        (settings.allDayHour, settings.eventMinutes) = (9, nil)
        XCTAssertEqual(
            try alerts(day, zone: Self.berlin, settings: settings, own: ["u"]),
            ["20261121T080000Z t"])
        XCTAssertEqual(try alerts(day, zone: Self.berlin, settings: settings), [])
    }

    // MARK: - Alarms that are written in other ways

    func testWhatHasOneMeaningRingsAndWhatHasNoneIsReported() throws {
        for (trigger, expected) in [
            ("TRIGGER;VALUE=DATE-TIME:20261121T090000", "20261121T080000Z t"),
            (
                "TRIGGER;VALUE=DATE-TIME;TZID=America/New_York:20261121T040000",
                "20261121T090000Z t"
            ),
            ("TRIGGER:PT-15M", "20261121T094500Z t"), ("TRIGGER:-15M", "20261121T094500Z t"),
            ("TRIGGER:-P0Y0M0DT0H15M0S", "20261121T094500Z t"),
            ("TRIGGER: -PT15M", "20261121T094500Z t"),
            ("TRIGGER;VALUE=DATE:20261121", nil), ("TRIGGER:-P15M", nil), ("ACTION:DISPLAY", nil),
        ] as [(String, String?)] {
            let found = try findings(
                event("DTSTART:20261121T100000Z", alarm: trigger), zone: Self.berlin,
                from: "20261101T000000Z", to: "20261201T000000Z")
            XCTAssertEqual(
                found.alerts.map { "\(CalendarMoment.utcText($0.instant)) \($0.title)" },
                [expected].compactMap(\.self), trigger)
            XCTAssertEqual(found.problems.count, 1, trigger)
        }
    }

    func testAnAlarmThatThunderbirdSawIsDismissed() throws {
        let times = "DTSTART:20261121T100000Z\nRRULE:FREQ=DAILY;COUNT=2"
        XCTAssertEqual(
            try alerts(event("\(times)\nX-MOZ-LASTACK:20261121T094500Z", alarm: "TRIGGER:-PT15M")),
            ["20261122T094500Z t"])
        XCTAssertEqual(
            try alerts(event(times, alarm: "TRIGGER:-PT15M\nX-MOZ-LASTACK:20261121T094500Z")),
            ["20261122T094500Z t"])
    }
}
