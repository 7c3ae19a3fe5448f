import Base
import FoundationEssentials

/// A DATE or DATE-TIME value (RFC 5545 §3.3.4, §3.3.5) as written: a day, a
/// time in UTC, a floating time in the reader's zone, or a time in a named
/// zone.
package enum CalendarMoment: Sendable, Hashable {
    case date(CivilDate)
    case utc(Date)
    case floating(CivilDateTime)
    /// Includes an offset if the value has one: `TZID=Europe/Berlin:…+0200`.
    case zoned(CivilDateTime, zone: String, offset: Int? = nil)

    /// nil if the value is not a date. Midnight with VALUE=DATE is a day.
    package init?(_ line: ContentLine) {
        self.init(value: line.value, zone: line.parameter("TZID"))
        guard let clock, clock.secondsAsUTC % 86_400 == 0,
            line.parameter("VALUE")?.uppercased() == "DATE"
        else { return }
        self = .date(clock.date)
    }

    /// An offset without a zone becomes one: `UTC+05:30`.
    package init?(value: String, zone: String? = nil) {
        guard let text = MomentText(value) else { return nil }
        let zone = zone.flatMap { $0.isEmpty ? nil : $0 }
        switch (text.clock, text.place) {
        case (nil, _): self = .date(text.date)
        case (let clock?, .utc):
            self = .utc(Date(timeIntervalSince1970: Double(clock.secondsAsUTC)))
        case (let clock?, .offset(let seconds)):
            self =
                zone.map { .zoned(clock, zone: $0, offset: seconds) }
                ?? .zoned(clock, zone: "UTC" + UTCOffset.text(seconds))
        case (let clock?, .none):
            self = zone.map { .zoned(clock, zone: $0) } ?? .floating(clock)
        }
    }

    /// A value that cannot have a zone, such as UNTIL: an offset makes it an instant.
    init?(unzoned text: Substring) {
        self.init(value: String(text), zone: "UTC")
        guard case .zoned(let clock, _, let offset) = self else { return }
        self =
            offset.map {
                .utc(Date(timeIntervalSince1970: Double(clock.secondsAsUTC - $0)))
            } ?? .floating(clock)
    }

    /// Whether the value of that line, or one of a list, is in the standard's
    /// form. Also false if it is not a date.
    package static func isStandard(_ value: some StringProtocol) -> Bool {
        MomentText(String(value))?.isStandard ?? false
    }

    /// The wall-clock time, if it has one.
    private var clock: CivilDateTime? {
        switch self {
        case .floating(let clock), .zoned(let clock, _, _): clock
        case .date, .utc: nil
        }
    }

    package var isDate: Bool {
        if case .date = self { true } else { false }
    }

    /// The TZID it was written with.
    package var zone: String? {
        if case .zoned(_, let zone, _) = self { zone } else { nil }
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

    /// The value to write with `parameters`.
    package var text: String {
        switch self {
        case .date(let date): Self.text(date)
        case .utc(let instant): Self.utcText(instant)
        case .floating(let clock), .zoned(let clock, _, _): Self.text(clock)
        }
    }

    /// The parameters required to read the value correctly.
    package var parameters: [(String, String)] {
        switch self {
        case .date: [("VALUE", "DATE")]
        case .utc, .floating: []
        case .zoned(_, let zone, _): [("TZID", zone)]
        }
    }

    package func line(_ name: String, ending: [UInt8] = ContentLine.crlf) -> ContentLine {
        ContentLine(name, parameters: parameters, value: text, ending: ending)
    }

    // MARK: Lists

    /// Limits the values on one line of a file, and all of one component: a time a day for fifty years.
    package static let listLimit = 20_000

    /// The moments of a property such as EXDATE or RDATE, or the starts of its
    /// periods; invalid values are left out.
    package static func list(_ line: ContentLine) -> [CalendarMoment] {
        let zone = line.parameter("TZID")
        return line.value.split(separator: ",").prefix(listLimit).compactMap { value in
            CalendarMoment(value: String(value.prefix { $0 != "/" }), zone: zone)
        }
    }

    /// The moments as properties of that name, one for each kind and zone,
    /// since parameters apply to a whole line.
    package static func lines(
        _ name: String, _ moments: [CalendarMoment], ending: [UInt8] = ContentLine.crlf
    ) -> [ContentLine] {
        var groups: [[CalendarMoment]] = []
        for moment in moments {
            // UTC and floating share their parameters, but not a line: some
            // readers treat the other values like the first.
            let index = groups.firstIndex { group in
                switch (group[0], moment) {
                case (.date, .date), (.utc, .utc), (.floating, .floating): true
                case (.zoned(_, let left, _), .zoned(_, let right, _)): left == right
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
}

extension Component {
    /// Sets the property `name` to that moment, with the parameters it needs.
    package mutating func set(_ name: StaticString, _ moment: CalendarMoment) {
        set(name, parameters: moment.parameters, value: moment.text)
    }
}
