import Base

/// Finds where the chapters of a text begin: by headings of Markdown or of a page, or by
/// chapter headings in plain text. Tables of contents do not count. Pure.
package enum ChapterFinder {
    // MARK: - Headings of pages and Markdown

    /// Chapters are the headings of the highest level that has several. Higher ones such as parts
    /// are kept, but not a title of the whole.
    package static func chapters(
        _ headings: [PageProse.Heading], in text: String
    ) -> [ReadDocument.Chapter] {
        var found = headings.enumerated().filter { index, heading in
            let title = heading.title.lowercased()
            return !contentsTitles.contains(title) && !(index < 3 && title.hasPrefix("by "))
        }.map(\.element)
        let levels = Set(found.map(\.level)).sorted()
        if let level = levels.first(where: { level in found.count { $0.level == level } > 1 }) {
            found = found.filter { $0.level <= level }
            if let first = found.first, first.level < level,
                found.count(where: { $0.level == first.level }) == 1
            {
                found.removeFirst()
            }
        } else {
            found = []
        }
        let inText = chapters(in: text)
        // Pages of novels sometimes have a heading for the title and author only.
        if inText.count > found.count { return inText }
        return found.map { ReadDocument.Chapter(title: $0.title, start: $0.start) }
    }

    /// Headings of lists that are not chapters.
    static let contentsTitles: Set<String> = [
        "contents", "table of contents", "list of illustrations", "illustrations", "inhalt",
        "inhaltsverzeichnis", "table des matières", "índice", "indice", "inhoud", "содержание",
    ]

    /// `# Title`, and a line underlined with `===` or `---`, outside of code.
    package static func markdown(_ text: String) -> [PageProse.Heading] {
        var headings: [PageProse.Heading] = []
        var isCode = false
        var start = 0
        // A line that begins a paragraph.
        var opening: (text: Substring.UTF8View, start: Int)?
        var isAfterBlank = true
        func add(_ level: Int, _ line: Substring.UTF8View, _ start: Int) {
            let title = String(decoding: line, as: UTF8.self)
                .trimming { $0.isWhitespace || $0 == "#" || $0 == "*" || $0 == "_" }
            if title.isEmpty { return }
            headings.append(
                PageProse.Heading(
                    level: level, title: PageProse.oneLine(String(title)), start: start))
        }
        for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
            defer { start += line.count + 1 }
            if line.starts(with: "```".utf8) || line.starts(with: "~~~".utf8) { isCode.toggle() }
            if isCode { continue }
            let level = line.prefix { $0 == UInt8(ascii: "#") }.count
            if (1...6).contains(level), line.dropFirst(level).first == 0x20 {
                add(level, line.dropFirst(level), start)
            } else if let opening, let level = underlining(line) {
                add(level, opening.text, opening.start)
            }
            opening = isAfterBlank && level == 0 ? (line, start) : nil
            isAfterBlank = line.allSatisfy { $0 <= 0x20 }
            if isAfterBlank { opening = nil }
        }
        return headings
    }

    /// CommonMark 0.31, "Setext headings"; a single character does not count.
    private static func underlining(_ line: Substring.UTF8View) -> Int? {
        let signs = line.reversed().drop { $0 <= 0x20 }
        guard signs.count >= 2, let sign = signs.first, signs.allSatisfy({ $0 == sign }) else {
            return nil
        }
        return sign == UInt8(ascii: "=") ? 1 : sign == UInt8(ascii: "-") ? 2 : nil
    }

    // MARK: - Lines of plain text

    static func chapters(in text: String) -> [ReadDocument.Chapter] {
        let paragraphs = paragraphs(of: text)
        var found = candidates(paragraphs)
        found = withoutContents(found, paragraphs)
        let named = found.filter { $0.heading.kind != .number }
        // A row of numbers counts if nothing but parts was found. Numbers with titles are chapters,
        // and those without are their sections.
        let titled = inARow(found.filter(\.heading.hasTitle))
        let row = titled.count >= 3 ? titled : inARow(found)
        let rest = row.count < 3 || row.count <= named.count ? continued(found) : row
        return (named + rest).sorted { $0.chapter.start < $1.chapter.start }.map(\.chapter)
    }

    /// Numbers alone that continue those of named headings: "CHAPITRE PREMIER", "II", "III". After
    /// a lone "I" they are sections of the chapter.
    private static func continued(_ found: [Candidate]) -> [Candidate] {
        var row: [Candidate] = []
        var next: Int?
        for candidate in found {
            if candidate.heading.kind != .number {
                next = candidate.heading.number.map { $0 + 1 }
            } else if candidate.heading.number == 1 {
                next = nil
            } else if let number = next, candidate.heading.number == number {
                row.append(candidate)
                next = number + 1
            }
        }
        let named = Set(found.filter { $0.heading.kind != .number }.compactMap(\.heading.number))
        let isRepeated = row.contains { named.contains($0.heading.number ?? 0) }
        return row.count < 2 || isRepeated ? [] : row
    }

    private struct Candidate {
        var heading: ChapterHeading
        var chapter: ReadDocument.Chapter
        /// Index of its paragraph, and of the one after its title.
        var paragraph: Int
        var end: Int
        /// Identifies the heading without its title.
        var key: String
    }

    private struct Paragraph {
        var start: Int
        /// The lines, at most five: longer paragraphs are not headings.
        var lines: [Substring]
        var bytes: Int
    }

    private static func paragraphs(of text: String) -> [Paragraph] {
        var paragraphs: [Paragraph] = []
        var (isOpen, endsHeading) = (false, false)
        var start = 0
        let bytes = text.utf8
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            defer { start += line.count + 1 }
            guard let first = line.firstIndex(where: { $0 > 0x20 }) else {
                isOpen = false
                continue
            }
            // Some texts have no blank lines around chapter headings.
            let heads = line.count <= 60 && isOpen && startsChapter(line, after: paragraphs.last)
            if heads || endsHeading { isOpen = false }
            endsHeading = heads
            if !isOpen {
                let indent = bytes.distance(from: line.startIndex, to: first)
                paragraphs.append(Paragraph(start: start + indent, lines: [], bytes: 0))
            }
            isOpen = true
            let last = paragraphs.count - 1
            paragraphs[last].bytes += line.count
            if paragraphs[last].lines.count < 5 {
                // A heading is short; the beginning of a long line is enough to tell.
                let part = Substring(line.prefix(400))
                paragraphs[last].lines.append(part.trimming { $0.isWhitespace })
            }
        }
        return paragraphs
    }

    /// Whether a line such as "Chapter 5" follows the end of a sentence, rather
    /// than being in the middle of one.
    private static func startsChapter(
        _ line: Substring.UTF8View, after paragraph: Paragraph?
    ) -> Bool {
        guard let before = paragraph?.lines.last?.last, ".!?”\"’»…".contains(before) else {
            return false
        }
        let line = Substring(line).trimming { $0.isWhitespace }
        guard line.first?.isUppercase == true, case .word = ChapterHeading(line)?.kind else {
            return false
        }
        return ChapterHeading(paragraph?.lines.last ?? "") == nil
    }

    private static func candidates(_ paragraphs: [Paragraph]) -> [Candidate] {
        var found: [Candidate] = []
        for (index, paragraph) in paragraphs.enumerated() {
            guard let line = paragraph.lines.first, let heading = ChapterHeading(line) else {
                continue
            }
            var rest = paragraph.lines.dropFirst()
            // "CHAPITRE II." and then "II".
            if let again = rest.first.flatMap({ ChapterHeading($0) }), again.kind == .number,
                again.number == heading.number, !again.hasTitle
            {
                rest = rest.dropFirst()
            }
            let endsAsSentence = ".!?”\"".contains(rest.last?.last ?? " ")
            if paragraph.lines.count > 4 || paragraph.bytes > 300
                || heading.hasTitle && endsAsSentence
            {
                // The text follows immediately.
                guard case .word = heading.kind, line.utf8.count <= 60,
                    let next = rest.first?.first(where: { $0.isLetter || $0.isNumber }),
                    !next.isLowercase
                else { continue }
                rest = []
            }
            // Several headings on consecutive lines are a table of contents.
            if rest.contains(where: { ChapterHeading($0) != nil }) { continue }
            // A number above lines of text is a verse or a list item.
            if heading.kind == .number, rest.count > 1 { continue }
            var title = ([line] + rest).joined(separator: " ")
            var end = index + 1
            if !heading.hasTitle, rest.isEmpty, end < paragraphs.count,
                let more = titleLine(paragraphs[end], hasMore: end + 1 < paragraphs.count)
            {
                let sign = ".:—–-".contains(title.last ?? " ")
                title += (sign ? " " : ". ") + more
                end += 1
            } else if !heading.hasTitle, !rest.isEmpty, !".:—–-".contains(line.last ?? " ") {
                title = line + ". " + rest.joined(separator: " ")
            }
            found.append(
                Candidate(
                    heading: heading,
                    chapter: ReadDocument.Chapter(
                        title: PageProse.oneLine(title.filter { $0 != "_" }),
                        start: paragraph.start),
                    paragraph: index, end: end, key: key(heading)))
        }
        return found
    }

    /// The title of a chapter, if it stands alone below its number.
    private static func titleLine(_ paragraph: Paragraph, hasMore: Bool) -> String? {
        guard hasMore, paragraph.lines.count == 1, paragraph.bytes <= 70,
            let line = paragraph.lines.first, ChapterHeading(line) == nil,
            let first = line.first(where: { $0.isLetter || $0.isNumber }), let last = line.last
        else { return nil }
        if !first.isUppercase, !first.isNumber { return nil }
        if ChapterHeading.isUpper(line) { return String(line) }
        if "“\"‘«—".contains(line.first ?? " ") { return nil }
        // A line that ends like a sentence is the first line of the chapter; "Who Stole the
        // Tarts?" is not.
        return ".!?:;,”\"’'»".contains(last) && !isTitleCase(line) ? nil : String(line)
    }

    private static func isTitleCase(_ line: Substring) -> Bool {
        let words = line.split(separator: " ").filter { $0.count >= 4 }
        return words.count > 1
            && words.allSatisfy { $0.first(where: \.isLetter)?.isUppercase == true }
    }

    private static func key(_ heading: ChapterHeading) -> String {
        let number = heading.number.map(String.init) ?? ""
        return switch heading.kind {
        case .word(let word): "\(word) \(number)"
        case .number: number
        }
    }

    /// Removes rows of headings without text between them if their chapters come later.
    private static func withoutContents(
        _ found: [Candidate], _ paragraphs: [Paragraph]
    ) -> [Candidate] {
        var kept: [Candidate] = []
        var at = 0
        while at < found.count {
            var end = at + 1
            while end < found.count {
                let between = paragraphs[found[end - 1].end..<found[end].paragraph]
                if between.reduce(0, { $0 + $1.bytes }) > 120 { break }
                end += 1
            }
            let later = Set(found[end...].map(\.key))
            let row = found[at..<end]
            if row.count >= 3 {
                kept += row.filter { !later.contains($0.key) }
            } else {
                kept += row
            }
            at = end
        }
        return kept
    }

    /// The candidates with consecutive numbers from one on; a new part begins again with one.
    private static func inARow(_ found: [Candidate]) -> [Candidate] {
        var row: [Candidate] = []
        var next = 1
        for candidate in found where candidate.heading.kind == .number {
            guard let number = candidate.heading.number else { continue }
            if number == next || (number == 1 && row.count >= 3) {
                row.append(candidate)
                next = number + 1
            }
        }
        return row
    }
}
