import Base
import Foundation
import ICalendar
import TestSupport
import XCTest

@testable import DateLanguage

/// The engine by its own phrases, and what a reading says besides when.
final class DateParserTests: XCTestCase {
    private let zones = TimeZoneDatabase()

    private func parser(
        now: String = "2026-03-04T10:15", zone: String = "Europe/Berlin",
        locale: DateLocale = .british
    ) throws -> DateParser {
        let local = LocalTime(try XCTUnwrap(zones.rules(named: zone)))
        guard case .local(let clock) = try ISO8601.parse(now) else {
            throw OtherKindOfTime(now)
        }
        return DateParser(
            DateContext(now: local.instant(of: clock), local: local, zones: zones, locale: locale))
    }

    // MARK: Phrases

    func testEveryPhraseOfTheEngineIsUnderstood() throws {
        for name in ["english-engine", "german-engine"] {
            let set = try PhraseSet.named(name)
            let context = try set.context()
            for phrase in set.phrases {
                let reading = DateParser(context).parse(phrase.text)
                let grade = PhraseGrade(reading, of: phrase, in: context.local)
                XCTAssertTrue(
                    grade.isWhenRight && grade.isTitleRight
                        && grade.extras.values.allSatisfy { $0 },
                    "“\(phrase.text)” → \(reading.start?.isoText ?? "-") "
                        + "\(reading.end?.isoText ?? "-") “\(reading.title)” \(grade)")
            }
        }
    }

    func testNoAlarmIsSaidOfAThingAndNeverAThingItself() throws {
        for (phrase, locale, title) in [
            ("dentist tomorrow 3pm no alarm", DateLocale.british, "dentist"),
            ("dentist tomorrow 3pm without an alarm", .british, "dentist"),
            ("dentist tomorrow 3pm, no reminder", .british, "dentist"),
            ("dentist, no alarm, tomorrow 3pm", .british, "dentist"),
            ("lunch with Ida tomorrow 12:30-13:30 (no alert)", .british, "lunch with Ida"),
            ("call mom tomorrow at 5pm with no notification", .british, "call mom"),
            ("Zahnarzt morgen um 15 Uhr ohne Alarm", .german, "Zahnarzt"),
            ("Zahnarzt morgen um 15 Uhr, keine Erinnerung", .german, "Zahnarzt"),
            ("Mama anrufen morgen um 17 Uhr ohne Erinnerung", .german, "Mama anrufen"),
            ("Treffen mit Ida morgen um 9, kein Wecker", .german, "Treffen mit Ida"),
        ] {
            let reading = try parser(locale: locale).parse(phrase)
            XCTAssertTrue(reading.hasNoAlarm, phrase)
            XCTAssertEqual(reading.title, title)
            XCTAssertNotNil(reading.start, phrase)
            XCTAssertNil(reading.alarm, phrase)
            XCTAssertGreaterThanOrEqual(reading.confidence, DateParser.certain, phrase)
        }
        for (phrase, locale) in [
            ("no alarm tomorrow at 7", DateLocale.british), ("set no alarm tomorrow", .british),
            ("tomorrow at 7 i need no alarm", .british), ("buy an alarm tomorrow", .british),
            ("kein Wecker morgen um 7", .german), ("morgen brauche ich keinen Wecker", .german),
            ("dentist tomorrow at 3pm", .british),
        ] {
            XCTAssertFalse(try parser(locale: locale).parse(phrase).hasNoAlarm, phrase)
        }
    }

    func testWhatCannotBeSaidIsDoubted() throws {
        let context = try PhraseSet.named("english-engine").context()
        for phrase in [
            "party on 31 april", "pay tax on feb 30 at 5pm", "lunch with gran every easter",
        ] {
            let reading = DateParser(context).parse(phrase)
            XCTAssertTrue(reading.doubts.contains(.leftover), phrase)
            XCTAssertLessThan(reading.confidence, DateParser.certain, phrase)
            XCTAssertNil(reading.recurrence, phrase)
        }
    }

