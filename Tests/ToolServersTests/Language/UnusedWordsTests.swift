import Base
import Foundation
import ICalendar
import XCTest

@testable import DateLanguage

/// Every word of a phrase is used, is a title, or is asked about. Said on
/// Wednesday 4 March 2026, 10:15 in Berlin. Above 400 lines because most of them are
/// phrases.
final class UnusedWordsTests: XCTestCase {
    private func context(isGerman: Bool) throws -> DateContext {
        let zones = TimeZoneDatabase()
        let local = LocalTime(try XCTUnwrap(zones.rules(named: "Europe/Berlin")))
        let clock = try XCTUnwrap(PhraseSet.clock("2026-03-04T10:15"))
        return DateContext(
            now: local.instant(of: clock), local: local, zones: zones,
            locale: isGerman ? .german : .british)
    }

    /// `title | start → end | rule`, one of them for each time.
    private func stored(_ phrase: String, isGerman: Bool) throws -> String {
        let reading = DateParser(try context(isGerman: isGerman)).parse(phrase)
        guard reading.unused.isEmpty else { return "asks" }
        return reading.occasions.map { item in
            var parts = [item.title]
            if let start = item.start {
                parts.append(start.isoText + (item.end.map { " → \($0.isoText)" } ?? ""))
            }
            if let rule = item.recurrence { parts.append(rule.text) }
            return parts.joined(separator: " | ")
        }.joined(separator: " + ")
    }

    private func check(
        _ isGerman: Bool, _ cases: [(phrase: String, wanted: String)], line: UInt = #line
    ) throws {
        for (phrase, wanted) in cases {
            XCTAssertEqual(
                try stored(phrase, isGerman: isGerman), wanted, phrase, line: line)
        }
    }

    /// Asked about in messages and commands alike.
    private func asks(_ isGerman: Bool, _ phrases: [String], line: UInt = #line) throws {
        let context = try context(isGerman: isGerman)
        for phrase in phrases {
            let reading = DateParser(context).parse(phrase)
            XCTAssertTrue(
                !reading.isActedOn && !reading.doubts.isEmpty || reading.anchor != nil, phrase,
                line: line)
            let message = MessageJudge().read(phrase, in: context)
            XCTAssertNotEqual(message.online, .store, phrase, line: line)
            XCTAssertNotEqual(message.offline, .store, phrase, line: line)
        }
    }

    // MARK: - Several rules

