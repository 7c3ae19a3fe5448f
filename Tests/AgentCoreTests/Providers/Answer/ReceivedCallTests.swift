import TestSupport
import XCTest

@testable import AgentCore

/// Tool calls that are larger than any call of ours, in every wire format.
final class ReceivedCallTests: XCTestCase {
    private static let formats: [WireFormat] = [.responses, .chat, .messages]

    /// A stream whose one call has arguments of that many bytes, in deltas.
    private func stream(_ format: WireFormat, bytes: Int, endsWithItem: Bool = true) -> [UInt8] {
        let piece = String(repeating: "x", count: 64 << 10)
        let pieces =
            ["{\"text\":\""] + (0..<(bytes / piece.utf8.count)).map { _ in piece } + ["\"}"]
        let whole = WireScript.toolCall("add", arguments: "MARK", format: format)
        // Every event that carries the arguments once per piece; the finished
        // item, with all of them, as the server would send it.
        let events = String(decoding: whole, as: UTF8.self).components(separatedBy: "\n\n")
        var text = ""
        for event in events where !event.isEmpty {
            if event.contains("MARK"), !event.contains("output_item.done"),
                !event.contains("response.completed")
            {
                for piece in pieces {
                    let quoted = piece.replacingOccurrences(of: "\"", with: "\\\"")
                    text += event.replacingOccurrences(of: "MARK", with: quoted) + "\n\n"
                }
            } else if !event.contains("output_item.done") || endsWithItem {
                text +=
                    event.replacingOccurrences(
                        of: "MARK", with: "{}" + String(repeating: " ", count: 2 << 20)) + "\n\n"
            }
        }
        return Array(text.utf8)
    }

    func testArgumentsBeyondTheLimitAreNotKept() throws {
        for format in Self.formats {
            for endsWithItem in [true, false] {
                let bytes = stream(format, bytes: 4 << 20, endsWithItem: endsWithItem)
                let outcome = FixtureStream.read([bytes], format: format)
                XCTAssertEqual(
                    outcome.calls.map { [$0.id, $0.name, $0.arguments] },
                    [["call_1", "add", ToolCall.notKept]], "\(format) \(endsWithItem)")
            }
        }
    }

    func testNoMoreThanTheLimitIsHeldWhateverArrives() {
        var call = ReceivedCall()
        let piece = String(repeating: "x", count: 64 << 10)
        // 50 MB in all.
        for _ in 0..<800 {
            call.append(arguments: piece)
            XCTAssertLessThanOrEqual(call.arguments.utf8.count, ReceivedCall.argumentLimit)
        }
        XCTAssertTrue(call.isTooLarge)
        XCTAssertFalse(call.isWhole)
        XCTAssertTrue(call.hasArguments)
        XCTAssertEqual(call.call(id: "i").arguments, ToolCall.notKept)
    }

    func testLongNamesAndIdsMakeACallThatCannotRun() throws {
        let long = String(repeating: "n", count: 1 << 20)
        for format in Self.formats {
            let named = FixtureStream.read(
                [WireScript.toolCall(long, arguments: "{}", format: format)], format: format)
            XCTAssertEqual(named.calls.map(\.name), ["name_not_kept"], "\(format)")
            XCTAssertEqual(named.events, [.toolCallStarted(name: "name_not_kept")], "\(format)")
            let identified = FixtureStream.read(
                [WireScript.toolCall("add", arguments: "{}", id: long, format: format)],
                format: format)
            XCTAssertEqual(
                identified.calls.map { [$0.id, $0.arguments] },
                [["call_made", ToolCall.notKept]], "\(format)")
        }
    }

    /// They are stored and shown, and an id goes back as it came.
    func testAKeyIsNeitherANameNorAnId() {
        let key = "sk-ant-api03-Zq8vN3xT5bL7wR2mK9pJ4hG6"
        for format in Self.formats {
            let outcome = FixtureStream.read(
                [WireScript.toolCall(key, arguments: "{}", id: key, format: format)],
                format: format)
            XCTAssertEqual(
                outcome.calls.map { [$0.id, $0.name, $0.arguments] },
                [["call_made", "name_not_kept", ToolCall.notKept]], "\(format)")
        }
    }

    func testArgumentsOfOneAnswerAreBoundedTogether() {
        let large = String(repeating: "x", count: 400 << 10)
        let parts = (0..<5).map {
            Part.toolCall(ToolCall(id: "\($0)", name: "n", arguments: large))
        }
        let kept = parts.withoutRepeatedCalls().map { part in
            if case .toolCall(let call) = part { call.arguments == large } else { false }
        }
        XCTAssertEqual(kept, [true, true, false, false, false])
    }

    func testMoreCallsThanAnAnswerHasAreDropped() {
        let parts = (0..<10_000).map {
            Part.toolCall(ToolCall(id: "\($0)", name: "n", arguments: "{}"))
        }
        let kept = (parts + [.text("after")]).withoutRepeatedCalls()
        XCTAssertEqual(kept, Array(parts.prefix(ReceivedCall.countLimit)) + [.text("after")])
    }

    func testACallThatWasNotKeptIsRefusedAndGoesBackEmpty() throws {
        let call = ToolCall(id: "c", name: "note", arguments: ToolCall.notKept)
        let registry = ToolRegistry(servers: [RigServer(timeline: Timeline())])
        XCTAssertEqual(
            registry.prepare(call),
            .failure(
                .unreadableArguments(
                    reason: "they have more than 1 MB, or the id more than 128 bytes")))
        let origin = ModelOrigin(provider: .local, format: .chat, model: "m")
        let turn = Turn(
            status: .done,
            messages: [
                Message(role: .user, parts: [.text("hi")]),
                Message(role: .assistant, parts: [.toolCall(call)], origin: origin),
                Message(
                    role: .tool,
                    parts: [
                        .toolResult(
                            ToolResult(callID: "c", name: "note", text: "no", isError: true))
                    ]),
            ])
        let messages = RequestHistory.messages(of: [turn], for: origin, sendsLocalTurns: true)
        let sent = messages.flatMap(\.toolCalls).map(\.arguments)
        XCTAssertEqual(sent, ["{}"])
    }
}
