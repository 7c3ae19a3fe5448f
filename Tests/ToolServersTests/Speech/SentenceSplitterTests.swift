import Sound
import TestSupport
import XCTest

final class SentenceSplitterTests: XCTestCase {
    private func texts(_ text: String) -> [String] {
        SentenceSplitter.sentences(of: text).map(\.text)
    }

    /// Each line is a sentence of its own.
    private let lines = [
        "Hello there.", "Dr. Who met Mrs. J. R. Smith at 3.15 p.m. on the pier.",
        "It costs 4.50 or so.", "Is it?", "Yes!", "“Really?” he said.", "\"Of course.\"",
        "See https://example.com/a.b?c=d. for more.", "Use e.g. Swift, i.e. this.",
        "Wait... what?", "And then…", "Nobody knew.", "The U.S. Army came.",
        "He lives in the U.S.", "She does not.", "So do I.", "Version 1.2.3 is out.",
        "Am 5. Mai kam z. B. Frau Dr. Maier.", "Das war im 19. Jahrhundert (vgl. S. 12).",
        "Nr. 5 lebt.", "See vol. II of it.", "Das ist Dr. med. Maier.", "Er wohnt Hauptstr. 5.",
        "Das ist die Hauptstr.", "¿Qué pasa, Sr. López?", "¡Nada!", "Voir p. 12.", "No.",
        "It ended at 5.",
        "Then it rained.", "Really?!", "(Yes.)", "Well, etc.", "Good.",
    ]

    func testAbbreviationsNumbersAndInitialsDoNotEndASentence() {
        XCTAssertEqual(texts(lines.joined(separator: " ")), lines)
    }

    func testLanguagesWithoutSpacesAndWithOtherMarksAreCut() {
        XCTAssertEqual(
            texts("今日は。元気ですか？はい！「そうですか。」よし"),
            ["今日は。", "元気ですか？", "はい！", "「そうですか。」", "よし"])
        XCTAssertEqual(
            texts("كيف حالك؟ بخير. यह है। ठीक"), ["كيف حالك؟", "بخير.", "यह है।", "ठीक"])
    }

    func testABlankLineEndsAParagraphAndASingleOneDoesNot() {
        XCTAssertEqual(
            SentenceSplitter.sentences(of: "A title\r\n\r\nfirst line\nsecond line. End.\n\n\n"),
            [
                .init("A title", .paragraph), .init("first line second line."),
                .init("End.", .paragraph),
            ])
    }

    func testNothingThatCanBeSaidGivesNothing() {
        for text in ["", " \n\n ", "...", "—!?", "\u{0}\u{7}\u{1B}", "* * *"] {
            XCTAssertEqual(texts(text), [], text)
        }
    }

    func testControlAndInvisibleCharactersDoNotPass() {
        XCTAssertEqual(texts("a\u{0}b\u{1B}[31mc\u{202E}d\u{FEFF}e\u{1}f"), ["ab[31mcdef"])
    }

    func testLongTextIsCutAtCommasElseAtSpacesElseAnywhere() {
        let commas = String(repeating: "and on it goes, ", count: 60)
        let spaces = String(repeating: "word ", count: 200)
        let solid = String(repeating: "x", count: 1000)
        let wide = String(repeating: "長い文が続いて、", count: 100)
        let joined = String(repeating: "e\u{301}", count: 500)
        for text in [commas, spaces, solid, wide, joined] {
            let sentences = SentenceSplitter.sentences(of: text)
            XCTAssertTrue(
                sentences.allSatisfy { $0.text.unicodeScalars.count <= SentenceSplitter.limit })
            XCTAssertTrue(sentences.dropLast().allSatisfy { $0.end == .cut })
            XCTAssertEqual(
                sentences.map(\.text).joined().filter { $0 != " " }, text.filter { $0 != " " })
        }
        XCTAssertTrue(
            SentenceSplitter.sentences(of: commas).dropLast().allSatisfy { $0.text.last == "," })
        XCTAssertTrue(texts(spaces).allSatisfy { $0.hasPrefix("word") && $0.hasSuffix("word") })
    }

    func testEveryCutOfTheTextGivesTheSameSentences() {
        var text = lines.joined(separator: " ") + "\n\n今日は。はい！ " + "no end " + "e\u{301}…\n"
        text += String(repeating: "and on, ", count: 50) + String(repeating: "!", count: 400)
        for limit in [40, 300] {
            let whole = SentenceSplitter.sentences(of: text, limit: limit)
            let scalars = Array(text.unicodeScalars)
            var random = SplitMix(seed: 5)
            for round in 0..<40 {
                var splitter = SentenceSplitter(limit: limit)
                var found: [SentenceSplitter.Sentence] = []
                var at = 0
                while at < scalars.count {
                    let step = round == 0 ? 1 : Int.random(in: 1...(round * 3), using: &random)
                    let end = min(scalars.count, at + step)
                    var piece = String.UnicodeScalarView()
                    piece.append(contentsOf: scalars[at..<end])
                    found += splitter.feed(String(piece))
                    at = end
                }
                XCTAssertEqual(found + splitter.finish(), whole, "limit \(limit), round \(round)")
            }
        }
    }

    func testASentenceIsGivenOutAsSoonAsTheNextWordShowsItsEnd() {
        var splitter = SentenceSplitter()
        XCTAssertEqual(splitter.feed("It rains. "), [])
        XCTAssertEqual(splitter.feed("W"), [])
        XCTAssertEqual(splitter.feed("e stay"), [.init("It rains.")])
        XCTAssertEqual(splitter.finish(), [.init("We stay", .paragraph)])
    }

    func testAMegabyteWithoutAPeriodTakesNoQuadraticTime() {
        let text = String(repeating: "word ", count: 200_000)
        let time = ProcessorTime.measure {
            XCTAssertGreaterThan(texts(text).count, 3_000)
        }
        XCTAssertLessThan(time, .seconds(20))
    }
}
