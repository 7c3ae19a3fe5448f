/// Colours one code block line by line, with the state that continues from line to line. A value
/// type: an incomplete line is coloured by a copy.
///
/// Colours comments, strings, numbers and keywords in one pass over the bytes of a line, and added
/// and removed lines in a diff. Every character is kept, in order; code in an unknown language
/// stays plain.
struct CodeColors: Sendable {
    private enum State: Sendable {
        case code
        case comment
        case string(CodeLanguage.StringForm)
    }

    private let language: CodeLanguage?
    private let isDifference: Bool
    private var state = State.code

    init(language: String) {
        self.language = CodeLanguage.named(language)
        isDifference = ["diff", "patch"].contains(language.lowercased())
    }

    mutating func line(_ text: String) -> [RichLine.Span] {
        if text.isEmpty { return [] }
        if isDifference { return [RichLine.Span(text, Self.difference(text))] }
        guard let language else { return [RichLine.Span(text)] }
        var line = Line(bytes: Array(text.utf8))
        while !line.isAtEnd {
            switch state {
            case .code: inCode(&line, language)
            case .comment: inComment(&line, language)
            case .string(let form): inString(&line, form)
            }
        }
        if case .string(let form) = state, !form.isMultiline { state = .code }
        return line.spans()
    }

    private static func difference(_ text: String) -> RichLine.Look {
        switch text.unicodeScalars.first {
        case _ where text.hasPrefix("+++ ") || text.hasPrefix("--- "): .init(.text, .bold)
        case "+", ">": .init(.inserted)
        case "-", "<": .init(.deleted)
        case "@": .init(.keyword)
        default: .init(.text)
        }
    }

    private mutating func inCode(_ line: inout Line, _ language: CodeLanguage) {
        if let block = language.blockComment, line.starts(with: block.open) {
            line.take(block.open.count, .comment)
            state = .comment
            return
        }
        // `#` begins a comment only at the start of a word.
        for mark in language.lineComments
        where line.starts(with: mark) && (mark != [0x23] || line.isAtWordStart) {
            return line.takeRest(.comment)
        }
        for form in language.strings where line.starts(with: form.mark) {
            if form.isLetter {
                guard let length = line.letterLength(form) else { continue }
                return line.take(length, .string)
            }
            line.take(form.mark.count, .string)
            state = .string(form)
            return
        }
        if Line.isDigit(line.byte) {
            line.take(line.numberLength, .number)
        } else if Line.isLetter(line.byte) {
            let length = line.wordLength
            let word = language.ignoresCase ? line.text(length).lowercased() : line.text(length)
            line.take(length, language.words.contains(word) ? .keyword : .text)
        } else {
            line.take(1, .text)
        }
    }

    private mutating func inComment(_ line: inout Line, _ language: CodeLanguage) {
        guard let block = language.blockComment, line.starts(with: block.close) else {
            return line.take(1, .comment)
        }
        line.take(block.close.count, .comment)
        state = .code
    }

    private mutating func inString(_ line: inout Line, _ form: CodeLanguage.StringForm) {
        if form.hasEscapes, line.byte == UInt8(ascii: "\\") {
            line.take(2, .string)
        } else if line.starts(with: form.mark) {
            line.take(form.mark.count, .string)
            state = .code
        } else {
            line.take(1, .string)
        }
    }
}

extension CodeColors {
    /// One line being coloured: its bytes, the current position, and the colour of each piece. All
    /// cuts are next to ASCII bytes, so no character is cut.
    private struct Line {
        private let bytes: [UInt8]
        private var at = 0
        private var pieces: [(end: Int, color: RichLine.Color)] = []

        init(bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { at >= bytes.count }
        /// The current byte; valid only before the end.
        var byte: UInt8 { bytes[at] }

        mutating func take(_ length: Int, _ color: RichLine.Color) {
            at = min(bytes.count, at + length)
            if pieces.last?.color == color {
                pieces[pieces.count - 1].end = at
            } else {
                pieces.append((at, color))
            }
        }

        mutating func takeRest(_ color: RichLine.Color) { take(bytes.count - at, color) }

        func text(_ length: Int) -> String {
            String(decoding: bytes[at..<min(bytes.count, at + length)], as: UTF8.self)
        }

        func starts(with prefix: [UInt8]) -> Bool { bytes[at...].starts(with: prefix) }

        func spans() -> [RichLine.Span] {
            var start = 0
            return pieces.map { piece in
                defer { start = piece.end }
                let text = String(decoding: bytes[start..<piece.end], as: UTF8.self)
                // A comment is dimmed by its colour, so that themes can change that.
                return RichLine.Span(text, RichLine.Look(piece.color))
            }
        }

        static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        static func isLetter(_ byte: UInt8) -> Bool {
            (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
                || byte >= 0x80
        }
        private static func isInWord(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

        var wordLength: Int { bytes[at...].prefix(while: Self.isInWord).count }

        /// `0x1F`, `1_000.5e-3`, `10px`; not the dots of `1..2`.
        var numberLength: Int {
            var end = at
            while end < bytes.count {
                let follows = end + 1 < bytes.count && Self.isDigit(bytes[end + 1])
                let isPoint = bytes[end] == UInt8(ascii: ".")
                let isExponentSign =
                    [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[end])
                    && bytes[end - 1] | 0x20 == UInt8(ascii: "e")
                guard Self.isInWord(bytes[end]) || (isPoint || isExponentSign) && follows else {
                    break
                }
                end += 1
            }
            return end - at
        }

        var isAtWordStart: Bool { at == 0 || [0x20, 0x09, 0x3B].contains(bytes[at - 1]) }

        /// `'a'`, `'\n'`, `'\u{1F600}'`; nil if the quote means something else.
        func letterLength(_ form: CodeLanguage.StringForm) -> Int? {
            var end = at + 1
            guard end < bytes.count, let quote = form.mark.first else { return nil }
            if bytes[end] == UInt8(ascii: "\\") {
                end += 2
                while end < bytes.count, end < at + 14, bytes[end] != quote { end += 1 }
            } else {
                end += 1
                while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
            }
            guard end < bytes.count, bytes[end] == quote else { return nil }
            return end + 1 - at
        }
    }
}
