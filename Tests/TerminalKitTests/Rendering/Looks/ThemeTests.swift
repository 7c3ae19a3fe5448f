import Base
import XCTest

@testable import TerminalKit

final class ThemeTests: XCTestCase {
    func testWordsOfTheConfigurationAreLooks() {
        let table: [(String, String?)] = [
            ("blue", "34"), ("bold blue", "1;34"), ("blue bold", "1;34"), ("BRIGHT Red", "91"),
            ("underline", "4"), ("dim italic", "2;3"), ("244", "38;5;244"), ("9", "91"),
            ("#ff8800", "38;2;255;136;0"), ("strike gray", "9;90"), ("plain", ""),
            ("", nil), ("bluish", nil), ("bold bold", nil), ("red blue", nil), ("256", nil),
            ("#ff88", nil), ("#gg8800", nil), ("bright", nil), ("bright 4", "94"),
            ("plain bold", nil), ("31m\u{1B}[2J", nil), ("bright #ff8800", nil), ("-1", nil),
        ]
        for (text, codes) in table {
            XCTAssertEqual(LookWords(text)?.codes(hasTrueColor: true), codes, text)
        }
        XCTAssertEqual(LookWords("#ff8700")?.codes(hasTrueColor: false), "38;5;208")
        XCTAssertEqual(LookWords("#808080")?.codes(hasTrueColor: false), "38;5;244")
    }

    func testTheBackgroundIsToldByTheConfigurationOrByTheTerminal() {
        let table: [(String, Theme.Background)] = [
            ("15;0", .dark), ("0;15", .light), ("0;default;15", .light), ("12;8", .dark),
            ("7;7", .light), ("", .unknown), ("default;default", .unknown), ("1;99", .unknown),
        ]
        for (text, background) in table {
            XCTAssertEqual(Theme.background(text), background, text)
            let choice = Theme.Choice()
            XCTAssertEqual(
                Theme(choice, variables: ["COLORFGBG": text]), Theme(background: background))
        }
        let light = Theme.Choice(base: .light)
        XCTAssertEqual(
            Theme(light, variables: ["COLORFGBG": "15;0"]), Theme(background: .light))
    }

    func testALookOfItsOwnReplacesThatOfTheTheme() {
        let choice = Theme.Choice(looks: [.heading: "underline", .link: "#ff8700"])
        let theme = Theme(choice, variables: ["COLORTERM": "truecolor"])
        XCTAssertEqual(theme.codes(RichLine.Look(.heading, .bold)), "1;4")
        XCTAssertEqual(theme.codes(RichLine.Look(.link)), "38;2;255;135;0")
        XCTAssertEqual(theme.codes(RichLine.Look(.text, [.strike, .italic])), "3;9")
        XCTAssertEqual(theme.codes(RichLine.Look()), "")
        for background in [Theme.Background.unknown, .light, .dark] {
            XCTAssertEqual(
                Set(Theme(background: background).codes.keys), Set(RichLine.Color.allCases))
        }
    }

    func testOnlyPathsOfOursBecomeLinksAndOnlyWhereThatIsKnownToWork() {
        let line = StyledLine([.init("a b\u{1B}.md", file: "/tmp/a b\u{1B}.md")])
        func shown(_ variables: [String: String]) -> String {
            Style(isTerminal: true, variables: variables.merging(["NO_COLOR": "1"]) { $1 })
                .text(line)
        }
        XCTAssertEqual(
            shown(["TERM": "xterm-kitty"]),
            "\u{1B}]8;;file:///tmp/a%20b%1B.md\u{1B}\\a b\\x1b.md\u{1B}]8;;\u{1B}\\")
        for variables in [
            [:], ["TERM": "dumb"], ["TERM": "xterm-256color"], ["TERM": "linux"],
            ["TERM": "xterm-kitty", "TMUX": "/x"], ["TERM": "screen", "VTE_VERSION": "7000"],
        ] {
            XCTAssertEqual(shown(variables), "a b\\x1b.md")
        }
    }
}
