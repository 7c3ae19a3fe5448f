import XCTest

@testable import AgentCore
@testable import Base

/// What compatible servers put into Chat Completions in ways of their own:
/// thinking inside of the text, and calls in the form before `tool_calls`.
final class ChatDialectTests: XCTestCase {
    private func chunk(_ delta: JSONValue, finish: JSONValue = .null) -> String {
        let choice: JSONValue = ["index": 0, "delta": delta, "finish_reason": finish]
        return "data: " + JSONWriter.string(["id": "c", "choices": [choice]]) + "\n\n"
    }

    /// The outcome of an answer whose content arrives in these pieces.
    private func read(_ pieces: [String], finish: String = "stop") -> FixtureStream.Outcome {
        let stream =
            pieces.map { chunk(["content": .string($0)]) }.joined()
            + chunk([:], finish: .string(finish)) + "data: [DONE]\n\n"
        return FixtureStream.read([Array(stream.utf8)], format: .chat)
    }

    /// Events and parts, which must say the same.
    private func shown(_ outcome: FixtureStream.Outcome) -> String {
        outcome.text.split(separator: "\n").dropLast(2).joined(separator: " | ")
    }

    private let answer = "\n<think>\nHm, <b>.\n\nSo: </thin no.\n</think>\n\nIt is *é*.\n"
    private let wanted =
        #"event thinking("Hm, <b>.\n\nSo: </thin no.") | event text("It is *é*.\n") | "#
        + "thinking Hm, <b>. | So: </thin no. item - | text It is *é*. |  phase -"

    func testThinkingInTagsAtTheStartIsThinking() {
        XCTAssertEqual(shown(read([answer])), wanted)
        XCTAssertEqual(
            shown(read(["<thinking>Hm</thinking>Yes"])),
            #"event thinking("Hm") | event text("Yes") | thinking Hm item - | text Yes phase -"#)
        // A model that was told not to think leaves the tags empty.
        XCTAssertEqual(
            shown(read(["<think>\n\n</think>\n\nYes"])), #"event text("Yes") | text Yes phase -"#)
        let whole = JSONWriter.string([
            "choices": [
                ["message": ["content": .string(answer)], "finish_reason": "stop"]
            ]
        ])
        XCTAssertEqual(shown(FixtureStream.read([Array(whole.utf8)], format: .chat)), wanted)
    }

    func testWhereTheTagsAreCutIsNoMatter() {
        let letters = answer.map(String.init)
        XCTAssertEqual(shown(read(letters)), wanted)
        for first in 0...letters.count {
            for second in first...letters.count {
                let pieces = [
                    letters[..<first], letters[first..<second], letters[second...],
                ].map { $0.joined() }
                XCTAssertEqual(shown(read(pieces)), wanted, "\(first) \(second)")
            }
        }
    }

    func testATagElsewhereIsText() {
        let far = String(repeating: " ", count: 17)
        for text in [
            "It is <think>x</think>.", "```\n<think>\n```", "`<think>`", "<thinks>x</thinks>",
            "< think>", "<think", "\n  ", "<b>", "\(far)<think>x</think>", "</think>x",
        ] {
            let parts = read([text]).text
            XCTAssertEqual(parts, read(text.map(String.init)).text, text)
            guard case .success(let completion) = read([text]).result else {
                XCTFail(text)
                continue
            }
            XCTAssertEqual(completion.message.text, text)
            XCTAssertEqual(completion.message.parts.count, 1, text)
            XCTAssertEqual(read([text]).events, [.text(text)], text)
        }
    }

    func testATagAfterThinkingOfItsOwnFieldIsText() {
        let stream =
            chunk(["reasoning": "Hm"]) + chunk(["content": "<think>x</think>"])
            + chunk([:], finish: "stop")
        XCTAssertEqual(
            shown(FixtureStream.read([Array(stream.utf8)], format: .chat)),
            #"event thinking("Hm") | event text("<think>x</think>") | "#
                + "thinking Hm item - | text <think>x</think> phase -")
    }

    func testThinkingThatIsCutIsThinkingAndNoAnswer() {
        XCTAssertEqual(
            shown(read(["<think>Hm, ", "so </th"], finish: "length")),
            #"event thinking("Hm, so </th") | thinking Hm, so </th item -"#)
    }

    func testThinkingWithoutAnEndIsTheAnswerOfAModelThatWasDone() {
        XCTAssertEqual(
            shown(read(["<think>It is ", "red.\n"])),
            #"event thinking("It is red.") | event text("<think>It is red.\n") | "#
                + "text <think>It is red. |  phase -")
    }

    func testThinkingBeforeACallNeedsNoEnd() {
        let call: JSONValue = ["name": "now", "arguments": "{}"]
        let stream =
            chunk(["content": "<think>Hm"])
            + chunk(["tool_calls": [["index": 0, "id": "c1", "function": call]]])
            + chunk([:], finish: "stop")
        XCTAssertEqual(
            shown(FixtureStream.read([Array(stream.utf8)], format: .chat)),
            #"event thinking("Hm") | event toolCallStarted(name: "now") | "#
                + "thinking Hm item - | call c1 now {} item -")
    }

    func testTheCallOfOldIsACall() {
        let pieces: [JSONValue] = [
            [
                "role": "assistant", "content": nil,
                "function_call": ["name": "now", "arguments": ""],
            ],
            ["function_call": ["arguments": "{\"a\":"]], ["function_call": ["arguments": "1}"]],
        ]
        let stream =
            pieces.map { chunk($0) }.joined() + chunk([:], finish: "function_call")
            + "data: [DONE]\n\n"
        XCTAssertEqual(
            FixtureStream.read([Array(stream.utf8)], format: .chat).text,
            """
            event toolCallStarted(name: "now")
            call call_made now {"a":1} item -
            stop tool_use
            usage 0 0 0 0

            """)
        let whole = JSONWriter.string([
            "choices": [
                [
                    "message": ["function_call": ["name": "now", "arguments": "{}"]],
                    "finish_reason": "function_call",
                ]
            ]
        ])
        let outcome = FixtureStream.read([Array(whole.utf8)], format: .chat)
        XCTAssertEqual(outcome.calls.map(\.name), ["now"])
    }

    func testACallInBothFormsIsOneCall() {
        let call: JSONValue = ["name": "now", "arguments": "{}"]
        let stream =
            chunk([
                "tool_calls": [["index": 0, "id": "c1", "function": call]], "function_call": call,
            ]) + chunk(["function_call": ["name": "now"]]) + chunk([:], finish: "tool_calls")
        let outcome = FixtureStream.read([Array(stream.utf8)], format: .chat)
        XCTAssertEqual(outcome.calls.map(\.id), ["c1"])
        XCTAssertEqual(outcome.calls.map(\.arguments), ["{}"])
    }
}
