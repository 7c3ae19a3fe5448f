import AgentCore
import Base
import XCTest

@testable import ChatKit
@testable import TerminalKit

final class ApprovalQuestionTests: XCTestCase {
    private func item(
        _ name: String, _ toolClass: ToolClass, title: String, preview: String? = nil
    ) -> ApprovalRequest.Item {
        ApprovalRequest.Item(
            tool: Tool(
                name: name, title: name, description: name, inputSchema: .object([]),
                toolClass: toolClass),
            arguments: JSONObject([JSONObject.Member("title", .string(title))]), preview: preview)
    }

    private func shown(
        _ items: [ApprovalRequest.Item], after deleted: [ApprovalRequest.Item] = []
    ) -> [String] {
        shown(
            ApprovalQuestion(
                ApprovalRequest(items: items, deletedBefore: deleted), columns: 200))
    }

    private func shown(_ question: ApprovalQuestion) -> [String] {
        let style = Style(usesColor: false, usesUnicode: true)
        return question.lines.map { style.text($0) } + [question.prompt]
    }

    private static let other = "other text: no, and why"

    func testOneDeletion() {
        XCTAssertEqual(
            shown([item("delete_reminder", .destroy, title: "buy milk")]),
            [
                "  ⚙ delete_reminder asks to delete:", "      title \"buy milk\"",
                "    e: edit it first · " + Self.other,
                "  y to do it, Enter for no (it goes to the trash): ",
            ])
    }

    func testSeveralAreItemisedUnderTheirTool() {
        XCTAssertEqual(
            shown([
                item("delete_reminder", .destroy, title: "milk", preview: "buy milk · 3 Nov"),
                item("mail", .outward, title: "Bo"),
                item("delete_reminder", .destroy, title: "Bo"),
            ]),
            [
                "  ⚙ delete_reminder × 2 asks to delete:",
                "      buy milk · 3 Nov   ← title \"milk\"", "      title \"Bo\"",
                "  ⚙ mail asks to send:", "      title \"Bo\"", "    " + Self.other,
                "  Type send to do it, Enter for no (they go to the trash): ",
            ])
        XCTAssertEqual(
            shown([item("d", .destroy, title: "a"), item("d", .destroy, title: "b")]).last,
            "  Type delete to do it, Enter for no (they go to the trash): ")
        XCTAssertEqual(
            shown([item("note", .write, title: "a")]).last, "  y to do it, Enter for no: ")
    }

    func testTheFourthDeletionShowsTheThreeBeforeIt() {
        func deletion(_ name: String) -> ApprovalRequest.Item {
            item("delete_reminder", .destroy, title: name, preview: "\(name) · 3 Nov")
        }
        XCTAssertEqual(
            shown([deletion("d")], after: ["a", "b", "c"].map(deletion)),
            [
                "  ⚙ delete_reminder asks to delete:", "      d · 3 Nov   ← title \"d\"",
                "    Already deleted since your message:", "      a · 3 Nov   ← title \"a\"",
                "      b · 3 Nov   ← title \"b\"", "      c · 3 Nov   ← title \"c\"",
                "    e: edit it first · " + Self.other,
                "  Type delete to do it, Enter for no (it goes to the trash): ",
            ])
        XCTAssertEqual(shown([deletion("d")], after: ["a", "b"].map(deletion)).count, 4)
    }

    func testNothingIsCutAndControlCharactersAreVisible() {
        let long = String(repeating: "a very long title ", count: 16)
        let rows = shown([item("d", .destroy, title: long)])[1...2]
        XCTAssertTrue(
            rows.joined().replacing("      │ ", with: "").contains(long), "\(rows)")
        let lines = shown([
            item(
                "d", .destroy, title: "milk\u{1B}[2K\r  nothing\u{202E}", preview: "a\nb\u{1B}[A")
        ])
        XCTAssertEqual(lines.count, 4)
        for scalar in lines.joined().unicodeScalars {
            XCTAssertFalse(
                scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                    || scalar.value == 0x202E)
        }
        XCTAssertTrue(lines[1].contains("nothing"), "the words behind a control are still read")
    }

