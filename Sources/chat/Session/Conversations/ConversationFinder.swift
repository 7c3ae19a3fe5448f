import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Persistence
import TerminalKit

/// Finds a conversation by its number in the list, by its id or the beginning of it, or by a part
/// of its title.
struct ConversationFinder {
    let services: Services

    /// Number of rows of the list that a number can refer to.
    static let listLimit = 20

    /// - Throws: `SessionError.noConversation`, `.ambiguousConversation`.
    func find(_ query: String) async throws -> ConversationRecord {
        let store = try services.store()
        if let number = Int(query), (1...Self.listLimit).contains(number) {
            let list = try await store.list(limit: Self.listLimit)
            if list.indices.contains(number - 1) { return list[number - 1] }
        }
        let found = try await store.find(query)
        if let exact = found.first(where: { $0.id == query }) { return exact }
        let titled = found.filter { $0.title.lowercased() == query.lowercased() }
        if titled.count == 1, let only = titled.first { return only }
        guard let first = found.first else {
            throw SessionError.noConversation(query: query)
        }
        if found.count > 1 {
            throw SessionError.ambiguousConversation(
                query: query,
                candidates: found.map { "\"\($0.title)\" (\($0.id.prefix(8)))" })
        }
        return first
    }

    /// The named conversation, or the latest of either kind if the query is empty.
    func findOrLatest(_ query: String) async throws -> ConversationRecord {
        if !query.isEmpty { return try await find(query) }
        guard let latest = try await services.store().latest(kinds: [.repl, .oneshot]) else {
            throw SessionError.noConversation(query: nil)
        }
        return latest
    }
}

/// Conversations as aligned lines and as JSON. Pure.
enum ConversationTable {
    /// - Parameter width: columns of the window. Titles are cut to fit, and fields are dropped if
    ///   they would make titles unreadable; nil in a pipe.
    static func lines(
        _ records: [ConversationRecord], now: Date, width: Int? = nil
    ) -> [StyledLine] {
        let titles = records.map { $0.title.isEmpty ? "(no title)" : HostileText.line($0.title) }
        let columns = [
            records.map { Quantities.ago($0.updated, now: now) },
            records.map { Quantities.count($0.messages, "message") },
            records.map { $0.model.isEmpty ? $0.provider.rawValue : $0.model },
        ]
        let widths = columns.map { $0.map(DisplayWidth.of).max() ?? 0 }
        var titleWidth = min(50, titles.map(DisplayWidth.of).max() ?? 0)
        var shown = columns.count
        if let width {
            func room() -> Int { width - 11 - widths[..<shown].reduce(0) { $0 + $1 + 2 } }
            while shown > 1, room() < min(titleWidth, readable) { shown -= 1 }
            titleWidth = max(8, min(titleWidth, room()))
        }
        return records.enumerated().map { index, record in
            let title =
                width == nil ? titles[index] : DisplayWidth.cut(titles[index], to: titleWidth)
            let facts = columns[..<shown].enumerated().map { column, texts in
                column == shown - 1
                    ? texts[index] : DisplayWidth.pad(texts[index], to: widths[column])
            }
            return StyledLine([
                .init(String(record.id.prefix(8)), .accent),
                .init("  " + DisplayWidth.pad(title, to: titleWidth)),
                .init("  " + facts.joined(separator: "  "), .dim),
            ])
        }
    }

    /// Minimum width of a recognizable title, in columns.
    private static let readable = 36

    static let members = "id title updated messages provider model"

    static func json(_ records: [ConversationRecord]) -> JSONValue {
        let zone = LocalTime()
        return .array(
            records.map { record in
                [
                    "id": .string(record.id), "title": .string(record.title),
                    "updated": .string(zone.isoText(record.updated)),
                    "messages": JSONValue(record.messages),
                    "provider": .string(record.provider.rawValue),
                    "model": record.model.isEmpty ? .null : .string(record.model),
                ]
            })
    }
}
