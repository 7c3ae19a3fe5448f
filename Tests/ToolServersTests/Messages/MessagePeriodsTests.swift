import AgentCore
import Base
import Foundation
import ICalendar
import XCTest

@testable import DateLanguage

/// Questions made of asking words and a period: which days they are about, and what they show.
/// Wed 4 Mar 2026, 10:15 in Berlin.
final class MessagePeriodsTests: XCTestCase {
    private func acts(_ messages: [String], _ locale: DateLocale) throws -> [String] {
        let zones = CalendarFolder.zones
        let local = LocalTime(try XCTUnwrap(zones.rules(named: "Europe/Berlin")))
        let context = DateContext(now: CalendarRig.now, local: local, zones: zones, locale: locale)
        let judge = MessageJudge()
        func days(_ period: Period) -> String {
            "\(period.days.lowerBound.isoText.dropFirst(5))…\(period.days.upperBound.isoText.dropFirst(5))"
        }
        return messages.map { message in
            switch judge.read(message, in: context).act {
            case .agenda(let period)?: days(period) + (period.isOpen ? " open" : "")
            case .free(let period, _)?: "free " + days(period)
            case .when(let title)?: "when " + title
            case .find(let title)?: "find " + title
            case nil: "-"
            default: "other"
            }
        }
    }

    private func check(
        _ rows: KeyValuePairs<String, String>, _ locale: DateLocale, line: UInt = #line
    ) throws {
        let found = try acts(rows.map(\.key), locale)
        for (row, act) in zip(rows, found) {
            XCTAssertEqual(act, row.value, row.key, line: line)
        }
    }

    func testAPeriodIsAllOfItsDays() throws {
        try check(
            [
                "what do I have in december": "12-01…12-31",
                "what do I have next month": "04-01…04-30", "what's on this month": "03-04…03-31",
                "what do I have the week after next": "03-16…03-22",
                "what's planned for week 12": "03-16…03-22",
                "am I free next week?": "free 03-09…03-15",
                "what's on the 4th of december": "12-04…12-04",
            ], .british)
        try check(
            [
                "was habe ich im Dezember": "12-01…12-31",
                "was habe ich in der nächsten Woche": "03-09…03-15",
                "was steht nächsten Monat an": "04-01…04-30", "KW 12": "03-16…03-22",
                "nächstes Wochenende": "03-14…03-15",
            ], .german)
    }

    func testAskingWordsAndAPeriodAreAQuestion() throws {
        try check(
            [
                "next week": "03-09…03-15", "this week": "03-04…03-08", "today?": "03-04…03-04",
                "tuesday?": "03-10…03-10", "weekend": "03-07…03-08", "and monday?": "03-09…03-09",
                "what about friday?": "03-06…03-06", "what's for today": "03-04…03-04",
                "show friday": "03-06…03-06", "events tomorrow": "03-05…03-05",
                "today's agenda": "03-04…03-04", "how does monday look": "03-09…03-09",
                "any plans tuesday?": "03-10…03-10", "am I working saturday": "03-07…03-07",
                "when do I have time on monday?": "free 03-09…03-09",
                "is monday at 9 free?": "free 03-09…03-09",
                "free time tomorrow": "free 03-05…03-05", "my appointments": "03-04…03-10 open",
                "upcoming": "03-04…03-10 open", "list my events": "03-04…03-10 open",
                "when is my next dentist appointment": "when dentist",
                "is the dentist on friday?": "when dentist",
                "did i put the scan in for the 23rd?": "find scan",
            ], .british)
        try check(
            [
                "morgen?": "03-05…03-05", "und Montag?": "03-09…03-09",
                "zeig Freitag": "03-06…03-06",
                "Termine morgen": "03-05…03-05", "arbeite ich samstag": "03-07…03-07",
                "meine Termine": "03-04…03-10 open",
                "ist der Zahnarzt am Freitag?": "when Zahnarzt",
                "gibts eine erinnerung für den gelben sack?": "find gelben sack",
                "habe ich den Ölwechsel für Freitag eingetragen?": "find Ölwechsel",
            ], .german)
    }

    func testWordsThatNameSomethingAreNoSuchQuestion() throws {
        let messages = [
            "on friday", "sun", "work monday", "off friday", "I work monday", "what is easter",
            "how is the weather today", "show me the news for tomorrow", "dentist monday at 9",
        ]
        for (message, act) in zip(messages, try acts(messages, .british)) {
            XCTAssertTrue(["-", "other"].contains(act), "\(message): \(act)")
        }
    }

    func testAnEmptyWeekSaysWhatComesNext() async throws {
        let rig = try MessageRig()
        _ = try await rig.run(["calendar", "add", "--start", "2026-03-20T14:00", "--", "dentist"])
        for message in ["list my events", "what's coming up", "my appointments"] {
            let lines = try await rig.offline(message)?.lines.map(\.text) ?? []
            XCTAssertEqual(lines.first, "Nothing in the next seven days. Next:", message)
            XCTAssertTrue(lines.last?.hasPrefix("dentist · Fri 20 Mar") == true, "\(lines)")
        }
    }

    func testCommandsReadPeriodsAsMessagesDo() async throws {
        let rig = try MessageRig()
        for day in ["2026-03-11", "2026-03-14", "2026-12-04"] {
            _ = try await rig.run(["calendar", "add", "--start", day, "--", "x" + day.suffix(2)])
        }
        for (line, shown) in [
            ("agenda next week", ["x11", "x14"]), ("agenda next weekend", ["x14"]),
            ("agenda december", ["x04"]),
            ("list --from monday --to december", ["x11", "x14", "x04"]),
        ] {
            let output = try await rig.run(
                ["calendar"] + line.split(separator: " ").map(String.init))
            let text = output.lines.map(\.text).joined(separator: "\n")
            XCTAssertEqual(
                ["x11", "x14", "x04"].filter { text.contains($0) }, shown, "\(line): \(text)")
        }
    }
}
