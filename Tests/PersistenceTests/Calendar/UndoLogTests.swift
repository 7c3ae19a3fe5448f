import Foundation
import XCTest

@testable import Persistence

/// Steps and changes, in a real database that is opened again and again.
final class UndoLogTests: XCTestCase {
    private static let now = Date(timeIntervalSince1970: 1_795_262_400)

    private func database(_ folder: StoreFolder) -> CalendarDatabase {
        CalendarDatabase(folder: folder.path + "/state", environment: World().environment)
    }

    @discardableResult
    private func begin(
        _ log: UndoLog, _ id: String, path: String = "/c/a.ics", now: Date = now,
        before: [UInt8]? = nil, after: [UInt8]? = [1], trash: String? = nil
    ) throws -> Int64 {
        try log.begin(
            id: id, verb: "created", title: "call mom", uid: "u", now: now, path: path,
            before: before, after: after, trash: trash)
    }

    func testNothingIsMadeBeforeTheFirstUse() throws {
        let folder = try StoreFolder()
        let database = database(folder)
        XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path + "/state"))
        _ = try database.connection()
        var status = stat()
        XCTAssertEqual(stat(database.path, &status), 0)
        XCTAssertEqual(status.st_mode & 0o777, 0o600)
    }

    func testAStepIsReadBackByAnotherProcess() throws {
        let folder = try StoreFolder()
        let writer = database(folder)
        let log = UndoLog(try writer.connection())
        let first = try begin(log, "s1", before: [0, 255], after: nil, trash: "t")
        try log.finish(first)
        try begin(log, "s1", path: "/c/b.ics", before: [], after: [2])
        let other = UndoLog(try database(folder).connection())
        let step = try XCTUnwrap(try other.step("s1"))
        XCTAssertEqual(try other.steps(undone: false, limit: 9), [step])
        XCTAssertEqual(step.made, Self.now)
        XCTAssertEqual(
            try other.changes(of: step),
            [
                UndoLog.Change(
                    id: first, path: "/c/a.ics", isDone: true, before: [0, 255], after: nil,
                    trash: "t"),
                UndoLog.Change(
                    id: first + 1, path: "/c/b.ics", isDone: false, before: [], after: [2],
                    trash: nil),
            ])
        // Also after the writer is gone without a word.
        writer.close()
        XCTAssertEqual(try UndoLog(database(folder).connection()).step("s1"), step)
    }

    /// A log from before there was a list of the events that were made here.
    func testTheEventsOfKeptStepsAreKnownAfterTheUpgrade() throws {
        let folder = try StoreFolder()
        let path = database(folder).path
        try DatabaseFile.makeFolder(folder.path + "/state")
        let before = try Migrator(
            migrations: Array(CalendarMigrations.all.prefix { $0.name != "own events" }),
            applicationID: CalendarMigrations.applicationID
        ).open(path, busyTimeoutInMilliseconds: 100, now: Self.now)
        try before.script(
            "steps",
            """
            INSERT INTO steps(id, verb, title, uid, made) VALUES
                ('1', 'created', 't', 'event', 1), ('2', 'created', 't', 'task', 2),
                ('3', 'changed', 't', 'theirs', 3);
            INSERT INTO changes(step, path, before, after) VALUES
                (1, 'a', NULL, CAST('x BEGIN:VEVENT y' AS BLOB)),
                (2, 'b', NULL, CAST('x BEGIN:VTODO y' AS BLOB)),
                (3, 'c', x'00', CAST('x BEGIN:VEVENT y' AS BLOB));
            """)
        try before.script("use", "INSERT INTO alert_facts VALUES ('first use', 1)")
        before.close()
        let log = UndoLog(try database(folder).connection())
        XCTAssertNotNil(try log.eventsRingSince())
        XCTAssertNil(try UndoLog(database(StoreFolder()).connection()).eventsRingSince())
        XCTAssertEqual(
            try ["event", "task", "theirs"].map { try log.isOwnEvent($0) }, [true, false, false])
        try log.addOwnEvents(["theirs", "event"])
        XCTAssertTrue(try log.isOwnEvent("theirs"))
        XCTAssertEqual(try log.steps(undone: false, limit: 9).count, 3)
    }

    func testAChangeThatDidNotHappenLeavesNoStep() throws {
        let folder = try StoreFolder()
        let log = UndoLog(try database(folder).connection())
        let change = try begin(log, "s1")
        let kept = try begin(log, "s2")
        let other = try begin(log, "s2", path: "/c/b.ics")
        try log.forget(change)
        try log.forget(other)
        XCTAssertEqual(try log.steps(undone: false, limit: 9).map(\.id), ["s2"])
        let step = try XCTUnwrap(try log.step("s2"))
        XCTAssertEqual(try log.changes(of: step).map(\.id), [kept])
    }

    func testUndoneStepsAreListedApartTheLatestUndoFirst() throws {
        let folder = try StoreFolder()
        let log = UndoLog(try database(folder).connection())
        for id in ["s1", "s2", "s3"] { try begin(log, id) }
        let steps = try log.steps(undone: false, limit: 9)
        XCTAssertEqual(steps.map(\.id), ["s3", "s2", "s1"])
        try log.setUndone(Self.now, of: steps[0])
        try log.setUndone(Self.now.addingTimeInterval(1), of: steps[1])
        XCTAssertEqual(try log.steps(undone: false, limit: 9).map(\.id), ["s1"])
        XCTAssertEqual(try log.steps(undone: true, limit: 9).map(\.id), ["s2", "s3"])
        try log.setUndone(nil, of: steps[0])
        XCTAssertEqual(try log.steps(undone: false, limit: 9).map(\.id), ["s3", "s1"])
    }

    func testStepsGoWhenTheyAreBothOldAndMany() throws {
        let folder = try StoreFolder()
        let log = UndoLog(try database(folder).connection())
        let old = Self.now.addingTimeInterval(-31 * 86_400)
        for number in 0..<510 {
            try begin(log, "s\(number)", now: number < 20 ? old : Self.now)
        }
        try log.prune(now: Self.now)
        let left = try log.steps(undone: false, limit: 1_000)
        // The ten oldest of the old ones; the others are among the last 500.
        XCTAssertEqual(left.map(\.id), (10..<510).reversed().map { "s\($0)" })
    }

    func testAFileOfSeveralHundredMegabytesIsMadeSmaller() throws {
        let folder = try StoreFolder()
        let database = database(folder)
        let log = UndoLog(try database.connection())
        let large = [UInt8](repeating: 7, count: 10 << 20)
        for number in 0..<14 { try begin(log, "s\(number)", before: large, after: []) }
        try log.prune(now: Self.now)
        XCTAssertEqual(
            try log.steps(undone: false, limit: 99).map(\.id),
            (2..<14).reversed().map { "s\($0)" })
        XCTAssertEqual(
            try database.connection().first("SELECT count(*) FROM changes") {
                $0.integer(0)
            }, 12)
    }

    func testTheConversationsAreNotTakenForTheCalendarNorTheOtherWayRound() async throws {
        let folder = try StoreFolder()
        _ = try database(folder).connection()
        await XCTAssertReason(.otherDatabase) {
            _ = try ConversationStore(
                path: folder.path + "/state/calendar.db", environment: World().environment)
        }
        let chats = try StoreFolder()
        let store = try chats.store()
        await store.close()
        try FileManager.default.createDirectory(
            atPath: chats.path + "/state", withIntermediateDirectories: false)
        try FileManager.default.copyItem(
            atPath: chats.database, toPath: chats.path + "/state/calendar.db")
        await XCTAssertReason(.otherDatabase) { _ = try database(chats).connection() }
    }
}
