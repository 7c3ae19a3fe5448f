import Base
import FoundationEssentials
import ICalendar
import Persistence

/// Decides what is to be done for a routine now, given its last run. Pure.
///
///     last …… t1 …… t2 …… now …… t3
///                    │            └ `next`
///                    └ runs, if it is not longer ago than `catchUp`
///              └ missed, like every time before the latest one
///
/// A run whose provider failed is tried again every `pause` within `patience` of its claim,
/// unless the next time has come.
package struct RoutinePlan: Sendable, Equatable {
    /// The time to run for.
    package var due: Date?
    /// Whether `due` was tried before.
    package var isRetry = false
    /// The times that passed and will not be made up for.
    package var missed: [Date] = []
    /// The time to look again; nil for a schedule that is over.
    package var next: Date?

    /// Maximum number recorded at once; more are recorded in steps.
    private static let limit = 1_000
    package static let pause = 600.0
    package static let patience = 3_600.0

    /// - Parameters:
    ///   - since: when it was made or last approved; nothing before this is due.
    ///   - last: the latest scheduled run up to now, missed ones included.
    ///   - catchUp: seconds.
    /// - Throws: `RecurrenceError` for a rule that takes too long.
    package init(
        _ schedule: RecurrenceSet, since: Date, last: RoutineLog.Run?, now: Date,
        catchUp: Double, local: LocalTime
    ) throws(RecurrenceError) {
        next = try schedule.next(after: now, in: local)?.instant(in: local)
        let after = max(since, last?.due ?? since)
        if after < now {
            // The first whole second after it, up to and including this one.
            var times = try schedule.starts(
                from: after.addingTimeInterval(1), to: now.addingTimeInterval(1),
                limit: Self.limit, in: local
            ).map { $0.instant(in: local) }.filter { $0 > after && $0 <= now }
            if let latest = times.last, now.timeIntervalSince(latest) <= catchUp,
                times.count < Self.limit
            {
                due = latest
                times.removeLast()
            }
            missed = times
        }
        guard due == nil, missed.isEmpty, let last, last.state == .waiting, let ended = last.ended,
            Self.isWithinPatience(last, now)
        else { return }
        let again = ended.addingTimeInterval(Self.pause)
        if again <= now || ended > now {
            (due, isRetry) = (last.due, true)
        } else {
            next = min(again, next ?? again)
        }
    }

    /// Whether a run that failed may still be tried again.
    package static func isWithinPatience(_ run: RoutineLog.Run, _ now: Date) -> Bool {
        abs(now.timeIntervalSince(run.claimed)) < patience
    }
}
