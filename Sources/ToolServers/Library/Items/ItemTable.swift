import Base
import FoundationEssentials
import Persistence

/// Formats items as lines and as JSON. Pure. Titles and tags are untrusted text,
/// which the terminal's writer filters.
package enum ItemTable {
    /// The names of the JSON members in a list.
    package static let members = "id kind title tags created updated revision"

    /// Columns of a title that suffice to recognise it.
    private static let readable = 20

    /// `i12  idea  Tea cups that tell the time  2 h ago  #tea`
    ///
    /// - Parameter width: the window's width. Titles are cut to fit, and columns are dropped if
    ///   they would make titles unreadable; nil in a pipe.
    package static func lines(
        _ items: [LibraryItem], now: Date, width: Int? = nil
    ) -> [StyledLine] {
        lines(
            items, ids: items.map { "\($0.id)" },
            kinds: items.map { $0.kind.rawValue.oneLine },
            facts: [
                items.map { Quantities.ago($0.trashed ?? $0.updated, now: now) },
                items.map { $0.tags.map { "#" + $0 }.joined(separator: " ") },
            ], width: width)
    }

    /// `s3  Alice in Wonderland  not indexed yet  12 chapters`, with any facts.
    ///
    /// - Parameters:
    ///   - ids: the ids of the items, as their kind writes them.
    ///   - facts: columns, the most important first. An empty one is left out; one that
    ///     begins with ⚠ is a warning.
    package static func lines(
        _ items: [LibraryItem], ids: [String], kinds: [String]? = nil, facts: [[String]],
        width: Int?
    ) -> [StyledLine] {
        let titles = items.map(title)
        let columns = facts.filter { !$0.allSatisfy(\.isEmpty) }
        let idWidth = ids.map(DisplayWidth.of).max() ?? 0
        let kindWidth = kinds?.map(DisplayWidth.of).max() ?? 0
        let widths = columns.map { $0.map(DisplayWidth.of).max() ?? 0 }
        var titleWidth = min(50, titles.map(DisplayWidth.of).max() ?? 0)
        var shown = columns.count
        if let width {
            // The last column of a terminal stays free.
            let start = idWidth + (kinds == nil ? 0 : kindWidth + 2) + 3
            func room() -> Int { width - start - widths[..<shown].reduce(0) { $0 + $1 + 2 } }
            while shown > 0, room() < min(titleWidth, readable) { shown -= 1 }
            titleWidth = max(8, min(titleWidth, room()))
        }
        return items.indices.map { row in
            var line = StyledLine([
                .init(DisplayWidth.padLeft(ids[row], to: idWidth), .accent),
                .init(kinds.map { "  " + DisplayWidth.pad($0[row], to: kindWidth) } ?? "", .dim),
            ])
            let last = columns[..<shown].lastIndex { !$0[row].isEmpty }
            let title = DisplayWidth.cut(titles[row], to: titleWidth)
            line.spans.append(
                .init("  " + (last == nil ? title : DisplayWidth.pad(title, to: titleWidth))))
            for column in 0..<(last.map { $0 + 1 } ?? 0) {
                let text = columns[column][row]
                let fact = column == last ? text : DisplayWidth.pad(text, to: widths[column])
                line.spans.append(.init("  " + fact, text.hasPrefix("⚠") ? .warning : .dim))
            }
            return line
        }
    }

    /// An unformatted text, line by line.
    package static func lines(of text: String) -> [StyledLine] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
            var line = StyledLine(String($0))
            line.keepsForm = true
            return line
        }
    }

    /// Control characters and direction marks as the terminal's writer shows them:
    /// columns are computed for the text shown.
    private static func written(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { written, scalar in
            switch scalar.value {
            case ..<0x20, 0x7F..<0xA0:
                let digits = String(scalar.value, radix: 16)
                written += "\\x" + (digits.count < 2 ? "0" : "") + digits
            case _ where scalar.directs == .override:
                written += "<U+\(String(scalar.value, radix: 16, uppercase: true))>"
            default: written.unicodeScalars.append(scalar)
            }
        }
    }

    package static func title(_ item: LibraryItem) -> String {
        let title = written(item.title.oneLine)
        return title.isEmpty ? "(no title)" : title
    }

    /// Columns of a title in a sentence: enough for titles made from a text.
    private static let spoken = 64

    /// `i12 Tea cups`, for sentences. A very long title is cut.
    package static func name(_ item: LibraryItem) -> String {
        "\(item.id) \(DisplayWidth.cut(title(item), to: spoken))"
    }

    /// `i12 · idea · 2 h ago · #tea · revision 3`, on one line.
    ///
    /// - Parameter note: one more fact about the revision.
    package static func facts(_ item: LibraryItem, now: Date, note: String? = nil) -> String {
        var facts = ["\(item.id)", item.kind.rawValue, Quantities.ago(item.updated, now: now)]
        if !item.tags.isEmpty { facts.append(item.tags.map { "#" + $0 }.joined(separator: " ")) }
        if item.revision > 1 || note != nil { facts.append("revision \(item.revision)") }
        if let note { facts.append(note) }
        if item.trashed != nil { facts.append("in the trash") }
        if item.hasUntrustedText { facts.append("contains untrusted text") }
        return facts.joined(separator: " · ").oneLine
    }

    /// `id kind title tags created updated revision`.
    package static func json(_ item: LibraryItem) -> JSONValue {
        .object(JSONObject(listed(item)))
    }

    /// The item with the members that only `show` and `export` print, too: `body metadata trashed`.
    package static func whole(_ item: LibraryItem) -> JSONValue {
        var members = listed(item)
        members.append(.init("body", .string(item.body)))
        members.append(.init("metadata", .object(item.metadata)))
        let trashed = item.trashed.map { JSONValue.string(LocalTime().isoText($0)) }
        members.append(.init("trashed", trashed ?? .null))
        return .object(JSONObject(members))
    }

    private static func listed(_ item: LibraryItem) -> [JSONObject.Member] {
        let zone = LocalTime()
        return [
            .init("id", .string("\(item.id)")), .init("kind", .string(item.kind.rawValue)),
            .init("title", .string(item.title)),
            .init("tags", .array(item.tags.map { .string($0) })),
            .init("created", .string(zone.isoText(item.created))),
            .init("updated", .string(zone.isoText(item.updated))),
            .init("revision", JSONValue(item.revision)),
        ]
    }
}

