import XCTest

@testable import Outside

/// Lines that hold a text, and lines by their numbers.
final class TextPatternTests: XCTestCase {
    private func found(
        _ text: String, in lines: String, wildcards: Bool = false, ignoresCase: Bool? = nil
    ) -> [String] {
        guard let pattern = TextPattern(text, hasWildcards: wildcards, ignoresCase: ignoresCase)
        else { return ["no pattern"] }
        let bytes = Array(lines.utf8)
        var found: [String] = []
        pattern.lines(in: bytes) { number, range in
            found.append("\(number) \(String(decoding: bytes[range], as: UTF8.self))")
            return true
        }
        return found
    }

    func testLinesAreFoundOnceEachWithTheirNumbers() {
        let text = "one two\nTwo three\r\n\ntwo two\nlast tw"
        XCTAssertEqual(found("two", in: text), ["1 one two", "2 Two three", "4 two two"])
        XCTAssertEqual(found("Two", in: text), ["2 Two three"])
        XCTAssertEqual(found("two", in: text, ignoresCase: false), ["1 one two", "4 two two"])
        XCTAssertEqual(
            found("tw", in: text), ["1 one two", "2 Two three", "4 two two", "5 last tw"])
        XCTAssertEqual(
            found("two*three|last", in: text, wildcards: true), ["2 Two three", "5 last tw"])
        XCTAssertEqual(found("two*two", in: text, wildcards: true), ["4 two two"])
        XCTAssertEqual(found("two*two", in: text), [])
        XCTAssertEqual(found("a|b", in: "a|b\na"), ["1 a|b"])
        XCTAssertEqual(found("über", in: "Über\nÜBER\nuber"), ["1 Über", "2 ÜBER"])
        XCTAssertEqual(found("x", in: ""), [])
        XCTAssertEqual(found("x", in: "x"), ["1 x"])
        XCTAssertEqual(found("x", in: "\n\nx\n"), ["3 x"])
    }

    func testWhatIsNoPatternIsNone() {
        XCTAssertEqual(found("", in: "a"), ["no pattern"])
        XCTAssertEqual(found("a\nb", in: "a"), ["no pattern"])
        XCTAssertEqual(found("***", in: "a", wildcards: true), ["no pattern"])
        XCTAssertEqual(found(String(repeating: "a", count: 2_000), in: "a"), ["no pattern"])
    }

    func testALineIsFoundWhereverThePiecesStand() {
        // Every pair of lines of these, against a slow and plain way.
        let words = ["", "a", "ab", "b a", "aab", "ba"]
        for first in words {
            for second in words {
                let text = first + "\n" + second
                let wanted = text.split(separator: "\n", omittingEmptySubsequences: false)
                    .enumerated().filter { line in
                        guard let a = line.element.firstIndex(of: "a") else { return false }
                        return line.element[line.element.index(after: a)...].contains("b")
                    }.map { "\($0.offset + 1) \($0.element)" }
                XCTAssertEqual(found("a*b", in: text, wildcards: true), wanted, text)
            }
        }
    }

    func testAWindowHasItsLinesHoweverThePiecesAreCut() {
        let text = Array("one\ntwo\r\n\nfo\u{E9}r\nfive".utf8)
        for size in 1...text.count {
            var window = LineWindow(first: 2, count: 3)
            for start in stride(from: 0, to: text.count, by: size) {
                window.take(Array(text[start..<min(start + size, text.count)]))
            }
            window.finish()
            XCTAssertEqual(window.lines, ["two", "", "fo\u{E9}r"], "\(size)")
            XCTAssertEqual(window.total, 5, "\(size)")
        }
    }

    func testALongLineAndALongTextAreCutAndSaySo() {
        var window = LineWindow(first: 1, count: 5)
        window.take(Array((String(repeating: "é", count: 5_000) + "\nx\n").utf8))
        window.finish()
        XCTAssertEqual(window.lines.count, 2)
        XCTAssertTrue(window.lines[0].hasSuffix("é … [the line has 10,000 bytes]"))
        XCTAssertLessThan(window.lines[0].utf8.count, LineWindow.lineLimitInBytes + 60)
        var many = LineWindow(first: 1, count: 2_000)
        many.take(
            Array(String(repeating: String(repeating: "x", count: 999) + "\n", count: 300).utf8))
        many.finish()
        XCTAssertEqual(many.total, 300)
        XCTAssertTrue(many.isFull)
        XCTAssertLessThanOrEqual(
            many.lines.reduce(0) { $0 + $1.utf8.count }, LineWindow.limitInBytes)
    }

    func testWhatCannotBeSeenIsTakenOutOfLines() {
        var window = LineWindow(first: 1, count: 5)
        window.take(Array("a\u{1B}[31mb\u{202E}c\u{E0041}d\n".utf8) + [0x66, 0xE9, 0x0A])
        window.finish()
        XCTAssertEqual(window.lines, ["a[31mbcd", "fé"])
    }
}
