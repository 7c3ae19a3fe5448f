import Privacy
import Synchronization

/// Wraps a provider so that it gets placeholders instead of personal data; in its answers they are
/// replaced by the originals.
///
/// Each request is redacted from its beginning, with one map: the same history gives the same
/// placeholders, so that prompt caches hit. All requests are of class `redact`: if the redactor
/// misses something of the profile, the gate stops the request. If the leak is in an earlier turn,
/// the request is sent without that turn, so that one line does not block a conversation for good.
package struct RedactingProvider: Provider {
    private let inner: any Provider
    private let person: @Sendable () async throws -> PersonalData

    private let memo: RedactionMemo

    /// - Parameters:
    ///   - person: reads the user's data before each request. If it throws, nothing is sent.
    ///   - memo: the conversation's memo, so that its history is searched only once.
    package init(
        _ inner: any Provider, person: @escaping @Sendable () async throws -> PersonalData,
        memo: RedactionMemo = RedactionMemo()
    ) {
        self.inner = inner
        self.person = person
        self.memo = memo
    }

    package var name: ProviderName { inner.name }
    package var host: String { inner.host }
    package var isLocal: Bool { inner.isLocal }

    package func models() async throws -> [ModelInfo] { try await inner.models() }

    package func body(of request: ModelRequest) async throws -> [UInt8] {
        try await inner.body(of: try await redacted(request).request)
    }

    package func respond(
        to request: ModelRequest, receive: @Sendable ([ProviderEvent]) async -> Void
    ) async throws -> ModelAnswer {
        let redacted = try await redacted(request)
        let events = Mutex(RestoredEvents(redacted.map))
        func send(_ request: ModelRequest) async throws -> ModelAnswer {
            try await inner.respond(to: request) { batch in
                let restored = events.withLock { $0.push(batch) }
                if !restored.isEmpty { await receive(restored) }
            }
        }
        var answer: ModelAnswer
        do {
            do {
                answer = try await send(redacted.request)
            } catch let error as ProviderError where error.isLeak {
                // The gate stopped the request before anything was sent.
                guard let rest = try await withoutRevealingTurns(redacted.request) else {
                    throw error
                }
                answer = try await send(rest)
                answer.ignored.insert(.revealingTurns)
            }
        } catch {
            let rest = events.withLock { $0.finish() }
            if !rest.isEmpty { await receive(rest) }
            throw error
        }
        let rest = events.withLock { $0.finish() }
        if !rest.isEmpty { await receive(rest) }
        return Self.restored(answer, redacted.map)
    }

    /// - Returns: nil if no turn before the last one reveals anything.
    private func withoutRevealingTurns(_ request: ModelRequest) async throws -> ModelRequest? {
        guard let last = request.turns.last else { return nil }
        var rest = request
        rest.turns = []
        for turn in request.turns.dropLast() {
            var alone = request
            (alone.system, alone.tools, alone.turns) = ("", [], [turn])
            do {
                _ = try await inner.body(of: alone)
                rest.turns.append(turn)
            } catch let error as ProviderError where error.isLeak {}
        }
        guard rest.turns.count < request.turns.count - 1 else { return nil }
        rest.turns.append(last)
        return rest
    }

    private func redacted(
        _ request: ModelRequest
    ) async throws -> (request: ModelRequest, map: RedactionMap) {
        var redaction = RequestRedaction(try await person(), memo: memo)
        return (redaction.redacted(request), redaction.map)
    }

    private static func restored(_ answer: ModelAnswer, _ map: RedactionMap) -> ModelAnswer {
        var answer = answer
        answer.message.parts = answer.message.parts.map { part in
            switch part {
            case .text(var text):
                text.text = PlaceholderStream.restored(text.text, map)
                return .text(text)
            case .refusal(let text): return .refusal(PlaceholderStream.restored(text, map))
            case .thinking(var thinking):
                // Its item goes back unchanged: it is signed.
                thinking.text = PlaceholderStream.restored(thinking.text, map)
                return .thinking(thinking)
            case .toolCall(var call):
                call.arguments = JSONText.mapped(call.arguments) {
                    PlaceholderStream.restored($0, map)
                }
                return .toolCall(call)
            case .toolResult, .attachment, .opaque: return part
            }
        }
        return answer
    }
}

/// Restores the originals in the events of an answer, in order.
private struct RestoredEvents {
    private enum Kind { case text, refusal, thinking }

    private var stream: PlaceholderStream
    /// The kind of the text that may be held back.
    private var kind = Kind.text

    init(_ map: RedactionMap) { stream = PlaceholderStream(map) }

    mutating func push(_ batch: [ProviderEvent]) -> [ProviderEvent] {
        var output: [ProviderEvent] = []
        for event in batch {
            switch event {
            case .text(let text): add(text, .text, &output)
            case .refusal(let text): add(text, .refusal, &output)
            case .thinking(let text): add(text, .thinking, &output)
            case .toolCallStarted, .webSearch:
                output += finish()
                output.append(event)
            }
        }
        return output
    }

    private mutating func add(_ text: String, _ kind: Kind, _ output: inout [ProviderEvent]) {
        if kind != self.kind { output += finish() }
        self.kind = kind
        let text = stream.push(text)
        if !text.isEmpty { output.append(merging: Self.event(text, kind)) }
    }

    mutating func finish() -> [ProviderEvent] {
        let rest = stream.finish()
        return rest.isEmpty ? [] : [Self.event(rest, kind)]
    }

    private static func event(_ text: String, _ kind: Kind) -> ProviderEvent {
        switch kind {
        case .text: .text(text)
        case .refusal: .refusal(text)
        case .thinking: .thinking(text)
        }
    }
}
