import AgentCore
import Base
import Foundation
import XCTest

@testable import CalendarFiles
@testable import DateLanguage
@testable import Planner

/// Which item a message means, told by what it changes in real files: by name, by time, as
/// "it"; and what is asked where that is not sure. Wed 4 Mar 2026, 10:15 in Berlin.
final class MessageTargetsTests: XCTestCase {
    /// Says the messages, the last of them as `last`, and tells what that one changed.
    private func said(
        _ messages: [String], locale: DateLocale = .british, isOnline: Bool = false,
        setUp: [String] = []
    ) async throws -> (changed: [String], output: CommandOutput?) {
        let rig = try MessageRig(locale: locale)
        for line in setUp {
            let parts = line.components(separatedBy: " -- ")
            _ = try await rig.run(
                parts[0].split(separator: " ").map(String.init) + ["--", parts[1]])
        }
        for message in messages.dropLast() { _ = try await rig.offline(message) }
        let before = try await rig.items()
        let last = try XCTUnwrap(messages.last)
        let output = isOnline ? try await rig.answer(last) : try await rig.offline(last)
        return (MessageRig.difference(before, try await rig.items()), output)
    }

    private func assert(
        _ messages: [String], _ expected: String?, locale: DateLocale = .british,
        setUp: [String] = [], line: UInt = #line
    ) async throws {
        let (changed, output) = try await said(messages, locale: locale, setUp: setUp)
        XCTAssertEqual(
            changed, [expected].compactMap(\.self),
            "\(messages): \(output?.lines.map(\.text) ?? [])", line: line)
    }

    // MARK: - Corrections

    func testACorrectionNeedsNoVerb() async throws {
        let chess = "remind me to play chess on thursday at 6pm"
        for (said, due) in [
            ("7 instead", "05T19:00"), ("make it 7 tomorrow", "05T19:00"),
            ("not thursday, friday", "06T18:00"), ("friday, not thursday", "06T18:00"),
            ("an hour earlier please", "05T17:00"), ("half an hour later", "05T18:30"),
            ("make it the day after", "06T18:00"), ("the day before", "04T18:00"),
            ("same time on saturday", "07T18:00"), ("at the same time on sunday", "08T18:00"),
            ("actually it's on the 13th", "13T18:00"), ("bring it forward to 5", "05T17:00"),
            ("sorry, I meant friday", "06T18:00"), ("wrong day, friday", "06T18:00"),
            ("wrong time, 7pm", "05T19:00"), ("that's wrong, it's on friday", "06T18:00"),
            ("it's at 8", "05T20:00"), ("change the time to 7pm", "05T19:00"),
        ] {
            try await assert([chess, said], "=t play chess 03-\(due)")
        }
        try await assert([chess, "change the title to play go"], "=t play go 03-05T18:00")
        try await assert([chess, "scrap that"], "-t play chess 03-05T18:00")
        for said in ["make it 7 or 8", "not thursday", "drop it", "7?", "add 3pm to my calendar"] {
            try await assert([chess, said], nil)
        }
        // A time alone is the time of what was made last, where no model may mean another.
        let date = "remind me on friday to call Bea"
        try await assert([date, "at 5"], "=t call Bea 03-06T17:00")
        let online = try await said([date, "at 5"], isOnline: true)
        XCTAssertEqual(online.changed, [])
    }

    func testAnUnclearTimeIsAskedAboutWithTheItemAtEachOfThem() async throws {
        for (stored, times) in [
            (
                "dentist friday at 3pm",
                ["e dentist 03-06T16:00/17:00", "e dentist 03-06T17:00/18:00"]
            ),
            (
                "remind me to call Bea on friday at 3pm",
                ["call Bea 03-06T16:00", "call Bea 03-06T17:00"]
            ),
        ] {
            for (index, time) in times.enumerated() {
                let rig = try MessageRig()
                _ = try await rig.offline(stored)
                let online = try await rig.answer("make it 4 or 5")
                XCTAssertNil(online, "a model may know which")
                let before = try await rig.items()
                let asked = try await rig.offline("make it 4 or 5")
                let choices = try XCTUnwrap(asked?.choices)
                XCTAssertEqual(choices.count, 2, stored)
                XCTAssertTrue(choices[1].label.contains("17:00"), choices[1].label)
                let after = try await rig.items()
                XCTAssertEqual(after, before)
                _ = try await rig.run(choices[index].command)
                let items = try await rig.items().values.map(\.self)
                XCTAssertEqual(items.count, 1)
                XCTAssertTrue(items[0].contains(time), "\(items) \(time)")
            }
        }
    }

