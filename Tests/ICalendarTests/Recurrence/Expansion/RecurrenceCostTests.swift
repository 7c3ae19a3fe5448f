import Base
import FoundationEssentials
import TestSupport
import XCTest

@testable import ICalendar

/// What finding times costs: hostile rules are answered or refused, usual
/// ones take next to nothing.
final class RecurrenceCostTests: XCTestCase {
    /// The full run says how long 10,000 items take.
    func testThousandsOfItemsOverThreeMonths() throws {
        let isFull = ProcessInfo.processInfo.environment["CHAT_FULL"] == "1"
        let berlin = try XCTUnwrap(TimeZoneDatabase().rules(named: "Europe/Berlin"))
        let local = LocalTime(berlin)
        let texts = [
            "FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU",
            "FREQ=MONTHLY;BYMONTHDAY=15", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
            "FREQ=YEARLY", "FREQ=DAILY;COUNT=400", "FREQ=WEEKLY;UNTIL=20271231T225959Z",
            "FREQ=MONTHLY;BYDAY=2WE", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
        ]
        let sets = try (0..<(isFull ? 10_000 : 1000)).map { index in
            let start = CivilDateTime(secondsAsUTC: 1_735_693_200 + index % 365 * 86_400)
            return RecurrenceSet(
                start: .time(start, zone: berlin),
                rules: [try RecurrenceRule(parsing: texts[index % texts.count])])
        }
        let from = Date(timeIntervalSince1970: 1_790_000_000)
        let to = from.addingTimeInterval(92 * 86_400)
        var count = 0
        let time = try ProcessorTime.measure {
            for set in sets { count += try set.starts(from: from, to: to, in: local).count }
        }
        print("\(sets.count) items, 3 months: \(count) times in \(time)")
        XCTAssertGreaterThan(count, sets.count * 10)
    }

    /// Each is answered or refused; the bounds are loose, against a hang and
    /// not as a measure, since debug builds on busy machines run them too.
    func testHostileRulesAreAnsweredOrRefused() throws {
        let everyHour = (0...23).map(String.init).joined(separator: ",")
        let everyMinute = (0...59).map(String.init).joined(separator: ",")
        let everyDay = (1...31).map(String.init).joined(separator: ",")
        let crossing = "BYHOUR=\(everyHour);BYMINUTE=\(everyMinute);BYSECOND=\(everyMinute)"
        let rules = [
            "FREQ=SECONDLY;COUNT=1000000000", "FREQ=SECONDLY", "FREQ=MINUTELY;COUNT=9999999999",
            "FREQ=DAILY;COUNT=1000000000", "FREQ=WEEKLY;COUNT=1000000000;BYDAY=MO,WE",
            "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=31",
            "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30;COUNT=5",
            "FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2", "FREQ=YEARLY;BYMONTHDAY=31;BYMONTH=2,4,6,9,11",
            "FREQ=DAILY;BYMONTHDAY=31;BYMONTH=2", "FREQ=HOURLY;BYMONTHDAY=31;BYMONTH=2",
            "FREQ=MINUTELY;INTERVAL=60;BYMINUTE=1", "FREQ=SECONDLY;INTERVAL=60;BYSECOND=59",
            "FREQ=HOURLY;INTERVAL=24;BYHOUR=5", "FREQ=DAILY;INTERVAL=7;BYDAY=MO",
            "FREQ=SECONDLY;INTERVAL=86400;BYHOUR=3", "FREQ=DAILY;INTERVAL=9999999999",
            "FREQ=YEARLY;INTERVAL=9999999999", "FREQ=WEEKLY;INTERVAL=1000000000;COUNT=1000000000",
            "FREQ=SECONDLY;INTERVAL=9999999999", "FREQ=YEARLY;\(crossing)",
            "FREQ=YEARLY;BYMONTHDAY=\(everyDay);\(crossing)",
            "FREQ=YEARLY;BYMONTHDAY=\(everyDay);\(crossing);BYSETPOS=-1",
            "FREQ=YEARLY;BYMONTHDAY=\(everyDay);\(crossing);BYSETPOS=-366,366;COUNT=1000000000",
            "FREQ=MONTHLY;\(crossing);COUNT=1000000000",
            "FREQ=SECONDLY;\(crossing);COUNT=1000000000",
            "FREQ=SECONDLY;BYWEEKNO=53;BYYEARDAY=1",
            "FREQ=SECONDLY;BYYEARDAY=366;BYDAY=MO;BYSETPOS=2",
            "FREQ=YEARLY;BYYEARDAY=366;BYMONTH=1", "FREQ=YEARLY;BYWEEKNO=10;BYMONTH=12;BYDAY=MO",
            "FREQ=YEARLY;BYDAY=53MO;BYMONTH=1", "FREQ=MONTHLY;BYDAY=53MO",
            "FREQ=DAILY;BYSETPOS=366", "FREQ=MINUTELY;BYSETPOS=-366", "FREQ=SECONDLY;BYSETPOS=2",
            "FREQ=DAILY;UNTIL=19000101", "FREQ=SECONDLY;UNTIL=00010101T000000Z",
            "FREQ=SECONDLY;UNTIL=99991231T235959Z",
            "FREQ=YEARLY;INTERVAL=100;BYMONTH=2;BYMONTHDAY=29",
            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;BYWEEKNO=9",
        ]
        let starts = ["00010101T000000", "19040229T030000", "20200131T235959", "99991231T235959"]
            .compactMap { CalendarMoment(value: $0) }
        let local = LocalTime(
            try XCTUnwrap(TimeZoneDatabase().rules(named: "America/New_York")))
        let from = Date(timeIntervalSince1970: 1_790_000_000)
        let isFull = ProcessInfo.processInfo.environment["CHAT_FULL"] == "1"
        var (answered, refused) = (0, 0)
        for (index, text) in rules.enumerated() {
            let rule = try RecurrenceRule(parsing: text)
            for moment in isFull ? starts : [starts[index % starts.count]] {
                guard case .floating(let start) = moment else { continue }
                let set = RecurrenceSet(start: .time(start, zone: local.rules), rules: [rule])
                let asked: [(String, () throws -> Int)] = [
                    (
                        "window",
                        {
                            try set.starts(
                                from: from, to: from.addingTimeInterval(92 * 86_400), in: local
                            )
                            .count
                        }
                    ),
                    ("next", { try set.next(after: from, in: local) == nil ? 0 : 1 }),
                    ("previous", { try set.previous(before: from, in: local) == nil ? 0 : 1 }),
                ]
                // Full runs ask everything.
                for (name, ask) in isFull || index % 4 == 0 ? asked[...] : asked[..<2] {
                    let time = ProcessorTime.measure {
                        do {
                            _ = try ask()
                            answered += 1
                        } catch {
                            XCTAssertEqual((error as? RecurrenceError)?.reason, .tooExpensive)
                            refused += 1
                        }
                    }
                    XCTAssertLessThan(
                        time, .seconds(10), "\(name) of \(text) from \(start.isoText)")
                }
            }
        }
        print("\(rules.count) hostile rules: \(answered) answered, \(refused) refused")
        XCTAssertGreaterThan(answered, refused)
    }

