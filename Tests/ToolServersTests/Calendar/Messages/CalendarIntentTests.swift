import AgentCore
import Foundation
import TestSupport
import XCTest

@testable import ToolServers

/// Plain messages: which the calendar claims, what it answers and what it
/// leaves to others.
final class CalendarIntentTests: XCTestCase {
    private static func reading(
        _ title: String, _ start: String?, _ end: String? = nil, kind: Reading.Kind = .event,
        parts: [Reading.Span.Part] = [.date, .time]
    ) -> Reading {
        func moment(_ text: String) -> Reading.Moment? {
            switch try? ISO8601.parse(text) {
            case .date(let date)?: .date(date)
            case .local(let clock)?: .time(clock)
            default: nil
            }
        }
        var reading = Reading(title: title, kind: kind, start: start.flatMap(moment))
        reading.end = end.flatMap(moment)
        reading.spans = (parts + (title.isEmpty ? [] : [.title])).map { .init($0, 0..<1) }
        return reading
    }

    private static let readings: [String: Reading] = {
        var doubtful = reading("call", "2026-03-06T15:00")
        doubtful.confidence = 0.5
        return [
            "dentist next friday 2-3:30pm": reading(
                "dentist", "2026-03-13T14:00", "2026-03-13T15:30"),
            "call friday 3ish": doubtful,
            "buy milk tomorrow at 5": reading("buy milk", "2026-03-05T17:00", kind: .todo),
            "monday": reading("", "2026-03-09", parts: [.date]),
            "friday": reading("", "2026-03-06", parts: [.date]),
            "4pm": reading("", "2026-03-04T16:00", parts: [.time]),
            "friday at 2": reading("", "2026-03-06T14:00"),
            "next friday": reading("", "2026-03-13", parts: [.date]),
        ]
    }()

    private func rig() async throws -> CalendarRig {
        let rig = try CalendarRig(readings: Self.readings)
        try await rig.run(
            "add 'Dentist appointment' --start 2026-03-06T14:00 --end 2026-03-06T15:00")
        try await rig.run(
            "add standup --start 2026-03-05T09:30 --end 2026-03-05T09:45 --repeat FREQ=DAILY;COUNT=5"
        )
        return rig
    }

    private func answer(_ rig: CalendarRig, _ message: String) async throws -> [String]? {
        let match = rig.server.canHandle(message: message)
        guard match.isComplete, match.confidence >= IntentRouter.completeThreshold else {
            return nil
        }
        guard let output = try await rig.server.handle(message: message) else { return nil }
        return output.lines.map(\.text) + output.choices.map { "· " + $0.label }
    }

    func testAnEventInPlainWordsIsCreated() async throws {
        let rig = try await rig()
        let said = try await answer(rig, "dentist next friday 2-3:30pm")
        XCTAssertEqual(said, ["✓ dentist · Fri 13 Mar 14:00–15:30 CET · /undo"])
    }

    func testWhatIsNotSureOrNotAnEventIsNotClaimed() async throws {
        let rig = try await rig()
        for message in [
            "buy milk tomorrow at 5", "call friday 3ish", "what is on TV tonight?",
            "when is easter?", "tell me a story about a dentist", "cancel my subscription",
            "move the sofa to 4pm", "hello", "What is a calendar?",
            "write a poem about friday", "why is friday called friday?", "move to berlin",
        ] {
            let said = try await answer(rig, message)
            XCTAssertNil(said, message)
        }
        // Where nobody else answers, the readings are offered.
        let match = rig.server.canHandle(message: "call friday 3ish")
        XCTAssertEqual(match.isComplete, false)
        XCTAssertNotNil(match.missing)
        let asked = try await rig.server.handle(message: "call friday 3ish")
        XCTAssertEqual(asked?.choices.count, 1)
        XCTAssertEqual(try rig.others(than: "").count, 2)
    }

    func testQuestionsAreAnsweredWithTheAgenda() async throws {
        let rig = try await rig()
        let tomorrow = ["Tomorrow, Thu 5 Mar", "  09:30–09:45  ▎ standup  15 min"]
        for message in [
            "what's on tomorrow?", "What’s on tomorrow", "whats on tomorrow", "what is on tomorrow",
            "what do I have tomorrow?", "what do i have on tomorrow", "agenda tomorrow",
            "show me my calendar for tomorrow", "please show my agenda for tomorrow",
            "do I have anything on tomorrow?", "what's on my calendar tomorrow?",
            "was steht morgen an?",
        ] {
            let said = try await answer(rig, message)
            XCTAssertEqual(said, tomorrow, message)
        }
        let week = try await answer(rig, "what's on this week?")
        XCTAssertEqual(week?.first, "Today, Wed 4 Mar")
        XCTAssertEqual(week?.last, "  09:30–09:45  ▎ standup  15 min")
        let monday = try await answer(rig, "what do I have on monday")
        XCTAssertEqual(monday?.first, "Mon 9 Mar")
        let afternoon = try await answer(rig, "what's on friday afternoon?")
        XCTAssertEqual(afternoon, ["Fri 6 Mar", "  14:00–15:00  ▎ Dentist appointment  1 h"])
    }

