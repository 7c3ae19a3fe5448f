import AgentCore
import Base
import Foundation
import ICalendar
import TestSupport
import XCTest

@testable import CalendarFiles
@testable import DateLanguage
@testable import Planner

/// Readings as a test says them, without a grammar.
extension ParsedPhrase {
    /// `start` and `end` in ISO 8601, a day or a wall clock.
    static func of(
        _ title: String, _ start: String? = nil, rule: String? = nil, lead: Bool = false,
        kind: Kind = .todo, confidence: Double = 0.95, doubts: [Doubt] = [],
        spans: [Span.Part] = [], alternatives: [ParsedPhrase] = []
    ) throws -> ParsedPhrase {
        var reading = ParsedPhrase(title: title, kind: kind, confidence: confidence)
        reading.start = try start.map(moment)
        reading.recurrence = try rule.map { try RecurrenceRule(parsing: $0) }
        reading.lead = lead ? .reminder : nil
        reading.doubts = doubts
        reading.spans = spans.map { Span($0, 0..<1) }
        reading.alternatives = alternatives
        return reading
    }

    private static func moment(_ text: String) throws -> Moment {
        switch try ISO8601.parse(text) {
        case .date(let date): return .date(date)
        case .local(let clock): return .time(clock)
        case .instant: throw OtherKindOfTime(text)
        }
    }
}

extension ItemTime {
    /// `2026-11-22` or `2026-11-22T09:00`, in that zone.
    static func at(_ text: String, _ zone: String? = "Europe/Berlin") throws -> ItemTime {
        switch try ISO8601.parse(text) {
        case .date(let date): return .date(date)
        case .local(let clock):
            return .time(
                clock, zone: try zone.map { try XCTUnwrap(CalendarFolder.zones.rules(named: $0)) })
        case .instant(let instant):
            return ItemTime(instant, in: CalendarFolder.context().local)
        }
    }

    /// The wall clock in its own zone.
    var said: String {
        switch self {
        case .date(let date): date.isoText
        case .time(let clock, let zone):
            clock.isoText.dropLast(3) + " " + (zone?.name ?? "floating")
        }
    }
}

extension RemindersServer {
    func call(_ tool: String, _ arguments: String) async throws -> ToolOutput {
        let value = try JSONParser.parse(arguments)
        let schema = try XCTUnwrap(listTools().first { $0.name == tool }).inputSchema
        XCTAssertEqual(schema.violations(in: value), [])
        return try await callTool(tool, arguments: try XCTUnwrap(value.objectValue))
    }

    func run(_ words: String..., isConfirmed: Bool = false) async throws -> CommandOutput {
        let json = words.first == "list" ? ["--json"] : []
        return try await commands[0].run(words + json + (isConfirmed ? ["--yes"] : []))
    }
}

extension ReminderComponent {
    static func reminders(in content: Component) -> [Reminder] {
        places(in: content).map { Reminder($0.todo, zones: CalendarFolder.resolver($0.calendar)) }
    }

    /// The file with that reminder done, in place.
    static func completing(
        _ reminder: Reminder, in content: Component, now: Date
    ) throws -> Component? {
        var file = content
        let editor = ItemEditor(context: CalendarFolder.context(now: now)) { "id" }
        let found: Void? = change(reminder, in: &file, editor) {
            todo, _ in editor.complete(&todo)
        }
        return found.map { file }
    }
}

extension CalendarFolder {
    static func resolver(_ calendar: Component?) -> ZoneResolver {
        let context = context()
        return ZoneResolver(calendar: calendar, local: context.local, zones: context.zones)
    }
}
