import AgentCore
import Foundation
import TestSupport
import XCTest

/// Everything that can be wrong with the provider and the way to it. Each is a
/// clear error of at most three lines with its exit code; the message is kept.
final class BadServerTests: XCTestCase {
    private static let retrySoon = [HTTPHeader("Retry-After-Ms", "5")]
    private static let overloaded =
        #"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#

    /// The message of the user was saved, whatever happened to it.
    private func assertKept(
        _ chat: ChatProgram, _ status: String = "failed", file: StaticString = #filePath,
        line: UInt = #line
    ) throws {
        XCTAssertEqual(
            try chat.conversation().first, "user: keep me (\(status))", file: file, line: line)
    }

    func testARejectedKeyIsExplainedByReasonAndSource() throws {
        for format in [WireFormat.responses, .messages] {
            let server = try ProviderServer(format, [], accepts: "another")
            let chat = try ChatProgram(server)
            let name = format == .messages ? "ANTHROPIC_API_KEY" : "OPENAI_API_KEY"
            let result = try chat.run(["-p", "keep me"])
            result.assertFailure(4, "(401)", "this key is unknown", name)
            XCTAssertFalse(result.errorText.contains(ProviderServer.key))
            XCTAssertEqual(server.requests.count, 1)
            try assertKept(chat)
            server.finish()
        }
    }

    func testStatusesThatEndAtOnceAreAskedOnce() throws {
        let page = "<!DOCTYPE html><html><body>\n<h1>Oops</h1>\u{1B}[2J</body></html>"
        for (status, exit, words) in [
            (400, Int32(1), "refused the request (400)"), (403, 4, "does not allow this (403)"),
            (404, 4, "does not look like a server"), (413, 1, "refused the request (413)"),
            (422, 1, "refused the request (422)"), (307, 4, "redirects the request (307)"),
        ] {
            let server = try ProviderServer(
                .messages,
                [.response(status, [HTTPHeader("Location", "http://127.0.0.1:1/")], page)])
            let chat = try ChatProgram(server)
            let result = try chat.run(["-p", "keep me"])
            result.assertFailure(exit, words)
            XCTAssertFalse(result.errorText.contains("<"), result.errorText)
            XCTAssertEqual(server.requests.count, 1, "\(status)")
            try assertKept(chat)
            server.finish()
        }
    }

    func testAFailureThatPassesIsNotNoticedInTheAnswer() throws {
        let server = try ProviderServer(
            .messages, [.response(529, Self.retrySoon, Self.overloaded), .text("there")])
        let chat = try ChatProgram(server)
        let result = try chat.run(["-p", "x"])
        XCTAssertEqual(result.text, "there\n")
        XCTAssertEqual(result.exit, 0)
        XCTAssert(result.errorText.contains("attempt 2 of 3"), result.errorText)
        server.finish()
    }

    func testACutStreamKeepsWhatArrivedAndIsNotRepeated() throws {
        for format in [WireFormat.responses, .chat, .messages] {
            let server = try ProviderServer(format, [.cut(after: "half"), .text("rest")])
            let chat = try ChatProgram(server)
            try chat.run(["--provider", server.provider, "-p", "keep me"])
                .assertFailure(1, "What arrived is kept", output: "half\n")
            XCTAssertEqual(server.requests.count, 1)
            XCTAssertEqual(
                try chat.conversation(),
                ["user: keep me (failed)", "assistant: half (failed)"])
            try chat.run(["-c", "-p", "on"]).assertAnswer("rest\n")
            server.finish()
        }
    }

    func testASilentServerIsGivenUpAtTheIdleLimit() throws {
        for format in [WireFormat.responses, .chat, .messages] {
            let server = try ProviderServer(format, [.stall(after: "half")])
            let chat = try ChatProgram(server)
            try chat.prepare("config.json", #"{"idle_limit": 0.3}"#)
            try chat.run(["--provider", server.provider, "-p", "keep me"])
                .assertFailure(1, "went silent", output: "half\n")
            try assertKept(chat)
            server.finish()
        }
    }

    func testAnswersThatAreCutOrDeclinedAreMarked() throws {
        func ending(_ reason: String) -> ProviderServer.Reply {
            .init { format in
                let text = String(
                    decoding: WireScript.text(["so far"], format: format), as: UTF8.self)
                return .sse(text.replacingOccurrences(of: "end_turn", with: reason))
            }
        }
        let server = try ProviderServer(.messages, [ending("max_tokens"), ending("refusal")])
        let chat = try ChatProgram(server)
        try chat.run(["-p", "x"]).assertFailure(6, "length limit", output: "so far\n")
        try chat.run(["-p", "x"]).assertFailure(6, "declined", output: "so far\n")
        server.finish()
    }
}
