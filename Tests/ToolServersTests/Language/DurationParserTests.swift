import ICalendar
import XCTest

@testable import DateLanguage

/// Lengths of time as people type them after an option or /snooze.
final class DurationParserTests: XCTestCase {
    private func check(_ cases: [(String, String?)], bare: TimeUnit? = .minute) {
        for (text, wanted) in cases {
            XCTAssertEqual(DurationParser.duration(of: text, bare: bare)?.text, wanted, text)
        }
    }

    func testLengthsAsPeopleTypeThem() {
        check([
            ("30m", "PT30M"), ("15 min", "PT15M"), ("10 m", "PT10M"), ("90s", "PT1M30S"),
            ("1h30m", "PT1H30M"), ("1h30", "PT1H30M"), ("1h 30", "PT1H30M"),
            ("1h 30m", "PT1H30M"), ("1 hr 30", "PT1H30M"), ("in 1 hr 30", "PT1H30M"),
            ("2 hours 15", "PT2H15M"), ("1m30", "PT1M30S"), ("1 hour 15 minutes", "PT1H15M"),
            ("1 hour, 5 minutes and 30 seconds", "PT1H5M30S"), ("1.5h", "PT1H30M"),
            ("2 days", "P2D"), ("3d", "P3D"), ("2w", "P2W"), ("for 3 hours", "PT3H"),
            ("0", "PT0S"), ("another 10 minutes", "PT10M"), ("10 more minutes", "PT10M"),
        ])
    }

    func testLengthsAsPeopleSayThem() {
        check([
            ("an hour", "PT1H"), ("a day", "P1D"), ("a week", "P1W"), ("half an hour", "PT30M"),
            ("a half hour", "PT30M"), ("an hour and a half", "PT1H30M"),
            ("an hour and half", "PT1H30M"), ("two and a half hours", "PT2H30M"),
            ("three quarters of an hour", "PT45M"), ("a couple of hours", "PT2H"),
            ("a couple of days", "P2D"), ("a day and 2 hours", "P1DT2H"),
            ("a fortnight", "P2W"), ("twenty-five minutes", "PT25M"),
        ])
    }

    func testGermanLengths() {
        check([
            ("anderthalb Stunden", "PT1H30M"), ("3 Tage", "P3D"), ("eine halbe Stunde", "PT30M"),
            ("eine Viertelstunde", "PT15M"), ("zwei Wochen", "P2W"), ("1,5 Stunden", "PT1H30M"),
            ("einen Tag", "P1D"), ("ein paar Tage", "P3D"),
        ])
    }

    func testANumberAloneCountsWhatTheCallerSays() {
        check([("90", "PT1H30M"), ("five", "PT5M")])
        check([("90", "PT1M30S")], bare: .second)
        check([("90", nil), ("90m", "PT1H30M")], bare: nil)
    }

    func testWhatIsNoLengthIsNone() {
        check([
            ("", nil), ("soon", nil), ("3 apples", nil), ("99999999 days", nil), ("-5", nil),
            ("1e9", nil), ("5x", nil), ("m", nil), ("1h and", nil), ("٣ h", nil), ("hour", nil),
            ("99999999999999999999m", nil), ("2 hours ago", nil), ("2 months", nil),
            (String(repeating: "1m ", count: 100), nil),
        ])
    }
}
