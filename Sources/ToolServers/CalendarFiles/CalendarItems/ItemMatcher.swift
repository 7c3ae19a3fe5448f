import AgentCore
import Base
import ICalendar

/// Finds what a title, a part of one or an id means. Pure.
///
/// An exact id or title wins over parts, so that "milk" can be completed while
/// "buy milk" exists. Case, accents and spacing do not matter. Where more than
/// one fits nothing is picked.
package enum ItemMatcher {
    /// Something that is found by its id and its titles.
    package protocol Found {
        associatedtype Item: CalendarItem

        var uid: String { get }
        /// What of it is meant; nil for nothing.
        func narrowed(to isMeant: (Item) -> Bool) -> Self?
    }

    /// Shorter starts of an id are too likely to be a word.
    private static let shortestID = 4

    /// Those whose id or title it is; else those it is a part of.
    package static func named<Each: Found>(_ query: String, in all: [Each]) -> [Each] {
        let wanted = SearchText.folded(query)
        guard !wanted.isEmpty else { return [] }
        let ids = all.map { SearchText.folded($0.uid) }
        let exactIDs = zip(all, ids).filter { $0.1 == wanted }.map(\.0)
        if !exactIDs.isEmpty { return exactIDs }
        let exact = all.compactMap { each in
            each.narrowed { SearchText.folded($0.title) == wanted }
        }
        if !exact.isEmpty { return exact }
        return zip(all, ids).compactMap { each, id in
            if wanted.utf8.count >= shortestID, id.hasPrefix(wanted) { return each }
            return each.narrowed { holds(SearchText.folded($0.title), wanted) }
        }
    }

    /// The only one.
    /// - Throws: `ToolError.noMatch`, or `ambiguous` with the candidates.
    package static func only<Each>(
        _ found: [Each], query: String, candidate: (Each) -> String
    ) throws(ToolError) -> Each {
        guard let first = found.first else { throw .noMatch(query: query) }
        guard found.count > 1 else { return first }
        throw .ambiguous(query: query, candidates: found.prefix(10).map(candidate))
    }

    /// Those with the words in title, notes, place or categories.
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

    /// The shortest start of each id, of eight letters or more, that no other
    /// has: what lists show and `named` understands.
    package static func shortIDs(_ uids: some Sequence<String>) -> [String: String] {
        let uids = Set(uids).sorted()
        func shared(_ left: Int, _ right: Int) -> Int {
            guard uids.indices.contains(left), uids.indices.contains(right) else { return 0 }
            return zip(uids[left], uids[right]).prefix { $0 == $1 }.count
        }
        var result: [String: String] = [:]
        for (index, uid) in uids.enumerated() {
            let length = max(8, shared(index - 1, index) + 1, shared(index, index + 1) + 1)
            // A foreign id may hold line breaks; `named` folds them alike.
            result[uid] = (String(uid.prefix(length))).oneLine
        }
        return result
    }

    private static func holds(_ text: String, _ part: String) -> Bool {
        text.firstRange(of: part) != nil
    }
}
