import Base

/// The display of the list that opens while the user types: a row for each candidate with
/// its usage and description, in aligned columns that fit the width. Pure.
///
/// ```
/// > /re
///   ▸ /resume [TITLE|ID]  go back to another conversation
///     /rename TITLE       give this conversation another title
///     /redact [on|off]    keep personal data out of what is sent
///     … 3 more
/// ```
struct CompletionListView {
    let lines: [StyledLine]

    /// Number of rows of a list in a small window; in a larger one two thirds of the free rows, so
    /// that the end of the conversation stays visible.
    private static let height = 8
    /// Minimum window size for a list: Tab completes in a smaller one.
    static let (leastRows, leastColumns) = (10, 20)
    /// Maximum width: wider rows are hard to read, and wrap into many when the window
    /// shrinks.
    private static let widest = 110
    /// Minimum width for usage: a narrower window shows names and descriptions.
    private static let leastForUsage = 60
    /// Minimum width of a useful description.
    private static let leastDetail = 12

    static func fits(columns: Int, rows: Int) -> Bool {
        columns >= leastColumns && rows >= leastRows
    }

    /// - Parameter rows: number of free rows below the line.
    init(_ list: inout CompletionList, columns: Int, rows: Int, _ style: Style) {
        let candidates = list.candidates
        let room = max(1, min(max(Self.height, (2 * rows + 2) / 3), rows))
        guard !candidates.isEmpty else {
            lines = []
            return
        }
        let isWhole = candidates.count <= room
        let seen = list.window(of: isWhole ? candidates.count : max(1, room - 1))
        // The last column stays free: a terminal would wrap there.
        let width = min(columns - 1, Self.widest) - 4
        // Computed from all rows, so that the columns do not move while scrolling.
        let hasUsage = columns >= Self.leastForUsage
        let texts = candidates.map {
            (style.shown($0.label ?? $0.text), hasUsage ? style.shown($0.usage) : "")
        }
        let longest = texts.map(Self.width).max() ?? 0
        let hasDetails = candidates.contains { !$0.detail.isEmpty }
        let left = hasDetails ? min(longest, max(width / 2 - 2, width - 60)) : width
        let right = width - left - 2
        var lines: [StyledLine] = []
        for index in seen {
            let isSelected = index == list.selected
            let name = style.cut(texts[index].0, to: left)
            let rest = left - DisplayWidth.of(name) - 1
            let usage = rest > 3 ? style.cut(texts[index].1, to: rest) : ""
            var spans = [
                isSelected ? StyledLine.Span("  ▸ ", .accent) : .init("    "),
                StyledLine.Span(name, isSelected ? .bold : .plain),
            ]
            if !usage.isEmpty { spans.append(.init(" " + usage, .dim)) }
            if hasDetails, right >= Self.leastDetail, !candidates[index].detail.isEmpty {
                let detail = style.cut(style.shown(candidates[index].detail), to: right)
                let gap = left + 2 - Self.width((name, usage))
                spans.append(.init(String(repeating: " ", count: gap) + detail, .dim))
            }
            lines.append(StyledLine(spans))
        }
        if !isWhole, room > 1 {
            lines.append(StyledLine("    … \(candidates.count - seen.count) more", .dim))
        }
        self.lines = lines
    }

    private static func width(_ text: (name: String, usage: String)) -> Int {
        let usage = DisplayWidth.of(text.usage)
        return DisplayWidth.of(text.name) + (usage > 0 ? usage + 1 : 0)
    }
}
