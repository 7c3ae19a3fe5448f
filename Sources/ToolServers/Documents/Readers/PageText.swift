import Base

/// Removes from the text of pages the parts that belong to the layout: running heads and feet, page
/// numbers, hyphens at line ends. Pure.
enum PageText {
    /// - Parameter pages: the text with a form feed after each page, as written by pdftotext.
    static func plain(_ pages: String) -> String {
        hyphensUndone(cleaned(pages).flatMap { $0 }).joined(separator: "\n")
    }

    /// The lines of each page, without running heads, feet and page numbers.
    static func cleaned(_ pages: String) -> [[String]] {
        var pages = pages.split(separator: "\u{C}", omittingEmptySubsequences: false).map { page in
            page.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                .map { line in
                    var line = String(line)
                    while line.last == " " { line.removeLast() }
                    return line
                }
        }
        while let last = pages.last, last.allSatisfy(\.isEmpty) { pages.removeLast() }
        if pages.count > 1 { removeRunningLines(&pages) }
        for index in pages.indices { removeNumber(&pages[index]) }
        return pages.map(trimmed)
    }

    private static func trimmed(_ page: [String]) -> [String] {
        Array(page.trimming(while: \.isEmpty))
    }

    // MARK: - Heads and feet

    /// Number of lines examined from the top and from the bottom.
    private static let margin = 3

    /// Removes lines at the same edge of most pages, ignoring their numbers. The
    /// first page keeps its head, in case it is the title.
    private static func removeRunningLines(_ pages: inout [[String]]) {
        for isTop in [true, false] {
            var counts: [String: Int] = [:]
            for page in pages {
                for key in Set(edge(page, isTop).map { key(page[$0]) }) {
                    counts[key, default: 0] += 1
                }
            }
            let needed = max(2, (pages.count * 6 + 9) / 10)
            let running = Set(counts.filter { $0.value >= needed && !$0.key.isEmpty }.keys)
            guard !running.isEmpty else { continue }
            for index in pages.indices where !isTop || index > 0 {
                // Remove from the edge inwards: lines further in are text.
                for line in edge(pages[index], isTop).sorted(by: >)
                where running.contains(key(pages[index][line])) {
                    pages[index].remove(at: line)
                }
            }
        }
    }

    private static func edge(_ page: [String], _ isTop: Bool) -> [Int] {
        let filled = page.indices.filter { !page[$0].isEmpty }
        return Array(isTop ? filled.prefix(margin) : filled.suffix(margin))
    }

    /// Replaces digits by a placeholder. A list item or sentence that happens to occur twice has
    /// more words than a running head.
    private static func key(_ line: String) -> String {
        let words = line.split(separator: " ")
        if words.count > 14 { return "" }
        return words.map { word in
            String(word.map { $0.isNumber ? "0" : $0 })
        }.joined(separator: " ").lowercased()
    }

    /// "3", "- 3 -", "Page 3 of 7", "3/7" as the first or last line of a page.
    private static func removeNumber(_ page: inout [String]) {
        for isTop in [false, true] {
            guard
                let line = edge(page, isTop).last(where: {
                    isTop ? $0 == edge(page, true).first : $0 == edge(page, false).last
                })
            else { continue }
            if isNumber(page[line]) { page.remove(at: line) }
        }
    }

    private static let pageWords: Set<String> = [
        "page", "seite", "pagina", "página", "strona", "side", "sida", "sivu", "sayfa", "strana",
        "oldal", "σελίδα", "страница", "p", "pg", "s", "str", "of", "von", "de", "di", "z", "av",
        "van", "af", "sur", "/", "|", "-", "–", "—", "af", "of",
    ]

    static func isNumber(_ line: String) -> Bool {
        let words = line.lowercased().split { $0 == " " || $0 == "/" || $0 == "." || $0 == "|" }
        guard (1...4).contains(words.count) else { return false }
        var hasNumber = false
        for word in words {
            let inner = word.trimming { "-–—()[]".contains($0) }
            if inner.isEmpty { continue }
            if inner.count <= 4, inner.allSatisfy(\.isNumber) {
                // A year alone may be text.
                if inner.count == 4, words.count == 1 { return false }
                hasNumber = true
            } else if !pageWords.contains(String(inner)) {
                return false
            }
        }
        return hasNumber
    }

    // MARK: - Hyphens

    /// Joins "devel-" and "opment" if it is safe: the joined word occurs elsewhere, or the
    /// hyphenated form does not and both parts are in lower case.
    static func hyphensUndone(_ lines: [String]) -> [String] {
        guard lines.contains(where: { $0.last == "-" || $0.last == "\u{AD}" }) else { return lines }
        var words = Set<Substring>()
        for line in lines {
            for word in line.split(whereSeparator: { !$0.isLetter && $0 != "-" }) {
                words.insert(word)
            }
        }
        var output: [String] = []
        for line in lines {
            guard let before = output.last, let cut = cutWord(before),
                let next = firstWord(line)
            else {
                output.append(line)
                continue
            }
            let rest = line.drop { $0 == " " }.dropFirst(next.count)
            let front = before.dropLast(cut.count + 1)
            let joined = cut + next
            let isSoft = before.last == "\u{AD}"
            let isHyphenated = words.contains("\(cut)-\(next)")
            guard isSoft || words.contains(Substring(joined)) || !isHyphenated else {
                output[output.count - 1] = "\(front)\(cut)-\(next)\(rest)"
                continue
            }
            output[output.count - 1] = "\(front)\(joined)\(rest)"
        }
        return output
    }

    /// The lower-case letters before a hyphen at the end of a line.
    private static func cutWord(_ line: String) -> String? {
        guard line.last == "-" || line.last == "\u{AD}" else { return nil }
        let word = line.dropLast().reversed().prefix { $0.isLetter }.reversed()
        guard word.count >= 2, word.last?.isLowercase == true else { return nil }
        // "and data-" after "front-": a list of hyphenated words stays.
        if line.dropLast(word.count + 1).last == "-" { return nil }
        return String(word)
    }

    private static func firstWord(_ line: String) -> String? {
        let text = line.drop { $0 == " " }
        let word = text.prefix { $0.isLetter }
        guard word.count >= 2, word.first?.isLowercase == true else { return nil }
        // "pre- and post-processing"
        if ["and", "or", "und", "oder", "bzw", "et", "ou", "y", "o", "e", "i"].contains(word) {
            return nil
        }
        return String(word)
    }
}
