import FoundationEssentials

/// Parses the dates and times of ISO 8601 that people and models write: a date, a date with a time,
/// and either with an offset from UTC.
///
/// Strict about the calendar (31 February and 24:61 are errors), lenient about the separator (`T`,
/// `t` or a space). Week dates, ordinal dates and durations are not supported. `LocalTime.isoText`
/// and `CivilDate.isoText` write such texts.
package enum ISO8601 {
    package enum Value: Sendable, Equatable {
        /// `2026-11-22`.
        case date(CivilDate)
        /// `2026-11-22T09:00`: local time in an unspecified zone.
        case local(CivilDateTime)
        /// `2026-11-22T09:00:00+01:00` or `…Z`; a fraction is kept.
        case instant(Date)
    }

    package struct Failure: Error, Equatable {
        package enum Reason: String, Sendable {
            /// The text does not have the shape of a date.
            case notADate
            /// Well formed, but there is no such day, time or offset.
            case noSuchDate, noSuchTime, noSuchOffset
            case trailingText
        }
        package var reason: Reason
    }

    /// The formats that `parse` accepts, for messages.
    package static let accepted =
        "a date such as 2026-11-22, 2026-11-22T09:00 (local time) or 2026-11-22T09:00:00+01:00"

    package static func parse(_ text: String) throws(Failure) -> Value {
        var reader = Reader(bytes: Array(text.utf8))
        reader.skipSpace()
        guard let year = reader.digits(4), reader.take("-"), let month = reader.digits(2),
            reader.take("-"), let day = reader.digits(2)
        else { throw Failure(reason: .notADate) }
        guard let date = CivilDate(year: year, month: month, day: day) else {
            throw Failure(reason: .noSuchDate)
        }
        if reader.isAtEnd { return .date(date) }
        guard reader.take("T") || reader.take("t") || reader.take(" ") else {
            throw Failure(reason: .trailingText)
        }
        guard let hour = reader.digits(2), reader.take(":"), let minute = reader.digits(2) else {
            throw Failure(reason: .notADate)
        }
        var second = 0
        var fraction = 0.0
        if reader.take(":") {
            guard let seconds = reader.digits(2) else { throw Failure(reason: .notADate) }
            second = seconds
            if reader.take(".") || reader.take(",") {
                guard let digits = reader.fraction() else { throw Failure(reason: .notADate) }
                fraction = digits
            }
        }
        guard let clock = CivilDateTime(date, hour: hour, minute: minute, second: second) else {
            throw Failure(reason: .noSuchTime)
        }
        if reader.isAtEnd { return .local(clock) }
        let offset = try self.offset(&reader)
        guard reader.isAtEnd else { throw Failure(reason: .trailingText) }
        return .instant(
            Date(timeIntervalSince1970: Double(clock.secondsAsUTC - offset) + fraction))
    }

    /// `Z`, `+hh:mm`, `+hhmm` or `+hh`, as seconds.
    private static func offset(_ reader: inout Reader) throws(Failure) -> Int {
        if reader.take("Z") || reader.take("z") { return 0 }
        let sign: Int
        if reader.take("+") {
            sign = 1
        } else if reader.take("-") {
            sign = -1
        } else {
            throw Failure(reason: .trailingText)
        }
        guard let hours = reader.digits(2) else { throw Failure(reason: .noSuchOffset) }
        var minutes = 0
        if !reader.isAtEnd {
            _ = reader.take(":")
            guard let value = reader.digits(2) else { throw Failure(reason: .noSuchOffset) }
            minutes = value
        }
        guard hours <= 23, minutes <= 59 else { throw Failure(reason: .noSuchOffset) }
        return sign * (hours * 3600 + minutes * 60)
    }

    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        /// Whether only spaces are left.
        var isAtEnd: Bool { bytes[position...].allSatisfy { $0 == 0x20 } }

        mutating func skipSpace() {
            while position < bytes.count, bytes[position] == 0x20 { position += 1 }
        }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard position < bytes.count, UInt32(bytes[position]) == character.value else {
                return false
            }
            position += 1
            return true
        }

        /// Reads exactly that many digits.
        mutating func digits(_ count: Int) -> Int? {
            guard position + count <= bytes.count else { return nil }
            var number = 0
            for byte in bytes[position..<position + count] {
                guard byte &- UInt8(ascii: "0") < 10 else { return nil }
                number = number * 10 + Int(byte - UInt8(ascii: "0"))
            }
            position += count
            return number
        }

        /// Reads one digit or more as a fraction of one.
        mutating func fraction() -> Double? {
            var value = 0.0
            var scale = 1.0
            let start = position
            while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 {
                scale /= 10
                value += Double(bytes[position] - UInt8(ascii: "0")) * scale
                position += 1
            }
            return position > start ? value : nil
        }
    }
}
