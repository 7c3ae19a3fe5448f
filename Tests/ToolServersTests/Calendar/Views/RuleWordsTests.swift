import AgentCore
import XCTest

@testable import ToolServers

final class RuleWordsTests: XCTestCase {
    func testRulesInWords() throws {
        let zones = TimeZoneDatabase()
        let local = LocalTime(try XCTUnwrap(zones.rules(named: "Europe/Berlin")))
        let text = EventText(now: CalendarRig.now, local: local)
        let cases: [(String, String?)] = [
            ("FREQ=DAILY", "every day"), ("FREQ=WEEKLY;INTERVAL=2", "every other week"),
            ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
            ("FREQ=WEEKLY;BYDAY=TU,TH;COUNT=5", "every week on Tue, Thu, 5 times"),
            ("FREQ=MONTHLY;BYDAY=-1FR", "every month on the last Fri"),
            ("FREQ=MONTHLY;BYMONTHDAY=15", "every month on the 15."),
            ("FREQ=YEARLY;INTERVAL=4", "every 4 years"),
            ("FREQ=WEEKLY;UNTIL=20260331T220000Z", "every week until Wed 1 Apr"),
            (
                "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
                "every month on the last working day"
            ),
            ("FREQ=YEARLY;BYWEEKNO=20", nil), ("nonsense", nil),
        ]
        for (rule, wanted) in cases {
            XCTAssertEqual(RuleWords.text(rule, start: nil, text: text), wanted, rule)
        }
    }
}
