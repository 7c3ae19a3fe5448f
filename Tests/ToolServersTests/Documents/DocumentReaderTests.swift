import Base
import Foundation
import TestSupport
import XCTest

@testable import Documents

final class DocumentReaderTests: XCTestCase {
    private let reader = DocumentReader(variables: ProcessInfo.processInfo.environment)

    private func read(_ text: String, ending: String = "txt") async throws -> ReadDocument {
        try await reader.read(Array(text.utf8), ending: ending, shown: "a.\(ending)")
    }

    private func titles(_ document: ReadDocument) -> [String] { document.chapters.map(\.title) }

    // MARK: - Encodings

    func testPlainTextIsKeptByteForByte() async throws {
        let text = "\r\n One\r\n\ttwo  \r\n\r\n\u{C}three, “é” \r\n\r\n"
        let document = try await read(text)
        XCTAssertEqual(Array(document.text.utf8), Array(text.utf8))
    }

    func testEveryEncodingIsText() async throws {
        let text = "“Où?” said Zoë – naïve."
        let utf16 = Array(text.utf16)
        let little = utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let windows: [UInt8] =
            [0x93] + Array("O".utf8) + [0xF9] + Array("?".utf8) + [0x94] + Array(" said Zo".utf8)
            + [0xEB, 0x20, 0x96] + Array(" na".utf8) + [0xEF] + Array("ve.".utf8)
        for bytes in [
            Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), [0xFF, 0xFE] + little,
            [0xFE, 0xFF] + big, windows,
        ] {
            let read = try await reader.read(bytes, shown: "x")
            XCTAssertEqual(read.text, text)
        }
        let plain = Array("No mark, and only Latin letters.".utf8)
        let marked: [[UInt8]] = [plain.flatMap { [$0, 0] }, plain.flatMap { [0, $0] }]
        for bytes in marked {
            let read = try await reader.read(bytes, shown: "x")
            XCTAssertEqual(read.text, "No mark, and only Latin letters.")
        }
    }

    /// Texts and pages of before UTF-8, encoded by Python's own tables.
    func testOtherAlphabetsAreReadInTheirOldEncodings() async throws {
        let texts = [
            "Он вошёл в комнату и сказал: \"Здравствуйте, Анна Петровна!\" - и поклонился.\n":
                ["cp1251", "koi8-r", "iso8859-5", "cp866"],
            "「それは何ですか」とアリスは言った。ウサギは時計を見て走って行きました。\n": ["cp932", "euc_jp"],
            "他说：“你是谁？”她没有说话，只是看着他，过了一会儿才说：“我不知道。”\n": ["gb18030"],
            "他說：「你是誰？」她沒有說話，只是看著他，過了一會兒才說：「我不知道。」\n": ["big5"],
            "그는 방에 들어와서 말했다. “안녕하세요, 안나 씨.” 그리고 고개를 숙였다.\n": ["cp949"],
            "Μπήκε στο δωμάτιο και είπε: «Καλημέρα, κυρία Άννα», και έσκυψε το κεφάλι.\n": [
                "cp1253"
            ],
        ]
        for (line, encodings) in texts {
            let text = String(repeating: line, count: 5)
            for encoding in encodings {
                let hex = try Python.run(
                    "import sys; print(sys.argv[1].encode(sys.argv[2]).hex())",
                    arguments: [text, encoding])
                let bytes = stride(from: 0, to: hex.count - 1, by: 2).compactMap { at in
                    UInt8(hex.dropFirst(at).prefix(2), radix: 16)
                }
                let read = try await reader.read(bytes, ending: "txt", shown: "a.txt")
                XCTAssertEqual(read.text, text, encoding)
                let page = Array("<html><meta charset=\"\(encoding)\"><p>".utf8) + bytes
                if ["cp1251", "koi8-r", "gb18030", "big5", "cp1253"].contains(encoding) {
                    let shown = try await reader.read(page, ending: "html", shown: "a.html")
                    XCTAssert(shown.text.hasPrefix(line.dropLast()), encoding)
                }
            }
        }
    }

    func testAPageInAnEncodingThatIsNotKnownIsNamed() async throws {
        let page =
            Array("<html><meta charset=\"x-mac-ce\"><p>".utf8) + [0xC4, 0xC1] + Array("</p>".utf8)
        let failed = await failure {
            try await self.reader.read(page, ending: "html", shown: "a.html")
        }
        XCTAssertEqual(failed?.what, "a.html: decoding failed because it is written in x-mac-ce.")
        let latin = Array("<html><meta charset=\"iso-8859-1\"><p>caf".utf8) + [0xE9]
        let read = try await reader.read(latin, ending: "html", shown: "a.html")
        XCTAssertEqual(read.text, "café")
    }

    func testWhatAPageHidesIsNotRead() async throws {
        let document = try await read(
            """
            <html><body><p>One.</p><p style="Display: none">Two.</p><p aria-hidden="true">Three.</p>
            <div hidden>Four.</div><p style="visibility:hidden">Five.</p><p>Six.</p></body></html>
            """, ending: "html")
        XCTAssertEqual(document.text, "One.\n\nSix.")
    }

    // MARK: - Errors

    func testWhatIsNoTextSaysWhatItIs() async throws {
        func what(_ bytes: [UInt8]) async -> String? {
            let failed = await failure { try await self.reader.read(bytes, shown: "a") }
            XCTAssertEqual(failed?.exit, .failure)
            return failed?.what
        }
        var said = await what([])
        XCTAssertEqual(said, "a: reading failed because it is empty.")
        said = await what(Array(" \n\t\n".utf8))
        XCTAssertEqual(said, "a: reading failed because it is empty.")
        said = await what([0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3])
        XCTAssertEqual(said, "a: decoding failed because it is not text.")
        said = await what([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A])
        XCTAssertEqual(said, "a: decoding failed because it is a picture.")
        said = await what(Array("<html><body><img src='x'></body>".utf8))
        XCTAssertEqual(said, "a: finding the text failed because there is no text in it.")
        said = await what(Array("one\n".utf8) + Array(repeating: 0x61, count: 2 << 20))
        XCTAssertEqual(said, "a: finding the text failed because line 2 is 2 MB long.")
        let longest = try? await reader.read(Array(repeating: 0x61, count: 1 << 20), shown: "a")
        XCTAssertEqual(longest?.text.utf8.count, 1 << 20)
    }

    // MARK: - Gutenberg

    private static let gutenberg = """
        The Project Gutenberg eBook of The Tide

        Title: The Tide

        Author: Ada Lee

        *** START OF THE PROJECT GUTENBERG EBOOK THE TIDE,
        A TALE ***

        THE TIDE

        CONTENTS

         CHAPTER I.     The Sea
         CHAPTER II.    The Land


        CHAPTER I.
        The Sea

        It rose.

        CHAPTER II.
        The Land

        It fell.



        *** END OF THE PROJECT GUTENBERG EBOOK THE TIDE, A TALE ***

        Updated editions will replace the previous one.
        """

    func testTheWordsOfTheProjectAreCutAndRead() async throws {
        let document = try await read(Self.gutenberg)
        XCTAssert(document.text.hasPrefix("THE TIDE\n\nCONTENTS"), document.text)
        XCTAssert(document.text.hasSuffix("It fell.\n"), document.text)
        XCTAssertEqual(document.title, "The Tide")
        XCTAssertEqual(document.author, "Ada Lee")
        XCTAssertEqual(titles(document), ["CHAPTER I. The Sea", "CHAPTER II. The Land"])
        let crlf = try await read(Self.gutenberg.replacingOccurrences(of: "\n", with: "\r\n"))
        XCTAssertEqual(crlf.text, document.text.replacingOccurrences(of: "\n", with: "\r\n"))
        XCTAssertEqual(titles(crlf), titles(document))
        let unmarked = try await read("It is by Project Gutenberg, he said.\n")
        XCTAssertEqual(unmarked.text, "It is by Project Gutenberg, he said.\n")
    }

    // MARK: - Chapters

    func testHeadingsOfPlainTextAreFoundAndSentencesAreNot() async throws {
        let document = try await read(
            """
            The Tide
            by Ada Lee

            PROLOGUE

            Chapter of the sea: none of it is a heading.

            Part One: The Sea

            Chapter One

            The Storm

            "I said chapter two was bad," she said.

            Chapter Two

            Chapter three is where he died.

            Part Two

            Chapter the First

            It went on.

            Epilogue

            It ended.
            """)
        XCTAssertEqual(
            titles(document),
            [
                "PROLOGUE", "Part One: The Sea", "Chapter One. The Storm", "Chapter Two",
                "Part Two", "Chapter the First", "Epilogue",
            ])
        XCTAssertEqual(document.title, "The Tide")
        XCTAssertEqual(document.author, "Ada Lee")
    }

    func testNumbersAreChaptersOnlyInARow() async throws {
        let novel = try await read("I\n\nOne day.\n\nII\n\nTwo.\n\nIII\n\nThree.\n\nV\n\nNo.\n")
        XCTAssertEqual(titles(novel), ["I", "II", "III"])
        let letter = try await read("It was 1984.\n\nI\n\nI did it.\n\n4. Buy milk\n")
        XCTAssertEqual(titles(letter), [])
        let stories = try await read(
            "I. A SCANDAL IN BOHEMIA\n\nx.\n\nII. THE RED-HEADED LEAGUE\n\ny.\n\nIII. A CASE\n\nz.\n"
        )
        XCTAssertEqual(
            titles(stories),
            ["I. A SCANDAL IN BOHEMIA", "II. THE RED-HEADED LEAGUE", "III. A CASE"])
    }

    func testPartsAndSectionsAreToldFromChapters() async throws {
        let tale = try await read(
            """
            Book the First--Recalled to Life

            I. The Period

            It was the best of times.

            II. The Mail

            It was the road.

            III. The Night Shadows

            A fact.

            Book the Second—the Golden Thread

            I. Five Years Later

            The bank.
            """)
        XCTAssertEqual(
            titles(tale),
            [
                "Book the First--Recalled to Life", "I. The Period", "II. The Mail",
                "III. The Night Shadows", "Book the Second—the Golden Thread",
                "I. Five Years Later",
            ])
        let cases = try await read(
            """
            I. A SCANDAL

            I.

            To him.

            II.

            At three.

            II. THE LEAGUE

            I had called.

            III. A CASE

            He sat.
            """)
        XCTAssertEqual(titles(cases), ["I. A SCANDAL", "II. THE LEAGUE", "III. A CASE"])
        let french = try await read(
            "VOLUME I—FANTINE\n\nCHAPTER I—M. MYRIEL\n\nx\n\nLetter 1\n\n_To Ida._\n\ny\n")
        XCTAssertEqual(
            titles(french), ["VOLUME I—FANTINE", "CHAPTER I—M. MYRIEL", "Letter 1. To Ida."])
    }

    func testThePageOfATitleAndOfContentsIsNoChapter() async throws {
        let document = try await read(
            """
            <html><h1>The Tide</h1><h2>by Ada Lee</h2><h2>Contents</h2><p>1 2</p>
            <h2>One</h2><p>x</p><h2>Two</h2><p>y</p></html>
            """, ending: "html")
        XCTAssertEqual(titles(document), ["One", "Two"])
        XCTAssertEqual(document.title, "The Tide")
    }

    func testOtherLanguagesHaveChapters() async throws {
        let german = try await read("Erstes Kapitel\n\nEs war.\n\nZweites Kapitel\n\nEs ging.\n")
        XCTAssertEqual(titles(german), ["Erstes Kapitel", "Zweites Kapitel"])
        let french = try await read("CHAPITRE PREMIER\n\nx\n\nCHAPITRE II\n\ny\n")
        XCTAssertEqual(titles(french), ["CHAPITRE PREMIER", "CHAPITRE II"])
    }

    func testNumbersAloneContinueThoseOfNamedChapters() async throws {
        for (lines, expected) in [
            ("C PREMIER|Un.|II|Deux.|III|Trois.", "C PREMIER|II|III"),
            ("C I.|Un.|C II.|Deux.|III|x|IV|y", "C I.|C II.|III|IV"),
            // The number again, in the next paragraph and in the next line; and sections.
            ("C I.|I|Un.|C II.\nII|Deux.", "C I.|C II."),
            ("C I.|I|x|II|x|C II.|I|x|II|x|C III.|I|x|II|x|III|x", "C I.|C II.|C III."),
        ] {
            let text = lines.replacing("|", with: "\n\n").replacing("C ", with: "CHAPITRE ") + "\n"
            let found = titles(try await read(text)).joined(separator: "|")
            XCTAssertEqual(found, expected.replacing("C ", with: "CHAPITRE "))
        }
    }

    func testUnderlinedHeadingsOfMarkdownAreChapters() async throws {
        let document = try await read(
            "The Tide\n===\n\nOne\n---\n\nIt rose.\nAnd fell.\n---\n\nTwo\n------\n\nIt fell.\n",
            ending: "md")
        XCTAssertEqual(titles(document), ["One", "Two"])
        XCTAssertEqual(document.title, "The Tide")
    }

    func testHeadingsNeedNoEmptyLines() async throws {
        let document = try await read(
            """
            CHAPTER I. The Shore
            The tide was low that day, and nobody came to see it.
            He had read of it in
            Chapter Two
            of the book that she gave him.
            CHAPTER II. The Sea
            The tide was high.
            """)
        XCTAssertEqual(titles(document), ["CHAPTER I. The Shore", "CHAPTER II. The Sea"])
    }

    func testHeadingsOfMarkdownAreChaptersOfTheirLevel() async throws {
        let document = try await read(
            "# The Tide\n\n## One\n\nx\n\n```\n## code\n```\n\n### no\n\n## Two ##\n\ny\n",
            ending: "md")
        XCTAssertEqual(document.title, "The Tide")
        XCTAssertEqual(titles(document), ["One", "Two"])
        XCTAssertEqual(document.chapters.map(\.start), [12, 48])
    }

    // MARK: - RTF

    func testTheTextOfRTFIsReadWithoutItsTables() async throws {
        let document = try await read(
            #"""
            {\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Times;}}{\colortbl;\red0;}
            {\info{\title The Tide}{\author Ada Lee}{\*\company X}}
            {\header Running head\par}\f0\fs24 Chapter 1\par
            \ldblquote Caf\'e9?\rdblquote\emdash said \u201?\uc2\u8217\'92\'92Zo\u235??.\par\pard
            {\b Bold}\~{\*\unknown x}\{braces\} {\pict\bin3 {}}}after{\footnote note}\line next\par
            \u-10179??\u-8704??\par Chapter 2\par End\par}
            """#, ending: "rtf")
        XCTAssertEqual(
            document.text,
            "Chapter 1\n\n“Café?”—said É’Zoë.\n\nBold {braces} after\nnext\n\n😀\n\nChapter 2\n\nEnd"
        )
        XCTAssertEqual(document.title, "The Tide")
        XCTAssertEqual(document.author, "Ada Lee")
        XCTAssertEqual(titles(document), ["Chapter 1", "Chapter 2"])
    }

    func testRTFIsReadInTheCodePageItNames() {
        for (head, bytes, expected) in [
            (#"\ansi\ansicpg1251"#, #"\'cf\'f0\'e8\'e2\'e5\'f2\'b8"#, "Приветё"),
            (#"\ansi\ansicpg1250"#, #"\'af\'f3\'b3w \'8a"#, "Żółw Š"),
            (#"\pc"#, #"caf\'82 \'e1"#, "café ß"), (#"\pca"#, #"\'d1"#, "Ð"),
            (#"\ansi\ansicpg437"#, #"\'e3"#, "π"),
            (#"\ansi\ansicpg12345"#, #"\'93\'e9\'94"#, "“é”"),
        ] {
            XCTAssertEqual(RTFText(Array("{\\rtf1\(head) \(bytes)\\par}".utf8)).text, expected)
        }
    }

    func testAnyBytesOfRTFAreReadToTheEnd() {
        var random = SplitMix(seed: 7)
        let pieces = [
            "{", "}", "\\", "\\'", "\\u", "\\bin9", "\\par", "\\*", "a", "é", "9", "-", " ",
        ]
        for _ in 0..<3_000 {
            let text = (0..<Int.random(in: 0..<30, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            _ = RTFText(Array(text.utf8)).text
        }
        _ = RTFText(Array(repeating: UInt8(ascii: "{"), count: 100_000)).text
    }
}