    func testASecondRuleIsNeverDropped() throws {
        try check(
            false,
            [
                (
                    "remind me to stretch every 4 march and 6 june at noon",
                    """
                    stretch | 2026-03-04T12:00 | FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=4 + \
                    stretch | 2026-06-06T12:00 | FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=6
                    """
                ),
                (
                    "book club every first monday and third friday of every month at 7pm",
                    "book club | 2026-03-20T19:00 | FREQ=MONTHLY;BYDAY=1MO,3FR"
                ),
                (
                    "choir on the second tuesday and fourth thursday of every month",
                    "choir | 2026-03-10 | FREQ=MONTHLY;BYDAY=2TU,4TH"
                ),
                (
                    "pay rent every 4th and every 18th",
                    "pay rent | 2026-03-04 | FREQ=MONTHLY;BYMONTHDAY=4,18"
                ),
                (
                    "remind me to water the plants every monday and on the 15th",
                    """
                    water the plants | 2026-03-09 | FREQ=WEEKLY;BYDAY=MO + \
                    water the plants | 2026-03-15 | FREQ=MONTHLY;BYMONTHDAY=15
                    """
                ),
                (
                    "gym every monday and every other thursday at 6pm",
                    """
                    gym | 2026-03-05T18:00 | FREQ=WEEKLY;INTERVAL=2;BYDAY=TH + \
                    gym | 2026-03-09T18:00 | FREQ=WEEKLY;BYDAY=MO
                    """
                ),
                (
                    "take the pill every morning and every evening",
                    """
                    take the pill | 2026-03-04T19:00 | FREQ=DAILY + \
                    take the pill | 2026-03-05T09:00 | FREQ=DAILY
                    """
                ),
                (
                    "piano every monday at 5pm and every thursday at 6pm",
                    """
                    piano | 2026-03-05T18:00 | FREQ=WEEKLY;BYDAY=TH + \
                    piano | 2026-03-09T17:00 | FREQ=WEEKLY;BYDAY=MO
                    """
                ),
            ])
        try check(
            true,
            [
                (
                    "jeden ersten Montag und dritten Freitag im Monat um 19 Uhr Buchclub",
                    "Buchclub | 2026-03-20T19:00 | FREQ=MONTHLY;BYDAY=1MO,3FR"
                ),
                (
                    "jeden zweiten Dienstag und vierten Donnerstag im Monat Chor",
                    "Chor | 2026-03-10 | FREQ=MONTHLY;BYDAY=2TU,4TH"
                ),
                (
                    "erinnere mich jeden 4. und jeden 18. an die Miete",
                    "die Miete | 2026-03-04 | FREQ=MONTHLY;BYMONTHDAY=4,18"
                ),
                (
                    "erinnere mich jeden Montag und am 15. ans Gießen",
                    """
                    Gießen | 2026-03-09 | FREQ=WEEKLY;BYDAY=MO + \
                    Gießen | 2026-03-15 | FREQ=MONTHLY;BYMONTHDAY=15
                    """
                ),
                (
                    "jeden Montag und jeden zweiten Donnerstag um 18 Uhr Training",
                    """
                    Training | 2026-03-05T18:00 | FREQ=WEEKLY;INTERVAL=2;BYDAY=TH + \
                    Training | 2026-03-09T18:00 | FREQ=WEEKLY;BYDAY=MO
                    """
                ),
                (
                    "jeden Morgen und jeden Abend Tablette nehmen",
                    """
                    Tablette nehmen | 2026-03-04T19:00 | FREQ=DAILY + \
                    Tablette nehmen | 2026-03-05T09:00 | FREQ=DAILY
                    """
                ),
            ])
        try asks(
            false,
            [
                "take the blue pill every 3 hours and the white one every 8 hours",
                "remind me to pay rent on the 1st and the insurance on the 15th of each month",
                "remind me on 14 march and every june to treat the decking",
            ])
    }

    // MARK: - Windows, and lengths before a time

    func testAWindowBoundsTheHoursOfTheRule() throws {
        try check(
            false,
            [
                (
                    "remind me to drink every 30 minutes from 9 to 12",
                    "drink | 2026-03-04T10:30 | FREQ=DAILY;BYHOUR=9,10,11;BYMINUTE=0,30"
                ),
                (
                    "remind me every 2 hours from 8am to 6pm tomorrow to do the obs",
                    """
                    do the obs | 2026-03-05T08:00 | \
                    FREQ=DAILY;BYHOUR=8,10,12,14,16,18;COUNT=6
                    """
                ),
                (
                    "remind me every hour tomorrow to drink water",
                    "drink water | 2026-03-05T09:00 | FREQ=HOURLY;UNTIL=20260305T225959Z"
                ),
                (
                    "remind me twice a day until friday to take pills",
                    "take pills | 2026-03-04T21:00 | FREQ=DAILY;BYHOUR=9,21;UNTIL=20260306T200000Z"
                ),
                (
                    "remind me to check the oven every hour from 22:00 to 6:00",
                    "check the oven | 2026-03-04T22:00 | FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,22,23"
                ),
                (
                    "remind me to stretch every 2 hours from 9:30 to 15:30 on weekdays",
                    """
                    stretch | 2026-03-04T11:30 | \
                    FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9,11,13,15
                    """
                ),
            ])
        try check(
            true,
            [
                (
                    "erinnere mich alle 30 Minuten von 9 bis 12 ans Trinken",
                    "Trinken | 2026-03-04T10:30 | FREQ=DAILY;BYHOUR=9,10,11;BYMINUTE=0,30"
                ),
                (
                    "heute von 14 bis 17 uhr jede stunde erinnern: teig falten",
                    "teig falten | 2026-03-04T14:00 | FREQ=DAILY;BYHOUR=14,15,16,17;COUNT=4"
                ),
                (
                    "erinnere mich jede Stunde von 22:00 bis 6:00 an den Ofen",
                    "den Ofen | 2026-03-04T22:00 | FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,22,23"
                ),
            ])
        try asks(
            false,
            [
                "remind me to stretch every 45 minutes during work hours",
                "remind me to blink every 40 minutes from 9 to 12",
                "remind me to stand up every hour throughout the afternoon shift",
            ])
        try asks(
            true,
            [
                "erinnere mich alle 45 Minuten während der Arbeit ans Strecken",
                "erinnere mich alle 40 Minuten von 9 bis 12 ans Trinken",
                "erinnere mich tagsüber alle zwei Stunden daran, ein paar Schritte zu gehen",
            ])
    }

