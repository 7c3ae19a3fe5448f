/// Recognizes the marks at the start of a line that determine its block.
enum LineMarks {
    /// The heading marks at the start of a line.
    struct Heading {
        let level: Int
        let text: [UInt8]

        init?(_ line: ArraySlice<UInt8>) {
            let rest = line.drop { $0 == UInt8(ascii: "#") }
            level = line.count - rest.count
            guard (1...6).contains(level), rest.isEmpty || Self.isSpace(rest.first) else {
                return nil
            }
            var text = Self.trimmed(rest)
            let body = text.reversed().drop { $0 == UInt8(ascii: "#") }.count
            let kept = text.prefix(body)
            if kept.isEmpty || Self.isSpace(kept.last) { text = Self.trimmed(kept) }
            self.text = Array(text)
        }

        private static func isSpace(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }

        private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
            var text = text.drop { isSpace($0) }
            while isSpace(text.last) { text.removeLast() }
            return text
        }
    }

    /// The line that opens fenced code, which also determines how it closes.
    struct Fence: Equatable, Sendable {
        let mark: UInt8
        let length: Int
        let indent: Int
        let info: [UInt8]

        init?(_ line: ArraySlice<UInt8>, indent: Int) {
            guard let mark = line.first, mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~")
            else {
                return nil
            }
            let rest = line.drop { $0 == mark }
            length = line.count - rest.count
            guard length >= 3 else { return nil }
            // Otherwise a code span of three backticks could not start a line.
            if mark == UInt8(ascii: "`"), rest.contains(mark) { return nil }
            var info = rest.drop { $0 == 0x20 || $0 == 0x09 }
            while info.last == 0x20 || info.last == 0x09 { info.removeLast() }
            self.mark = mark
            self.indent = indent
            self.info = Array(info)
        }

        func isClosed(by line: ArraySlice<UInt8>) -> Bool {
            let rest = line.drop { $0 == mark }
            return line.count - rest.count >= length && rest.allSatisfy { $0 == 0x20 || $0 == 0x09 }
        }
    }

    /// Whether the line consists of three or more `*`, `-` or `_`.
    static func isRule(_ line: ArraySlice<UInt8>) -> Bool {
        guard let mark = line.first, "*-_".utf8.contains(mark) else { return false }
        var count = 0
        for byte in line {
            if byte == mark { count += 1 } else if byte != 0x20, byte != 0x09 { return false }
        }
        return count >= 3
    }

    /// A bullet, or a number of at most nine digits with `.` or `)`.
    struct Item {
        let kind: BlockEvent.ListKind
        let length: Int

        init?(_ line: ArraySlice<UInt8>, interruptsParagraph: Bool) {
            guard let first = line.first else { return nil }
            var rest = line.dropFirst()
            if "*-+".utf8.contains(first) {
                kind = BlockEvent.ListKind(marker: first, start: nil)
            } else {
                var number = 0
                rest = line
                while let digit = rest.first, (0x30...0x39).contains(digit) {
                    guard line.count - rest.count < 9 else { return nil }
                    number = number * 10 + Int(digit - 0x30)
                    rest = rest.dropFirst()
                }
                guard rest.count < line.count, let marker = rest.first,
                    marker == UInt8(ascii: ".") || marker == UInt8(ascii: ")")
                else { return nil }
                // In a paragraph, a number at the start of a line is usually just a number.
                if interruptsParagraph, number != 1 { return nil }
                rest = rest.dropFirst()
                kind = BlockEvent.ListKind(marker: marker, start: number)
            }
            length = line.count - rest.count
            guard rest.isEmpty || rest.first == 0x20 || rest.first == 0x09 else { return nil }
            if interruptsParagraph, rest.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return nil }
        }
    }
}
