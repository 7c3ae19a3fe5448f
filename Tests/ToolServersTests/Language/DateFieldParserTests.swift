import Base
import Foundation
import ICalendar
import XCTest

@testable import DateLanguage

/// Fields of reminders and events alike, at Sat 21 Nov 2026, 13:00 in Berlin.
final class DateFieldParserTests: XCTestCase {
    private let context = CalendarFolder.context()

    private var parser: DateFieldParser {
        DateFieldParser(context: context) { [context] in DateParser(context).parse($0) }
    }

    func testADueTimeIsISOAClockOrWords() throws {
        for (text, wanted) in [
            ("2026-12-24", "2026-12-24"), ("2026-12-24T18:30", "2026-12-24T18:30 Europe/Berlin"),
            // The next such time.
            ("15:30", "2026-11-21T15:30 Europe/Berlin"),
            ("9:00", "2026-11-22T09:00 Europe/Berlin"),
            ("tomorrow at 5pm", "2026-11-22T17:00 Europe/Berlin"),
            // What is said of a place is kept in its zone.
            ("tomorrow at 9am London time", "2026-11-22T09:00 Europe/London"),
        ] { XCTAssertEqual(try parser.due(text).said, wanted, text) }
    }

    func testWhatIsNotADateSaysWhatWouldBe() {
        for (text, problem) in [
            ("someday", "is not a date or time I understand; use words such as"),
            ("2026-02-30", "names a day the calendar does not have; use a date such as"),
            ("buy milk tomorrow", "is not a date or time I understand"),
        ] {
            XCTAssertThrowsError(try parser.due(text)) {
                let sentence = ($0 as? DateFieldParser.Problem)?.sentence ?? ""
                XCTAssertTrue(sentence.hasPrefix("\"\(text)\" \(problem)"), sentence)
            }
        }
    }

    func testAPeriodIsAllOfItsDaysAndATimeIsItsDay() throws {
        for (text, first, last) in [
            ("next week", "2026-11-23", "2026-11-29"), ("december", "2026-12-01", "2026-12-31"),
            ("weekend", "2026-11-21", "2026-11-22"), ("2026-12-24", "2026-12-24", "2026-12-24"),
            ("tomorrow at 5pm", "2026-11-22", "2026-11-22"),
        ] {
            let days = try parser.days(text)
            XCTAssertEqual(
                [days.lowerBound.isoText, days.upperBound.isoText], [first, last], text)
        }
        XCTAssertThrowsError(try parser.days("someday"))
    }

    /// Sat 21 Nov 2026, 13:00.
    func testThePastLooksBack() throws {
        for (text, wanted) in [
            ("today", "2026-11-21T00:00"), ("yesterday", "2026-11-20T00:00"),
            ("monday", "2026-11-16T00:00"), ("friday", "2026-11-20T00:00"),
            ("saturday", "2026-11-14T00:00"), ("last monday", "2026-11-16T00:00"),
            ("24 december", "2025-12-24T00:00"), ("2026-11-01", "2026-11-01T00:00"),
            ("3 november", "2026-11-03T00:00"), ("a week ago", "2026-11-14T00:00"),
            ("2 days ago", "2026-11-19T00:00"), ("vor 2 Tagen", "2026-11-19T00:00"),
            ("7d", "2026-11-14T00:00"), ("2 hours ago", "2026-11-21T11:00"),
            ("90m", "2026-11-21T11:30"), ("9:00", "2026-11-21T09:00"),
            ("15:30", "2026-11-20T15:30"), ("2026-11-20T18:30", "2026-11-20T18:30"),
            ("yesterday at 5pm", "2026-11-20T17:00"),
        ] {
            XCTAssertEqual(
                ItemTime(try parser.past(text), in: context.local).said,
                wanted + " Europe/Berlin", text)
        }
        for text in ["tomorrow", "next week", "2026-12-24", "in 3 days", "someday"] {
            XCTAssertThrowsError(try parser.past(text), text)
        }
        XCTAssertThrowsError(try parser.past("banana")) { error in
            XCTAssertEqual(
                (error as? DateFieldParser.Problem)?.sentence,
                "\"banana\" is not a date or time I understand; use words such as "
                    + "\"yesterday at 5pm\", or a date such as 2026-11-20, 2026-11-20T09:00 "
                    + "(local time) or 2026-11-20T09:00:00+01:00")
        }
    }

    func testARepetitionIsARuleOrWords() throws {
        for (text, rule) in [
            ("FREQ=WEEKLY;BYDAY=TU", "FREQ=WEEKLY;BYDAY=TU"),
            ("RRULE:FREQ=DAILY", "FREQ=DAILY"), ("every other day", "FREQ=DAILY;INTERVAL=2"),
            ("friday", "FREQ=WEEKLY;BYDAY=FR"),
        ] { XCTAssertEqual(try parser.repetition(text).rule.text, rule, text) }
        XCTAssertThrowsError(try parser.repetition("often"))
    }

    func testAnAlarmIsALengthBeforeOrAnHourOfADay() throws {
        let day = try ItemTime.at("2026-12-24")
        let time = try ItemTime.at("2026-12-24T09:00")
        for (text, item, offset) in [
            ("15m", time, "-PT15M"), ("15 minutes before", time, "-PT15M"), ("2d", time, "-P2D"),
            ("-PT5M", time, "-PT5M"), ("0", time, "PT0S"), ("9:00", day, "PT9H"),
        ] { XCTAssertEqual(try parser.alarm(text, for: item), CalendarDuration(offset), text) }
        XCTAssertThrowsError(try parser.alarm("9:00", for: time))
        XCTAssertThrowsError(try parser.alarm("loud", for: time))
    }
}
