import Base
import FoundationEssentials

/// The key's limits from the response headers of both vendors, and the id to quote to their
/// support. Values only.
package struct RateLimits: Sendable, Equatable {
    /// One limit. Each member is nil if the server does not report it; negative numbers, which some
    /// gateways send, count as not reported.
    package struct Limit: Sendable, Equatable {
        package var limit: Int?
        package var remaining: Int?
        package var reset: Reset?
    }

    package enum Reset: Sendable, Equatable {
        /// Seconds from the arrival of the response.
        case after(Double)
        /// Seconds since 1970.
        case at(Double)
    }

    package var requests: Limit?
    package var tokens: Limit?
    package var inputTokens: Limit?
    package var outputTokens: Limit?
    /// `request-id` or `x-request-id`.
    package var requestID: ServerText?
}

extension RateLimits {
    package init(from head: HTTPResponseHead, hiding key: String?) {
        requests = Self.limit("requests", head)
        tokens = Self.limit("tokens", head)
        inputTokens = Self.limit("input-tokens", head)
        outputTokens = Self.limit("output-tokens", head)
        requestID = ResponseFacts.requestID(head, hiding: key)
    }

    /// `anthropic-ratelimit-requests-limit` or `x-ratelimit-limit-requests`.
    private static func limit(_ thing: String, _ head: HTTPResponseHead) -> Limit? {
        func value(_ what: String) -> String? {
            head["anthropic-ratelimit-\(thing)-\(what)"] ?? head["x-ratelimit-\(what)-\(thing)"]
        }
        let limit = Limit(
            limit: value("limit").flatMap(count), remaining: value("remaining").flatMap(count),
            reset: value("reset").flatMap(reset))
        return limit == Limit() ? nil : limit
    }

    private static func count(_ text: String) -> Int? {
        Int(text).flatMap { $0 < 0 ? nil : $0 }
    }

    private static func reset(_ text: String) -> Reset? {
        if let seconds = duration(text) { return .after(seconds) }
        // RFC 3339, as in `2026-11-21T09:30:00Z` or with an offset.
        guard case .instant(let date)? = try? ISO8601.parse(text) else { return nil }
        return .at(date.timeIntervalSince1970.rounded(.down))
    }

    /// The notation of Go's durations: `12ms`, `6.57s`, `1m30s`, `6m0s`.
    private static func duration(_ text: String) -> Double? {
        let units = ["h": 3_600, "m": 60, "s": 1, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9]
        var rest = text[...]
        var sum = 0.0
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isNumber || $0 == "." }
            rest = rest.dropFirst(digits.count)
            let name = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(name.count)
            // A bare number is seconds; only as the whole text.
            let unit =
                name.isEmpty && rest.isEmpty && digits.count == text.count ? 1 : units[String(name)]
            guard let number = Double(digits), let unit else { return nil }
            sum += number * unit
        }
        return sum
    }
}
