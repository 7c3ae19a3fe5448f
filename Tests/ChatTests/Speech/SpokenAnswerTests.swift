import TestSupport
import XCTest

@testable import ChatKit

final class SpokenAnswerTests: XCTestCase {
    private func texts(_ markdown: String) -> [String] {
        SpokenAnswer.sentences(of: markdown).map(\.text)
    }

    func testWhatIsStruckThroughIsNotSaid() {
        XCTAssertEqual(
            texts("The talk is on ~~Monday~~ Tuesday, ~~in [room 4](https://example.com)~~."),
            ["The talk is on Tuesday, ."])
        XCTAssertEqual(texts("~~All of it is void.~~"), [])
        XCTAssertEqual(texts("- ~~milk~~\n- 5~10 or ~ 7"), ["5~10 or ~ 7"])
    }

    private let answer = """
        # A *short* plan

        First, read [the guide](https://example.com/guide). Then open
        https://www.example.com/a/b?c=1 or <https://swift.org>. It's **very
        important. Really!** And `make test` helps.

        - Wash the car
        - [x] Buy milk 🥛 today
          1. from Dr. Smith's

        > Quoted. Twice.

        ```swift
        let a = 1

        print(a)
        ```

        | Name | Age |
        |------|-----|
        | Ann  | 5   |
        | Bob  |     |

        ![A cat on a mat](cat.png) $5 and $6 are money.
        Text[^1] with <b>tags</b> and a source【3†file】. ✅ Done ❤️

        [^1]: A note.

        <div>no</div>

        ***

        ~~~
        one
        ~~~
        Line one\\
        line two
        """

    func testAnAnswerIsReadAsAPersonWouldReadIt() {
        XCTAssertEqual(
            texts(answer),
            [
                "A short plan", "First, read the guide.", "Then open example.com or swift.org.",
                "It's very important.", "Really!", "And make test helps.", "Wash the car",
                "Done: Buy milk today", "from Dr. Smith's", "Quoted.", "Twice.",
                "A code block in Swift, 3 lines.", "Name: Ann, Age: 5.", "Name: Bob.",
                "A cat on a mat $5 and $6 are money.",
                "Text with tags and a source.", "Done", "Footnote: A note.",
                "A code block, 1 line.", "Line one", "line two",
            ])
    }

    func testPausesFollowWhatEnded() {
        XCTAssertEqual(
            SpokenAnswer.sentences(of: "# Title\nOne. Two.\n\n- item\n"),
            [
                SpokenSentence("Title", pause: 0.7), SpokenSentence("One.", pause: 0.3),
                SpokenSentence("Two.", pause: 0.6), SpokenSentence("item", pause: 0.4),
            ])
    }

    func testEveryCutGivesTheSameSentences() {
        let text =
            answer + "\n\n" + String(repeating: "a b *c. d. ", count: 150) + "*\r\n| x. y |\n"
        let whole = SpokenAnswer.sentences(of: text)
        let scalars = Array(text.unicodeScalars)
        var random = SplitMix(seed: 3)
        for round in 0..<6 {
            var answer = SpokenAnswer()
            var found: [SpokenSentence] = []
            var at = 0
            while at < scalars.count {
                let step = round == 0 ? 1 : Int.random(in: 1...(round * 7), using: &random)
                var piece = String.UnicodeScalarView()
                piece.append(contentsOf: scalars[at..<min(scalars.count, at + step)])
                found += answer.feed(String(piece))
                at += step
            }
            XCTAssertEqual(found + answer.finish(), whole, "round \(round)")
        }
    }

    func testASentenceOfALongLineIsReadWhileTheLineGoesOn() {
        var answer = SpokenAnswer()
        XCTAssertEqual(answer.feed("It **rains. A lot.** Sure"), [])
        XCTAssertEqual(
            answer.feed(". We st").map(\.text), ["It rains.", "A lot."])
        XCTAssertEqual(answer.feed("ay in").map(\.text), [])
        XCTAssertEqual(answer.finish().map(\.text), ["Sure.", "We stay in"])
        XCTAssertEqual(answer.feed("- One. Two. T"), [SpokenSentence("One.")])
        XCTAssertEqual(
            answer.finish(), [SpokenSentence("Two."), SpokenSentence("T", pause: 0.4)])
    }

    func testLargeTablesAreNamed() {
        let row = "|" + String(repeating: " x |", count: 5) + "\n"
        let line = "|" + String(repeating: "---|", count: 5) + "\n"
        XCTAssertEqual(
            texts(row + line + String(repeating: row, count: 20)),
            ["A table of 5 columns and 20 rows."])
        XCTAssertEqual(texts("| a. b | c |\n|---|---|\n"), ["a. b, c."])
    }

