/// One line while it is coloured: its bytes, how far it is taken, and which
/// colour each stretch has. All cuts are beside ASCII bytes, so no character
/// is cut.
extension CodeColors {
    struct Line {
        private let bytes: [UInt8]
        private var at = 0
        private var pieces: [(end: Int, color: RichLine.Color)] = []
        /// Of the string that is open: a key of JSON has another.
        var stringColor = RichLine.Color.string

        init(bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { at >= bytes.count }
        var count: Int { bytes.count - at }
        /// Only before the end.
        var byte: UInt8 { bytes[at] }
        func byte(at offset: Int) -> UInt8? {
            at + offset < bytes.count ? bytes[at + offset] : nil
        }

        mutating func take(_ length: Int, _ color: RichLine.Color) {
            guard length > 0 else { return }
            at = min(bytes.count, at + length)
            if pieces.last?.color == color {
                pieces[pieces.count - 1].end = at
            } else {
                pieces.append((at, color))
            }
        }

        func text(_ length: Int) -> String {
            String(decoding: bytes[at..<min(bytes.count, at + length)], as: UTF8.self)
        }
        func rest() -> String { text(count) }

        func starts(with prefix: [UInt8]) -> Bool {
            guard count >= prefix.count else { return false }
            for index in prefix.indices where bytes[at + index] != prefix[index] { return false }
            return true
        }

        func spans() -> [RichLine.Span] {
            var start = 0
            return pieces.map { piece in
                defer { start = piece.end }
                let text = String(decoding: bytes[start..<piece.end], as: UTF8.self)
                // A comment is dimmed by its colour, so that themes can change it.
                return RichLine.Span(text, RichLine.Look(piece.color))
            }
        }

        static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        static func isLetter(_ byte: UInt8) -> Bool {
            (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
                || byte >= 0x80
        }

        func wordLength(from offset: Int, _ language: CodeLanguage) -> Int {
            var end = at + offset
            while end < bytes.count,
                Self.isLetter(bytes[end]) || Self.isDigit(bytes[end])
                    || language.wordBytes.contains(bytes[end])
            {
                end += 1
            }
            return end - at - offset
        }

        /// `0x1F`, `1_000.5e-3`, `10px`; not the dots of `1..2`.
        var numberLength: Int {
            var end = at
            while end < bytes.count {
                let byte = bytes[end]
                let isHex = end == at + 1 && bytes[at] == 0x30 && (byte | 0x20) == 0x78
                if Self.isDigit(byte) || (Self.isLetter(byte) && byte < 0x80) || isHex {
                    end += 1
                } else if byte == 0x2E, end + 1 < bytes.count, Self.isDigit(bytes[end + 1]) {
                    end += 1
                } else if byte == 0x2B || byte == 0x2D, bytes[end - 1] | 0x20 == 0x65,
                    end + 1 < bytes.count, Self.isDigit(bytes[end + 1]),
                    !(bytes[at] == 0x30 && at + 1 < end && bytes[at + 1] | 0x20 == 0x78)
                {
                    end += 1
                } else {
                    break
                }
            }
            return end - at
        }

        /// The sign is followed by a word and does not end one.
        var isSigil: Bool {
            guard let next = byte(at: 1), Self.isLetter(next) else { return false }
            guard at > 0 else { return true }
            let before = bytes[at - 1]
            return !Self.isLetter(before) && !Self.isDigit(before) && before != byte
        }

        var isAtWordStart: Bool {
            at == 0 || bytes[at - 1] == 0x20 || bytes[at - 1] == 0x09 || bytes[at - 1] == 0x3B
        }

        /// `'a'`, `'\n'`, `'\u{1F600}'`; nil where the quote is another thing.
        func characterLength(_ form: CodeLanguage.StringForm) -> Int? {
            var end = at + form.open.count
            guard end < bytes.count else { return nil }
            if bytes[end] == form.escape {
                end += 2
                while end < bytes.count, end < at + 14, bytes[end] != form.close[0] { end += 1 }
            } else {
                end += 1
                while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
            }
            guard end < bytes.count, bytes[end] == form.close[0] else { return nil }
            return end + 1 - at
        }

        /// A string of JSON with a colon after it.
        func isQuotedKey(_ form: CodeLanguage.StringForm) -> Bool {
            var end = at + form.open.count
            while end < bytes.count, bytes[end] != form.close[0] {
                end += bytes[end] == form.escape ? 2 : 1
            }
            end += 1
            while end < bytes.count, bytes[end] == 0x20 { end += 1 }
            return end < bytes.count && bytes[end] == UInt8(ascii: ":")
        }

        /// `&amp;`, `&#27;`.
        var entityLength: Int? {
            var end = at + 1
            while end < bytes.count, end < at + 12,
                Self.isDigit(bytes[end]) || (Self.isLetter(bytes[end]) && bytes[end] < 0x80)
                    || bytes[end] == UInt8(ascii: "#")
            {
                end += 1
            }
            guard end < bytes.count, bytes[end] == UInt8(ascii: ";"), end > at + 1 else {
                return nil
            }
            return end + 1 - at
        }

        func wholeLook(_ language: CodeLanguage) -> RichLine.Look? {
            language.linePrefixes.first { starts(with: $0.prefix) }?.look
        }

        /// `name:`, `- name: x`, `name = x` at the start of a line.
        mutating func takeKey(_ language: CodeLanguage) {
            var start = 0
            while start < bytes.count, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
            while start + 1 < bytes.count, bytes[start] == 0x2D, bytes[start + 1] == 0x20 {
                start += 2
            }
            var end = start
            while end < bytes.count,
                Self.isLetter(bytes[end]) || Self.isDigit(bytes[end])
                    || [0x2D, 0x2E, 0x2F].contains(bytes[end])
            {
                end += 1
            }
            guard end > start else { return }
            var mark = end
            while mark < bytes.count, bytes[mark] == 0x20 { mark += 1 }
            guard mark < bytes.count else { return }
            let next = mark + 1 < bytes.count ? bytes[mark + 1] : 0x20
            let isColon = bytes[mark] == UInt8(ascii: ":") && (next == 0x20 || next == 0x3D)
            let isEquals = bytes[mark] == UInt8(ascii: "=") && next != UInt8(ascii: "=")
            let fits =
                switch language.keys {
                case .colon: isColon
                case .equals: isEquals
                case .both: isColon || isEquals
                case .none, .quoted: false
                }
            guard fits else { return }
            take(start, .text)
            take(end - start, .attribute)
        }
    }
}
