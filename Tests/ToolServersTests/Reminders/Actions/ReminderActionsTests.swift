import AgentCore
import Base
import Foundation
import ICalendar
import TestSupport
import XCTest

@testable import CalendarFiles
@testable import Planner

final class ReminderActionsTests: XCTestCase {
    private func actions(_ folder: CalendarFolder) -> ReminderActions { folder.server.actions }

    func testTwoStoresAtOnceLoseNothing() async throws {
        let folder = try CalendarFolder(inMemory: true)
        let stores = [actions(folder), actions(folder)]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, store) in stores.enumerated() {
                group.addTask {
                    for number in 0..<50 {
                        let made = try await store.create(.init(title: "\(index)-\(number)"))
                        let done =
                            number % 2 == 0 ? try await store.complete(made).reminder : made
                        if number % 5 == 0 { try await store.delete(done) }
                    }
                }
            }
            try await group.waitForAll()
        }
        let listing = try await stores[0].all()
        XCTAssertEqual(listing.reminders.count, 80)
        XCTAssertEqual(listing.reminders.filter(\.completed).count, 40)
        XCTAssertEqual(listing.problems, [])
        XCTAssertEqual(try folder.items().count, 80)
        XCTAssertEqual(try folder.names(folder.trash).count, 40)
    }

    func testEditsOfOneFileByManyAreAllKept() async throws {
        let folder = try CalendarFolder(inMemory: true)
        let many = (0..<4).map { _ in actions(folder) }
        let made = try await many[0].create(.init(title: "x"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, actions) in many.enumerated() {
                group.addTask {
                    for number in 0..<10 {
                        var edit = ItemEdit()
                        edit.notes = .set("\(index)-\(number)")
                        _ = try await actions.edit(made, edit)
                    }
                }
            }
            try await group.waitForAll()
        }
        let text = String(decoding: try folder.bytes(made.path), as: UTF8.self)
        XCTAssertTrue(text.contains("SEQUENCE:40\r\n"), text)
    }

    func testThousandRemindersAreListedWhole() async throws {
        let folder = try CalendarFolder(inMemory: true)
        for number in 0..<1000 {
            var draft = ItemEdit(title: "item \(number)", due: try .at("2026-12-01T09:00"))
            draft.notes = .set("n")
            let file = ItemEditor(context: CalendarFolder.context()) { "id" }
                .newReminder(draft, uid: "uid-\(number)")
            try folder.put(CalendarWriter.bytes(file), "\(number).ics")
        }
        let listing = try await actions(folder).all()
        XCTAssertEqual(Set(listing.reminders.map(\.title)).count, 1000)
        let output = try await folder.server.callTool("list_reminders", arguments: JSONObject())
        XCTAssertEqual(output.text.split(separator: "\n").count, 201)
        XCTAssertTrue(output.text.hasSuffix("and 800 more; search_reminders finds them"))
        XCTAssertEqual(output.summary, "1000 reminders")
    }

    func testUnreadableFilesAreNamedAndTheRestListed() async throws {
        let folder = try CalendarFolder()
        try folder.put(Array("no calendar at all".utf8), "junk.ics")
        try folder.put([], "empty.ics")
        try folder.put(Array(String(repeating: "BEGIN:A\n", count: 100).utf8), "deep.ics")
        try folder.put(try CalendarFixtures.file("todoman.ics"), "good.ics")
        XCTAssertEqual(mkfifo(folder.list + "/fifo.ics", 0o600), 0)
        let listing = try await actions(folder).all()
        XCTAssertEqual(listing.reminders.map(\.title), ["Renew the bank card"])
        XCTAssertEqual(
            Set(
                listing.problems.map { "\($0.path.split(separator: "/").last ?? "") \($0.reason)" }),
            [
                "junk.ics it is not a calendar (there is no BEGIN:VCALENDAR line)",
                "empty.ics it is empty",
                "deep.ics line 33: components are nested more than 32 deep",
                "fifo.ics it is a folder or a device, not a file",
            ])
    }

    func testGoneFileIsNoMatch() async throws {
        let folder = try CalendarFolder()
        let actions = actions(folder)
        let made = try await actions.create(.init(title: "x"))
        XCTAssertEqual(unlink(made.path), 0)
        do {
            _ = try await actions.complete(made)
            XCTFail("gone")
        } catch ToolError.noMatch(let query) { XCTAssertEqual(query, "x") }
    }

    func testPathOutsideOfTheListsIsRefused() async throws {
        let folder = try CalendarFolder()
        let actions = actions(folder)
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path + "/x.ics"))
        for path in [
            "/etc/passwd", folder.root + "/../x.ics", folder.root + "/a/b/c.ics",
            folder.root + "/reminders/../../x.ics", folder.root + "/.hidden/x.ics",
            folder.root + "//x.ics",
        ] {
            do {
                var gone = Reminder(uid: "x", title: "x")
                gone.path = path
                try await actions.delete(gone)
                XCTFail(path)
            } catch {}
        }
        XCTAssertEqual(try folder.names(folder.path).filter { $0 == "x.ics" }, ["x.ics"])
    }

    func testListsAreFoldersAndHiddenOnesAreNone() async throws {
        let folder = try CalendarFolder()
        for list in ["b", "a", ".hidden"] {
            try folder.put(try CalendarFixtures.file("bom.ics"), "x.ics", list: list)
        }
        try Data().write(to: URL(fileURLWithPath: folder.root + "/file"))
        let lists = try await actions(folder).all().reminders.map(\.list)
        XCTAssertEqual(lists, ["a", "b"])
    }

    /// Debian's python3-icalendar reads what we write, and finds in foreign
    /// files that we completed what was there before.
    func testIndependentParserReadsTheSameFields() async throws {
        let python = "/usr/bin/python3"
        let script = """
            import sys, json, icalendar
            out = []
            for path in sys.argv[1:]:
                with open(path, 'rb') as f:
                    calendar = icalendar.Calendar.from_ical(f.read())
                for todo in calendar.walk('VTODO'):
                    due = todo.get('DUE')
                    alarm = todo.walk('VALARM')
                    out.append({'uid': str(todo.get('UID')), 'summary': str(todo.get('SUMMARY')),
                        'notes': str(todo.get('DESCRIPTION', '')), 'status': str(todo.get('STATUS', '')),
                        'priority': int(todo.get('PRIORITY', 0)), 'due': due.dt.isoformat() if due else '',
                        'alarms': [str(a.get('ACTION')) + ' ' + str(a.get('TRIGGER').dt) for a in alarm],
                        'custom': str(todo.get('X-CUSTOM', ''))})
            print(json.dumps(out))
            """
        func read(_ paths: [String]) throws -> JSONValue {
            let process = Process.apart()
            process.executableURL = URL(fileURLWithPath: python)
            process.arguments = ["-c", script] + paths
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = FileHandle.nullDevice
            try process.run()
            let data = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                throw XCTSkip("Python's icalendar is not installed (Debian: python3-icalendar)")
            }
            return try JSONParser.parse([UInt8](data))
        }
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw XCTSkip("python3 is not installed")
        }
        _ = try read([])
        let folder = try CalendarFolder()
        let actions = actions(folder)
        let title =
            "Crème; brûlée, \\ \"quoted\" 🎁 "
            + Array(repeating: "long", count: 30).joined(separator: " ")
        var draft = ItemEdit(title: title, due: try .at("2026-11-22T09:00"))
        draft.notes = .set("one\ntwo, three")
        draft.priority = .set(3)
        let timed = try await actions.create(draft)
        let allDay = try await actions.create(.init(title: "day", due: try .at("2026-12-24")))
        _ = try await actions.complete(allDay)
        try folder.put(try CalendarFixtures.file("todoman.ics"), "todoman.ics")
        let all = try await actions.all().reminders
        let foreign = try XCTUnwrap(
            all.first { $0.path.hasSuffix("todoman.ics") })
        _ = try await actions.complete(foreign)
        let objects = try read([timed.path, allDay.path, foreign.path])
        XCTAssertEqual(
            objects,
            [
                [
                    "uid": .string(timed.uid), "summary": .string(title),
                    "notes": "one\ntwo, three", "status": "NEEDS-ACTION", "priority": 3,
                    "due": "2026-11-22T09:00:00+01:00", "alarms": ["DISPLAY 0:00:00"],
                    "custom": "",
                ],
                [
                    "uid": .string(allDay.uid), "summary": "day", "notes": "",
                    "status": "COMPLETED", "priority": 0, "due": "2026-12-24", "alarms": [],
                    "custom": "",
                ],
                [
                    "uid": .string(foreign.uid), "summary": "Renew the bank card", "notes": "",
                    "status": "COMPLETED", "priority": 5, "due": "2026-12-01T08:00:00+00:00",
                    "alarms": [], "custom": "kept as it is",
                ],
            ])
    }
}
