import AgentCore
import XCTest

@testable import ToolServers

/// What is done without a model, and above all what is not. The date language
/// is scripted: a lead-in is cut off, and a phrase with a date is what the
/// test says it is.
final class ReminderIntentTests: XCTestCase {
    private static let leads = [
        "remind me to ", "remind me that ", "todo: ", "todo:", "to-do: ", "task: ",
        "add a task to ", "add a reminder to ", "create a reminder to ", "new task: ",
    ]

    private func judge(_ message: String, _ phrases: [String: Reading] = [:]) -> ReminderIntent {
        ReminderIntent.judge(message) { phrase in
            if let reading = phrases[phrase] { return reading }
            var reading = Reading(title: phrase)
            for lead in Self.leads where phrase.lowercased().hasPrefix(lead) {
                reading.title = String(phrase.dropFirst(lead.count))
                reading.hasLead = true
                break
            }
            return reading
        }
    }

    func testCompleteWishesAreCarriedOut() throws {
        let titles = [
            "remind me to buy milk": "buy milk", "please remind me to call Bo": "call Bo",
            "Could you please remind me to water the plants, please?": "water the plants",
            "todo: buy Crème fraîche": "buy Crème fraîche", "add a task to call Bo": "call Bo",
            "add milk to my todo list": "milk", "put bread on my to-do list": "bread",
            "remind me that Ida is allergic to nuts": "Ida is allergic to nuts",
        ]
        for (message, title) in titles {
            let intent = judge(message)
            guard case .create(let reading)? = intent.action else {
                XCTFail(message)
                continue
            }
            XCTAssertEqual(reading.title, title, message)
            XCTAssertTrue(intent.match.isComplete, message)
            XCTAssertEqual(intent.match.confidence, 0.95, message)
        }
    }

    func testADateNeedsNoLeadWhereTheWordsAreATask() throws {
        let phrases = [
            "call mom tomorrow at 5pm": try Reading.of("call mom", "2026-11-22T17:00"),
            "inform the landlord tomorrow": try .of("inform the landlord", "2026-11-22"),
            "dentist tomorrow 2-3pm": try .of("dentist", "2026-11-22T14:00", kind: .event),
            "what is the weather tomorrow": try .of("what is the weather", "2026-11-22"),
            "is it friday": try .of("is it", "2026-11-27"),
            "we met in march": try .of("we met", "2027-03-01"),
        ]
        let intent = judge("call mom tomorrow at 5pm", phrases)
        XCTAssertTrue(intent.match.isComplete)
        XCTAssertEqual(intent.match.confidence, 0.85)
        // An assistant may be meant; without a model it is asked about.
        let open = judge("inform the landlord tomorrow", phrases)
        XCTAssertFalse(open.match.isComplete)
        XCTAssertLessThan(open.match.confidence, 0.5)
        XCTAssertEqual(
            open.action,
            .ask(
                try XCTUnwrap(phrases["inform the landlord tomorrow"]),
                phrase: "inform the landlord tomorrow"))
        for message in ["dentist tomorrow 2-3pm", "what is the weather tomorrow", "is it friday"] {
            XCTAssertNil(judge(message, phrases).action, message)
            XCTAssertEqual(judge(message, phrases).match, .none, message)
        }
        XCTAssertFalse(judge("we met in march", phrases).match.isComplete)
    }

    func testDoubtsAreNeverStored() throws {
        let phrase = "remind me to call mom next friday"
        for reading in [
            try Reading.of("call mom", "2026-11-27", lead: true, confidence: 0.7),
            try .of("call mom", "2026-11-20", lead: true, doubts: [.past]),
            try .of("call mom", "2026-11-27", lead: true, doubts: [.leftover]),
        ] {
            let intent = judge(phrase, [phrase: reading])
            XCTAssertEqual(intent.action, .ask(reading, phrase: phrase))
            XCTAssertFalse(intent.match.isComplete)
            XCTAssertEqual(intent.match.missing?.hasPrefix("Not stored: "), true)
        }
        let empty = judge(
            "remind me tomorrow", ["remind me tomorrow": try .of("", "2026-11-22", lead: true)])
        XCTAssertFalse(empty.match.isComplete)
    }

    func testMoreThanOnePlainWishGoesToTheModel() {
        let messages = [
            "remind me to buy milk and tell me a joke", "remind me to buy milk. Then write a poem",
            "remind me to buy milk?", "remind me to leave if it rains",
            "remind me to call Bo when I get home", "remind me of it", "remind me",
            "add it to my todos", "add milk, bread and tea to my todo list", "todo",
            "set a reminder", "todo: купить молоко завтра", "todo: 明日牛乳を買う",
            "remind me to\nbuy milk", "delete my reminders", "what are reminders?",
            "what are the tasks?", "list my reminders and delete them",
            "how do I write a todo app?", "mark it as important in the task",
            "todo: " + String(repeating: "x ", count: 400),
        ]
        for message in messages {
            let intent = judge(message)
            XCTAssertFalse(intent.match.isComplete, message)
        }
    }

