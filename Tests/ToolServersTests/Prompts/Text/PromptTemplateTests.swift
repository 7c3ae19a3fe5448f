import TestSupport
import XCTest

@testable import Texts

final class PromptTemplateTests: XCTestCase {
    private typealias Argument = PromptTemplate.Argument

    func testPlacesAreNamesInDoubleBracesWithAFallbackBehindABar() throws {
        let template = PromptTemplate(
            "Translate into {{lang|English}}, {{ tone }}: {{input}} ({{lang}})")
        XCTAssertEqual(
            template.arguments, [Argument("lang", fallback: "English"), Argument("tone")])
        XCTAssertTrue(template.hasInput)
        XCTAssertTrue(template.needsInput)
        XCTAssertEqual(
            try template.filled(input: "Guten Tag", values: ["tone": "kind"]),
            "Translate into English, kind: Guten Tag (English)")
        XCTAssertEqual(
            try template.filled(input: "x", values: ["tone": "", "lang": "French"]),
            "Translate into French, : x (French)")
    }

    func testWhatIsMissingIsNamed() {
        let template = PromptTemplate("{{lang}} {{input}}")
        XCTAssertThrowsError(try template.filled(input: "x")) {
            XCTAssertEqual($0 as? PromptTemplate.Missing, .init(name: "lang"))
        }
        XCTAssertThrowsError(try template.filled(values: ["lang": "x"])) {
            XCTAssertEqual($0 as? PromptTemplate.Missing, .init(name: "input"))
        }
    }

    func testWithoutAPlaceTheInputStandsBehindTheText() throws {
        let template = PromptTemplate("Summarise.")
        XCTAssertEqual(try template.filled(input: "A text."), "Summarise.\n\nA text.")
        XCTAssertEqual(try template.filled(), "Summarise.")
        XCTAssertFalse(template.needsInput)
        XCTAssertEqual(try PromptTemplate("{{input|nothing}}!").filled(), "nothing!")
        XCTAssertFalse(PromptTemplate("{{input|nothing}}!").needsInput)
    }

    func testOtherBracesAreTextAndABackslashHidesAPlace() throws {
        for text in [
            "{{ user.name }}", "{{plugin:x}}", "{{}}", "{x}", "{{a b}}", "{{a\n}}", "{{x", "}}",
            "{{2}}", "{{-x}}", "\\{{ user.name }}", "a\\b",
            "{{\(String(repeating: "a", count: 41))}}",
        ] {
            XCTAssertEqual(PromptTemplate(text).arguments, [], text)
            XCTAssertEqual(try PromptTemplate(text).filled(), text)
        }
        XCTAssertEqual(try PromptTemplate("\\{{lang}} \\{{input}}").filled(), "{{lang}} {{input}}")
        XCTAssertEqual(
            try PromptTemplate("{{{lang}}}").filled(values: ["lang": "x"]), "{x}")
    }

    func testAValueIsDataAndIsNeverLookedAtForPlaces() throws {
        let template = PromptTemplate("{{a}} {{input}} {{b|{a}}}")
        XCTAssertEqual(
            try template.filled(input: "{{b}} {{a}}", values: ["a": "{{input}}"]),
            "{{input}} {{b}} {{a}} {a}")
        // A place ends what looked like one before it.
        XCTAssertEqual(
            try PromptTemplate("{{b|{{a}}}}").filled(values: ["a": "{{b}}"]), "{{b|{{b}}}}")
    }

    func testAnyTextIsFilledOnceAndLosesNothing() throws {
        var random = SplitMix(seed: 14)
        let parts = [
            "{{", "}}", "{", "}", "|", "\\", "input", "lang", " ", "\n", "é", "👩‍👧", "\u{301}",
            "{{lang}}", "{{input}}", "{{x|y}}", "\r\n", "a",
        ]
        for round in 0..<20_000 {
            let text = (0..<Int.random(in: 0...12, using: &random))
                .map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            let template = PromptTemplate(text)
            // The pieces say the text again, but for white space and hiding backslashes.
            let said = template.pieces.map { piece in
                switch piece {
                case .text(let text): text
                case .place(let argument):
                    "{{\(argument.name)\(argument.fallback.map { "|" + $0 } ?? "")}}"
                }
            }.joined()
            func letters(_ text: String) -> [Character] {
                text.filter { !$0.isWhitespace && $0 != "\\" }.map { $0 }
            }
            XCTAssertEqual(letters(said), letters(text), "round \(round): \(text.debugDescription)")
            var values: [String: String] = [:]
            for argument in template.arguments { values[argument.name] = "{{input}}" }
            let parts = template.pieces.map { piece in
                switch piece {
                case .text(let text): text
                case .place(let argument): argument.name == "input" ? "{{lang}}" : "{{input}}"
                }
            }
            let filled = try template.filled(input: "{{lang}}", values: values)
            let once = parts.joined()
            XCTAssertEqual(
                filled,
                template.hasInput ? once : once.isEmpty ? "{{lang}}" : once + "\n\n{{lang}}",
                "round \(round)")
        }
    }

    func testALongHostileTextCostsNoMoreThanItsLength() {
        let spent = ProcessorTime.measure {
            _ = PromptTemplate(String(repeating: "{{a", count: 200_000))
            _ = PromptTemplate(String(repeating: "{", count: 400_000))
        }
        // A guard against a quadratic loop, which would take minutes.
        XCTAssertLessThan(spent, .seconds(60))
    }
}
