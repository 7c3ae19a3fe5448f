import Base
import FoundationEssentials
import TestSupport
import XCTest

@testable import ICalendar

/// Recurrence over the changes of the clocks.
final class RecurrenceZoneTests: XCTestCase {
    func testAGapShiftsOneTimeAndNotTheNext() throws {
        XCTAssertEqual(
            try list("20260328T023000", "FREQ=DAILY;COUNT=3", "Europe/Berlin"),
            [
                "2026-03-28T02:30:00+01:00", "2026-03-29T03:30:00+02:00",
                "2026-03-30T02:30:00+02:00",
            ])
        XCTAssertEqual(
            try list("20260301T023000", "FREQ=WEEKLY;COUNT=3;BYDAY=SU", "America/New_York"),
            [
                "2026-03-01T02:30:00-05:00", "2026-03-08T03:30:00-04:00",
                "2026-03-15T02:30:00-04:00",
            ])
    }

    func testAnAmbiguousTimeIsTheFirst() throws {
        XCTAssertEqual(
            try list("20261024T023000", "FREQ=DAILY;COUNT=3", "Europe/Berlin"),
            [
                "2026-10-24T02:30:00+02:00", "2026-10-25T02:30:00+02:00",
                "2026-10-26T02:30:00+01:00",
            ])
    }

    func testHalfAnHourOnLordHowe() throws {
        XCTAssertEqual(
            try list("20261003T021500", "FREQ=DAILY;COUNT=3", "Australia/Lord_Howe"),
            [
                "2026-10-03T02:15:00+10:30", "2026-10-04T02:45:00+11:00",
                "2026-10-05T02:15:00+11:00",
            ])
        XCTAssertEqual(
            try list("20260404T014500", "FREQ=DAILY;COUNT=3", "Australia/Lord_Howe"),
            [
                "2026-04-04T01:45:00+11:00", "2026-04-05T01:45:00+11:00",
                "2026-04-06T01:45:00+10:30",
            ])
    }

    /// 30 December 2011 did not take place in Samoa: its time falls on that of
    /// the next day, which is there once.
    func testTheDayThatApiaSkipped() throws {
        XCTAssertEqual(
            try list("20111228T090000", "FREQ=DAILY;COUNT=5", "Pacific/Apia"),
            [
                "2011-12-28T09:00:00-10:00", "2011-12-29T09:00:00-10:00",
                "2011-12-31T09:00:00+14:00", "2012-01-01T09:00:00+14:00",
            ])
    }

    func testEveryHourStaysAnHourLong() throws {
        XCTAssertEqual(
            try list("20260329T003000", "FREQ=HOURLY;UNTIL=20260329T024500Z", "Europe/Berlin"),
            [
                "2026-03-29T00:30:00+01:00", "2026-03-29T01:30:00+01:00",
                "2026-03-29T03:30:00+02:00", "2026-03-29T04:30:00+02:00",
            ])
        XCTAssertEqual(
            try list("20261025T013000", "FREQ=HOURLY;UNTIL=20261025T023000Z", "Europe/Berlin"),
            [
                "2026-10-25T01:30:00+02:00", "2026-10-25T02:30:00+02:00",
                "2026-10-25T02:30:00+01:00", "2026-10-25T03:30:00+01:00",
            ])
    }

    func testEveryTwentyMinutesGoesThroughBothPassesInOrder() throws {
        XCTAssertEqual(
            try list(
                "20261025T020000", "FREQ=MINUTELY;INTERVAL=20;UNTIL=20261025T020000Z",
                "Europe/Berlin"),
            [
                "2026-10-25T02:00:00+02:00", "2026-10-25T02:20:00+02:00",
                "2026-10-25T02:40:00+02:00", "2026-10-25T02:00:00+01:00",
                "2026-10-25T02:20:00+01:00", "2026-10-25T02:40:00+01:00",
                "2026-10-25T03:00:00+01:00",
            ])
        XCTAssertEqual(
            try list(
                "20260329T014000", "FREQ=MINUTELY;INTERVAL=20;UNTIL=20260329T014000Z",
                "Europe/Berlin"),
            [
                "2026-03-29T01:40:00+01:00", "2026-03-29T03:00:00+02:00",
                "2026-03-29T03:20:00+02:00", "2026-03-29T03:40:00+02:00",
            ])
    }

    /// Three times a day means the same three times all year.
    func testEveryEightHoursKeepsItsTimesOfDay() throws {
        XCTAssertEqual(
            try list("20261024T220000", "FREQ=HOURLY;INTERVAL=8;COUNT=4", "Europe/Berlin"),
            [
                "2026-10-24T22:00:00+02:00", "2026-10-25T06:00:00+01:00",
                "2026-10-25T14:00:00+01:00", "2026-10-25T22:00:00+01:00",
            ])
    }

    func testAfter2038AndUpToTheEndOfTheCalendar() throws {
        XCTAssertEqual(
            try list("20370704T090000", "FREQ=YEARLY;COUNT=3", "Europe/Berlin"),
            [
                "2037-07-04T09:00:00+02:00", "2038-07-04T09:00:00+02:00",
                "2039-07-04T09:00:00+02:00",
            ])
        XCTAssertEqual(
            try list("99971231T120000", "FREQ=YEARLY", "Etc/UTC"),
            [
                "9997-12-31T12:00:00+00:00", "9998-12-31T12:00:00+00:00",
                "9999-12-31T12:00:00+00:00",
            ])
        XCTAssertEqual(
            try list("00010101T000000", "FREQ=WEEKLY;COUNT=2", "Etc/UTC"),
            ["0001-01-01T00:00:00+00:00", "0001-01-08T00:00:00+00:00"])
    }

