import AgentCore
import Base
import CalendarFiles
import Foundation
import ICalendar
import Persistence
import Synchronization
import XCTest

@testable import Planner

/// The scheduler with real files, a real timer, real inotify and a real log.
final class AlertSchedulerTests: XCTestCase {
    static func todo(_ uid: String, due: Date, extra: String = "") -> [UInt8] {
        Array(
            """
            BEGIN:VCALENDAR\r
            VERSION:2.0\r
            BEGIN:VTODO\r
            UID:\(uid)\r
            SUMMARY:\(uid)\r
            DUE:\(CalendarMoment.utcText(due))\r
            \(extra)END:VTODO\r
            END:VCALENDAR\r

            """.utf8)
    }

    /// Runs a scheduler until the body is done.
    private func withScheduler(
        _ rig: AlertRig, _ body: () async throws -> Void
    ) async throws {
        let watch = try XCTUnwrap(AlertWatch())
        let scheduler = AlertScheduler(rig.dependencies)
        let task = Task { await scheduler.run(watch) }
        do {
            try await body()
        } catch {
            watch.stop()
            await task.value
            throw error
        }
        watch.stop()
        await task.value
    }

    func testARingsAtItsTimeAndIsNotGivenAgainByALaterLaunch() async throws {
        let folder = try CalendarFolder()
        let rig = AlertRig(folder)
        try folder.put(Self.todo("a", due: Date().addingTimeInterval(1)), "a.ics")
        try await withScheduler(rig) { try await rig.heard("a") }
        let other = AlertRig(folder)
        let count = try await AlertScheduler(other.dependencies).runOnce()
        XCTAssertEqual(count, 0)
        XCTAssertEqual(other.titles, [])
    }

    func testAFileThatAppearsAndOneThatChangesAreNoticedAtOnce() async throws {
        let folder = try CalendarFolder()
        let rig = AlertRig(folder)
        // The folder is not there yet, nor is the one above it.
        try await withScheduler(rig) {
            try folder.put(Self.todo("a", due: Date().addingTimeInterval(3600)), "a.ics")
            try folder.put(Self.todo("b", due: Date().addingTimeInterval(-1)), "b.ics", list: "new")
            try await rig.heard("b")
            // By temp and rename, as vdirsyncer does.
            try folder.put(Self.todo("a", due: Date().addingTimeInterval(-1)), ".a.tmp")
            XCTAssertEqual(rename(folder.list + "/.a.tmp", folder.list + "/a.ics"), 0)
            try await rig.heard("a")
        }
        XCTAssertEqual(rig.titles, ["b", "a"])
    }

    func testWhatIsDeletedOrDoneByOthersInTimeIsSilent() async throws {
        let folder = try CalendarFolder()
        let rig = AlertRig(folder)
        let due = Date().addingTimeInterval(1.5)
        try folder.put(Self.todo("a", due: due), "a.ics")
        try folder.put(Self.todo("b", due: due), "b.ics")
        try folder.put(Self.todo("c", due: due), "c.ics")
        try await withScheduler(rig) {
            unlink(folder.list + "/a.ics")
            try folder.put(
                Self.todo("b", due: due, extra: "STATUS:COMPLETED\r\n"), "b.ics")
            try await rig.heard("c")
        }
        XCTAssertEqual(rig.titles, ["c"])
    }

    private static func event(_ uid: String, _ title: String, start: Date) -> [UInt8] {
        Array(
            """
            BEGIN:VCALENDAR\r
            VERSION:2.0\r
            BEGIN:VEVENT\r
            UID:\(uid)\r
            SUMMARY:\(title)\r
            DTSTART:\(CalendarMoment.utcText(start))\r
            END:VEVENT\r
            END:VCALENDAR\r

            """.utf8)
    }

