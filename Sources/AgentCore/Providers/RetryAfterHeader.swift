import FoundationEssentials

/// How long a server asks to wait, from its headers: `retry-after-ms`, else
/// `Retry-After` as seconds or as an HTTP date (RFC 9110 §10.2.3, §5.6.7).
/// Whether to wait at all is the retry policy's decision.
package enum RetryAfterHeader {
    /// Seconds, never negative; nil where nothing readable is asked.
    package static func seconds(in head: HTTPResponseHead, now: Date) -> Double? {
        if let text = head["retry-after-ms"], let value = number(text) {
            return value / 1000
        }
        guard let text = head["retry-after"] else { return nil }
        if let value = number(text) { return value }
        return date(text).map { max(0, $0 - now.timeIntervalSince1970) }
    }

    private static func number(_ text: String) -> Double? {
        let trimmed = text.filter { $0 != " " && $0 != "\t" }
        guard !trimmed.isEmpty, trimmed.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
            let value = Double(trimmed), value.isFinite
        else { return nil }
        return value
    }

    /// Seconds since 1970 of `Sun, 06 Nov 1994 08:49:37 GMT`, the only form
    /// that may still be sent.
    private static func date(_ text: String) -> Double? {
        let words = text.split { $0 == " " || $0 == "," }
        guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), 1...31 ~= day,
            let month = months.firstIndex(of: String(words[2])), let year = Int(words[3]),
            1970...9999 ~= year
        else { return nil }
        let clock = words[4].split(separator: ":").map { Int($0) }
        guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
            0...23 ~= hour, 0...59 ~= minute, 0...60 ~= second
        else { return nil }
        let days = daysSince1970(year: year, month: month + 1, day: day)
        return Double(((days * 24 + hour) * 60 + minute) * 60 + second)
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Days of the Gregorian calendar, counted in years that begin in March,
    /// so that the leap day is the last.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
