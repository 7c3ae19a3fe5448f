import Base

/// The display of a list: a heading, the rows around the selected one, the last action's
/// message, and the keys; or one of its items as a document. Pure; every line fits the
/// width, and all of it the window.
///
/// ```
///   Library · 340 items
///   ▸ i12  idea   A clock that rings tomorrow      2 days ago
///     i11  draft  Letter to the landlord           3 days ago
///   Deleted i13.
///   j k move · Enter show · e edit · d delete · u undo · / filter · q quit
/// ```
struct ItemListView: Equatable {
    var lines: [StyledLine]

    /// The last column stays free: a terminal would wrap there.
    static func width(_ size: ScreenSize) -> Int { max(8, size.columns - 1) }

    /// Minimum width for details, and more than one cell before the title.
    private static let wideWidth = 60

    /// Number of list rows that fit: two thirds of the window, so that the conversation above stays
    /// visible, but never fewer than a minimum.
    static func listRoom(_ state: ItemListState, _ size: ScreenSize) -> Int {
        let around = state.message == nil && !state.isSlow ? 2 : 3
        let whole = max(min(size.rows - 1, 12), size.rows * 2 / 3)
        return max(1, whole - around)
    }

    /// Number of document lines that fit below its title and facts, above the keys.
    static func documentRoom(_ size: ScreenSize) -> Int { max(1, size.rows - 5) }

    init(_ state: ItemListState, _ size: ScreenSize) {
        var state = state
        let width = Self.width(size)
        if let document = state.document, state.mode == .document {
            lines = Self.document(document, state, size)
        } else {
            lines = [Self.heading(state, width)]
            let seen = state.window(
                of: Self.listRoom(state, size), outOf: state.rows.count)
            lines += Self.rows(state, seen, width)
        }
        if state.isSlow {
            lines.append(StyledLine("  Working … Esc stops", .dim))
        } else if let message = state.message {
            lines.append(
                WordWrap.rows(Self.cut(message, to: width - 2).indented, width: width)[0])
        }
        lines.append(StyledLine("  " + Self.keys(state, width - 2), .dim))
    }