    func testACorrectionInGermanNeedsNoVerb() async throws {
        let chess = "erinnere mich am Donnerstag um 18 Uhr an Schach"
        for (said, due) in [
            ("lieber um 19 Uhr", "05T19:00"), ("nicht Donnerstag, sondern Freitag", "06T18:00"),
            ("eine Stunde früher bitte", "05T17:00"), ("nein, am 13.", "13T18:00"),
            ("gleiche Zeit am Samstag", "07T18:00"), ("am Tag danach", "06T18:00"),
            ("ändere das auf 17 Uhr", "05T17:00"), ("mach 8 draus", "05T20:00"),
            ("falscher Tag, Freitag", "06T18:00"), ("falsche Uhrzeit, 19 Uhr", "05T19:00"),
        ] {
            try await assert([chess, said], "=t Schach 03-\(due)", locale: .german)
        }
        try await assert(
            [chess, "benenn das in Blitzschach um"], "=t Blitzschach 03-05T18:00", locale: .german)
        try await assert([chess, "nenn das irgendwie kürzer"], nil, locale: .german)
    }

    func testWordsForTheListOrTheCalendarAreNoPartOfTheTitle() async throws {
        try await assert(["chuck teabags on the shopping list"], "+t teabags")
        try await assert(["todo buy bread"], "+t buy bread")
        for (said, made) in [
            (
                "Kalender: Dachdecker kommt Freitag um 7 Uhr",
                "+e Dachdecker kommt 03-06T07:00/08:00"
            ),
            (
                "teamklausur donnerstag 9 bis 16 uhr, bitte in den kalender",
                "+e teamklausur 03-05T09:00/16:00"
            ),
            (
                "Morgen 13 Uhr erinnern an: Rezept für Mutti abholen",
                "+t Rezept für Mutti abholen 03-05T13:00"
            ),
        ] {
            try await assert([said], made, locale: .german)
        }
    }

    func testAFewWordsWithADayAndAClockAreStoredWithoutAModelAlone() async throws {
        for (said, made) in [
            ("squash sunday at 5pm", "+t squash 03-08T17:00"),
            ("train to Leeds friday 16:12", "+t train to Leeds 03-06T16:12"),
        ] {
            try await assert([said], made)
            let online = try await self.said([said], isOnline: true)
            XCTAssertEqual(online.changed, [], said)
        }
        for asked in [
            "flight prices to Rome friday 6am", "lunch menu for friday 12pm",
            "call me a taxi for 6am tomorrow", "block us a table tomorrow 1-2pm for lunch",
            "a name for our meeting on thursday at 10", "squash sunday", "squash at 5pm",
            "without dentist tomorrow at 9", "no more alarms before 9 on weekends",
        ] {
            try await assert([asked], nil)
        }
    }

    func testACorrectionKeepsTheHalfOfTheDayUnlessThatIsPastOrSaid() async throws {
        let walk = "remind me to walk the dog at 7pm"
        for correction in ["make it 8", "no, 8", "move it to 8", "it to 8", "make that 8"] {
            try await assert([walk, correction], "=t walk the dog 03-04T20:00")
        }
        try await assert([walk, "make it 8:30"], "=t walk the dog 03-04T20:30")
        try await assert([walk, "make it tomorrow at 8"], "=t walk the dog 03-05T20:00")
        try await assert([walk, "make it 8am"], "=t walk the dog 03-05T08:00")
        try await assert([walk, "make it 8 in the morning"], "=t walk the dog 03-05T08:00")
        try await assert([walk, "make it 21:00"], "=t walk the dog 03-04T21:00")
        // Nine in the morning is past today.
        try await assert(
            ["remind me to stretch at 11am", "make it 9"], "=t stretch 03-05T09:00")
        try await assert(
            ["remind me to stretch tomorrow at 7am", "make it 8"], "=t stretch 03-05T08:00")
        try await assert(
            ["remind me to buy eggs tomorrow at 9", "move it to 4"], "=t buy eggs 03-05T16:00")
        try await assert(
            ["dinner with Ida friday at 7pm", "make it 8"], "=e dinner with Ida 03-06T20:00/21:00")
        for correction in [
            "nein, 8", "mach es 8", "verschieb es auf 8", "das auf 8", "lieber um 8",
        ] {
            try await assert(
                ["erinnere mich um 19 Uhr an den Hund", correction], "=t den Hund 03-04T20:00",
                locale: .german)
        }
    }