    func testARuleKeepsTheDayOfTheZoneThatIsNamed() throws {
        var context = try PhraseSet.named("english-engine").context()
        let berlin = context.local
        // 2026-03-03 01:30 in Berlin is Monday evening in New York.
        context.now = Date(timeIntervalSince1970: 1_772_497_800)
        XCTAssertEqual(berlin.civil(at: context.now).date.isoText, "2026-03-03")
        let reading = DateParser(context).parse("every monday 11pm New York time sync")
        XCTAssertEqual(reading.start?.isoText, "2026-03-03T05:00")
        XCTAssertEqual(reading.zone, "America/New_York")
        XCTAssertEqual(reading.recurrence?.byDay, [.init(.monday)])
    }

    func testNothingIsInThePastAtAnyTimeAndPlace() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        let places = ["Europe/Berlin", "America/New_York", "Pacific/Auckland", "Asia/Kathmandu"]
        var contexts: [DateContext] = []
        // All fifty take half a minute in a debug build.
        let isFull = ProcessInfo.processInfo.environment["CHAT_FULL"] == "1"
        for index in 0..<(isFull ? 50 : 6) {
            let rules = try XCTUnwrap(zones.rules(named: places[index % places.count]))
            contexts.append(
                DateContext(
                    now: Date(
                        timeIntervalSince1970: .random(in: 0...4e9, using: &random).rounded()),
                    local: LocalTime(rules), zones: zones,
                    locale: [.british, .american, .german][index % 3]))
        }
        for name in ["english-engine", "german-engine"] {
            for phrase in try PhraseSet.named(name).phrases {
                for context in contexts { checkAhead(phrase.text, context) }
            }
        }
    }

    private func checkAhead(_ text: String, _ context: DateContext) {
        let reading = DateParser(context).parse(text)
        let now = context.local.civil(at: context.now)
        let isOver =
            switch reading.start {
            case nil: false
            case .date(let date): date < now.date
            case .time(let clock): clock < now
            }
        XCTAssertTrue(
            !isOver || reading.doubts.contains(.past),
            "“\(text)” at \(now.isoText) is \(reading.start?.isoText ?? "-")")
        XCTAssertFalse(reading.title.isEmpty, text)
        for span in reading.spans {
            XCTAssertTrue(span.range.upperBound <= text.utf8.count, "“\(text)” \(span)")
        }
    }

    // MARK: Doubts

    func testNextFridayIsOfNextWeekAndNamesTheOther() throws {
        let reading = try parser().parse("call mom next friday")
        XCTAssertEqual(reading.start?.isoText, "2026-03-13")
        XCTAssertEqual(reading.doubts, [.ambiguous])
        XCTAssertEqual(reading.alternatives.map { $0.start?.isoText }, ["2026-03-06"])
        XCTAssertGreaterThanOrEqual(reading.confidence, DateParser.certain)
    }

    func testPastIsSaidToBePast() throws {
        for text in ["call mom yesterday", "lunch on 2025-03-01", "call last friday"] {
            let reading = try parser().parse(text)
            XCTAssertEqual(reading.doubts, [.past], text)
            XCTAssertLessThan(reading.confidence, DateParser.certain, text)
        }
    }

    func testSmallHoursOfTonightAreAskedAbout() throws {
        let reading = try parser().parse("check the oven tonight at 2")
        XCTAssertEqual(reading.start?.isoText, "2026-03-05T02:00")
        XCTAssertLessThan(reading.confidence, DateParser.certain)
    }

    // MARK: Places

    func testOrderOfDayAndMonthIsThatOfTheLocale() throws {
        XCTAssertEqual(try parser().parse("call 5/4").start?.isoText, "2026-04-05")
        XCTAssertEqual(
            try parser(locale: .american).parse("call 5/4").start?.isoText, "2026-05-04")
        XCTAssertEqual(
            try parser(locale: .american).parse("call 20/4").start?.isoText, "2026-04-20")
    }

    func testZonesAreThoseOfTheDate() throws {
        let parser = try parser()
        let winter = parser.parse("call at 3pm EST on march 6")
        XCTAssertEqual(winter.start?.isoText, "2026-03-06T21:00")
        XCTAssertEqual(winter.zone, "America/New_York")
        // New York changes its clocks three weeks before Berlin.
        XCTAssertEqual(
            parser.parse("call at 3pm EST on march 20").start?.isoText, "2026-03-20T20:00")
    }

    func testClocksThatAreChangedAreRead() throws {
        let parser = try parser()
        // 02:30 is jumped over, and hours are elapsed time.
        XCTAssertEqual(
            parser.parse("backup on march 29 at 2:30am").start?.isoText, "2026-03-29T03:30")
        XCTAssertEqual(
            parser.parse("call in 600 hours").start?.isoText, "2026-03-29T11:15")
        XCTAssertEqual(
            parser.parse("backup on october 25 at 2:30am").start?.isoText, "2026-10-25T02:30")
    }

    // MARK: What else is said

    func testEverythingBesideTheDateIsFound() throws {
        let text = "todo: pay rent every month on the 1st #home !!! @bills 2 days before"
        let reading = try parser().parse(text)
        XCTAssertEqual(reading.title, "pay rent")
        XCTAssertEqual(reading.start?.isoText, "2026-04-01")
        XCTAssertEqual(reading.recurrence?.byMonthDay, [1])
        XCTAssertEqual(reading.categories, ["home"])
        XCTAssertEqual(reading.priority, 1)
        XCTAssertEqual(reading.list, "bills")
        XCTAssertEqual(reading.alarm, CalendarDuration(days: -2))
        XCTAssertTrue(reading.hasLead)
        let bytes = Array(text.utf8)
        let parts = reading.spans.map {
            "\($0.part.rawValue): \(String(decoding: bytes[$0.range], as: UTF8.self))"
        }
        XCTAssertEqual(
            parts,
            [
                "lead: todo:", "title: pay rent", "recurrence: every month", "date: on the 1st",
                "category: #home", "priority: !!!", "list: @bills", "alarm: 2 days before",
            ])
    }

    func testUntilIsInUTCForTimesAndADayForDays() throws {
        let timed = try parser().parse("stretch every day at 9pm until march 20")
        guard case .until(.utc(let instant))? = timed.recurrence?.bound else {
            return XCTFail("no end in UTC")
        }
        XCTAssertEqual(instant, Date(timeIntervalSince1970: 1_774_036_800))
        let dated = try parser().parse("stretch every day until march 20")
        XCTAssertEqual(
            dated.recurrence?.bound,
            .until(.date(try XCTUnwrap(CivilDate(year: 2026, month: 3, day: 20)))))
    }

    func testAddressesAndQuotesAreNotRead() throws {
        let parser = try parser()
        for (text, title) in [
            (
                "read https://example.com/2026/05/friday tomorrow",
                "read https://example.com/2026/05/friday"
            ),
            ("mail monday@may.com tomorrow", "mail monday@may.com"),
            ("watch \"Friday the 13th\" tomorrow", "watch \"Friday the 13th\""),
            ("remind me tomorrow to \"buy milk on monday\"", "buy milk on monday"),
        ] {
            let reading = parser.parse(text)
            XCTAssertEqual(reading.title, title)
            XCTAssertEqual(reading.start?.isoText, "2026-03-05", text)
        }
    }

    func testCountingFromCompletionIsSaid() throws {
        let reading = try parser().parse("water the orchid every! 10 days")
        XCTAssertTrue(reading.repeatsFromCompletion)
        XCTAssertEqual(reading.recurrence?.interval, 10)
        XCTAssertFalse(try parser().parse("water the orchid every 10 days").repeatsFromCompletion)
    }

    func testATaskIsNoAppointment() throws {
        let parser = try parser()
        XCTAssertEqual(parser.parse("dentist friday at 3pm").kind, .event)
        XCTAssertEqual(parser.parse("remind me of the dentist friday at 3pm").kind, .todo)
        XCTAssertEqual(parser.parse("finish the slides by friday 3pm").kind, .todo)
        XCTAssertEqual(parser.parse("work on slides friday 3-4pm").kind, .event)
        XCTAssertEqual(parser.parse("fair on saturday, all day").kind, .event)
    }

    func testHolidaysFallWhereTheChurchHasThem() throws {
        // The dates of Easter in the Book of Common Prayer's tables.
        for (year, month, day) in [
            (1961, 4, 2), (2000, 4, 23), (2008, 3, 23), (2025, 4, 20), (2026, 4, 5), (2038, 4, 25),
        ] {
            XCTAssertEqual(
                Holiday.easterSunday(of: year), CivilDate(year: year, month: month, day: day))
        }
    }
}
