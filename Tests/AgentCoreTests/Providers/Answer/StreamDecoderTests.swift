import TestSupport
import XCTest

@testable import AgentCore
@testable import Base

final class StreamDecoderTests: XCTestCase {
    func testEveryRecordedStreamGivesTheExpectedAnswer() throws {
        let names = try FixtureStream.names()
        XCTAssertGreaterThanOrEqual(names.count, 41)
        for name in names {
            let bytes = try FixtureStream.bytes(name)
            let outcome = FixtureStream.read([bytes], format: FixtureStream.format(name))
            XCTAssertEqual(outcome.text, try FixtureStream.expectation(name), name)
        }
    }

    func testAStreamByteByByteGivesTheSameAnswer() throws {
        for name in try FixtureStream.names() {
            let bytes = try FixtureStream.bytes(name)
            let format = FixtureStream.format(name)
            XCTAssertEqual(
                FixtureStream.read(bytes.map { [$0] }, format: format),
                FixtureStream.read([bytes], format: format), name)
        }
    }

    func testAStreamCutInTwoAnywhereGivesTheSameEvents() throws {
        for name in try FixtureStream.names() {
            let bytes = try FixtureStream.bytes(name)
            var whole: [ServerSentEvent] = []
            var parser = ServerSentEventParser()
            try parser.push(bytes, into: &whole)
            var prefix = ServerSentEventParser()
            var early: [ServerSentEvent] = []
            for cut in 0...bytes.count {
                var parser = prefix
                var events = early
                try bytes[cut...].withUnsafeBufferPointer { try parser.push($0, into: &events) }
                if events != whole { XCTFail("\(name) cut at \(cut)") }
                if cut < bytes.count { try prefix.push([bytes[cut]], into: &early) }
            }
        }
    }

    func testATruncatedStreamIsNeverAnAnswerAndRunsNoTool() throws {
        for name in try FixtureStream.names() {
            let bytes = try FixtureStream.bytes(name)
            let format = FixtureStream.format(name)
            let whole = FixtureStream.read([bytes], format: format)
            let mark = endMark(bytes, format: format)
            for (length, outcome) in FixtureStream.readPrefixes(bytes, format: format).enumerated()
            {
                let isEnded = mark.map { length >= $0 } ?? false
                switch outcome.result {
                case .success(let completion):
                    XCTAssertTrue(isEnded, "\(name): an answer from \(length) bytes")
                    // Of the whole answer only the usage may be missing.
                    let parts = try whole.result.get().message.parts
                    XCTAssertEqual(completion.message.parts, parts, "\(name) at \(length)")
                case .failure(let error) where error.reason == .brokenStream:
                    XCTAssertFalse(isEnded, "\(name): broken although ended at \(length)")
                case .failure(let error):
                    XCTAssertEqual(
                        whole.result, .failure(error), "\(name): another error at \(length)")
                }
            }
        }
    }

    /// How many bytes hold the mark that ends the stream.
    private func endMark(_ bytes: [UInt8], format: WireFormat) -> Int? {
        let text = String(decoding: bytes, as: UTF8.self)
        let marks: [String] =
            switch format {
            case .responses:
                ["\"type\":\"response.completed\"", "\"type\":\"response.incomplete\""]
            case .chat, .none:
                ["stop", "length", "tool_calls", "function_call", "eos"].map {
                    "\"finish_reason\":\"\($0)\""
                }
            case .messages: ["{\"type\":\"message_stop\""]
            }
        let found = marks.compactMap { text.range(of: $0) }.min { $0.lowerBound < $1.lowerBound }
        guard let found else { return nil }
        // The event counts once its JSON is whole; its line may still be open.
        let start = text[..<found.upperBound].utf8.count
        guard let end = bytes[start...].firstIndex(of: 0x0A) else { return nil }
        return end
    }

    func testAWholeObjectInsteadOfAStreamGivesTheSameKindOfAnswer() {
        let bodies: [(WireFormat, String)] = [
            (
                .responses,
                """
                {"id":"r","status":"completed","output":[{"type":"message","role":"assistant",\
                "content":[{"type":"output_text","text":"Hi"}]},{"type":"function_call",\
                "call_id":"c1","name":"now","arguments":"{}"}],\
                "usage":{"input_tokens":3,"output_tokens":2}}
                """
            ),
            (
                .chat,
                """
                {"choices":[{"message":{"role":"assistant","content":"Hi","tool_calls":[{"id":"c1",\
                "type":"function","function":{"name":"now","arguments":"{}"}}]},\
                "finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3,"completion_tokens":2}}
                """
            ),
            (
                .messages,
                """
                {"type":"message","content":[{"type":"text","text":"Hi"},{"type":"tool_use",\
                "id":"c1","name":"now","input":{}}],"stop_reason":"tool_use",\
                "usage":{"input_tokens":3,"output_tokens":2}}
                """
            ),
        ]
        for (format, body) in bodies {
            let outcome = FixtureStream.read([Array(body.utf8)], format: format)
            XCTAssertEqual(
                outcome.text,
                """
                event text("Hi")
                event toolCallStarted(name: "now")
                text Hi phase -
                call c1 now {} item -
                stop tool_use
                usage 3 0 2 0

                """, "\(format)")
        }
    }

    func testAnErrorObjectWithStatus200IsAFailure() {
        for format in [WireFormat.responses, .chat, .messages] {
            let body = #"{"error":{"message":"no","type":"server_error","code":null}}"#
            let outcome = FixtureStream.read([Array(body.utf8)], format: format)
            XCTAssertEqual(
                outcome.text, "error serverFailure code server_error message no request -\n")
        }
    }

    func testAPageInsteadOfAStreamIsAWrongAddress() {
        for format in [WireFormat.responses, .chat, .messages] {
            let outcome = FixtureStream.read([Array("\n<!doctype html>".utf8)], format: format)
            guard case .failure(let error) = outcome.result else { return XCTFail("\(format)") }
            XCTAssertEqual(error.reason, .endpointNotFound)
        }
    }

    func testBrokenJSONInAnEventIsMalformed() {
        let outcome = FixtureStream.read(
            [Array("data: {\"type\":\n\n".utf8)], format: .messages)
        guard case .failure(let error) = outcome.result else { return XCTFail("no failure") }
        XCTAssertEqual(error.reason, .malformed)
    }

    func testScriptedStreamsAreReadAsWritten() {
        for format in [WireFormat.responses, .chat, .messages] {
            let text = FixtureStream.read(
                [WireScript.text(["a", "b\n", "é"], format: format)], format: format)
            XCTAssertEqual(
                text.text, "event text(\"ab\\né\")\ntext ab\né phase -\nstop end\nusage 10 0 3 0\n")
            let call = FixtureStream.read(
                [WireScript.toolCall("now", arguments: #"{"a":1}"#, format: format)],
                format: format)
            XCTAssertEqual(call.calls.map(\.arguments), [#"{"a":1}"#], "\(format)")
            XCTAssertEqual(call.calls.map(\.id), ["call_1"], "\(format)")
        }
    }
}
