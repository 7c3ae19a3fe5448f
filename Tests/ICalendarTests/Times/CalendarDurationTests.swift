import Base
import Foundation
import TestSupport
import XCTest

@testable import ICalendar

final class CalendarDurationTests: XCTestCase {
    func testExamplesOfTheStandard() {
        // RFC 5545 §3.3.6, §3.8.6.3 and others.
        let examples = [
            ("P15DT5H0M20S", 15, 18_020), ("P7W", 49, 0), ("PT15M", 0, 900), ("-PT15M", 0, -900),
            ("PT1H0M0S", 0, 3600), ("-P2D", -2, 0), ("P1DT12H", 1, 43_200), ("+P1D", 1, 0),
            ("PT0S", 0, 0), ("P0D", 0, 0), ("PT5H30M", 0, 19_800), ("-P1W", -7, 0),
            // Against the letter, as others write it.
            ("P1W2D", 9, 0), ("P1DT", 1, 0),
        ]
        for (text, days, seconds) in examples {
            XCTAssertEqual(
                CalendarDuration(text), CalendarDuration(days: days, seconds: seconds), text)
        }
    }

    func testTextsThatAreNoneAreRefused() {
        for text in [
            "", "P", "PT", "-", "-P", "15M", "P15M", "PT15", "PT1D", "P1H", "PT-15M", "--PT15M",
            "P1.5D", "pt15m", "PT15M ", " PT15M", "PTT15M", "P99999999999D", "P1000001D", "P１D",
            "PT999999999999999999S", "P1Y", "PT15M\0",
        ] {
            XCTAssertNil(CalendarDuration(text), text)
        }
    }

    func testWhatIsWrittenIsReadBackByUsAndByPython() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        var durations = [CalendarDuration(), CalendarDuration(days: 7), CalendarDuration(days: 1)]
        for _ in 0..<500 {
            let sign = random.once(in: 2) ? -1 : 1
            durations.append(
                CalendarDuration(
                    days: sign * (random.once(in: 3) ? 0 : Int.random(in: 0...400, using: &random)),
                    seconds: sign
                        * (random.once(in: 3) ? 0 : Int.random(in: 0...200_000, using: &random))))
        }
        for duration in durations {
            XCTAssertEqual(CalendarDuration(duration.text), duration, duration.text)
        }
        let script = """
            import sys
            from icalendar.prop import vDuration
            for text in sys.argv[1:]:
                print(int(vDuration.from_ical(text).total_seconds()))
            """
        let output = try Python.run(
            script, arguments: durations.map(\.text), modules: ["icalendar"])
        XCTAssertEqual(
            output.split(separator: "\n").map { Int($0) ?? .min },
            durations.map { $0.days * 86_400 + $0.seconds })
    }

    func testDaysAreOfTheWallClockAndHoursOfTheStopwatch() throws {
        let berlin = try XCTUnwrap(TimeZoneDatabase().rules(named: "Europe/Berlin"))
        let day = try XCTUnwrap(CivilDate(year: 2026, month: 3, day: 28))
        let time = ItemTime.time(
            try XCTUnwrap(CivilDateTime(day, hour: 12, minute: 0)), zone: berlin)
        func added(_ text: String) -> String? {
            CalendarDuration(text)?.added(to: time, in: .init(.utc)).clock.isoText
        }
        XCTAssertEqual(added("P1D"), "2026-03-29T12:00:00")
        XCTAssertEqual(added("PT24H"), "2026-03-29T13:00:00")
        XCTAssertEqual(added("P1DT24H"), "2026-03-30T12:00:00")
        XCTAssertEqual(added("-P1W"), "2026-03-21T12:00:00")
        XCTAssertEqual(
            CalendarDuration("P2D")?.added(to: .date(day), in: .init(.utc)).civilDate.isoText,
            "2026-03-30")
    }
}
