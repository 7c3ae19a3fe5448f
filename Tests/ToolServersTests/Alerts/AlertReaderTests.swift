import AgentCore
import Base
import CalendarFiles
import Foundation
import ICalendar
import XCTest

@testable import Planner

/// Which alerts components ask for.
final class AlertReaderTests: XCTestCase {
    /// Berlin: UTC+1 in winter, +2 in summer.
    static let berlin = TimeZoneDatabase().rules(named: "Europe/Berlin") ?? .utc

    func alerts(
        _ lines: String, zone: TimeZoneRules = .utc, from: String = "20260101T000000Z",
        to: String = "20270101T000000Z", settings: AlertSettings = AlertSettings(),
        own: Set<String> = [], near: String? = nil, since: String? = nil
    ) throws -> [String] {
        try findings(
            lines, zone: zone, from: from, to: to, near: near, settings: settings, own: own,
            since: since
        ).alerts.map {
            "\(CalendarMoment.utcText($0.instant)) \($0.title)"
        }
    }

    func findings(
        _ lines: String, zone: TimeZoneRules = .utc, from: String, to: String,
        near: String? = nil, settings: AlertSettings = AlertSettings(), own: Set<String> = [],
        since: String? = nil
    ) throws -> AlertReader.Findings {
        let text = "BEGIN:VCALENDAR\n\(lines)\nEND:VCALENDAR\n"
        let file = try CalendarParser.parse(Array(text.utf8))
        let reader = AlertReader(
            local: LocalTime(zone), zones: TimeZoneDatabase(), settings: settings,
            ownEvents: .init(uids: own, since: try since.map(instant)))
        return reader.alerts(
            in: file, from: try instant(from), to: try instant(to), near: try instant(near ?? from))
    }

    private func instant(_ text: String) throws -> Date {
        guard case .utc(let date)? = CalendarMoment(value: text) else {
            throw UsageError("not a time: \(text)")
        }
        return date
    }

    func todo(_ lines: String, alarm: String? = nil) -> String {
        "BEGIN:VTODO\nUID:u\nSUMMARY:t\n\(lines)\n"
            + (alarm.map { "BEGIN:VALARM\nACTION:DISPLAY\n\($0)\nEND:VALARM\n" } ?? "")
            + "END:VTODO"
    }

    func event(_ lines: String, alarm: String? = nil) -> String {
        todo(lines, alarm: alarm).replacingOccurrences(of: "VTODO", with: "VEVENT")
    }

    func testTriggersAreCountedFromTheStartOrTheEndOrAreAnInstant() throws {
        let times = "DTSTART:20261121T100000Z\nDTEND:20261121T113000Z"
        for (trigger, expected) in [
            ("TRIGGER:-PT15M", "20261121T094500Z"), ("TRIGGER:PT5M", "20261121T100500Z"),
            ("TRIGGER;RELATED=START:-P1D", "20261120T100000Z"),
            ("TRIGGER;RELATED=END:-PT30M", "20261121T110000Z"),
            ("TRIGGER;RELATED=end:PT0S", "20261121T113000Z"),
            ("TRIGGER;VALUE=DATE-TIME:20260301T070000Z", "20260301T070000Z"),
            ("TRIGGER:-P2W", "20261107T100000Z"),
        ] {
            XCTAssertEqual(try alerts(event(times, alarm: trigger)), ["\(expected) t"], trigger)
        }
    }

    func testEveryActionRingsAndAnAlarmRepeatsAsOftenAsItSays() throws {
        for action in ["DISPLAY", "AUDIO", "EMAIL", "X-THING"] {
            XCTAssertEqual(
                try alerts(
                    event(
                        "DTSTART:20261121T100000Z",
                        alarm: "ACTION:\(action)\nTRIGGER:PT0S\nREPEAT:2\nDURATION:PT5M")),
                ["20261121T100000Z t", "20261121T100500Z t", "20261121T101000Z t"], action)
        }
        let many = try alerts(
            event(
                "DTSTART:20261121T100000Z",
                alarm: "TRIGGER:PT0S\nREPEAT:999999999\nDURATION:PT1S"))
        XCTAssertEqual(many.count, AlertReader.repeatLimit + 1)
    }

