import AgentCore
import Base
import Foundation
import ICalendar
import TestSupport
import XCTest

@testable import CalendarFiles
@testable import Planner

/// The five tools against real files.
final class RemindersServerTests: XCTestCase {
    private func call(
        _ server: RemindersServer, _ tool: String, _ arguments: String
    ) async throws -> ToolOutput {
        try await server.call(tool, arguments)
    }

    func testNamesParametersAndClassesAreThoseOfThePlan() throws {
        let server = try CalendarFolder().server
        let shapes = server.listTools().map { tool -> String in
            let schema = tool.inputSchema.json
            let names = schema["properties"]?.objectValue?.names ?? []
            let required = schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
            return "\(tool.name)(\(names.joined(separator: ","))) \(required) \(tool.toolClass)"
        }
        XCTAssertEqual(
            shapes,
            [
                "list_reminders(filter,list,tag) [] read",
                "create_reminder(title,due_date,recurrence,alarm_minutes_before,priority,list,tags,parent,notes) [\"title\"] write",
                "complete_reminder(title) [\"title\"] write",
                "reopen_reminder(title) [\"title\"] write",
                "edit_reminder(title,new_title,due_date,recurrence,alarm_minutes_before,priority,list,tags,parent,notes) [\"title\"] write",
                "snooze_reminder(title,minutes,until) [\"title\"] write",
                "delete_reminder(title) [\"title\"] destroy",
                "search_reminders(query) [\"query\"] read",
            ])
        let priority = server.listTools()[1].inputSchema
        XCTAssertFalse(priority.violations(in: ["title": "x", "priority": 10]).isEmpty)
        XCTAssertFalse(priority.violations(in: ["title": "x", "priority": 0]).isEmpty)
    }

    func testInitAndJudgingTouchNothingOnDisk() throws {
        let folder = try CalendarFolder()
        let server = folder.server
        _ = server.commands
        _ = server.canHandle(message: "remind me to buy milk")
        XCTAssertEqual(try folder.names(folder.path), [])
    }