    func testListingInItsManyWords() {
        let messages: [(String, ReminderFilter.Span)] = [
            ("list my reminders", .open), ("what are my reminders?", .open), ("show todos", .open),
            ("Show me my todo list", .open), ("reminders", .open), ("my tasks", .open),
            ("what's on my todo list?", .open), ("do I have any reminders?", .open),
            ("what tasks do I have", .open), ("list all my reminders please", .open),
            ("can you list my to-dos?", .open), ("what's due today?", .today),
            ("show my reminders for today", .today), ("what do I have to do tomorrow?", .tomorrow),
            ("my tasks this week", .week), ("overdue reminders", .overdue),
            ("show my overdue tasks", .overdue), ("what's overdue?", .overdue),
            ("show completed reminders", .completed), ("what is due tomorrow", .tomorrow),
            ("zeig meine Aufgaben", .open),
        ]
        for (message, span) in messages {
            let intent = judge(message)
            guard case .list(let filter)? = intent.action else {
                XCTFail(message)
                continue
            }
            XCTAssertEqual(filter.span, span, message)
            XCTAssertEqual(filter.includesOverdue, span == .today, message)
            XCTAssertTrue(intent.match.isComplete, message)
        }
        for message in ["what's on tomorrow?", "what is today", "what's tomorrow", "today"] {
            XCTAssertNil(judge(message).action, message)
        }
    }

    func testActsNameWhatTheyAreAbout() {
        let expected: [(String, ReminderIntent.Action)] = [
            ("done: buy milk", .complete(title: "buy milk", isExact: false)),
            ("mark buy milk as done", .complete(title: "buy milk", isExact: false)),
            ("Done: the milk.", .complete(title: "milk", isExact: false)),
            ("complete buy milk", .complete(title: "buy milk", isExact: true)),
            ("buy milk is done", .complete(title: "buy milk", isExact: true)),
            ("snooze", .snooze(title: nil, phrase: nil)),
            ("snooze that for an hour", .snooze(title: nil, phrase: "an hour")),
            ("snooze 10 min", .snooze(title: nil, phrase: "10 min")),
            ("snooze it until tomorrow", .snooze(title: nil, phrase: "tomorrow")),
            ("snooze for 2 hours", .snooze(title: nil, phrase: "2 hours")),
            ("snooze call mom for 2 hours", .snooze(title: "call mom", phrase: "2 hours")),
            ("remind me again in 20 minutes", .snooze(title: nil, phrase: "20 minutes")),
            ("move the dentist to friday", .move(title: "dentist", phrase: "friday")),
            ("Move it to 4pm", .move(title: nil, phrase: "4pm")),
            ("postpone call mom by an hour", .postpone(title: "call mom", phrase: "an hour")),
            ("reschedule the talk to Ida to monday", .move(title: "talk to Ida", phrase: "monday")),
            ("rename call mom to call mum", .rename(title: "call mom", to: "call mum")),
            ("delete the reminder call mom", .delete(title: "call mom")),
            ("remove my reminder to call mom", .delete(title: "call mom")),
            ("reopen buy milk", .reopen(title: "buy milk")),
        ]
        for (message, action) in expected {
            let intent = judge(message)
            XCTAssertEqual(intent.action, action, message)
            XCTAssertTrue(intent.match.isComplete, message)
            XCTAssertGreaterThanOrEqual(
                intent.match.confidence, IntentRouter.completeThreshold, message)
        }
        for message in [
            "delete everything", "snooze buttons are great?", "move on", "I am done?",
            "is the milk done?",
        ] {
            XCTAssertNil(judge(message).action, message)
        }
    }

    func testConfidenceFollowsTheWords() {
        let expected: [(String, Double)] = [
            ("remind me about the thing", 0.9), ("is there a reminder for Bo", 0.6),
            ("which task is hardest", 0.6), ("what to do in Oslo", 0.6),
            ("a to-do for later", 0.6), ("tell me a joke", 0), ("", 0), ("   ", 0),
            ("tasking the remainder", 0), (String(repeating: "task ", count: 2000), 0),
        ]
        for (message, confidence) in expected {
            let match = judge(message).match
            XCTAssertEqual(match.confidence, confidence, message)
            XCTAssertFalse(match.isComplete, message)
        }
    }
}
