import AgentCore
import Base
import Foundation
import XCTest

@testable import ChatKit
@testable import Persistence
@testable import TerminalKit

final class ConversationViewTests: XCTestCase {
    private func stored(
        _ messages: [Message], _ status: Turn.Status = .done, isPartial: Bool = false
    ) -> StoredTurn {
        StoredTurn(
            id: TurnID(1), turn: Turn(status: status, messages: messages), provider: .claude,
            model: "m", started: Date(timeIntervalSince1970: 0), ended: nil, note: nil,
            isPartial: isPartial)
    }

    private func says(_ text: String, _ calls: [ToolCall] = []) -> Message {
        Message(role: .assistant, parts: [.text(text)] + calls.map(Part.toolCall))
    }

    private let call = ToolCall(id: "1", name: "list_reminders", arguments: #"{"all":true}"#)

    private let layout = ConversationView.Layout(size: ScreenSize(columns: 40, rows: 20))

    func testWhatASearchFoundIsShownInItsPlace() {
        let answer = (1...60).map { $0 == 30 ? "The **Color Line** leaves." : "line \($0)" }
        let turn = stored([
            Message(role: .user, parts: [.text("ferries?")]),
            says(answer.joined(separator: "\n\n")),
        ])
        let lines = ConversationView.place(
            [turn, turn], matches: ["Color", "leaves"], earlier: 6, later: 1, layout: layout
        ).map(\.text)
        XCTAssertEqual(
            lines,
            [
                "  … 7 earlier turns", "> ferries?", "  … 54 lines", "line 28", "", "line 29", "",
                "The Color Line leaves.", "", "line 31", "", "line 32", "", "line 33",
                "  … 54 lines", "  … 1 later turn; what you say comes after them",
            ])
        // A paragraph as long as the screen does not push it away.
        let long = stored([
            Message(role: .user, parts: [.text("ferries?")]),
            says("The Color Line leaves.\n\n" + String(repeating: "word ", count: 300)),
        ])
        XCTAssertEqual(
            ConversationView.place(
                [long], matches: ["Color"], earlier: 0, later: 0, layout: layout
            ).map(\.text), ["> ferries?", "The Color Line leaves.", "", "  … 1 line"])
        // A short one with what was said before; words that the formatting has
        // split are no harm.
        let short = stored([Message(role: .user, parts: [.text("a\nb")]), says("c")])
        XCTAssertEqual(
            ConversationView.place(
                [short, short], matches: ["none"], earlier: 0, later: 0, layout: layout
            ).map(\.text), ["> a", "b", "c", "", "> a", "b", "c"])
        // Of a message of mine that is shown in part, the part with the words.
        let mine = stored([
            Message(
                role: .user, parts: [.text((1...30).map { "mine \($0)" }.joined(separator: "\n"))])
        ])
        XCTAssertEqual(
            ConversationView.place(
                [mine], matches: ["mine 25"], earlier: 0, later: 0, layout: layout
            ).map(\.text),
            ["> mine 1", "  … 18 lines"] + (20...30).map { "mine \($0)" })
    }

    func testAResumedConversationLooksAsItDid() {
        let lines = ConversationView.recall(
            [
                stored(
                    [
                        Message(
                            role: .user,
                            parts: [.text("What\nis on?"), .text(.context("[now]"))]),
                        says("Let me see.", [call]), Message(role: .tool, parts: []),
                        says("**Two** things\u{1B}[2J."),
                    ], .interrupted, isPartial: true)
            ], earlier: 14, layout: layout)
        XCTAssertEqual(
            lines.map(\.text),
            [
                "  … 14 earlier turns", "> What", "is on?", "Let me see.",
                "  ⚙ list_reminders  all true", "Two things\\x1b[2J.", "  (interrupted here)",
            ])
        XCTAssertTrue(lines[5].spans[0].look.traits.contains(.bold))
        // What was said is found by its mark and its weight, in each of its lines.
        XCTAssertEqual(
            lines[1...2].map { $0.spans.last?.look.traits }, [.bold, .bold])
        XCTAssertEqual(
            ConversationView.recall(
                [stored([says("**Two**")])],
                layout: ConversationView.Layout(formats: false)
            ).map(\.text), ["**Two**"])
    }

    func testWhatWasDoneWithoutAModelLooksAsItDid() {
        var turn = stored([.user("call Bo at 5"), says("✓ call Bo · 17:00\n  *not* Markdown")])
        turn.turn.isLocal = true
        let lines = ConversationView.recall([turn], layout: layout)
        XCTAssertEqual(
            lines.map(\.text), ["> call Bo at 5", "  ✓ call Bo · 17:00", "    *not* Markdown"])
        XCTAssertEqual(lines[1].spans.map(\.look), [.init(.success)])
    }

    func testAsManyTurnsAreShownAsAScreenHasRoomFor() {
        let turn = stored([.user("Hi"), says("One line\n\nand another")])
        let lines = ConversationView.recall(
            Array(repeating: turn, count: 9), earlier: 3, layout: layout
        ).map(\.text)
        XCTAssertEqual(lines.first, "  … 9 earlier turns")
        XCTAssertEqual(lines.filter { $0 == "> Hi" }.count, 3)
        // A blank line sets them apart.
        XCTAssertEqual(lines.count, 1 + 3 * 4 + 2)
    }

    func testOfALongTurnTheEndIsShown() {
        let many = (1...40).map { "- item \($0)" }.joined(separator: "\n")
        let lines = ConversationView.recall(
            [stored([.user(many), says(many)])], layout: layout
        ).map(\.text)
        XCTAssertEqual(lines.first, "> - item 1")
        XCTAssertEqual(lines[1], "  … 32 lines")
        XCTAssertEqual(lines.last?.hasSuffix("item 40"), true)
        let essay = ConversationView.recall(
            [stored([.user("Go"), says(String(repeating: "x", count: 9_999))])], layout: layout)
        XCTAssertEqual(essay.map { PaintedLine($0).rows(columns: 40) }, [1, 14])
        XCTAssertEqual(essay.last?.text.last, "…")
    }

    func testProseOfResumedTurnsBreaksBetweenWords() {
        var layout = layout
        layout.wrap = .words
        let lines = ConversationView.recall(
            [
                stored([
                    .user("What should I pack for a week in the mountains?"),
                    says("- warm clothes, since the nights are **really quite** cold", [call]),
                ])
            ], layout: layout)
        XCTAssertEqual(
            lines.map(\.text),
            [
                "> What should I pack for a week in the", "mountains?",
                "• warm clothes, since the nights are", "  really quite cold",
                "  ⚙ list_reminders  all true",
            ])
        let bold = RichLine.Look(.text, .bold)
        XCTAssertEqual(
            lines[3].spans, [.init("  "), .init("really quite", bold), .init(" cold")])
        // The height is that of the rows.
        let essay = ConversationView.recall(
            [stored([.user("Go"), says(String(repeating: "several words ", count: 200))])],
            layout: layout)
        XCTAssertEqual(
            essay.map { PaintedLine($0).rows(columns: 40) }, Array(repeating: 1, count: 15))
        XCTAssertEqual(essay.last?.text.last, "…")
    }

    func testEveryEndIsMarked() {
        let table: [(Turn.Status, Bool, String?)] = [
            (.done, false, nil), (.open, false, nil), (.interrupted, true, "(interrupted here)"),
            (.interrupted, false, "(interrupted)"),
            (.truncated, false, "(cut off by the length limit)"),
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
