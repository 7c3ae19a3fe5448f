import Foundation
import Glibc
import TestSupport
import XCTest

@testable import Texts

final class SpellerTests: XCTestCase {
    private func variables(home: String) -> [String: String] {
        TestMachine.apart(["HOME": home, "LANG": "C.UTF-8"])
    }

    /// - Throws: `XCTSkip` with the package where hunspell or a dictionary is
    ///   not installed.
    private func speller(_ language: String = "en", home: String = "/nonexistent") throws -> Speller
    {
        let speller = Speller(variables: variables(home: home))
        if let missing = speller.missing(for: language) {
            let packages = Speller.packages(for: missing).joined(separator: " ")
            throw XCTSkip("needs the package \(packages)")
        }
        return speller
    }

    private func proofread(
        _ text: String, _ speller: Speller, language: String? = nil, words: [String] = []
    ) async throws -> (String, Proofreading) {
        let proofreader = Proofreader(speller: speller, ownWords: { OwnWords(words) })
        let result = try await proofreader.proofread(text, language: language)
        return (Correction.applied(result.corrections, to: text).text, result)
    }

    // MARK: - What hunspell says

    func testItsAnswersAreRead() {
        let output = """
            @(#) International Ispell Version 3.2.06 (but really Hunspell 1.7.1)
            *

            & teh 3 0: the, t eh, ten

            + WORK

            # qqxz 0

            -

            """
        XCTAssertEqual(
            SpellingAnswer.answers(in: Array(output.utf8), count: 5),
            [.known, .unknown(["the", "t eh", "ten"]), .known, .unknown([]), .known])
        XCTAssertNil(SpellingAnswer.answers(in: Array(output.utf8), count: 6))
        XCTAssertNil(SpellingAnswer.answers(in: Array("error: no dictionary\n\n".utf8), count: 1))
        XCTAssertNil(SpellingAnswer.answers(in: [], count: 1))
    }

    func testOnlyCertainSuggestionsAreTaken() {
        let judge = SpellingJudge(language: .english)
        for (word, suggestions, expected) in [
            ("locaiton", ["location", "locution"], "location"),
            ("sucessful", ["successful"], "successful"),
            ("intrduction", ["introduction"], "introduction"),
            // Jargon with a suggestion, forms of words, another spelling.
            ("refactor", ["refractor"], nil), ("executables", ["executable"], nil),
            ("behaviour", ["behavior"], nil), ("cancelled", ["canceled"], nil),
            ("centre", ["center", "cent re"], nil), ("organise", ["organize"], nil),
            ("param", ["pram"], nil), ("printf", ["print"], nil), ("async", ["sync"], nil),
            ("hostname", ["host name"], nil), ("linter", ["liner", "winter"], nil),
            // Two are as near.
            ("formt", ["form", "forma"], nil), ("contian", ["contain", "Contian"], "contain"),
        ] {
            XCTAssertEqual(judge.correction(of: word, suggestions: suggestions), expected, word)
        }
    }

    // MARK: - With hunspell

    func testSlipsAreCorrectedAndOtherUnknownWordsReported() async throws {
        let speller = try speller()
        let (text, result) = try await proofread(
            "The locaiton of the frobnicator was descrixd by Mr. Xyzzyq, and the sucessful "
                + "organisation used a hostname.", speller)
        XCTAssertEqual(
            text,
            "The location of the frobnicator was descrixd by Mr. Xyzzyq, and the successful "
                + "organisation used a hostname.")
        XCTAssertTrue(result.remarks.contains { $0.text == "frobnicator" })
        XCTAssertFalse(result.remarks.contains { $0.text.contains("yzzy") })
        XCTAssertNil(result.missingSpelling)
        let (again, second) = try await proofread(text, speller)
        XCTAssertEqual(again, text)
        XCTAssertEqual(second.corrections, [])
    }

    func testOwnWordsAreNotAskedFor() async throws {
        let (text, result) = try await proofread(
            "The locaiton of the frobnicator is here.", try speller(),
            words: ["locaiton", "frobnicator"])
        XCTAssertEqual(text, "The locaiton of the frobnicator is here.")
        XCTAssertEqual(result.remarks, [])
    }

    func testThePersonalDictionaryOfHunspellHolds() async throws {
        let folder = try TemporaryFolder()
        try Data("frobnicator\n".utf8).write(
            to: URL(fileURLWithPath: folder.path + "/.hunspell_en_US"))
        let (_, result) = try await proofread(
            "The frobnicator of the house is here.", try speller(home: folder.path))
        XCTAssertEqual(result.remarks, [])
    }

    func testGermanGetsItsSpellingAndNothingElse() async throws {
        let speller = try speller("de")
        let (text, result) = try await proofread(
            "Das Haus ist ist groß , und wir bruachen einen Garten. i was die die Kinder.", speller)
        XCTAssertEqual(result.language, "de")
        XCTAssertEqual(
            text,
            "Das Haus ist ist groß , und wir brauchen einen Garten. i was die die Kinder.")
        let clean = "Die Straße ist lang, und die Häuser sind schön gestrichen worden."
        let (same, _) = try await proofread(clean, speller)
        XCTAssertEqual(same, clean)
    }

    func testWithoutHunspellTheRulesWork() async throws {
        let speller = Speller(variables: ["PATH": "/nonexistent"])
        XCTAssertEqual(speller.missing(for: "en"), .program)
        let (text, result) = try await proofread("This is teh locaiton of the cat.", speller)
        XCTAssertEqual(text, "This is the locaiton of the cat.")
        XCTAssertEqual(result.missingSpelling, .program)
        XCTAssertEqual(result.remarks, [])
    }

    func testAHunspellThatFailsLeavesTheRules() async throws {
        let folder = try TemporaryFolder()
        let program = folder.path + "/hunspell"
        for script in ["#!/bin/sh\nexit 1\n", "#!/bin/sh\necho nonsense\n", "#!/bin/sh\ncat\n"] {
            try Data(script.utf8).write(to: URL(fileURLWithPath: program))
            chmod(program, 0o700)
            try Data().write(to: URL(fileURLWithPath: folder.path + "/en_US.dic"))
            let speller = Speller(variables: [
                "PATH": folder.path + ":" + TestMachine.path, "DICPATH": folder.path,
            ])
            XCTAssertNil(speller.missing(for: "en"))
            let (text, _) = try await proofread("This is teh locaiton of the cat.", speller)
            XCTAssertEqual(text, "This is the locaiton of the cat.")
        }
    }
}
