import AgentCore
import Base
import DateLanguage
import FoundationEssentials
import ICalendar

/// The arguments of a call of the model, read as the fields of an item.
package struct ItemArguments: Sendable {
    package let arguments: JSONObject
    package let fields: DateFieldParser

    package init(arguments: JSONObject, fields: DateFieldParser) {
        self.arguments = arguments
        self.fields = fields
    }

    /// As it is: a title may be "None".
    package func words(_ name: String) -> String? {
        arguments[name]?.stringValue.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    }

    /// nil for what models write for "none".
    package func text(_ name: String) -> String? {
        arguments[name]?.stringValue.flatMap { DateFieldParser.isNone($0) ? nil : $0 }
    }

    package func integer(_ name: String) -> Int? { arguments[name]?.integerValue }

    package func flag(_ name: String) -> Bool { arguments[name]?.boolValue ?? false }

    /// nil if not given; "none" and nothing in it clear the field.
    package func change(_ name: String) -> ItemEdit.Change<String>? {
        arguments[name].map { _ in text(name).map { .set($0) } ?? .clear }
    }

    package func texts(_ name: String) -> ItemEdit.Change<[String]>? {
        (arguments[name]?.arrayValue?.compactMap(\.stringValue)).map {
            $0.isEmpty ? .clear : .set($0)
        }
    }

    package func time(_ name: String) throws(ToolError) -> DateField? {
        try value(name) { fields, text throws(DateFieldParser.Problem) in try fields.time(text) }
    }

    /// In ISO 8601 alone.
    package func due(_ name: String) throws(ToolError) -> ItemTime? {
        try value(name) { fields, text throws(DateFieldParser.Problem) in try fields.iso(text) }
    }

    package func rule(_ name: String) throws(ToolError) -> ItemEdit.Change<RecurrenceRule>? {
        if arguments[name] == nil { return nil }
        let rule = try value(name) { fields, text throws(DateFieldParser.Problem) in
            try fields.rule(text)
        }
        return rule.map { .set($0) } ?? .clear
    }

    /// Minutes before; less than 0 means no alarm.
    package func alarm(_ name: String) -> ItemEdit.Change<CalendarDuration>? {
        integer(name).map { $0 < 0 ? .clear : .set(CalendarDuration(seconds: -60 * $0)) }
    }

    private func value<Value>(
        _ name: String, _ read: (DateFieldParser, String) throws(DateFieldParser.Problem) -> Value
    ) throws(ToolError) -> Value? {
        guard let text = text(name) else { return nil }
        do throws(DateFieldParser.Problem) {
            return try read(fields, text)
        } catch {
            throw ItemActions.refusal("$.\(name)", error.sentence)
        }
    }
}

extension ItemActions {
    /// What the model is given of a list; more than 200 are counted.
    package func listing<Item: CalendarItem>(
        _ items: [Item], _ noun: String, empty: String, more: String,
        _ problems: [CalendarStore.Problem], line: (Item) -> String
    ) async -> ToolOutput {
        let shown = Array(items.prefix(200))
        var lines = shown.isEmpty ? [empty] : shown.map(line)
        if items.count > shown.count {
            lines.append("and \(items.count - shown.count) more; \(more)")
        }
        let unread = problems.filter { $0.title == nil }.count
        if unread > 0 { lines.append("\(unread) files could not be read") }
        return ToolOutput(
            text: lines.joined(separator: "\n"),
            summary: "\(items.count) \(noun)\(items.count == 1 ? "" : "s")",
            isForeign: await areForeign(shown))
    }
}
