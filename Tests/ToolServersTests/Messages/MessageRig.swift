import AgentCore
import Base
import Foundation
import ICalendar
import XCTest

@testable import CalendarFiles
@testable import DateLanguage
@testable import Library
@testable import Planner

/// The servers side by side over real files, with the real date language, on
/// Wed 4 Mar 2026, 10:15 in Berlin; what a plain message changed is told as
/// text.
struct MessageRig {
    let folder: CalendarFolder
    let servers: [any ToolServer]
    let reminders: RemindersServer
    let calendar: CalendarServer
    let referent = RecentReferent()
    private let local: LocalTime

    init(locale: DateLocale = .british) throws {
        folder = try CalendarFolder(inMemory: true)
        let zones = CalendarFolder.zones
        let local = LocalTime(try XCTUnwrap(zones.rules(named: "Europe/Berlin")))
        self.local = local
        var environment = folder.environment
        environment.now = { CalendarRig.now }
        let store = CalendarStore(
            roots: [folder.root], trash: folder.trash, state: folder.state,
            environment: environment)
        let context: @Sendable () -> DateContext = {
            DateContext(now: CalendarRig.now, local: local, zones: zones, locale: locale)
        }
        let judge = MessageJudge()
        reminders = RemindersServer(
            store: store, context: context, environment: environment, judge: judge,
            referent: referent,
            eventStarts: EventMatcher.starts)
        calendar = CalendarServer(
            store: store, environment: environment, context: context, judge: judge,
            referent: referent)
        servers = [
            reminders, calendar,
            UndoServer(UndoHistory([CalendarUndoSource(store)]), environment: environment),
        ]
    }

    /// A store with a few things in it, as a person's has.
    static func furnished(locale: DateLocale = .british) async throws -> MessageRig {
        let rig = try MessageRig(locale: locale)
        for line in [
            "reminders add --literal --due 2026-03-02 -- take out the trash",
            "reminders add --literal -- send parcel", "reminders done -- send parcel",
            "reminders add --literal --due 2026-03-08 -- call dad",
            "reminders add --literal --due 2026-03-31 -- pay rent",
            "reminders add --literal -- buy milk",
            "reminders add --literal --due 2026-03-04T18:00 -- water the plants",
            "reminders add --literal --due 2026-03-05T17:00 -- call mom",
            "calendar add --start 2026-03-06T14:00 -- dentist",
            "calendar add --start 2026-03-09T09:30 --end 2026-03-09T09:45 -- standup",
            "calendar add --start 2026-03-11T12:00 -- team lunch",
            "calendar add --start 2026-03-07T10:00 -- yoga",
            "calendar add --start 2026-03-05T19:00 --end 2026-03-05T21:00 -- dinner with Ida",
        ] {
            let parts = line.components(separatedBy: " -- ")
            let words = parts[0].split(separator: " ").map(String.init)
            let command = words + ["--"] + [parts[1]]
            _ = try await rig.run(command)
        }
        return rig
    }

    /// Keeps the files as they are now, for `restore`.
    func keep() throws {
        try FileManager.default.copyItem(atPath: folder.root, toPath: folder.path + "/kept")
    }

    func restore() throws {
        if try files() == files(in: folder.path + "/kept") { return }
        try FileManager.default.removeItem(atPath: folder.root)
        try FileManager.default.copyItem(atPath: folder.path + "/kept", toPath: folder.root)
    }

    /// Runs a command line, as a picked choice is run.
    func run(_ words: [String]) async throws -> CommandOutput {
        let command = try XCTUnwrap(
            servers.flatMap(\.commands).first { $0.name == words[0] }, words[0])
        return try await command.run(
            Array(words.dropFirst()))
    }

    /// What a message gets without a model being asked; nil goes to the model.
    func answer(_ message: String) async throws -> CommandOutput? {
        try await answer(PlainMessage(message))
    }