    func testATimeIsTheUsersOrHasAnOffset() async throws {
        let folder = try CalendarFolder()
        let server = folder.server
        let output = try await call(
            server, "create_reminder", #"{"title":"x","due_date":"2026-12-01 17:30"}"#)
        XCTAssertTrue(output.text.contains("\"due\":\"2026-12-01T17:30:00+01:00\""))
        XCTAssertFalse(output.isUntrusted)
        let other = try await call(
            server, "create_reminder",
            #"{"title":"y","due_date":"2026-12-01T17:30:00-05:00","tags":["a"],"priority":1,"recurrence":"FREQ=DAILY","alarm_minutes_before":15}"#
        )
        XCTAssertEqual(
            other.summary,
            "✓ y · Tue 1 Dec 23:30 CET · ↻ daily · alert 15 min before · !1 · #a")
        let day = try await call(
            server, "create_reminder", #"{"title":"z","due_date":"2026-11-22","notes":null}"#)
        XCTAssertTrue(day.text.contains("\"due\":\"2026-11-22\""))
    }

    func testDateThatCannotBeIsAnErrorAndNothingIsWritten() async throws {
        let folder = try CalendarFolder()
        for text in ["tomorrow", "2026-02-31", "2026-11-22T24:61", "22.11.2026", "5pm"] {
            do {
                _ = try await call(
                    folder.server, "create_reminder", #"{"title":"x","due_date":"\#(text)"}"#)
                XCTFail(text)
            } catch ToolError.invalidArguments(let violations) {
                XCTAssertEqual(violations.map(\.path), ["$.due_date"])
                XCTAssertTrue(violations[0].problem.contains(text))
                XCTAssertTrue(violations[0].problem.contains("2026-11-22T09:00"))
            }
        }
        for arguments in [
            #"{"title":"  \n "}"#, #"{"title":"\#(String(repeating: "x", count: 501))"}"#,
        ] {
            do {
                _ = try await call(folder.server, "create_reminder", arguments)
                XCTFail(arguments)
            } catch ToolError.invalidArguments(let violations) {
                XCTAssertEqual(violations.map(\.path), ["$.title"])
            }
        }
        XCTAssertFalse(try folder.names(folder.path).contains("calendars"))
    }

    func testPastDueDateIsTakenAndSaid() async throws {
        let folder = try CalendarFolder()
        let output = try await call(
            folder.server, "create_reminder", #"{"title":"x","due_date":"2026-11-20"}"#)
        XCTAssertTrue(output.text.hasSuffix("; the due date is in the past"))
        XCTAssertEqual(output.summary, "✓ x · yesterday, Fri 20 Nov (in the past)")
    }

    func testListSearchCompleteDelete() async throws {
        let folder = try CalendarFolder()
        let server = folder.server
        let empty = try await call(server, "list_reminders", "{}")
        XCTAssertEqual(
            empty, ToolOutput(text: "there are no open reminders", summary: "0 reminders"))
        for title in ["buy milk", "buy bread", "call Bo"] {
            _ = try await call(
                server, "create_reminder",
                #"{"title":"\#(title)","notes":"about \#(title.suffix(2))"}"#)
        }
        let several = try await call(server, "complete_reminder", #"{"title":"buy"}"#)
        XCTAssertTrue(several.isError)
        let (lead, candidates) = (several.text.split(separator: "\n")[0], several.text)
        XCTAssertEqual(lead, "\"buy\" matches several.")
        XCTAssertTrue(candidates.contains("\nbuy milk ") && candidates.contains("\nbuy bread"))
        let done = try await call(server, "complete_reminder", #"{"title":"BUY MILK"}"#)
        XCTAssertEqual(
            done, ToolOutput(text: "completed \"buy milk\"", summary: "✓ done: buy milk"))
        let again = try await call(server, "complete_reminder", #"{"title":"buy milk"}"#)
        XCTAssertEqual(
            again, ToolOutput(text: "\"buy milk\" is already done", isError: true))
        let open = try await call(server, "list_reminders", "{}")
        XCTAssertEqual(open.text.split(separator: "\n").count, 2)
        let all = try await call(server, "list_reminders", #"{"filter":"all"}"#)
        XCTAssertEqual(all.text.split(separator: "\n").count, 3)
        let found = try await call(server, "search_reminders", #"{"query":"ABOUT lk"}"#)
        XCTAssertTrue(found.text.contains("\"title\":\"buy milk\",\"done\":true"))
        let kept = try await server.actions.all().reminders
        let id = try XCTUnwrap(
            kept.first { $0.title == "call Bo" }?.uid)
        let gone = try await call(
            server, "delete_reminder", #"{"title":"\#(id.prefix(8))"}"#)
        XCTAssertEqual(gone.text, "moved \"call Bo\" to the trash")
        do {
            _ = try await call(server, "delete_reminder", #"{"title":"call Bo"}"#)
            XCTFail("gone")
        } catch ToolError.noMatch(let query) { XCTAssertEqual(query, "call Bo") }
        XCTAssertEqual(try folder.items().count, 2)
        XCTAssertEqual(try folder.names(folder.trash).count, 2)
    }

    func testForeignFilesAreReadMarkedAndLeftAsTheyAre() async throws {
        let folder = try CalendarFolder()
        for (name, bytes) in try CalendarFixtures.all() {
            try folder.put(bytes, name, list: "foreign")
        }
        try folder.put(Array("Zu Hause\n".utf8), "displayname", list: "foreign")
        let server = folder.server
        let listing = try await server.actions.all()
        let titles = Dictionary(
            uniqueKeysWithValues: listing.reminders.map { ($0.uid, $0.title) })
        XCTAssertEqual(
            titles,
            [
                "6f2c9a10d4b94ab1a2f0c1d2e3f40506@laptop": "Renew the bank card",
                "4437292217023742432": "Water the plants",
                "a3d7c7a2-3b1f-4a62-9e0e-1f0c52fd8a11": "Gäste einladen, Kuchen backen; Saft",
                "20261103T090000Z-1234-1000-1-0@host": "Pay the rent",
                "folded-1": "Read the very long book\tabout folding".replacingOccurrences(
                    of: "\t", with: ""), "lf-only-1": "Only line feeds",
                "no-newline-1": "No newline at the end", "bom-1": "Marked by its first bytes",
                "unknown-1": "Strange neighbours", "broken-1": "Still shown",
                "cut-1": "The rest is mis", "mixed-1": "café ÿ",
                "two-1": "First of two", "two-2": "Second of two",
            ])
        let nextcloud = try XCTUnwrap(listing.reminders.first { $0.uid.hasPrefix("a3d7") })
        XCTAssertEqual(nextcloud.notes, "Zeile eins\nZeile zwei: \\o/")
        XCTAssertEqual(nextcloud.categories, ["Fest", "Zu Hause"])
        XCTAssertEqual(nextcloud.list, "Zu Hause")
        XCTAssertEqual(nextcloud.due, CivilDate(year: 2026, month: 11, day: 30).map { .date($0) })
        let list = try await call(server, "list_reminders", "{}")
        XCTAssertTrue(list.isUntrusted)
        // What is refused names the reminder, in words of somebody else.
        let refused = try await call(
            server, "reopen_reminder", #"{"title":"water the plants"}"#)
        XCTAssertTrue(refused.isError)
        XCTAssertTrue(refused.isUntrusted)
        XCTAssertTrue(refused.text.contains("is not done"))
        for (name, bytes) in try CalendarFixtures.all() {
            XCTAssertEqual(try folder.bytes(folder.root + "/foreign/" + name), bytes, name)
        }
        // Of two in one file only the one is taken.
        let gone = try await call(server, "delete_reminder", #"{"title":"First of two"}"#)
        XCTAssertTrue(gone.isUntrusted)
        let left = try await server.actions.all().reminders.map(\.title)
        XCTAssertTrue(left.contains("Second of two"))
        XCTAssertFalse(left.contains("First of two"))
        let done = try await call(server, "complete_reminder", #"{"title":"renew the bank"}"#)
        XCTAssertTrue(done.isUntrusted)
        XCTAssertTrue(
            String(decoding: try folder.bytes(folder.root + "/foreign/todoman.ics"), as: UTF8.self)
                .contains("SEQUENCE:4\r\n"))
    }

    /// Ids and titles of foreign files name nothing on the disk and break no
    /// line.
    func testHostileIDsAndTitlesStayText() async throws {
        let folder = try CalendarFolder()
        let uids = [
            "../../../etc/passwd", "/etc/passwd", "~/x", "a\\nb", "🎁", "-rf",
            String(repeating: "u", count: 2048), "",
        ]
        for (index, uid) in uids.enumerated() {
            let text = """
                BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VTODO\r\nUID:\(uid)\r
                SUMMARY:item \(index)\\nnext \u{2028}line\u{1B}[31m\r\nEND:VTODO\r\nEND:VCALENDAR\r\n
                """
            try folder.put(Array(text.utf8), "\(index).ics")
        }
        let server = folder.server
        let list = try await call(server, "list_reminders", "{}")
        XCTAssertEqual(list.text.split(whereSeparator: \.isNewline).count, uids.count)
        let shown = try await server.commands[0].run(
            ["list"])
        XCTAssertEqual(shown.lines.count, uids.count + 1)
        for line in shown.lines { XCTAssertFalse(line.text.contains(where: \.isNewline)) }
        for index in uids.indices {
            _ = try await call(server, "complete_reminder", "{\"title\":\"item \(index) next\"}")
            _ = try await call(server, "delete_reminder", "{\"title\":\"item \(index) next\"}")
        }
        XCTAssertEqual(try folder.items(), [])
        XCTAssertEqual(try folder.names(folder.path), ["calendars", "state", "trash"])
        XCTAssertEqual(try folder.names(folder.trash).count, uids.count * 2)
    }

    func testUnknownToolIsTold() async throws {
        let folder = try CalendarFolder()
        do {
            _ = try await folder.server.callTool("fly", arguments: JSONObject())
            XCTFail("no such tool")
        } catch let error as ToolError { XCTAssertEqual(error, .toolNotFound(name: "fly")) }
    }
}
