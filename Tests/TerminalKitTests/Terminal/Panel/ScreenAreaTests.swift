import Base
import Foundation
import TestSupport
import XCTest

@testable import TerminalKit

/// Pictures that follow each other on a screen, and what of them is written.
final class ScreenAreaTests: XCTestCase {
    private let style = Style(usesColor: false, usesUnicode: true)

    func testOnlyRowsThatDifferAreWritten() {
        var area = ScreenArea()
        _ = area.draw([StyledLine("same"), StyledLine("1 %"), StyledLine("hint")], style)
        let bytes = area.draw([StyledLine("same"), StyledLine("2 %"), StyledLine("hint")], style)
        XCTAssertEqual(
            String(decoding: bytes, as: UTF8.self), "\r\r\n2 %\u{1B}[K\r\n\r\u{1B}[2A")
    }

    func testAnySequenceOfPicturesShowsTheLastAndErasesToNothing() {
        var chance = SplitMix(seed: 5)
        for rows in [6, 24] {
            var screen = Screen(rows: rows, columns: 20)
            screen.feed(Array("one\r\ntwo\r\nthree\r\n".utf8))
            var area = ScreenArea()
            for _ in 0..<300 {
                let count = Int.random(in: 0...(rows - 1), using: &chance)
                let lines = (0..<count).map { _ in
                    ["", "a", "日本語", "a longer line"].randomElement(using: &chance) ?? ""
                }
                screen.feed(area.draw(lines.map { StyledLine($0) }, style))
                let seen = screen.transcript.dropFirst(3)
                var wanted = lines
                while wanted.last == "" { wanted.removeLast() }
                XCTAssertEqual(Array(seen), wanted)
                if Bool.random(using: &chance) {
                    screen.feed(area.erase(columns: 20))
                    XCTAssertEqual(screen.transcript, ["one", "two", "three"])
                }
            }
            XCTAssertEqual(screen.unknown, [])
        }
    }
}
