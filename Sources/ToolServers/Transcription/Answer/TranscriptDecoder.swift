import AgentCore
import Base

/// Reads the body of a 200 response into a transcript, in any of its forms:
/// JSON, an event stream, subtitles or plain text, since servers ignore the
/// requested format. Pure; the result does not depend on how the body is cut
/// into chunks.
///
/// ```
///   first bytes          content type       form
///   data: event: :       any but text       events, to their own end
///   any                  text/event-stream  events, unless it begins with {
///   {  [  "              any                JSON
///   <!doctype  <html     any                a web page: no such service
///   any other            JSON, video …      malformed
///   any other            text or none       subtitles or plain text
/// ```
struct TranscriptDecoder {
    enum Failure: Error, Sendable, Equatable {
        /// A web page.
        case page
        case malformed
        /// An event stream ended before its end.
        case cut
        /// The server reports a failure in a 200 response.
        case server(JSONValue)
    }

    /// Maximum bytes of a body. 16 MB of text are a week of talk; with the time of each word they are
    /// still twenty hours, and an upload has a few.
    static let limitInBytes = 16 << 20

    private enum Form {
        case unknown, events, whole
    }

    private let contentType: String
    private var form = Form.unknown
    /// The whole body, except for event streams.
    private var bytes: [UInt8] = []
    private var parser = ServerSentEventParser(limit: limitInBytes)
    private var stream = TranscriptStream()

    init(contentType: String?) {
        let type = (contentType ?? "").prefix { $0 != ";" }
        self.contentType = type.lowercased().trimmingSpace()
    }

    /// Whether the stream has ended; anything after it is ignored.
    var isFinished: Bool { stream.isFinished }

    /// - Returns: words that have arrived, to be shown.
    mutating func push(_ chunk: [UInt8]) throws(Failure) -> String {
        switch form {
        case .events: return try decode(chunk)
        case .whole:
            bytes += chunk
            return ""
        case .unknown:
            bytes += chunk
            guard let isEvents = looksLikeEvents(isEnd: false) else { return "" }
            return try decide(isEvents: isEvents)
        }
    }

    /// Completes the transcript at the end of the body.
    mutating func finish() throws(Failure) -> (words: String, transcript: Transcript) {
        var words = ""
        if form == .unknown { words = try decide(isEvents: looksLikeEvents(isEnd: true) ?? false) }
        guard form == .events else { return (words, try whole()) }
        if !stream.isFinished, let event = parser.finish(lenient: true) {
            words += try stream.take(event)
        }
        return (words, try stream.transcript())
    }

    // MARK: - Form

    /// - Returns: nil while too few bytes have arrived to decide.
    private func looksLikeEvents(isEnd: Bool) -> Bool? {
        if !isEnd, bytes.count < Self.mark.count, Self.mark.starts(with: bytes) { return nil }
        let rest = Self.withoutMark(bytes).drop { $0 <= 0x20 }
        guard let first = rest.first else { return isEnd ? false : nil }
        if first == UInt8(ascii: "{") { return false }
        if contentType == "text/event-stream" { return true }
        // A sentence may well begin with "Data:".
        if contentType == "text/plain" || first == UInt8(ascii: "<") { return false }
        for word in ["data:", "event:", ": "] {
            if rest.starts(with: word.utf8) { return true }
            if !isEnd, rest.count < word.utf8.count, word.utf8.starts(with: rest) { return nil }
        }
        return false
    }

    private mutating func decide(isEvents: Bool) throws(Failure) -> String {
        form = isEvents ? .events : .whole
        guard isEvents else { return "" }
        defer { bytes = [] }
        return try decode(bytes)
    }

    private mutating func decode(_ chunk: [UInt8]) throws(Failure) -> String {
        var events: [ServerSentEvent] = []
        let isBroken: Bool
        do {
            try parser.push(chunk, into: &events)
            isBroken = false
        } catch {
            isBroken = true
        }
        var words = ""
        for event in events where !stream.isFinished { words += try stream.take(event) }
        if isBroken, !stream.isFinished { throw .malformed }
        return words
    }

    // MARK: - Whole bodies

    private func whole() throws(Failure) -> Transcript {
        let body = Self.withoutMark(bytes).drop { $0 <= 0x20 }
        guard let first = body.first else { throw .malformed }
        if [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\"")].contains(first) {
            if let json = ResponseFacts.json(Array(body)) {
                if let error = json["error"], !error.isNull { throw .server(json) }
                guard let transcript = TranscriptJSON.transcript(json) else { throw .malformed }
                return transcript
            }
        }
        let start = String(decoding: body.prefix(200), as: UTF8.self).lowercased()
        if ["<!doctype", "<html", "<head", "<body", "<?xml"].contains(where: start.hasPrefix) {
            throw .page
        }
        guard
            contentType.isEmpty || contentType.hasPrefix("text/") || contentType.contains("subrip")
        else { throw .malformed }
        let text = String(decoding: body, as: UTF8.self)
        guard !text.unicodeScalars.contains(where: Self.isNoText) else { throw .malformed }
        if let segments = TranscriptCues.read(text) {
            return Transcript(
                text: segments.map(\.text).joined(separator: " "),
                duration: segments.last?.end, segments: segments)
        }
        return Transcript(text: TranscriptText.said(text))
    }

    private static func isNoText(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 && !["\t", "\n", "\r", "\u{C}"].contains(scalar)
            || scalar == "\u{FFFD}"
    }

    /// The byte order mark that may precede UTF-8.
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    }
}
