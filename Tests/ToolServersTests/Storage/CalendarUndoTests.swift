import AgentCore
import Foundation
import ICalendar
import Persistence
import TestSupport
import XCTest

@testable import CalendarFiles

/// What was done is taken back byte for byte, or nothing is touched.
final class CalendarUndoTests: XCTestCase {
    static func step(_ verb: String, _ title: String = "call mom", id: String? = nil)
        -> CalendarStore.Step
    {
        CalendarStore.Step(
            id: id ?? UUID().uuidString, verb: verb, title: title, uid: "uid-\(title)")
    }

    static func todo(_ title: String, uid: String? = nil) throws -> Component {
        try CalendarParser.parse(
            Array(
                """
                BEGIN:VCALENDAR\r
                VERSION:2.0\r
                BEGIN:VTODO\r
                UID:\(uid ?? "uid-\(title)")\r
                SUMMARY:\(title)\r
                X-ODD;A="b":kept \r
                END:VTODO\r
                END:VCALENDAR\r

                """.utf8))
    }

    static func retitle(_ content: inout Component, _ title: String) {
        guard case .component(var calendar) = content.items[0] else { return }
        for (index, item) in calendar.items.enumerated() {
            guard case .component(var todo) = item, todo.name == "VTODO" else { continue }
            todo.set("SUMMARY", value: title)
            calendar.items[index] = .component(todo)
        }
        content.items[0] = .component(calendar)
    }

