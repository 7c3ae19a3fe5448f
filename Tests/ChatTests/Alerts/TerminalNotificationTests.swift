import XCTest

@testable import ChatKit

/// Which terminal gets which sequence, and that nothing foreign steers it.
final class TerminalNotificationTests: XCTestCase {
    private func text(_ variables: [String: String], _ title: String = "tea") -> String {
        String(
            decoding: TerminalNotification(variables: variables).bytes(
                title: title, text: "14:00"), as: UTF8.self)
    }

    func testEachKnownTerminalGetsItsOwnSequenceAndOthersNone() {
        let table: [([String: String], String)] = [
            (
                ["TERM": "xterm-kitty"],
                "\u{1B}]99;i=chat:d=0:p=title;tea\u{1B}\\\u{1B}]99;i=chat:d=1:p=body;14:00\u{1B}\\"
            ),
            (
                ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"],
                "\u{1B}]9;chat: tea - 14:00\u{1B}\\"
            ),
            (["TERM": "xterm-256color", "WT_SESSION": "1"], "\u{1B}]9;chat: tea - 14:00\u{1B}\\"),
            (["TERM": "foot"], "\u{1B}]777;notify;tea;14:00\u{1B}\\"),
            (["TERM": "rxvt-unicode-256color"], "\u{1B}]777;notify;tea;14:00\u{1B}\\"),
            (
                ["TERM": "tmux-256color", "TMUX": "/tmp/x,1,0", "WEZTERM_PANE": "0"],
                "\u{1B}Ptmux;\u{1B}\u{1B}]9;chat: tea - 14:00\u{1B}\u{1B}\\\u{1B}\\"
            ),
            (["TERM": "tmux-256color", "TMUX": "/tmp/x,1,0"], ""),
            (["TERM": "screen", "STY": "1", "KITTY_WINDOW_ID": "1"], ""),
            (["TERM": "dumb", "KITTY_WINDOW_ID": "1"], ""), (["TERM": "xterm-256color"], ""),
            ([:], ""),
        ]
        for (variables, expected) in table {
            XCTAssertEqual(text(variables), expected, "\(variables)")
        }
    }

    func testATitleCannotEndTheSequenceOrAddAField() {
        let hostile = "a\u{1B}\\\u{1B}]52;c;eHh4\u{07}b;c\u{9C}\nd"
        let sequence = text(["TERM": "foot"], hostile)
        let inner = sequence.dropFirst("\u{1B}]777;notify;".count).dropLast(2)
        XCTAssertFalse(
            inner.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F) ~= $0.value })
        XCTAssertEqual(inner.split(separator: ";", omittingEmptySubsequences: false).count, 2)
    }
}
