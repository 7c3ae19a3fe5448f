import XCTest

@testable import Base

/// Titles of texts that are written in Markdown.
final class MarkdownMarksTests: XCTestCase {
    func testMarksGoAndWhatIsNoneStays() {
        let table = [
            ("**Tea cups** that _tell_ `time`", "Tea cups that tell time"),
            ("***Both*** and __strong__ and ~~gone~~", "Both and strong and gone"),
            ("a [link](https://a.b/c_d) and ![a cat](c.png)", "a link and a cat"),
            ("see [this][1]", "see this"), ("**bold with *both* in it**", "bold with both in it"),
            ("in*side*word", "insideword"),
            ("2 * 3 * 4", "2 * 3 * 4"), ("snake_case_name", "snake_case_name"),
            ("a ~ b, ~/file, 5 > 3", "a ~ b, ~/file, 5 > 3"), ("\\*not\\* it", "*not* it"),
            ("`a_b` and ``c ` d``", "a_b and c ` d"), ("**open", "**open"),
            ("[x] done", "[x] done"),
            ("f(x)[1]", "f(x)[1]"), ("", ""), ("C:\\dir", "C:\\dir"),
            ("**Idée**: été", "Idée: été"),
        ]
        for (line, plain) in table {
            XCTAssertEqual(MarkdownMarks.removed(from: line), plain, line)
        }
    }
}