    func testARuleThatTakesOutEverythingIsRefusedOrEmpty() throws {
        let local = LocalTime(.utc)
        for text in ["FREQ=SECONDLY", "FREQ=DAILY", "FREQ=YEARLY"] {
            let rule = try RecurrenceRule(parsing: text)
            let set = RecurrenceSet(
                start: .time(CivilDateTime(secondsAsUTC: 1_700_000_000), zone: .utc),
                rules: [rule], exclusionRules: [rule])
            do throws(RecurrenceError) {
                let next = try set.next(after: .distantPast, in: local)
                XCTAssertNil(next, text)
            } catch {
                XCTAssertEqual(error, RecurrenceError(.tooExpensive), text)
            }
        }
    }

    func testAHundredThousandAddedAndExcludedTimes() throws {
        let local = LocalTime(.utc)
        let start = 1_700_000_000
        let times = (0..<100_000).map {
            ItemTime.time(
                CivilDateTime(secondsAsUTC: start + ($0 * 7919) % 100_000 * 60), zone: .utc)
        }
        let set = RecurrenceSet(
            start: .time(CivilDateTime(secondsAsUTC: start), zone: .utc),
            added: times, excluded: Array(times.prefix(50_000)))
        let found = try set.starts(
            from: Date(timeIntervalSince1970: Double(start)),
            to: Date(timeIntervalSince1970: Double(start + 86_400)), in: local)
        XCTAssertLessThan(found.count, 1440)
        XCTAssertGreaterThan(found.count, 400)
        XCTAssertEqual(found, found.sorted { $0.clock < $1.clock })
        XCTAssertNotNil(try set.next(after: Date(timeIntervalSince1970: 1_702_000_000), in: local))
    }

    func testFarFromTheStartIsAsNearAsAtTheStart() throws {
        let local = LocalTime(.utc)
        // Counted in steps, so that the answer is the same on any machine.
        for text in [
            "FREQ=SECONDLY", "FREQ=MINUTELY;INTERVAL=7", "FREQ=HOURLY;BYMINUTE=1,2",
            "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY;BYDAY=MO,FR", "FREQ=MONTHLY;BYDAY=-1FR",
            "FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO", "FREQ=SECONDLY;COUNT=9000000000",
            "FREQ=DAILY;COUNT=900000;BYHOUR=1,2", "FREQ=WEEKLY;COUNT=900000;BYDAY=MO,FR",
        ] {
            var starts = RecurrenceStarts(
                RecurrenceSet(
                    start: .time(CivilDateTime(secondsAsUTC: -5_000_000_000), zone: .utc),
                    rules: [try RecurrenceRule(parsing: text)]),
                from: 2_000_000_000, in: local)
            var budget = RecurrenceBudget()
            XCTAssertNotNil(try starts.next(&budget), text)
            XCTAssertLessThan(RecurrenceBudget.steps - budget.left, 40, text)
        }
    }
}
