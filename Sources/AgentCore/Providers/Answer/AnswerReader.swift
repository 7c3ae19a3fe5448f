import Base

/// Reads the body of a 200 response into an answer, in either form: an event stream, or one JSON
/// object from a server or proxy that ignores `stream`. Pure; fed with chunks.
struct AnswerReader {
    private enum Form {
        case unknown, events, object
    }

    /// Maximum size of a whole answer in bytes; the same as for one event.
    private static let objectLimit = 16 << 20

    /// Maximum size of the text of an answer in bytes: several times as much as a model can write.
    /// The text is kept for display, storage and sending. The error names the number.
    static let textLimit = 4 << 20

    private var decoder: any StreamDecoder
    private let source: AnswerSource
    private let contentType: String
    private let isLenient: Bool
    private var form = Form.unknown
    private var parser = ServerSentEventParser()
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
            if form == .unknown { try recognise(chunk) }
            switch form {
            case .object:
                guard object.count + chunk.count <= Self.objectLimit else {
                    object = []
                    throw source.error(.malformed)
                }
                object += chunk
            case .events:
                events.removeAll(keepingCapacity: true)
                let broken = split(chunk)
                for event in events { try decoder.decode(event, into: &batch) }
                if broken { throw source.error(.malformed) }
                if textBytes + Self.size(of: batch) > Self.textLimit {
                    throw source.error(
                        .transport(
                            TransportError(
                                reason: .tooLarge, host: source.host,
                                detail: "an answer may have 4 MB of text", afterResponse: true)))
                }
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
            return nil
        } catch {
            return error
        }
    }

    mutating func completion() throws(ProviderError) -> ModelAnswer {
        try decoder.finish()
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
    private mutating func recognise(_ chunk: [UInt8]) throws(ProviderError) {
        guard let first = chunk.first(where: { $0 > 0x20 }) else { return }
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["): form = .object
        case UInt8(ascii: "<"): throw source.error(.endpointNotFound, status: 200)
        default:
            if contentType.hasPrefix("text/html") {
                throw source.error(.endpointNotFound, status: 200)
            }
            form = .events
        }
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
