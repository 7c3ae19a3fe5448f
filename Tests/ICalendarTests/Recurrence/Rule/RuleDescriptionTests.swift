import Base
import XCTest

@testable import ICalendar

final class RuleDescriptionTests: XCTestCase {
    func testRulesReadAsPeopleSayThem() throws {
        for (rule, text) in [
            ("FREQ=DAILY", "daily"),
            ("FREQ=DAILY;INTERVAL=2", "every other day"),
            ("FREQ=DAILY;INTERVAL=10", "every 10 days"),
            ("FREQ=DAILY;UNTIL=20260403", "daily until 3 Apr 2026"),
            ("FREQ=DAILY;COUNT=1", "daily, once"),
            ("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
            ("FREQ=DAILY;BYHOUR=9,21;BYMINUTE=0", "daily at 09:00 and 21:00"),
            ("FREQ=WEEKLY", "weekly"),
            ("FREQ=WEEKLY;INTERVAL=2", "every 2 weeks"),
            ("FREQ=WEEKLY;BYDAY=TU", "every Tuesday"),
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", "every other Tuesday"),
            ("FREQ=WEEKLY;INTERVAL=3;BYDAY=TU", "every 3 weeks on Tuesday"),
            ("FREQ=WEEKLY;BYDAY=TH,MO", "every Mon and Thu"),
            (
                "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;COUNT=6",
                "every 2 weeks on Mon and Thu, 6 times"
            ),
            ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR", "every 2 weeks on weekdays"),
            ("FREQ=WEEKLY;BYDAY=SA,SU", "every weekend"),
            ("FREQ=WEEKLY;BYDAY=SU,MO,TU,WE,TH,FR,SA", "daily"),
            ("FREQ=MONTHLY", "monthly"),
            ("FREQ=MONTHLY;INTERVAL=3", "every 3 months"),
            ("FREQ=MONTHLY;BYMONTHDAY=15", "on the 15th of every month"),
            (
                "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=1,15",
                "on the 1st and the 15th of every other month"
            ),
            ("FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=-1", "on the last day of every 3rd month"),
            ("FREQ=MONTHLY;BYMONTHDAY=-2", "on the 2nd last day of every month"),
            ("FREQ=MONTHLY;BYDAY=1MO", "on the first Monday of every month"),
            ("FREQ=MONTHLY;BYDAY=2TU,-1FR", "on the second Tuesday and last Friday of every month"),
            ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "on the last weekday of every month"),
            ("FREQ=MONTHLY;BYDAY=WE;BYSETPOS=2", "on the second Wednesday of every month"),
            ("FREQ=MONTHLY;BYDAY=FR", "on every Friday of every month"),
            (
                "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
                "monthly on the 13th of the month if that is Fri"
            ),
            ("FREQ=YEARLY", "yearly"),
            ("FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=12", "every year on 12 Jun"),
            ("FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29", "every 4 years on 29 Feb"),
            ("FREQ=YEARLY;BYMONTH=10;BYDAY=1SU", "on the first Sunday of October every year"),
            ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1", "on the last day of February every year"),
            ("FREQ=HOURLY", "hourly"),
            ("FREQ=HOURLY;INTERVAL=12", "every 12 hours"),
            ("FREQ=MINUTELY;INTERVAL=15", "every 15 minutes"),
            ("FREQ=SECONDLY", "every second"),
        ] {
            XCTAssertEqual(
                RuleDescription.of(try RecurrenceRule(parsing: rule), in: LocalTime(.utc)), text,
                rule)
        }
    }

    func testWhatHasNoPhraseIsEnumerated() throws {
        for (rule, text) in [
            ("FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "yearly in week 20 on Mon"),
            ("FREQ=YEARLY;BYYEARDAY=1,-1", "yearly on day 1 and 1 from the end of the year"),
            (
                "FREQ=MONTHLY;BYMONTH=1,7;BYDAY=MO,1FR;BYSETPOS=1,-1",
                "monthly in Jan and Jul on Mon and the first Friday, only the first and last of these"
            ),
            (
                "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10",
                "every 20 minutes in the hours 9 and 10"
            ),
            (
                "FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=5,10",
                "daily in the hour 9 at minute 0 at seconds 5 and 10"
            ),
        ] {
            XCTAssertEqual(
                RuleDescription.of(try RecurrenceRule(parsing: rule), in: LocalTime(.utc)), text,
                rule)
        }
    }

    func testTheStartNamesWhatTheRuleLeavesOut() throws {
        let berlin = try XCTUnwrap(TimeZoneDatabase().rules(named: "Europe/Berlin"))
        // Tuesday, 3 March 2026.
        let start = ItemTime.time(CivilDateTime(secondsAsUTC: 1_772_528_400), zone: berlin)
        for (rule, text) in [
            ("FREQ=WEEKLY", "every Tuesday"),
            ("FREQ=WEEKLY;INTERVAL=2", "every other Tuesday"),
            ("FREQ=MONTHLY", "on the 3rd of every month"),
            ("FREQ=YEARLY", "every year on 3 Mar"),
            ("FREQ=YEARLY;BYMONTH=3,9", "every year on 3 Mar and 3 Sep"),
            ("FREQ=DAILY;BYHOUR=9,15", "daily at 09:00 and 15:00"),
            // 23:30 UTC is the next day in Berlin.
            ("FREQ=DAILY;UNTIL=20260402T233000Z", "daily until 3 Apr 2026"),
        ] {
            XCTAssertEqual(
                RuleDescription.of(
                    try RecurrenceRule(parsing: rule), start: start, in: LocalTime(.utc)), text,
                rule)
        }
    }

    func testEveryRandomRuleHasAText() {
        var random = RandomRule(seed: 5)
        for _ in 0..<2000 {
            let start = random.start()
            let rule = random.rule(start)
            let text = RuleDescription.of(
                rule, start: .time(start, zone: nil), in: LocalTime(.utc))
            XCTAssertFalse(text.isEmpty, rule.text)
            XCTAssertFalse(text.contains("  ") || text.hasSuffix(" "), "\(rule.text): \(text)")
            XCTAssertLessThan(text.count, 1000)
        }
    }
}
