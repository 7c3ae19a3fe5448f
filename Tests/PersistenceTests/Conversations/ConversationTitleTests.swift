import AgentCore
import XCTest

@testable import Persistence

final class ConversationTitleTests: XCTestCase {
    func testTheTitleIsTheFirstLineThatSaysSomething() {
        XCTAssertEqual(
            ConversationTitle.make(from: "\n  \r\n  Trip\t to   Oslo \nmore"), "Trip to Oslo")
        XCTAssertEqual(ConversationTitle.make(from: ""), "")
        XCTAssertEqual(ConversationTitle.make(from: " \n\t\u{2028} \0"), "")
    }

    func testALongLineIsCutBetweenWords() {
        let exact = String(repeating: "a", count: 60)
        XCTAssertEqual(ConversationTitle.make(from: exact), exact)
        XCTAssertEqual(
            ConversationTitle.make(from: exact + "b"), String(repeating: "a", count: 59) + "…")
        XCTAssertEqual(
            ConversationTitle.make(
                from: "please write a long letter to the people of the town council about it"),
            "please write a long letter to the people of the town…")
        let boundary = String(repeating: "a", count: 59)
        XCTAssertEqual(ConversationTitle.make(from: boundary + " and more"), boundary + "…")
    }

    func testCharactersAreCountedAsPeopleCountThem() {
        let family = String(repeating: "👩‍👩‍👧‍👦", count: 60)
        XCTAssertEqual(ConversationTitle.make(from: family), family)
        XCTAssertEqual(ConversationTitle.make(from: family + family).count, 60)
    }

    func testTheFirstTextOfAMessageCountsAndAFileNameWhereThereIsNone() {
        let file = Part.attachment(Attachment(name: "plan.pdf", mediaType: "a/b", bytes: []))
        XCTAssertEqual(
            ConversationTitle.make(
                from: Message(role: .user, parts: [file, .text("read it"), .text("Sat 9:00")])),
            "read it")
        XCTAssertEqual(
            ConversationTitle.make(from: Message(role: .user, parts: [file, .text(" ")])),
            "plan.pdf")
        XCTAssertEqual(ConversationTitle.make(from: Message(role: .user, parts: [])), "")
    }
}
