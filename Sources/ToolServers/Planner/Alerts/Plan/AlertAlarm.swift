import CalendarFiles
import FoundationEssentials
import ICalendar

/// A VALARM as the scheduler sees it: when it rings and how often (RFC 5545
/// §3.6.6, RFC 9074). Every ACTION is displayed.
struct AlertAlarm: Sendable {
    let alarm: ItemAlarm
    let repeats: Int
    /// Seconds between repetitions.
    let interval: Double

    var trigger: ItemAlarm.Trigger { alarm.trigger }
    /// Whether it snoozes another alarm.
    var isSnooze: Bool { alarm.snoozes != nil }

    /// nil if the alarm never rings by the clock.
    init?(_ component: Component, of item: Component, _ zones: ZoneResolver) {
        guard let alarm = ItemAlarm(component, of: item, zones) else { return nil }
        self.alarm = alarm
        let duration = component.first("DURATION").flatMap { CalendarDuration($0.value) }
        interval = duration.map { Double($0.nominalSeconds) } ?? 0
        let count = component.first("REPEAT").flatMap { Int($0.value) } ?? 0
        repeats = interval >= 1 ? min(max(0, count), AlertReader.repeatLimit) : 0
    }

    /// The times it rings in `from..<to`, given its first time.
    func instants(first: Date, from: Date, to: Date) -> [Date] {
        (0...repeats).map { first.addingTimeInterval(Double($0) * interval) }
            .filter { $0 >= from && $0 < to }
    }

    /// The time before and after its occurrence in which it may ring, in seconds.
    var reach: (before: Double, after: Double) {
        guard case .offset(let duration, _) = trigger else { return (0, 0) }
        let offset = Double(duration.nominalSeconds)
        return (max(0, -offset), max(0, offset) + Double(repeats) * interval)
    }
}

extension Component {
    /// Whether it has an alarm of its own, or is marked to have none. An unreadable alarm
    /// does not count, and a snooze belongs to another alarm.
    var hasAlarm: Bool {
        components("VALARM").contains { alarm in
            alarm.snoozedAlarm == nil
                && (!alarm.isClockAlarm || alarm.first("TRIGGER").flatMap(AlarmTrigger.init) != nil)
        }
    }

    /// The time of the item's last change (RFC 5545 §3.8.7.3), according to its file.
    var changed: Date? {
        guard
            case .utc(let instant)? = (first("LAST-MODIFIED") ?? first("DTSTAMP"))
                .flatMap(CalendarMoment.init)
        else { return nil }
        return instant
    }
}
