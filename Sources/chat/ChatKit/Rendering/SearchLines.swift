import AgentCore
import Base
import FoundationEssentials
import Library
import Persistence
import TerminalKit

/// Search results from conversations and items as lines and as JSON, the newest first.
/// Pure.
package enum SearchLines {
    package static func lines(
        _ results: SearchResults, _ items: [LibraryHit] = [], words: String, now: Date
    ) -> [StyledLine] {
        var lines = merged(results, items, place: { place($0, now: now) }) {
            LibrarySearch.lines([$0], now: now)
        }.flatMap { $0 }
        if lines.isEmpty {
            lines.append(StyledLine("Nothing was found for \"\(words)\".", .dim))
        }
        if results.hasMore {
            lines.append(StyledLine("More were found: add a word, or --limit N.", .dim))
        }
        if results.unindexedShare > 0 {
            let done = Int((1 - results.unindexedShare) * 100)
            lines.append(
                StyledLine("Older messages are still being indexed (\(done) % done).", .warning))
        }
        return lines
    }

    private static func place(_ hit: SearchHit, now: Date) -> [StyledLine] {
        let record = hit.conversation
        let who = hit.role == .user ? "you: " : ""
        return [
            StyledLine([
                .init(String(record.id.prefix(8)), .accent),
                .init("  \(HostileText.line(record.title))"),
                .init("  \(Quantities.ago(hit.time, now: now))", .dim),
            ]),
            StyledLine(
                [.init("          \(who)", .dim)]
                    + hit.snippet.spans.map { span in
                        .init(HostileText.line(span.text), span.isMatch ? .bold : .dim)
                    }),
        ]
    }

    /// `id kind title time role snippet matches`; items have no role.
    package static func json(_ results: SearchResults, _ items: [LibraryHit] = []) -> JSONValue {
        let zone = LocalTime()
        func object(
            _ found: (id: String, kind: String, title: String, time: Date), role: Role?,
            _ snippet: SearchSnippet
        ) -> JSONValue {
            [
                "id": .string(found.id), "kind": .string(found.kind),
                "title": .string(found.title), "time": .string(zone.isoText(found.time)),
                "role": role.map { .string($0.rawValue) } ?? .null,
                "snippet": .string(snippet.text),
                "matches": .array(snippet.spans.filter(\.isMatch).map { .string($0.text) }),
            ]
        }
        return .array(
            merged(results, items) { hit in
                object(
                    (hit.conversation.id, "conversation", hit.conversation.title, hit.time),
                    role: hit.role, hit.snippet)
            } item: { hit in
                object(
                    ("\(hit.item.id)", hit.item.kind.rawValue, hit.item.title, hit.item.updated),
                    role: nil, hit.snippet)
            })
    }

    /// Merges two sorted lists.
    private static func merged<Value>(
        _ results: SearchResults, _ items: [LibraryHit], place: (SearchHit) -> Value,
        item: (LibraryHit) -> Value
    ) -> [Value] {
        var merged: [Value] = []
        var rest = items[...]
        for hit in results.hits {
            while let next = rest.first, next.item.updated > hit.time {
                merged.append(item(rest.removeFirst()))
            }
            merged.append(place(hit))
        }
        return merged + rest.map(item)
    }
}
