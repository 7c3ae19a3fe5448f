import Base
import FoundationEssentials

/// The time of an item: a whole day, or a wall-clock time in a zone.
///
/// The resolved form of `CalendarMoment`, which is the form in a file;
/// `ZoneResolver` converts between them.
package enum ItemTime: Sendable, Hashable {
    /// A day without a zone: the same day everywhere.
    case date(CivilDate)
    /// `zone` is nil for a floating time, which means the reader's own clock.
    case time(CivilDateTime, zone: TimeZoneRules?)

    package init(_ instant: Date, in local: LocalTime) {
        self = .time(local.civil(at: instant), zone: local.rules)
    }

    /// The time of an instant on the clock of a zone (nil for the reader's own), so that `instant`
    /// returns it. If the clock shows the time twice and this is the second, which no wall clock
    /// can express, the time is in UTC.
    package init(_ instant: Date, zone: TimeZoneRules?, in local: LocalTime) {
        let place = zone.map(LocalTime.init) ?? local
        let clock = place.civil(at: instant)
        self =
            place.instant(of: clock) == instant
            ? .time(clock, zone: zone)
            : .time(LocalTime(.utc).civil(at: instant), zone: .utc)
    }

    package var isDate: Bool {
        if case .date = self { true } else { false }
    }

    /// The day on the clock of its own zone.
    package var civilDate: CivilDate {
        switch self {
        case .date(let date): date
        case .time(let clock, _): clock.date
        }
    }

    /// The wall-clock time in its own zone; midnight for a day.
    package var clock: CivilDateTime {
        switch self {
        case .date(let date): CivilDateTime(secondsAsUTC: date.dayNumber * 86_400)
        case .time(let clock, _): clock
        }
    }

    /// The instant of a time; for a day, the start of that day in `local`.
    package func instant(in local: LocalTime) -> Date {
        switch self {
        case .date(let date): local.start(of: date)
        case .time(let clock, let zone):
            zone.map { Date(timeIntervalSince1970: Double($0.second(of: clock))) }
                ?? local.instant(of: clock)
        }
    }

    /// The form to write: a day, a time in UTC, a floating one, or one with the
    /// name of its zone, for which the calendar then needs a VTIMEZONE
    /// (`VTimeZone.ensure`).
    package var moment: CalendarMoment {
        switch self {
        case .date(let date): .date(date)
        case .time(let clock, nil): .floating(clock)
        case .time(let clock, let zone?) where zone.name == TimeZoneRules.utc.name:
            .utc(Date(timeIntervalSince1970: Double(clock.secondsAsUTC)))
        case .time(let clock, let zone?): .zoned(clock, zone: zone.name)
        }
    }

    /// The instant on the clock of a zone, nil for the reader's own; it may be on another day
    /// there. Days and floating times are unchanged.
    package func onClock(of home: TimeZoneRules?, in local: LocalTime) -> ItemTime {
        guard case .time(_, let zone?) = self, zone != home else { return self }
        let place = home.map(LocalTime.init) ?? local
        return .time(place.civil(at: instant(in: local)), zone: home)
    }

    /// The day in the reader's zone.
    package func day(in local: LocalTime) -> CivilDate {
        switch self {
        case .date(let date): date
        case .time: local.civil(at: instant(in: local)).date
        }
    }

    /// ISO 8601: a day alone, or the reader's time with offset.
    package func isoText(in local: LocalTime) -> String {
        switch self {
        case .date(let date): date.isoText
        case .time: local.isoText(instant(in: local))
        }
    }

    /// A time of the same kind at another wall-clock time; a day takes the date of that time.
    package func with(_ clock: CivilDateTime) -> ItemTime {
        switch self {
        case .date: .date(clock.date)
        case .time(_, let zone): .time(clock, zone: zone)
        }
    }
}
