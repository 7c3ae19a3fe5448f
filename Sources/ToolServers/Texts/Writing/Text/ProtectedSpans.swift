import Base

/// Finds the protected spans of a text: blocks line by line, then spans within
/// the paragraphs between them. Bytes in, ranges out.
///
/// Every forward search is bounded (`reach`) or done once per paragraph, so
/// that no text takes more than linear time.
enum ProtectedSpans {
    typealias Span = ProtectedText.Span

    static func spans(in bytes: [UInt8]) -> [Span] {
        var found: [Span] = []
        var prose: [Range<Int>] = []
        var paragraph: Range<Int>?
        func endParagraph() {
            if let range = paragraph { prose.append(range) }
            paragraph = nil
        }
        var lines = lines(of: bytes)[...]
        if let front = frontMatter(bytes, lines) {
            found.append(Span(kind: .frontMatter, range: front.range))
            lines = lines.dropFirst(front.lines)
        }
        var isAfterBlank = true
        var isInList = false
        while let line = lines.popFirst() {
            let mark = Mark(bytes, line)
            if let fence = mark.fence {
                endParagraph()
                var end = line.upperBound
                while let next = lines.popFirst() {
                    end = next.upperBound
                    if Mark(bytes, next).closes(fence) { break }
                }
                found.append(Span(kind: .codeBlock, range: line.lowerBound..<end))
            } else if mark.isQuote {
                endParagraph()
                var end = line.upperBound
                while let next = lines.first, Mark(bytes, next).isQuote {
                    end = next.upperBound
                    lines.removeFirst()
                }
                found.append(Span(kind: .quote, range: line.lowerBound..<end))
            } else if let closing = mark.htmlEnd {
                endParagraph()
                var end = line.upperBound
                var last = line
                while !contains(bytes[last], closing), let next = lines.popFirst() {
                    last = next
                    end = next.upperBound
                }
                found.append(Span(kind: .tag, range: line.lowerBound..<end))
            } else if mark.isBlank {
                endParagraph()
            } else if mark.indent >= 4, isAfterBlank, !isInList {
                // Indented code (CommonMark 4.4), up to its last non-blank line.
                var end = line.upperBound
                while let next = lines.first {
                    let mark = Mark(bytes, next)
                    guard mark.isBlank ? !ProtectedText.isPlain : mark.indent >= 4 else { break }
                    if !mark.isBlank { end = next.upperBound }
                    lines.removeFirst()
                }
                if ProtectedText.isPlain, isProse(bytes[line.lowerBound..<end]) {
                    prose.append(line.lowerBound..<end)
                } else {
                    found.append(Span(kind: .codeBlock, range: line.lowerBound..<end))
                }
            } else if CodeLine.isCode(bytes[line]) {
                endParagraph()
                found.append(Span(kind: .codeBlock, range: line))
            } else if let range = mark.definition {
                endParagraph()
                found.append(Span(kind: .link, range: range))
            } else {
                if mark.isListItem {
                    isInList = true
                } else if mark.indent == 0, isAfterBlank {
                    isInList = false
                }
                paragraph = (paragraph?.lowerBound ?? line.lowerBound)..<line.upperBound
            }
            isAfterBlank = mark.isBlank
        }
        endParagraph()
        for range in prose {
            var scanner = InlineSpans(bytes, range)
            found += scanner.spans()
        }
        return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// An indented paragraph of words, without signs of a table or of code.
    private static func isProse(_ bytes: ArraySlice<UInt8>) -> Bool {
        let lines = bytes.split(separator: 0x0A)
        let signs = bytes.count {
            $0 < 0x80 && !" ,.;:'\"!?()-\r\n\t".utf8.contains($0)
                && ($0 | 0x20) &- 0x61 >= 26 && $0 &- 0x30 >= 10
        }
        let words = bytes.split { $0 <= 0x20 }.count
        let hasColumns = lines.contains { line in
            let text = line.drop { $0 <= 0x20 }
            return zip(text, text.dropFirst()).contains { $0 == (0x20, 0x20) || $0.0 == 0x09 }
        }
        return words >= 4 && signs * 20 < words && !hasColumns
            && !lines.contains(where: CodeLine.isCode)
    }

    /// The tokens of `masked` in an answer: spaces around the number are allowed.
    static func tokens(in bytes: [UInt8]) -> [(number: Int, range: Range<Int>)] {
        var found: [(number: Int, range: Range<Int>)] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0xE2, let token = token(bytes, at: index) {
                found.append(token)
                index = token.range.upperBound
            } else {
                index += 1
            }
        }
        return found
    }

