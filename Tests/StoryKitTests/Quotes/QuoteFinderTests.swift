import XCTest

@testable import StoryKit

final class QuoteFinderTests: XCTestCase {
    private func quotations(_ source: String, _ style: QuoteStyle? = nil) -> [String] {
        let text = StoryText(source, style: style)
        return text.spans.filter { $0.kind == .quotation }.map { text.text(of: $0.range) }
    }

    func testEachStyleIsFoundByCounting() {
        let styles: [(String, QuoteStyle, [String])] = [
            ("“Yes,” said Ann. “I do.”", .doubleCurly, ["“Yes,”", "“I do.”"]),
            ("\"Yes,\" said Ann. \"I do.\"", .doubleStraight, ["\"Yes,\"", "\"I do.\""]),
            ("‘Yes,’ said Ann. ‘It’s done.’", .singleCurly, ["‘Yes,’", "‘It’s done.’"]),
            ("'Yes,' said Ann. 'It's done.'", .singleStraight, ["'Yes,'", "'It's done.'"]),
            ("« Oui, dit Anne. »\n\n« Non. »", .guillemets, ["« Oui, dit Anne. »", "« Non. »"]),
            ("»Ja«, sagte Anna. »Gern.«", .reversedGuillemets, ["»Ja«", "»Gern.«"]),
            ("„Ja“, sagte Anna. „Gern.“", .lowHigh, ["„Ja“", "„Gern.“"]),
            (
                "— Да, — сказал он. — Иду.\n\n— Хорошо.", .dash,
                ["— Да,", "— Иду.", "— Хорошо."]
            ),
            ("ANN: Yes.\n\nBOB: No.\n\nANN: Why?", .script, ["Yes.", "No.", "Why?"]),
            (
                "Chapter 1: Ebb\n\n“Yes.”\n\nChapter 2: Flood\n\n“No.”", .doubleCurly,
                ["“Yes.”", "“No.”"]
            ),
            ("Nobody spoke.", .none, []),
        ]
        for (source, style, expected) in styles {
            XCTAssertEqual(StoryText(source).style, style, source)
            XCTAssertEqual(quotations(source), expected, source)
        }
    }

    /// French closes no speech that begins with a dash: the clause between tells where it ends.
    func testFrenchSpeechIsCutAtItsInsertedClauses() {
        let cases: [(String, [String])] = [
            ("— Entrez, dit Jean.", ["— Entrez,"]),
            ("— Non, répondit-elle. C'est trop tard.", ["— Non,", "C'est trop tard."]),
            ("— Où est-il ? demanda-t-elle en riant. Ici ?", ["— Où est-il ?", "Ici ?"]),
            ("— Demain, reprit-il, ou plus tard.", ["— Demain,", "ou plus tard."]),
            ("— Oh ! fit alors la vieille dame. Vous !", ["— Oh !", "Vous !"]),
            (
                "— Il vint, prit Jean par la main, et partit.",
                ["— Il vint, prit Jean par la main, et partit."]
            ),
            ("— Faisons, dit la paix, ce qui plaît.", ["— Faisons, dit la paix, ce qui plaît."]),
            ("— Peut-être vient-il, dis-je.", ["— Peut-être vient-il,"]),
        ]
        for (source, expected) in cases {
            let text = StoryText(
                "CHAPITRE PREMIER\n\n\(source)\n", style: .dash, language: "fr-FR")
            XCTAssertEqual(
                text.spans.filter { $0.kind == .quotation }.map { text.text(of: $0.range) },
                expected, source)
        }
    }

    /// A heading is no beginning of the sentence that a few quoted words go on with.
    func testAShortQuotationAfterAHeadingIsSpeech() {
        XCTAssertEqual(quotations("Erstes Kapitel\n\n»Herein«\n\nEr trat ein.\n"), ["»Herein«"])
    }

    func testApostrophesEndNoQuotation() {
        XCTAssertEqual(
            quotations("'The boys' books aren't here,' he said. 'Ask 'em.'"),
            ["'The boys' books aren't here,'", "'Ask 'em.'"])
        XCTAssertEqual(
            quotations("‘’Tis the ladies’ carriage,’ said he.", .singleCurly),
            ["‘’Tis the ladies’ carriage,’"])
        XCTAssertEqual(
            quotations("`Oh dear!' said Alice. `It's late.'", .singleStraight),
            ["`Oh dear!'", "`It's late.'"])
    }

    func testAQuotationInsideOfAnotherIsPartOfIt() {
        XCTAssertEqual(
            quotations("“He said ‘go’ and I went,” said Ann."), ["“He said ‘go’ and I went,”"])
        XCTAssertEqual(
            quotations("“He said “go” and I went,” said Ann."), ["“He said “go” and I went,”"])
    }

    func testAQuotationThatGoesOnInTheNextParagraphIsMarkedSo() {
        let text = StoryText("“One.\n\n“Two,” said Ann.\n\n“Three.”")
        let spans = text.spans.filter { $0.kind == .quotation }
        XCTAssertEqual(
            spans.map { text.text(of: $0.range) }, ["“One.", "“Two,”", "“Three.”"])
        XCTAssertEqual(spans.map(\.continues), [false, true, false])
    }

    func testAMissingMarkCostsOneParagraph() {
        XCTAssertEqual(
            quotations("“Yes, said Ann.\n\nThey went home.\n\n“Good,” said Bob."),
            ["“Yes, said Ann.", "“Good,”"])
        XCTAssertEqual(
            quotations("“Yes, I do. “And you?” asked Bob."), ["“Yes, I do.", "“And you?”"])
    }

    func testWordsThatAreOnlyPutInMarksAreNoSpeech() {
        XCTAssertEqual(
            quotations("His so-called “friends” left the “Swan” early. “Well,” said Ann."),
            ["“Well,”"])
        XCTAssertEqual(
            quotations("She said “yes” and left. “Well,” said Ann."), ["“yes”", "“Well,”"])
    }

    func testParagraphsAreFoundInEveryLayout() {
        let wrapped = "“Yes,” said Ann, who had\r\nwaited.\r\n\r\n“No,” said Bob.\r\n"
        XCTAssertEqual(StoryText(wrapped).paragraphs.count, 2)
        let long = String(repeating: "He walked on and on without a word. ", count: 5)
        XCTAssertEqual(StoryText("\(long)\n“Yes,” said Ann.\n\(long)").paragraphs.count, 3)
        let talk =
            "Ann looked up from her book.\n“Tea?”\n“Yes,” said Bob.\n“Then put the kettle on.”\n"
        XCTAssertEqual(StoryText(talk).paragraphs.count, 4)
    }
}