    func testATaskWithoutAnAlarmRingsWhenItIsDue() throws {
        XCTAssertEqual(try alerts(todo("DUE:20261121T170000Z")), ["20261121T170000Z t"])
        XCTAssertEqual(
            try alerts(todo("DTSTART:20261121T150000Z\nDUE:20261121T170000Z")),
            ["20261121T170000Z t"])
        XCTAssertEqual(try alerts(todo("DTSTART:20261121T150000Z")), [])
        XCTAssertEqual(try alerts(todo("STATUS:NEEDS-ACTION")), [])
        // An alarm of its own is all it wants.
        XCTAssertEqual(
            try alerts(todo("DUE:20261121T170000Z", alarm: "TRIGGER;RELATED=END:-PT1H")),
            ["20261121T160000Z t"])
    }

    func testATaskOfADayRingsAtTheHourThePersonChose() throws {
        let task = todo("DUE;VALUE=DATE:20261121")
        // An hour that nobody chose annoys.
        XCTAssertEqual(try alerts(task, zone: Self.berlin), [])
        var settings = AlertSettings()
        settings.allDayHour = 9
        XCTAssertEqual(
            try alerts(task, zone: Self.berlin, settings: settings), ["20261121T080000Z t"])
        settings.allDayHour = 20
        XCTAssertEqual(
            try alerts(task, zone: Self.berlin, settings: settings), ["20261121T190000Z t"])
    }

    func testWhatIsDoneCancelledOrOfAPlaceNeverRings() throws {
        for line in [
            "STATUS:COMPLETED", "STATUS:CANCELLED", "status:completed",
            "COMPLETED:20261101T000000Z",
        ] {
            XCTAssertEqual(try alerts(todo("DUE:20261121T170000Z\n\(line)")), [], line)
        }
        let start = "DTSTART:20261121T100000Z"
        XCTAssertEqual(
            try alerts(event(start + "\nSTATUS:CANCELLED", alarm: "TRIGGER:PT0S")), [])
        for line in ["PROXIMITY:ARRIVE", "X-APPLE-PROXIMITY:DEPART", "ACTION:NONE"] {
            // The first ACTION of a component holds, as for every property.
            let alarm = "TRIGGER:PT0S\n\(line)"
            let text = event(start, alarm: alarm).replacingOccurrences(
                of: "ACTION:DISPLAY\n", with: "")
            XCTAssertEqual(try alerts(text), [], line)
        }
    }

    func testAnAcknowledgedAlarmIsSilentAndItsSnoozeRings() throws {
        let task = """
            BEGIN:VTODO
            UID:u
            SUMMARY:t
            DUE:20261121T170000Z
            BEGIN:VALARM
            UID:a
            ACTION:DISPLAY
            TRIGGER;RELATED=END:PT0S
            ACKNOWLEDGED:20261121T170010Z
            END:VALARM
            BEGIN:VALARM
            UID:b
            ACTION:DISPLAY
            TRIGGER;VALUE=DATE-TIME:20261121T171000Z
            RELATED-TO;RELTYPE=SNOOZE:a
            END:VALARM
            END:VTODO
            """
        XCTAssertEqual(try alerts(task), ["20261121T171000Z t"])
        // Seen before it rang is not seen.
        XCTAssertEqual(
            try alerts(task.replacingOccurrences(of: "T170010Z", with: "T165959Z")),
            ["20261121T170000Z t", "20261121T171000Z t"])
    }

    func testEveryRepetitionRingsButThoseTakenOutAndThoseMovedRingThere() throws {
        let series = """
            BEGIN:VEVENT
            UID:u
            SUMMARY:t
            DTSTART;TZID=Europe/Berlin:20261023T090000
            RRULE:FREQ=DAILY;COUNT=5
            EXDATE;TZID=Europe/Berlin:20261024T090000
            BEGIN:VALARM
            ACTION:DISPLAY
            TRIGGER:-PT10M
            END:VALARM
            END:VEVENT
            BEGIN:VEVENT
            UID:u
            SUMMARY:moved
            RECURRENCE-ID;TZID=Europe/Berlin:20261026T090000
            DTSTART;TZID=Europe/Berlin:20261026T150000
            BEGIN:VALARM
            ACTION:DISPLAY
            TRIGGER:-PT10M
            END:VALARM
            END:VEVENT
            """
        // Clocks go back on the 25th.
        XCTAssertEqual(
            try alerts(series),
            [
                "20261023T065000Z t", "20261025T075000Z t", "20261026T135000Z moved",
                "20261027T075000Z t",
            ])
    }

