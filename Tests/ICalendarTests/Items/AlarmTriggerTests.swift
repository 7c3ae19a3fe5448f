import Base
import Foundation
import XCTest

@testable import ICalendar

/// What a TRIGGER means, however it is written.
final class AlarmTriggerTests: XCTestCase {
    /// `-PT15M`, `20261128T090000`, with the zone; `?` in front where it is not as the
    /// standard has it; nil where it is not read.
    private func reading(_ line: String) throws -> String? {
        let text = "BEGIN:VALARM\n\(line)\nEND:VALARM\n"
        let file = try CalendarParser.parse(Array(text.utf8))
        let alarm = try XCTUnwrap(file.components("VALARM").first)
        guard let trigger = alarm.first("TRIGGER").flatMap(AlarmTrigger.init) else { return nil }
        let mark = trigger.isStandard ? "" : "?"
        switch trigger.when {
        case .offset(let duration, let fromStart):
            return mark + duration.text + (fromStart ? "" : " from the end")
        case .at(let moment): return mark + moment.text + (moment.zone.map { " \($0)" } ?? "")
        }
    }

    func testWhatTheStandardHasIsReadAsItIs() throws {
        for (line, expected) in [
            ("TRIGGER:-PT15M", "-PT15M"), ("TRIGGER:P1DT2H", "P1DT2H"), ("TRIGGER:+PT0S", "PT0S"),
            ("TRIGGER;RELATED=END:-P1W", "-P1W from the end"),
            ("TRIGGER;VALUE=DURATION:-PT5M", "-PT5M"),
            ("TRIGGER;VALUE=DATE-TIME:20261128T090000Z", "20261128T090000Z"),
        ] {
            XCTAssertEqual(try reading(line), expected, line)
        }
    }

    func testWhatCanMeanOneThingOnlyIsReadAndMarked() throws {
        for (line, expected) in [
            ("TRIGGER;VALUE=DATE-TIME:20261128T090000", "?20261128T090000"),
            (
                "TRIGGER;VALUE=DATE-TIME;TZID=Europe/Berlin:20261128T090000",
                "?20261128T090000 Europe/Berlin"
            ),
            ("TRIGGER: -PT15M", "?-PT15M"), ("TRIGGER:-PT15M ", "?-PT15M"),
            ("TRIGGER: 20261128T090000Z", "?20261128T090000Z"),
            ("TRIGGER:PT-15M", "?-PT15M"), ("TRIGGER:P-1D", "?-P1D"),
            ("TRIGGER:-15M", "?-PT15M"), ("TRIGGER:-1H30M", "?-PT1H30M"),
            ("TRIGGER:-T15M", "?-PT15M"), ("TRIGGER:-2D", "?-P2D"), ("TRIGGER:-pt15m", "?-PT15M"),
            ("TRIGGER:-P0Y0M0DT0H15M0S", "?-PT15M"), ("TRIGGER:P0Y0M1DT0H0M0S", "?P1D"),
            ("TRIGGER;RELATED=END:PT-5M", "?-PT5M from the end"), ("TRIGGER:-P2H", "?-PT2H"),
        ] {
            XCTAssertEqual(try reading(line), expected, line)
        }
    }

    func testWhatIsNoTimeOrMayBeTwoIsNotRead() throws {
        for line in [
            "TRIGGER:", "TRIGGER:soon", "TRIGGER:-PT", "TRIGGER:P", "TRIGGER:-15", "TRIGGER:15",
            // A month, or minutes?
            "TRIGGER:-P15M", "TRIGGER:-P1Y", "TRIGGER:-P0Y1M0DT0H15M0S", "TRIGGER:-PT-15M",
            "TRIGGER:PT15M-", "TRIGGER:-PT1.5H", "TRIGGER:-PT15X", "TRIGGER:-PT9999999999M",
            // At what time of the day?
            "TRIGGER;VALUE=DATE:20261128", "TRIGGER;VALUE=DATE-TIME:20261340T090000Z",
        ] {
            XCTAssertNil(try reading(line), line)
        }
    }

    func testSeenIsWhatTheStandardOrThunderbirdSaysLast() throws {
        func seen(_ lines: String) throws -> String? {
            let text = "BEGIN:VALARM\n\(lines)\nEND:VALARM\n"
            let file = try CalendarParser.parse(Array(text.utf8))
            return try XCTUnwrap(file.components("VALARM").first).acknowledged
                .map(CalendarMoment.utcText)
        }
        XCTAssertNil(try seen("ACTION:DISPLAY"))
        XCTAssertNil(try seen("ACKNOWLEDGED:soon"))
        XCTAssertEqual(try seen("ACKNOWLEDGED:20261128T090000Z"), "20261128T090000Z")
        XCTAssertEqual(
            try seen("ACKNOWLEDGED:20261128T090000Z\nX-MOZ-LASTACK:20261128T100000Z"),
            "20261128T100000Z")
    }
}