    func testLanguagesOfCodeAreNamedAndStrangeWordsAreNot() {
        func code(_ info: String) -> String { texts("```\(info)\nx\ny\n```\n").joined() }
        XCTAssertEqual(code("js"), "A code block in JavaScript, 2 lines.")
        XCTAssertEqual(code("Brainfuck title=\"x\""), "A code block in Brainfuck, 2 lines.")
        XCTAssertEqual(code("text"), "A code block, 2 lines.")
        XCTAssertEqual(code("{.x}"), "A code block, 2 lines.")
    }

    func testWhatStandsForCodeAndTablesIsSaidInTheLanguageOfTheVoice() {
        let text =
            "- [x] a ok\n- [ ] b\n\n```sh\nx\n```\n\n"
            + "|1|2|3|4|5|\n|-|-|-|-|-|\n|1|2|3|4|5|\n\n[^1]: c d.\n"
        let expected: [SpokenPhrases.Language: [String]] = [
            .en: [
                "Done: a ok", "To do: b", "A code block in shell, 1 line.",
                "A table of 5 columns and 1 row.", "Footnote: c d.",
            ],
            .de: [
                "Erledigt: a ok", "Zu tun: b", "Ein Codeblock in shell, 1 Zeile.",
                "Eine Tabelle mit 5 Spalten und 1 Zeile.", "Fußnote: c d.",
            ],
            .fr: [
                "Fait : a ok", "À faire : b", "Un bloc de code en shell, 1 ligne.",
                "Un tableau de 5 colonnes et 1 ligne.", "Note : c d.",
            ],
            .es: [
                "Hecho: a ok", "Por hacer: b", "Un bloque de código en shell, 1 línea.",
                "Una tabla de 5 columnas y 1 fila.", "Nota: c d.",
            ],
            .it: [
                "Fatto: a ok", "Da fare: b", "Un blocco di codice in shell, 1 riga.",
                "Una tabella di 5 colonne e 1 riga.", "Nota: c d.",
            ],
        ]
        for (language, words) in expected {
            XCTAssertEqual(
                SpokenAnswer.sentences(of: text, SpokenPhrases(language)).map(\.text), words)
        }
        func language(_ voice: String?, _ lang: String) -> SpokenPhrases.Language {
            SpokenPhrases(voice: voice, variables: ["LANG": lang]).language
        }
        XCTAssertEqual(language("de+f3", "en_US.UTF-8"), .de)
        XCTAssertEqual(language(nil, "it_IT.UTF-8"), .it)
        XCTAssertEqual(language("nova", "es_MX.UTF-8"), .es)
        XCTAssertEqual(language("fr-be", ""), .fr)
        XCTAssertEqual(language("pl", "de_DE.UTF-8"), .en)
    }

    func testAPauseGivesOutWhatIsCompleteAndTheRestFollowsAsItWas() {
        var answer = SpokenAnswer()
        XCTAssertEqual(answer.feed("It rains. Take an umbrella."), [])
        XCTAssertEqual(answer.pause().map(\.text), ["It rains.", "Take an umbrella."])
        XCTAssertEqual(answer.pause(), [])
        XCTAssertEqual(answer.feed(" Ask Dr."), [])
        XCTAssertEqual(answer.pause(), [])
        XCTAssertEqual(answer.feed(" Bond. It is version 3."), [])
        XCTAssertEqual(answer.pause().map(\.text), ["Ask Dr. Bond."])
        XCTAssertEqual(
            answer.feed("14 now!\n\nNew **bold. Still"),
            [
                SpokenSentence("It is version 3.14 now!", pause: 0.6)
            ])
        XCTAssertEqual(answer.pause(), [])
        XCTAssertEqual(answer.finish().map(\.text), ["New **bold.", "Still"])
        // The head of a table is one line, and a heading is none of prose.
        XCTAssertEqual(answer.feed("| a. b. |"), [])
        XCTAssertEqual(answer.pause(), [])
        XCTAssertEqual(answer.feed(" x |\n|--|--|\n| 1 | 2 |\n").map(\.text), [])
        XCTAssertEqual(answer.finish().map(\.text), ["a. b.: 1, x: 2."])
    }

    func testALongLineWithAStrayMarkTakesBoundedTime() {
        let stray = "*" + String(repeating: "It goes on. ", count: 15_000)
        let time = ProcessorTime.measure {
            XCTAssertEqual(texts(stray).count, 15_000)
        }
        XCTAssertLessThan(time, .seconds(20))
    }
}
