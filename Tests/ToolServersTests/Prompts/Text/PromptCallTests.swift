import AgentCore
import Base
import XCTest

@testable import Texts

final class PromptCallTests: XCTestCase {
    private let translate = Prompt(
        name: "translate", text: "Into {{lang}}, {{tone|plain}}: {{input}}")

    private func typed(_ line: String) throws -> PromptCall {
        try PromptCall(typed: line, for: translate)
    }

    func testValuesStandBeforeOrBehindTheText() throws {
        let expected = ["lang": "German", "tone": "kind"]
        for line in [
            "lang=German tone=kind Good morning", "Good morning lang=German tone=kind",
            "lang=German  Good morning   tone=kind", "tone='kind' lang=\"German\" \"Good morning\"",
        ] {
            let call = try typed(line)
            XCTAssertEqual(call.values, expected, line)
            XCTAssertEqual(call.text, "Good morning", line)
        }
        XCTAssertEqual(try typed("lang=\"Old English\" hi").values, ["lang": "Old English"])
    }

    func testTheTextIsAsItWasTyped() throws {
        for text in [
            "it's \"quoted\" here, don't cut", "two\n\n  lines", "a=b is text", "x lang=y z",
            "\\n stays", "tone = kind",
        ] {
            let call = try typed("lang=de " + text)
            XCTAssertEqual(call.text, text)
            XCTAssertEqual(call.values, ["lang": "de"])
        }
    }

    func testTheShellsWordsAreReadTheSame() throws {
        let call = try PromptCall(
            arguments: ["lang=Old English", "Good", "morning", "tone=kind"], for: translate)
        XCTAssertEqual(call.values, ["lang": "Old English", "tone": "kind"])
        XCTAssertEqual(call.text, "Good morning")
    }

    func testWhatIsMissingOrMisspeltIsAUsageError() throws {
        func problem(_ body: () throws -> Void) -> UsageError? {
            do { try body() } catch { return error as? UsageError }
            return nil
        }
        XCTAssertEqual(
            problem { _ = try typed("hello").message(of: translate) },
            UsageError(
                "translate needs a value for lang.",
                hint: "/p translate lang=… [tone=…] TEXT"))
        XCTAssertEqual(
            problem { _ = try typed("lang=x").message(of: translate) },
            UsageError(
                "translate needs a text.", hint: "/p translate lang=… [tone=…] TEXT"))
        XCTAssertEqual(
            problem { _ = try typed("lnag=x hello") },
            UsageError("translate takes no lnag.", hint: "Did you mean lang=…?"))
        XCTAssertEqual(
            problem { _ = try typed("lang=x hello lang=y") }, UsageError("lang is given twice."))
        // A prompt without arguments takes anything as its text.
        XCTAssertEqual(
            try PromptCall(typed: "lang=x", for: Prompt(name: "p", text: "t")).text, "lang=x")
    }

    func testTheMessageTakesWhatIsPipedWhereNoTextWasTyped() throws {
        XCTAssertEqual(
            try typed("lang=de").message(of: translate, input: "piped"), "Into de, plain: piped")
        XCTAssertEqual(
            try typed("lang=de typed").message(of: translate, input: "piped"),
            "Into de, plain: typed")
    }

    func testALineNamesThePromptFirst() {
        XCTAssertEqual(PromptCall.parts(ofLine: "/p fix  a b ")?.name, "fix")
        XCTAssertEqual(PromptCall.parts(ofLine: "/p fix  a b ")?.rest, "a b")
        XCTAssertEqual(PromptCall.parts(ofLine: "/p fix")?.rest, "")
        XCTAssertEqual(PromptCall.parts(ofLine: "/prompt use fix  a b")?.rest, "a b")
        for line in [
            "/p", "/p ", "/prompt use", "/prompt use ", "/pfix x", "p fix", "/prompt list",
        ] {
            XCTAssertNil(PromptCall.parts(ofLine: line), line)
        }
    }
}
