import Base

/// The list without cursor movement: numbered rows, and a line for the answer.
///
/// ```
///   Library · 2
///   1  i12  idea   A clock that rings tomorrow  2 days ago
///   2  i11  draft  Letter to the landlord  3 days ago
///   Number shows, e1 edit, d1 delete, u undo, /words filter, q quit:
/// ```
extension ItemListState {
    /// Number of rows at once; more would scroll away.
    static let listed = 20

    /// The listed rows, the only ones that a number can mean.
    private var shown: Range<Int> { first..<min(first + Self.listed, rows.count) }

    mutating func listing(width: Int) -> [StyledLine] {
        var lines = message.map { [$0.indented] } ?? []
        message = nil
        if mode == .document, let document {
            lines += Self.lines(document.document)
            close()
        }
        if first >= rows.count { first = 0 }
        if !isListed { lines += rowLines }
        isListed = true
        return lines
    }

    private var rowLines: [StyledLine] {
        let filter = query.isEmpty ? "" : " with “\(query)”"
        var lines = [StyledLine("  \(heading)\(filter) · \(Quantities.grouped(rows.count))")]
        guard !rows.isEmpty else {
            return lines + [StyledLine(all.isEmpty ? "  \(emptyText)" : "  Nothing found.")]
        }
        for index in shown {
            let row = rows[index]
            let lead = row.lead.map { $0.text + "  " }.joined()
            let detail = row.detail.isEmpty ? "" : "  \(row.detail)"
            let number = DisplayWidth.padLeft("\(index + 1)", to: "\(shown.upperBound)".count)
            lines.append(StyledLine("  \(number)  \(lead)\(row.title)\(detail)"))
        }
        let left = rows.count - shown.upperBound
        return left > 0 ? lines + [StyledLine("  … \(left) more, m lists them")] : lines
    }

    private static func lines(_ document: ItemList.Document) -> [StyledLine] {
        var lines = [StyledLine("  \(document.title)", .bold)]
        if !document.facts.isEmpty { lines.append(StyledLine("  \(document.facts)", .dim)) }
        // Whole lines: a screen reader reads them at once, and the terminal wraps them.
        return lines
            + document.text.split(separator: "\n", omittingEmptySubsequences: false).map {
                StyledLine("  \($0)")
            }
    }

    var question: String {
        var parts = opensRows && !rows.isEmpty ? ["number show"] : []
        for action in actions where !action.needsRow || !rows.isEmpty {
            parts.append("\(action.key)\(action.needsRow ? "\(first + 1)" : "") \(action.verb)")
        }
        return "  " + (parts + ["/words filter", "q quit"]).joined(separator: ", ") + ": "
    }

    // MARK: Answers

    mutating func take(line: String) -> Effect? {
        let text = line.trimmingSpace()
        guard let letter = text.first, text.lowercased() != "q" else { return .leave }
        if letter == "/" {
            filter { $0 = String(text.dropFirst()).trimmingSpace() }
            (first, isListed) = (0, false)
            return nil
        }
        if text == "m" {
            first = shown.upperBound < rows.count ? shown.upperBound : 0
            isListed = false
            return nil
        }
        if let number = Int(text) {
            return row(number).flatMap { opensRows ? .open($0) : nil }
        }
        let rest = String(text.dropFirst()).trimmingSpace()
        guard let action = actions.first(where: { $0.key == letter }),
            rest.isEmpty || Int(rest) != nil
        else { return unclear("“\(text)” is not one of these.") }
        guard action.needsRow else { return .run(letter, id: nil) }
        guard let number = Int(rest) else {
            return unclear(
                "Which one? \(letter) and its number, such as \(letter)\(shown.lowerBound + 1).")
        }
        return row(number).map { .run(letter, id: $0) }
    }

    /// The id of a row by its number; for another number reports the valid ones.
    private mutating func row(_ number: Int) -> String? {
        if shown.contains(number - 1) { return rows[number - 1].id }
        switch shown.count {
        case 0: message = StyledLine("There is nothing to choose from.", .warning)
        case 1: message = StyledLine("The only number is \(first + 1).", .warning)
        default:
            message = StyledLine("The numbers are \(first + 1) to \(shown.upperBound).", .warning)
        }
        return nil
    }

    private mutating func unclear(_ words: String) -> Effect? {
        message = StyledLine(words, .warning)
        return nil
    }
}
