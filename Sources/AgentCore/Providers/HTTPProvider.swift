import Base
import FoundationEssentials
import Privacy
import Synchronization

/// A provider over HTTP, for all three wire formats: builds the request, reads the stream, and
/// turns failures into `ProviderError`.
///
/// The logic is in pure values: request builders, the event parser and the stream decoders. One
/// call may send several requests: a parameter that the server refuses is left out once, and a
/// compatible server without the Responses API is asked again in Chat Completions. Failures are not
/// retried here.
package final class HTTPProvider: Provider {
    /// Facts learnt about this server, kept as long as the provider exists.
    private struct Memory {
        var adjustments: [String: RequestAdjustments] = [:]
        var usesChat = false
    }

    private let endpoint: ProviderEndpoint
    private let key: @Sendable () async throws -> String?
    private let person: @Sendable () async throws -> PersonalData
    private let idleLimit: Duration
    private let transport: any HTTPTransport
    private let environment: Environment
    private let onResponse: @Sendable (ResponseNote) -> Void
    private let memory = Mutex(Memory())

    /// - Parameters:
    ///   - key: called before each request; if it returns nil or an empty key, none is sent.
    ///   - person: the user's data; called before each request of class `redact`. If it throws,
    ///     nothing is sent.
    ///   - idleLimit: silence after which an answer is abandoned.
    ///   - onResponse: receives the head of every response, for a log.
    package init(
        endpoint: ProviderEndpoint, key: @escaping @Sendable () async throws -> String?,
        person: @escaping @Sendable () async throws -> PersonalData,
        idleLimit: Duration = .seconds(300), transport: any HTTPTransport, environment: Environment,
        onResponse: @escaping @Sendable (ResponseNote) -> Void = { _ in }
    ) {
        self.endpoint = endpoint
        self.key = key
        self.person = person
        self.idleLimit = idleLimit
        self.transport = transport
        self.environment = environment
        self.onResponse = onResponse
    }

    package var name: ProviderName { endpoint.name }
    package var host: String { endpoint.host }
    package var isLocal: Bool { endpoint.isLocal }

    package func respond(
        to request: ModelRequest, receive: @Sendable ([ProviderEvent]) async -> Void
    ) async throws -> ModelAnswer {
        let key = try await usableKey()
        let gate = try await gate(for: request)
        var (adjustments, format) = learnt(of: request.model)
        let before = adjustments.ignored(of: request)
        var notFound: ProviderError?
        while true {
            try Task.checkCancellation()
            var source = source(format, model: request.model, key: key)
            let body = body(of: request, origin: source.origin, adjustments: adjustments)
            let bytes = try bytes(of: body, request.privacy, gate, source)
            request.onSend?(bytes)
            let response = try await send(
                HTTPRequest(
                    Outgoing(
                        request.purpose, request.content, provider: name, model: request.model,
                        conversation: request.conversation),
                    method: "POST", url: endpoint.url(for: format),
                    headers: headers(key: key, isStream: true)
                        + betaHeaders(request, format, adjustments),
                    body: .bytes(bytes),
                    limits: TransferLimits(idle: idleLimit)), source: source)
            source.requestID = ResponseFacts.requestID(response.head, hiding: key)
            if response.head.status == 200 {
                memory.withLock { memory in
                    memory.adjustments[request.model] = adjustments
                    if format != endpoint.format { memory.usesChat = true }
                }
                var answer = try await read(response, source: source, receive: receive)
                response.receipt?.note(answer.usage)
                answer.ignored = adjustments.ignored(of: request).subtracting(before)
                return answer
            }
            let error = try await failure(response, source: source)
            // Each parameter is learnt once, so this ends.
            if adjustments.learn(from: error, body: body, format: format) { continue }
            if format == .responses, endpoint.name == .openai, !endpoint.isVendor,
                error.status == 404, error.code != "model_not_found"
            {
                notFound = error
                format = .chat
                continue
            }
            throw error.status == 404 && error.reason == .endpointNotFound
                ? notFound ?? error : error
        }
    }

    package func body(of request: ModelRequest) async throws -> [UInt8] {
        let gate = try await gate(for: request)
        let (adjustments, format) = learnt(of: request.model)
        let source = source(format, model: request.model, key: nil)
        return try bytes(
            of: body(of: request, origin: source.origin, adjustments: adjustments),
            request.privacy, gate, source)
    }

    package func models() async throws -> [ModelInfo] {
        let key = try await usableKey()
        var source = source(endpoint.format, model: "", key: key)
        let response = try await send(
            HTTPRequest(
                Outgoing(.models, provider: name), method: "GET", url: endpoint.modelsURL,
                headers: headers(key: key, isStream: false),
                limits: TransferLimits(total: .seconds(30), bodyBytes: ModelList.limitInBytes)),
            source: source)
        source.requestID = ResponseFacts.requestID(response.head, hiding: key)
        guard response.head.status == 200 else {
            throw try await failure(response, source: source)
        }
        let bytes = try await mapped(source) { try await response.body.all() }
        guard let json = ResponseFacts.json(bytes), let list = ModelList.read(json) else {
            throw source.error(.endpointNotFound, status: 200)
        }
        // Names are shown and stored; one that contains the key is not a model's.
        return list.filter { model in
            [model.id, model.displayName ?? model.id].allSatisfy {
                ServerText($0, hiding: key)?.text == $0
            }
        }
    }

    package func window(of model: String) async throws -> ServerWindow? {
        guard endpoint.format == .chat, !endpoint.isVendor else { return nil }
        var isOllama = false
        for question in ServerWindow.Question.allCases where isOllama || question != .ollamaModel {
            guard let answer = try await answer(to: question, model) else { continue }
            if let window = question.window(of: model, in: answer) { return window }
            if question == .ollamaLoaded { isOllama = answer["models"]?.arrayValue != nil }
        }
        return nil
    }

    /// The server's answer about its window; nil if it has no such endpoint, so that the next
    /// question is asked.
    private func answer(
        to question: ServerWindow.Question, _ model: String
    ) async throws -> JSONValue? {
        let body = question.body(model)
        // Without a key, the server reports that it is missing.
        let key = (try? await usableKey()) ?? nil
        let response = try await transport.send(
            HTTPRequest(
                Outgoing(.models, provider: name, model: model),
                method: body == nil ? "GET" : "POST", url: endpoint.rootURL + question.path,
                headers: headers(key: key, isStream: false)
                    + (body == nil ? [] : [HTTPHeader("Content-Type", "application/json")]),
                body: body.map { .bytes(JSONWriter.bytes($0)) } ?? .none,
                limits: TransferLimits(total: .seconds(2), bodyBytes: ModelList.limitInBytes)))
        guard response.head.status == 200 else { return nil }
        return ResponseFacts.json(try await response.body.all())
    }

    // MARK: - Request

    private func usableKey() async throws -> String? {
        let text = try await key()
        do {
            return try KeyText.usable(text)
        } catch {
            throw source(endpoint.format, model: "", key: text).error(.keyRejected)
        }
    }

    private func source(_ format: WireFormat, model: String, key: String?) -> AnswerSource {
        let uuid = environment.uuid
        return AnswerSource(
            origin: ModelOrigin(provider: endpoint.name, format: format, model: model),
            host: endpoint.host, key: key,
            newID: { "call_" + uuid().filter { $0 != "-" } })
    }

    private func headers(key: String?, isStream: Bool) -> [HTTPHeader] {
        var headers = endpoint.headers(key: key)
        if isStream {
            headers.append(HTTPHeader("Content-Type", "application/json"))
            headers.append(HTTPHeader("Accept", "text/event-stream, application/json"))
        } else {
            headers.append(HTTPHeader("Accept", "application/json"))
        }
        return headers
    }

    /// Asks Anthropic to drop reasoning whose prefix has changed, and to report it, where it would
    /// otherwise refuse the request; and to accept tools between messages.
    private func betaHeaders(
        _ request: ModelRequest, _ format: WireFormat, _ adjustments: RequestAdjustments
    ) -> [HTTPHeader] {
        guard format == .messages, endpoint.isVendor, adjustments.sends("anthropic-beta") else {
            return []
        }
        let betas = [
            ModelCatalog.bindsThinking(request.model)
                ? "thinking-binding-controls-2026-08-01" : nil,
            request.firstTools < request.tools.count
                && LateTools.areTaken(by: request.model, format, adjustments)
                ? "inline-tools-2026-09-15" : nil,
        ].compactMap(\.self)
        return betas.isEmpty ? [] : [HTTPHeader("anthropic-beta", betas.joined(separator: ","))]
    }

    /// The adjustments that this server needs for that model, as far as known, and the format of
    /// its requests.
    private func learnt(of model: String) -> (RequestAdjustments, WireFormat) {
        memory.withLock { memory in
            (
                memory.adjustments[model] ?? RequestAdjustments(),
                memory.usesChat ? .chat : endpoint.format
            )
        }
    }

    private func body(
        of request: ModelRequest, origin: ModelOrigin, adjustments: RequestAdjustments
    ) -> JSONValue {
        var request = request
        let first =
            endpoint.isVendor && adjustments.sends("system")
                && ModelCatalog.takesLaterSystem(request.model, origin.format)
            ? SystemChange.first(of: request.turns, to: request.system) : nil
        request.system = first ?? request.system
        return origin.format.body(
            request,
            messages: RequestHistory.messages(
                of: request.turns, for: origin, at: endpoint.host,
                sendsLocalTurns: request.sendsLocalTurns,
                keepsThinking: adjustments.sendsThinking,
                keepsSearches: request.searchesWeb && adjustments.sends("web_search"),
                placesSystem: first != nil),
            isVendor: endpoint.isVendor, adjustments: adjustments)
    }

    /// Checks that the request's body contains no forbidden data; nil if it may contain anything.
    private func gate(for request: ModelRequest) async throws -> LeakGate? {
        guard request.privacy == .redact else { return nil }
        return LeakGate(try await person().merging(request.withheld))
    }

    /// The only place that encodes the text of a request, so that no caller can send data against
    /// its privacy class.
    private func bytes(
        of body: JSONValue, _ privacy: PrivacyClass, _ gate: LeakGate?, _ source: AnswerSource
    ) throws(ProviderError) -> [UInt8] {
        let bytes = JSONWriter.bytes(body)
        switch privacy {
        case .public: return bytes
        case .localOnly:
            if endpoint.base.isLoopback { return bytes }
            throw source.error(.withheld(privacy))
        case .redact:
            // Without a gate nothing can be considered harmless.
            guard let gate else { throw source.error(.withheld(privacy)) }
            let leaks = gate.leaks(in: bytes)
            if !leaks.isEmpty { throw source.error(.wouldLeak(leaks)) }
            return bytes
        }
    }

    private func send(
        _ request: HTTPRequest, source: AnswerSource
    ) async throws -> HTTPResponse {
        let start = environment.uptime()
        let response = try await mapped(source) { try await transport.send(request) }
        onResponse(
            ResponseNote(
                provider: name, model: source.origin.model, status: response.head.status,
                seconds: environment.uptime() - start,
                limits: RateLimits(from: response.head, hiding: source.key)))
        return response
    }

    /// Runs a step of a transfer and turns its failure into the provider's.
    private func mapped<Value: Sendable>(
        _ source: AnswerSource, _ transfer: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await transfer()
        } catch let error as TransportError {
            throw source.error(.transport(error))
        }
    }

    // MARK: - Response

    private func read(
        _ response: HTTPResponse, source: AnswerSource,
        receive: @Sendable ([ProviderEvent]) async -> Void
    ) async throws -> ModelAnswer {
        var reader = AnswerReader(
            source: source, contentType: response.head["content-type"],
            isLenient: !endpoint.isVendor)
        while !reader.isFinished {
            let chunk = try await mapped(source) { try await response.body.next() }
            // Events received before a failure are delivered before it is thrown.
            let failure = chunk.map { reader.push($0) } ?? reader.end()
            let batch = reader.takeBatch()
            if !batch.isEmpty { await receive(batch) }
            if let failure { throw failure }
            if chunk == nil { break }
        }
        if reader.isFinished { await drain(response.body) }
        return try reader.completion()
    }

    /// Reads the body to its end after a complete answer, so that the connection can be reused; but
    /// not for long, since some servers leave it open.
    private func drain(_ body: ResponseBody) async {
        let sleep = environment.sleep
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                // The answer is complete: it does not matter how its connection ends.
                do { while try await body.next() != nil {} } catch {}
            }
            group.addTask {
                do { try await sleep(.milliseconds(250)) } catch {}
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// The error of a response that is not 200. Reads only as much of its body as an error needs.
    private func failure(
        _ response: HTTPResponse, source: AnswerSource
    ) async throws -> ProviderError {
        let bytes = try await mapped(source) { try await ResponseFacts.prefix(of: response.body) }
        return ResponseFacts.error(
            head: response.head, body: bytes, source: source, now: environment.now())
    }
}

