import Base
import Foundation
import ICalendar
import Persistence
import Synchronization
import TestSupport

@testable import Routines

/// A folder of routines with a clock that a test sets, and books of several processes on it.
final class RoutineKit: Sendable {
    let folder: TemporaryFolder
    private let state: Mutex<(now: Date, ids: Int, dead: Set<String>)>

    /// Starts on a Friday, 2026-11-27 06:00 UTC.
    init(at now: Date = Date(timeIntervalSince1970: 1_795_759_200)) throws {
        folder = try TemporaryFolder()
        state = Mutex((now, 0, []))
    }

    var now: Date {
        get { state.withLock { $0.now } }
        set { state.withLock { $0.now = newValue } }
    }

    var environment: Base.Environment {
        Base.Environment(
            now: { self.now }, uptime: { 0 }, sleep: { _ in },
            uuid: {
                self.state.withLock { state in
                    state.ids += 1
                    return
                        "00000000-0000-4000-8000-\(String(1_000_000_000_000 + state.ids).dropFirst())"
                }
            }, random: { 0.5 }, variables: [:])
    }

    /// A process's view.
    func book(_ owner: String = "one") -> RoutineBook {
        RoutineBook(
            folder: folder.path("data/routines"), state: folder.path("state"),
            environment: environment, owner: owner,
            isGone: { owner in self.state.withLock { $0.dead.contains(owner) } })
    }

    func kill(_ owner: String) { _ = state.withLock { $0.dead.insert(owner) } }

    /// Every day at 7:30, unless told otherwise.
    func routine(
        _ name: String = "Morning", rule: String = "FREQ=DAILY", start: String = "07:30",
        change: (inout Routine) -> Void = { _ in }
    ) throws -> Routine {
        let clock = start.split(separator: ":").compactMap { Int($0) }
        let today = LocalTime(.utc).civil(at: now).date
        guard clock.count == 2,
            let first = CivilDateTime(today.adding(days: -1), hour: clock[0], minute: clock[1])
        else { throw CocoaError(.formatting) }
        var routine = Routine(
            id: environment.uuid(), name: name, prompt: "sum up my day", start: first,
            rule: try RecurrenceRule(parsing: rule), provider: "claude",
            host: "api.anthropic.com", model: "claude-sonnet-5-5")
        change(&routine)
        return routine
    }
}
