import Base
import Foundation
import ICalendar
import XCTest

@testable import DateLanguage

/// Whole readings of single constructs, said on Wednesday 10 June 2026 at
/// noon in Berlin.
final class SpokenFormsTests: XCTestCase {
    private func reading(_ phrase: String, locale: DateLocale = .british) throws -> ParsedPhrase {
        let zones = TimeZoneDatabase()
        let local = LocalTime(try XCTUnwrap(zones.rules(named: "Europe/Berlin")))
        let clock = try XCTUnwrap(PhraseSet.clock("2026-06-10T12:00"))
        let context = DateContext(
            now: local.instant(of: clock), local: local, zones: zones, locale: locale)
        return DateParser(context).parse(phrase)
    }

    /// `title | start → end | rule | alarm | + further | ± anchor | ? unused`,
    /// without what is not there.
    private func summary(_ reading: ParsedPhrase) -> String {
        var parts = [reading.title]
        if let start = reading.start {
            parts.append(start.isoText + (reading.end.map { " → \($0.isoText)" } ?? ""))
        }
        if let rule = reading.recurrence { parts.append(rule.text) }
        if let alarm = reading.alarm { parts.append("alarm \(alarm.text)") }
        if !reading.further.isEmpty {
            parts.append("+ " + reading.further.map(\.start.isoText).joined(separator: ", "))
        }
        if let anchor = reading.anchor { parts.append("± \(anchor.offset.text) \(anchor.words)") }
        if !reading.unused.isEmpty { parts.append("? " + reading.unused.joined(separator: ", ")) }
        if reading.doubts.contains(.ambiguous) {
            parts.append(
                "or "
                    + reading.alternatives.map { $0.start?.isoText ?? "-" }.joined(separator: ", "))
        }
        return parts.joined(separator: " | ")
    }

    private func check(
        _ cases: [(phrase: String, wanted: String)], line: UInt = #line
    ) throws {
        for (phrase, wanted) in cases {
            XCTAssertEqual(summary(try reading(phrase)), wanted, phrase, line: line)
        }
    }

    // MARK: Several times

    func testOneThingIsSaidForSeveralTimes() throws {
        try check([
            (
                "take a pill at 1pm and at 6pm",
                "take a pill | 2026-06-10T13:00 | + 2026-06-10T18:00"
            ),
            (
                "remind me at 9, 12 and 15 to drink water",
                "drink water | 2026-06-10T15:00 | + 2026-06-11T09:00, 2026-06-11T12:00"
            ),
            ("call mom on monday and again on wednesday", "call mom | 2026-06-15 | + 2026-06-17"),
            ("swim on monday and wednesday at 5", "swim | 2026-06-10T17:00 | + 2026-06-15T17:00"),
            ("run tomorrow and friday at 8", "run | 2026-06-11T08:00 | + 2026-06-12T08:00"),
            (
                "monday and friday next week call mom at 5",
                "call mom | 2026-06-15T17:00 | + 2026-06-19T17:00"
            ),
            (
                "remind me at 10 tonight and again at 7 tomorrow morning to take the pill",
                "take the pill | 2026-06-10T22:00 | + 2026-06-11T07:00"
            ),
            (
                "dentist monday at 5 and wednesday at 6",
                "dentist | 2026-06-10T18:00 | + 2026-06-15T17:00"
            ),
            (
                "take pills in the morning and in the evening",
                "take pills | 2026-06-10T19:00 | + 2026-06-11T09:00"
            ),
            (
                "am Montag und am Mittwoch um 17 Uhr schwimmen",
                "schwimmen | 2026-06-10T17:00 | + 2026-06-15T17:00"
            ),
        ])
    }

    func testSeveralHoursOfARepetitionAreOneRuleWhereARuleCanSayThem() throws {
        try check([
            (
                "take a pill at 8am and 8pm every day",
                "take a pill | 2026-06-10T20:00 | FREQ=DAILY;BYHOUR=8,20"
            ),
            (
                "take pills every morning and evening",
                "take pills | 2026-06-10T19:00 | FREQ=DAILY;BYHOUR=9,19"
            ),
            (
                "take a pill at 8am and 8:30pm every day",
                "take a pill | 2026-06-10T20:30 | FREQ=DAILY | + 2026-06-11T08:00"
            ),
            (
                "swim monday and wednesday until june 30",
                "swim | 2026-06-10 | FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20260630"
            ),
        ])
    }

