/// Builds one answer from the events of one wire format. Pure: no clock, no
/// network, no tasks; the same events always give the same answer.
///
/// Text is reported as soon as it is known; the finished answer holds only
/// tool calls that came whole.
package protocol StreamDecoder: Sendable {
    /// The end marker of the format has been read; what follows is ignored.
    var isFinished: Bool { get }

    /// Takes one event and appends what it shows to `events`.
    /// - Throws: what the stream reports as its failure, or `malformed`.
    mutating func decode(
        _ event: ServerSentEvent, into events: inout [ProviderEvent]
    ) throws(ProviderError)

    /// Takes the complete object that a server sent although a stream was
    /// asked for.
    mutating func decode(
        whole object: JSONValue, into events: inout [ProviderEvent]
    ) throws(ProviderError)

    /// The stream has ended.
    /// - Throws: `brokenStream` when the end marker has not come.
    mutating func finish() throws(ProviderError) -> ModelAnswer
}

extension StreamDecoder {
    /// The event's data as JSON; nil for `[DONE]` and for an event without data.
    func json(
        of event: ServerSentEvent, from source: AnswerSource
    ) throws(ProviderError) -> JSONValue? {
        if event.isBlank || event.isDone { return nil }
        do {
            return try JSONParser.parse(event.data)
        } catch {
            throw source.error(.malformed)
        }
    }
}

extension [ProviderEvent] {
    /// Appends, or lengthens the last event if it is of the same kind, so
    /// that a receiver gets one event for all deltas of a chunk.
    package mutating func append(merging event: ProviderEvent) {
        // The old text is taken out before it grows, and nothing else may hold
        // it then (a tuple to switch over would): appending to a string that
        // is held twice copies it each time.
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
        case .toolCallStarted: break
        }
        append(event)
    }
}

extension ToolCall {
    /// Whether the arguments are one JSON object. A call whose arguments are
    /// not is never run.
    package var hasReadableArguments: Bool { argumentObject != nil }

    package var argumentObject: JSONObject? {
        do {
            return try JSONParser.parse(arguments).objectValue
        } catch {
            // Where the text is broken does not matter here.
            return nil
        }
    }
}

extension [Part] {
    /// Without calls that repeat the id of an earlier one: each call of an
    /// answer runs once, the first wins. Nor with more calls or arguments than
    /// any answer has: each is kept, answered and sent again.
    func withoutRepeatedCalls() -> [Part] {
        var seen: Set<String> = []
        var size = 0
        return compactMap { part in
            guard case .toolCall(var call) = part else { return part }
            guard seen.count < ReceivedCall.countLimit, seen.insert(call.id).inserted else {
                return nil
            }
            size += call.arguments.utf8.count
            if size > ReceivedCall.argumentLimit { call.arguments = ReceivedCall.notKept }
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
