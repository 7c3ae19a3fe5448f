import Base
import Foundation
import ICalendar
import TestSupport
import XCTest

@testable import Persistence
@testable import Routines

/// Months of a routine's times, with processes that are killed, a machine that sleeps, clocks
/// that are set forward and back, and both changes to and from summer time: each time has one row
/// or is in the row of those missed, and no time runs twice.
final class RoutineFiringTests: XCTestCase {
    private struct Outcome {
        var times = 0
        var asked: [Date: Int] = [:]
        var rows: [RoutineLog.Run] = []
    }

    /// A week before the clocks of Berlin go forward.
    private static let since = Date(timeIntervalSince1970: 1_773_964_800)

    /// - Parameter pace: seconds between two looks, at most.
    private func simulate(
        seed: UInt64, rule: String, days: Int, pace: UInt64
    ) async throws -> Outcome {
        let local = LocalTime(try XCTUnwrap(TimeZoneDatabase().rules(named: "Europe/Berlin")))
        let kit = try RoutineKit(at: Self.since)
        let routine = try kit.routine(rule: rule, start: "02:30") { $0.catchUp = 3 * 3_600 }
        try await kit.book().save(routine, command: nil, verb: "created")
        var random = SplitMix(seed: seed)
        var outcome = Outcome()
        var (number, latest) = (0, kit.now)
        var books = [kit.book("p0"), kit.book("other")]
        let end = Self.since.addingTimeInterval(Double(days) * 86_400)
        while kit.now < end {
            // A machine that sleeps for days, or a look after minutes.
            let isLong = random.next() % 60 == 0
            kit.now += Double(1 + random.next() % (isLong ? 260_000 : pace))
            switch random.next() % 120 {
            case 0: kit.now -= Double(random.next() % 90_000)
            case 1: kit.now += Double(random.next() % 400_000)
            default: break
            }
            latest = max(latest, kit.now)
            guard let entry = try await books[0].agenda(in: local).due.first else { continue }
            // Two processes have seen the same.
            var claims: [(RoutineBook, RoutineLog.Run)] = []
            for book in books {
                if let run = try await book.claimDue(entry, in: local) {
                    claims.append((book, run))
                }
            }
            XCTAssertLessThanOrEqual(claims.count, 1)
            guard let (book, run) = claims.first else { continue }
            outcome.asked[run.due, default: 0] += 1
            switch random.next() % 10 {
            case 0:
                // Both are killed with it.
                for owner in ["p\(number)", "other\(number)", "other"] { kit.kill(owner) }
                number += 1
                books = [kit.book("p\(number)"), kit.book("other\(number)")]
            default: try await book.end(run, .done, note: "ok")
            }
        }
        kit.now = max(latest, end) + 40 * 86_400
        for owner in ["p\(number)", "other\(number)", "other"] { kit.kill(owner) }
        let last = kit.book("last")
        while let entry = try await last.agenda(in: local).due.first {
            guard let run = try await last.claimDue(entry, in: local) else { break }
            outcome.asked[run.due, default: 0] += 1
            try await last.end(run, .done, note: "ok")
        }
        outcome.rows = try await last.runs(of: routine.id, limit: .max)
        outcome.times = try routine.schedule.starts(
            from: Self.since.addingTimeInterval(1), to: kit.now.addingTimeInterval(1), in: local
        ).count
        for book in books + [last] { await book.close() }
        return outcome
    }

    func testTenThousandTimesEachHaveARowAndNoneRunsTwice() async throws {
        var times = 0
        let rules: [(String, Int, UInt64)] = [
            ("FREQ=DAILY", 250, 20_000), ("FREQ=HOURLY", 250, 2_500),
            ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", 250, 30_000),
            ("FREQ=MINUTELY;INTERVAL=20", 60, 1_000),
        ]
        for (index, (rule, days, pace)) in rules.enumerated() {
            let outcome = try await simulate(
                seed: UInt64(index + 1), rule: rule, days: days, pace: pace)
            times += outcome.times
            let missed = outcome.rows.filter { $0.state == .missed }
            let ran = outcome.rows.filter { $0.state != .missed }
            XCTAssertEqual(
                ran.count + missed.reduce(0) { $0 + $1.times }, outcome.times, rule)
            XCTAssertEqual(outcome.asked.values.max(), 1)
            XCTAssertEqual(Set(ran.map(\.due)), Set(outcome.asked.keys))
            XCTAssertEqual(outcome.rows.filter { $0.state == .running }, [])
            XCTAssertTrue(outcome.rows.contains { $0.state == .interrupted }, rule)
            XCTAssertFalse(missed.isEmpty, rule)
        }
        XCTAssertGreaterThan(times, 10_000)
    }