    private func assertRefused(
        _ part: String, line: UInt = #line, _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            XCTFail("not refused", line: line)
        } catch ToolError.failed(let text) {
            XCTAssertTrue(text.contains(part), text, line: line)
        } catch { XCTFail("\(error)", line: line) }
    }

    /// Every file below the calendars.
    private func snapshot(_ folder: CalendarFolder) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.root) {
            files[name] = FileManager.default.contents(atPath: folder.root + "/" + name)
        }
        return files
    }

    func testAWholeDayIsTakenBackStepByStepInLaterLaunches() async throws {
        let folder = try CalendarFolder()
        try folder.put(CalendarFixtures.file("todoman.ics"), "Rich of old.ics")
        var states = [try snapshot(folder)]
        let file = try await folder.store.create(
            Self.todo("call mom"), uid: "a", in: "reminders", step: Self.step("created"))
        states.append(try snapshot(folder))
        try await folder.store.change(file.path, step: Self.step("renamed")) {
            Self.retitle(&$0, "call dad")
        }
        states.append(try snapshot(folder))
        try await folder.store.delete(
            folder.list + "/Rich of old.ics", step: Self.step("deleted", "rich"))
        states.append(try snapshot(folder))
        try await folder.store.delete(file.path, step: Self.step("deleted", "call dad"))
        states.append(try snapshot(folder))
        let steps = try await folder.store.steps(limit: 9).map { "\($0.verb) \($0.title)" }
        XCTAssertEqual(
            steps,
            ["deleted call dad", "deleted rich", "renamed call mom", "created call mom"])
        for index in (0..<4).reversed() {
            let latest = try await folder.store.steps(limit: 1)[0]
            let undone = try await folder.store.undo(latest.id)
            XCTAssertEqual(undone, latest)
            XCTAssertEqual(try snapshot(folder), states[index], "\(index)")
        }
        let left = try await folder.store.steps(limit: 9)
        XCTAssertEqual(left, [])
        // What was created went to the trash and nowhere else.
        let trash = Trash(path: folder.trash, now: { CalendarFolder.now })
        XCTAssertEqual(try trash.entries().map(\.path), [file.path])
        for index in 1...4 {
            let latest = try await folder.store.history(undone: true, limit: 1)[0]
            try await folder.store.redo(latest.step.id)
            XCTAssertEqual(try snapshot(folder), states[index], "\(index)")
        }
    }

    func testAStepOfSeveralFilesIsOne() async throws {
        let folder = try CalendarFolder()
        try folder.put(CalendarFixtures.file("todoman.ics"), "rich.ics")
        let before = try snapshot(folder)
        let step = Self.step("completed")
        let store = folder.store
        try await store.change(folder.list + "/rich.ics", step: step) { Self.retitle(&$0, "1") }
        try await store.change(folder.list + "/rich.ics", step: step) { Self.retitle(&$0, "2") }
        _ = try await store.create(Self.todo("next"), uid: "n", in: "reminders", step: step)
        let after = try snapshot(folder)
        let steps = try await store.history(undone: false, limit: 9)
        XCTAssertEqual(steps.map(\.step), [step])
        XCTAssertEqual(steps[0].paths, [folder.list + "/rich.ics", folder.list + "/n.ics"])
        try await store.undo(step.id)
        XCTAssertEqual(try snapshot(folder), before)
        await assertRefused("undone already") { try await store.undo(step.id) }
        try await store.redo(step.id)
        XCTAssertEqual(try snapshot(folder), after)
    }

    func testNothingIsUndoneWhereOneFileIsAnother() async throws {
        let folder = try CalendarFolder()
        let step = Self.step("created")
        let store = folder.store
        let first = try await store.create(
            Self.todo("one"), uid: "1", in: "reminders", step: step)
        let second = try await store.create(
            Self.todo("two"), uid: "2", in: "reminders", step: step)
        try Data(CalendarWriter.bytes(Self.todo("theirs"))).write(
            to: URL(fileURLWithPath: second.path))
        let before = try snapshot(folder)
        await assertRefused("2.ics has changed since and now contains \"theirs\"") {
            try await store.undo(step.id)
        }
        XCTAssertEqual(try snapshot(folder), before)
        // A later act of ours is named as the way out.
        let later = Self.step("renamed", "one")
        try await store.change(first.path, step: later) { Self.retitle(&$0, "uno") }
        await assertRefused("renamed \"one\" came after it") { try await store.undo(step.id) }
        XCTAssertEqual(unlink(first.path), 0)
        await assertRefused("1.ics is gone") { try await store.undo(later.id) }
        XCTAssertFalse(FileManager.default.fileExists(atPath: first.path))
    }

    func testADeletedFileNeverReplacesOneThatCameInItsPlace() async throws {
        let folder = try CalendarFolder()
        try folder.put(CalendarFixtures.file("todoman.ics"), "rich.ics")
        let step = Self.step("deleted")
        try await folder.store.delete(folder.list + "/rich.ics", step: step)
        try folder.put(Array("theirs".utf8), "rich.ics")
        await assertRefused("rich.ics has since been changed") {
            try await folder.store.undo(step.id)
        }
        XCTAssertEqual(try folder.bytes(folder.list + "/rich.ics"), Array("theirs".utf8))
        // And is there also when the trash and the folder are not.
        try FileManager.default.removeItem(atPath: folder.trash)
        try FileManager.default.removeItem(atPath: folder.list)
        try await folder.store.undo(step.id)
        XCTAssertEqual(
            try folder.bytes(folder.list + "/rich.ics"), try CalendarFixtures.file("todoman.ics"))
    }

    func testAKillBetweenTheNoteAndTheFileIsJudgedByTheFile() async throws {
        let folder = try CalendarFolder()
        try folder.put([1], "a.ics")
        let database = CalendarDatabase(folder: folder.state, environment: folder.environment)
        let log = UndoLog(try database.connection())
        let path = folder.list + "/a.ics"
        func begin(_ id: String, before: [UInt8]?, after: [UInt8]?) throws {
            _ = try log.begin(
                id: id, verb: "v", title: "t", uid: "u", now: CalendarFolder.now, path: path,
                before: before, after: after, trash: nil)
        }
        // Killed before the file changed: there is nothing to undo.
        try begin("not yet", before: [1], after: [2])
        var steps = try await folder.store.steps(limit: 9)
        XCTAssertEqual(steps.map(\.id), [])
        await assertRefused("nothing to undo") { try await folder.store.undo("not yet") }
        // Killed after it.
        try begin("happened", before: [0], after: [1])
        steps = try await folder.store.steps(limit: 9)
        XCTAssertEqual(steps.map(\.id), ["happened"])
        try await folder.store.undo("happened")
        XCTAssertEqual(try folder.bytes(path), [0])
    }

    func testAnUndoThatWasKilledGoesOnWhereItWas() async throws {
        let folder = try CalendarFolder()
        let step = Self.step("created")
        let store = folder.store
        for uid in ["1", "2", "3"] {
            _ = try await store.create(Self.todo(uid), uid: uid, in: "reminders", step: step)
        }
        // What the undo had done when it died.
        XCTAssertEqual(unlink(folder.list + "/1.ics"), 0)
        try await store.undo(step.id)
        XCTAssertEqual(try folder.items(), [])
        try await store.redo(step.id)
        XCTAssertEqual(try folder.items(), ["1.ics", "2.ics", "3.ics"])
    }

    func testADatabaseThatCannotBeUsedKeepsNoReminderFromBeingWritten() async throws {
        let damages: [(String, (String) throws -> Void)] = [
            (
                "notADatabase",
                { try Data(repeating: 7, count: 9_000).write(to: URL(fileURLWithPath: $0)) }
            ),
            (
                "cannotOpen",
                {
                    try FileManager.default.createDirectory(
                        atPath: $0, withIntermediateDirectories: false)
                }
            ),
        ]
        for (reason, damage) in damages {
            let folder = try CalendarFolder()
            try FileManager.default.createDirectory(
                atPath: folder.state, withIntermediateDirectories: false)
            try damage(folder.state + "/calendar.db")
            let store = folder.store
            let file = try await store.create(
                Self.todo("call mom"), uid: "a", in: "reminders", step: Self.step("created"))
            XCTAssertTrue(FileManager.default.fileExists(atPath: file.path))
            let failure = await store.takeUndoFailure()
            XCTAssertEqual(failure.map { "\($0.reason)" }, reason)
            let again = await store.takeUndoFailure()
            XCTAssertNil(again)
        }
    }

    func testTwoProcessesThatUndoTheSameStepUndoItOnce() async throws {
        let folder = try CalendarFolder(inMemory: true)
        for round in 0..<20 {
            let step = Self.step("renamed")
            let file = try await folder.store.create(
                Self.todo("old"), uid: "r\(round)", in: "reminders", step: Self.step("created"))
            let before = try folder.bytes(file.path)
            try await folder.store.change(file.path, step: step) { Self.retitle(&$0, "new") }
            let stores = [folder.store, folder.store]
            await withTaskGroup(of: Void.self) { group in
                for store in stores {
                    // The slower one is refused, or finds it done.
                    group.addTask { _ = try? await store.undo(step.id) }
                }
            }
            XCTAssertEqual(try folder.bytes(file.path), before)
            let active = try await folder.store.steps(limit: 99).map(\.id)
            XCTAssertFalse(active.contains(step.id))
        }
    }

    func testAStepOutsideOfTheCalendarsIsLeftAlone() async throws {
        let folder = try CalendarFolder()
        let database = CalendarDatabase(folder: folder.state, environment: folder.environment)
        let log = UndoLog(try database.connection())
        let victim = folder.path + "/victim.ics"
        for (index, path) in [
            victim, folder.root + "/../victim.ics", folder.root + "/a/b/c/d.ics",
        ].enumerated() {
            _ = try log.begin(
                id: "\(index)", verb: "v", title: "t", uid: "u", now: CalendarFolder.now,
                path: path, before: [1], after: nil, trash: nil)
            await assertRefused("no longer in a calendar folder") {
                try await folder.store.undo("\(index)")
            }
        }
        XCTAssertFalse(FileManager.default.fileExists(atPath: victim))
    }
}