    func testTwoAlarmsAtOneTimeAreOneAlert() throws {
        let text = event("DTSTART:20261121T100000Z", alarm: "TRIGGER:PT0S").replacingOccurrences(
            of: "END:VEVENT",
            with: "BEGIN:VALARM\nACTION:AUDIO\nTRIGGER:PT0S\nEND:VALARM\nEND:VEVENT")
        XCTAssertEqual(try alerts(text), ["20261121T100000Z t"])
    }

    /// A hundred alarms that repeat a thousand times, each minute: the nearest
    /// come, and no more are made than can be given.
    func testAlarmBombsGiveOnlyTheNearest() throws {
        let alarm =
            "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT5M\nREPEAT:1000\nDURATION:PT1M\nEND:VALARM\n"
        for rule in ["MINUTELY", "SECONDLY", "HOURLY;BYMINUTE=0,1,2,3,4,5,6,7,8,9"] {
            let text =
                "BEGIN:VEVENT\nUID:u\nSUMMARY:t\nDTSTART:20200101T000000Z\nDTEND:20200102T000000Z\n"
                + "RRULE:FREQ=\(rule)\n" + String(repeating: alarm, count: 100) + "END:VEVENT"
            let found = try findings(
                text, from: "20261108T000000Z", to: "20261124T000000Z", near: "20261122T000000Z")
            XCTAssertLessThanOrEqual(found.alerts.count, 2 * AlertReader.nearestLimit, rule)
            XCTAssertEqual(found.problems.count, 1, rule)
            let now = try instant("20261122T000000Z")
            let next = try XCTUnwrap(found.alerts.first { $0.instant >= now })
            XCTAssertLessThan(next.instant, now.addingTimeInterval(60), rule)
            let last = try XCTUnwrap(found.alerts.last { $0.instant < now })
            XCTAssertGreaterThanOrEqual(last.instant, now.addingTimeInterval(-60), rule)
            let minutes = found.alerts.map { LocalTime.seconds(of: $0.instant) / 60 }
            XCTAssertEqual(minutes, Array(Set(minutes)).sorted(), "\(rule): once a minute")
            XCTAssertGreaterThanOrEqual(
                try XCTUnwrap(found.end), try XCTUnwrap(found.alerts.last?.instant), rule)
            // A look a moment later finds the same ones.
            let later = try findings(
                text, from: "20261108T000000Z", to: "20261124T000000Z", near: "20261122T000017Z")
            XCTAssertTrue(later.alerts.contains { $0.instant == next.instant }, rule)
        }
    }

    /// An event's alarm at one instant is one of the first occurrence.
    func testAnAlarmOfOneInstantGoesWithTheFirstOccurrenceOfASeries() throws {
        let series = "DTSTART:20261124T180000Z\nRRULE:FREQ=DAILY;COUNT=5"
        let alarm = "TRIGGER;VALUE=DATE-TIME:20261124T173000Z"
        let whole = event(series, alarm: alarm)
        XCTAssertEqual(try alerts(whole), ["20261124T173000Z t"])
        XCTAssertEqual(
            try alerts(event(series + "\nEXDATE:20261125T180000Z", alarm: alarm)).count, 1)
        XCTAssertEqual(try alerts(event(series + "\nEXDATE:20261124T180000Z", alarm: alarm)), [])
        let moved = event(
            "RECURRENCE-ID:20261124T180000Z\nDTSTART:20261124T210000Z",
            alarm: "TRIGGER;VALUE=DATE-TIME:20261124T203000Z")
        XCTAssertEqual(try alerts(whole + "\n" + moved), ["20261124T203000Z t"])
    }

    /// Ten minutes apart is often, and no more than a person can be told of.
    func testAnItemThatRingsOftenGivesTheNearestInOrder() throws {
        let text = event(
            "DTSTART:20260101T000000Z\nRRULE:FREQ=MINUTELY;INTERVAL=20", alarm: "TRIGGER:-P1D")
        let found = try findings(
            text, from: "20261108T000000Z", to: "20261124T000000Z", near: "20261122T001000Z")
        XCTAssertEqual(found.problems, [])
        let times = found.alerts.map { CalendarMoment.utcText($0.instant) }
        XCTAssertEqual(times.count, 200)
        XCTAssertEqual(
            times[99...101], ["20261122T000000Z", "20261122T002000Z", "20261122T004000Z"])
        XCTAssertEqual(found.end, found.alerts.last?.instant)
    }

