import Base
import ICalendar
import TestSupport
import XCTest

@testable import Routines

final class RoutineTests: XCTestCase {
    private func routine() throws -> Routine {
        try RoutineKit().routine(rule: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR") { routine in
            routine.gates = [.due, .changed("/notes"), .command]
            routine.isUnlessSame = true
            routine.tools = ["create_reminder"]
            routine.file = "/days.md"
        }
    }

    func testItsFileSaysAllOfIt() throws {
        let routine = try routine()
        let read = Routine(try JSONParser.parse(JSONWriter.pretty(routine.json)))
        XCTAssertEqual(read, routine)
        XCTAssertEqual(read?.digest, routine.digest)
        XCTAssertEqual(routine.times(in: LocalTime(.utc)), "every weekday at 07:30")
    }

    func testAnyChangeIsAnotherDigest() throws {
        let routine = try routine()
        let changes: [(inout Routine) -> Void] = [
            { $0.name = "M" }, { $0.prompt = "send it" }, { $0.rule.interval = 2 },
            { $0.gates = [] }, { $0.isUnlessSame = false }, { $0.provider = "openai" },
            { $0.host = "a.example" }, { $0.model = "m" }, { $0.tools = [] },
            { $0.runBudget = 1 }, { $0.monthBudget = 3 }, { $0.catchUp = 1 }, { $0.file = nil },
        ]
        let digests = changes.map { change in
            var other = routine
            change(&other)
            return other.digest
        }
        XCTAssertEqual(Set(digests + [routine.digest]).count, changes.count + 1)
    }

    func testAnUnknownGateOrVersionIsNoRoutine() throws {
        let members = try XCTUnwrap(try routine().json.objectValue).members
        func with(_ name: String, _ value: JSONValue) -> Routine? {
            Routine(.object(JSONObject(members.filter { $0.name != name } + [.init(name, value)])))
        }
        XCTAssertNotNil(with("name", "other"))
        XCTAssertNil(with("when", [["moon": "full"]]))
        XCTAssertNil(with("version", 2))
        XCTAssertNil(with("rule", "FREQ=SOMETIMES"))
        XCTAssertNil(with("catchUp", -1))
    }

    func testARepetitionWithARequestIsOneAndATaskOfTheUserIsNot() throws {
        let repetitions = ["every weekday at 7:30", "every monday", "jeden Morgen um 8"]
        func read(_ text: String) -> String? {
            RoutineMessage(text) { repetitions.contains($0) }.map { "\($0.times)|\($0.request)" }
        }
        let rows: [(String, String?)] = [
            (
                "every weekday at 7:30 sum up my day: events, what I left open yesterday",
                "every weekday at 7:30|sum up my day: events, what I left open yesterday"
            ),
            (
                "every weekday at 7:30, please tell me the news",
                "every weekday at 7:30|tell me the news"
            ),
            ("sum up my week every monday", "every monday|sum up my week"),
            (
                "jeden Morgen um 8 fasse meinen Tag zusammen",
                "jeden Morgen um 8|fasse meinen Tag zusammen"
            ),
            (
                "every weekday at 7:30 what is due today?",
                "every weekday at 7:30|what is due today?"
            ),
            ("every weekday at 7:30 take pills", nil),
            ("every weekday at 7:30 tell me to take pills", nil),
            ("every weekday at 7:30 give me a reminder to call", nil),
            ("every monday write mom", nil),
            ("remind me every monday to sum up my day", nil),
            ("what do I have every monday", nil),
            ("every so often sum up my day", nil),
        ]
        for (text, wanted) in rows { XCTAssertEqual(read(text), wanted, text) }
    }

    func testTheFirstSentenceIsPlain() {
        let rows = [
            ("## Today\n\n- **Dentist** at 14:00. Then nothing.", "Today"),
            ("You have *two* events today. The first is at 9.", "You have two events today."),
            ("\n\n> `ok`\n", "ok"), ("", ""),
            (String(repeating: "a", count: 300), String(repeating: "a", count: 199) + "…"),
        ]
        for (text, wanted) in rows { XCTAssertEqual(RoutineRunner.firstSentence(text), wanted) }
    }
}
