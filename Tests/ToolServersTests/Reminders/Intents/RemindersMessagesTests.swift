import AgentCore
import Base
import Foundation
import ICalendar
import Synchronization
import XCTest

@testable import CalendarFiles
@testable import DateLanguage
@testable import Planner

/// Plain messages against real files: what is done, what is asked, what is
/// left to others.
final class RemindersMessagesTests: XCTestCase {
    private func handle(_ server: RemindersServer, _ message: String) async throws -> [String]? {
        try await server.handle(message: message)?.lines.map(\.text)
    }

    func testTheEchoHasTheDateTheZoneAndTheWayBack() async throws {
        let folder = try CalendarFolder()
        let server = folder.server(phrases: [
            "remind me to call mom tomorrow at 5": try .of(
                "call mom", "2026-11-22T17:00", lead: true),
            "remind me to water the plants every other tuesday at 9": try .of(
                "water the plants", "2026-11-24T09:00", rule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU",
                lead: true),
        ])
        let mom = try await handle(server, "remind me to call mom tomorrow at 5")
        XCTAssertEqual(mom, ["✓ call mom · tomorrow, Sun 22 Nov 17:00 CET · /undo"])
        let plants = try await handle(
            server, "remind me to water the plants every other tuesday at 9")
        XCTAssertEqual(
            plants,
            ["✓ water the plants · Tue 24 Nov 09:00 CET · ↻ every other Tuesday · /undo"])
        let listed = try await server.handle(message: "list my reminders")
        XCTAssertEqual(listed?.json?.arrayValue?.count, 2)
    }

    func testBothAreChangedOrNeither() async throws {
        let folder = try CalendarFolder()
        let server = folder.server(phrases: [
            "remind me to call mom tomorrow at 5": try .of(
                "call mom", "2026-11-22T17:00", lead: true),
            "remind me to water the plants": try .of("water the plants", nil, lead: true),
        ])
        for message in [
            "remind me to call mom tomorrow at 5", "remind me to water the plants",
        ] {
            _ = try await handle(server, message)
        }
        let before = try await server.actions.all().reminders.map(\.due)
        let answer = try await handle(server, "both an hour later")
        XCTAssertNil(answer)
        let after = try await server.actions.all().reminders.map(\.due)
        XCTAssertEqual(after, before)
    }

    func testWhatWasChangedBeforeAnErrorIsUndone() async throws {
        let folder = try CalendarFolder()
        let server = folder.server()
        let actions = server.actions
        let reminder = try await actions.create(ItemEdit(title: "call mom"))
        do {
            _ = try await ItemAct.perform(
                [
                    {
                        _ = try await actions.edit(reminder, ItemEdit(title: "call dad"))
                        return CommandOutput()
                    }, { throw ToolError.failed("no") },
                ], in: actions.store)
            XCTFail("it was done")
        } catch let error as ToolError { XCTAssertEqual(error, .failed("no")) }
        let titles = try await actions.all().reminders.map(\.title)
        XCTAssertEqual(titles, ["call mom"])
    }

    func testAnErrorIsSaidAlsoWhenTheChangesBeforeItCannotBeUndone() async throws {
        let folder = try CalendarFolder()
        let actions = folder.server().actions
        let reminder = try await actions.create(ItemEdit(title: "call mom"))
        do {
            _ = try await ItemAct.perform(
                [
                    {
                        _ = try await actions.edit(reminder, ItemEdit(title: "call dad"))
                        return CommandOutput()
                    },
                    {
                        // Another program's change, over which nothing is undone.
                        try Data("BEGIN:VCALENDAR".utf8).write(
                            to: URL(fileURLWithPath: reminder.path))
                        throw ToolError.failed("The second is gone.")
                    },
                ], in: actions.store)
            XCTFail("it was done")
        } catch {
            let said = Diagnostic(of: error).what
            XCTAssertTrue(said.hasPrefix("The second is gone. "), said)
            XCTAssertTrue(said.contains("could not be undone: "), said)
        }
    }

