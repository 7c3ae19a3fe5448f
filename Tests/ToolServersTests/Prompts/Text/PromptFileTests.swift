import AgentCore
import TestSupport
import XCTest

@testable import Texts

final class PromptFileTests: XCTestCase {
    func testAFileIsMarkdownWithAFewSettingsAtItsBeginning() {
        var expected = Prompt(
            name: "r", text: "Be kind.", summary: "kind words", model: "claude-opus-5-5",
            effort: .high, temperature: 0.2, maxOutputTokens: 800, isWritingTool: true,
            source: .file)
        XCTAssertEqual(
            Prompt(
                name: "r",
                file: """
                    ---
                    summary: kind words
                    model: claude-opus-5-5
                    effort: high
                    temperature: "0.2"
                    max_tokens: 800
                    writing_tool: yes
                    ---

                    Be kind.

                    """, source: .file), expected)
        expected = Prompt(name: "r", text: "Only words.\n---\nwith a line", source: .file)
        XCTAssertEqual(
            Prompt(name: "r", file: "Only words.\n---\nwith a line", source: .file), expected)
        XCTAssertNil(Prompt(name: "r", file: "---\nmodel: x\n---\n \n", source: .file))
        // An unclosed head is text.
        XCTAssertEqual(
            Prompt(name: "r", file: "---\nmodel: x", source: .file)?.text, "---\nmodel: x")
        // As an editor elsewhere writes it.
        let foreign = Prompt(
            name: "r", file: "---\r\neffort: low\r\n---\r\nOne\r\ntwo\r\n", source: .file)
        XCTAssertEqual(foreign?.effort, .low)
        XCTAssertEqual(foreign?.text, "One\ntwo")
    }

    func testLinesOfTheHeadThatCannotBeUsedAreNamedAndTheOthersCount() {
        let odd = Prompt(
            name: "r",
            file: """
                ---
                # mine
                effort: huge
                tools: all
                what
                temperature: 9
                max_tokens: 0
                writing_tool: perhaps
                summary:
                model: m
                ---
                x
                """, source: .file)
        XCTAssertEqual(
            odd?.problems,
            [
                "effort: huge", "tools: all", "what", "temperature: 9", "max_tokens: 0",
                "writing_tool: perhaps", "summary:",
            ])
        XCTAssertEqual(odd?.model, "m")
        XCTAssertEqual(odd?.isWritingTool, false)
    }

    func testWhatIsWrittenIsReadBackTheSame() {
        let prompts = [
            Prompt(name: "p", text: "Be kind."),
            Prompt(name: "p", text: "---\nno head\n---"),
            Prompt(name: "p", text: "Two\n\nparagraphs", summary: "\"quoted\"", temperature: 1),
            Prompt(
                name: "p", text: "{{input}}", summary: "a: b # c", model: "local/x",
                effort: .minimal, temperature: 0.35, maxOutputTokens: 1, isWritingTool: true),
        ]
        for prompt in prompts {
            XCTAssertEqual(Prompt(name: "p", file: prompt.fileText, source: .builtIn), prompt)
        }
        // A summary is one line, however it was given.
        let long = Prompt(name: "p", text: "x", summary: "a\nmodel: evil")
        let read = Prompt(name: "p", file: long.fileText, source: .builtIn)
        XCTAssertEqual(read?.summary, "a model: evil")
        XCTAssertNil(read?.model)
    }

    func testANameIsOneWordThatCanBeAFile() {
        for name in ["a", "review-2", "übersetzen", "x.y", "_"] {
            XCTAssertTrue(Prompt.isName(name), name)
        }
        for name in ["", "none", ".b", "-x", "../a", "x/y", "a b", "a\u{0}b", "a\u{1B}"] {
            XCTAssertFalse(Prompt.isName(name), name)
        }
    }
}