    func testALengthBeforeATimeIsReckoned() throws {
        try check(
            false,
            [
                ("remind me to eat 2 hours before 5pm", "eat | 2026-03-04T15:00"),
                ("remind me to leave 20 minutes before 6:30pm", "leave | 2026-03-04T18:10"),
                (
                    "take the tablet half an hour before 8am tomorrow",
                    "take the tablet | 2026-03-05T07:30"
                ),
                ("call Ida 90 minutes after 11:00", "call Ida | 2026-03-04T12:30"),
                ("pack an hour before midnight", "pack | 2026-03-04T23:00"),
            ])
        try check(
            true,
            [
                ("erinnere mich zwei Stunden vor 17 Uhr ans Essen", "Essen | 2026-03-04T15:00"),
                (
                    "eine halbe Stunde vor 8 Uhr morgen Tablette nehmen",
                    "Tablette nehmen | 2026-03-05T07:30"
                ),
            ])
        try check(
            false,
            [
                (
                    "remind me to send invoices 3 days before the end of each month",
                    "send invoices | 2026-03-28 | FREQ=MONTHLY;BYMONTHDAY=-4"
                ),
                (
                    "remind me to pay 2 days before the 1st of every month",
                    "pay | 2026-03-30 | FREQ=MONTHLY;BYMONTHDAY=-2"
                ),
                (
                    "remind me to pay 2 days after the end of every month",
                    "pay | 2026-04-02 | FREQ=MONTHLY;BYMONTHDAY=2"
                ),
            ])
        // No day of every month.
        try asks(false, ["remind me to pay 5 days after the 28th of every month"])
        try check(
            true,
            [
                (
                    "erinnere mich 3 Tage vor dem Ende jedes Monats an die Rechnungen",
                    "die Rechnungen | 2026-03-28 | FREQ=MONTHLY;BYMONTHDAY=-4"
                )
            ])
    }

    // MARK: - What does not fit together, and what is none

    func testWhatDoesNotFitTogetherIsAskedAbout() throws {
        try asks(
            false,
            [
                "remind me on friday about the meeting on 12 march", "dentist on friday 12/3 at 2",
                "remind me friday 5 march to call mum", "haircut, wed the 6th, 3pm",
                "yoga every monday on 12 march", "sunday, 30 may: call Bo",
                "meeting tomorrow 2pm to 1pm", "surgery on monday from 13:00 to 12:00",
                "gig friday 11pm till 10pm", "holiday from 20 april to 12 april",
                "meeting between monday and wednesday at 10",
            ])
        try asks(
            true,
            [
                "erinnere mich am Freitag an das Treffen am 12. März",
                "Zahnarzt am Freitag 12.3. um 14 Uhr", "Besprechung morgen von 14 bis 13 Uhr",
                "Urlaub vom 20. April bis 12. April",
                "Besprechung zwischen Montag und Mittwoch um 10", "Yoga jeden Montag am 12. März",
            ])
        try check(
            false,
            [
                (
                    "night shift thursday 22:00-6:00",
                    "night shift | 2026-03-05T22:00 → 2026-03-06T06:00"
                ),
                ("party friday 9pm to 2am", "party | 2026-03-06T21:00 → 2026-03-07T02:00"),
                ("dentist on thursday 12/3 at 2", "dentist | 2026-03-12T14:00"),
                (
                    "skiing from 20 december to 5 january",
                    "skiing | 2026-12-20 → 2027-01-05"
                ),
            ])
    }

    func testAnImpossibleDateOrTimeIsAskedAbout() throws {
        try asks(
            false,
            [
                "dentist 2027-02-30 11:00", "remind me 30/02/2027 to renew the passport",
                "dentist 31/4 at 9", "remind me at 25:99 to leave", "flight 2026-13-04 06:00",
                "remind me on 31 april to pay",
            ])
        try asks(
            true,
            [
                "Zahnarzt am 31.4. um 9", "erinnere mich am 30.02.2027 an den Pass",
                "erinnere mich um 25:99 ans Gehen", "Flug 2026-13-04 06:00",
                "erinnere mich am 31. April an die Miete", "Zahnarzt 30.2.26 um 9 Uhr",
                "Zahnarzt 31.4. um 9", "Zahnarzt 30.2. 9 Uhr",
            ])
    }

