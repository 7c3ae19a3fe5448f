import AgentCore
import XCTest

@testable import ToolServers

final class ReminderMatcherTests: XCTestCase {
    private let milk = Reminder(uid: "aaaa1111-0", title: "milk")
    private let buyMilk = Reminder(uid: "aaaa2222-0", title: "Buy milk", notes: "the oat kind")
    private let creme = Reminder(uid: "cafe3333-0", title: "Crème brûlée")
    private let cafe = Reminder(uid: "bbbb4444-0", title: "cafe with Bo")
    private var all: [Reminder] { [milk, buyMilk, creme, cafe] }

    private func match(_ query: String) -> ReminderMatcher.Match {
        ReminderMatcher.match(query, in: all)
    }

    func testTitlePartAndID() {
        XCTAssertEqual(match("MILK"), .one(milk))
        XCTAssertEqual(match("buy  milk"), .one(buyMilk))
        XCTAssertEqual(match("buy"), .one(buyMilk))
        XCTAssertEqual(match("creme"), .one(creme))
        XCTAssertEqual(match("aaaa2222"), .one(buyMilk))
        XCTAssertEqual(match("AAAA2222-0"), .one(buyMilk))
        XCTAssertEqual(match("bbbb"), .one(cafe))
        XCTAssertEqual(match("nothing"), .none)
        XCTAssertEqual(match("  "), .none)
        XCTAssertEqual(match("bbb"), .none)
    }

    func testWhatFitsTwoIsNeverChosen() {
        XCTAssertEqual(match("mil"), .several([milk, buyMilk]))
        XCTAssertEqual(match("aaaa"), .several([milk, buyMilk]))
        // An id and a title can both be meant.
        XCTAssertEqual(match("cafe"), .several([creme, cafe]))
        var twin = milk
        twin.uid = "twin"
        XCTAssertEqual(ReminderMatcher.match("milk", in: [milk, twin]), .several([milk, twin]))
    }

    func testSearchLooksInTitleAndNotes() {
        XCTAssertEqual(ReminderMatcher.search("OAT", in: all), [buyMilk])
        XCTAssertEqual(ReminderMatcher.search("brulee", in: all), [creme])
        XCTAssertEqual(ReminderMatcher.search("", in: all), [])
    }

    func testShortIDsAreUniqueStarts() {
        let reminders = ["12345678-a", "12345678-b", "abcdefgh-c", "x"].map {
            Reminder(uid: $0, title: "t")
        }
        let ids = ReminderMatcher.shortIDs(reminders)
        XCTAssertEqual(
            ids,
            [
                "12345678-a": "12345678-a", "12345678-b": "12345678-b", "abcdefgh-c": "abcdefgh",
                "x": "x",
            ])
        for reminder in reminders where reminder.uid != "x" {
            XCTAssertEqual(
                ReminderMatcher.match(ids[reminder.uid] ?? "", in: reminders), .one(reminder))
        }
    }
}
