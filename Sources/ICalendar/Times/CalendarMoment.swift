import Base
import FoundationEssentials

/// A DATE or DATE-TIME value (RFC 5545 §3.3.4, §3.3.5) as it is written: a
/// day, a time in UTC, a time of whatever zone the reader is in, or a time of
/// a named zone.
package enum CalendarMoment: Sendable, Hashable {
    case date(CivilDate)
    case utc(Date)
    case floating(CivilDateTime)
    case zoned(CivilDateTime, zone: String)

    /// nil for a value that is not a date.
    package init?(_ line: ContentLine) {
        self.init(value: line.value, zone: line.parameter("TZID"))
    }

    package init?(value: String, zone: String? = nil) {
        var bytes = Array(value.utf8)
        while bytes.last == 0x20 { bytes.removeLast() }
        guard bytes.count >= 8, let year = Self.number(bytes[0..<4]),
            let month = Self.number(bytes[4..<6]), let day = Self.number(bytes[6..<8]),
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        if bytes.count == 8 {
            self = .date(date)
            return
        }
        let isUTC = bytes.count == 16 && bytes[15] == UInt8(ascii: "Z")
        guard bytes.count == 15 || isUTC, bytes[8] == UInt8(ascii: "T"),
            let hour = Self.number(bytes[9..<11]), let minute = Self.number(bytes[11..<13]),
            let second = Self.number(bytes[13..<15]),
            // A leap second (60) is allowed in files; no clock of ours has one.
            let clock = CivilDateTime(date, hour: hour, minute: minute, second: min(second, 59)),
            second <= 60
        else { return nil }
        if isUTC {
            self = .utc(Date(timeIntervalSince1970: Double(clock.secondsAsUTC)))
        } else if let zone, !zone.isEmpty {
            self = .zoned(clock, zone: zone)
        } else {
            self = .floating(clock)
        }
    }

    /// The TZID it was written with.
    package var zone: String? {
        if case .zoned(_, let zone) = self { zone } else { nil }
    }

    /// `20261122T080000Z`, of the years 1 to 9999.
    package static func utcText(_ instant: Date) -> String {
        text(CivilDateTime(secondsAsUTC: LocalTime.seconds(of: instant))) + "Z"
    }

    /// `20261122`.
    package static func text(_ date: CivilDate) -> String { date.isoText.filter { $0 != "-" } }

    /// `20261122T080000`.
    package static func text(_ clock: CivilDateTime) -> String {
        clock.isoText.filter { $0 != "-" && $0 != ":" }
    }

    /// The value, which goes with `parameters`.
    package var text: String {
        switch self {
        case .date(let date): Self.text(date)
        case .utc(let instant): Self.utcText(instant)
        case .floating(let clock), .zoned(let clock, _): Self.text(clock)
        }
    }

    /// What the property must say for the value to be read as it is meant.
    package var parameters: [(String, String)] {
        switch self {
        case .date: [("VALUE", "DATE")]
        case .utc, .floating: []
        case .zoned(_, let zone): [("TZID", zone)]
        }
    }

    package func line(_ name: String, ending: [UInt8] = ContentLine.crlf) -> ContentLine {
        ContentLine(name, parameters: parameters, value: text, ending: ending)
    }

    // MARK: Lists

    /// Bounds what one line of a file can ask for.
    static let listLimit = 20_000

    /// The moments of a property such as EXDATE or RDATE, of periods their
    /// starts; invalid values are left out.
    package static func list(_ line: ContentLine) -> [CalendarMoment] {
        let zone = line.parameter("TZID")
        return line.value.split(separator: ",").prefix(listLimit).compactMap { value in
            CalendarMoment(value: String(value.prefix { $0 != "/" }), zone: zone)
        }
    }

    /// The moments as properties of that name, one for each kind and zone,
    /// since its parameters hold for a whole line.
    package static func lines(
        _ name: String, _ moments: [CalendarMoment], ending: [UInt8] = ContentLine.crlf
    ) -> [ContentLine] {
        var groups: [[CalendarMoment]] = []
        for moment in moments {
            // UTC and floating share their parameters, but not a line: the
            // first value decides how some readers take the others.
            let index = groups.firstIndex { group in
                switch (group[0], moment) {
                case (.date, .date), (.utc, .utc), (.floating, .floating): true
                case (.zoned(_, let left), .zoned(_, let right)): left == right
                default: false
                }
            }
            if let index { groups[index].append(moment) } else { groups.append([moment]) }
        }
        return groups.map { group in
            ContentLine(
                name, parameters: group[0].parameters,
                value: group.map(\.text).joined(separator: ","), ending: ending)
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for byte in digits {
            guard byte &- UInt8(ascii: "0") < 10 else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }
}

extension Component {
    /// Gives the property `name` that moment, with the parameters it needs.
    package mutating func set(_ name: StaticString, _ moment: CalendarMoment) {
        set(name, parameters: moment.parameters, value: moment.text)
    }
}
