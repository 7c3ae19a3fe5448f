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
                "  1 deletion · y to do it, Enter for no (it goes to the trash): ",
            ])
    }

    func testACallWithoutArgumentsSaysSo() {
        var call = item("news__refresh", .outward, title: "")
        call.arguments = JSONObject()
        XCTAssertEqual(shown([call])[1], "      no arguments")
    }

    /// The worst first, whatever the order of the calls.
    func testSeveralAreItemisedUnderTheirToolAndCounted() {
        XCTAssertEqual(
            shown([
                item("note", .write, title: "Bo"),
                item("delete_reminder", .destroy, title: "milk", preview: "buy milk · 3 Nov"),
                item("note", .write, title: "Ida"),
                item("delete_reminder", .destroy, title: "Bo"),
            ]),
            [
                "  ⚙ delete_reminder × 2 asks to delete:",
                "      buy milk · 3 Nov   ← title \"milk\"", "      title \"Bo\"",
                "  ⚙ note × 2 asks to change:", "      title \"Bo\"", "      title \"Ida\"",
                "    " + Self.other,
                "  2 deletions, 2 changes · Type delete to do it, Enter for no "
                    + "(what is deleted goes to the trash): ",
            ])
        XCTAssertEqual(
            shown([item("d", .destroy, title: "a"), item("d", .destroy, title: "b")]).last,
            "  2 deletions · Type delete to do it, Enter for no (they go to the trash): ")
        XCTAssertEqual(
            shown([item("note", .write, title: "a")]).last,
            "  1 change · y to do it, Enter for no: ")
        XCTAssertEqual(
            shown([item("note", .write, title: "a"), item("note", .write, title: "b")]).last,
            "  2 changes · Type change to do it, Enter for no: ")
        XCTAssertEqual(
            shown([item("mail", .outward, title: "a")]).last,
            "  1 sending · Type send to do it, Enter for no: ")
    }

    /// One tool whose calls do different things, and what it overwrites is in no trash.
    func testTheEffectsAreNamedAndCountedNotTheTool() {
        func undo(_ kinds: CallEffect.Kind...) -> ApprovalRequest.Item {
            var item = item("undo_change", .destroy, title: "x")
            item.effects = kinds.enumerated().map {
                CallEffect($1, "edit_reminder", JSONObject(), subject: "\($0)")
            }
            return item
        }
        let lines = shown([undo(.addition), undo(.deletion), undo(.overwrite, .overwrite)])
        XCTAssertEqual(
            lines.filter { $0.contains("⚙") },
            [
                "  ⚙ undo_change asks to delete:", "  ⚙ undo_change asks to overwrite:",
                "  ⚙ undo_change asks to change:",
            ])
        XCTAssertEqual(
            lines.last,
            "  1 deletion, 2 overwrites, 1 addition · Type delete to do it, Enter for no: ")
    }

    /// A deletion and twenty additions in a window of 80×24.
    func testWhatIsLongerThanTheWindowHasPagesAndTheWorstIsOnTheFirst() {
        var additions = (1...20).map { item("create_reminder", .write, title: "item \($0)") }
        for index in additions.indices {
            additions[index].effects = [CallEffect(.addition, "create_reminder", JSONObject())]
        }
        let request = ApprovalRequest(
            items: additions + [item("delete_reminder", .destroy, title: "mine")])
        let question = ApprovalQuestion(request, columns: 80, rows: 24)
        let pages = question.pages.map { $0.map(\.text) }
        XCTAssertEqual(pages.flatMap(\.self), question.lines.map(\.text))
        XCTAssertEqual(pages.count, 2)
        XCTAssertEqual(
            Array(pages[0].prefix(2)),
            ["  ⚙ delete_reminder asks to delete:", "      title \"mine\""])
        for page in pages { XCTAssertLessThanOrEqual(page.count, 21) }
        XCTAssertEqual(
            question.prompt(ofPage: 1, of: 2),
            "  1 deletion, 20 additions · page 1 of 2 · Space for the next, Enter for no: ")
        XCTAssertTrue(question.prompt.hasPrefix("  1 deletion, 20 additions · Type delete"))
        XCTAssertEqual(ApprovalQuestion(request, columns: 80, rows: 60).pages.count, 1)
    }

    /// All of it is behind pages instead.
    func testWhatDeletesOrSendsIsNeverFolded() {
        let body = (1...60).map { "line \($0)" }.joined(separator: "\n")
        for (toolClass, isFolded) in [
            (ToolClass.outward, false), (.destroy, false), (.write, true),
        ] {
            var call = item("x", toolClass, title: "a", preview: body)
            call.arguments["body"] = .string(body)
            let question = ApprovalQuestion(ApprovalRequest(items: [call]), columns: 80, rows: 24)
            XCTAssertEqual(question.isFolded, isFolded)
            let lines = question.lines.map(\.text)
            XCTAssertEqual(lines.contains { $0.hasSuffix("│ line 60") }, !isFolded)
            XCTAssertEqual(lines.contains { $0.contains("not shown") }, isFolded)
            XCTAssertEqual(question.pages.count > 2, !isFolded)
        }
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
                "  1 deletion · Type delete to do it, Enter for no (it goes to the trash): ",
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
        XCTAssertEqual(question.mode, .approval(word: nil, canGrant: true, letters: "ev"))
    }

    /// T2: no line of a text can be taken for one of ours.
    func testALineOfAnArgumentCannotPassForTheQuestion() {
        var mail = item("mail", .outward, title: "x")
        mail.arguments["text"] = .string(
            "hello\n  ⚙ look asks to read:\n  1 read · y to do it, Enter for no: \u{1B}[2J\r\n\u{E0041}"
        )
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
                    var gone = mail
                    gone.effects = other.effects
                    let question = ApprovalQuestion(
                        ApprovalRequest(items: [mail, other], deletedBefore: [gone, gone, gone]),
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
            items: [item("note", .write, title: "a")], hasUntrustedText: true)
        request.isEdited = true
        request.isPrivate = true
        request.draft = .init(text: "{", problem: "Not readable: the end at byte 1.")
        XCTAssertEqual(
            shown(ApprovalQuestion(request, columns: 80)).dropFirst(2),
            [
                "    These arguments are yours; nothing has run yet.",
                "    This conversation contains untrusted text: do you want this?",
                "    ! It contains your personal data, or a key.",
                "    ! Not what you edited: Not readable: the end at byte 1.",
                "    e: edit it first · " + Self.other, "  1 change · y to do it, Enter for no: ",
            ])
    }
}
