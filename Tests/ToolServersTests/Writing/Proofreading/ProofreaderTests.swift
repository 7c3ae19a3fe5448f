import Foundation
import TestSupport
import XCTest

@testable import Texts

final class ProofreaderTests: XCTestCase {
    private func proofread(
        _ text: String, language: String? = nil, words: [String] = [], speller: Speller? = nil
    ) async throws -> String {
        let proofreader = Proofreader(speller: speller, ownWords: { OwnWords(words) })
        return Correction.applied(
            try await proofreader.corrections(in: text, language: language), to: text
        ).text
    }

    // MARK: - Language

    func testEnglishRulesAreNeverAppliedToAnotherLanguage() async throws {
        for text in [
            "Ich habe i was gesehen , die die a apple nicht kennen.",
            "Er sagte, dass die die Tür öffneten, alt sind, und er dont kam.",
            "Le chat est est sur la table , et il i dort.",
            "Hij was in in de tuin en at an banaan.",
            "El gato i el perro , a a la casa.",
        ] {
            let found = try await proofread(text)
            XCTAssertEqual(found, text)
        }
    }

    func testOnlyTheEnglishPartsOfATextAreProofread() async throws {
        let found = try await proofread(
            "This is teh first part of the text.\n\nDas ist i der zweite teh Teil , und er ist lang.\n"
        )
        XCTAssertEqual(
            found,
            "This is the first part of the text.\n\nDas ist i der zweite teh Teil , und er ist lang.\n"
        )
    }

    func testTheLanguageCanBeGiven() async throws {
        let guessed = try await proofread("Kein teh hier.")
        XCTAssertEqual(guessed, "Kein teh hier.")
        let english = try await proofread("Kein teh hier.", language: "en_GB")
        XCTAssertEqual(english, "Kein the hier.")
        let french = try await proofread("teh cat is here, and it is mine.", language: "fr")
        XCTAssertEqual(french, "teh cat is here, and it is mine.")
    }

    func testLanguagesAreGuessed() {
        let texts: [(String, LanguageGuess.Language?)] = [
            ("The weather is fine and we are going for a walk.", .english),
            ("teh cat sat.", .english),
            ("Birds fly south every winter.", .english),
            ("Das Wetter ist schön und wir gehen spazieren.", .german),
            ("Kannst du mir bitte das Buch geben?", .german),
            ("Il fait beau et nous allons nous promener dans le parc.", nil),
            ("Het weer is mooi en we gaan wandelen in het park.", nil),
            ("Hoy hace buen tiempo y vamos al parque.", nil),
            ("Vädret är fint och vi ska gå ut i parken.", nil),
            ("Pogoda jest ładna i idziemy na spacer do parku.", nil),
            ("O tempo está bom e nós vamos ao parque.", nil),
            ("今日は天気がいいです。", nil),
            ("Сегодня хорошая погода, и мы идём гулять.", nil),
            ("xyzzy plugh", nil),
            ("", nil),
        ]
        for (text, expected) in texts {
            XCTAssertEqual(LanguageGuess.language(of: text), expected, text)
        }
    }

    // MARK: - What is left alone

    func testProtectedSpansStayByteForByte() async throws {
        let text = """
            ---
            title: teh the the
            ---
            # teh title

            This is `teh code` and teh text, see https://example.org/teh/teh and <b teh>.

            > teh quote quote i said

            ```
            teh  teh ,
            ```

            Fill in {{teh}}. Then go  on .

            """
        let found = try await proofread(text)
        XCTAssertEqual(
            found,
            """
            ---
            title: teh the the
            ---
            # the title

            This is `teh code` and the text, see https://example.org/teh/teh and <b teh>.

            > teh quote quote i said

            ```
            teh  teh ,
            ```

            Fill in {{teh}}. Then go on.

            """)
    }

    func testOwnWordsAreRight() async throws {
        let plain = try await proofread("We definately use alot here, and the the rest.")
        XCTAssertEqual(plain, "We definitely use a lot here, and the rest.")
        let own = try await proofread(
            "We definately use alot here, and the the rest.", words: ["Definately", "alot"])
        XCTAssertEqual(own, "We definately use alot here, and the rest.")
    }

