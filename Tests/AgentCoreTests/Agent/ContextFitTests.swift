import XCTest

@testable import AgentCore

final class ContextFitTests: XCTestCase {
    private func turn(_ parts: Part...) -> Turn {
        Turn(status: .open, messages: [Message(role: .user, parts: parts)])
    }

    private func file(_ name: String, bytes: Int) -> Part {
        .attachment(
            Attachment(
                name: name, mediaType: "text/plain", bytes: Array(repeating: 0x61, count: bytes)))
    }

    private func size(_ turns: [Turn]) -> Int {
        turns.reduce(0) { $0 + ContextWindow.tokens(of: $1) }
    }

    func testWhatFitsStaysAsItIs() {
        let turns = [turn(file("a.txt", bytes: 400), .text("why?"))]
        let fitted = ContextFit.fit(turns, room: 500)
        XCTAssertEqual(fitted.turns, turns)
        XCTAssertEqual(fitted.names, [])
    }

    func testTheLongestGiveFirstAndTheQuestionIsNeverCut() {
        let question = String(repeating: "why ", count: 300)
        let turns = [
            turn(
                file("long.txt", bytes: 40_000), file("longer.txt", bytes: 80_000),
                file("short.txt", bytes: 400), .text(question))
        ]
        let fitted = ContextFit.fit(turns, room: 3_000)
        XCTAssertEqual(fitted.names, ["long.txt", "longer.txt"])
        XCTAssertLessThanOrEqual(size(fitted.turns), 3_000)
        XCTAssertGreaterThan(size(fitted.turns), 2_700)
        XCTAssertEqual(fitted.turns[0].messages[0].text, question)
        XCTAssertEqual(
            fitted.turns[0].messages[0].parts[2], turns[0].messages[0].parts[2])
    }

    func testResultsOfToolsAndNotesAreCutToo() {
        let result = ToolResult(
            callID: "c", name: "read_file", text: String(repeating: "line\n", count: 4_000))
        let turns = [
            turn(.text(TextPart.notes(String(repeating: "note ", count: 2_000))), .text("go")),
            Turn(status: .open, messages: [Message(role: .tool, parts: [.toolResult(result)])]),
        ]
        let fitted = ContextFit.fit(turns, room: 1_000)
        XCTAssertEqual(fitted.names, ["notes about you", "read_file"])
        XCTAssertLessThanOrEqual(size(fitted.turns), 1_000)
    }

    func testAQuestionThatIsTooLongIsSentWhole() {
        let turns = [turn(.text(String(repeating: "word ", count: 5_000)))]
        let fitted = ContextFit.fit(turns, room: 100)
        XCTAssertEqual(fitted.turns, turns)
        XCTAssertEqual(fitted.names, [])
    }
}