    func testAChoiceIsNeverSure() throws {
        try check([
            ("call mom saturday or sunday", "call mom | 2026-06-13 | or 2026-06-14"),
            ("call mom at 3 or 4", "call mom | 2026-06-10T15:00 | or 2026-06-10T16:00"),
            ("friday or saturday call mom", "call mom | 2026-06-12 | or 2026-06-13"),
            ("Samstag oder Sonntag Rad reparieren", "Rad reparieren | 2026-06-13 | or 2026-06-14"),
            ("call mom in an hour or two", "call mom | 2026-06-10T13:00 | or 2026-06-10T14:00"),
            (
                "call mom friday at 5 or saturday at 6",
                "call mom | 2026-06-12T17:00 | or 2026-06-13T18:00"
            ),
            ("call mom in 2-3 days", "call mom | 2026-06-12 | or 2026-06-13"),
            (
                "call mom this afternoon or tomorrow morning",
                "call mom | 2026-06-10T15:00 | or 2026-06-11T09:00"
            ),
            ("call mom tomorrow or thursday", "call mom | 2026-06-11"),
        ])
        XCTAssertLessThan(try reading("call mom at 3 or 4").confidence, DateParser.certain)
    }

    // MARK: By another thing

    func testAnEventWhoseTimeIsNotSaidIsNamed() throws {
        try check([
            ("remind me 30 minutes before the dentist", "dentist | ± -PT30M dentist"),
            ("remind me to pack 30 minutes before the dentist", "pack | ± -PT30M dentist"),
            ("an hour before my meeting with Bo", "meeting with Bo | ± -PT1H meeting with Bo"),
            ("study a day before the exam", "study | ± -P1D exam"),
            (
                "remind me right after lunch with Ida to call mom",
                "call mom | ± PT0S lunch with Ida"
            ),
            ("send notes 10 minutes after \"Standup\"", "send notes | ± PT10M Standup"),
            ("remind me an hour before sunset to walk", "walk | ± -PT1H sunset"),
            ("pack 2 hours before the flight on saturday", "pack | 2026-06-13 | ± -PT2H flight"),
            (
                "remind me 2 hours before the end of the match",
                "end of the match | ± -PT2H end of the match"
            ),
            ("Koffer packen einen Tag vor der Reise", "Koffer packen | ± -P1D Reise"),
        ])
    }

    func testAnEventWhoseTimeIsSaidIsReckonedFrom() throws {
        try check([
            (
                "remind me an hour before my 3pm call with Yusuf",
                "call with Yusuf | 2026-06-10T15:00 | alarm -PT1H"
            ),
            ("the day before the exam on 22 june", "exam | 2026-06-21"),
            ("study the night before my exam on friday", "study | 2026-06-11T20:00"),
            (
                "the report is due friday, remind me the day before",
                "the report | 2026-06-12 | alarm -P1D"
            ),
            (
                "remind me 3 hours before my 18:40 flight on saturday",
                "flight | 2026-06-13T18:40 | alarm -PT3H"
            ),
            ("remind me 10 minutes before 5pm to leave", "leave | 2026-06-10T16:50"),
            (
                "dentist at 3pm tomorrow, remind me 30 minutes before the appointment",
                "dentist | 2026-06-11T15:00 | alarm -PT30M"
            ),
        ])
    }

    // MARK: What is left over