    func testAMessageIsReadOnceForBothServersAndForWhatIsDone() async throws {
        let folder = try CalendarFolder()
        let count = Mutex(0)
        let parse: @Sendable (String, DateContext) -> ParsedPhrase = { phrase, context in
            count.withLock { $0 += 1 }
            return DateParser(context).parse(phrase)
        }
        let judge = MessageJudge(parse: parse)
        let context: @Sendable () -> DateContext = { CalendarFolder.context() }
        let reminders = RemindersServer(
            store: folder.server.actions.store, context: context, environment: folder.environment,
            parse: parse, judge: judge)
        let calendar = CalendarServer(
            store: folder.server.actions.store, environment: folder.environment,
            context: context, parse: parse, judge: judge)
        let message = PlainMessage("remind me to call mom tomorrow at 5pm")
        let match = reminders.canHandle(message: message)
        let read = count.withLock { $0 }
        XCTAssertGreaterThan(read, 0)
        XCTAssertEqual(calendar.canHandle(message: message).confidence, 0)
        let done = try await reminders.handle(message: message, mayAsk: false, emit: .none)
        XCTAssertTrue(match.isComplete && done != nil)
        XCTAssertEqual(count.withLock { $0 }, read)
        // The same words in another message are at another time.
        _ = reminders.canHandle(message: PlainMessage(message.text))
        XCTAssertEqual(count.withLock { $0 }, 2 * read)
    }

    func testLookingAtAMessageLeavesTheQuestionOpen() async throws {
        let server = try CalendarFolder().server
        let asked = try await server.handle(message: "set an alarm")
        XCTAssertNotNil(asked)
        XCTAssertEqual(server.canHandle(message: "7:30").confidence, 0.6)
        XCTAssertEqual(server.canHandle(message: "7:30").confidence, 0.6)
        let set = try await handle(server, "7:30")
        XCTAssertEqual(set?.first?.hasPrefix("✓ alarm"), true)
        // It was answered: the same again is about the alarm that was set.
        _ = try await handle(server, "7:30")
        let all = try await server.actions.all().reminders
        XCTAssertEqual(all.count, 1)
    }

    func testAQuestionWhichOneIsOverWithTheNextMessageNotWithALook() async throws {
        let server = try CalendarFolder().server
        for (title, day) in [("call mom", 23), ("call dad", 24)] {
            let date = try XCTUnwrap(CivilDate(year: 2026, month: 11, day: day))
            _ = try await server.actions.create(.init(title: title, due: .date(date)))
        }
        let asked = try await server.handle(message: "done: call")
        XCTAssertEqual(asked?.lines.map(\.text), ["Which \"call\"?"])
        let looks = (1...2).map { _ in server.canHandle(message: "the one on monday").isComplete }
        XCTAssertEqual(looks, [true, true], "looking changes nothing")
        server.endQuestion()
        XCTAssertFalse(server.canHandle(message: "the one on monday").isComplete)
    }

    func testNumbersThatNoTimerTakesChangeNothing() async throws {
        let server = try CalendarFolder().server
        _ = try await handle(server, "set a timer for 5 minutes")
        let before = try await server.actions.all().reminders.map(\.due)
        for text in ["actually 999999999999999999", "actually 9223372036854775807"] {
            _ = try await server.handle(message: text)
            let after = try await server.actions.all().reminders.map(\.due)
            XCTAssertEqual(after, before, text)
        }
    }

    func testATimeThatIsOverIsAskedEvenWhereTheReaderHasNoDoubt() async throws {
        let folder = try CalendarFolder()
        let phrase = "remind me to call mom at 9"
        let server = folder.server(phrases: [
            phrase: try .of("call mom", "2026-11-21T09:00", lead: true)
        ])
        XCTAssertFalse(server.canHandle(message: phrase).isComplete)
        let asked = try await server.handle(message: phrase)
        XCTAssertEqual(asked?.choices.isEmpty, false)
        XCTAssertFalse(try folder.names(folder.path).contains("calendars"))
    }

