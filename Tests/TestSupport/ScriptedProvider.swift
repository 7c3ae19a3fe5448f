import AgentCore
import Synchronization

/// A provider that answers from a script and records what it was asked.
///
/// It fails loudly when it is asked more often than scripted.
package final class ScriptedProvider: Provider {
    package struct Step: Sendable {
        package var batches: [[ProviderEvent]]
        package var result: Result<ModelAnswer, ProviderError>
        /// Awaited between the batches and the result, for tests of
        /// interruption.
        package var pause: (@Sendable () async throws -> Void)?

        package init(
            batches: [[ProviderEvent]] = [], result: Result<ModelAnswer, ProviderError>,
            pause: (@Sendable () async throws -> Void)? = nil
        ) {
            self.batches = batches
            self.result = result
            self.pause = pause
        }
    }

    private struct State {
        var steps: [Step]
        var requests: [ModelRequest] = []
    }

    package let name: ProviderName
    package let host: String
    private let list: [ModelInfo]
    private let state: Mutex<State>

    package init(
        _ steps: [Step], name: ProviderName = .claude, host: String = "scripted.test",
        models: [ModelInfo] = []
    ) {
        self.name = name
        self.host = host
        list = models
        state = Mutex(State(steps: steps))
    }

    /// What it was asked so far.
    package var requests: [ModelRequest] { state.withLock { $0.requests } }
    package var remainingSteps: Int { state.withLock { $0.steps.count } }

    package func respond(
        to request: ModelRequest, receive: @Sendable ([ProviderEvent]) async -> Void
    ) async throws -> ModelAnswer {
        let step = state.withLock { state -> Step? in
            state.requests.append(request)
            return state.steps.isEmpty ? nil : state.steps.removeFirst()
        }
        guard let step else { fatalError("the script has no answer to another request") }
        for batch in step.batches {
            try Task.checkCancellation()
            await receive(batch)
        }
        if let pause = step.pause { try await pause() }
        try Task.checkCancellation()
        return try step.result.get()
    }

    /// The system text and the messages, as text.
    package func body(of request: ModelRequest) async throws -> [UInt8] {
        Array(
            ([request.system] + request.turns.flatMap(\.messages).map(\.text))
                .joined(separator: "\n").utf8)
    }

    package func models() async throws -> [ModelInfo] { list }
}

extension ScriptedProvider.Step {
    private static let origin = ModelOrigin(provider: .claude, format: .messages, model: "scripted")

    package static func text(_ pieces: [String], stop: StopReason = .end) -> Self {
        Self(
            batches: pieces.map { [.text($0)] },
            result: .success(
                ModelAnswer(
                    message: Message(
                        role: .assistant, parts: [.text(pieces.joined())], origin: origin),
                    stop: stop, usage: Usage(input: 10, output: 5))))
    }

    package static func calls(_ calls: [ToolCall], text: String = "") -> Self {
        let words: [Part] = text.isEmpty ? [] : [.text(text)]
        return Self(
            batches: (text.isEmpty ? [] : [[.text(text)]])
                + calls.map { [.toolCallStarted(name: $0.name)] },
            result: .success(
                ModelAnswer(
                    message: Message(
                        role: .assistant, parts: words + calls.map(Part.toolCall), origin: origin),
                    stop: .toolUse, usage: Usage(input: 10, output: 5))))
    }

    package static func failure(
        _ reason: ProviderError.Reason, after pieces: [String] = [], retryAfter: Double? = nil
    ) -> Self {
        Self(
            batches: pieces.map { [.text($0)] },
            result: .failure(
                ProviderError(
                    reason: reason, provider: .claude, host: "scripted.test",
                    retryAfter: retryAfter)))
    }
}
