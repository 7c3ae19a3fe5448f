import XCTest

@testable import ToolServers

final class RecurrenceWordsTests: XCTestCase {
    func testRulesAreSaidAsPeopleSayThem() {
        let expected = [
            "FREQ=DAILY": "every day", "FREQ=DAILY;INTERVAL=3": "every 3 days",
            "FREQ=WEEKLY": "every week", "FREQ=WEEKLY;INTERVAL=2": "every other week",
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU": "every other Tuesday",
            "FREQ=WEEKLY;BYDAY=FR,MO": "every Monday and Friday",
            "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR": "every weekday",
            "FREQ=DAILY;BYDAY=SA,SU": "every weekend day",
            "FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,TU": "every 3 weeks on Monday and Tuesday",
            "FREQ=MONTHLY": "every month",
            "FREQ=MONTHLY;BYMONTHDAY=1,15": "the 1st and 15th of every month",
            "FREQ=MONTHLY;BYMONTHDAY=-1": "the last day of every month",
            "FREQ=MONTHLY;BYDAY=1MO": "the first Monday of every month",
            "FREQ=MONTHLY;INTERVAL=2;BYDAY=-1FR": "the last Friday of every other month",
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1": "the last weekday of every month",
            "FREQ=YEARLY": "every year",
            "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=22": "every year on 22 Mar",
            "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH": "the fourth Thursday of Nov, every year",
            "FREQ=HOURLY;INTERVAL=2": "every 2 hours", "FREQ=MINUTELY": "every minute",
            "FREQ=DAILY;COUNT=1": "every day, 1 time",
            "FREQ=WEEKLY;BYDAY=MO;COUNT=6": "every Monday, 6 times",
            "FREQ=WEEKLY;UNTIL=20270301": "every week until 1 Mar 2027",
            "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0": "every day at 08:00 and 20:00",
        ]
        for (rule, words) in expected { XCTAssertEqual(RecurrenceWords.text(rule), words, rule) }
    }

    /// A wrong description is worse than none.
    func testWhatWordsWouldNotCarryIsShownAsItIs() {
        for rule in [
            "FREQ=YEARLY;BYWEEKNO=20", "FREQ=YEARLY;BYYEARDAY=100", "nonsense",
            "FREQ=MONTHLY;BYDAY=MO", "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR",
            "FREQ=DAILY;BYMONTH=1", "FREQ=HOURLY;BYHOUR=9",
        ] {
            XCTAssertTrue(
                RecurrenceWords.text(rule).contains("=") || rule == "nonsense", rule)
        }
    }
}