    static func token(
        _ bytes: [UInt8], at start: Int
    ) -> (number: Int, range: Range<Int>)? {
        let (open, close) = (Array("⟦".utf8), Array("⟧".utf8))
        guard bytes[start...].starts(with: open) else { return nil }
        var index = start + open.count
        func skipSpaces() { while index < bytes.count, bytes[index] == 0x20 { index += 1 } }
        skipSpaces()
        let digits = bytes[index...].prefix(8).prefix { $0 &- 0x30 < 10 }
        index += digits.count
        skipSpaces()
        guard let number = Int(String(decoding: digits, as: UTF8.self)),
            bytes[index...].starts(with: close)
        else { return nil }
        return (number, start..<index + close.count)
    }

    // MARK: - Lines

    /// The ranges of the lines, without their line breaks.
    private static func lines(of bytes: [UInt8]) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            let isCRLF = end > start && end < bytes.count && bytes[end - 1] == 0x0D
            lines.append(start..<(isCRLF ? end - 1 : end))
            start = end + 1
        }
        return lines
    }

    /// `---` or `+++` on the first line, and again on a later one.
    private static func frontMatter(
        _ bytes: [UInt8], _ lines: ArraySlice<Range<Int>>
    ) -> (range: Range<Int>, lines: Int)? {
        func text(_ line: Range<Int>) -> ArraySlice<UInt8> {
            bytes[line].trimming {
                $0 == 0x20 || $0 == 0x09 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF
            }
        }
        guard let first = lines.first else { return nil }
        let mark = Array(text(first))
        guard mark == Array("---".utf8) || mark == Array("+++".utf8) else { return nil }
        // A horizontal rule above a text is not front matter, which has `key:
        // value` below.
        guard let second = lines.dropFirst().first, !text(second).isEmpty else { return nil }
        for (index, line) in lines.enumerated().dropFirst()
        where text(line).elementsEqual(mark)
            || mark[0] == 0x2D && text(line).elementsEqual("...".utf8)
        {
            return (first.lowerBound..<line.upperBound, index + 1)
        }
        return nil
    }

    private static func contains(_ line: ArraySlice<UInt8>, _ words: String) -> Bool {
        String(decoding: line, as: UTF8.self).lowercased().contains(words)
    }

    /// Classifies a line by its beginning.
    private struct Mark {
        let indent: Int
        let isBlank: Bool
        private let content: ArraySlice<UInt8>
        private let line: Range<Int>

        init(_ bytes: [UInt8], _ line: Range<Int>) {
            var column = 0
            var index = line.lowerBound
            while index < line.upperBound {
                if bytes[index] == 0x20 {
                    column += 1
                } else if bytes[index] == 0x09 {
                    column += 4 - column % 4
                } else {
                    break
                }
                index += 1
            }
            indent = column
            content = bytes[index..<line.upperBound]
            isBlank = content.allSatisfy { $0 == 0x0D }
            self.line = line
        }

        struct Fence {
            var sign: UInt8
            var length: Int
        }

        var fence: Fence? {
            guard let sign = content.first, sign == 0x60 || sign == 0x7E else { return nil }
            let length = content.prefix { $0 == sign }.count
            // No backtick may follow the backticks: that is inline code.
            guard length >= 3, sign == 0x7E || !content.dropFirst(length).contains(0x60) else {
                return nil
            }
            return Fence(sign: sign, length: length)
        }

        func closes(_ fence: Fence) -> Bool {
            let length = content.prefix { $0 == fence.sign }.count
            return length >= fence.length
                && content.dropFirst(length).allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        }

        /// The end of the HTML block that begins here and may contain blank
        /// lines (CommonMark 4.6, the first two kinds).
        var htmlEnd: String? {
            guard content.first == 0x3C else { return nil }
            let head = String(decoding: content.prefix(12), as: UTF8.self).lowercased()
            if head.hasPrefix("<!--") { return "-->" }
            for name in ["pre", "script", "style", "textarea"] where head.hasPrefix("<\(name)") {
                let next = head.dropFirst(name.count + 1).first
                if next == nil || next == ">" || next == " " { return "</\(name)>" }
            }
            return nil
        }

        var isQuote: Bool { content.first == 0x3E }

        var isListItem: Bool {
            guard let first = content.first else { return false }
            let isBullet = first == 0x2D || first == 0x2A || first == 0x2B
            let digits = content.prefix(9).prefix { $0 &- 0x30 < 10 }
            let rest = isBullet ? content.dropFirst() : content.dropFirst(digits.count + 1)
            let isNumber =
                !digits.isEmpty
                && content.dropFirst(digits.count).first.map { $0 == 0x2E || $0 == 0x29 } == true
            return (isBullet || isNumber) && (rest.first.map { $0 == 0x20 || $0 == 0x09 } ?? true)
        }

        /// `[label]: address`: the whole line.
        var definition: Range<Int>? {
            guard content.first == 0x5B, let close = content.firstIndex(of: 0x5D),
                close > content.startIndex + 1,
                content.dropFirst(close + 1 - content.startIndex).first == 0x3A
            else { return nil }
            // `[^1]: …` is a footnote, whose words are not protected.
            if content[content.startIndex + 1] == 0x5E { return nil }
            return line
        }
    }
}
