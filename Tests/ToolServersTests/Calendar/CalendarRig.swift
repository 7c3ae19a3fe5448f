import AgentCore
import Base
import Foundation
import XCTest

@testable import CalendarFiles
@testable import DateLanguage
@testable import Planner

/// A calendar server on real files in a temporary folder, in Berlin, on
/// Wed 4 Mar 2026, 10:15; phrases are read as the test says.
final class CalendarRig: Sendable {
    let folder: CalendarFolder
    let store: CalendarStore
    let server: CalendarServer
    let now: Date
    let zones = TimeZoneDatabase()
    let local: LocalTime

    /// 2026-03-04T10:15 in Berlin.
    static let now = Date(timeIntervalSince1970: 1_772_615_700)

    init(
        now: Date = CalendarRig.now, zone: String = "Europe/Berlin",
        readings: [String: ParsedPhrase] = [:], locale: DateLocale = .british,
        alerts: AlertSettings = AlertSettings(), inMemory: Bool = false
    ) throws {
        folder = try CalendarFolder(inMemory: inMemory)
        self.now = now
        local = LocalTime(try XCTUnwrap(zones.rules(named: zone)))
        var environment = folder.environment
        environment.now = { now }
        store = CalendarStore(
            roots: [folder.root], trash: folder.trash, state: folder.path + "/state",
            environment: environment)
        let (zones, local) = (zones, local)
        server = CalendarServer(
            store: store, environment: environment, alerts: alerts,
            context: { DateContext(now: now, local: local, zones: zones, locale: locale) },
            parse: { phrase, _ in readings[phrase.lowercased()] ?? ParsedPhrase(title: phrase) })
    }

    var book: EventBook { server.moment().book }

    /// Runs `calendar …` as the shell would; words in single quotes are one.
    @discardableResult
    func run(
        _ line: String, json: Bool = false, window: Int? = nil
    ) async throws -> CommandOutput {
        var words: [String] = []
        for (index, part) in line.components(separatedBy: "'").enumerated() {
            words += index % 2 == 1 ? [part] : part.split(separator: " ").map(String.init)
        }
        var interaction = Interaction()
        interaction.columns = window
        return try await server.commands[0].run(words + (json ? ["--json"] : []), interaction)
    }

    /// The lines of a command as text.
    func lines(_ line: String) async throws -> [String] {
        try await run(line).lines.map(\.text)
    }

    /// `title start end`, in local time, of what takes place on those days.
    func listed(_ from: String, _ to: String) async throws -> [String] {
        let output = try await run("list --from \(from) --to \(to)", json: true)
        return (output.json?.arrayValue ?? []).map { event in
            func text(_ name: String) -> String {
                String((event[name]?.stringValue ?? "").prefix(16))
            }
            return "\(event["title"]?.stringValue ?? "") \(text("start")) \(text("end"))"
        }
    }

    func tool(_ name: String, _ arguments: [(String, JSONValue)]) async throws -> ToolOutput {
        let tool = try XCTUnwrap(server.listTools().first { $0.name == name })
        let object = JSONObject(arguments.map { .init($0.0, $0.1) })
        XCTAssertEqual(tool.inputSchema.violations(in: .object(object)), [])
        return try await server.callTool(name, arguments: object)
    }

    /// A file with those lines in a VCALENDAR of somebody else.
    func put(_ name: String, _ lines: String, list: String = "calendar") throws {
        try folder.put(Array(Self.calendar(lines).utf8), name, list: list)
    }

    static func calendar(_ lines: String) -> String {
        let all =
            "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//somebody//else//EN\n" + lines
            + "\nEND:VCALENDAR\n"
        return all.replacingOccurrences(of: "\n", with: "\r\n")
    }

    func text(_ name: String, list: String = "calendar") throws -> String {
        String(decoding: try folder.bytes("\(folder.root)/\(list)/\(name)"), as: UTF8.self)
            .replacingOccurrences(of: "\r\n", with: "\n")
    }

    /// The files of the calendar that are not that one.
    func others(than name: String, list: String = "calendar") throws -> [String] {
        try folder.names("\(folder.root)/\(list)").filter { $0 != name && $0.hasSuffix(".ics") }
    }

    func undo() async throws {
        let step = try await store.steps(limit: 1).first
        _ = try await store.undo(try XCTUnwrap(step).id)
    }
}
