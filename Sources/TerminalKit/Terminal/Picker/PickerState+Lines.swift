import Base

/// The display of a picker: a heading, the query line, the items around the marked one, and
/// the keys. Every line fits the width.
///
/// ```
///   Resume a conversation · 2 of 340
///   > oslo
///   ▸ Trip to Oslo            yesterday
///       … the night train to Oslo leaves at …
///   ↑↓ / Ctrl-N Ctrl-P move · type to search · Enter picks · Esc leaves
/// ```
extension PickerState {
    /// Maximum number of item lines; a taller list would displace the conversation.
    private static let height = 10

    /// Number of item lines, after the heading, the query, the keys, and the prompt's row.
    private static func room(_ size: ScreenSize) -> Int { max(1, min(height, size.rows - 4)) }

    private func hasSnippets(on size: ScreenSize) -> Bool {
        Self.room(size) > 1 && items.contains { $0.snippet?.isEmpty == false }
    }

    /// The visible items, including the marked one.
    func window(on size: ScreenSize) -> Range<Int> {
        let count = max(1, Self.room(size) / (hasSnippets(on: size) ? 2 : 1))
        let top = max(min(top, selected), selected - count + 1)
        let first = max(0, min(top, items.count - count))
        return first..<min(items.count, first + count)
    }

    // The last column stays free: a terminal would wrap there.
    private static func width(_ size: ScreenSize) -> Int { max(8, size.columns - 1) }

    package func cursor(on size: ScreenSize) -> (row: Int, column: Int) {
        (1, 4 + DisplayWidth.of(Self.typed(query, Self.width(size) - 4)))
    }

    package func lines(on size: ScreenSize) -> [StyledLine] {
        let (width, hasSnippets) = (Self.width(size), hasSnippets(on: size))
        let seen = window(on: size)
        let items = items[seen]

        var lines = [
            heading(width),
            StyledLine([
                StyledLine.Span("  "), StyledLine.Span("> ", .accent),
                StyledLine.Span(Self.typed(query, width - 4)),
            ]),
        ]

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
            let isMarked = seen.lowerBound + offset == selected
            var spans = [
                StyledLine.Span("  "), isMarked ? StyledLine.Span("▸ ", .accent) : .init("  "),
            ]
            let title = DisplayWidth.cut(titles[offset], to: column)
            spans += Self.marked(title, query, isMarked ? .bold : .plain)
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
                        [StyledLine.Span("      ")] + Self.marked(text, query, .dim)))
            }
        }
        if items.isEmpty { lines.append(empty(width)) }
        lines.append(StyledLine(Self.keys(width), .dim))
        return lines
    }

    private func heading(_ width: Int) -> StyledLine {
        let facts: String =
            if isSlow {
                "searching …"
            } else if query.isEmpty {
                count > 1 ? "\(count)" : ""
            } else if items.isEmpty {
                ""
            } else {
                "\(items.count) found"
            }
        let room = width - 2 - (facts.isEmpty ? 0 : facts.count + 3)
        let heading = DisplayWidth.cut(HostileText.line(self.heading), to: max(1, room))
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

    private func empty(_ width: Int) -> StyledLine {
        if let failure = failure {
            return StyledLine(
                "    " + DisplayWidth.cut(HostileText.line(failure), to: width - 4), .warning)
        }
        let text =
            !isSettled
            ? "…" : query.isEmpty ? "Nothing to choose from." : "Nothing found."
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