    /// As the service has it: a later process, with nothing but the files and the log.
    func testAnEventThatWasMadeHereRingsAlsoWhereOthersMovedIt() async throws {
        let folder = try CalendarFolder()
        let start = Date().addingTimeInterval(590)
        _ = try await folder.store.create(
            CalendarParser.parse(Self.event("mine", "mine", start: start)), uid: "mine",
            in: "calendar", step: CalendarUndoTests.step("created"))
        try folder.put(
            Self.event("theirs", "theirs", start: start), "theirs.ics", list: "calendar")
        let first = AlertRig(folder)
        _ = try await AlertScheduler(first.dependencies).runOnce()
        XCTAssertEqual(first.titles, ["mine"])
        // Put off and dismissed in the log alone.
        let before = try folder.bytes(folder.root + "/calendar/mine.ics")
        _ = try await first.dependencies.rung.snooze(["10m"])
        let entry = try await first.dependencies.book.entries(since: .distantPast).first
        XCTAssertNotNil(entry?.snoozed)
        XCTAssertEqual(try folder.bytes(folder.root + "/calendar/mine.ics"), before)
        try folder.put(
            Self.event("mine", "moved", start: start.addingTimeInterval(5)), "mine.ics",
            list: "calendar")
        let second = AlertRig(folder)
        _ = try await AlertScheduler(second.dependencies).runOnce()
        XCTAssertEqual(second.titles, ["moved"])
        _ = try await second.dependencies.rung.done()
        let third = AlertRig(folder)
        _ = try await AlertScheduler(third.dependencies).runOnce()
        XCTAssertEqual(third.titles, [])
    }

    func testAMissedOneIsLateAndOldOnesAreALine() async throws {
        let folder = try CalendarFolder()
        let first = AlertRig(folder)
        _ = try await AlertScheduler(first.dependencies).runOnce()
        // As if alerts had been looked after for long.
        let connection = try CalendarDatabase(
            folder: folder.state, environment: folder.environment
        ).connection()
        try connection.script("age", "UPDATE alert_facts SET value = 0")
        connection.close()
        try folder.put(Self.todo("late", due: Date().addingTimeInterval(-7200)), "a.ics")
        for number in 1...3 {
            let due = Date().addingTimeInterval(-86_400 * Double(number))
            try folder.put(Self.todo("old \(number)", due: due), "\(number).ics")
        }
        let rig = AlertRig(folder)
        let count = try await AlertScheduler(rig.dependencies).runOnce()
        XCTAssertEqual(count, 1)
        XCTAssertEqual(rig.titles, ["late", "3 older alerts were missed"])
        XCTAssert(rig.notices[0].when.hasPrefix("missed at "), rig.notices[0].when)
        let again = AlertRig(folder)
        _ = try await AlertScheduler(again.dependencies).runOnce()
        XCTAssertEqual(again.titles, [])
    }

    func testWhatNothingTookIsGivenLater() async throws {
        let folder = try CalendarFolder()
        try folder.put(Self.todo("a", due: Date().addingTimeInterval(-1)), "a.ics")
        let deaf = AlertRig(folder, takes: false)
        for number in 1...9 {
            let due = Date().addingTimeInterval(-600 * Double(number))
            try folder.put(Self.todo("old \(number)", due: due), "\(number).ics")
        }
        let none = try await AlertScheduler(deaf.dependencies).runOnce()
        XCTAssertEqual(none, 0)
        let rig = AlertRig(folder)
        let count = try await AlertScheduler(rig.dependencies).runOnce()
        XCTAssertEqual(count, 6)
        XCTAssertEqual(rig.titles.first, "a")
        XCTAssertEqual(rig.titles.last, "4 older alerts were missed")
    }

    func testAClaimOfAProcessThatDiedIsTakenOver() async throws {
        let folder = try CalendarFolder()
        try folder.put(Self.todo("a", due: Date().addingTimeInterval(-30)), "a.ics")
        // Its number is above every number Linux gives.
        let dead = AlertBook(
            folder: folder.state, environment: AlertRig.system(at: -10), owner: "9999999.1.x")
        let alerts = try await AlertScheduler.alerts(
            in: folder.store,
            AlertReader(
                local: LocalTime(.utc), zones: TimeZoneDatabase(), settings: AlertSettings()),
            Date().addingTimeInterval(-600)..<Date(), near: Date()
        ).alerts
        let isClaimed = try await dead.claim(try XCTUnwrap(alerts.first))
        XCTAssert(isClaimed)
        let rig = AlertRig(folder)
        let count = try await AlertScheduler(rig.dependencies).runOnce()
        XCTAssertEqual(count, 1)
    }

