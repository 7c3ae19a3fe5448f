import Base
import FoundationEssentials
import Persistence

/// Searches the library, and formats the hits as lines and as JSON.
package enum LibrarySearch {
    /// Hits for whole words if there are any, else for beginnings of words.
    ///
    /// - Parameter text: as typed; the query is complete.
    package static func hits(
        _ text: String, _ filter: ItemFilter = ItemFilter(), in store: LibraryStore, limit: Int
    ) async throws -> [LibraryHit] {
        let whole = try await store.search(SearchQuery(text + " "), filter, limit: limit)
        if !whole.isEmpty { return whole }
        return try await store.search(SearchQuery(text), filter, limit: limit)
    }

    /// Two lines for each, as for conversations.
    ///
    /// - Parameters:
    ///   - width: the window's width, to which titles are cut; nil in a pipe.
    ///   - query: used to fit the snippet into the window.
    package static func lines(
        _ hits: [LibraryHit], now: Date, width: Int? = nil, query: SearchQuery? = nil
    ) -> [StyledLine] {
        let ids = hits.map { "\($0.item.id)" }
        let column = max(8, ids.map(DisplayWidth.of).max() ?? 0)
        return zip(hits, ids).flatMap { hit, id in
            let facts = "\(hit.item.kind) · \(Quantities.ago(hit.item.updated, now: now))"
            var title = ItemTable.title(hit.item)
            var snippet = hit.snippet
            if let width {
                // The last column of a terminal stays free.
                title = DisplayWidth.cut(
                    title, to: max(8, width - column - 5 - DisplayWidth.of(facts)))
                if let query {
                    // Leaves room for an ellipsis at either end.
                    snippet = SearchSnippet(
                        hit.item.body, finding: query, limit: max(12, width - column - 5))
                }
            }
            return [
                StyledLine([
                    .init(DisplayWidth.pad(id, to: column), .accent), .init("  \(title)"),
                    .init("  \(facts)", .dim),
                ]),
                StyledLine(
                    [.init(String(repeating: " ", count: column + 2))]
                        + snippet.spans.map { .init($0.text, $0.isMatch ? .bold : .dim) }),
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
