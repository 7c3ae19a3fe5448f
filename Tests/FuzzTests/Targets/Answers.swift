import Base

@testable import AgentCore

extension FuzzTarget {
    /// The body of a response, by the decoder of each wire format: the same events and the same
    /// answer however it arrives, and no call that could not be sent back.
    static let answers = FuzzTarget("answers") { bytes in
        for format in [WireFormat.messages, .responses, .chat] {
            let whole = answer(format, [bytes])
            let cut = answer(format, bytes.map { [$0] })
            try demand(cut.events == whole.events, "\(format): events depend on the cut")
            try demand(cut.answer == whole.answer, "\(format): the answer depends on the cut")
            guard let parts = whole.answer?.message.parts else { continue }
            let calls = parts.compactMap { if case .toolCall(let call) = $0 { call } else { nil } }
            try demand(Set(calls.map(\.id)).count == calls.count, "\(format): an id twice")
            try demand(calls.count <= ReceivedCall.countLimit, "\(format): too many calls")
            for call in calls {
                for word in [call.id, call.name] {
                    try demand(
                        !word.isEmpty && word.utf8.count <= ReceivedCall.wordLimit,
                        "\(format): a call without a name or an id")
                }
                try demand(
                    call.arguments.utf8.count <= ReceivedCall.argumentLimit,
                    "\(format): arguments above the limit")
            }
        }
    }

    private static func answer(
        _ format: WireFormat, _ pieces: [[UInt8]]
    ) -> (events: [ProviderEvent], answer: ModelAnswer?) {
        let source = AnswerSource(
            origin: ModelOrigin(provider: .local, format: format, model: "m"), host: "h",
            newID: { "made" })
        var (reader, events) = (
            AnswerReader(source: source, contentType: nil, isLenient: true), [ProviderEvent]()
        )
        for piece in pieces where !reader.isFinished {
            let failure = reader.push(piece)
            for event in reader.takeBatch() { events.append(merging: event) }
            if failure != nil { return (events, nil) }
        }
        let failure = reader.end()
        for event in reader.takeBatch() { events.append(merging: event) }
        return (events, failure == nil ? try? reader.completion() : nil)
    }
}
