import Base
import XCTest

@testable import TerminalKit

/// Which terminals get links, and what may be one.
final class HyperlinkTests: XCTestCase {
    func testTerminalsThatAreKnownToUnderstandThem() {
        let cases: [([String: String], Bool)] = [
            (["TERM": "xterm-256color"], false), (["TERM": "dumb", "VTE_VERSION": "7000"], false),
            (["TERM": "xterm-256color", "VTE_VERSION": "6800"], true),
            (["TERM": "xterm-256color", "VTE_VERSION": "4600"], false),
            (["TERM": "xterm-256color", "KONSOLE_VERSION": "220401"], true),
            (["TERM": "xterm-256color", "KONSOLE_VERSION": "190800"], false),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], true),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"], false),
            (["TERM": "xterm-kitty"], true), (["TERM": "foot-extra"], true),
            // Whatever is outside, the one in between decides.
            (["TERM": "screen", "VTE_VERSION": "6800"], false),
            (["TERM": "tmux-256color", "TMUX": "x", "KITTY_WINDOW_ID": "1"], false),
            (tmux("3.4"), true), (tmux("3.5a"), true), (tmux("4.0"), true), (tmux("3.3a"), false),
            (tmux("next"), false),
        ]
        for (variables, expected) in cases {
            XCTAssertEqual(Hyperlink.isSupported(variables), expected, "\(variables)")
            XCTAssertEqual(
                Style(isTerminal: true, variables: variables).opensLinks, expected, "\(variables)")
            XCTAssertFalse(Style(isTerminal: false, variables: variables).opensLinks)
        }
    }

    private func tmux(_ version: String) -> [String: String] {
        [
            "TERM": "tmux-256color", "TMUX": "/tmp/x", "TERM_PROGRAM": "tmux",
            "TERM_PROGRAM_VERSION": version,
        ]
    }

    func testOnlyAddressesOfPagesAreOpened() {
        XCTAssertEqual(
            Hyperlink.open("https://a.example/b?c=1;d#e"),
            "\u{1B}]8;;https://a.example/b?c=1;d#e\u{1B}\\")
        for url in [
            "file:///etc/passwd", "javascript:alert(1)", "HTTPS//x", "https://a b",
            "https://ä.example",
            "https://a\u{1B}\\x", "https://a\u{07}", "https://a\u{9C}", "https://a\n", "",
            "https://" + String(repeating: "a", count: 3_000),
        ] {
            XCTAssertNil(Hyperlink.open(url), url)
        }
    }

    private func shown(_ markdown: String, links: Bool = true, color: Bool = false) -> String {
        var style = Style(usesColor: color, usesUnicode: true)
        style.opensLinks = links
        let lines = MarkdownStream.lines(markdown, columns: 80, usesUnicode: true)
        return String(decoding: lines.flatMap { style.bytes($0) }, as: UTF8.self)
            .replacing("\u{1B}]8;;\u{1B}\\", with: "]").replacing("\u{1B}]8;;", with: "[")
            .replacing("\u{1B}\\", with: "|").replacing("\u{1B}", with: "ESC")
    }

    /// What is opened is what is shown: never the words of a link, which may be another address.
    func testTheAddressThatIsShownIsTheOneThatIsOpened() {
        XCTAssertEqual(
            shown("<https://a.example/x> and [the book](https://b.example)"),
            "[https://a.example/x|https://a.example/x] and the book"
                + "[https://b.example| (https://b.example)]\n")
        XCTAssertEqual(
            shown("[https://good.example](https://evil.example)"),
            "https://good.example[https://evil.example| (https://evil.example)]\n")
        XCTAssertEqual(shown("[x](file:///etc/passwd)"), "x (file:///etc/passwd)\n")
        XCTAssertEqual(shown("<https://a.example>", links: false), "https://a.example\n")
        XCTAssertEqual(
            shown("<https://a.example>", color: true),
            "[https://a.example|ESC[4;36mhttps://a.exampleESC[0m]\n")
    }
}
