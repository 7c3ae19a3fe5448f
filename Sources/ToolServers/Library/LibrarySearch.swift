import AgentCore
import FoundationEssentials
import Persistence

/// What a search in the library finds, as lines and as JSON.
package enum LibrarySearch {
    /// Whole words where there are any, else their beginnings.
    ///
    /// - Parameter text: as typed; the query is complete.
    package static func hits(
        _ text: String, _ filter: ItemFilter = ItemFilter(), in store: LibraryStore, limit: Int
    ) async throws -> [LibraryHit] {
        let whole = try await store.search(SearchQuery(text + " "), filter, limit: limit)
        if !whole.isEmpty { return whole }
        return try await store.search(SearchQuery(text), filter, limit: limit)
    }

    /// Two for each, as those of conversations.
    package static func lines(_ hits: [LibraryHit], now: Date) -> [StyledLine] {
        let ids = hits.map { "\($0.item.id)" }
        let width = max(8, ids.map(DisplayWidth.of).max() ?? 0)
        return zip(hits, ids).flatMap { hit, id in
            [
                StyledLine([
                    .init(DisplayWidth.pad(id, to: width), .accent),
                    .init("  \(ItemTable.title(hit.item))"),
                    .init("  \(hit.item.kind) · ", .dim),
                    .init(Quantities.ago(hit.item.updated, now: now), .dim),
                ]),
                StyledLine(
                    [.init(String(repeating: " ", count: width + 2))]
                        + hit.snippet.spans.map { .init($0.text, $0.isMatch ? .bold : .dim) }),
            ]
        }
    }

    /// `id kind title tags created updated revision snippet matches`.
    package static func json(_ hit: LibraryHit) -> JSONValue {
        var members = ItemTable.json(hit.item).objectValue?.members ?? []
        members.append(.init("snippet", .string(hit.snippet.text)))
        members.append(
            .init("matches", .array(hit.snippet.spans.filter(\.isMatch).map { .string($0.text) })))
        return .object(JSONObject(members))
    }
}
