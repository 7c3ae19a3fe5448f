import TestSupport
import XCTest

@testable import ICalendar

final class RecurrenceRuleTests: XCTestCase {
    func testOrderCaseSpacesAndATrailingSemicolonDoNotMatter() throws {
        for text in [
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;WKST=SU;COUNT=5",
            "count=5;wkst=su;byday=tu,th;interval=2;freq=weekly;",
            " FREQ = WEEKLY ; INTERVAL = 2 ; BYDAY = TU , TH ; WKST = SU ; COUNT = 5 ",
            "RRULE:FREQ=WEEKLY;INTERVAL=02;BYDAY=TU,TH,TU;WKST=SU;COUNT=5;X-FOO=1",
            "INTERVAL=3;FREQ=WEEKLY;;INTERVAL=2;BYDAY=TU,TH;WKST=SU;COUNT=+5",
        ] {
            XCTAssertEqual(
                try RecurrenceRule(parsing: text).text,
                "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;WKST=SU;COUNT=5", text)
        }
    }

    func testUntilStaysAsItWasWritten() throws {
        for until in ["20260403", "20260403T215959Z", "20260403T235959"] {
            XCTAssertEqual(
                try RecurrenceRule(parsing: "FREQ=DAILY;UNTIL=\(until)").text,
                "FREQ=DAILY;UNTIL=\(until)")
        }
    }

    func testWhatIsWrongIsNamed() {
        for (text, part) in [
            ("", "FREQ"), ("BYDAY=MO", "FREQ"), ("FREQ=OFTEN", "FREQ"), ("FREQ", "FREQ"),
            ("FREQ=DAILY;INTERVAL=0", "INTERVAL"), ("FREQ=DAILY;INTERVAL=-1", "INTERVAL"),
            ("FREQ=DAILY;INTERVAL=99999999999", "INTERVAL"), ("FREQ=DAILY;INTERVAL=", "INTERVAL"),
            ("FREQ=DAILY;INTERVAL=1.5", "INTERVAL"), ("FREQ=DAILY;COUNT=0", "COUNT"),
            ("FREQ=DAILY;COUNT=x", "COUNT"), ("FREQ=DAILY;UNTIL=tomorrow", "UNTIL"),
            ("FREQ=DAILY;UNTIL=20260231", "UNTIL"),
            ("FREQ=DAILY;UNTIL=20260101;COUNT=3", "UNTIL"),
            ("FREQ=DAILY;BYHOUR=24", "BYHOUR"), ("FREQ=DAILY;BYMINUTE=60", "BYMINUTE"),
            ("FREQ=DAILY;BYSECOND=61", "BYSECOND"), ("FREQ=DAILY;BYHOUR=1,,2", "BYHOUR"),
            ("FREQ=YEARLY;BYMONTH=13", "BYMONTH"), ("FREQ=YEARLY;BYMONTH=0", "BYMONTH"),
            ("FREQ=YEARLY;BYMONTH=5L", "BYMONTH"), ("FREQ=MONTHLY;BYMONTHDAY=32", "BYMONTHDAY"),
            ("FREQ=MONTHLY;BYMONTHDAY=0", "BYMONTHDAY"), ("FREQ=YEARLY;BYYEARDAY=367", "BYYEARDAY"),
            ("FREQ=YEARLY;BYWEEKNO=-54", "BYWEEKNO"), ("FREQ=MONTHLY;BYDAY=0MO", "BYDAY"),
            ("FREQ=MONTHLY;BYDAY=MON", "BYDAY"), ("FREQ=MONTHLY;BYDAY=54MO", "BYDAY"),
            ("FREQ=MONTHLY;BYDAY=", "BYDAY"), ("FREQ=MONTHLY;BYDAY=١MO", "BYDAY"),
            ("FREQ=MONTHLY;BYSETPOS=0", "BYSETPOS"), ("FREQ=WEEKLY;WKST=XX", "WKST"),
            ("FREQ=YEARLY;BYEASTER=0", "BYEASTER"), ("FREQ=DAILY;SKIP=FORWARD", "SKIP"),
            ("FREQ=DAILY;RSCALE=HEBREW", "RSCALE"),
        ] {
            XCTAssertThrowsError(try RecurrenceRule(parsing: text), text) { error in
                XCTAssertEqual(
                    error as? RecurrenceError, RecurrenceError(.invalidRule, part: part), text)
            }
        }
    }

    func testRandomRulesComeBackFromTheirText() throws {
        var random = RandomRule(seed: 17)
        for _ in 0..<2000 {
            let rule = random.rule(random.start())
            XCTAssertEqual(try RecurrenceRule(parsing: rule.text), rule)
        }
    }

    func testNoTextMakesTheParserTrap() {
        var random = RandomRule(seed: 23)
        let letters = Array("FREQ=DAILY;BYMONTH=,-+0123456789UNTIL=TZWKST\u{0}é १")
        for _ in 0..<5000 {
            var text = Array(random.rule(random.start()).text)
            for _ in 0..<Int.random(in: 1...6, using: &random.random) where !text.isEmpty {
                let place = Int.random(in: 0..<text.count, using: &random.random)
                if random.random.once(in: 2) {
                    text.remove(at: place)
                } else if let letter = letters.randomElement(using: &random.random) {
                    text.insert(letter, at: place)
                }
            }
            // Either way is right; only a trap would be wrong.
            if let rule = try? RecurrenceRule(parsing: String(text)) {
                XCTAssertEqual(try? RecurrenceRule(parsing: rule.text), rule)
            }
        }
    }
}