/// The title of an item without one: the first words of its text. Pure.
package enum ItemTitle {
    /// Width of a title in columns; a title has one line in a list.
    private static let limit = 60

    /// - Returns: empty for a text without words.
    package static func of(_ body: String) -> String {
        // Only the first line with words is examined, and only its beginning: a
        // text may have megabytes.
        var rest = body[...]
        while let start = rest.firstIndex(where: { !$0.isNewline }) {
            let line = rest[start...].prefix { !$0.isNewline }
            rest = rest[line.endIndex...]
            // Markdown at the start of a line: headings, lists, quotes.
            let text = MarkdownMarks.removed(from: String(line.prefix(20 * limit)))
                .drop { " \t#>*-+=~`|".contains($0) }
            let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
            if words.isEmpty { continue }
            return cut(words)
        }
        return ""
    }

    /// Whether the title was made from that text, so that it follows changes.
    package static func isMade(_ title: String, of body: String) -> Bool { title == of(body) }

    private static func cut(_ words: [String]) -> String {
        var title = ""
        for word in words {
            let longer = title.isEmpty ? word : "\(title) \(word)"
            if DisplayWidth.of(longer) > limit {
                return title.isEmpty ? DisplayWidth.cut(word, to: limit) : title + " …"
            }
            title = longer
        }
        return title
    }
}