    func testATimeAloneAnswersWhen() async throws {
        let cases = [
            ("set an alarm", "7:30", ["✓ alarm · tomorrow, Thu 5 Mar 07:30 CET · /undo"]),
            // An alarm has no day of its own.
            ("set an alarm", "tomorrow", nil),
            (
                "remind me to clean the garage soon", "saturday",
                ["✓ clean the garage · Sat 7 Mar · no time, so it will not ring · /undo"]
            ),
            ("set an alarm", "the build failed at 7:30", nil),
            ("finish the report", "7:30", nil),
        ]
        for (question, answer, expected) in cases {
            let rig = try MessageRig()
            let asked = try await rig.offline(question)
            if question.contains("soon") {
                XCTAssertEqual(asked?.lines.map(\.text), ["Not understood: soon. When?"])
            }
            let said = try await rig.offline(answer)
            XCTAssertEqual(said?.lines.map(\.text), expected, "\(question): \(answer)")
            // Once it is answered a time corrects, and makes nothing.
            let before = try await rig.items()
            _ = try await rig.offline("8:15")
            let added = try await rig.items().count - before.count
            let isOpen = asked?.choices.isEmpty == false && expected == nil
            XCTAssertEqual(added, isOpen ? 1 : 0, "\(question): \(answer)")
        }
    }

    func testATimeThatAnswersNothingCorrectsNothingFromBeforeTheQuestion() async throws {
        let rig = try MessageRig()
        _ = try await rig.offline("remind me to call Bea on friday")
        let before = try await rig.items()
        _ = try await rig.offline("set an alarm")
        _ = try await rig.offline("tomorrow")
        let after = try await rig.items()
        XCTAssertEqual(after, before)
    }

    /// Phrases are read to the minute, the clock goes on.
    func testAnHourIsAnHourAtAnySecond() async throws {
        let folder = try CalendarFolder()
        let server = folder.server(
            now: CalendarFolder.now.addingTimeInterval(46),
            phrases: ["in an hour": try .of("in an hour", "2026-11-21T14:00", spans: [.time])])
        _ = try await server.actions.create(
            .init(title: "call mom", due: try .at("2026-11-24T09:30")))
        let moved = try await handle(server, "postpone call mom by an hour")
        XCTAssertEqual(moved, ["✓ call mom · Tue 24 Nov 10:30 CET · /undo"])
    }

    /// As the real reader has it: without a title the phrase is given for one.
    func testWordsThatOnlySayWhenAreNoReminder() async throws {
        let folder = try CalendarFolder()
        let server = folder.server(phrases: [
            "tomorrow at 5": try .of("tomorrow at 5", "2026-11-22T17:00", spans: [.date, .time]),
            "remind me tomorrow": try .of(
                "reminder", "2026-11-22", lead: true, spans: [.lead, .date]),
        ])
        let only = try await server.run("add", "tomorrow", "at", "5")
        XCTAssertEqual(only.outcome, .usage)
        XCTAssertFalse(server.canHandle(message: "remind me tomorrow").isComplete)
        let asked = try await server.handle(message: "remind me tomorrow")
        XCTAssertNil(asked)
        XCTAssertEqual(
            server.canHandle(message: "remind me tomorrow").fallbackMessage,
            "Not stored: it says when, but not what to be reminded of.")
    }