    // MARK: - "it"

    private static let day = [
        "calendar add --start 2026-03-06T14:00 -- dentist",
        "reminders add --literal --due 2026-03-06T17:00 -- buy milk",
    ]

    func testItIsTheOneItemOfTheLastAnswerOrAct() async throws {
        try await assert(
            ["when is the dentist", "move it to 4"], "=e dentist 03-06T16:00/17:00",
            setUp: Self.day)
        try await assert(
            ["list my reminders", "move it to 6"], "=t buy milk 03-06T18:00", setUp: Self.day)
        try await assert(
            ["wann ist der dentist", "lösch das"], "-e dentist 03-06T14:00/15:00",
            locale: .german, setUp: Self.day)
    }

    func testAfterAnAnswerThatShowedSeveralTheyAreAskedAbout() async throws {
        for question in ["make it 4", "move it to 4", "delete that", "cancel it"] {
            for isOnline in [true, false] {
                let (changed, output) = try await said(
                    ["what's on friday", question], isOnline: isOnline, setUp: Self.day)
                XCTAssertEqual(changed, [], question)
                XCTAssertEqual(output?.lines.map(\.text), ["Which one do you mean?"], question)
                XCTAssertEqual(
                    output?.choices.map(\.command.first), ["calendar", "reminders"], question)
            }
        }
        let (changed, output) = try await said(
            ["was steht am freitag an", "verschieb es auf 16 Uhr"], locale: .german,
            setUp: Self.day)
        XCTAssertEqual(changed, [])
        XCTAssertEqual(output?.choices.count, 2)
    }

    func testWhatWasDoneAfterAnAlertRangIsMeantRatherThanWhatRang() async throws {
        let folder = try CalendarFolder()
        let rang = CalendarFolder.now.addingTimeInterval(-600)
        let store = folder.store
        let fired = try await folder.server.actions.create(.init(title: "bread"))
        let touched = try await folder.server.actions.create(.init(title: "tea"))
        let referent = RecentReferent { (fired.uid, rang) }
        for (answersAlert, expected) in [(true, "bread"), (false, "tea")] {
            let meant = try await referent.meant(
                in: store, CalendarFolder.context(), answersAlert: answersAlert)
            XCTAssertEqual(meant?.holds(fired), expected == "bread")
            XCTAssertEqual(meant?.holds(touched), expected == "tea")
        }
    }

    // MARK: - By name and time

    private func assertAsked(
        _ message: String, _ question: String, _ labels: [String], locale: DateLocale = .british,
        setUp: [String], line: UInt = #line
    ) async throws {
        let (changed, output) = try await said([message], locale: locale, setUp: setUp)
        XCTAssertEqual(changed, [], message, line: line)
        XCTAssertEqual(output?.lines.map(\.text), [question], message, line: line)
        XCTAssertEqual(output?.choices.map(\.label), labels, message, line: line)
    }

    func testWhatIsAtAnotherTimeIsNamed() async throws {
        let saturday = ["calendar add --start 2026-03-07T10:00 -- haircut"]
        let label = ["haircut · Sat 7 Mar 10:00–11:00 CET"]
        for message in ["cancel the haircut on friday", "no haircut on friday"] {
            try await assertAsked(
                message, "No \"haircut\" on Fri 6 Mar. Is this what you mean?", label,
                setUp: saturday)
        }
        try await assertAsked(
            "cancel the haircut on saturday at 9",
            "No \"haircut\" on Sat 7 Mar at 09:00. Is this what you mean?", label, setUp: saturday)
        try await assertAsked(
            "sag den haircut am Freitag ab",
            "No \"haircut\" on Fri 6 Mar. Is this what you mean?", label, locale: .german,
            setUp: saturday)
        try await assertAsked(
            "delete the reminder buy milk on thursday",
            "No \"buy milk\" on Thu 5 Mar. Is this what you mean?",
            ["buy milk · Fri 6 Mar 17:00 CET"], setUp: Self.day)
    }

