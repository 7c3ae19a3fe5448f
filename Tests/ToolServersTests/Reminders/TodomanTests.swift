import AgentCore
import Foundation
import XCTest

@testable import ToolServers

/// The same folder of reminders used by todoman, another program, beside us.
final class TodomanTests: XCTestCase {
    private static let program = "/usr/bin/todoman"

    private func todoman(_ folder: CalendarFolder, _ arguments: [String]) throws -> [UInt8] {
        guard FileManager.default.isExecutableFile(atPath: Self.program) else {
            throw XCTSkip("todoman is not installed (Debian: todoman)")
        }
        let configuration = """
            path = "\(folder.root)/*"
            date_format = "%Y-%m-%d"
            time_format = "%H:%M"
            cache_path = "\(folder.path)/cache.sqlite3"
            default_list = "reminders"
            """
        let file = folder.path + "/config.py"
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: file))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = ["--config", file] + arguments
        process.environment = [
            "HOME": folder.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC",
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
        let store = ReminderStore(
            root: folder.root, trash: folder.trash, environment: folder.environment)
        let done = try await store.all().reminders
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
}