/// A log entry about an exchange, from the head of its response: never a key, a message or
/// an answer.
package struct ResponseNote: Sendable, Equatable {
    package var provider: ProviderName
    /// The model that was asked; empty for a list of models.
    package var model: String
    package var status: Int
    /// Time from the request to the head.
    package var seconds: Double
    package var limits: RateLimits
}

/// The two pure files of each wire format.
extension WireFormat {
    func decoder(_ source: AnswerSource) -> any StreamDecoder {
        switch self {
        case .responses: OpenAIResponsesStreamDecoder(source: source)
        case .messages: ClaudeStreamDecoder(source: source)
        case .chat, .none: OpenAIChatStreamDecoder(source: source)
        }
    }

    fileprivate func body(
        _ request: ModelRequest, messages: [Message], isVendor: Bool,
        adjustments: RequestAdjustments
    ) -> JSONValue {
        switch self {
        case .responses:
            OpenAIResponsesRequest.body(
                request, messages: messages, isVendor: isVendor, adjustments: adjustments)
        case .messages:
            ClaudeRequest.body(
                request, messages: messages, isVendor: isVendor, adjustments: adjustments)
        case .chat, .none:
            OpenAIChatRequest.body(
                request, messages: messages, isVendor: isVendor, adjustments: adjustments)
        }
    }
}