    func testWordsOfTimeThatAreNotUsedAreNamed() throws {
        try check([
            ("call mom at 25", "call mom at 25 | ? at 25"),
            ("call mom 13 pm", "call mom 13 pm | ? 13 pm"),
            ("party on 31 april", "party on 31 april | ? on 31 april"),
            (
                "take a pill at noon and in the evening",
                "take a pill and in the evening | 2026-06-11T12:00 | ? and in the evening"
            ),
            ("read for 20 minutes", "read for 20 minutes | ? for 20 minutes"),
            ("read for 20 minutes tomorrow", "read for 20 minutes | 2026-06-11"),
            ("lunch every easter", "lunch | 2027-03-28 | ? every easter"),
        ])
        XCTAssertEqual(try reading("call mom at 25").doubts, [.leftover])
    }

    func testNumbersAndNamesOfTheTitleAreNone() throws {
        try check([
            ("cook dinner for 4 at 6pm", "cook dinner for 4 | 2026-06-10T18:00"),
            ("meet April at 3pm", "meet April | 2026-06-10T15:00"),
            ("Friday's report", "Friday's report"),
            ("paint every school", "paint every school"),
        ])
    }

    // MARK: Alarms and timers

    func testAlarmsAndTimersAreSetAsTheyAreSpoken() throws {
        let starts = [
            "set an alarm for five am": "2026-06-11T05:00",
            "set an alarm for six thirty am": "2026-06-11T06:30",
            "set an alarm for 6 am": "2026-06-11T06:00",
            "set an alarm at 6 am": "2026-06-11T06:00",
            "set an alarm for 10 tomorrow": "2026-06-11T10:00",
            "wake me up at 6:45": "2026-06-11T06:45", "wake me up at 7 a. m.": "2026-06-11T07:00",
            "stell einen Wecker auf 6 Uhr": "2026-06-11T06:00",
            "timer 12 minutes": "2026-06-10T12:12",
            "set a timer for 10 minutes for pasta": "2026-06-10T12:10",
            "set a 10 minute timer": "2026-06-10T12:10",
            "set a timer for 1 hour, 5 minutes and 30 seconds": "2026-06-10T13:05:30",
            "remind me in 90 seconds": "2026-06-10T12:01:30",
            "remind me in 1h 30 to call mom": "2026-06-10T13:30",
            "in 1 hr 30 call mom": "2026-06-10T13:30",
            "remind me in 2 hours 15 to check the oven": "2026-06-10T14:15",
            "in einer Dreiviertelstunde Herd ausschalten": "2026-06-10T12:45",
        ]
        for (phrase, start) in starts {
            let reading = try reading(phrase)
            XCTAssertEqual(reading.start?.isoText, start, phrase)
            XCTAssertEqual(reading.unused, [], phrase)
        }
        XCTAssertEqual(try reading("set a timer for 10 minutes for pasta").title, "pasta")
        XCTAssertEqual(
            try reading("return the 5 minute timer on saturday").start?.isoText, "2026-06-13")
    }

    // MARK: Repetitions

    func testARepetitionHasItsBounds() throws {
        try check([
            (
                "take pills every day for the next two weeks",
                "take pills | 2026-06-10 | FREQ=DAILY;COUNT=14"
            ),
            ("drink at 8 for the next 3 days", "drink | 2026-06-11T08:00 | FREQ=DAILY;COUNT=3"),
            (
                "take pills every day this week",
                "take pills | 2026-06-10 | FREQ=DAILY;UNTIL=20260614"
            ),
            (
                "drink every 2 hours until 6pm",
                "drink | 2026-06-10T14:00 | FREQ=HOURLY;INTERVAL=2;UNTIL=20260610T160000Z"
            ),
            ("water plants daily starting march 3rd", "water plants | 2027-03-03 | FREQ=DAILY"),
            (
                "swim every monday until the end of june",
                "swim | 2026-06-15 | FREQ=WEEKLY;BYDAY=MO;UNTIL=20260630"
            ),
            (
                "jeden Tag bis Ende Juni Tabletten nehmen",
                "Tabletten nehmen | 2026-06-10 | FREQ=DAILY;UNTIL=20260630"
            ),
        ])
    }

