import Foundation
import XCTest

@testable import Privacy

/// A file of texts with people in them and what redaction is to leave of each. The
/// numbers of placeholders are left out; that each text comes back byte for byte is
/// checked with it.
struct RedactionExamples {
    struct Example {
        var line: Int
        var person: PersonalData
        var text: String
        var expected: String
    }

    var examples: [Example] = []

    init(_ name: String) throws {
        let url = try XCTUnwrap(Bundle.module.resourceURL)
            .appendingPathComponent("Fixtures/redaction/\(name)")
        var person = PersonalData()
        let lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
        for (index, line) in lines.enumerated() {
            if line == "R" {
                person = PersonalData()
            } else if line.hasPrefix("P ") {
                let words = line.dropFirst(2).split(separator: " ", maxSplits: 1)
                let kind = try XCTUnwrap(PersonalData.Kind(rawValue: String(words[0])), line)
                person.add(kind, Self.unescaped(String(words[1])))
            } else if line.hasPrefix("T ") {
                let sides = line.dropFirst(2).components(separatedBy: " ==> ")
                examples.append(
                    Example(
                        line: index + 1, person: person, text: Self.unescaped(sides[0]),
                        expected: Self.unescaped(sides[sides.count - 1])))
            }
        }
    }

    /// `\n`, `\t`, `\-` for a soft hyphen and `\ ` for a blank that does not break.
    private static func unescaped(_ text: String) -> String {
        text.replacingOccurrences(of: "\\n", with: "\n")
            .replacingOccurrences(of: "\\t", with: "\t")
            .replacingOccurrences(of: "\\-", with: "\u{AD}")
            .replacingOccurrences(of: "\\ ", with: "\u{A0}")
    }

    func check(readsProse: Bool = false, file: StaticString = #filePath, line: UInt = #line) {
        XCTAssertFalse(examples.isEmpty, file: file, line: line)
        for example in examples {
            var map = RedactionMap()
            let redacted = Redactor(example.person, readsProse: readsProse).redact(
                example.text, into: &map)
            XCTAssertEqual(
                redacted.replacingOccurrences(
                    of: #"_\d+\]"#, with: "]", options: .regularExpression),
                example.expected, "line \(example.line)", file: file, line: line)
            XCTAssertEqual(
                Array(map.restore(redacted).utf8), Array(example.text.utf8),
                "line \(example.line)", file: file, line: line)
        }
    }
}
