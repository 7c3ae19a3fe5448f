import AgentCore

/// What Tab offers: the end of the line that would be replaced, and by what.
struct Completion: Sendable, Equatable {
    struct Candidate: Sendable, Equatable {
        var text: String
        /// Shown in the list instead of `text`.
        var label: String?
        /// A space follows when this is the only one; false for a folder.
        var isComplete: Bool

        init(_ text: String, label: String? = nil, isComplete: Bool = true) {
            self.text = text
            self.label = label
            self.isComplete = isComplete
        }
    }

    /// A suffix of the text before the cursor.
    var replacing: String
    var candidates: [Candidate]

    static let none = Completion(replacing: "", candidates: [])

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

    /// The candidates as aligned rows that fit `columns`, read downwards.
    func rows(columns: Int) -> [String] {
        let labels = candidates.map { HostileText.line($0.label ?? $0.text) }
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
typealias Completer = @Sendable (_ before: String, _ after: String) -> Completion
