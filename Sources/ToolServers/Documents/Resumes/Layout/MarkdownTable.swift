import Base

/// Flattens Markdown tables that lay out a résumé: a sidebar beside the text, or cells with
/// several lines. Pure; other tables are kept, one line per row.
///
///     | Contact | Experience |         →  the left column, then the right one
///     |---------|------------|
///     | Max<br>max@muster.de | Acme, 2019–2022 |
///     | | Beta, 2015–2019 |
enum MarkdownTable {
    static func unfolded(_ text: String) -> String {
        guard text.contains("|") else { return text }
        var output: [String] = []
        var rows: [[String]] = []
        var raw: [String] = []
        var isTable = false
        func close() {
            if isTable, let columns = columns(of: rows) {
                output += columns
            } else if isTable, rows.contains(where: { $0.contains(where: hasBreak) }) {
                output += rows.flatMap { lines($0.joined(separator: " | ")) }
            } else {
                output += raw
            }
            (rows, raw, isTable) = ([], [], false)
        }
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            guard let cells = cells(line) else {
                close()
                output.append(String(line))
                continue
            }
            raw.append(String(line))
            if cells.allSatisfy({ !$0.isEmpty && $0.allSatisfy { "-: ".contains($0) } }) {
                isTable = true
            } else {
                rows.append(cells)
            }
        }
        close()
        return output.joined(separator: "\n")
    }

    /// - Returns: nil for a line that is not a row.
    private static func cells(_ line: Substring) -> [String]? {
        let row = line.trimmingSpace()
        guard row.first == "|", row.count > 2 else { return nil }
        var parts = row.split(separator: "|", omittingEmptySubsequences: false)
            .map { $0.trimmingSpace() }
        parts.removeFirst()
        if parts.last?.isEmpty == true { parts.removeLast() }
        return parts.isEmpty ? nil : parts
    }

    /// One column after the other, if the cells of a row are unrelated: in most rows, one of the
    /// two is empty.
    private static func columns(of rows: [[String]]) -> [String]? {
        guard rows.count >= 3, rows.allSatisfy({ $0.count == 2 }) else { return nil }
        let empty = [0, 1].map { column in rows.count { $0[column].isEmpty } }
        guard (empty.max() ?? 0) * 2 > rows.count, (empty.min() ?? 0) * 2 < rows.count else {
            return nil
        }
        return [0, 1].flatMap { column in rows.flatMap { lines($0[column]) + [""] } }
    }

    private static func hasBreak(_ cell: String) -> Bool { cell.contains("<br") }

    private static func lines(_ cell: String) -> [String] {
        if cell.isEmpty { return [] }
        guard hasBreak(cell) else { return [cell] }
        return cell.replacing("<br />", with: "\n").replacing("<br/>", with: "\n")
            .replacing("<br>", with: "\n").split(separator: "\n").map(String.init)
    }
}
