import Base
import XCTest

@testable import ChatKit
@testable import TerminalKit

final class DraftedTranscriptTests: XCTestCase {
    private let said =
        "We agreed to ship on Friday. Anna writes the notes, Bob calls the printer, and "
        + "nobody touches the database before Monday; that's all for today."

    func testALongOneIsFoldedUnderItsNameAndAShortOneIsNot() {
        let part = DraftedTranscript.part(
            String(repeating: "word ", count: 5_204), of: "mee\u{1B}ting.m4a")
        XCTAssertEqual(part.label, "transcript of mee\\x1bting.m4a, 5,204 words")
        XCTAssertGreaterThan(part.text.count, part.foldAbove)
        XCTAssertLessThan(said.count, DraftedTranscript.part(said, of: "a.m4a").foldAbove)
        XCTAssertEqual(
            DraftedTranscript.part("one", of: String(repeating: "x", count: 300)).label,
            "transcript of \(String(repeating: "x", count: 39))…, 1 word")
        XCTAssertEqual(DraftedTranscript.dictated("one two").label, "dictated, 2 words")
        XCTAssertEqual(DraftedTranscript.dictated("one two").foldAbove, 4_000)
    }

    func testTheWordsAsTheyAreOrMendedAreHeld() {
        XCTAssertTrue(DraftedTranscript.holds(said, said))
        XCTAssertTrue(DraftedTranscript.holds("Sum up: \"\(said.uppercased())\"", said))
        let mended = said.replacing("Anna", with: "Hannah").replacing("that's", with: "that’s")
        XCTAssertTrue(DraftedTranscript.holds(mended, said))
    }

    func testAQuestionInTheirPlaceHoldsThemNot() {
        XCTAssertFalse(DraftedTranscript.holds("What was agreed, and who calls the printer?", said))
        XCTAssertFalse(DraftedTranscript.holds(String(said.prefix(60)), said))
        XCTAssertFalse(DraftedTranscript.holds("", said))
    }

    func testScriptsWithoutSpacesAreTakenByTheCharacter() {
        let chinese = "我们同意星期五发布，安娜写笔记，鲍勃打电话给印刷厂。"
        XCTAssertTrue(DraftedTranscript.holds("总结：" + chinese.replacing("安娜", with: "安"), chinese))
        XCTAssertFalse(DraftedTranscript.holds("谁打电话？", chinese))
    }

    func testWhatWouldActInTheLineIsTakenAway() {
        XCTAssertEqual(
            DraftedTranscript.fit(" /delete\u{1B}[2J all\r\n\tnow \n"), "delete[2J all\n now")
        XCTAssertEqual(DraftedTranscript.fit("~/ /x"), "x")
        XCTAssertEqual(DraftedTranscript.fit("\u{9B}A\u{0}é 🔑"), "Aé 🔑")
        XCTAssertEqual(DraftedTranscript.fit(" / \n"), "")
    }
}
