import Base
import FoundationEssentials

/// A DURATION (RFC 5545 §3.3.6): days of the calendar, and exact seconds.
///
/// The two are kept apart because a day is not always 24 hours long.
package struct CalendarDuration: Sendable, Hashable {
    /// Nominal: the same wall-clock time that many days later. A week counts as
    /// seven.
    package var days: Int
    /// Exact.
    package var seconds: Int

    package init(days: Int = 0, seconds: Int = 0) {
        self.days = days
        self.seconds = seconds
    }

    /// The length with days of 24 hours: for bounds, and for lengths that have no date.
    package var nominalSeconds: Int { days * 86_400 + seconds }

    package static prefix func - (duration: CalendarDuration) -> CalendarDuration {
        CalendarDuration(days: -duration.days, seconds: -duration.seconds)
    }

    /// Limits the values in a file; about 2700 years.
    private static let limit = 1_000_000

    /// `-PT15M`, `P1DT12H`, `P2W`; nil for any other text.
    package init?(_ text: String) {
        var bytes = Array(text.utf8)[...]
        var sign = 1
        if let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            sign = first == UInt8(ascii: "-") ? -1 : 1
            bytes = bytes.dropFirst()
        }
        guard bytes.popFirst() == UInt8(ascii: "P") else { return nil }
        var (days, seconds, isTime, parts) = (0, 0, false, 0)
        while let byte = bytes.first {
            if byte == UInt8(ascii: "T"), !isTime {
                isTime = true
                bytes = bytes.dropFirst()
                continue
            }
            let digits = bytes.prefix { $0 &- 0x30 < 10 }
            guard !digits.isEmpty, digits.count <= 9 else { return nil }
            let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            bytes = bytes.dropFirst(digits.count)
            switch (bytes.popFirst().map { Unicode.Scalar($0) }, isTime) {
            case ("W", false): days += number * 7
            case ("D", false): days += number
            case ("H", true): seconds += number * 3600
            case ("M", true): seconds += number * 60
            case ("S", true): seconds += number
            default: return nil
            }
            parts += 1
        }
        guard parts > 0, days <= Self.limit, seconds <= Self.limit * 86_400 else { return nil }
        self.days = sign * days
        self.seconds = sign * seconds
    }

    /// The form of RFC 5545, `P1DT2H`. Both parts must have the same sign.
    package var text: String {
        if days == 0, seconds == 0 { return "PT0S" }
        let sign = days < 0 || seconds < 0 ? "-" : ""
        let (days, rest) = (abs(days), abs(seconds))
        if rest == 0, days % 7 == 0 { return "\(sign)P\(days / 7)W" }
        var text = sign + "P" + (days > 0 ? "\(days)D" : "")
        if rest > 0 {
            text += "T"
            if rest >= 3600 { text += "\(rest / 3600)H" }
            if rest / 60 % 60 > 0 { text += "\(rest / 60 % 60)M" }
            if rest % 60 > 0 { text += "\(rest % 60)S" }
        }
        return text
    }

    /// The time after this duration from `time` (before it, if negative): days
    /// on the wall clock, seconds in elapsed time. A day moves by whole days.
    package func added(to time: ItemTime, in local: LocalTime) -> ItemTime {
        let moved = CivilDateTime(secondsAsUTC: time.clock.secondsAsUTC + days * 86_400)
        let nominal = time.with(moved)
        guard seconds != 0, case .time(_, let zone) = nominal else { return nominal }
        let instant = nominal.instant(in: local).addingTimeInterval(Double(seconds))
        return ItemTime(instant, zone: zone, in: local)
    }
}

extension CalendarDuration {
    package static let zero = CalendarDuration()
}
