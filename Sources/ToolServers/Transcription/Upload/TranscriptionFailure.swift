import AgentCore
import Base
import FoundationEssentials

/// Reads why a transcription was refused from the response's head and body. Pure.
struct TranscriptionFailure: Sendable, Equatable {
    var error: TranscriptionError
    /// The form field that the server names.
    var parameter: ServerText?

    /// - Parameter key: the key that was sent.
    init(head: HTTPResponseHead, body: [UInt8], host: String, key: String?, now: Date) {
        let json = ResponseFacts.json(body).flatMap { $0.objectValue == nil ? nil : $0 }
        var facts = ErrorFacts(json ?? .null, hiding: key)
        if json == nil { facts.message = ResponseFacts.sentence(body, hiding: key) }
        var reason = Self.reason(status: head.status, facts: facts, isJSON: json != nil)
        if reason == .keyRejected, key == nil { reason = .noKey }
        error = TranscriptionError(
            reason: reason, host: host, status: head.status, code: facts.code ?? facts.type,
            message: facts.message,
            requestID: facts.requestID ?? ResponseFacts.requestID(head, hiding: key),
            retryAfter: RetryAfter.seconds(from: head, now: now.timeIntervalSince1970))
        switch head["x-should-retry"]?.lowercased() {
        case "true": error.shouldRetry = true
        case "false": error.shouldRetry = false
        default: break
        }
        parameter = facts.parameter
    }

    /// The failure reported in a 200 response.
    static func error(
        of failure: TranscriptDecoder.Failure, head: HTTPResponseHead, host: String, key: String?
    ) -> TranscriptionError {
        var error = TranscriptionError(
            reason: .malformed, host: host, status: head.status,
            requestID: ResponseFacts.requestID(head, hiding: key))
        switch failure {
        case .page: error.reason = .endpointNotFound
        case .malformed: break
        case .cut: error.reason = .cut
        case .server(let json):
            let facts = ErrorFacts(json, hiding: key)
            error.reason = reason(inAnswer: facts)
            error.code = facts.code ?? facts.type
            error.message = facts.message
        }
        return error
    }

    // MARK: - Reasons

    private static func reason(
        status: Int, facts: ErrorFacts, isJSON: Bool
    ) -> TranscriptionError.Reason {
        let sentence = (facts.message?.text ?? "").lowercased()
        if facts.reason(status: status) == .quotaExhausted { return .quotaExhausted }
        switch status {
        case 300..<400: return .redirected
        case 401: return .keyRejected
        case 403: return .forbidden
        case 404:
            // A web page or a plain sentence comes from another service.
            guard isJSON else { return .endpointNotFound }
            return facts.reason(status: 404) == .modelNotFound ? .modelNotFound : .endpointNotFound
        case 405: return .endpointNotFound
        case 408, 409: return .serverFailure
        case 413: return .tooLarge
        case 415: return .unsupportedFormat
        case 429: return .rateLimited
        case 500...: return .serverFailure
        case 400..<500:
            if facts.code == "model_not_found" { return .modelNotFound }
            return reason(ofSentence: sentence, facts: facts) ?? .badRequest
        default: return .malformed
        }
    }

    /// The reason for a failure reported with a success status.
    private static func reason(inAnswer facts: ErrorFacts) -> TranscriptionError.Reason {
        let sentence = (facts.message?.text ?? "").lowercased()
        if let reason = reason(ofSentence: sentence, facts: facts) { return reason }
        return switch facts.reason(status: nil) {
        case .quotaExhausted: .quotaExhausted
        case .rateLimited: .rateLimited
        case .keyRejected: .keyRejected
        case .forbidden: .forbidden
        case .modelNotFound: .modelNotFound
        case .badRequest: .badRequest
        default: .serverFailure
        }
    }

    /// Common complaints of servers with a 400, or without an error status.
    private static func reason(
        ofSentence sentence: String, facts: ErrorFacts
    ) -> TranscriptionError.Reason? {
        let isAboutAnswer =
            facts.parameter.map { $0 != "file" } ?? sentence.contains("response_format")
        guard !isAboutAnswer else { return nil }
        // "audio duration 1500 seconds is longer than 1400 seconds which is the
        // maximum for this model", "Total number of tokens in instructions +
        // audio is too large for this model", "Maximum content size limit …".
        let isTooLarge =
            ["too large", "too big", "content size limit", "file size"].contains(
                where: sentence.contains)
            || sentence.contains("longer than") && sentence.contains("maximum")
        if isTooLarge { return .tooLarge }
        // "Invalid file format. Supported formats: …", "Audio file might be
        // corrupted or unsupported", "The audio file could not be decoded or
        // its format is not supported.", "This model does not support the
        // format you provided.", "failed to read WAV file" (whisper.cpp).
        let isFormat =
            [
                "file format", "corrupted", "could not be decoded", "could not decode",
                "failed to decode", "failed to read wav", "failed to read audio",
                "support the format", "format is not supported", "unsupported audio",
                "unsupported format", "unsupported media",
            ].contains(where: sentence.contains)
        return isFormat ? .unsupportedFormat : nil
    }
}
