import Base

/// Builds one answer from the events of one wire format. Pure: no clock, no network, no tasks; the
/// same events always give the same answer.
///
/// Text is reported as soon as it is known; the finished answer contains only complete tool calls.
package protocol StreamDecoder: Sendable {
    /// Whether the end marker of the format has been read; everything after it is ignored.
    var isFinished: Bool { get }

    /// Decodes one event and appends the results to `events`.
    /// - Throws: the failure reported by the stream, or `malformed`.
    mutating func decode(
        _ event: ServerSentEvent, into events: inout [ProviderEvent]
    ) throws(ProviderError)

    /// Decodes the complete object of a server that ignored the request for a stream.
    mutating func decode(
        whole object: JSONValue, into events: inout [ProviderEvent]
    ) throws(ProviderError)

    /// Handles the end of the stream.
    /// - Throws: `brokenStream` if the end marker has not arrived.
    mutating func finish() throws(ProviderError) -> ModelAnswer
}

extension StreamDecoder {
    /// The event's data as JSON; nil for `[DONE]` and for an event without data.
    func json(
        of event: ServerSentEvent, from source: AnswerSource
    ) throws(ProviderError) -> JSONValue? {
        if event.isBlank || event.isDone { return nil }
        do {
            return try JSONParser.parse(event.data).unwrappedError
        } catch {
            throw source.error(.malformed)
        }
    }
}

extension [ProviderEvent] {
    /// Appends, or lengthens the last event if it is of the same kind, so
    /// that a receiver gets one event for all deltas of a chunk.
    package mutating func append(merging event: ProviderEvent) {
        // The old text is taken out before it grows, so that nothing else refers to it (not even a
        // tuple to switch over): appending to a string with two references copies it each time.
        switch event {
        case .text(let more):
            guard case .text(var text)? = last else { break }
            self[count - 1] = .text("")
            text += more
            self[count - 1] = .text(text)
            return
        case .thinking(let more):
            guard case .thinking(var text)? = last else { break }
            self[count - 1] = .thinking("")
            text += more
            self[count - 1] = .thinking(text)
            return
        case .refusal(let more):
            guard case .refusal(var text)? = last else { break }
            self[count - 1] = .refusal("")
            text += more
            self[count - 1] = .refusal(text)
            return
        case .toolCallStarted, .webSearch: break
        }
        append(event)
    }
}

extension Usage {
    /// The amount of reasoning that was dropped according to a response, in the format of both
    /// vendors; nil if it does not say.
    static func droppedReasoning(in response: JSONValue?) -> Int? {
        response?["input_transformations"]?.arrayValue?.count {
            $0["type"]?.stringValue?.hasSuffix("_dropped") == true
        }
    }

    /// Token counts in OpenAI's form, in `prompt_tokens` or `input_tokens` and their details.
    init(_ counts: JSONValue, input: String, output: String) {
        func count(_ value: JSONValue?) -> Int { value?.integerValue ?? 0 }
        let details = counts["\(input)_details"]
        self.init(
            input: count(counts[input]), cachedInput: count(details?["cached_tokens"]),
            cacheWrite: count(details?["cache_write_tokens"]), output: count(counts[output]),
            reasoning: count(counts["\(output)_details"]?["reasoning_tokens"]))
    }
}

extension ToolCall {
    /// Whether the arguments are one JSON object. A call with other arguments is never run.
    package var hasReadableArguments: Bool { argumentObject != nil }

    package var argumentObject: JSONObject? {
        do {
            return try JSONParser.parse(arguments).objectValue
        } catch {
            // The position of the error in the text does not matter here.
            return nil
        }
    }
}

extension [Part] {
    /// Removes calls that repeat the id of an earlier one: each call of an answer runs once, and
    /// the first one counts. Also limits the number of calls and their arguments, since each is
    /// stored, answered and sent again.
    func withoutRepeatedCalls() -> [Part] {
        var seen: Set<String> = []
        var size = 0
        return compactMap { part in
            guard case .toolCall(var call) = part else { return part }
            guard seen.count < ReceivedCall.countLimit, seen.insert(call.id).inserted else {
                return nil
            }
            size += call.arguments.utf8.count
            if size > ReceivedCall.argumentLimit { call.arguments = ToolCall.notKept }
            return .toolCall(call)
        }
    }

    var containsToolCall: Bool {
        contains { if case .toolCall = $0 { true } else { false } }
    }

    var containsRefusal: Bool {
        contains { if case .refusal = $0 { true } else { false } }
    }
}

/// The source of an answer: decoders need it to stamp a message and to build an error.
package struct AnswerSource: Sendable {
    package var origin: ModelOrigin
    package var host: String
    /// The request's id in the response's headers.
    package var requestID: ServerText?
    /// The key that was sent; removed from the server's texts.
    package var key: String?
    /// Makes an id for a call that has none.
    package var newID: @Sendable () -> String

    package func error(
        _ reason: ProviderError.Reason, facts: ErrorFacts = ErrorFacts(), status: Int? = nil
    ) -> ProviderError {
        ProviderError(
            reason: reason, provider: origin.provider, host: host, status: status,
            code: facts.code ?? facts.type, message: facts.message, parameter: facts.parameter,
            requestID: facts.requestID ?? requestID)
    }

    /// An unknown word of the server's, unchanged except that the key is removed.
    func word(_ said: String) -> String {
        ServerText(said, hiding: key, limit: 64)?.text ?? "unknown"
    }

    /// The error a stream reports about itself.
    package func error(inStream json: JSONValue) -> ProviderError {
        let facts = ErrorFacts(json, hiding: key)
        return error(facts.reason(status: nil), facts: facts)
    }
}
