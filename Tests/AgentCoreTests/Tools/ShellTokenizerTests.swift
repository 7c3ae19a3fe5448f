import Base
import XCTest

final class ShellTokenizerTests: XCTestCase {
    func testALineOfAFileIsCutAsAShellDoes() {
        let table: [(String, [String]?)] = [
            ("", []), ("pass show  key", ["pass", "show", "key"]),
            ("sh -c 'echo \"$KEY\"'", ["sh", "-c", "echo \"$KEY\""]),
            ("a'b c'd", ["ab cd"]), ("\"a\\b\\\"c\"", ["a\\b\"c"]), ("a\\ b ''", ["a b", ""]),
            ("'open", nil), ("a\\", nil),
        ]
        for (line, words) in table { XCTAssertEqual(ShellTokenizer.words(of: line), words, line) }
    }

    func testAtThePromptAnApostropheWithinAWordIsALetter() throws {
        XCTAssertEqual(
            try ShellTokenizer.words(typed: "don't 'buy milk' now\\"),
            ["don't", "buy milk", "now\\"])
        XCTAssertThrowsError(try ShellTokenizer.words(typed: "add \"open"))
    }

    func testTheWordBeingTypedIsKeptAsItStands() {
        let line = ShellTokenizer("/attach one.txt \"my no", isTyped: true)
        XCTAssertEqual(line.words, ["/attach", "one.txt"])
        XCTAssertEqual(line.current, "my no")
        XCTAssertEqual(line.raw, "\"my no")
        XCTAssertEqual(ShellTokenizer("/a ", isTyped: true).raw, "")
    }

    func testWhatIsQuotedIsReadBack() throws {
        for word in ["plain", "two words", "it's", "a\\b \"c\"", "", "x=1,2%", "it'\u{301}s"] {
            XCTAssertEqual(ShellTokenizer.words(of: ShellTokenizer.quoted(word)), [word])
            XCTAssertEqual(
                try ShellTokenizer.words(typed: ShellTokenizer.quoted(word)).last ?? "", word)
            if word.isEmpty { continue }
            XCTAssertEqual(try ShellTokenizer.words(typed: ShellTokenizer.escaped(word)), [word])
        }
    }

    /// A shell reads code points: the mark behind the apostrophe hides nothing from it.
    func testAQuoteBeforeACombiningMarkIsAQuote() {
        XCTAssertEqual(ShellTokenizer.quoted("'\u{301}; id"), "\"'\u{301}; id\"")
        XCTAssertEqual(ShellTokenizer.words(of: "'a'\u{301}b"), ["a\u{301}b"])
        XCTAssertEqual("a'\u{301}b".replacing("'", with: "''"), "a''\u{301}b")
    }
}
