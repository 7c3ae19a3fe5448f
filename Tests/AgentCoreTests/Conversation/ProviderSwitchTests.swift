import Foundation
import TestSupport
import XCTest

@testable import AgentCore

/// Conversations that go on with another provider: what one has said and done
/// is told to the other in a request that it takes, word for word.
final class ProviderSwitchTests: XCTestCase {
    private static let targets: [ModelOrigin] = [
        ModelOrigin(provider: .openai, format: .responses, model: "gpt-6.2-sol"),
        ModelOrigin(provider: .claude, format: .messages, model: "claude-sonnet-5-5"),
        ModelOrigin(provider: .local, format: .chat, model: "qwen"),
    ]

    /// Turns as they were with one provider only, with a summary before them
    /// in every third.
    private func history(_ seed: UInt64, with origin: ModelOrigin) -> [Turn] {
        var maker = RandomHistory(seed: seed)
        var turns = maker.turns()
        for turn in turns.indices {
            for message in turns[turn].messages.indices
            where turns[turn].messages[message].role == .assistant {
                turns[turn].messages[message].origin = origin
            }
        }
        if seed % 3 == 0 {
            turns.insert(Compaction.turn("They spoke of ferries.", hasUntrustedText: true), at: 0)
        }
        return turns
    }

    /// The words of all messages, by speaker; what a request may not lose.
    private func words(_ messages: [Message]) -> [String] {
        var found: [String] = []
        for message in messages {
            for part in message.parts {
                switch part {
                // A file that one model takes and another does not is named.
                case .text(let text) where text.text.hasSuffix("this model is not given it."):
                    found.append("file f")
                case .text(let text): found.append("\(message.role) \(text.text)")
                case .refusal(let text): found.append("\(message.role) \(text)")
                case .toolCall(let call): found.append("call \(call.arguments)")
                case .toolResult(let result): found.append("result \(result.text)")
                case .attachment(let file): found.append("file \(file.name)")
                case .thinking, .opaque: break
                }
            }
        }
        return found
    }

    func testEveryHistoryGoesToEveryOtherProviderWholeAndValid() {
        let count: UInt64 = ProcessInfo.processInfo.environment["CHAT_FULL"] == nil ? 50 : 500
        for seed in 0..<count {
            for from in Self.targets {
                let turns = history(seed, with: from)
                let stayed = words(RequestHistory.messages(of: turns, for: from))
                for to in Self.targets where to != from {
                    let messages = RequestHistory.messages(of: turns, for: to)
                    XCTAssertEqual(words(messages), stayed, "seed \(seed) \(from) \(to)")
                    let request = ModelRequest(
                        model: to.model, system: "Be terse.", turns: turns)
                    let body = RequestHistoryTests.body(request, to)
                    let found = ConversationValidator.violations(in: body, format: to.format)
                    XCTAssertEqual(found, [], "seed \(seed) \(from) \(to)")
                    // And back, after an answer there.
                    var later = turns
                    later[later.count - 1].status = .done
                    later.append(
                        Turn(
                            status: .open,
                            messages: [
                                .user("And then?"),
                                Message(role: .assistant, parts: [.text("This.")], origin: to),
                                .user("Back."),
                            ]))
                    let back = RequestHistoryTests.body(
                        ModelRequest(model: from.model, system: "", turns: later), from)
                    XCTAssertEqual(
                        ConversationValidator.violations(in: back, format: from.format), [],
                        "seed \(seed) back to \(from)")
                }
            }
        }
    }
}
