import TestSupport
import XCTest

@testable import Base

/// Searching in texts: whole characters, however they are composed.
final class StringProtocolMatchingTests: XCTestCase {
    private func place(_ text: String, _ part: String) -> Range<Int>? {
        Array(text).firstRange(of: Array(part))
    }

    func testTheFirstPlaceIsFound() {
        XCTAssertEqual(place("one two two", "two"), 4..<7)
        XCTAssertEqual(place("aaab", "aab"), 1..<4)
        XCTAssertEqual(place("abc", "abc"), 0..<3)
        XCTAssertEqual(place("abc", ""), 0..<0)
        XCTAssertEqual(place("", ""), 0..<0)
        for part in ["abcd", "cb", "d"] { XCTAssertNil(place("abc", part)) }
        XCTAssertNil(place("", "a"))
    }

    func testCharactersAreWhole() {
        XCTAssertEqual(place("caf\u{E9} au lait", "fe\u{301} "), 2..<5)
        XCTAssertNil(place("cafe\u{301}", "fe"))
        XCTAssertNil(place("one\r\ntwo", "\n"))
    }

    func testReplacing() {
        XCTAssertEqual("a-b-c-".replacing("-", with: "--"), "a--b--c--")
        XCTAssertEqual("aaa".replacing("aa", with: "b"), "ba")
        XCTAssertEqual("abc".replacing("x", with: "y"), "abc")
        XCTAssertEqual("x<tag>y".dropFirst().replacing("<tag>", with: ""), "y")
    }

    func testContaining() {
        XCTAssertTrue("one two".contains("e t"))
        XCTAssertTrue("one two".dropFirst(4).contains("two"))
        XCTAssertFalse("one two".contains("et"))
    }

    /// Where bytes decide, they do as characters would: marks, line ends, letters that equal one of
    /// ASCII, and a sign that joins what follows. (`contains` here would be that of Foundation.)
    func testBytesDecideAsCharacters() {
        let parts = ["a", "e", "K", "\u{301}", "\u{E9}", "\u{212A}", "\u{600}", "\r", "\n", ";"]
        var random = SplitMix(seed: 31)
        func text(_ most: Int) -> String {
            (0..<Int.random(in: 0...most, using: &random))
                .map { _ in parts.randomElement(using: &random) ?? "" }.joined()
        }
        var decided = 0
        for _ in 0..<20_000 {
            let (whole, part) = (text(6), text(2))
            let byBytes = Array(whole.utf8).withUnsafeBufferPointer { bytes in
                Array(part.utf8).withUnsafeBufferPointer { String.holds(bytes, $0) }
            }
            guard let byBytes else { continue }
            decided += 1
            XCTAssertEqual(
                byBytes, place(whole, part) != nil,
                "\(whole.debugDescription) \(part.debugDescription)")
        }
        XCTAssertGreaterThan(decided, 2_000)
    }
}
