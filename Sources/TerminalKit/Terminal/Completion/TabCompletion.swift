import Base

/// The result of Tab: the end of the line to be replaced, and the candidates.
package struct TabCompletion: Sendable, Equatable {
    package struct Candidate: Sendable, Equatable {
        var text: String
        /// Shown in the list instead of `text`.
        var label: String?
        /// A command's arguments, as in the help; only in the list that opens while the
        /// user types.
        var usage: String
        /// The description, dim beside the label.
        var detail: String
        /// Whether a space follows when this is the only one; false for a folder.
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
    /// Style of the list.
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

    /// The text Tab inserts at once: the only candidate, or the common prefix; nil if that
    /// adds nothing to the line.
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

    /// Maximum number of rows: more would displace the conversation.
    private static let rowLimit = 12

    /// The candidates as rows that fit `columns`: names with descriptions, or only names in
    /// aligned columns, read downwards.
    func rows(columns: Int) -> [String] {
        let labels = candidates.map { HostileText.line($0.label ?? $0.text) }
        let details = candidates.map { HostileText.line($0.detail) }
        let rows =
            details.contains { !$0.isEmpty }
            ? detailed(labels, details, columns) : aligned(labels, columns)
        guard rows.count > Self.rowLimit else { return rows }
        let perRow = (candidates.count + rows.count - 1) / rows.count
        let kept = Self.rowLimit - 1
        // When read downwards, a cut row hides one name per column.
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

/// Called on the terminal's thread when the user presses Tab: with the text before and
/// after the cursor.
package typealias Completer = @Sendable (_ before: String, _ after: String) -> TabCompletion
