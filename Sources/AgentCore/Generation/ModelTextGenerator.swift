import Base
import Synchronization

/// Asks one provider's model for a text, and handles retries, stop reasons and the form of the
/// answer. It has no state; usage is reported to `count`.
package struct ModelTextGenerator: TextGenerator {
    package enum Event: Sendable {
        /// The request is sent again after `delay` seconds.
        case retrying(ProviderError, attempt: Int, of: Int, delay: Double)
        case askingAgain
    }

    private let provider: any Provider
    private let model: String
    private let temperature: Double?
    private let effort: Effort?
    private let conversation: String?
    private let environment: Environment
    private let count: @Sendable (_ purpose: String, ModelOrigin, Usage) async -> Void
    private let observe: @Sendable (Event) async -> Void

    /// - Parameters:
    ///   - temperature: used if the recipe has none; likewise `effort`.
    ///   - conversation: the conversation it belongs to, for the ledger.
    ///   - count: called once for each answered request, whatever its result.
    package init(
        provider: any Provider, model: String, temperature: Double? = nil, effort: Effort? = nil,
        conversation: String? = nil,
        environment: Environment, observe: @escaping @Sendable (Event) async -> Void = { _ in },
        count: @escaping @Sendable (_ purpose: String, ModelOrigin, Usage) async -> Void
    ) {
        self.provider = provider
        self.model = model
        self.temperature = temperature
        self.effort = effort
        self.conversation = conversation
        self.environment = environment
        self.observe = observe
        self.count = count
    }

    package func generate(
        _ recipe: TextRecipe, emit: (@Sendable (String) async -> Void)?
    ) async throws -> GeneratedText {
        let sent = SentBodies(keeps: recipe.privacy == .redact)
        do {
            var made = try await text(of: recipe, sent: sent, emit: emit)
            (made.sent, made.requests) = (sent.all, sent.count)
            return made
        } catch var error as GenerationError {
            (error.sent, error.requests) = (sent.all, sent.count)
            throw error
        }
    }

    package func requestBody(of recipe: TextRecipe) async throws -> [UInt8] {
        do {
            return try await provider.body(
                of: request(for: recipe, [.user(recipe.input)], sent: SentBodies(keeps: false)))
        } catch let error as ProviderError {
            throw GenerationError(.provider(error))
        }
    }

    package func destination() -> TextDestination? {
        TextDestination(provider: provider.name, host: provider.host, model: model)
    }

    private func text(
        of recipe: TextRecipe, sent: SentBodies, emit: (@Sendable (String) async -> Void)?
    ) async throws -> GeneratedText {
        var messages = [Message.user(recipe.input)]
        let first = try await answer(
            to: messages, recipe, usage: Usage(), sent: sent, emit: emit)
        guard case .json(let schema) = recipe.shape else { return first }
        var result = first
        var fault = result.fit(schema)
        if let found = fault {
            messages.append(Message(role: .assistant, parts: [.text(first.text)]))
            messages.append(
                .user(
                    "That is not the JSON that was asked for: \(found.path) \(found.problem). "
                        + "Answer again, with the corrected JSON value alone."))
            result = try await answer(
                to: messages, recipe, usage: first.usage, sent: sent, emit: nil)
            fault = result.fit(schema)
        }
        if let fault {
            throw GenerationError(.wrongShape(fault), text: result.text, usage: result.usage)
        }
        return result
    }

    private func request(
        for recipe: TextRecipe, _ messages: [Message], sent: SentBodies
    ) -> ModelRequest {
        var system = recipe.system
        if case .json(let schema) = recipe.shape {
            system +=
                "\n\nAnswer with one JSON value and nothing else. It must match this JSON Schema:\n"
                + JSONWriter.string(schema.json)
        }
        var request = ModelRequest(
            model: model, system: system, turns: [Turn(status: .open, messages: messages)],
            maxOutputTokens: recipe.maxOutputTokens,
            temperature: recipe.temperature ?? temperature,
            effort: provider.isLocal ? nil : recipe.effort ?? effort, thinking: .off,
            privacy: recipe.privacy, withheld: recipe.withheld, onSend: { sent.add($0) })
        request.purpose = Outgoing.Purpose(rawValue: recipe.purpose)
        (request.content, request.conversation) = (recipe.content, conversation)
        return request
    }

    /// - Parameter usage: the usage of the requests before this one.
    private func answer(
        to messages: [Message], _ recipe: TextRecipe, usage before: Usage, sent: SentBodies,
        emit: (@Sendable (String) async -> Void)?
    ) async throws -> GeneratedText {
        let emit = recipe.shape == .text ? emit : nil
        let answer = try await ask(
            request(for: recipe, messages, sent: sent),
            retries: recipe.retries, usage: before, sent: sent, emit: emit)
        let origin =
            answer.message.origin
            ?? ModelOrigin(provider: provider.name, format: .none, model: model)
        await count(recipe.purpose, origin, answer.usage)
        let result = GeneratedText(
            text: answer.message.text.trimmingSpace(), usage: before + answer.usage, model: origin)
        let reason: GenerationError.Reason? =
            switch answer.stop {
            case .refusal, .contentFilter: .refused
            case .maxTokens, .contextWindow: .truncated
            case .end, .toolUse, .stopSequence, .pause, .unknown:
                result.text.isEmpty ? .empty : nil
            }
        if let reason {
            throw GenerationError(reason, text: result.text, usage: result.usage)
        }
        return result
    }

    private func ask(
        _ request: ModelRequest, retries: Int, usage: Usage, sent: SentBodies,
        emit: (@Sendable (String) async -> Void)?
    ) async throws -> ModelAnswer {
        let policy = RetryPolicy(attempts: retries + 1)
        let shown = Shown()
        var attempt = 1
        while true {
            sent.countOne()
            do {
                return try await provider.respond(to: request) { events in
                    guard let emit else { return }
                    for case .text(let text) in events {
                        await shown.append(text)
                        await emit(text)
                    }
                }
            } catch let error as ProviderError {
                let text = await shown.text
                let decision = policy.decision(
                    for: error, attempt: attempt, hasShown: !text.isEmpty,
                    random: environment.random())
                guard case .retry(let delay) = decision else {
                    throw GenerationError(
                        .provider(error), text: text.trimmingSpace(), usage: usage)
                }
                attempt += 1
                await observe(
                    .retrying(error, attempt: attempt, of: policy.attempts, delay: delay))
                try await environment.sleep(.seconds(delay))
                await observe(.askingAgain)
            }
        }
    }

    /// Number of requests sent, and their bodies if they have to prove what was sent.
    private final class SentBodies: Sendable {
        private let keeps: Bool
        private let bodies = Mutex<[String]>([])
        private let requests = Mutex(0)
        var all: [String] { bodies.withLock { $0 } }
        var count: Int { requests.withLock { $0 } }

        init(keeps: Bool) { self.keeps = keeps }

        func countOne() { requests.withLock { $0 += 1 } }

        func add(_ body: [UInt8]) {
            if keeps { bodies.withLock { $0.append(String(decoding: body, as: UTF8.self)) } }
        }
    }

    /// The text emitted so far, which is kept if the answer breaks off.
    private actor Shown {
        var text = ""
        func append(_ more: String) { text += more }
    }
}

extension GeneratedText {
    /// Parses the JSON in the text, even in a fence or between sentences.
    /// - Returns: the reason why no value in it fits the schema.
    fileprivate mutating func fit(_ schema: JSONSchema) -> JSONSchema.Violation? {
        var fault: JSONSchema.Violation?
        for value in JSONInText.values(in: text) {
            guard let found = schema.violations(in: value).first else {
                json = value
                return nil
            }
            // `{"characters": […]}`: a requested list is often wrapped in an object.
            if case .object(let wrapper) = value, wrapper.members.count == 1,
                let list = wrapper.members.first?.value, list.arrayValue != nil,
                schema.violations(in: list).isEmpty
            {
                json = list
                return nil
            }
            fault = fault ?? found
        }
        return fault ?? JSONSchema.Violation(path: "$", problem: "is missing: there is no JSON")
    }
}
