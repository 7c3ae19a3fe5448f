import Base
import FoundationEssentials

/// The distance that an item moves, and the clock it moves on: by days and seconds on the wall
/// clock, so that 9 o'clock stays 9 o'clock across a change of the clocks, or to whole days, or
/// from days to a time. Pure.
package struct ItemShift: Sendable {
    package let seconds: Int
    private let kind: ItemTime
    private let local: LocalTime

    /// The shift from `from` to `to`, measured in the zone of `from`.
    package init(from: ItemTime, to: ItemTime, local: LocalTime) {
        var target = to
        if case .time(_, let old) = from, case .time(_, let new) = to, old != new {
            let place = old.map(LocalTime.init) ?? local
            target = .time(place.civil(at: to.instant(in: local)), zone: old)
        }
        seconds = target.clock.secondsAsUTC - from.clock.secondsAsUTC
        kind = target
        self.local = local
    }

    package var days: Int {
        seconds >= 0 ? seconds / 86_400 : -((86_399 - seconds) / 86_400)
    }

    /// The shifted time; `kind` decides whether it is a day, and gives the zone
    /// if it had none.
    package func moved(_ time: ItemTime, kind other: ItemTime? = nil) -> ItemTime {
        let clock = CivilDateTime(secondsAsUTC: time.clock.secondsAsUTC + seconds)
        switch (other ?? kind, time) {
        case (.date, _): return .date(clock.date)
        case (.time, .time(_, let zone)): return .time(clock, zone: zone)
        case (.time(_, let zone), .date): return .time(clock, zone: zone)
        }
    }
}
