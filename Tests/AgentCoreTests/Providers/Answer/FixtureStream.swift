import XCTest

@testable import AgentCore
@testable import Base

/// Recorded streams and what decoding them gives, as text for comparison.
enum FixtureStream {
    static func names() throws -> [String] {
        let folder = try folder()
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".sse") }.map { String($0.dropLast(4)) }.sorted()
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder().appendingPathComponent(name + ".sse")))
    }

    static func expectation(_ name: String) throws -> String {
        try String(
            contentsOf: folder().appendingPathComponent(name + ".expected"), encoding: .utf8)
    }

    private static func folder() throws -> URL {
        try XCTUnwrap(Bundle.module.resourceURL).appendingPathComponent("Fixtures")
    }

    static func format(_ name: String) -> WireFormat {
        name.hasPrefix("responses") ? .responses : name.hasPrefix("chat") ? .chat : .messages
    }

    static func source(_ format: WireFormat) -> AnswerSource {
        AnswerSource(
            origin: ModelOrigin(provider: .local, format: format, model: "m"), host: "test",
            key: nil,
            newID: { "call_made" })
    }

    /// The outcome of a body that arrives in these chunks.
    static func read(_ chunks: [[UInt8]], format: WireFormat) -> Outcome {
        var reader = reader(format)
        for chunk in chunks {
            if let failure = reader.push(chunk) {
                return Outcome(events: reader.takeBatch(), result: .failure(failure))
            }
        }
        return finished(reader)
    }

    /// The outcome of every prefix of the bytes, from none to all.
    static func readPrefixes(_ bytes: [UInt8], format: WireFormat) -> [Outcome] {
        var reader = reader(format)
        var outcomes = [finished(reader)]
        for byte in bytes {
            if let failure = reader.push([byte]) {
                outcomes.append(Outcome(events: reader.takeBatch(), result: .failure(failure)))
                return outcomes
            }
            outcomes.append(finished(reader))
        }
        return outcomes
    }

    struct Outcome: Equatable {
        var events: [ProviderEvent]
        var result: Result<ModelAnswer, ProviderError>

        var calls: [ToolCall] {
            switch result {
            case .success(let completion): completion.message.toolCalls
            case .failure: []
            }
        }

        var text: String {
            var lines = events.map { "event \($0)" }
            switch result {
            case .success(let completion):
                lines += completion.message.parts.map { part in
                    switch part {
                    case .text(let text): "text \(text.text) phase \(text.phase ?? "-")"
                    case .refusal(let text): "refusal \(text)"
                    case .thinking(let thinking):
                        "thinking \(thinking.text) item "
                            + (thinking.item.map(JSONWriter.string) ?? "-")
                    case .toolCall(let call):
                        "call \(call.id) \(call.name) \(call.arguments) item \(call.itemID ?? "-")"
                    case .opaque(let item): "opaque \(JSONWriter.string(item))"
                    case .toolResult, .attachment: "impossible"
                    }
                }
                let usage = completion.usage
                lines.append("stop \(completion.stop.name)")
                lines.append(
                    "usage \(usage.input) \(usage.cachedInput) \(usage.output) \(usage.reasoning)"
                        + (usage.searches > 0 ? " searches \(usage.searches)" : "")
                        + (usage.droppedReasoning > 0
                            ? " dropped \(usage.droppedReasoning)" : ""))
            case .failure(let error):
                lines.append(
                    "error \(error.reason) code \(error.code ?? "-") message "
                        + "\(error.message ?? "-") request \(error.requestID ?? "-")")
            }
            return lines.joined(separator: "\n") + "\n"
        }
    }

    private static func reader(_ format: WireFormat) -> AnswerReader {
        AnswerReader(source: source(format), contentType: "text/event-stream", isLenient: true)
    }

    private static func finished(_ unfinished: AnswerReader) -> Outcome {
        var reader = unfinished
        let failure = reader.end()
        let events = reader.takeBatch()
        if let failure { return Outcome(events: events, result: .failure(failure)) }
        do throws(ProviderError) {
            return Outcome(events: events, result: .success(try reader.completion()))
        } catch {
            return Outcome(events: events, result: .failure(error))
        }
    }
}
