import Base

/// Reads the body of a 200 response into an answer, in either form: an event stream, or one JSON
/// object from a server or proxy that ignores `stream`. Pure; fed with chunks.
struct AnswerReader {
    private enum Form {
        case unknown, events, object
    }

    /// Maximum size in bytes of one event, and of a whole answer without a stream: the text below
    /// when every character of it is escaped (six bytes), with room for what else an answer has.
    static let eventLimit = 16 << 20

    /// Maximum size of the text of an answer in bytes: no model writes more than 128,000 tokens (0.5
    /// MB) at once. The text is kept for display, storage and sending, about twenty times.
    static let textLimit = 4 << 20

    private var decoder: any StreamDecoder
    private let source: AnswerSource
    private let contentType: String
    private let isLenient: Bool
    private var form = Form.unknown
    private var parser = ServerSentEventParser(limit: eventLimit)
    private var events: [ServerSentEvent] = []
    private var batch: [ProviderEvent] = []
    private var object: [UInt8] = []
    private var textBytes = 0

    var isFinished: Bool { decoder.isFinished }

    /// - Parameter isLenient: whether the empty line after the last event may be missing.
    init(source: AnswerSource, contentType: String?, isLenient: Bool) {
        decoder = source.origin.format.decoder(source)
        self.source = source
        self.contentType = contentType?.lowercased() ?? ""
        self.isLenient = isLenient
    }

    /// Takes the events that have arrived since the last call.
    mutating func takeBatch() -> [ProviderEvent] {
        defer { batch = [] }
        textBytes += Self.size(of: batch)
        return batch
    }

    /// - Returns: the reason why the answer has failed; the batch before it is valid.
    mutating func push(_ chunk: [UInt8]) -> ProviderError? {
        do throws(ProviderError) {
            let chunk = try form == .unknown ? recognise(chunk) : chunk
            switch form {
            case .object:
                guard object.count + chunk.count <= Self.eventLimit else {
                    object = []
                    throw tooLarge("an answer", Self.eventLimit)
                }
                object += chunk
            case .events:
                events.removeAll(keepingCapacity: true)
                let broken = split(chunk)
                for event in events { try decoder.decode(event, into: &batch) }
                if broken { throw tooLarge("an event of an answer", Self.eventLimit) }
                try checkText()
            case .unknown: break
            }
            return nil
        } catch {
            return error
        }
    }

    /// Handles the end of the body.
    mutating func end() -> ProviderError? {
        do throws(ProviderError) {
            switch form {
            case .object:
                guard let json = ResponseFacts.json(object) else { throw source.error(.malformed) }
                try decoder.decode(whole: json, into: &batch)
            case .events, .unknown:
                if let event = parser.finish(lenient: isLenient) {
                    try decoder.decode(event, into: &batch)
                }
            }
            try checkText()
            return nil
        } catch {
            return error
        }
    }

    mutating func completion() throws(ProviderError) -> ModelAnswer {
        try decoder.finish()
    }

    private func checkText() throws(ProviderError) {
        if textBytes + Self.size(of: batch) > Self.textLimit {
            throw tooLarge("the text of an answer", Self.textLimit)
        }
    }

    private func tooLarge(_ what: String, _ limit: Int) -> ProviderError {
        let fact = ServerText("\(what) may have \(Quantities.bytes(limit))", hiding: nil)
        return source.error(
            .transport(
                TransportError(
                    reason: .tooLarge, host: source.host, detail: fact ?? "above the limit",
                    afterResponse: true)))
    }

    private static func size(of events: [ProviderEvent]) -> Int {
        events.reduce(0) { sum, event in
            switch event {
            case .text(let text), .refusal(let text), .thinking(let text): sum + text.utf8.count
            case .toolCallStarted, .webSearch: sum
            }
        }
    }

    /// Decides by the first byte that is not white space, because content
    /// types are often wrong: an event stream cannot begin with `{`, `[` or `<`.
    /// - Returns: the chunk from that byte on.
    private mutating func recognise(_ chunk: [UInt8]) throws(ProviderError) -> [UInt8] {
        guard let start = chunk.firstIndex(where: { $0 > 0x20 }) else { return [] }
        switch chunk[start] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): form = .object
        case UInt8(ascii: "<"): throw source.error(.endpointNotFound, status: 200)
        default:
            if contentType.hasPrefix("text/html") {
                throw source.error(.endpointNotFound, status: 200)
            }
            form = .events
        }
        return Array(chunk[start...])
    }

    /// - Returns: whether the stream broke a limit of the parser.
    private mutating func split(_ chunk: [UInt8]) -> Bool {
        do {
            try parser.push(chunk, into: &events)
            return false
        } catch {
            return true
        }
    }
}
