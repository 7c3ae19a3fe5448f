import Base

/// The display of a picker: a heading, the query line, the items around the marked one, and
/// the keys. Pure; every line fits the width.
///
/// ```
///   Resume a conversation · 2 of 340
///   > oslo
///   ▸ Trip to Oslo            yesterday
///       … the night train to Oslo leaves at …
///   ↑↓ / Ctrl-N Ctrl-P move · type to search · Enter picks · Esc leaves
/// ```
struct PickerView: Equatable {
    var lines: [StyledLine]
    /// Position of the cursor.
    var row: Int
    var column: Int

    /// Maximum number of item lines; a taller list would push the conversation away.
    private static let height = 10

    init(_ state: inout PickerState, columns: Int, rows: Int) {
        // The last column stays free: a terminal would wrap there.
        let width = max(8, columns - 1)
        // Heading, query, keys, and the prompt's row.
        let room = max(1, min(Self.height, rows - 4))
        let hasSnippets = room > 1 && state.items.contains { $0.snippet?.isEmpty == false }
        let seen = state.window(of: hasSnippets ? max(1, room / 2) : room)
        let items = state.items[seen]

        lines = [Self.heading(state, width)]
        let typed = Self.typed(state.query, width - 4)
        lines.append(
            StyledLine([
                StyledLine.Span("  "), StyledLine.Span("> ", .accent), StyledLine.Span(typed),
            ]))
        (row, column) = (1, 4 + DisplayWidth.of(typed))

        let titles = items.map { HostileText.line($0.title) }
        let details = items.map { HostileText.line($0.detail) }
        let longest = titles.map { DisplayWidth.of($0) }.max() ?? 0
        // A third, or the width left by the titles.
        let widest = min(
            details.map { DisplayWidth.of($0) }.max() ?? 0,
            max(width / 3, width - 6 - longest))
        let left = width - 4 - (widest > 0 ? widest + 2 : 0)
        let column = min(left, longest)
        for (offset, item) in items.enumerated() {
            let isMarked = seen.lowerBound + offset == state.selected
            var spans = [
                StyledLine.Span("  "), isMarked ? StyledLine.Span("▸ ", .accent) : .init("  "),
            ]
            let title = DisplayWidth.cut(titles[offset], to: column)
            spans += Self.marked(title, state.query, isMarked ? .bold : .plain)
            if !details[offset].isEmpty {
                let gap = column - DisplayWidth.of(title) + 2
                spans.append(StyledLine.Span(String(repeating: " ", count: gap)))
                spans.append(
                    StyledLine.Span(DisplayWidth.cut(details[offset], to: widest), .dim))
            }
            lines.append(StyledLine(spans))
            if hasSnippets, let snippet = item.snippet, !snippet.isEmpty {
                let text = DisplayWidth.cut(HostileText.line(snippet), to: width - 6)
                lines.append(
                    StyledLine(
                        [StyledLine.Span("      ")] + Self.marked(text, state.query, .dim)))
            }
        }
        if items.isEmpty {
            lines.append(Self.empty(state, width))
        }
        lines.append(StyledLine(Self.keys(width), .dim))
    }

    private static func heading(_ state: PickerState, _ width: Int) -> StyledLine {
        let facts: String =
            if state.isSlow {
                "searching …"
            } else if state.query.isEmpty {
                state.count > 1 ? "\(state.count)" : ""
            } else if state.items.isEmpty {
                ""
            } else {
                "\(state.items.count) found"
            }
        let room = width - 2 - (facts.isEmpty ? 0 : facts.count + 3)
        let heading = DisplayWidth.cut(HostileText.line(state.heading), to: max(1, room))
        return StyledLine([
            StyledLine.Span("  "), StyledLine.Span(heading, .bold),
            StyledLine.Span(facts.isEmpty ? "" : " · \(facts)", .dim),
        ])
    }

    /// The end of the typed text, if it does not fit.
    static func typed(_ query: String, _ width: Int) -> String {
        let text = HostileText.line(query)
        guard DisplayWidth.of(text) > width else { return text }
        var kept: [Character] = []
        var used = 1
        for character in text.reversed() {
            used += DisplayWidth.of(character)
            if used > width { break }
            kept.append(character)
        }
        return "…" + String(kept.reversed())
    }

    private static func empty(_ state: PickerState, _ width: Int) -> StyledLine {
        if let failure = state.failure {
            return StyledLine(
                "    " + DisplayWidth.cut(HostileText.line(failure), to: width - 4), .warning)
        }
        let text =
            !state.isSettled
            ? "…" : state.query.isEmpty ? "Nothing to choose from." : "Nothing found."
        return StyledLine("    \(text)", .dim)
    }

    private static func keys(_ width: Int) -> String {
        let forms = [
            "  ↑↓ / Ctrl-N Ctrl-P move · type to search · Enter picks · Esc leaves",
            "  ↑↓ move · type to search · Enter picks · Esc leaves",
            "  ↑↓ · type · Enter picks · Esc leaves",
            "  Enter · Esc",
        ]
        return forms.first { DisplayWidth.of($0) <= width } ?? ""
    }

    /// The text with the matches in the accent style.
    static func marked(
        _ text: String, _ query: String, _ style: StyledLine.Style
    ) -> [StyledLine.Span] {
        let marks = PickerMatcher.marks(in: text, for: query)
        guard !marks.isEmpty else { return [StyledLine.Span(text, style)] }
        var spans: [StyledLine.Span] = []
        for (position, character) in text.enumerated() {
            let wanted: StyledLine.Style = marks.contains(position) ? .accent : style
            if spans.last?.style == wanted {
                spans[spans.count - 1].text.append(character)
            } else {
                spans.append(StyledLine.Span(String(character), wanted))
            }
        }
        return spans
    }
}
