import Base
import TestSupport
import XCTest

@testable import TerminalKit

/// Whole screens with the list below the line, at three widths.
final class CompletionListViewTests: XCTestCase {
    private static let commands: [TabCompletion.Candidate] = [
        .init("/resume", usage: "[TITLE|ID]", detail: "go back to another conversation"),
        .init("/rename", usage: "TITLE", detail: "give this conversation another title"),
        .init(
            "/reminders", usage: "add|list|done|edit|snooze|delete|search|parse",
            detail: "add, list and complete reminders"),
        .init("/retry", usage: "[MODEL]", detail: "get another answer to the last message"),
        .init("/record", usage: "[list] …", detail: "speak the message (also Alt-r)"),
        .init("/redact", usage: "[on|off]", detail: "keep personal data out of what is sent"),
        .init("/raw", detail: "the last answer as Markdown"),
        .init("/rewrite", usage: "[last|ITEM|FILE] …", detail: "rewrite it more clearly"),
        .init("/role", usage: "[NAME|none]", detail: "a named system text"),
        .init("/evil", detail: "\u{1B}[2J from a server \u{202E}of others"),
    ]
    private static let names: [TabCompletion.Candidate] = [
        .init("@src/", label: "src/", isComplete: false),
        .init("@日本語の勉強を毎日続けるための長い計画.md", label: "日本語の勉強を毎日続けるための長い計画.md"),
        .init("@i1", label: "i1", detail: "Tea cups"), .init("@notes.md", label: "notes.md"),
    ]

    private func screen(
        _ candidates: [TabCompletion.Candidate], _ text: String, columns: Int, rows: Int = 13,
        keys: [Key] = [], style: Style = Style(usesColor: true, usesUnicode: true)
    ) throws -> String {
        let offer = CompletionOffer(
            replacing: text, candidates: candidates, suggestsFirst: text.hasPrefix("/"))
        let rig = try EditorRig(rows: rows, columns: columns) { _, _ in offer }
        rig.editor.style = style
        var shown = ""
        rig.onEnd = { [unowned rig] _ in
            shown = rig.screen.text
            shown += "\n(cursor \(rig.screen.cursor.row), \(rig.screen.cursor.column))\n"
        }
        let typed = text.unicodeScalars.map { EditorRig.Step.key(.character($0)) }
        _ = rig.run(typed + [.pause] + keys.map { .key($0) })
        XCTAssertEqual(rig.screen.unknown, [])
        XCTAssertEqual(rig.screen.lines, ["> " + text], "nothing is left below")
        XCTAssertEqual(rig.screen.cursor.row, 1)
        return shown
    }

    func testScreensAtThreeWidths() throws {
        var text = ""
        for columns in [40, 80, 200] {
            text += "== \(columns) columns\n"
            text += try screen(Self.commands, "/re", columns: columns)
            text += "-- the last\n"
            text += try screen(
                Self.commands, "/re", columns: columns, keys: [.up])
            text += "-- names\n"
            text += try screen(Self.names, "@", columns: columns, keys: [.down, .down])
        }
        text += "== 40 columns, ASCII\n"
        text += try screen(
            Self.commands, "/re", columns: 40, style: Style(usesColor: false, usesUnicode: false))
        for rows in [10, 24] {
            text += "== 80 columns, \(rows) rows\n"
            text += try screen(Self.commands + Self.commands, "/re", columns: 80, rows: rows)
        }
        try GoldenFile.check(text, "completion-list.txt")
    }

    func testNoRowReachesTheLastColumn() throws {
        for columns in 20...60 {
            for usesUnicode in [true, false] {
                let shown = try screen(
                    Self.commands + Self.names, "/re", columns: columns, keys: [.up],
                    style: Style(usesColor: false, usesUnicode: usesUnicode))
                for line in shown.split(separator: "\n").dropFirst() {
                    XCTAssertLessThan(DisplayWidth.of(String(line)), columns, "\(line)")
                }
            }
        }
    }

    func testASmallWindowHasNoList() throws {
        XCTAssertEqual(
            try screen(Self.commands, "/re", columns: 80, rows: 9), "> /re\n(cursor 0, 5)\n")
        XCTAssertEqual(
            try screen(Self.commands, "/re", columns: 19), "> /re\n(cursor 0, 5)\n")
    }
}
