import AgentCore
import XCTest

@testable import chat
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
        let style = Style(usesColor: false, usesUnicode: true)
        let request = ApprovalRequest(items: items, deletedBefore: deleted)
        return ApprovalQuestion.lines(request).map { style.text($0) }
            + [ApprovalQuestion.prompt(request)]
    }

    func testOneDeletion() {
        XCTAssertEqual(
            shown([item("delete_reminder", .destroy, title: "buy milk")]),
            [
                "  ⚙ delete_reminder asks to delete:", "      title \"buy milk\"",
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
                "  ⚙ mail asks to send:", "      title \"Bo\"",
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
                "  Type delete to do it, Enter for no (it goes to the trash): ",
            ])
        XCTAssertEqual(shown([deletion("d")], after: ["a", "b"].map(deletion)).count, 3)
    }

    func testNothingIsCutAndControlCharactersAreVisible() {
        let long = String(repeating: "a very long title ", count: 500)
        XCTAssertTrue(shown([item("d", .destroy, title: long)])[1].contains(long))
        let lines = shown([
            item(
                "d", .destroy, title: "milk\u{1B}[2K\r  nothing\u{202E}", preview: "a\nb\u{1B}[A")
        ])
        XCTAssertEqual(lines.count, 3)
        for scalar in lines.joined().unicodeScalars {
            XCTAssertFalse(
                scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                    || scalar.value == 0x202E)
        }
        XCTAssertTrue(lines[1].contains("nothing"), "the words behind a control are still read")
    }
}
