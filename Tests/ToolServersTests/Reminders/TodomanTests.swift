import AgentCore
import Base
import Foundation
import ICalendar
import TestSupport
import XCTest

@testable import CalendarFiles
@testable import DateLanguage
@testable import Planner

/// The same folder of reminders used by todoman, another program, beside us.
final class TodomanTests: XCTestCase {
    private static let program = "/usr/bin/todoman"

    private func todoman(_ folder: CalendarFolder, _ arguments: [String]) throws -> [UInt8] {
        _ = try TestMachine.find("todoman", package: "todoman")
        let configuration = """
            path = "\(folder.root)/*"
            date_format = "%Y-%m-%d"
            time_format = "%H:%M"
            cache_path = "\(folder.path)/cache.sqlite3"
            default_list = "reminders"
            """
        let file = folder.path + "/config.py"
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: file))
        let process = Process.apart()
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = ["--config", file] + arguments
        process.environment = [
            "HOME": folder.path, "PATH": TestMachine.path, "LC_ALL": "C.UTF-8", "TZ": "UTC",
        ]
        let pipe = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = [UInt8](pipe.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0, String(decoding: output, as: UTF8.self))
        return output
    }

    func testTodomanReadsWhatWeWriteAndWeReadWhatItDoes() async throws {
        let folder = try CalendarFolder()
        let server = folder.server
        _ = try await server.callTool(
            "create_reminder",
            arguments: JSONObject([
                .init("title", "Gießkanne, füllen; \"bald\""),
                .init("due_date", "2026-12-01T09:00:00Z"), .init("notes", "two\nlines"),
                .init("priority", 5),
            ]))
        let listed = try JSONParser.parse(try todoman(folder, ["--porcelain", "list"]))
        let item = listed[0]
        XCTAssertEqual(listed.arrayValue?.count, 1)
        XCTAssertEqual(item?["summary"]?.stringValue, "Gießkanne, füllen; \"bald\"")
        XCTAssertEqual(item?["description"]?.stringValue, "two\nlines")
        XCTAssertEqual(item?["due"]?.integerValue, 1_796_115_600)
        XCTAssertEqual(item?["priority"]?.integerValue, 5)
        XCTAssertEqual(item?["completed"]?.boolValue, false)

        // It rewrites the file in its own order; for us it is the same item.
        _ = try todoman(folder, ["done", try XCTUnwrap(item?["id"]?.integerValue).description])
        let done = try await server.actions.all().reminders
        XCTAssertEqual(done.map(\.title), ["Gießkanne, füllen; \"bald\""])
        XCTAssertEqual(done.map(\.completed), [true])
        XCTAssertEqual(done.map(\.notes), ["two\nlines"])
        XCTAssertEqual(done.map(\.priority), [5])

        _ = try todoman(
            folder, ["new", "--list", "reminders", "--due", "2026-12-24 17:00", "call Bo"])
        let output = try await server.callTool(
            "complete_reminder", arguments: JSONObject([.init("title", "call bo")]))
        XCTAssertFalse(output.isError)
        let open = try JSONParser.parse(try todoman(folder, ["--porcelain", "list"]))
        XCTAssertEqual(open.arrayValue?.count, 0)
    }

    /// todoman completes a series by a new file that carries it on, in UTC and
    /// without much of what was there (calendar files of others are like that).
    func testASeriesThatTodomanCompletedGoesOnHere() async throws {
        let folder = try CalendarFolder()
        let server = folder.server
        _ = try await server.call(
            "create_reminder",
            #"{"title":"water","due_date":"2026-11-24T09:00","recurrence":"FREQ=WEEKLY;INTERVAL=2;BYDAY=TU","tags":["home"]}"#
        )
        let listed = try JSONParser.parse(try todoman(folder, ["--porcelain", "list"]))
        XCTAssertEqual(listed[0]?["due"]?.integerValue, 1_795_507_200)
        _ = try todoman(
            folder, ["done", try XCTUnwrap(listed[0]?["id"]?.integerValue).description])
        let all = try await server.actions.all().reminders
        XCTAssertEqual(all.filter(\.completed).count, 1)
        let series = try XCTUnwrap(all.first { !$0.completed })
        XCTAssertEqual(
            series.due?.isoText(in: CalendarFolder.context().local), "2026-12-08T09:00:00+01:00")
        XCTAssertNotNil(series.recurrence)
        // Done once more, by us, and its history reopened.
        let again = try await server.actions.complete(series)
        XCTAssertEqual(again.nextDue?.said.prefix(10), "2026-12-22")
        let old = try XCTUnwrap(all.first(where: \.completed))
        let open = try await server.actions.reopen(old)
        XCTAssertFalse(open.completed)
        let now = try JSONParser.parse(try todoman(folder, ["--porcelain", "list"]))
        XCTAssertEqual(now.arrayValue?.count, 2)
        XCTAssertEqual(
            Set(now.arrayValue?.compactMap { $0["due"]?.integerValue } ?? []),
            [
                1_795_507_200,
                try XCTUnwrap(again.nextDue).instant(in: CalendarFolder.context().local)
                    .timeIntervalSince1970,
            ].map { Int($0) }.reduce(into: []) { $0.insert($1) })
    }

    func testOurCompletedSeriesIsOneOpenTaskAndItsHistoryThere() async throws {
        let folder = try CalendarFolder()
        let server = folder.server
        _ = try await server.call(
            "create_reminder",
            #"{"title":"water","due_date":"2026-11-17T09:00","recurrence":"FREQ=WEEKLY"}"#)
        _ = try await server.call("complete_reminder", #"{"title":"water"}"#)
        let open = try JSONParser.parse(try todoman(folder, ["--porcelain", "list"]))
        XCTAssertEqual(open.arrayValue?.map { $0["due"]?.integerValue }, [1_795_507_200])
        let done = try JSONParser.parse(
            try todoman(folder, ["--porcelain", "list", "--status", "COMPLETED"]))
        XCTAssertEqual(done.arrayValue?.count, 1)
    }
}
