import TestSupport
import XCTest

@testable import AgentCore
@testable import Base

/// Streams of real events in the wrong order, with members changed, removed
/// and repeated: never a trap, and text that was sent is shown.
final class DecoderFuzzTests: XCTestCase {
    func testTenThousandMutatedStreamsNeverTrap() throws {
        var events: [WireFormat: [JSONValue]] = [:]
        for name in try FixtureStream.names() {
            var parser = ServerSentEventParser()
            var found: [ServerSentEvent] = []
            try parser.push(FixtureStream.bytes(name), into: &found)
            events[FixtureStream.format(name), default: []] +=
                try found.filter { !$0.isDone }.map { try JSONParser.parse($0.data) }
        }
        for seed in 0..<UInt64(10_000) {
            var random = SplitMix(seed: seed)
            let format: WireFormat = [.responses, .chat, .messages][Int(seed % 3)]
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                guard let event = events[format]?.randomElement(using: &random) else { continue }
                bytes += WireScript.event(mutated(event, &random))
            }
            bytes += Array("data: [DONE]\n\n".utf8)
            let outcome = FixtureStream.read([bytes], format: format)
            if case .success(let completion) = outcome.result {
                let ids = completion.message.toolCalls.map(\.id)
                XCTAssertEqual(Set(ids).count, ids.count, "seed \(seed)")
                XCTAssertFalse(ids.contains(""), "seed \(seed)")
            }
        }
    }

    func testAPositionThatNoAnswerReachesIsNoPosition() throws {
        let item: JSONValue = [
            "type": "function_call", "id": "f", "call_id": "c", "name": "look", "arguments": "{}",
        ]
        let bytes = [
            ["type": "response.output_text.delta", "output_index": .integer(.max), "delta": "a"],
            ["type": "response.output_item.added", "item": item],
            ["type": "response.output_item.done", "item": item],
            ["type": "response.completed", "response": ["status": "completed"]] as JSONValue,
        ].flatMap { WireScript.event($0) }
        let completion = try FixtureStream.read([bytes], format: .responses).result.get()
        XCTAssertEqual(completion.message.text, "a")
        XCTAssertEqual(completion.message.toolCalls.map(\.name), ["look"])
    }

    private func mutated(_ value: JSONValue, _ random: inout SplitMix) -> JSONValue {
        if random.once(in: 25) {
            let odd: [JSONValue] = [
                .null, true, -1, .integer(.max), .number("1e400"), "", "x", [], [.null], [:],
            ]
            return odd.randomElement(using: &random) ?? .null
        }
        switch value {
        case .object(let object):
            var members: [JSONObject.Member] = []
            for member in object.members {
                if random.once(in: 25) { continue }
                members.append(JSONObject.Member(member.name, mutated(member.value, &random)))
                if random.once(in: 40) { members.append(member) }
            }
            return .object(JSONObject(members))
        case .array(let elements):
            return .array(elements.map { mutated($0, &random) })
        default: return value
        }
    }

    func testTextIsShownWhateverSurroundsIt() {
        let noise =
            "event: new\ndata: {\"type\":\"new\"}\n\n: ping\n\ndata: {}\n\ndata: 7\n\ndata:\n\ndata:  \n\n"
        for format in [WireFormat.responses, .chat, .messages] {
            let text = String(
                decoding: WireScript.text(["a", "b"], format: format), as: UTF8.self)
            let noisy = text.replacingOccurrences(of: "\n\n", with: "\n\n" + noise)
            let outcome = FixtureStream.read([Array((noise + noisy).utf8)], format: format)
            XCTAssertEqual(outcome.events, [.text("ab")], "\(format)")
            guard case .success(let completion) = outcome.result else {
                XCTFail("\(format)")
                continue
            }
            XCTAssertEqual(completion.message.text, "ab")
        }
    }

    func testTextWithoutItsOpeningEventsIsKept() {
        let streams: [(WireFormat, [JSONValue])] = [
            (
                .responses,
                [
                    ["type": "response.output_text.delta", "delta": "a"],
                    ["type": "response.completed", "response": ["status": "completed"]],
                ]
            ),
            (
                .messages,
                [
                    [
                        "type": "content_block_delta", "index": 4,
                        "delta": ["type": "text_delta", "text": "a"],
                    ], ["type": "message_stop"],
                ]
            ),
        ]
        for (format, events) in streams {
            let bytes = events.flatMap { WireScript.event($0) }
            let outcome = FixtureStream.read([bytes], format: format)
            XCTAssertEqual(outcome.events, [.text("a")])
            XCTAssertEqual(try outcome.result.get().message.parts, [.text("a")])
        }
    }
}
