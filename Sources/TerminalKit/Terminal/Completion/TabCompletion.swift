import Base

/// What Tab offers: the end of the line that would be replaced, and by what.
package struct TabCompletion: Sendable, Equatable {
    package struct Candidate: Sendable, Equatable {
        var text: String
        /// Shown in the list instead of `text`.
        var label: String?
        /// What a command takes, as help shows it; only in the list that opens
        /// while one types.
        var usage: String
        /// What it means, dim beside it.
        var detail: String
        /// A space follows when this is the only one; false for a folder.
        var isComplete: Bool

        package init(
            _ text: String, label: String? = nil, usage: String = "", detail: String = "",
            isComplete: Bool = true
        ) {
            self.text = text
            self.label = label
            self.usage = usage
            self.detail = detail
            self.isComplete = isComplete
        }
    }

    /// A suffix of the text before the cursor.
    var replacing: String
    package var candidates: [Candidate]
    /// How the list looks.
    package var style: Style

    package init(
        replacing: String, candidates: [Candidate],
        style: Style = Style(usesColor: false, usesUnicode: true)
    ) {
        self.replacing = replacing
        self.candidates = candidates
        self.style = style
    }

    package static let none = TabCompletion(replacing: "", candidates: [])

    /// What Tab inserts at once: the only candidate, or what all begin with;
    /// nil when that adds nothing to what stands there.
    var insertion: String? {
        guard let first = candidates.first else { return nil }
        if candidates.count == 1 {
            let text = first.isComplete ? first.text + " " : first.text
            return text == replacing ? nil : text
        }
        var common = first.text
        for candidate in candidates.dropFirst() {
            common = String(
                zip(common, candidate.text).prefix { $0.0 == $0.1 }.map(\.0))
        }
        return common.count > replacing.count ? common : nil
    }

    /// Rows of a list at most; more would push the talk away.
    private static let rowLimit = 12

    /// The candidates as rows that fit `columns`: a name and what it means, or
    /// names alone in aligned columns, read downwards.
    func rows(columns: Int) -> [String] {
        let labels = candidates.map { HostileText.line($0.label ?? $0.text) }
        let details = candidates.map { HostileText.line($0.detail) }
        let rows =
            details.contains { !$0.isEmpty }
            ? detailed(labels, details, columns) : aligned(labels, columns)
        guard rows.count > Self.rowLimit else { return rows }
        let perRow = (candidates.count + rows.count - 1) / rows.count
        let kept = Self.rowLimit - 1
        // Read downwards, a cut row takes one name of each column.
        let hidden = perRow == 1 ? rows.count - kept : candidates.count - kept * perRow
        return rows.prefix(kept) + [style.text(StyledLine("… \(hidden) more", .dim))]
    }

    private func detailed(_ labels: [String], _ details: [String], _ columns: Int) -> [String] {
        let width = max(8, columns - 1)
        let widest = labels.map { DisplayWidth.of($0) }.max() ?? 0
        let column = min(widest, max(width / 2, width - 40))
        let room = width - column - 2
        return zip(labels, details).map { label, detail in
            let name = DisplayWidth.cut(label, to: column)
            if detail.isEmpty { return style.text(StyledLine(name)) }
            let gap = String(repeating: " ", count: column - DisplayWidth.of(name) + 2)
            return style.text(
                StyledLine([
                    StyledLine.Span(name + gap),
                    StyledLine.Span(DisplayWidth.cut(detail, to: room), .dim),
                ]))
        }
    }

    private func aligned(_ labels: [String], _ columns: Int) -> [String] {
        let widths = labels.map { DisplayWidth.of($0) }
        let cell = (widths.max() ?? 0) + 2
        let perRow = max(1, columns / max(cell, 1))
        let rowCount = (labels.count + perRow - 1) / perRow
        return (0..<rowCount).map { row in
            var line = ""
            var padding = 0
            for index in stride(from: row, to: labels.count, by: rowCount) {
                line += String(repeating: " ", count: padding) + labels[index]
                padding = cell - widths[index]
            }
            return line
        }
    }
}

/// Asked on the terminal's thread when the user presses Tab: the text before
/// the cursor and the text after it.
package typealias Completer = @Sendable (_ before: String, _ after: String) -> TabCompletion
