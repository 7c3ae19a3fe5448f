/// What the response headers of both vendors say about the limits that hold
/// for the key, and the id to quote to their support. Values only.
package struct RateLimits: Sendable, Equatable {
    /// One counted thing. Each member is nil where the server does not say;
    /// negative numbers, which some gateways send, count as not said.
    package struct Limit: Sendable, Equatable {
        package var limit: Int?
        package var remaining: Int?
        package var reset: Reset?

        package init(limit: Int? = nil, remaining: Int? = nil, reset: Reset? = nil) {
            self.limit = limit
            self.remaining = remaining
            self.reset = reset
        }
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

    package init(
        requests: Limit? = nil, tokens: Limit? = nil, inputTokens: Limit? = nil,
        outputTokens: Limit? = nil, requestID: ServerText? = nil
    ) {
        self.requests = requests
        self.tokens = tokens
        self.inputTokens = inputTokens
        self.outputTokens = outputTokens
        self.requestID = requestID
    }

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
        return timestamp(text).map(Reset.at)
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

    /// RFC 3339, as in `2026-11-21T09:30:00Z` or with an offset.
    private static func timestamp(_ text: String) -> Double? {
        let date = text.prefix(10).split(separator: "-").map { Int($0) }
        let rest = text.dropFirst(10)
        guard date.count == 3, let year = date[0], let month = date[1], let day = date[2],
            rest.first == "T" || rest.first == "t",
            let seconds = HTTPDate.secondsSince1970(
                year: year, month: month, day: day, time: rest.dropFirst().prefix(8)),
            let offset = offset(rest.dropFirst(9).drop { $0 == "." || $0.isNumber })
        else { return nil }
        return seconds - offset
    }

    /// `Z`, `+01:00` or `-08:00`, in seconds.
    private static func offset(_ zone: Substring) -> Double? {
        if zone == "Z" || zone == "z" { return 0 }
        let parts = zone.dropFirst().split(separator: ":").map { Int($0) }
        guard zone.first == "+" || zone.first == "-", parts.count == 2, let hours = parts[0],
            let minutes = parts[1], (0..<24).contains(hours), (0..<60).contains(minutes)
        else { return nil }
        return Double((hours * 60 + minutes) * 60) * (zone.first == "-" ? -1 : 1)
    }
}