    private func answer(_ message: PlainMessage) async throws -> CommandOutput? {
        let route = IntentRouter().route(IntentRouter.judge(message, by: servers))
        for server in servers { server.endQuestion() }
        guard case .local(let names, _) = route else { return nil }
        return try await ask(names, message, mayAsk: false)
    }

    /// What it gets where there is no model to ask.
    func offline(_ message: String) async throws -> CommandOutput? {
        let message = PlainMessage(message)
        if let output = try await answer(message) { return output }
        return try await ask(
            IntentRouter.ranked(IntentRouter.judge(message, by: servers)), message, mayAsk: true)
    }

    private func ask(
        _ names: [String], _ message: PlainMessage, mayAsk: Bool
    ) async throws -> CommandOutput? {
        for name in names {
            let server = try XCTUnwrap(servers.first { $0.name == name })
            if let output = try await server.handle(
                message: message, mayAsk: mayAsk, emit: .none)
            {
                return output
            }
        }
        return nil
    }

    // MARK: - What is there

    /// The bytes of every file: where they are the same, so is every item. Reading and
    /// comparing them takes a tenth of what reading the items does.
    func files() throws -> [String: Data] { try files(in: folder.root) }

    private func files(in path: String) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            let url = URL(fileURLWithPath: path + "/" + name)
            if !url.hasDirectoryPath { files[name] = try Data(contentsOf: url) }
        }
        return files
    }

    /// One line for each item, by its id.
    func items() async throws -> [String: String] {
        var items: [String: String] = [:]
        for reminder in try await reminders.actions.all().reminders {
            var line = "t \(reminder.title)"
            if let due = reminder.due { line += " \(text(due))" }
            if let rule = reminder.recurrence { line += " \(rule)" }
            for case .at(let instant) in reminder.alarms.map(\.trigger) {
                line += " z \(text(.time(local.civil(at: instant), zone: local.rules)))"
            }
            line += extras(reminder.fields)
            items[reminder.uid] = line + (reminder.completed ? " x" : "")
        }
        for series in try await calendar.moment().book.shelf().series {
            let event = series.main
            let end = text(event.end)
            items[event.uid] =
                "e \(event.title) \(text(event.start))/"
                + (event.end.isDate || event.end.civilDate != event.start.civilDate
                    ? end : String(end.suffix(5)))
                + (event.recurrence.map { " \($0)" } ?? "") + extras(event.fields)
        }
        return items
    }

    /// The place, and the alarms before the time.
    private func extras(_ fields: ItemFields) -> String {
        (fields.location.map { " @ \($0)" } ?? "")
            + fields.alarms.compactMap {
                if case .offset(let offset, _) = $0.trigger, offset != .zero {
                    " !\(offset.text)"
                } else {
                    nil
                }
            }.joined()
    }

    /// `+` is new, `-` gone, `=` changed.
    static func difference(_ old: [String: String], _ new: [String: String]) -> [String] {
        var lines: [String] = []
        for (uid, line) in new where old[uid] != line {
            lines.append((old[uid] == nil ? "+" : "=") + line)
        }
        for (uid, line) in old where new[uid] == nil { lines.append("-" + line) }
        return lines.sorted()
    }

    private func text(_ time: ItemTime) -> String {
        let civil = time.isDate ? nil : local.civil(at: time.instant(in: local))
        let date = civil?.date ?? time.civilDate
        let clock = civil.map { "T" + $0.clockText } ?? ""
        let text = date.isoText + clock
        return text.hasPrefix("2026-") ? String(text.dropFirst(5)) : text
    }

    // MARK: - Fixtures

    /// Lines of `Fixtures/messages/<name>`, without headings; `\n` is a line
    /// break.
    static func lines(_ name: String) throws -> [String] {
        let folder = try XCTUnwrap(Bundle.module.resourceURL)
        let text = try String(
            contentsOf: folder.appending(path: "Fixtures/messages/\(name)"), encoding: .utf8)
        return text.components(separatedBy: "\n").filter { !$0.isEmpty && !$0.hasPrefix("%%") }
            .map { $0.replacingOccurrences(of: "\\n", with: "\n") }
    }
}
