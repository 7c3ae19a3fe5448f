/// The colours of one code block, a line at a time, with the state that goes
/// from line to line. A value: a copy colours a line that is not complete yet.
///
/// One pass over the bytes of a line, by the table of its language. Every
/// character comes back, in order; a language that is unknown is plain.
struct CodeColors: Sendable {
    private enum State: Sendable {
        case code
        case string(Int)
        case comment(form: Int, depth: Int)
        case tag
    }

    private let language: CodeLanguage?
    private var state = State.code

    init(language: String) {
        self.language = CodeLanguage.named(language)
    }

    mutating func line(_ text: String) -> [RichLine.Span] {
        if text.isEmpty { return [] }
        guard let language else { return [RichLine.Span(text)] }
        var line = Line(bytes: Array(text.utf8))
        if case .code = state, let look = line.wholeLook(language) {
            return [RichLine.Span(text, look)]
        }
        switch language.layout {
        case .console: console(&line, language)
        case .tokens, .markup:
            if case .code = state, language.keys != .none, language.keys != .quoted {
                line.takeKey(language)
            }
            while !line.isAtEnd { step(&line, language) }
        }
        if case .string(let form) = state, !language.strings[form].isMultiline { state = .code }
        return line.spans()
    }

    /// `$ make` is a command; what it prints is plain.
    private func console(_ line: inout Line, _ language: CodeLanguage) {
        for prompt in ["$ ", "# ", "% ", "> "] where line.starts(with: Array(prompt.utf8)) {
            line.take(2, .comment)
            var shell = CodeColors(language: "sh")
            for span in shell.line(line.rest()) {
                line.take(span.text.utf8.count, span.look.color)
            }
            return
        }
        line.take(line.count, .text)
    }

    private mutating func step(_ line: inout Line, _ language: CodeLanguage) {
        switch state {
        case .comment(let form, let depth): inComment(&line, language, form, depth)
        case .string(let form): inString(&line, language, form)
        case .tag: inTag(&line, language)
        case .code where language.layout == .markup: inMarkup(&line, language)
        case .code: inCode(&line, language)
        }
    }

    // MARK: - States

    private mutating func inCode(_ line: inout Line, _ language: CodeLanguage) {
        let byte = line.byte
        if byte == 0x20 || byte == 0x09 {
            line.take(1, .text)
        } else if beginComment(&line, language) || beginString(&line, language) {
            return
        } else if Line.isDigit(byte), language.hasNumbers {
            line.take(line.numberLength, .number)
        } else if Line.isLetter(byte) {
            word(&line, language)
        } else if let color = language.sigils[byte], line.isSigil {
            line.take(1 + line.wordLength(from: 1, language), color)
        } else {
            line.take(1, .text)
        }
    }

    private func word(_ line: inout Line, _ language: CodeLanguage) {
        let length = line.wordLength(from: 0, language)
        let written = line.text(length)
        let word = language.ignoresCase ? written.lowercased() : written
        let color: RichLine.Color =
            if language.keywords.contains(word) {
                .keyword
            } else if language.constants.contains(word) {
                .number
            } else if language.types.contains(word) {
                .type
            } else if language.hasCalls, line.byte(at: length) == UInt8(ascii: "(") {
                .function
            } else if language.hasCapitalTypes, (0x41...0x5A).contains(line.byte) {
                .type
            } else {
                .text
            }
        line.take(length, color)
    }

    private mutating func beginComment(_ line: inout Line, _ language: CodeLanguage) -> Bool {
        for (index, form) in language.blockComments.enumerated() where line.starts(with: form.open)
        {
            line.take(form.open.count, .comment)
            state = .comment(form: index, depth: 1)
            return true
        }
        for mark in language.lineComments where line.starts(with: mark) {
            if language.commentNeedsSpace, !line.isAtWordStart { continue }
            line.take(line.count, .comment)
            return true
        }
        return false
    }

    private mutating func inComment(
        _ line: inout Line, _ language: CodeLanguage, _ index: Int, _ depth: Int
    ) {
        let form = language.blockComments[index]
        if line.starts(with: form.close) {
            line.take(form.close.count, .comment)
            state = depth > 1 ? .comment(form: index, depth: depth - 1) : .code
        } else if form.nests, line.starts(with: form.open) {
            line.take(form.open.count, .comment)
            state = .comment(form: index, depth: depth + 1)
        } else {
            line.take(1, .comment)
        }
    }

    private mutating func beginString(_ line: inout Line, _ language: CodeLanguage) -> Bool {
        for (index, form) in language.strings.enumerated() where line.starts(with: form.open) {
            if form.isCharacter {
                guard let length = line.characterLength(form) else { continue }
                line.take(length, .string)
                return true
            }
            let isKey = language.keys == .quoted && line.isQuotedKey(form)
            line.stringColor = isKey ? .attribute : .string
            line.take(form.open.count, line.stringColor)
            state = .string(index)
            return true
        }
        return false
    }

    private mutating func inString(_ line: inout Line, _ language: CodeLanguage, _ index: Int) {
        let form = language.strings[index]
        if line.byte == form.escape {
            line.take(2, line.stringColor)
        } else if line.starts(with: form.close) {
            line.take(form.close.count, line.stringColor)
            line.stringColor = .string
            state = language.layout == .markup ? .tag : .code
        } else {
            line.take(1, line.stringColor)
        }
    }

    private mutating func inMarkup(_ line: inout Line, _ language: CodeLanguage) {
        if beginComment(&line, language) { return }
        if line.byte == UInt8(ascii: "<"), let next = line.byte(at: 1),
            Line.isLetter(next) || next == UInt8(ascii: "/") || next == UInt8(ascii: "!")
                || next == UInt8(ascii: "?")
        {
            line.take(Line.isLetter(next) ? 1 : 2, .keyword)
            line.take(line.wordLength(from: 0, language), .keyword)
            state = .tag
        } else if line.byte == UInt8(ascii: "&"), let length = line.entityLength {
            line.take(length, .number)
        } else {
            line.take(1, .text)
        }
    }

    private mutating func inTag(_ line: inout Line, _ language: CodeLanguage) {
        let byte = line.byte
        if byte == UInt8(ascii: ">") {
            line.take(1, .keyword)
            state = .code
        } else if beginString(&line, language) {
            return
        } else if Line.isLetter(byte) {
            line.take(line.wordLength(from: 0, language), .attribute)
        } else {
            line.take(1, byte == UInt8(ascii: "/") ? .keyword : .text)
        }
    }
}
