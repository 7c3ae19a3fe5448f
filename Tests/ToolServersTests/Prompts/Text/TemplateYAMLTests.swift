import TestSupport
import XCTest

@testable import Texts

final class TemplateYAMLTests: XCTestCase {
    private func read(_ text: String) -> Prompt? { TemplateYAML(name: "t", text).prompt }

    func testATemplateOfLLMBecomesAPrompt() {
        let prompt = read(
            """
            # mine
            name: t
            model: gpt-4o   # the large one
            system: You translate.
            prompt: |
              Into $lang:

                $input
              for $$5, ${tone}!
            defaults:
              lang: English
              tone: "very \\"kind\\""
            options:
              temperature: 0.4
              max_tokens: 300
            """)
        XCTAssertEqual(
            prompt?.text,
            """
            You translate.

            Into {{lang|English}}:

              {{input}}
            for $5, {{tone|very "kind"}}!
            """)
        XCTAssertEqual(prompt?.model, "gpt-4o")
        XCTAssertEqual(prompt?.temperature, 0.4)
        XCTAssertEqual(prompt?.maxOutputTokens, 300)
        XCTAssertEqual(prompt?.problems, [])
    }

    func testWordsMayBeQuotedFoldedOrGoOnInTheNextLine() {
        XCTAssertEqual(read("system: 'It''s: fine'")?.text, "It's: fine")
        XCTAssertEqual(read(#"system: "a\nb\t\"c\" # d""#)?.text, "a\nb\t\"c\" # d")
        XCTAssertEqual(read("prompt: one\n  two\n\n  three\nmodel: m")?.text, "one two\nthree")
        XCTAssertEqual(read("prompt: >-\n  one\n  two\n")?.text, "one two")
        XCTAssertEqual(read("prompt: 'one\n  two'\nmodel: m")?.text, "one two")
        XCTAssertEqual(read("prompt: 'one\n  two'\nmodel: m")?.model, "m")
    }

    func testBracesOfTheOtherProgramStayBraces() throws {
        let prompt = try XCTUnwrap(read("prompt: 'use {{name}} and $input, $ and $1'"))
        XCTAssertEqual(
            try prompt.template.filled(input: "x"), "use {{name}} and x, $ and $1")
    }

    func testWhatHasNoCounterpartIsNamed() {
        let prompt = read("system: x\nschema_object:\n  a: b\nfragments: [x]\n- odd\n")
        XCTAssertEqual(prompt?.problems, ["- odd", "fragments", "schema_object"])
        XCTAssertNil(read("model: m\n"))
        XCTAssertNil(read(""))
    }

    func testNoTextMakesItTrap() {
        var random = SplitMix(seed: 14)
        let parts = [
            "prompt:", "system:", "defaults:", " ", "  ", "\n", "|", ">", "'", "\"", "\\", "$",
            "${",
            "}", "{{", "}}", "#", "a", "é", "- ", "\r\n", "$input", ":",
        ]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...16, using: &random))
                .map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            if let prompt = read(text) {
                XCTAssertFalse(prompt.text.isEmpty)
                _ = prompt.template
            }
        }
    }
}
