import AgentCore
import XCTest

@testable import ChatKit
@testable import TerminalKit

final class TurnRendererTests: XCTestCase {
    private let call = ToolCall(
        id: "1", name: "create_reminder", arguments: #"{"title":"buy milk","priority":1}"#)

    /// What is written where: answers as they are, notices in brackets.
    private func render(
        _ events: [AgentEvent], color: Bool = false, thinking: Bool = true
    ) -> String {
        var renderer = TurnRenderer(
            style: Style(usesColor: color, usesUnicode: true), showsThinking: thinking)
        var pieces: [TurnRenderer.Piece] = []
        for event in events { pieces += renderer.render(event) }
        pieces += renderer.finish()
        return pieces.map { piece in
            let text = String(decoding: piece.bytes, as: UTF8.self)
            return piece.target == .answer ? text : "<\(text)>"
        }.joined()
    }

    func testTextIsPrintedAsItComesAndEndsWithOneNewline() {
        XCTAssertEqual(render([.text("Hel"), .text("lo")]), "Hello\n")
        XCTAssertEqual(render([.text("Hello\n")]), "Hello\n")
        XCTAssertEqual(render([.text("a\n\n  b")]), "a\n\n  b\n")
        XCTAssertEqual(render([]), "")
        XCTAssertEqual(render([.text("")]), "")
        XCTAssertEqual(render([.refusal("I cannot.")]), "I cannot.\n")
    }

    func testThinkingIsDimmedAndApartFromTheAnswer() {
        XCTAssertEqual(
            render([.thinking("Hm"), .thinking("…"), .text("Yes.")], color: true),
            "<\u{1B}[2mHm><…><\u{1B}[0m\n>Yes.\n")
        XCTAssertEqual(
            render([.text("Wait"), .thinking("Hm"), .text("No.")]), "Wait\n<Hm><\n>No.\n")
        XCTAssertEqual(render([.thinking("Hm"), .text("Yes.")], thinking: false), "Yes.\n")
    }

    func testToolsAreLinesOfTheirOwn() {
        let result = ToolResult(callID: "1", name: "create_reminder", text: "created")
        XCTAssertEqual(
            render([
                .text("I do it."), .toolCallStarted(name: "create_reminder"),
                .answered(stop: .toolUse, usage: Usage()), .toolRunning(call, toolClass: .write),
                .toolFinished(result, summary: "✓ buy milk", duration: .zero),
                .waiting(provider: .claude, model: "m"), .text("Done."),
            ]),
            "I do it.\n<  ⚙ create_reminder  title \"buy milk\" · priority 1\n>"
                + "<  ✓ buy milk\n>Done.\n")
    }

    func testAFailedToolShowsTheFirstLineOfWhatItSaid() {
        let result = ToolResult(
            callID: "1", name: "x", text: "\nNothing matches.\nMore", isError: true)
        XCTAssertEqual(
            render([.toolFinished(result, summary: nil, duration: .zero)]),
            "<  ✗ Nothing matches.\n>")
    }

    func testAToolLineIsBounded() {
        let long = String(repeating: "x", count: 100_000)
        let call = ToolCall(id: "1", name: long, arguments: "{\"title\":\"\(long)\"}")
        let line = render([.toolRunning(call, toolClass: nil)])
        XCTAssertLessThan(line.utf8.count, 800)
        XCTAssertTrue(line.contains("…"))
    }

    func testHostileTextNeverReachesTheTerminal() {
        let attacks = [
            "\u{1B}[2J", "\u{1B}]0;title\u{7}", "\u{1B}]52;c;ZXZpbA==\u{7}", "\u{9B}31m",
            "\r overwritten", "\u{8}\u{8}\u{8}", "\u{202E}txt.exe", "\u{0}", "\u{1B}",
        ]
        for attack in attacks {
            let call = ToolCall(id: "1", name: attack, arguments: attack)
            let result = ToolResult(callID: "1", name: attack, text: attack, isError: true)
            let shown = render([
                .thinking(attack), .text("a" + attack), .text(attack), .refusal(attack),
                .toolRunning(call, toolClass: nil),
                .toolFinished(result, summary: attack, duration: .zero),
                .toolFinished(result, summary: nil, duration: .zero),
            ])
            for scalar in shown.unicodeScalars where scalar != "\n" {
                XCTAssertFalse(
                    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                        || scalar.value == 0x202E, attack.debugDescription)
            }
        }
    }

    func testAnEscapeSequenceCutBetweenPiecesIsStillShown() {
        XCTAssertEqual(
            render([.text("a\u{1B}"), .text("[31mb")]), render([.text("a\u{1B}[31mb")]))
    }
}
