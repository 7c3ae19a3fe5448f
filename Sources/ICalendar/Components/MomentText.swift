import Base

/// The parsed text of a DATE or DATE-TIME (RFC 5545 §3.3.4, §3.3.5), in the
/// standard's form or in another with only one meaning. Pure.
///
///     20261128T090000Z          the standard's form
///     2026-11-28T09:00:00       dashes and colons (RFC 3339)
///     20261128T0900             no seconds
///     20261128T090000+0530      an offset
///     20261128t090000.000z      small letters, fractions of a second
///     20261128 090000           a blank for the T, blanks around
///     20261128T240000           the end of a day
///
/// `CalendarMoment` handles a TZID beside it.
struct MomentText {
    enum Zone {
        case none, utc
        case offset(Int)
    }

    let date: CivilDate
    /// The time of day; nil for a date alone.
    let clock: CivilDateTime?
    let place: Zone
    /// Whether it is in the standard's form, ignoring blanks at the end.
    let isStandard: Bool

    init?(_ text: String) {
        var reader = Reader(rest: Array(text.utf8)[...])
        reader.skipBlanks()
        guard let year = reader.number(4) else { return nil }
        let isDashed = reader.skip("-")
        guard let month = reader.number(2), !isDashed || reader.skip("-"),
            let day = reader.number(2), let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        if isDashed { reader.isStandard = false }
        if reader.rest.allSatisfy({ $0 == 0x20 }) {
            (self.date, clock, place, isStandard) = (date, nil, .none, reader.isStandard)
            return
        }
        if !reader.skip("T") {
            reader.isStandard = false
            guard reader.skip("t") || reader.skipBlanks() else { return nil }
        }
        guard let clock = reader.clock(on: date) else { return nil }
        place = reader.place()
        guard reader.rest.allSatisfy({ $0 == 0x20 }) else { return nil }
        (self.date, self.clock, isStandard) = (clock.date, clock, reader.isStandard)
    }

    /// Whether a date begins there, whatever follows.
    static func begins(_ bytes: ArraySlice<UInt8>) -> Bool {
        var reader = Reader(rest: bytes.prefix(40))
        reader.skipBlanks()
        guard reader.number(4) != nil else { return false }
        let isDashed = reader.skip("-")
        return reader.number(2) != nil && (!isDashed || reader.skip("-"))
            && reader.number(2) != nil
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>
        var isStandard = true

        mutating func skip(_ letter: Unicode.Scalar) -> Bool {
            guard rest.first.map(UInt32.init) == letter.value else { return false }
            rest.removeFirst()
            return true
        }

        @discardableResult
        mutating func skipBlanks() -> Bool {
            let blanks = rest.prefix { $0 == 0x20 || $0 == 0x09 }.count
            if blanks > 0 { isStandard = false }
            rest = rest.dropFirst(blanks)
            return blanks > 0
        }

        mutating func number(_ count: Int) -> Int? {
            let digits = rest.prefix(count)
            guard digits.count == count, digits.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
            rest = rest.dropFirst(count)
            return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }

        mutating func clock(on date: CivilDate) -> CivilDateTime? {
            guard let hour = number(2) else { return nil }
            let hasColons = skip(":")
            guard let minute = number(2) else { return nil }
            var second = 0
            if hasColons ? skip(":") : rest.first.map({ $0 &- 0x30 < 10 }) == true {
                guard let number = number(2) else { return nil }
                second = number
                if skip(".") {
                    isStandard = false
                    let digits = rest.prefix { $0 &- 0x30 < 10 }
                    guard !digits.isEmpty else { return nil }
                    rest = rest.dropFirst(digits.count)
                }
            } else {
                isStandard = false
            }
            if hasColons { isStandard = false }
            if hour == 24, minute == 0, second == 0 {
                isStandard = false
                return CivilDateTime(date.adding(days: 1), hour: 0, minute: 0)
            }
            // Files may contain leap seconds (60); our clocks have none.
            guard second <= 60 else { return nil }
            return CivilDateTime(date, hour: hour, minute: minute, second: min(second, 59))
        }

        /// Leaves unknown text unread.
        mutating func place() -> Zone {
            if skip("Z") { return .utc }
            let start = self
            if !rest.allSatisfy({ $0 == 0x20 }) {
                isStandard = false
                skipBlanks()
                if skip("z") { return .utc }
                let isWest = skip("-")
                if isWest || skip("+"), let hours = number(2), hours <= 25 {
                    let hasColon = skip(":")
                    let minutes = number(2)
                    guard !hasColon || minutes != nil, (minutes ?? 0) <= 59 else {
                        self = start
                        return .none
                    }
                    let seconds = hours * 3600 + (minutes ?? 0) * 60
                    return seconds == 0 ? .utc : .offset(isWest ? -seconds : seconds)
                }
                self = start
            }
            return .none
        }
    }
}