    func testFreeTimeIsSaid() async throws {
        let rig = try await rig()
        let afternoon = try await answer(rig, "am I free friday afternoon?")
        XCTAssertEqual(
            afternoon,
            [
                "Partly:", "Fri 6 Mar  12:00–14:00 (2 h), 15:00–18:00 (3 h)",
                "  Dentist appointment · Fri 6 Mar 14:00–15:00 CET",
            ])
        let morning = try await answer(rig, "am i free tomorrow evening")
        XCTAssertEqual(morning, ["Yes, free tomorrow, Thu 5 Mar 18:00–23:00."])
        let then = try await answer(rig, "am I free friday at 2?")
        XCTAssertEqual(
            then,
            [
                "No, not Fri 6 Mar 14:00–15:00.",
                "  Dentist appointment · Fri 6 Mar 14:00–15:00 CET",
            ])
    }

    func testWhenAThingIs() async throws {
        let rig = try await rig()
        for message in ["when is the dentist?", "When's my next dentist appointment?"] {
            let said = try await answer(rig, message)
            XCTAssertEqual(said, ["Dentist appointment · Fri 6 Mar 14:00–15:00 CET"], message)
        }
    }

    func testOneEventIsMovedAndCancelled() async throws {
        let rig = try await rig()
        let cases = [
            (
                "move the dentist to 4pm",
                "✓ moved: Dentist appointment · Fri 6 Mar 16:00–17:00 CET · /undo"
            ),
            (
                "push the dentist by an hour",
                "✓ moved: Dentist appointment · Fri 6 Mar 17:00–18:00 CET · /undo"
            ),
            (
                "push back the dentist by an hour",
                "✓ moved: Dentist appointment · Fri 6 Mar 18:00–19:00 CET · /undo"
            ),
            (
                "move dentist back 30 minutes",
                "✓ moved: Dentist appointment · Fri 6 Mar 18:30–19:30 CET · /undo"
            ),
            (
                "move the dentist an hour earlier",
                "✓ moved: Dentist appointment · Fri 6 Mar 17:30–18:30 CET · /undo"
            ),
            (
                "bring the dentist forward by half an hour",
                "✓ moved: Dentist appointment · Fri 6 Mar 17:00–18:00 CET · /undo"
            ),
            (
                "could you reschedule the dentist for next friday please",
                "✓ moved: Dentist appointment · Fri 13 Mar 17:00–18:00 CET · /undo"
            ),
            (
                "postpone my dentist appointment by a week",
                "✓ moved: Dentist appointment · Fri 20 Mar 17:00–18:00 CET · /undo"
            ),
            (
                "cancel the dentist",
                "✓ cancelled: Dentist appointment · Fri 20 Mar 17:00–18:00 CET · /undo"
            ),
            ("cancel the dentist", nil),
        ]
        for (message, wanted) in cases {
            let said = try await answer(rig, message)
            XCTAssertEqual(said?.first, wanted, message)
        }
        try await rig.undo()
        let again = try await answer(rig, "cancel the dentist")
        XCTAssertNotNil(again)
    }

    func testARepeatingOneIsAskedAbout() async throws {
        let rig = try await rig()
        let said = try await answer(rig, "move the standup to 4pm")
        XCTAssertEqual(
            said,
            [
                "standup repeats. Which are to be moved?",
                "· only Thu 5 Mar 09:30–09:45 CET", "· this and all that follow",
                "· all of them",
            ])
        let output = try await rig.server.handle(message: "move the standup to 4pm")
        let choice = try XCTUnwrap(output?.choices.first?.command)
        let done = try await CalendarCommand(server: rig.server).run(
            CommandInvocation(verb: choice[1], arguments: Array(choice.dropFirst(2))))
        XCTAssertEqual(
            done.lines.map(\.text),
            ["✓ changed: standup · Thu 5 Mar 16:00–16:15 CET · only this one · /undo"])
    }

    func testSeveralOfATitleAreOffered() async throws {
        let rig = try await rig()
        try await rig.run("add 'dentist, again' --start 2026-04-06T14:00")
        let said = try await answer(rig, "move the dentist to 4pm")
        XCTAssertEqual(
            said,
            [
                "Which one is meant?", "· Dentist appointment · Fri 6 Mar 14:00–15:00 CET",
                "· dentist, again · Mon 6 Apr 14:00–15:00 CEST",
            ])
        let output = try await rig.server.handle(message: "move the dentist to 4pm")
        XCTAssertEqual(
            output?.choices[1].command.suffix(2), ["--start", "2026-04-06T16:00:00+02:00"])
    }

    func testHostileMessagesAreJudgedSoon() throws {
        let server = try CalendarRig().server
        let messages = [
            String(repeating: "move ", count: 5000), String(repeating: "to ", count: 90),
            "push " + String(repeating: "by ", count: 90), "\u{0}\u{7}\n", "?", "!!!", " ",
            String(repeating: "a", count: 100_000), "cancel", "move", "when is", "what's on",
        ]
        let time = ProcessorTime.measure {
            for message in messages { _ = server.canHandle(message: message) }
        }
        XCTAssertLessThan(time, .seconds(10))
    }
}
