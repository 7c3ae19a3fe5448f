import Base
import FoundationEssentials

/// Parses the data of a response apart from its answer: ids, waiting times, errors. Pure except for
/// `prefix`.
package enum ResponseFacts {
    /// Maximum number of bytes read of an error body: an error in JSON has a few hundred, and of what
    /// follows nothing is shown. The rest is not read.
    package static let errorBodyLimit = 64 << 10

    package static func requestID(
        _ head: HTTPResponseHead, hiding key: String?
    ) -> ServerText? {
        [head["request-id"], head["x-request-id"]].lazy
            .compactMap { ServerText($0, hiding: key, limit: 200) }.first
    }

    package static func json(_ bytes: [UInt8]) -> JSONValue? {
        do {
            return try JSONParser.parse(bytes).unwrappedError
        } catch {
            // A body that is not JSON is judged by status and type instead.
            return nil
        }
    }

    /// The first part of a body; the rest is not read.
    static func prefix(of body: ResponseBody) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < errorBodyLimit, let chunk = try await body.next() { bytes += chunk }
        return Array(bytes.prefix(errorBodyLimit))
    }

    /// The beginning of a body that is not JSON; nil for an HTML page, whose tags explain nothing.
    package static func sentence(
        _ body: [UInt8], hiding key: String?, limit: Int = ServerText.limit
    ) -> ServerText? {
        let said = ServerText(String(decoding: body, as: UTF8.self), hiding: key, limit: limit)
        return said.flatMap { $0.text.hasPrefix("<") ? nil : $0 }
    }

    /// The error reported by a response other than 200.
    package static func error(
        head: HTTPResponseHead, body: [UInt8], source: AnswerSource, now: Date
    ) -> ProviderError {
        let json = json(body)
        var facts = json.map { ErrorFacts($0, hiding: source.key) } ?? ErrorFacts()
        var reason = facts.reason(status: head.status)
        if json?.objectValue == nil {
            facts.message = sentence(body, hiding: source.key, limit: 200)
            // An HTML page does not come from the API.
            if head.status == 404 { reason = .endpointNotFound }
        }
        if head.status < 300 { reason = .malformed }
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
