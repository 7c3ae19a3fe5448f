import Base
import FoundationEssentials

/// One time at which an item happens, with the component that describes it:
/// the master, or an override of this one (or of this and the later ones).
package struct Occurrence: Sendable {
    package var start: ItemTime
    /// Exclusive; the following day if it is a day. For a VTODO its DUE, which
    /// may equal `start`.
    package var end: ItemTime
    /// The original start computed from the rules, which identifies a moved
    /// occurrence; nil if the item does not repeat.
    package var recurrenceID: ItemTime?
    package var component: Component
    /// The index of the occurrence among the components of the series.
    package var place: Int
    /// Whether `component` is not the master.
    package var isOverride: Bool
}

/// The duration of an item: from DTEND, DUE, DURATION or, without any, the
/// default of RFC 5545 §3.6.1.
package struct OccurrenceLength: Sendable {
    private enum Kind: Sendable {
        case days(Int)
        /// DTEND: the same exact duration for each (RFC 5545 §3.8.5.3), shown
        /// in the zone of DTEND.
        case exact(Int, zone: TimeZoneRules?)
        /// DURATION: days on the wall clock.
        case nominal(CalendarDuration)
    }

    /// The reason why the item's actual duration differs from the written one.
    package enum Fault: Sendable {
        case endsBeforeStart
        /// A negative DURATION.
        case negative
        /// One is a day and the other a time.
        case mixed
    }

    private let kind: Kind
    /// An end before the start becomes the start; a day as the end of a time
    /// becomes the beginning of that day.
    package let fault: Fault?

    /// - Parameter start: the start of the component itself.
    package init(_ component: Component, start: ItemTime, resolver: ZoneResolver) {
        let isTask = component.name == "VTODO"
        let line = component.first(isTask ? "DUE" : "DTEND")
        if let line, let moment = CalendarMoment(line) {
            let end = resolver.time(moment).time
            (kind, fault) = Self.kind(from: start, to: end, isTask: isTask, in: resolver.local)
        } else {
            let duration = component.first("DURATION").flatMap { CalendarDuration($0.value) }
            let isNegative = duration.map { $0.days < 0 || $0.seconds < 0 } ?? false
            fault = isNegative ? .negative : nil
            if let duration, !isNegative {
                let days = duration.days + duration.seconds / 86_400
                kind = start.isDate ? .days(isTask ? days : max(1, days)) : .nominal(duration)
            } else {
                kind = start.isDate ? .days(isTask ? 0 : 1) : .exact(0, zone: start.zone)
            }
        }
    }

    /// The duration given by a start and an end together.
    private static func kind(
        from start: ItemTime, to end: ItemTime, isTask: Bool, in local: LocalTime
    ) -> (Kind, Fault?) {
        let fault: Fault? = start.isDate == end.isDate ? nil : .mixed
        if start.isDate {
            let days = end.civilDate.dayNumber - start.civilDate.dayNumber
            return (.days(max(isTask ? 0 : 1, days)), days < 0 ? .endsBeforeStart : fault)
        }
        // A day as the end of a time is the start of that day in its zone.
        let end =
            end.isDate ? start.with(CivilDateTime(secondsAsUTC: end.clock.secondsAsUTC)) : end
        let seconds =
            LocalTime.seconds(of: end.instant(in: local))
            - LocalTime.seconds(of: start.instant(in: local))
        return (.exact(max(0, seconds), zone: end.zone), seconds < 0 ? .endsBeforeStart : fault)
    }

    package func end(of start: ItemTime, in local: LocalTime) -> ItemTime {
        switch kind {
        case .days(let days):
            return start.with(CivilDateTime(secondsAsUTC: start.clock.secondsAsUTC + days * 86_400))
        case .exact(0, _): return start
        case .exact(let seconds, let zone):
            let instant = start.instant(in: local).addingTimeInterval(Double(seconds))
            return ItemTime(instant, zone: zone, in: local)
        case .nominal(let duration): return duration.added(to: start, in: local)
        }
    }

    /// An upper bound for the length of an occurrence, in seconds.
    var longest: Int {
        switch kind {
        case .days(let days): (days + 2) * 86_400
        case .exact(let seconds, _): seconds
        // Hours are exact; days may be longer across a change of the clocks.
        case .nominal(let duration) where duration.days == 0: duration.seconds
        case .nominal(let duration): (duration.days + 2) * 86_400 + duration.seconds
        }
    }
}

extension ItemTime {
    /// nil for a day and for a floating time.
    package var zone: TimeZoneRules? {
        if case .time(_, let zone) = self { zone } else { nil }
    }
}
