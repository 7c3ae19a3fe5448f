import Base

/// Joins the lines of a book's pages into paragraphs, across pages too.
extension PageText {
    /// Paragraphs are separated by a blank line.
    ///
    /// A line begins a paragraph if it is indented, follows a blank line, or follows a line
    /// that ends a sentence short of the margin. Text that continues on the next page is
    /// one paragraph.
    static func prose(_ pages: String) -> String {
        let pages = cleaned(pages)
        let filled = pages.flatMap { $0 }.filter { !$0.isEmpty }
        let margin = leftMargin(of: filled)
        let width = usualWidth(of: filled)
        var paragraphs: [[String]] = []
        /// The line before and how it ended; nil at the start of the text.
        var before: (line: String, isBlank: Bool, isPageEnd: Bool)?
        for page in pages {
            for line in page {
                let text = line.trimmingSpace()
                if text.isEmpty {
                    before?.isBlank = true
                    continue
                }
                let isIndented = indent(line) >= margin + 2 && indent(line) <= margin + 12
                if let before, !starts(text, isIndented: isIndented, after: before, width: width) {
                    paragraphs[paragraphs.count - 1].append(text)
                } else {
                    paragraphs.append([text])
                }
                before = (text, false, false)
            }
            before?.isPageEnd = true
        }
        return paragraphs.map { hyphensUndone($0).joined(separator: " ") }
            .joined(separator: "\n\n")
    }

    private static func starts(
        _ line: String, isIndented: Bool,
        after last: (line: String, isBlank: Bool, isPageEnd: Bool), width: Int
    ) -> Bool {
        let endsSentence = last.line.last.map { ".!?:”\"’'»—*".contains($0) } ?? true
        // Blank lines at the end of a page may be missing or meaningless.
        if last.isPageEnd {
            return isIndented
                || endsSentence && (last.line.count * 10 < width * 9 || isSpoken(line))
        }
        if last.isBlank { return true }
        if isIndented { return true }
        return endsSentence && last.line.count * 4 < width * 3
    }

    private static func isSpoken(_ line: String) -> Bool { "“\"‘«„—".contains(line.first ?? " ") }

    private static func indent(_ line: String) -> Int { line.prefix { $0 == " " }.count }

    /// The most frequent indentation.
    private static func leftMargin(of lines: [String]) -> Int {
        var counts: [Int: Int] = [:]
        for line in lines { counts[indent(line), default: 0] += 1 }
        return counts.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key ?? 0
    }

    /// The width of most full lines.
    private static func usualWidth(of lines: [String]) -> Int {
        let widths = lines.map { $0.trimmingSpace().count }.sorted()
        return widths.isEmpty ? 0 : widths[widths.count * 4 / 5]
    }

    /// Whether there are two columns side by side: many lines have a wide gap
    /// in them.
    static func hasColumns(_ laidOut: String) -> Bool {
        var (lines, gaps) = (0, 0)
        for line in laidOut.split(whereSeparator: { $0.isNewline || $0 == "\u{C}" }) {
            let text = line.trimming { $0 == " " }
            if text.count < 20 { continue }
            lines += 1
            if text.firstRange(of: "    ") != nil { gaps += 1 }
        }
        return gaps * 4 > lines
    }
}
