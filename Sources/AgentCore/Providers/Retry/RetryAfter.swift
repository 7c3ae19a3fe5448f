import Base

/// Parses how long a server asks clients to wait. Pure; `RetryPolicy` decides what to do about it.
package enum RetryAfter {
    /// Seconds from `retry-after-ms`, else `retry-after` as seconds (also with
    /// a fraction) or as an HTTP date (RFC 9110 §10.2.3).
    ///
    /// - Parameter now: seconds since 1970, for dates. A date in the past is 0.
    /// - Returns: nil for no header, a negative number or junk. There is no
    ///   upper bound: the policy has one.
    package static func seconds(from head: HTTPResponseHead, now: Double) -> Double? {
        if let text = head["retry-after-ms"], let milliseconds = number(text) {
            return milliseconds / 1_000
        }
        guard let text = head["retry-after"] else { return nil }
        if let seconds = number(text) { return seconds }
        return HTTPDate.secondsSince1970(text).map { max(0, $0 - now) }
    }

    /// Digits with an optional fraction: `Double` alone would take "inf",
    /// "nan" and "0x10".
    private static func number(_ text: String) -> Double? {
        let bytes = text.utf8
        guard bytes.first.map({ (48...57).contains($0) }) == true,
            bytes.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: ".") })
        else { return nil }
        return Double(text)
    }
}