    func testNumbersOfThingsAreNoDates() throws {
        try check(
            false,
            [
                ("remind me to take dose 1/2 at 8pm", "take dose 1/2 | 2026-03-04T20:00"),
                ("meeting in room 5/12 tomorrow at 10", "meeting in room 5/12 | 2026-03-05T10:00"),
                (
                    "remind me to pay installment 3/12 on friday",
                    "pay installment 3/12 | 2026-03-06"
                ),
                (
                    "remind me to upgrade to version 3.10 tomorrow at 9",
                    "upgrade to version 3.10 | 2026-03-05T09:00"
                ),
                (
                    "remind me to add 1/2 cup of milk at 6pm",
                    "add 1/2 cup of milk | 2026-03-04T18:00"
                ),
                ("dentist 12/3 at 2", "dentist | 2026-03-12T14:00"),
                ("closing on the house 31/3 10:30am", "closing on the house | 2026-03-31T10:30"),
                ("at noon eat something", "eat something | 2026-03-04T12:00"),
                ("standup 9.30 tomorrow", "standup | 2026-03-05T09:30"),
                ("remind me to buy wine 4.99 tomorrow at 9", "buy wine 4.99 | 2026-03-05T09:00"),
                (
                    "2nd to last day of each month pay rent",
                    "pay rent | 2026-03-30 | FREQ=MONTHLY;BYMONTHDAY=-2"
                ),
            ])
        try check(
            true,
            [
                ("erinnere mich um 20 Uhr an Dosis 1/2", "Dosis 1/2 | 2026-03-04T20:00"),
                (
                    "Treffen morgen in Raum 5/12 um 10 Uhr",
                    "Treffen in Raum 5/12 | 2026-03-05T10:00"
                ),
                ("erinnere mich am Freitag an Rate 3/12", "Rate 3/12 | 2026-03-06"),
                (
                    "morgen um 9 Version 3.10 einspielen",
                    "Version 3.10 einspielen | 2026-03-05T09:00"
                ),
            ])
    }

    // MARK: - Left over

    func testWhatIsLeftBesideATimeIsAskedAbout() throws {
        try asks(
            false,
            [
                "remind me to call Bob tomorrow 9 4", "dentist tomorrow on 28",
                "remind me past friday to call Bo", "remind me previous friday to call Bo",
                "lunch with Ida tomorrow at 12 at 3pm", "haircut to tomorrow at 9",
                "remind me not at 7", "no yoga on thursday at 6",
                "remind me tomorrow to call Bo for", "remind me to call Tom at 5, not 6",
            ])
        try asks(
            true,
            [
                "erinnere mich morgen 9 4 an Bo", "weck mich morgen nicht um 7",
                "Mittagessen mit Ida morgen um 12 um 15 Uhr", "erinnere mich vorigen Freitag an Bo",
                "kein Yoga am Donnerstag um 18 Uhr", "erinnere mich morgen an das Treffen für",
            ])
    }

    func testTitlesLoseFillersAndKeepTheirWords() throws {
        try check(
            false,
            [
                ("uh call the vet tomorrow at 9", "call the vet | 2026-03-05T09:00"),
                (
                    "biweekly sprint review monday at 10",
                    "biweekly sprint review | 2026-03-09T10:00"
                ),
                ("lunch tomorrow at 12:00 noon", "lunch | 2026-03-05T12:00"),
                ("take the roast out today at 12 noon", "take the roast out | 2026-03-04T12:00"),
                ("server restart tomorrow at 12 midnight", "server restart | 2026-03-06T00:00"),
                ("remind me at 1900 hrs to feed the cat", "feed the cat | 2026-03-04T19:00"),
                ("alarm at 1900 hrs", "alarm | 2026-03-04T19:00"),
            ])
        try check(
            true,
            [
                (
                    "erinnere mich morgen um 9 so an ähm den Tierarzt",
                    "den Tierarzt | 2026-03-05T09:00"
                )
            ])
    }
}
