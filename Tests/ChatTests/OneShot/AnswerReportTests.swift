import XCTest

@testable import AgentCore
@testable import Base
@testable import chat

final class AnswerReportTests: XCTestCase {
    private let call = ToolCall(id: "1", name: "list_reminders", arguments: "{}")

    private func json(_ report: AnswerReport) -> String {
        String(decoding: JSONWriter.bytes(report.json), as: UTF8.self)
    }

    private func turn(_ messages: [Message], _ status: Turn.Status = .done) -> Turn {
        Turn(
            status: status, messages: [.user("Hi")] + messages,
            usage: Usage(input: 10, cachedInput: 4, output: 5, reasoning: 1))
    }

    private func says(_ text: String, calls: [ToolCall] = []) -> Message {
        Message(role: .assistant, parts: [.text(text)] + calls.map(Part.toolCall))
    }

    func testAPlainAnswer() {
        let turn = turn([says("Hello.")])
        XCTAssertEqual(
            json(
                AnswerReport(
                    outcome: TurnOutcome(status: .done, turn: turn, stop: .end), provider: .claude,
                    model: "m", conversation: "c1")),
            #"{"text":"Hello.","model":"m","provider":"claude","conversation":"c1","#
                + #""usage":{"input":10,"cachedInput":4,"output":5,"reasoning":1},"#
                + #""stopReason":"end","toolCalls":[]}"#)
    }

    func testToolsAndWhatWasSaidAroundThem() {
        let result = ToolResult(callID: "1", name: "list_reminders", text: "none", isError: false)
        let turn = turn([
            says("Looking.", calls: [call]), Message(role: .tool, parts: [.toolResult(result)]),
            says("Nothing."),
        ])
        XCTAssertEqual(
            json(
                AnswerReport(
                    outcome: TurnOutcome(status: .done, turn: turn, stop: .end), provider: .local,
                    model: "", conversation: nil)),
            #"{"text":"Looking.\nNothing.","model":null,"provider":"local","conversation":null,"#
                + #""usage":{"input":10,"cachedInput":4,"output":5,"reasoning":1},"#
                + #""stopReason":"end","toolCalls":[{"name":"list_reminders","arguments":{},"#
                + #""isError":false,"result":"none"}]}"#)
    }

    func testAnActThatNoToolDidIsNamed() {
        var outcome = TurnOutcome(status: .done, turn: turn([]), stop: .end)
        outcome.undone = .ordered
        let report = AnswerReport(
            outcome: outcome, provider: .local, model: "", conversation: nil)
        XCTAssertEqual(report.json["undone"], "ordered")
    }

    func testAFailureAndEveryStop() {
        let failed = AnswerReport(
            outcome: TurnOutcome(status: .failed, turn: turn([], .failed)), provider: .openai,
            model: "m", conversation: "c", diagnostic: Diagnostic("It broke.", todo: "Try again."))
        XCTAssertEqual(
            json(failed),
            #"{"text":"","model":"m","provider":"openai","conversation":"c","#
                + #""usage":{"input":10,"cachedInput":4,"output":5,"reasoning":1},"#
                + #""stopReason":"error","toolCalls":[],"#
                + #""error":{"message":"It broke.","hint":"Try again."}}"#)
        let table: [(Turn.Status, StopReason?, JSONValue)] = [
            (.done, .stopSequence, "stop_sequence"), (.done, nil, "end"),
            (.truncated, .maxTokens, "max_tokens"), (.truncated, .contextWindow, "context_window"),
            (.refused, .refusal, "refusal"), (.refused, .contentFilter, "content_filter"),
            (.interrupted, .toolUse, "interrupted"), (.failed, nil, "error"),
        ]
        for (status, stop, word) in table {
            let report = AnswerReport(
                outcome: TurnOutcome(status: status, turn: turn([], status), stop: stop),
                provider: .claude, model: "m", conversation: nil)
            XCTAssertEqual(report.json["stopReason"], word)
        }
    }

    func testAFailureBeforeAnyTurnHasTheSameFields() {
        XCTAssertEqual(
            JSONWriter.string(AnswerReport.failure(Diagnostic("No model.", todo: "Connect one."))),
            #"{"text":"","model":null,"provider":null,"conversation":null,"#
                + #""usage":{"input":0,"cachedInput":0,"output":0,"reasoning":0},"#
                + #""stopReason":"error","toolCalls":[],"#
                + #""error":{"message":"No model.","hint":"Connect one."}}"#)
    }
}
