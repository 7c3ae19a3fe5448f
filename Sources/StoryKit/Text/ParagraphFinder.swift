/// Divides a text into paragraphs, whichever way it separates them: by empty lines (with
/// wrapped lines), by lines (each paragraph is one), or by indented first lines.
enum ParagraphFinder {
    /// The paragraphs in order, without surrounding white space.
    static func find(in bytes: [UInt8]) -> [Range<Int>] {
        let lines = lines(of: bytes)
        let layout = Layout(lines, in: bytes)
        var paragraphs: [Range<Int>] = []
        var afterEmpty = true
        for line in lines {
            guard !line.isEmpty else {
                afterEmpty = true
                continue
            }
            if let last = paragraphs.last, !layout.begins(line, in: bytes),
                !afterEmpty || layout.isName(last, in: bytes)
            {
                paragraphs[paragraphs.count - 1] = last.lowerBound..<line.text.upperBound
            } else {
                paragraphs.append(line.text)
            }
            afterEmpty = false
        }
        return paragraphs
    }

    private struct Line {
        /// The line without surrounding white space.
        var text: Range<Int>
        var indent: Int
        var isEmpty: Bool { text.isEmpty }
    }

    /// The way in which a text separates paragraphs, besides by empty lines.
    private enum Layout {
        case emptyLines, everyLine, indents
        /// A play: each speech begins with a label.
        case labels
        /// A play whose names stand alone on their lines.
        case names

        init(_ lines: [Line], in bytes: [UInt8]) {
            var filled = 0
            var (long, closed) = (0, 0)
            var full = 0
            var indented = 0
            var blocks = 0
            var afterEmpty = true
            var lengths = [Int](repeating: 0, count: 128)
            for line in lines {
                if line.isEmpty {
                    afterEmpty = true
                    continue
                }
                if afterEmpty { blocks += 1 }
                afterEmpty = false
                filled += 1
                if line.text.count > 120 { long += 1 }
                if line.indent > 0 { indented += 1 }
                // The last byte of . ! ? " ' ” “ ’ » « …
                if [0x2E, 0x21, 0x3F, 0x22, 0x27, 0x9D, 0x9C, 0x99, 0xBB, 0xAB, 0xA6]
                    .contains(bytes[line.text.upperBound - 1])
                {
                    closed += 1
                }
                lengths[min(line.text.count, 127)] += 1
            }
            // The length that one line in twenty exceeds: the width it is wrapped at.
            var width = 127
            var beyond = 0
            while width > 0, beyond * 20 < filled {
                beyond += lengths[width]
                width -= 1
            }
            for (length, count) in lengths.enumerated() where length * 10 >= width * 6 {
                full += count
            }
            if ScriptReader.hasLabels(bytes, lines.map(\.text), alone: true) {
                self = .names
            } else if blocks * 3 < filled, ScriptReader.hasLabels(bytes, lines.map(\.text)) {
                self = .labels
            } else if long * 8 >= filled || closed * 10 >= filled * 9 {
                self = .everyLine
            } else if blocks * 15 > filled {
                self = .emptyLines
            } else if indented * 20 >= filled, indented * 2 < filled {
                self = .indents
            } else {
                self = full * 5 < filled * 2 ? .everyLine : .emptyLines
            }
        }

        func begins(_ line: Line, in bytes: [UInt8]) -> Bool {
            switch self {
            case .labels, .names: ScriptReader.label(in: bytes, line.text) != nil
            case .emptyLines: false
            case .everyLine: true
            case .indents: line.indent > 0
            }
        }

        /// Whether a paragraph is only a name so far: its speech follows the empty line.
        func isName(_ paragraph: Range<Int>, in bytes: [UInt8]) -> Bool {
            guard case .names = self else { return false }
            return ScriptReader.label(in: bytes, paragraph)?.end == paragraph.upperBound
        }
    }

    private static func lines(of bytes: [UInt8]) -> [Line] {
        var lines: [Line] = []
        var start = 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
            var first = start
            while first < end, isBlank(bytes[first]) { first += 1 }
            var last = end
            while last > first, isBlank(bytes[last - 1]) { last -= 1 }
            lines.append(Line(text: first..<last, indent: first - start))
            // CR LF is one line end.
            if end + 1 < bytes.count, bytes[end] == 0x0D, bytes[end + 1] == 0x0A { end += 1 }
            start = end + 1
        }
        return lines
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0B || byte == 0x0C || byte == 0
    }
}
