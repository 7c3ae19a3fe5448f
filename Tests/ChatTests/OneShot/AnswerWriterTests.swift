import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import ChatKit
@testable import TerminalKit
@testable import chat

final class AnswerWriterTests: XCTestCase {
    private let call = ToolCall(id: "1", name: "list_reminders", arguments: "{}")

    /// What reaches the answer's descriptor and the one for notices.
    private func written(
        _ format: OneShotOptions.Output, progress: Bool = false, isPiped: Bool = true,
        _ body: (AnswerWriter) async -> Void
    ) async throws -> (answer: String, notices: String) {
        let answer = Pipe()
        let notices = Pipe()
        let writer = AnswerWriter(
            format: format,
            output: StandardOutput(descriptor: answer.fileHandleForWriting.fileDescriptor),
            notices: StandardOutput(descriptor: notices.fileHandleForWriting.fileDescriptor),
            style: Style(usesColor: false, usesUnicode: true), isPiped: isPiped,
            showsProgress: progress, showsThinking: true, onClosed: {})
        await body(writer)
        try answer.fileHandleForWriting.close()
        try notices.fileHandleForWriting.close()
        func all(_ pipe: Pipe) throws -> String {
            String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        }
        return (try all(answer), try all(notices))
    }

    private func turn() -> Turn {
        Turn(
            status: .done,
            messages: [
                .user("Hi"), Message(role: .assistant, parts: [.text("One"), .toolCall(call)]),
                Message(
                    role: .tool,
                    parts: [
                        .toolResult(ToolResult(callID: "1", name: "list_reminders", text: "none"))
                    ]), Message(role: .assistant, parts: [.text("Two")]),
            ], usage: Usage(input: 3, output: 4))
    }

    private func tell(_ writer: AnswerWriter) async {
        let result = ToolResult(callID: "1", name: "list_reminders", text: "none")
        let error = ProviderError(
            reason: .overloaded, provider: .claude, host: "h", status: 529, retryAfter: 0.5)
        await writer.observe(.waiting(provider: .claude, model: "m"))
        await writer.observe(.retrying(error, attempt: 2, of: 3, delay: 0.5))
        await writer.observe(.thinking("Hm"))
        await writer.observe(.text("One"))
        await writer.observe(.toolCallStarted(name: "list_reminders"))
        await writer.observe(.answered(stop: .toolUse, usage: Usage(input: 1)))
        await writer.observe(.toolRunning(call, toolClass: .read))
        await writer.observe(.toolFinished(result, summary: "0 reminders", duration: .zero))
        await writer.observe(.text("Two"))
        await writer.observe(.answered(stop: .end, usage: Usage(input: 2)))
        await writer.finish(
            AnswerReport(
                outcome: TurnOutcome(status: .done, turn: turn(), stop: .end), provider: .claude,
                model: "m", conversation: "c"), seconds: 1)
    }

    private let retry = "! Claude is overloaded (529). Trying again in 0.5 s, attempt 2 of 3\n"

    func testTextGoesToStdoutAndEverythingElseToStderr() async throws {
        let quiet = try await written(.text) { await tell($0) }
        XCTAssertEqual(quiet.answer, "One\nTwo\n")
        XCTAssertEqual(quiet.notices, retry)
        let watched = try await written(.text, progress: true) { await tell($0) }
        XCTAssertEqual(watched.answer, "One\nTwo\n")
        XCTAssertEqual(
            watched.notices,
            retry + "Hm\n  ⚙ list_reminders  \n  0 reminders\n  3 in · 4 out · 1.0 s\n")
    }

    /// Thai with its breaks, Hebrew with a mark of direction, a soft hyphen;
    /// what turns text round is shown in a pipe too.
    func testInvisibleLettersOfWritingStayInAPipe() async throws {
        let text = "ภาษา\u{200B}ไทย שלום\u{200F}! \u{200E}a so\u{AD}ft \u{202E}x"
        for isPiped in [true, false] {
            let wanted =
                isPiped
                ? "ภาษา\u{200B}ไทย שלום\u{200F}! \u{200E}a so\u{AD}ft <U+202E>x\n"
                : "ภาษา<U+200B>ไทย שלום<U+200F>! <U+200E>a so<U+00AD>ft <U+202E>x\n"
            let streamed = try await written(.text, isPiped: isPiped) { writer in
                // Cut inside of each character as well.
                for scalar in text.unicodeScalars { await writer.observe(.text(String(scalar))) }
                await writer.observe(.toolRunning(call, toolClass: .read))
                await writer.observe(.text(text))
                await writer.finish(
                    AnswerReport(
                        outcome: TurnOutcome(status: .done, turn: turn(), stop: .end),
                        provider: .claude, model: "m", conversation: "c"), seconds: 1)
            }
            XCTAssertEqual(streamed.answer, wanted + wanted)
            let local = try await written(.text, isPiped: isPiped) { writer in
                await writer.finish(
                    [StyledLine(text)],
                    report: AnswerReport(
                        outcome: TurnOutcome(status: .done, turn: turn(), stop: .end),
                        provider: .offline, model: "", conversation: "c"))
            }
            XCTAssertEqual(local.answer, wanted)
        }
    }

    func testJSONIsOneObject() async throws {
        let (answer, notices) = try await written(.json) { await tell($0) }
        XCTAssertEqual(
            answer,
            #"{"text":"One\nTwo","model":"m","provider":"claude","conversation":"c","#
                + #""usage":{"input":3,"cachedInput":0,"output":4,"reasoning":0},"#
                + #""stopReason":"end","toolCalls":[{"name":"list_reminders","arguments":{},"#
                + #""isError":false,"result":"none"}]}"# + "\n")
        XCTAssertEqual(notices, retry)
    }

    func testStreamedJSONIsALineForEachEvent() async throws {
        let (answer, notices) = try await written(.streamJSON) { await tell($0) }
        XCTAssertEqual(
            answer.split(separator: "\n").map(String.init),
            [
                #"{"type":"request","provider":"claude","model":"m"}"#,
                #"{"type":"retry","attempt":2,"seconds":0.5,"cause":"Claude is overloaded (529)"}"#,
                #"{"type":"thinking","text":"Hm"}"#, #"{"type":"text","text":"One"}"#,
                #"{"type":"answered","stopReason":"tool_use","usage":{"input":1,"cachedInput":0,"output":0,"reasoning":0}}"#,
                #"{"type":"tool_call","id":"1","name":"list_reminders","arguments":"{}"}"#,
                #"{"type":"tool_result","id":"1","name":"list_reminders","text":"none","isError":false}"#,
                #"{"type":"text","text":"Two"}"#,
                #"{"type":"answered","stopReason":"end","usage":{"input":2,"cachedInput":0,"output":0,"reasoning":0}}"#,
                #"{"type":"result","text":"One\nTwo","model":"m","provider":"claude","conversation":"c","usage":{"input":3,"cachedInput":0,"output":4,"reasoning":0},"stopReason":"end","toolCalls":[{"name":"list_reminders","arguments":{},"isError":false,"result":"none"}]}"#,
            ])
        XCTAssertEqual(notices, retry)
    }

    func testControlSequencesReachNeitherATerminalNorAPipe() async throws {
        let (answer, _) = try await written(.text) { writer in
            await writer.observe(.text("a\u{1B}[2Jb\u{9B}0mc"))
        }
        XCTAssertFalse(answer.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x9B })
    }
}