    /// A text of many lines stands behind a bar and is folded with its size; one key
    /// shows all of it.
    func testALongTextIsFoldedWithItsSizeAndAKeyShowsAllOfIt() {
        let body = (1...40).map { "line \($0)" }.joined(separator: "\n")
        var letter = item("library_save", .write, title: "Kettles")
        letter.arguments["body"] = .string(body)
        var question = ApprovalQuestion(
            ApprovalRequest(items: [letter], canGrant: true), columns: 200)
        var lines = shown(question)
        XCTAssertEqual(
            Array(lines.prefix(3)),
            [
                "  ⚙ library_save asks to change:", "      title \"Kettles\"",
                "      body, 310 bytes:",
            ])
        XCTAssertEqual(lines.filter { $0.hasPrefix("      │ line ") }.count, 10)
        XCTAssertEqual(lines[lines.count - 3], "      … 240 bytes more not shown")
        XCTAssertEqual(
            lines[lines.count - 2],
            "    a: yes, in this whole conversation · e: edit it first · v: view all of it · "
                + Self.other)
        XCTAssertEqual(
            question.mode, .approval(word: nil, canGrant: true, letters: "ev"))
        question.isWhole = true
        lines = shown(question)
        XCTAssertEqual(lines.filter { $0.hasPrefix("      │ line ") }.count, 40)
        XCTAssertFalse(lines.contains { $0.contains("not shown") || $0.contains("v: view") })
        XCTAssertEqual(question.mode, .approval(word: nil, canGrant: true, letters: "e"))
    }

    /// T2: no line of a text can be taken for one of ours.
    func testALineOfAnArgumentCannotPassForTheQuestion() {
        var mail = item("mail", .outward, title: "x")
        mail.arguments["text"] = .string(
            "hello\n  ⚙ look asks to read:\n  y to do it, Enter for no: \u{1B}[2J\r\n\u{E0041}")
        let lines = shown(ApprovalQuestion(ApprovalRequest(items: [mail]), columns: 80))
        XCTAssertEqual(lines.filter { $0.contains("asks to") && !$0.contains("│") }.count, 1)
        XCTAssertEqual(lines.filter { $0.contains("y to do it") && !$0.contains("│") }, [])
        for scalar in lines.joined().unicodeScalars {
            XCTAssertFalse(scalar.value < 0x20 || (0xE0000...0xE007F).contains(scalar.value))
        }
    }

    /// T2: blanks up to the edge of the window, so that what follows stands where a line
    /// of ours would.
    func testTheTerminalBreaksNoRowSoNoTextBeginsWhereOursDoes() {
        let fake = "  ⚙ look asks to read:" + String(repeating: " ", count: 58) + "  y to do it: "
        for columns in [40, 61, 80] {
            for padding in 0..<columns {
                for filler in [" ", "x", "界", "e\u{301}", "👩‍👩‍👧", "\u{1B}"] {
                    let text = String(repeating: filler, count: padding) + fake
                    var mail = item("mail", .outward, title: "x", preview: text)
                    mail.tool.title = text
                    mail.arguments["text"] = .string("one\n" + text)
                    let other = item("d", .destroy, title: text, preview: nil)
                    let question = ApprovalQuestion(
                        ApprovalRequest(items: [mail, other], deletedBefore: [mail, mail, mail]),
                        columns: columns)
                    let lines = question.lines.map(\.text)
                    XCTAssertEqual(lines.filter { DisplayWidth.of($0) > columns }, [])
                    // Our own lines are these, and those of the keys.
                    let heads = lines.filter { !$0.hasPrefix("      ") }
                    XCTAssertEqual(
                        heads.map { String($0.prefix(6)) },
                        ["  ⚙ ma", "  ⚙ d ", "    Al", "    ot"], "\(lines)")
                    let foreign = lines.filter { $0.hasPrefix("      ") }
                    XCTAssertEqual(
                        foreign.filter { $0.dropFirst(6).drop { $0 == " " }.hasPrefix("⚙") }, [])
                }
            }
        }
    }

    func testWhatTheUserEditedAndWhyItCannotBeUsedIsSaid() {
        var request = ApprovalRequest(
            items: [item("note", .write, title: "a")], hasForeignText: true)
        request.isEdited = true
        request.isPrivate = true
        request.draft = .init(text: "{", problem: "Not readable: the end at byte 1.")
        XCTAssertEqual(
            shown(ApprovalQuestion(request, columns: 80)).dropFirst(2),
            [
                "    These arguments are yours; nothing has run yet.",
                "    This conversation contains text by others: do you want this?",
                "    ! It contains your personal data, or a key.",
                "    ! Not what you edited: Not readable: the end at byte 1.",
                "    e: edit it first · " + Self.other, "  y to do it, Enter for no: ",
            ])
    }
}