    func testUntilInUTCIsComparedAsAnInstant() throws {
        // 3 April 09:00 in Berlin is 07:00 UTC: included to the second.
        XCTAssertEqual(
            try list("20260402T090000", "FREQ=DAILY;UNTIL=20260403T070000Z", "Europe/Berlin").count,
            2)
        XCTAssertEqual(
            try list("20260402T090000", "FREQ=DAILY;UNTIL=20260403T065959Z", "Europe/Berlin").count,
            1)
        XCTAssertEqual(
            try list("20260402T090000", "FREQ=DAILY;UNTIL=20260403", "Europe/Berlin").count, 2)
        XCTAssertEqual(
            try list("20260402T090000", "FREQ=DAILY;UNTIL=20260403T085959", "Europe/Berlin").count,
            1)
    }

    /// Each random rule on the wall clock by dateutil, each time resolved by
    /// Python's zoneinfo, from random instants on, in places of odd clocks.
    func testRandomRulesInZonesAgreeWithPython() throws {
        let script = """
            import sys, itertools, datetime as d, zoneinfo
            from dateutil.rrule import rrulestr
            epoch = d.datetime(1970, 1, 1)
            for line in sys.stdin:
                zone, start, text, low, high = line.rstrip("\\n").split("\\t")
                start = epoch + d.timedelta(seconds=int(start))
                count = 10 ** 9
                if ";COUNT=" in text:
                    text, count = text.split(";COUNT=")
                times = itertools.chain([start], itertools.islice(
                    (t for t in rrulestr(text, dtstart=start) if t > start), int(count) - 1))
                stop, z, out = epoch + d.timedelta(seconds=int(high) + 200000), zoneinfo.ZoneInfo(zone), set()
                for t in itertools.takewhile(lambda t: t < stop, times):
                    second = int(t.replace(tzinfo=z).timestamp())
                    if int(low) <= second < int(high): out.add(second)
                print(" ".join(map(str, sorted(out))))
            """
        let zones = [
            "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia",
            "Europe/Dublin", "Africa/Casablanca", "America/Sao_Paulo", "Asia/Kathmandu",
        ]
        let texts = [
            "FREQ=DAILY", "FREQ=DAILY;INTERVAL=3;COUNT=900", "FREQ=WEEKLY;BYDAY=SU,MO",
            "FREQ=MONTHLY;BYDAY=-1SU,1SU", "FREQ=DAILY;BYHOUR=0,1,2,3;BYMINUTE=0,30",
            "FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU", "FREQ=HOURLY;INTERVAL=5",
            "FREQ=HOURLY;INTERVAL=3;COUNT=7000",
        ]
        let seed = UInt64.random(in: 0...999_999)
        print("seed \(seed)")
        var random = RandomRule(seed: seed)
        var cases: [(set: RecurrenceSet, low: Int, high: Int, line: String)] = []
        for index in 0..<240 {
            let (name, text) = (
                zones[index % zones.count], texts[index / zones.count % texts.count]
            )
            let zone = try XCTUnwrap(TimeZoneDatabase().rules(named: name))
            let day = Int.random(in: 14_000...21_000, using: &random.random)
            let clock = [0, 1800, 3600, 5400, 7200, 9000, 10_800].randomElement(
                using: &random.random)
            let start = day * 86_400 + (clock ?? 0)
            let low = start + Int.random(in: -86_400...(86_400 * 700), using: &random.random)
            let high = low + 86_400 * 200
            let set = RecurrenceSet(
                start: .time(CivilDateTime(secondsAsUTC: start), zone: zone),
                rules: [try RecurrenceRule(parsing: text)])
            cases.append((set, low, high, "\(name)\t\(start)\t\(text)\t\(low)\t\(high)"))
        }
        let answers = try PythonOracle.run(script, input: cases.map(\.line))
        XCTAssertEqual(answers.count, cases.count)
        let local = LocalTime(.utc)
        for (item, answer) in zip(cases, answers) {
            let found = try item.set.starts(
                from: Date(timeIntervalSince1970: Double(item.low)),
                to: Date(timeIntervalSince1970: Double(item.high)), in: local)
            XCTAssertEqual(
                found.map { LocalTime.seconds(of: $0.instant(in: local)) },
                answer.split(separator: " ").compactMap { Int($0) }, "seed \(seed): \(item.line)")
        }
    }

    private func list(_ start: String, _ rule: String, _ name: String) throws -> [String] {
        let zone = try XCTUnwrap(TimeZoneDatabase().rules(named: name))
        guard case .floating(let clock)? = CalendarMoment(value: start) else {
            throw OtherKindOfTime(start)
        }
        let set = RecurrenceSet(
            start: .time(clock, zone: zone), rules: [try RecurrenceRule(parsing: rule)])
        let local = LocalTime(zone)
        return try set.first(50, in: LocalTime(.utc)).map { local.isoText($0.instant(in: local)) }
    }
}
