import XCTest

@testable import CalendarFiles
@testable import Planner

final class ReminderMatcherTests: XCTestCase {
    private let milk = Reminder(uid: "aaaa1111-0", title: "milk")
    private let buyMilk = {
        var reminder = Reminder(uid: "aaaa2222-0", title: "Buy milk")
        reminder.notes = "the oat kind"
        return reminder
    }()
    private let creme = Reminder(uid: "cafe3333-0", title: "Crème brûlée")
    private let cafe = Reminder(uid: "bbbb4444-0", title: "cafe with Bo")
    private var all: [Reminder] { [milk, buyMilk, creme, cafe] }

    private func match(_ query: String) -> [Reminder] {
        Reminder.named(query, in: all)
    }

    func testTitlePartAndID() {
        XCTAssertEqual(match("MILK"), [milk])
        XCTAssertEqual(match("buy  milk"), [buyMilk])
        XCTAssertEqual(match("buy"), [buyMilk])
        XCTAssertEqual(match("creme"), [creme])
        XCTAssertEqual(match("aaaa2222"), [buyMilk])
        XCTAssertEqual(match("AAAA2222-0"), [buyMilk])
        XCTAssertEqual(match("bbbb"), [cafe])
        XCTAssertEqual(match("nothing"), [])
        XCTAssertEqual(match("  "), [])
        XCTAssertEqual(match("bbb"), [])
    }

    func testWhatFitsTwoIsNeverChosen() {
        XCTAssertEqual(match("mil"), [milk, buyMilk])
        XCTAssertEqual(match("aaaa"), [milk, buyMilk])
        // An id and a title can both be meant.
        XCTAssertEqual(match("cafe"), [creme, cafe])
        var twin = milk
        twin.uid = "twin"
        XCTAssertEqual(Reminder.named("milk", in: [milk, twin]), [milk, twin])
    }

    func testSearchLooksInTitleAndNotes() {
        XCTAssertEqual(ItemMatcher.search("OAT", in: all), [buyMilk])
        XCTAssertEqual(ItemMatcher.search("brulee", in: all), [creme])
        XCTAssertEqual(ItemMatcher.search("", in: all), [])
    }

    func testShortIDsAreUniqueStarts() {
        let reminders = ["12345678-a", "12345678-b", "abcdefgh-c", "x"].map {
            Reminder(uid: $0, title: "t")
        }
        let ids = ItemIDs(reminders)
        XCTAssertEqual(
            reminders.map { ids[$0] }, ["12345678-a", "12345678-b", "abcdefgh", "x"])
        for reminder in reminders where reminder.uid != "x" {
            XCTAssertEqual(
                Reminder.named(ids[reminder], in: reminders), [reminder])
        }
    }
}
