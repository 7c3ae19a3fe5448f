/// Separates text that was set in two columns, which are side by side in its lines: a
/// sidebar with address and skills to the left of the main text. Pure.
///
///     Max Muster          EXPERIENCE
///     max@muster.de       2019-2022 Acme: databases     →  left, then right
///     SKILLS              2015-2019 Beta: networks
enum Columns {
    /// The text with one column after the other; unchanged if it has only one.
    static func unfolded(_ text: String) -> String {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { Array(ResumeLine.clean($0)) }
        // A single bar in most lines separates the columns.
        if lines.count(where: { line in line.count { $0 == "|" } == 1 }) * 5 > lines.count * 3 {
            lines = lines.map { $0.map { $0 == "|" ? " " : $0 } }
        }
        guard lines.count <= limit, let column = edge(of: lines) else { return text }
        let ends = lines.map { cut($0, near: column) }
        let left = zip(lines, ends).map { String($0[..<$1]) }
        let right = zip(lines, ends).map { String($0[$1...]) }
        // Dates to the right of their lines are not a column: a column has its own
        // headings.
        let whole = headings(lines.map { String($0) })
        let (leftCount, rightCount) = (headings(left), headings(right))
        guard rightCount >= 1, leftCount + rightCount > whole,
            leftCount >= 1 || right.count(where: { !$0.isEmpty }) > lines.count / 3
        else { return text }
        return (left + [""] + right).joined(separator: "\n")
    }

    /// The index at which a line is cut: at the column, or, if text crosses it, at the next
    /// gap or bullet; otherwise the whole line is in the left column.
    private static func cut(_ line: [Character], near column: Int) -> Int {
        guard line.count > column, line[column - 1] != " " else { return min(column, line.count) }
        return line.indices[column...].first { index in
            "•‣◦▪●■➢".contains(line[index])
                || line[index] == " " && index + 1 < line.count && line[index + 1] == " "
        } ?? line.count
    }

    /// Maximum number of lines; a longer text is not a two-column résumé.
    private static let limit = 2_000

    private static func headings(_ lines: [String]) -> Int {
        ResumeLine.lines(of: lines.joined(separator: "\n")).count {
            HeadingMatch($0)?.form == .alone
        }
    }

    /// The column where most right halves begin and which almost no line crosses.
    private static func edge(of lines: [[Character]]) -> Int? {
        var starts: [Int: Int] = [:]
        for line in lines {
            var spaces = 0
            var hasText = false
            for (index, character) in line.enumerated() {
                if character == " " {
                    spaces += 1
                    continue
                }
                // A line with text only in the right half begins with a very wide gap.
                if spaces >= 2, hasText || spaces >= 12 { starts[index, default: 0] += 1 }
                spaces = 0
                hasText = true
            }
        }
        let filled = lines.count { !$0.isEmpty }
        let candidates = starts.filter { $0.value >= 4 && $0.value * 5 >= filled }
            .sorted { ($0.value, $1.key) > ($1.value, $0.key) }
        for (column, _) in candidates.prefix(4) {
            let crossing = lines.count {
                $0.count > column && $0[column - 1] != " " && Set($0).count > 1
            }
            // Tolerate one line: a long web address in a short sidebar.
            if crossing * 20 <= max(filled, 20) { return column }
        }
        return nil
    }
}
