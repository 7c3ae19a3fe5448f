import AgentCore
import FoundationEssentials
import ICalendar

/// A VALARM as far as the scheduler is concerned: when it rings and how often
/// (RFC 5545 §3.6.6, RFC 9074). Every ACTION is shown.
struct AlertAlarm: Sendable {
    enum Trigger: Sendable, Equatable {
        case at(Date)
        case offset(CalendarDuration, fromEnd: Bool)
    }

    let trigger: Trigger
    let acknowledged: Date?
    /// It stands for another alarm that was put off.
    let isSnooze: Bool
    let repeats: Int
    /// Seconds between repetitions.
    let interval: Double

    /// It rang at its one instant and was acknowledged.
    var isSeen: Bool {
        guard case .at(let instant) = trigger, let acknowledged else { return false }
        return acknowledged >= instant
    }

    /// nil for an alarm that never rings by the clock: without a time, or of a
    /// place.
    init?(_ component: Component) {
        guard component.first("PROXIMITY") == nil, component.first("X-APPLE-PROXIMITY") == nil,
            // What Apple writes to mean "no alarm, not even by default".
            component.first("ACTION")?.value.uppercased() != "NONE",
            let line = component.first("TRIGGER")
        else { return nil }
        if let duration = CalendarDuration(line.value) {
            trigger = .offset(
                duration, fromEnd: line.parameter("RELATED")?.uppercased() == "END")
        } else if case .utc(let instant)? = CalendarMoment(line) {
            trigger = .at(instant)
        } else {
            return nil
        }
        if case .utc(let instant)? = component.first("ACKNOWLEDGED").flatMap(CalendarMoment.init) {
            acknowledged = instant
        } else {
            acknowledged = nil
        }
        isSnooze = component.all("RELATED-TO").contains {
            $0.parameter("RELTYPE")?.uppercased() == "SNOOZE"
        }
        let duration = component.first("DURATION").flatMap { CalendarDuration($0.value) }
        interval = duration.map { Double($0.days * 86_400 + $0.seconds) } ?? 0
        let count = component.first("REPEAT").flatMap { Int($0.value) } ?? 0
        repeats = interval >= 1 ? min(max(0, count), AlertReader.repeatLimit) : 0
    }

    /// The times it rings in `from..<to`, given the first of all.
    func instants(first: Date, from: Date, to: Date) -> [Date] {
        (0...repeats).map { first.addingTimeInterval(Double($0) * interval) }
            .filter { $0 >= from && $0 < to }
    }

    /// How long before and after its occurrence it may ring, in seconds.
    var reach: (before: Double, after: Double) {
        guard case .offset(let duration, _) = trigger else { return (0, 0) }
        let offset = Double(duration.days * 86_400 + duration.seconds)
        return (max(0, -offset), max(0, offset) + Double(repeats) * interval)
    }
}
