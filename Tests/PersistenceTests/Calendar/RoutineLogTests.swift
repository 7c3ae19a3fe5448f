import Base
import Foundation
import TestSupport
import XCTest

@testable import Persistence

final class RoutineLogTests: XCTestCase {
    private let due = Date(timeIntervalSince1970: 1_774_000_000)

    private func database(_ folder: StoreFolder) -> CalendarDatabase {
        CalendarDatabase(folder: folder.path + "/state", environment: World().environment)
    }

    func testARunIsToldOnceAndAFailedOneIsTakenOnAgainByOne() throws {
        let folder = try StoreFolder()
        let log = RoutineLog(try database(folder).connection())
        XCTAssertTrue(try log.claim("r", due: due, owner: "a", now: due))
        XCTAssertEqual(try log.takeNews(), [])
        let run = try XCTUnwrap(try log.runs(limit: 1).first)
        try log.end(run, .waiting, note: "overloaded", cost: 5, now: due)
        XCTAssertFalse(try log.claim("r", due: due, owner: "b", now: due))
        XCTAssertTrue(try log.retry("r", due: due, owner: "b"))
        XCTAssertFalse(try log.retry("r", due: due, owner: "c"))
        let again = try XCTUnwrap(try log.runs(limit: 1).first)
        // What the first has to say comes too late.
        XCTAssertFalse(try log.end(run, .done, note: "late", now: due))
        try log.end(
            again, .done, note: "Two events.", conversation: "c1", digest: "d", cost: 7, now: due)
        let news = try log.takeNews()
        XCTAssertEqual(news.map(\.note), ["Two events."])
        XCTAssertEqual(news.map(\.cost), [12])
        XCTAssertEqual(try log.cost(of: "r", since: due), 12)
        XCTAssertEqual(try log.takeNews(), [])
    }

    /// A file from before routines, with a step and an alert in it.
    func testAnOlderFileGetsTheTablesAndKeepsWhatItHas() throws {
        let folder = try StoreFolder()
        let path = database(folder).path
        try DatabaseFile.makeFolder(folder.path + "/state")
        let before = try Migrator(
            migrations: Array(CalendarMigrations.all.prefix { $0.name != "routines" }),
            applicationID: CalendarMigrations.applicationID
        ).open(path, busyTimeoutInMilliseconds: 100, now: due)
        try before.script(
            "steps",
            """
            INSERT INTO steps(id, verb, title, uid, made) VALUES ('1', 'created', 't', 'u', 1);
            INSERT INTO alert_facts VALUES ('first use', 1);
            """)
        before.close()
        let connection = try database(folder).connection()
        XCTAssertEqual(try UndoLog(connection).steps(undone: false, limit: 9).map(\.id), ["1"])
        XCTAssertEqual(try RoutinePins(connection).all(), [:])
        let pin = RoutinePins.Pin(digest: "d", since: due, command: "true", seen: "{}")
        try RoutinePins(connection).set(pin, of: "r")
        XCTAssertEqual(try RoutinePins(connection).all(), ["r": pin])
        XCTAssertTrue(try RoutineLog(connection).claim("r", due: due, owner: "a", now: due))
    }
}
