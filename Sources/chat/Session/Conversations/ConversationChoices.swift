import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Library
import Persistence
import TerminalKit

/// Lists conversations and messages to pick from.
struct ConversationChoices {
    let services: Services

    /// Maximum number of rows; typing finds older ones.
    private static let limit = 200

    /// The latest conversations; typing searches titles and messages.
    ///
    /// - Parameters:
    ///   - findsItems: whether library items are searched as well; their ids are those of `ItemID`,
    ///     which no conversation has.
    ///   - found: gets the places of the matches.
    func conversations(
        heading: String, query: String = "", except open: String? = nil, findsItems: Bool = false,
        found: @escaping @Sendable ([SearchHit]) -> Void = { _ in }
    ) async throws -> PickerRequest {
        let latest = try await services.store().list(limit: Self.limit)
        var request = PickerRequest(
            heading: heading,
            items: latest.filter { $0.id != open }.map { item($0) }, initialQuery: query)
        request.search = {
            try await search($0, except: open, findsItems: findsItems, found: found)
        }
        return request
    }

    /// Titles first, since a user who types one means it; then matches in conversations and items,
    /// newest first.
    private func search(
        _ text: String, except open: String?, findsItems: Bool,
        found: @Sendable ([SearchHit]) -> Void
    ) async throws -> [PickerItem] {
        let store = try services.store()
        var items = try await store.find(text, limit: 20).map { item($0) }
        var seen = Set(items.map(\.id))
        let hits = try await store.search(SearchQuery(text), limit: 30).hits
        found(hits)
        var kept =
            findsItems
            ? try await services.library.search(SearchQuery(text), limit: 30)[...] : []
        for hit in hits {
            while let next = kept.first, next.item.updated > hit.time {
                items.append(item(kept.removeFirst()))
            }
            let snippet = hit.snippet.text
            if let place = items.firstIndex(where: { $0.id == hit.conversation.id }) {
                items[place].snippet = snippet
            } else if seen.insert(hit.conversation.id).inserted {
                items.append(item(hit.conversation, snippet: snippet))
            }
        }
        return items.filter { $0.id != open } + kept.map(item)
    }

    private func item(_ hit: LibraryHit) -> PickerItem {
        let age = Quantities.ago(hit.item.updated, now: services.environment.now())
        return PickerItem(
            id: "\(hit.item.id)", title: ItemTable.title(hit.item),
            detail: "\(hit.item.kind) \(hit.item.id) · \(age)", snippet: hit.snippet.text)
    }

    private func item(_ record: ConversationRecord, snippet: String? = nil) -> PickerItem {
        PickerItem(
            id: record.id, title: record.title.isEmpty ? "(no title)" : record.title,
            detail: Quantities.ago(record.updated, now: services.environment.now()),
            snippet: snippet)
    }

    /// The messages of the user, the newest first, as places to fork from.
    static func messages(_ turns: [StoredTurn], now: Date) -> PickerRequest {
        var items = [
            PickerItem(id: "", title: "(everything so far)", detail: "", snippet: nil)
        ]
        for turn in turns.reversed() {
            let text = turn.turn.messages.first?.text ?? ""
            items.append(
                PickerItem(
                    id: String(turn.id.rawValue),
                    title: ConversationTitle.make(from: text),
                    detail: Quantities.ago(turn.started, now: now), snippet: nil,
                    searchText: String(text.prefix(2_000))))
        }
        return PickerRequest(heading: "Fork before which message?", items: items)
    }
}
