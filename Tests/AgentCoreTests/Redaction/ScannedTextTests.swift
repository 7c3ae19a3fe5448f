import XCTest

@testable import Privacy

final class ScannedTextTests: XCTestCase {
    func testLettersAreComparedWithoutAccentsAndForms() {
        for (text, folded) in [
            ("Müller-Straße", "muller-strasse"), ("ŁÓDŹ", "lodz"), ("Søren Åse", "soren ase"),
            ("Þór Ðað", "thor dad"), ("œuvre", "oeuvre"), ("ﬁnance ﬄ", "finance ffl"),
            ("Ｊｏｈｎ", "john"), ("𝐉𝐨𝐡𝐧 𝟏𝟐", "john 12"), ("e\u{301}te\u{301}", "ete"),
            ("ISTANBUL İı", "istanbul ii"),
            ("J\u{F6}rg J&ouml;rg J&#246;rg", "jorg jorg jorg"), ("a\u{A0}b\u{2009}c", "a b c"),
            ("2009\u{2013}2011", "2009-2011"), ("١٢٣", "123"), ("a\r\nb\rc", "a\nb\nc"),
            ("Sm\u{AD}i\u{200B}th", "smith"), ("Άγγελος Ёлка", "αγγελοσ елка"),
        ] {
            let scanned = ScannedText(text)
            XCTAssertEqual(scanned.text(0..<scanned.count), folded, text)
        }
    }

    func testUnitsKnowTheirBytes() {
        let text = "aé\u{301}\u{AD}ﬁ&ouml;x\r\n"
        let scanned = ScannedText(text)
        XCTAssertEqual(scanned.text(0..<scanned.count), "aefiox\n")
        XCTAssertEqual(scanned.bytes(0..<1), 0..<1)
        // With the accent that follows, without what is not seen.
        XCTAssertEqual(scanned.bytes(1..<2), 1..<5)
        XCTAssertEqual(scanned.bytes(2..<3), 7..<10)
        XCTAssertEqual(scanned.bytes(3..<5), 7..<16)
        XCTAssertEqual(scanned.bytes(6..<7), 17..<19)
    }

    func testKoreanIsTheSameInSyllablesAndLetters() {
        XCTAssertEqual(
            ScannedText.compact("김민수"),
            ScannedText.compact("김민수".decomposedStringWithCanonicalMapping))
    }
}

final class ScannedDateTests: XCTestCase {
    func testADateIsReadInEveryNotation() {
        let day = ScannedDate.Day(year: 1990, month: 5, day: 14)
        for text in [
            "1990-05-14", "14.05.1990", "14. 5. 1990", "14/05/90", "05/14/1990", "14 May 1990",
            "14th of May, 1990",
            "May 14th, 1990", "14. Mai 1990", "14 de mayo de 1990", "14 maggio 1990",
            "14 maja 1990 r.", "1990年5月14日",
            "1990년 5월 14일", "14051990", "19900514", "14 mai 1990", "14 мая 1990",
        ] {
            let dates = ScannedDate.dates(in: ScannedText("on \(text)!"))
            XCTAssertEqual(dates.count, 1, text)
            XCTAssertEqual(dates.first?.days.contains(day), true, text)
        }
    }

    func testVersionsAndYearsAreNoDates() {
        for text in [
            "1.2.3", "10.0.19041", "2009-2011", "99/99/1990", "1.2.2019.4", "Python 3.10.2",
        ] {
            XCTAssertEqual(ScannedDate.dates(in: ScannedText(text)).count, 0, text)
        }
    }
}

final class ChecksumsTests: XCTestCase {
    private func digits(_ text: String) -> [Int] { text.compactMap(\.wholeNumberValue) }

    func testTheCheckDigitsOfExamplesHoldAndThoseOfTypingErrorsDoNot() {
        XCTAssertTrue(Checksums.luhn(digits("4111111111111111")))
        XCTAssertFalse(Checksums.luhn(digits("4111111111111112")))
        XCTAssertTrue(Checksums.iban(Array("de89370400440532013000".utf8)))
        XCTAssertFalse(Checksums.iban(Array("de89370400440532013001".utf8)))
        XCTAssertTrue(Checksums.pesel(digits("44051401359")))
        XCTAssertFalse(Checksums.pesel(digits("44051401358")))
        XCTAssertTrue(Checksums.dni(12_345_678, UInt8(ascii: "z")))
        XCTAssertTrue(Checksums.nir(digits("185057800608491")))
    }
}