    /// What a second scan finds is what the first one found.
    func testAFileThatAsksForAlarmsWithoutEndRingsOnceEachTime() async throws {
        let folder = try CalendarFolder()
        // It rings half a minute ago and in half a minute.
        let start = CalendarMoment.utcText(Date().addingTimeInterval(-86_430))
        let alarm = "BEGIN:VALARM\nTRIGGER:-PT5M\nREPEAT:1000\nDURATION:PT1M\nEND:VALARM\n"
        let text =
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:b\nSUMMARY:boom\nDTSTART:\(start)\n"
            + "RRULE:FREQ=MINUTELY\n" + String(repeating: alarm, count: 100)
            + "END:VEVENT\nEND:VCALENDAR\n"
        try folder.put(Array(text.utf8), "bomb.ics")
        let rig = AlertRig(folder)
        let count = try await AlertScheduler(rig.dependencies).runOnce()
        XCTAssert((1...5).contains(count), "\(count)")
        XCTAssertEqual(rig.titles, Array(repeating: "boom", count: count))
        let again = try await AlertScheduler(AlertRig(folder).dependencies).runOnce()
        XCTAssertEqual(again, 0)
    }

    func testTenSchedulersAtOnceGiveEachAlertOnce() async throws {
        let folder = try CalendarFolder()
        for number in 0..<5 {
            try folder.put(
                Self.todo("\(number)", due: Date().addingTimeInterval(-1)), "\(number).ics")
        }
        let rigs = (0..<10).map { _ in AlertRig(folder) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for rig in rigs {
                group.addTask { _ = try await AlertScheduler(rig.dependencies).runOnce() }
            }
            try await group.waitForAll()
        }
        XCTAssertEqual(rigs.flatMap(\.titles).sorted(), ["0", "1", "2", "3", "4"])
    }
}

/// The dependencies of a scheduler whose only channel writes down what it is given.
final class AlertRig: Sendable {
    let dependencies: AlertScheduler.Dependencies
    private let heard: Heard

    private final class Heard: Sendable {
        let notices = Mutex<[AlertNotice]>([])
        let waiting = Mutex<[(String, CheckedContinuation<Void, Never>)]>([])
    }

    init(_ folder: CalendarFolder, takes: Bool = true) {
        let environment = Self.system(at: 0)
        let heard = Heard()
        self.heard = heard
        let book = AlertBook(folder: folder.state, environment: environment)
        let channel = AlertChannel("test", isQuick: true) { notice in
            guard takes else { return false }
            heard.notices.withLock { $0.append(notice) }
            let done = heard.waiting.withLock { waiting in
                let done = waiting.filter { $0.0 == notice.title }
                waiting.removeAll { $0.0 == notice.title }
                return done
            }
            for waiter in done { waiter.1.resume() }
            return true
        }
        dependencies = AlertScheduler.Dependencies(
            store: folder.store, book: book, delivery: AlertDelivery([channel]),
            rung: RungAlerts(
                book: book, actions: AlertActions(done: { _ in }, snooze: { _, _ in }),
                settings: AlertSettings(), environment: environment,
                local: { LocalTime(.utc) }),
            settings: AlertSettings(), environment: environment, zones: TimeZoneDatabase(),
            local: { LocalTime(.utc) })
    }

    /// The real clock, moved.
    static func system(at seconds: Double) -> Base.Environment {
        var environment = Base.Environment.system(variables: [:])
        environment.now = { Date().addingTimeInterval(seconds) }
        return environment
    }

    var notices: [AlertNotice] { heard.notices.withLock { $0 } }
    var titles: [String] { notices.map(\.title) }

    /// Waits for an alert of that title; fails after ten seconds.
    func heard(_ title: String) async throws {
        await withCheckedContinuation { continuation in
            heard.waiting.withLock { $0.append((title, continuation)) }
            if heard.notices.withLock({ $0.contains { $0.title == title } }) { release(title) }
            // Only a guard against a hang.
            DispatchQueue.global().asyncAfter(deadline: .now() + 10) { self.release(title) }
        }
        let isHeard = titles.contains(title)
        if !isHeard { throw UsageError("“\(title)” did not ring; what did: \(titles)") }
    }

    private func release(_ title: String) {
        let mine = heard.waiting.withLock { waiting in
            let mine = waiting.filter { $0.0 == title }
            waiting.removeAll { $0.0 == title }
            return mine
        }
        for waiter in mine { waiter.1.resume() }
    }
}
