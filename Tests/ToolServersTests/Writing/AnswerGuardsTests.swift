import XCTest

@testable import Texts

/// What is taken off an answer, and which answers are not taken.
final class AnswerGuardsTests: XCTestCase {
    func testOnlyTheTextRemains() throws {
        for (answer, original, wanted) in [
            ("The cat sat.", "teh cat sat.\n", "The cat sat.\n"),
            ("Here is the corrected text:\n\nThe cat sat.", "teh cat sat.", "The cat sat."),
            ("Sure! Here's the corrected version:\nThe cat sat.", "teh cat sat.", "The cat sat."),
            ("Sure! Here's a corrected version.\n\nThe cat sat.", "teh cat sat.", "The cat sat."),
            ("```\nThe cat sat.\n```", "teh cat sat.\n", "The cat sat.\n"),
            (
                "Here is the corrected text:\n\n```text\nThe cat sat.\n```", "teh cat sat.",
                "The cat sat."
            ),
            (
                "Here is the corrected text:\n```\nThe cat sat.\n```\nI corrected a word.",
                "teh cat sat.", "The cat sat."
            ),
            ("\"The cat sat.\"", "teh cat sat.", "The cat sat."),
            ("“The cat sat.”", "teh cat sat.", "The cat sat."),
            ("\"The cat sat.\"", "\"teh cat sat.\"", "\"The cat sat.\""),
            ("Corrected text: The cat sat.", "teh cat sat.", "The cat sat."),
            ("<text>\nThe cat sat.\n</text>", "teh cat sat.", "The cat sat."),
            ("The cat sat.\n\nLet me know if you need more!", "teh cat sat.", "The cat sat."),
            (
                "Hier ist der korrigierte Text:\n\nDie Katze saß.", "die Katze saß.",
                "Die Katze saß."
            ),
            // What the text itself has stays.
            (
                "Here is the list:\n\none thing, two things",
                "here is teh list:\n\none thing, two things",
                "Here is the list:\n\none thing, two things"
            ),
            (
                "Sure thing.\nSee you there.", "sure thing.\nSee you their.",
                "Sure thing.\nSee you there."
            ),
        ] {
            XCTAssertEqual(try AnswerGuards.cleaned(answer, for: original), wanted, answer)
        }
    }

    func testTheFrameOfTheTextIsKept() throws {
        XCTAssertEqual(
            try AnswerGuards.cleaned(
                "One.\n\nTwo.\nThree.", for: "  one.\r\n\r\n\r\ntwo.\r\nthree.\r\n\r\n"),
            "  One.\r\n\r\n\r\nTwo.\r\nThree.\r\n\r\n")
        XCTAssertEqual(try AnswerGuards.cleaned("One two.\n", for: "one two."), "One two.")
        XCTAssertEqual(try AnswerGuards.cleaned("One two.\r\n", for: "one two.\n"), "One two.\n")
    }

    func testAnswersThatAreNotTheTextAreRefused() {
        let text = "one two three four five six seven eight nine ten\n"
        for (answer, fault) in [
            ("  \n", AnswerGuards.Fault.empty), ("```\n```", .empty),
            ("one two three\n\nfour five six seven eight nine ten", .paragraphs(was: 1, isNow: 2)),
        ] {
            XCTAssertThrowsError(try AnswerGuards.cleaned(answer, for: text), answer) {
                XCTAssertEqual($0 as? AnswerGuards.Fault, fault)
            }
        }
        XCTAssertThrowsError(try AnswerGuards.cleaned("one two", for: text)) {
            guard case .tooShort = $0 as? AnswerGuards.Fault else { return XCTFail("\($0)") }
        }
        XCTAssertThrowsError(
            try AnswerGuards.cleaned(String(repeating: "one two ", count: 40), for: text)
        ) {
            guard case .tooLong = $0 as? AnswerGuards.Fault else { return XCTFail("\($0)") }
        }
    }

    func testLineEndingsStayLineByLine() throws {
        XCTAssertEqual(
            try AnswerGuards.cleaned(
                "One.\nTwo.\nThree.\n\nFour.\nFive.",
                for: "one.\r\ntwo.\nthree.\r\n\nfour.\nfive.\r\n"),
            "One.\r\nTwo.\nThree.\r\n\nFour.\nFive.\r\n")
    }
}
