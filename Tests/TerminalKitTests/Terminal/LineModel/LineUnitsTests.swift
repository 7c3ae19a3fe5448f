import TestSupport
import XCTest

@testable import TerminalKit

/// Characters and folded pastes as single steps of the cursor.
final class LineUnitsTests: XCTestCase {
    func testAnyTextComesBackExactly() {
        var table = LineUnits()
        for text in [
            "", "plain", "日本語 👩‍👩‍👧‍👦🏳️‍🌈🇩🇪", "e\u{0301}o\u{0308}\u{0323}", "\u{20000}\u{2A6DF}x",
            "\u{F0000}\u{FFFFD}\u{10FFFD}", "\r\n\u{85}\u{2028}\t", "שלום \u{202E}abc",
            "\u{1F9D1}\u{1F3FD}\u{200D}\u{1F680}", "\u{301}\u{200D}", "🇩🇪🇫",
        ] {
            let units = table.units(text)
            XCTAssertEqual(Array(table.text(units).unicodeScalars), Array(text.unicodeScalars))
            XCTAssertEqual(units.count, text.count)
            XCTAssertFalse(units.contains { (0x80...0x9F).contains($0) })
        }
    }

    func testScalarsTypedOneByOneBecomeTheSameUnits() {
        var table = LineUnits()
        for text in ["👩‍👩‍👧‍👦x", "e\u{0301}\u{0302}", "🇩🇪🇫🇷", "한글 각", "日本", "\u{1F9D1}\u{1F3FD}a"] {
            var units: [UInt32] = []
            for scalar in text.unicodeScalars {
                let typed = table.typed(scalar, after: units.last)
                if typed.replaces { units.removeLast() }
                units.append(typed.unit)
            }
            XCTAssertEqual(units, table.units(text), text)
        }
    }

    func testTheNamedPartOfADraftIsFoldedWhereItIsLong() {
        var table = LineUnits()
        let words = String(repeating: "word ", count: 200)
        let part = LineDraft.Part(text: words, label: "transcript of a.m4a", foldAbove: 800)
        var draft = LineDraft("Sum up: ", part)
        draft.after = " please"
        let units = table.units(draft)
        XCTAssertEqual(units.count, 8 + 1 + 7)
        XCTAssertTrue(table.isFold(units[8]))
        XCTAssertEqual(table.text(units), "Sum up: " + words + " please")
        XCTAssertEqual(
            table.cells(units[8]).map(\.text).joined(), "transcript of a.m4a")
        XCTAssertEqual(table.unfolded(units[8])?.count, 1_000)
        draft.part?.foldAbove = 1_000
        let plain = table.units(draft)
        XCTAssertEqual(plain.count, 8 + 1_000 + 7)
        XCTAssertFalse(plain.contains { table.isFold($0) })
        XCTAssertTrue(table.units(LineDraft("")).isEmpty)
    }

    func testARestoredDraftIsFoldedAsAPasteIsAndWhatIsTypedIsNot() {
        var table = LineUnits()
        let long = "one\ntwo\nthree\nfour"
        var draft = LineDraft(restored: long)
        draft.after = String(repeating: "x", count: 500)
        let units = table.units(draft)
        XCTAssertEqual(units.count, 1 + 500)
        XCTAssertTrue(table.isFold(units[0]))
        XCTAssertEqual(
            table.cells(units[0]).map(\.text).joined(), "restored 4 lines, 18 characters")
        XCTAssertEqual(table.text(units), draft.whole)
        XCTAssertFalse(table.units(LineDraft(restored: "one\ntwo")).contains { table.isFold($0) })
    }

    func testAFoldIsOneUnitAndItsWholeText() {
        var table = LineUnits()
        let paste = "one\ntwo\nthree\nfour\n"
        XCTAssertTrue(LineUnits.isLong(paste))
        let fold = table.fold(paste)
        XCTAssertEqual(table.text([0x61, fold, 0x62]), "a" + paste + "b")
        XCTAssertEqual(
            table.cells(fold).map(\.text).joined(), "pasted 4 lines, 19 characters")
        XCTAssertEqual(table.unfolded(fold), table.units(paste))
        XCTAssertFalse(table.isWord(fold))
        // A mark typed behind it is a character of its own.
        XCTAssertFalse(table.typed("\u{301}", after: fold).replaces)
    }

    func testOnlyLongPastesAreFolded() {
        XCTAssertFalse(LineUnits.isLong("a\nb\nc"))
        XCTAssertTrue(LineUnits.isLong("a\nb\nc\nd"))
        XCTAssertFalse(LineUnits.isLong(String(repeating: "é", count: 400)))
        XCTAssertTrue(LineUnits.isLong(String(repeating: "é", count: 401)))
    }

    func testLettersOfSeveralCodePointsAreWords() {
        var table = LineUnits()
        XCTAssertEqual(
            table.units("e\u{0301}_7 日👍🏽").map { table.isWord($0) },
            [
                true, true, true, false, true, false,
            ])
    }
}
