import AgentCore
import XCTest

@testable import ToolServers

/// What is done without a model, and above all what is not.
final class ReminderIntentTests: XCTestCase {
    func testCompleteWishesAreCarriedOutAsTyped() {
        let titles = [
            "remind me to buy milk": "buy milk",
            "Remind me to Buy Milk.": "Buy Milk",
            "please remind me to call Bo": "call Bo",
            "Could you please remind me to water the plants, please": "water the plants",
            "todo: buy milk": "buy milk",
            "TODO: buy Crème fraîche": "buy Crème fraîche",
            "to-do: read the paper": "read the paper",
            "task: file taxes": "file taxes",
            "add a task to call Bo": "call Bo",
            "add a reminder to pay rent": "pay rent",
            "create a reminder to feed the cat": "feed the cat",
            "add milk to my todo list": "milk",
            "put bread on my to-do list": "bread",
            "new task: tidy the desk": "tidy the desk",
            "remind me that Ida is allergic to nuts": "Ida is allergic to nuts",
        ]
        for (message, title) in titles {
            let intent = ReminderIntent.judge(message)
            XCTAssertEqual(intent.action, .create(title: title), message)
            XCTAssertTrue(intent.match.isComplete, message)
            XCTAssertEqual(intent.match.confidence, 0.9, message)
            XCTAssertEqual(intent.match.suggestedTools, ["create_reminder"], message)
            XCTAssertNil(intent.match.missing, message)
        }
    }

    func testAnythingLikeADateIsNeverStoredWithoutIt() {
        let phrases = [
            "call mom tomorrow", "call mom tommorow", "call mom tomorow at noon", "call mom at 5",
            "call mom at 5pm", "call mom 17:00", "call mom in 2 hours", "call mom in two hours",
            "call mom in an hour", "pay rent on the 3rd", "pay rent on the third",
            "stand up every day", "stand up daily", "call Bo on Friday", "call Bo on firday",
            "call Bo wendesday", "call Bo next week", "ring Ida in March", "ring Ida mar 5",
            "file taxes by 22.11.", "file taxes before lunch", "take out bins tonight",
            "take pills each morning", "take pills mornings", "swim on weekends", "buy 12 eggs",
            "leave when I get home", "leave if it rains", "leave later", "leave soon",
            "call Bo at one", "call Bo after the meeting", "call Bo until he answers",
            "send Friday's report", "read it this evening", "leave half past seven",
            "leave at quarter to ten", "ring mama morgen", "llamar a mamá mañana",
            "book it for the weekend", "2moro call Bo", "call Bo Sat.", "call Bo (monday)",
            "call Bo mon-fri", "call Bo eod", "renew card end of month", "celebrate new year",
            "call Bo once a week", "call Bo twice", "meet on my birthday", "pay by deadline",
        ]
        for phrase in phrases {
            for lead in ["remind me to ", "todo: ", "add a task to ", "Please remind me to "] {
                let intent = ReminderIntent.judge(lead + phrase)
                XCTAssertNil(intent.action, lead + phrase)
                XCTAssertFalse(intent.match.isComplete, lead + phrase)
                XCTAssertGreaterThanOrEqual(intent.match.confidence, 0.6, lead + phrase)
            }
            let missing = ReminderIntent.judge("remind me to " + phrase).match.missing
            XCTAssertEqual(missing?.hasPrefix("Not stored: "), true, phrase)
            XCTAssertEqual(
                missing?.hasSuffix("chat reminders add TITLE --due 2026-11-22T09:00"), true, phrase)
        }
    }

    func testMoreThanOnePlainWishGoesToTheModel() {
        let messages = [
            "remind me to buy milk and tell me a joke", "remind me to buy milk. Then write a poem",
            "remind me to buy milk with high priority", "remind me to buy milk #home",
            "remind me to buy milk?", "remind me what the ferry was called",
            "remind me about the plot of Hamlet", "remind me of it", "remind me",
            "add a task to the board", "add it to my todos",
            "add milk, bread and tea to my todo list", "todo", "set a reminder",
            "todo: купить молоко завтра", "todo: 明日牛乳を買う", "remind me to\nbuy milk",
            "delete my reminders", "what are reminders?", "what are the tasks?",
            "list my reminders and delete them", "show completed reminders",
            "how do I write a todo app?", "mark it as important in the task",
            "todo: " + String(repeating: "x ", count: 400),
        ]
        for message in messages {
            let intent = ReminderIntent.judge(message)
            XCTAssertNil(intent.action, message)
            XCTAssertFalse(intent.match.isComplete, message)
        }
    }

    func testListingInItsManyWords() {
        let messages = [
            "list my reminders", "what are my reminders?", "show todos", "show my tasks",
            "Show me my todo list", "reminders", "my tasks", "what's on my todo list?",
            "do I have any reminders?", "what tasks do I have", "list all my reminders please",
            "please show my reminders", "can you list my to-dos?",
        ]
        for message in messages {
            let intent = ReminderIntent.judge(message)
            XCTAssertEqual(intent.action, .list, message)
            XCTAssertTrue(intent.match.isComplete, message)
        }
    }

    func testCompletionNamesItsTitle() {
        for message in [
            "done: buy milk", "complete buy milk", "mark buy milk as done", "Done: buy milk.",
        ] {
            XCTAssertEqual(
                ReminderIntent.judge(message).action, .complete(title: "buy milk"), message)
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
            let match = ReminderIntent.judge(message).match
            XCTAssertEqual(match.confidence, confidence, message)
            XCTAssertFalse(match.isComplete, message)
        }
    }
}
