/// Splits a text into the blocks that are proofread separately: paragraphs, list
/// items, headings. Text that is not prose is left out: protected lines, rows of
/// tables, lines of a shell session. Pure.
struct TextBlocks: Sendable {
    struct Block: Sendable, Equatable {
        /// Bytes of the text, without the last line break.
        var range: Range<Int>
        /// Whether it is a list item or a heading.
        var isFragment: Bool
        /// Whether it is the first, or follows one that ended like a sentence.
        var mayBeginSentence: Bool
    }

    static func blocks(of bytes: [UInt8], isProtected: [Bool]) -> [Block] {
        var blocks: [Block] = []
        var current: Block?
        // Whether the text before was finished.
        var isFinished = true
        func end() {
            guard let block = current else { return }
            blocks.append(block)
            isFinished = block.isFragment || endsSentence(bytes[block.range])
            current = nil
        }
        var start = 0
        while start < bytes.count {
            let newline = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            var stop = newline
            if stop > start, bytes[stop - 1] == 0x0D { stop -= 1 }
            let line = start..<stop
            let content = bytes[line].drop { $0 == 0x20 || $0 == 0x09 }
            if content.isEmpty {
                end()
            } else if isProtected[content.startIndex], isProtected[line].last == true,
                isProtected[content.indices].allSatisfy({ $0 })
            {
                // Text that continues after a code block may begin in the middle of
                // a sentence.
                end()
                isFinished = false
            } else if isLayout(content) {
                end()
                isFinished = true
            } else if isHeading(content) || isListItem(content) {
                end()
                current = Block(range: line, isFragment: true, mayBeginSentence: true)
                if isHeading(content) { end() }
            } else if let begun = current {
                current?.range = begun.range.lowerBound..<stop
            } else {
                current = Block(range: line, isFragment: false, mayBeginSentence: isFinished)
            }
            start = newline + 1
        }
        end()
        return blocks
    }

    private static func endsSentence(_ bytes: ArraySlice<UInt8>) -> Bool {
        for byte in bytes.reversed() {
            switch byte {
            case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"): return true
            case UInt8(ascii: "\""), UInt8(ascii: ")"), UInt8(ascii: "*"), 0x20, 0x0D, 0x99, 0x9D,
                0x80, 0xE2:
                continue
            default: return false
            }
        }
        return true
    }

    private static func isHeading(_ content: ArraySlice<UInt8>) -> Bool {
        let marks = content.prefix { $0 == UInt8(ascii: "#") }.count
        return marks > 0 && content.dropFirst(marks).first == 0x20
    }

    private static func isListItem(_ content: ArraySlice<UInt8>) -> Bool {
        guard let first = content.first else { return false }
        var rest = content.dropFirst()
        switch first {
        case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+"): break
        case 0xE2 where content.starts(with: "•".utf8): rest = content.dropFirst(3)
        default:
            let digits = content.prefix { $0 &- 0x30 < 10 }
            rest = content.dropFirst(max(digits.count, 1))
            guard digits.count <= 3, !digits.isEmpty || first | 0x20 == UInt8(ascii: "a"),
                let sign = rest.popFirst(), sign == UInt8(ascii: ".") || sign == UInt8(ascii: ")")
            else { return false }
        }
        return rest.first == 0x20 || rest.first == 0x09
    }

    /// A row of a table, a prompt with a command, a horizontal rule.
    private static func isLayout(_ content: ArraySlice<UInt8>) -> Bool {
        if content.first == UInt8(ascii: "|") || content.starts(with: "$ ".utf8)
            || content.starts(with: "% ".utf8) || content.starts(with: ">>> ".utf8)
        {
            return true
        }
        return String(decoding: content, as: UTF8.self).utf8.split(separator: UInt8(ascii: " "))
            .count { $0.elementsEqual("|".utf8) } >= 2
    }
}
