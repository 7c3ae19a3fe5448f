import AgentCore
import FoundationEssentials
import Persistence
import TerminalKit

/// What a search has found as lines and as JSON. Pure.
enum SearchLines {
    static func lines(
        _ results: SearchResults, words: String, now: Date
    ) -> [StyledLine] {
        var lines: [StyledLine] = []
        if results.hits.isEmpty {
            lines.append(StyledLine("Nothing was said with \"\(words)\".", .dim))
        }
        for hit in results.hits {
            let record = hit.conversation
            lines.append(
                StyledLine([
                    .init(String(record.id.prefix(8)), .accent),
                    .init("  \(HostileText.line(record.title))"),
                    .init("  \(Quantities.ago(hit.time, now: now))", .dim),
                ]))
            let who = hit.role == .user ? "you: " : ""
            lines.append(
                StyledLine(
                    [.init("          \(who)", .dim)]
                        + hit.snippet.spans.map { span in
                            .init(HostileText.line(span.text), span.isMatch ? .bold : .dim)
                        }))
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

    /// `id title time role snippet matches`.
    static func json(_ results: SearchResults) -> JSONValue {
        let zone = LocalTime()
        return .array(
            results.hits.map { hit in
                [
                    "id": .string(hit.conversation.id),
                    "title": .string(hit.conversation.title),
                    "time": .string(zone.isoText(hit.time)),
                    "role": .string(hit.role.rawValue),
                    "snippet": .string(hit.snippet.text),
                    "matches": .array(
                        hit.snippet.spans.filter(\.isMatch).map { .string($0.text) }),
                ]
            })
    }
}
