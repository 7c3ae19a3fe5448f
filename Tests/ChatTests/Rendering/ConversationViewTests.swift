import AgentCore
import Foundation
import XCTest

@testable import Persistence
@testable import chat

final class ConversationViewTests: XCTestCase {
    private func stored(
        _ messages: [Message], _ status: Turn.Status = .done, isPartial: Bool = false
    ) -> StoredTurn {
        StoredTurn(
            id: TurnID(1), turn: Turn(status: status, messages: messages), provider: .claude,
            model: "m", started: Date(timeIntervalSince1970: 0), ended: nil, note: nil,
            isPartial: isPartial, unreadableParts: 0)
    }

    private func says(_ text: String, _ calls: [ToolCall] = []) -> Message {
        Message(role: .assistant, parts: [.text(text)] + calls.map(Part.toolCall))
    }

    private let call = ToolCall(id: "1", name: "list_reminders", arguments: #"{"all":true}"#)

    func testTheReminderOfWhereAConversationStood() {
        let lines = ConversationView.recall([
            stored([
                Message(role: .user, parts: [.text("What is on?"), .text(.context("[now]"))]),
                says("Let me see.", [call]), Message(role: .tool, parts: []), says("Two\nthings."),
            ])
        ]).map(\.text)
        XCTAssertEqual(
            lines,
            [
                "  you  What is on?", "  ·    Let me see.", "       ⚙ list_reminders",
                "  ·    Two", "       things.",
            ])
    }

    func testLongMessagesAreCutAndSaySo() {
        let many = (1...20).map { "line \($0)" }.joined(separator: "\n")
        let lines = ConversationView.recall([stored([.user(many)])]).map(\.text)
        XCTAssertEqual(lines.count, 7)
        XCTAssertEqual(lines.last, "       … 14 more lines")
        let essay = ConversationView.recall([stored([says(String(repeating: "x", count: 9_999))])])
        XCTAssertEqual(essay.map(\.text.count), [7 + 600 + 1])
        XCTAssertEqual(essay.last?.text.last, "…")
    }

    func testEveryEndIsMarked() {
        let table: [(Turn.Status, Bool, String?)] = [
            (.done, false, nil), (.open, false, nil), (.interrupted, true, "(interrupted here)"),
            (.interrupted, false, "(interrupted)"),
            (.truncated, false, "(cut by the length limit)"),
            (.refused, false, "(declined)"), (.failed, true, "(the answer broke off here)"),
            (.failed, false, "(no answer: it failed)"),
        ]
        for (status, isPartial, mark) in table {
            XCTAssertEqual(ConversationView.mark(stored([], status, isPartial: isPartial)), mark)
        }
    }

    func testTheWholeConversation() {
        let lines = ConversationView.whole([
            stored(
                [.user("One\ntwo"), says("Answer\n\nend", [call])], .interrupted, isPartial: true)
        ]).map(\.text)
        XCTAssertEqual(
            lines,
            [
                "> One", "two", "Answer", "", "end", "⚙ list_reminders  all true",
                "(interrupted here)", "",
            ])
    }
}