    func testATimeRunsOnceWithinTheCatchUpAndIsReportedAfterIt() throws {
        let kit = try RoutineKit()
        let start = kit.now.addingTimeInterval(-6 * 3_600)
        let schedule = try kit.routine().schedule
        func plan(_ hours: Double, last: Double? = nil) throws -> RoutinePlan {
            try RoutinePlan(
                schedule, since: start,
                last: last.map { run(.done, due: start + $0 * 3_600) }, now: start + hours * 3_600,
                catchUp: 3 * 3_600, local: LocalTime(.utc))
        }
        let (first, second) = (start + 27_000, start + 113_400)
        // Before it, at it, three hours late, and later.
        XCTAssertEqual(try plan(7).due, nil)
        XCTAssertEqual(try plan(7).next, first)
        XCTAssertEqual(try plan(7.5).due, first)
        XCTAssertEqual(try plan(10.5).due, first)
        XCTAssertEqual(try plan(10.6).due, nil)
        XCTAssertEqual(try plan(10.6).missed, [first])
        XCTAssertEqual(try plan(10.6).next, second)
        // Taken on already.
        XCTAssertEqual(try plan(8, last: 7.5).due, nil)
        // The day before was missed, today's runs.
        XCTAssertEqual(try plan(32).missed, [first])
        XCTAssertEqual(try plan(32).due, second)
    }

    func testAFailedProviderIsAskedAgainEveryTenMinutesForAnHour() throws {
        let kit = try RoutineKit()
        let due = kit.now.addingTimeInterval(5_400)
        let schedule = try kit.routine().schedule
        func plan(ended: Double, now: Double) throws -> RoutinePlan {
            var failed = run(.waiting, due: due)
            failed.ended = due + ended
            return try RoutinePlan(
                schedule, since: kit.now, last: failed, now: due + now, catchUp: 0,
                local: LocalTime(.utc))
        }
        XCTAssertNil(try plan(ended: 10, now: 500).due)
        XCTAssertEqual(try plan(ended: 10, now: 500).next, due + 610)
        XCTAssertEqual(try plan(ended: 10, now: 610).due, due)
        XCTAssertTrue(try plan(ended: 10, now: 610).isRetry)
        XCTAssertEqual(try plan(ended: 2_900, now: 3_550).due, due)
        XCTAssertNil(try plan(ended: 2_900, now: 3_600).due)
    }

    private func run(_ state: RoutineLog.State, due: Date) -> RoutineLog.Run {
        RoutineLog.Run(
            routine: "r", due: due, state: state, isScheduled: true, times: 1, owner: "one",
            claimed: due, ended: nil, note: "", conversation: nil, digest: nil, cost: 0, held: nil)
    }

    func testARunWhoseProcessIsGoneIsReportedOnceAndNotRepeated() async throws {
        let kit = try RoutineKit()
        let (one, two) = (kit.book("one"), kit.book("two"))
        try await one.save(try kit.routine(), command: nil, verb: "created")
        kit.now += 5_400
        let due = try await one.agenda(in: LocalTime(.utc)).due
        let entry = try XCTUnwrap(due.first)
        let claimed = try await one.claimDue(entry, in: LocalTime(.utc))
        XCTAssertNotNil(claimed)
        // While it lives it is left alone.
        let during = try await two.agenda(in: LocalTime(.utc))
        XCTAssertTrue(during.due.isEmpty && during.news.isEmpty)
        kit.kill("one")
        let after = try await two.agenda(in: LocalTime(.utc))
        XCTAssertTrue(after.due.isEmpty)
        XCTAssertEqual(after.news.map(\.state), [.interrupted])
        let again = try await two.agenda(in: LocalTime(.utc))
        XCTAssertTrue(again.due.isEmpty && again.news.isEmpty)
        let launch = try await two.takeNews()
        XCTAssertEqual(launch.map(\.state), [.interrupted])
        let none = try await two.takeNews()
        XCTAssertEqual(none, [])
        await one.close()
        await two.close()
    }

    func testAFailedRunIsGivenUpAfterItsHour() async throws {
        let kit = try RoutineKit()
        let book = kit.book()
        try await book.save(try kit.routine(), command: nil, verb: "created")
        kit.now += 5_400
        for wait in [0.0, 600, 600] {
            kit.now += wait
            let due = try await book.agenda(in: LocalTime(.utc)).due
            let entry = try XCTUnwrap(due.first)
            let run = try await book.claimDue(entry, in: LocalTime(.utc))
            try await book.end(try XCTUnwrap(run), .waiting, note: "overloaded", cost: 5)
        }
        kit.now += 3_000
        let agenda = try await book.agenda(in: LocalTime(.utc))
        XCTAssertTrue(agenda.due.isEmpty)
        XCTAssertEqual(agenda.news.map(\.state), [.failed])
        XCTAssertEqual(agenda.news.map(\.cost), [15])
        await book.close()
    }
}