    func testWhatIsDoneIsFoundOrLeftOrAsked() async throws {
        let folder = try CalendarFolder()
        let server = folder.server
        for title in ["call mom", "call dad", "buy milk"] {
            _ = try await server.actions.create(.init(title: title))
        }
        let unknown = try await handle(server, "done: buy bread")
        XCTAssertNil(unknown)
        let several = try await server.handle(message: "done: call")
        XCTAssertEqual(several?.lines.map(\.text), ["Which \"call\"?"])
        XCTAssertEqual(Set(several?.choices.map(\.label) ?? []), ["call mom", "call dad"])
        XCTAssertEqual(several?.choices[0].command.prefix(2), ["reminders", "done"])
        let done = try await handle(server, "milk is done")
        XCTAssertEqual(done, ["✓ done: buy milk · /undo"], "it was made just now")
        let reopened = try await handle(server, "reopen buy milk")
        XCTAssertEqual(reopened, ["✓ open again: buy milk · /undo"])
        let renamed = try await handle(server, "rename dad to call pa")
        XCTAssertEqual(renamed, ["✓ call pa · /undo"])
        let deleted = try await handle(server, "delete the reminder call pa")
        XCTAssertEqual(deleted, ["✓ deleted: call pa (in the trash) · /undo"])
        XCTAssertEqual(try folder.names(folder.trash).count, 2)
    }

    func testThatIsWhatRangElseWhatWasTouchedLast() async throws {
        let folder = try CalendarFolder()
        let first = try await folder.server.actions.create(.init(title: "bread"))
        _ = try await folder.server.actions.create(.init(title: "tea"))
        let phrases = ["in an hour": try ParsedPhrase.of("", "2026-11-21T14:00")]
        let touched = try await handle(folder.server(phrases: phrases), "snooze that for an hour")
        XCTAssertEqual(touched, ["✓ tea · snoozed to today, Sat 21 Nov 14:00 CET · /undo"])
        let rang = folder.server(phrases: phrases, lastMentioned: { first.uid })
        let snoozed = try await handle(rang, "snooze that for an hour")
        XCTAssertEqual(snoozed, ["✓ bread · snoozed to today, Sat 21 Nov 14:00 CET · /undo"])
        let usual = try await handle(rang, "snooze")
        XCTAssertEqual(usual, ["✓ bread · snoozed to today, Sat 21 Nov 13:10 CET · /undo"])
        let nothing = try await handle(try CalendarFolder().server, "snooze")
        XCTAssertNil(nothing)
    }

    func testMovingKeepsWhatIsNotSaid() async throws {
        let folder = try CalendarFolder()
        let server = folder.server(phrases: [
            "friday": try .of("", "2026-11-27", spans: [.date]),
            "4pm": try .of("", "2026-11-21T16:00", spans: [.time]),
            "monday at 8": try .of("", "2026-11-23T08:00", spans: [.date, .time]),
            "the attic": try .of("the attic"),
            "in an hour": try .of("", "2026-11-21T14:00"),
            "in a fortnight": try .of("", "2026-12-05"),
        ])
        _ = try await server.actions.create(
            .init(title: "call mom", due: try .at("2026-11-24T09:30")))
        let day = try await handle(server, "move call mom to friday")
        XCTAssertEqual(day, ["✓ call mom · Fri 27 Nov 09:30 CET · /undo"])
        let clock = try await handle(server, "move call mom to 4pm")
        XCTAssertEqual(clock, ["✓ call mom · Fri 27 Nov 16:00 CET · /undo"])
        let both = try await handle(server, "reschedule call mom for monday at 8")
        XCTAssertEqual(both, ["✓ call mom · Mon 23 Nov 08:00 CET · /undo"])
        let hour = try await handle(server, "postpone call mom by an hour")
        XCTAssertEqual(hour, ["✓ call mom · Mon 23 Nov 09:00 CET · /undo"])
        let weeks = try await handle(server, "push it by a fortnight")
        XCTAssertEqual(weeks, ["✓ call mom · Mon 7 Dec 09:00 CET · /undo"])
        // Nothing is called so: it may be something to do.
        let attic = try await handle(server, "move call mom to the attic")
        XCTAssertEqual(attic, ["No model is connected. Is this a reminder?"])
        let couch = try await handle(server, "move the couch to friday")
        XCTAssertNil(couch)
    }
}