    /// Cuts the widest part, so that a key named at the end stays visible.
    private static func cut(_ line: StyledLine, to width: Int) -> StyledLine {
        var line = line
        for index in line.spans.indices {
            line.spans[index].text = HostileText.line(line.spans[index].text)
        }
        let widths = line.spans.map { DisplayWidth.of($0.text) }
        let over = widths.reduce(0, +) - width
        guard over > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] })
        else { return line }
        line.spans[widest].text = DisplayWidth.cut(
            line.spans[widest].text, to: max(1, widths[widest] - over))
        return line
    }

    // MARK: The list

    private static func heading(_ state: ItemListState, _ width: Int) -> StyledLine {
        let hasFilter = state.mode == .filter || !state.query.isEmpty
        let count =
            hasFilter
            ? "\(state.rows.count) of \(state.all.count)"
            : state.all.isEmpty ? "" : Quantities.grouped(state.all.count)
        let facts = count.isEmpty ? "" : " · \(count)"
        let typed = hasFilter ? "  /" : ""
        let room = width - 2 - DisplayWidth.of(facts) - (hasFilter ? min(24, width / 3) : 0)
        let heading = DisplayWidth.cut(HostileText.line(state.heading), to: max(1, room))
        let left = width - 3 - DisplayWidth.of(heading + facts + typed)
        return StyledLine([
            StyledLine.Span("  "), StyledLine.Span(heading, .bold), StyledLine.Span(facts, .dim),
            StyledLine.Span(typed, .accent),
            StyledLine.Span(
                hasFilter
                    ? PickerState.typed(state.query, max(1, left))
                        + (state.mode == .filter ? "_" : "") : ""),
        ])
    }

    private static func rows(
        _ state: ItemListState, _ seen: Range<Int>, _ width: Int
    ) -> [StyledLine] {
        guard !state.rows.isEmpty else {
            let text = state.all.isEmpty ? state.emptyText : "Nothing found. Esc shows all."
            return [
                StyledLine("    " + DisplayWidth.cut(HostileText.line(text), to: width - 4), .dim)
            ]
        }
        let isWide = width >= wideWidth
        let widths = state.leadWidths.prefix(isWide ? .max : 1).map { min($0, width / 3) }
        let lead = widths.reduce(0) { $0 + ($1 > 0 ? $1 + 2 : 0) }
        let details = state.rows[seen].map { isWide ? HostileText.line($0.detail) : "" }
        let detail = min(details.map { DisplayWidth.of($0) }.max() ?? 0, width / 3)
        let room = max(4, width - 4 - lead - (detail > 0 ? detail + 2 : 0))
        let titles = state.rows[seen].map {
            DisplayWidth.cut(HostileText.line($0.title), to: room)
        }
        let column = titles.map { DisplayWidth.of($0) }.max() ?? 0
        return zip(seen, zip(titles, details)).map { index, texts in
            let isMarked = index == state.selected
            var spans = [
                StyledLine.Span("  "), isMarked ? StyledLine.Span("▸ ", .accent) : .init("  "),
            ]
            for (cell, width) in widths.enumerated() where width > 0 {
                let all = state.rows[index].lead
                let span = all.indices.contains(cell) ? all[cell] : StyledLine.Span("")
                let text = DisplayWidth.fit(HostileText.line(span.text), to: width)
                spans.append(StyledLine.Span(text + "  ", span.style))
            }
            spans += PickerState.marked(texts.0, state.query, isMarked ? .bold : .plain)
            if !texts.1.isEmpty {
                let gap = String(repeating: " ", count: column - DisplayWidth.of(texts.0) + 2)
                spans.append(StyledLine.Span(gap + DisplayWidth.cut(texts.1, to: detail), .dim))
            }
            return StyledLine(spans)
        }
    }

    // MARK: A document

    private static func document(
        _ open: OpenDocument, _ state: ItemListState, _ size: ScreenSize
    ) -> [StyledLine] {
        let width = Self.width(size)
        let rows = open.rows(width)
        let room = documentRoom(size)
        let seen = state.lines(of: room, outOf: rows.count)
        let part = rows.count > room ? " · \(seen.upperBound) of \(rows.count) lines" : ""
        let title = DisplayWidth.cut(
            HostileText.line(open.document.title), to: max(8, width - 2 - part.count))
        var lines = [
            StyledLine([
                StyledLine.Span("  "), StyledLine.Span(title, .bold), StyledLine.Span(part, .dim),
            ])
        ]
        if !open.document.facts.isEmpty {
            let facts = HostileText.line(open.document.facts)
            lines.append(StyledLine("  " + DisplayWidth.cut(facts, to: width - 2), .dim))
        }
        lines += rows[seen].map { StyledLine([StyledLine.Span("    ")] + $0.spans) }
        return lines
    }

    // MARK: Keys

    private static func keys(_ state: ItemListState, _ width: Int) -> String {
        let forms =
            switch state.mode {
            case .filter:
                [
                    "type to filter · ↑↓ move · Enter keep · Esc show all",
                    "Enter keep · Esc show all",
                ]
            case .list, .document: commands(state)
            }
        return forms.first { DisplayWidth.of($0) <= width } ?? ""
    }

    /// The variants of the key line, from complete words to the bare keys.
    private static func commands(_ state: ItemListState) -> [String] {
        let isList = state.mode == .list
        let shows = isList && state.opensRows
        let words = state.actions.map { "\($0.key) \($0.verb)" }
        let short = state.actions.map { action in
            action.verb.first == action.key
                ? "[\(action.key)]\(action.verb.dropFirst())" : "[\(action.key)] \(action.verb)"
        }
        let ending = isList ? ["/ filter", "q quit"] : ["q back"]
        let move = isList ? "j k move" : "j k scroll"
        let bare = state.actions.map { String($0.key) }
        return [
            ([move] + (shows ? ["Enter show"] : []) + words + ending).joined(separator: " · "),
            ((shows ? ["Enter show"] : []) + words + ending).joined(separator: " · "),
            ((shows ? ["Enter show"] : []) + words + ending).joined(separator: "  "),
            ((shows ? ["Enter"] : []) + words + (isList ? ["/", "q quit"] : ["q back"]))
                .joined(separator: "  "),
            ((shows ? ["Enter"] : []) + short + (isList ? ["/", "[q]uit"] : ["[q] back"]))
                .joined(separator: " "),
            ((shows ? ["Enter"] : []) + bare + (isList ? ["/", "q"] : ["q"]))
                .joined(separator: " "),
        ]
    }
}
