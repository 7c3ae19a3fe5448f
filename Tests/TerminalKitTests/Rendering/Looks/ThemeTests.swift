import Base
import XCTest

@testable import TerminalKit

final class ThemeTests: XCTestCase {
    func testTheBackgroundIsToldByTheConfigurationOrByTheTerminal() {
        let table: [(String, Theme.Background)] = [
            ("15;0", .dark), ("0;15", .light), ("0;default;15", .light), ("12;8", .dark),
            ("7;7", .light), ("", .unknown), ("default;default", .unknown), ("1;99", .unknown),
        ]
        for (text, background) in table {
            XCTAssertEqual(Theme.background(text), background, text)
            XCTAssertEqual(
                Theme(.auto, variables: ["COLORFGBG": text]), Theme(background: background))
        }
        XCTAssertEqual(
            Theme(.light, variables: ["COLORFGBG": "15;0"]), Theme(background: .light))
    }

    func testEveryThemeHasEveryColourAndTraitsComeBeforeIt() {
        let theme = Theme()
        XCTAssertEqual(theme.codes(RichLine.Look(.heading, .bold)), "1;35")
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
