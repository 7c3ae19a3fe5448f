import AgentCore
import Base
import ICalendar

/// Finds items by title, part of a title, or id. Pure.
///
/// An exact id, path or title takes precedence over parts, so that "milk" can be completed
/// while "buy milk" exists. Case, accents and spacing do not matter. If more than one
/// matches, none is picked.
package enum ItemMatcher {
    /// A type that can be found by its id and its titles.
    package protocol Found: ItemInFile {
        associatedtype Item: CalendarItem

        /// The matching part, or nil.
        func narrowed(to isMeant: (Item) -> Bool) -> Self?
    }

    /// Minimum length of an id's prefix; shorter ones are too likely to be a word.
    private static let shortestID = 4

    /// The items with that id, file or title; otherwise those that contain the query.
    package static func named<Each: Found>(_ query: String, in all: [Each]) -> [Each] {
        let wanted = SearchText.folded(query)
        guard !wanted.isEmpty else { return [] }
        let names = ItemIDs(all)
        let ids = all.map { [$0.uid, names.full($0)].map(SearchText.folded) }
        let exactIDs = zip(all, ids).filter { $0.1.contains(wanted) || $0.0.path == query }
            .map(\.0)
        if !exactIDs.isEmpty { return exactIDs }
        let exact = all.compactMap { each in
            each.narrowed { SearchText.folded($0.title) == wanted }
        }
        if !exact.isEmpty { return exact }
        return zip(all, ids).compactMap { each, ids in
            if wanted.utf8.count >= shortestID, ids.contains(where: { $0.hasPrefix(wanted) }) {
                return each
            }
            return each.narrowed { holds(SearchText.folded($0.title), wanted) }
        }
    }

    /// The only match.
    /// - Throws: `ToolError.noMatch`, or `ambiguous` with the candidates.
    package static func only<Each>(
        _ found: [Each], query: String, candidate: (Each) -> String
    ) throws(ToolError) -> Each {
        guard let first = found.first else { throw .noMatch(query: query) }
        guard found.count > 1 else { return first }
        throw .ambiguous(query: query, candidates: found.prefix(10).map(candidate))
    }

    /// Items that contain the words in title, notes, place or categories.
    package static func search<Each: Found>(_ query: String, in all: [Each]) -> [Each] {
        let wanted = SearchText.folded(query)
        guard !wanted.isEmpty else { return [] }
        return all.compactMap { each in
            each.narrowed { item in
                holds(SearchText.folded(item.title), wanted)
                    || item.notes.map { holds(SearchText.folded($0), wanted) } == true
                    || item.location.map { holds(SearchText.folded($0), wanted) } == true
                    || item.categories.contains { holds(SearchText.folded("#" + $0), wanted) }
            }
        }
    }

    private static func holds(_ text: String, _ part: String) -> Bool {
        text.firstRange(of: part) != nil
    }
}
