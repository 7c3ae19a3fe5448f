import FoundationEssentials

/// Reads what a response says besides its answer: ids, waiting times, errors.
/// Pure but for `prefix`.
package enum ResponseFacts {
    /// An error body is read this far.
    package static let errorBodyLimit = 64 << 10

    package static func requestID(_ head: HTTPResponseHead) -> String? {
        (head["request-id"] ?? head["x-request-id"]).map { String($0.prefix(200)) }
    }

    package static func json(_ bytes: [UInt8]) -> JSONValue? {
        do {
            return try JSONParser.parse(bytes)
        } catch {
            // A body that is no JSON is judged by status and type instead.
            return nil
        }
    }

    /// The first part of a body; the rest is not read.
    static func prefix(of body: ResponseBody) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < errorBodyLimit, let chunk = try await body.next() { bytes += chunk }
        return Array(bytes.prefix(errorBodyLimit))
    }

    /// The error that a response other than 200 states.
    /// - Parameter key: removed from the server's sentence if it repeats it.
    package static func error(
        head: HTTPResponseHead, body: [UInt8], source: AnswerSource, key: String?, now: Date
    ) -> ProviderError {
        let json = json(body)
        var facts = json.map { ErrorFacts($0) } ?? ErrorFacts()
        var reason = facts.reason(status: head.status)
        if json?.objectValue == nil {
            let text = String(decoding: body.prefix(200), as: UTF8.self)
            // Tags of a page are no reason that a person can read.
            facts.message = ErrorFacts.bounded(text).flatMap { $0.hasPrefix("<") ? nil : $0 }
            // A page is the answer of something that is not the API.
            if head.status == 404 { reason = .endpointNotFound }
        }
        if head.status < 300 { reason = .malformed }
        if let key, !key.isEmpty { facts.message = facts.message?.replacing(key, with: "[key]") }
        var error = source.error(reason, facts: facts, status: head.status)
        error.retryAfter = RetryAfter.seconds(from: head, now: now.timeIntervalSince1970)
        switch head["x-should-retry"]?.lowercased() {
        case "true": error.shouldRetry = true
        case "false": error.shouldRetry = false
        default: break
        }
        return error
    }
}