    func testTwoOfTheNameAreListed() async throws {
        let milk = [
            "reminders add --literal -- buy milk", "reminders add --literal -- milk for Ida",
        ]
        let (changed, output) = try await said(["delete milk"], setUp: milk)
        XCTAssertEqual(changed, [])
        XCTAssertEqual(Set(output?.choices.map(\.label) ?? []), ["buy milk", "milk for Ida"])
        // An event and a reminder are two.
        let both = ["calendar add --start 2026-03-07T10:00 -- milk tasting", milk[0]]
        let (_, mixed) = try await said(["move milk to 5pm"], setUp: both)
        XCTAssertEqual(mixed?.lines.map(\.text), ["Which one do you mean?"])
        XCTAssertEqual(mixed?.choices.map(\.command.first), ["calendar", "reminders"])
    }

    func testATimeNamesWhatHasNoOtherName() async throws {
        let setUp = [
            "reminders add --literal --due 2026-03-05T07:00 -- wake up",
            "reminders add --literal --due 2026-03-05T09:00 -- wake Ida",
            "calendar add --start 2026-03-04T15:00 -- budget review",
            "calendar add --start 2026-03-04T17:00 -- standup",
        ]
        try await assert(["cancel my 7am alarm"], "-t wake up 03-05T07:00", setUp: setUp)
        try await assert(
            ["lösche meinen 7 Uhr Wecker"], "-t wake up 03-05T07:00", locale: .german, setUp: setUp)
        try await assert(
            ["push my 3pm meeting by half an hour"], "=e budget review 03-04T15:30/16:30",
            setUp: setUp)
        let (changed, output) = try await said(["cancel my 8pm meeting"], setUp: setUp)
        XCTAssertEqual(changed, [])
        XCTAssertNil(output)
    }

    func testWhatIsDeniedMakesNothingAndIsAskedAboutWhereItIsThere() async throws {
        let dentist = ["calendar add --start 2026-03-05T09:00 -- dentist"]
        for (message, locale) in [
            ("no dentist tomorrow at 9", DateLocale.british), ("kein dentist morgen um 9", .german),
        ] {
            try await assertAsked(
                message, "Cancel this?", ["dentist · Thu 5 Mar 09:00–10:00 CET"],
                locale: locale, setUp: dentist)
        }
        for message in [
            "no alarm tomorrow at 7", "never call mom at 5pm", "no need to call mom tomorrow at 5",
            "weck mich morgen nicht um 7", "stell keinen wecker auf 7",
        ] {
            for isOnline in [true, false] {
                let (changed, output) = try await said([message], isOnline: isOnline)
                XCTAssertEqual(changed, [], message)
                XCTAssertNil(output, message)
            }
        }
    }

    func testChangesOfLengthAndPlaceInTime() async throws {
        let dentist = ["calendar add --start 2026-03-06T14:00 -- dentist"]
        for (message, changed) in [
            ("prepone the dentist to 9am", "=e dentist 03-06T09:00/10:00"),
            ("prepone the dentist by an hour", "=e dentist 03-06T13:00/14:00"),
            ("add 15 minutes to the dentist", "=e dentist 03-06T14:00/15:15"),
            ("shorten the dentist by 15 minutes", "=e dentist 03-06T14:00/14:45"),
            ("dentist to 11am", "=e dentist 03-06T11:00/12:00"),
            ("zieh den dentist auf 9 Uhr vor", "=e dentist 03-06T09:00/10:00"),
            ("häng 15 Minuten an den dentist dran", "=e dentist 03-06T14:00/15:15"),
            ("dentist auf 11 Uhr", "=e dentist 03-06T11:00/12:00"),
        ] { try await assert([message], changed, setUp: dentist) }
        // A timer has no length but its end.
        try await assert(
            ["set a timer for 10 minutes", "add 5 minutes to the timer"], "=t timer 03-04T10:30")
        try await assert(["dentist to 11am"], nil)
    }
}
