import AgentCore
import FoundationEssentials
import Persistence

/// Finds the conversation a person means by a number of the list, an id or
/// its beginning, or a part of the title.
struct ConversationFinder {
    let services: Services

    /// Rows of the list that a number can mean.
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
        guard let first = found.first else { throw SessionError.noConversation(query: query) }
        if found.count > 1 {
            throw SessionError.ambiguousConversation(
                query: query,
                candidates: found.map { "\"\($0.title)\" (\($0.id.prefix(8)))" })
        }
        return first
    }
}

/// Conversations as aligned lines and as JSON. Pure.
enum ConversationTable {
    static func lines(
        _ records: [ConversationRecord], now: Date, isNumbered: Bool
    ) -> [StyledLine] {
        let titles = records.map { HostileText.line($0.title) }
        let ages = records.map { Quantities.ago($0.updated, now: now) }
        let titleWidth = min(50, titles.map(DisplayWidth.of).max() ?? 0)
        let ageWidth = ages.map(\.count).max() ?? 0
        return records.enumerated().map { index, record in
            let handle = isNumbered ? "\(index + 1)" : String(record.id.prefix(8))
            let handleWidth = isNumbered ? 4 : 10
            let left = String(repeating: " ", count: max(0, handleWidth - handle.count))
            let gap = String(
                repeating: " ", count: max(0, titleWidth - DisplayWidth.of(titles[index])))
            let ageGap = String(repeating: " ", count: ageWidth - ages[index].count)
            return StyledLine([
                StyledLine.Span(isNumbered ? left + handle : handle + left, .accent),
                StyledLine.Span("  \(titles[index])\(gap)"),
                StyledLine.Span(
                    "  \(ages[index])\(ageGap)  \(Quantities.count(record.messages, "message"))"
                        + "  \(record.model.isEmpty ? record.provider.rawValue : record.model)",
                    .dim),
            ])
        }
    }

    /// `id title updated messages provider model`.
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