    func testOwnWordsAreReadFromAFile() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/words"
        XCTAssertEqual(OwnWords.read(path), OwnWords())
        try Data("# mine\nfrobnicate\n\n  Zettelkasten # a box\r\nit’s\n".utf8).write(
            to: URL(fileURLWithPath: path))
        XCTAssertEqual(OwnWords.read(path), OwnWords(["frobnicate", "zettelkasten", "it's"]))
        XCTAssertEqual(OwnWords.read(folder.path), OwnWords())
    }

    func testLineEndingsAndAFinalNewlineStay() async throws {
        let found = try await proofread("teh cat is here.\r\n\r\nIt is teh dog.")
        XCTAssertEqual(found, "The cat is here.\r\n\r\nIt is the dog.")
    }

    // MARK: - Corrections

    func testSeveralCorrectionsOfOnePlaceAreOne() async throws {
        let text = "It rained. teh  the cat was was a orange one."
        let corrections = try await Proofreader(speller: nil).corrections(in: text)
        XCTAssertEqual(
            Correction.applied(corrections, to: text).text,
            "It rained. The cat was an orange one.")
        for (one, next) in zip(corrections, corrections.dropFirst()) {
            XCTAssertLessThanOrEqual(one.range.upperBound, next.range.lowerBound)
        }
        XCTAssertEqual(corrections.count, 3)
    }

    func testUnmatchedSignsAreReportedOnly() async throws {
        let text = "This is (not closed, and it is left as it is."
        let result = try await Proofreader(speller: nil).proofread(text)
        XCTAssertEqual(result.corrections, [])
        XCTAssertEqual(
            result.remarks, [ProofreadingRemark(kind: .unmatched, range: 8..<9, text: "(")])
        XCTAssertEqual(result.language, "en")
        let fine = try await Proofreader(speller: nil).proofread(
            "This is (all) closed [here], \"and here\", isn't it? 1) one, or so :)")
        XCTAssertEqual(fine.remarks, [])
    }

    // MARK: - Any text

    /// Words, marks and bytes that the rules look at, in any order.
    private static let pieces = [
        "the", "The", "teh", "a", "an", "A", "i", "I'm", "im", "its", "it's", "your", "you're",
        "their", "there", "could", "of", "been", "alot", "apple", "hour", "unit", "then", "than",
        "better", "if", "dont", "DONT", "Dont", "monday", "is", "was", "had", "that", "and", "but",
        "cat", "meeting", "recieve", "recieved", "e.g.", "i.e.", "Mr.", "foo.txt", "v1.2", "x_y",
        "camelCase", "`teh`", "https://a.b/teh", "{{x}}", "--dont", "3", "8", "11", "80%", "$5",
        "naïve", "Straße", "日本", "😀", "é", "’", "“", "”", "—", "…",
    ]
    private static let marks = [
        " ", " ", " ", " ", " ", " ", "  ", "   ", "\n", "\r\n", "\n\n", ", ", " , ", ". ", " . ",
        "! ", "!! ", "? ", "?? ", ",, ", ".. ", "... ", "; ", ": ", " (", ") ", " \"", "\" ", " '",
        "\t", "\u{A0}", "-", "\n- ", "\n1. ", "\n# ", "\n> ", "\n```\n", "\n| ", ",", ".", "",
    ]

    func testAnyTextIsSettledAfterOneRunAndItsRangesFit() async throws {
        var random = SplitMix(seed: 14)
        let proofreader = Proofreader(speller: nil)
        for round in 0..<500 {
            var text = ""
            for _ in 0..<Int.random(in: 1...60, using: &random) {
                text += Self.pieces.randomElement(using: &random) ?? ""
                text += Self.marks.randomElement(using: &random) ?? ""
            }
            let language = round % 3 == 0 ? nil : "en"
            let corrections = try await proofreader.corrections(in: text, language: language)
            var end = 0
            for correction in corrections {
                XCTAssertLessThanOrEqual(end, correction.range.lowerBound, text)
                end = correction.range.upperBound
                XCTAssertLessThanOrEqual(end, text.utf8.count, text)
                for offset in [correction.range.lowerBound, correction.range.upperBound] {
                    let index = text.utf8.index(text.utf8.startIndex, offsetBy: offset)
                    XCTAssertNotNil(index.samePosition(in: text.unicodeScalars), text)
                }
            }
            let (once, count) = Correction.applied(corrections, to: text)
            XCTAssertEqual(count, corrections.count, "a protected span was touched in \(text)")
            XCTAssertNil(ProtectedText(text).violation(in: once), text)
            let again = try await proofreader.corrections(in: once, language: language)
            XCTAssertEqual(again, [], "seed 14, round \(round): \(text)\n→ \(once)")
        }
    }

    func testAnyBytesAreGuessedAndProofreadWithoutATrap() async throws {
        var random = SplitMix(seed: 15)
        let proofreader = Proofreader(speller: nil)
        for _ in 0..<300 {
            let bytes = (0..<Int.random(in: 0...400, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            _ = LanguageGuess.language(of: text)
            let corrections = try await proofreader.corrections(in: text, language: "en")
            _ = Correction.applied(corrections, to: text)
        }
    }
}