    /// Far from their occurrences, where the clocks may change in between.
    func testTheNearestAreFoundHoweverFarTheyAreFromTheirOccurrences() throws {
        let often = "DTSTART:20260101T000000Z\nRRULE:FREQ="
        for (text, first) in [
            (todo("DUE:20260101T000000Z\nRRULE:FREQ=MINUTELY"), "20261122T001000Z"),
            (event(often + "MINUTELY", alarm: "TRIGGER:-P1D"), "20261122T001000Z"),
            (event(often + "SECONDLY", alarm: "TRIGGER:P400D"), nil),
            (event(often + "SECONDLY", alarm: "TRIGGER:P100D"), "20261122T001000Z"),
            (
                event(
                    "DTEND:20260301T000000Z\n" + often + "MINUTELY",
                    alarm: "TRIGGER;RELATED=END:PT0S"), "20261122T001000Z"
            ),
        ] {
            let found = try findings(
                text, zone: Self.berlin, from: "20261108T000000Z", to: "20261124T000000Z",
                near: "20261122T000930Z")
            let now = try instant("20261122T000930Z")
            let next = found.alerts.first { $0.instant >= now }
            XCTAssertEqual(next.map { CalendarMoment.utcText($0.instant) }, first, text)
            if first != nil { XCTAssertEqual(found.problems.count, 1, text) }
            XCTAssertLessThanOrEqual(found.alerts.count, 2 * AlertReader.nearestLimit)
        }
    }

    /// Many items in one file share what is spent on it.
    func testAFileOfManyItemsIsBoundedAsAWhole() throws {
        let items = (0..<300).map { number in
            event("DTSTART:20200101T000000Z\nRRULE:FREQ=MINUTELY", alarm: "TRIGGER:-PT5M")
                .replacingOccurrences(of: "UID:u", with: "UID:\(number)")
        }
        let found = try findings(
            items.joined(separator: "\n"), from: "20261108T000000Z", to: "20261124T000000Z",
            near: "20261122T000000Z")
        XCTAssertLessThanOrEqual(
            found.alerts.count, AlertReader.alertLimit + 2 * AlertReader.nearestLimit)
        XCTAssertEqual(found.problems.count, 1)
    }

    func testListsOfTimesWithoutEndAreBounded() throws {
        let times = (0..<60_000).map {
            "20261122T\(String(format: "%06d", $0 % 60 + $0 / 60 % 60 * 100 + $0 / 3_600 * 10_000))Z"
        }
        .joined(separator: ",")
        for lines in ["RDATE:\(times)", "RRULE:FREQ=SECONDLY\nEXDATE:\(times)"] {
            let found = try findings(
                event("DTSTART:20261120T000000Z\n\(lines)", alarm: "TRIGGER:PT0S"),
                from: "20261108T000000Z", to: "20261124T000000Z", near: "20261122T000000Z")
            XCTAssertLessThanOrEqual(found.alerts.count, 2 * AlertReader.nearestLimit)
            XCTAssertEqual(found.problems.count, 1)
        }
    }

    func testHostileRulesAndTriggersAreAnsweredInBoundedTime() throws {
        for rule in ["FREQ=SECONDLY", "FREQ=SECONDLY;COUNT=1000000000", "FREQ=YEARLY;BYDAY=5XX"] {
            let text = event("DTSTART:19700101T000000Z\nRRULE:\(rule)", alarm: "TRIGGER:-PT1S")
            XCTAssertLessThanOrEqual(
                try alerts(text, from: "20261121T000000Z", to: "20261123T000000Z").count,
                AlertReader.alertLimit, rule)
        }
        for trigger in ["-P999999999D", "PT", "", "-PT99999999999999S", "20261332T000000Z"] {
            XCTAssertEqual(
                try alerts(event("DTSTART:20261121T100000Z", alarm: "TRIGGER:\(trigger)")), [],
                trigger)
        }
    }
}