    func testRanksOfAMonthAreCountedFromEitherEnd() throws {
        try check([
            (
                "team lunch every 1st and 3rd tuesday",
                "team lunch | 2026-06-16 | FREQ=MONTHLY;BYDAY=1TU,3TU"
            ),
            (
                "send invoices 2nd to the last friday of each month",
                "send invoices | 2026-06-19 | FREQ=MONTHLY;BYDAY=-2FR"
            ),
            (
                "am ersten Montag im Monat Müll rausbringen",
                "Müll rausbringen | 2026-07-06 | FREQ=MONTHLY;BYDAY=1MO"
            ),
            (
                "immer am Monatsersten Miete zahlen",
                "Miete zahlen | 2026-07-01 | FREQ=MONTHLY;BYMONTHDAY=1"
            ),
            (
                "jeden zweiten Dienstag Stammtisch",
                "Stammtisch | 2026-06-16 | FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"
            ),
        ])
    }

    // MARK: Days and hours

    func testTimesAreTheHourThatPeopleMean() throws {
        try check([
            ("call mom this time tomorrow", "call mom | 2026-06-11T12:00"),
            ("call mom same time next week", "call mom | 2026-06-17T12:00"),
            ("morgen um diese Zeit Bo anrufen", "Bo anrufen | 2026-06-11T12:00"),
            ("email Bo first thing monday", "email Bo | 2026-06-15T09:00"),
            ("parade tomorrow at oh eight hundred", "parade | 2026-06-11T08:00"),
            ("walk the dog half past six in the evening", "walk the dog | 2026-06-10T18:30"),
            ("call Bo friday afternoon", "call Bo | 2026-06-12T15:00"),
            ("heute Abend Oma anrufen", "Oma anrufen | 2026-06-10T19:00"),
            ("kommenden Mittwoch um halb acht laufen", "laufen | 2026-06-17T07:30"),
        ])
        XCTAssertEqual(
            summary(try reading("Physio Mo 15.6. 9:40", locale: .german)),
            "Physio | 2026-06-15T09:40")
    }

    func testStretchesGoFromOneDayToAnother() throws {
        try check([
            ("holiday from 20 to 27 june", "holiday | 2026-06-20 → 2026-06-27"),
            ("conference mon to wed next week", "conference | 2026-06-15 → 2026-06-17"),
            (
                "trip saturday 2pm till sunday 5pm",
                "trip | 2026-06-13T14:00 → 2026-06-14T17:00"
            ),
            ("shift friday 10pm to 6am", "shift | 2026-06-12T22:00 → 2026-06-13T06:00"),
        ])
    }

    func testAWeekdaySaidOnThatDayIsTodayWhileItsTimeIsAhead() throws {
        try check([
            ("dentist wednesday 5pm", "dentist | 2026-06-10T17:00"),
            ("dentist wednesday", "dentist | 2026-06-17"),
            ("dentist wednesday 9am", "dentist | 2026-06-17T09:00"),
            ("Zahnarzt Mittwoch um 17 Uhr", "Zahnarzt | 2026-06-10T17:00"),
            ("Zahnarzt Mittwoch", "Zahnarzt | 2026-06-17"),
            ("Zahnarzt Mittwoch um 9 Uhr", "Zahnarzt | 2026-06-17T09:00"),
        ])
    }

    func testVagueTimesAreNeverSure() throws {
        let vague = [
            "call mom later": "later", "call mom soon": "soon", "call mom in a bit": "in a bit",
            "remind me later to call mom": "later", "später Mama anrufen": "später",
            "ruf Mama gleich an": "gleich", "irgendwann Keller aufräumen": "irgendwann",
            "call mom sometime next week": "sometime",
        ]
        for (phrase, word) in vague {
            let reading = try reading(phrase)
            XCTAssertEqual(reading.unused, [word], phrase)
            XCTAssertLessThan(reading.confidence, DateParser.certain, phrase)
        }
        for phrase in ["run twice a week", "zweimal pro Woche laufen"] {
            let reading = try reading(phrase)
            XCTAssertEqual(reading.doubts, [.ambiguous], phrase)
            XCTAssertLessThan(reading.confidence, DateParser.certain, phrase)
        }
        XCTAssertEqual(try reading("call mom 3 days later").unused, [])
    }
}
