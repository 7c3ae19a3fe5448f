import AgentCore
import FoundationEssentials
import TestSupport
import XCTest

@testable import ToolServers

/// What finding times costs: hostile rules are answered or refused, usual
/// ones take next to nothing.
final class RecurrenceCostTests: XCTestCase {
    func testTenThousandItemsOverThreeMonths() throws {
        let berlin = try XCTUnwrap(TimeZoneDatabase().rules(named: "Europe/Berlin"))
        let local = LocalTime(berlin)
        let texts = [
            "FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU",
            "FREQ=MONTHLY;BYMONTHDAY=15", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
            "FREQ=YEARLY", "FREQ=DAILY;COUNT=400", "FREQ=WEEKLY;UNTIL=20271231T225959Z",
            "FREQ=MONTHLY;BYDAY=2WE", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
        ]
        let sets = try (0..<10_000).map { index in
            let start = CivilDateTime(secondsAsUTC: 1_735_693_200 + index % 365 * 86_400)
            return RecurrenceSet(
                start: .time(start, zone: berlin),
                rules: [try RecurrenceRule(parsing: texts[index % texts.count])])
        }
        let from = Date(timeIntervalSince1970: 1_790_000_000)
        let to = from.addingTimeInterval(92 * 86_400)
        let clock = ContinuousClock()
        var count = 0
        let time = try clock.measure {
            for set in sets { count += try set.starts(from: from, to: to, in: local).count }
        }
        print("10,000 items, 3 months: \(count) times in \(time)")
        XCTAssertGreaterThan(count, 100_000)
    }
}
