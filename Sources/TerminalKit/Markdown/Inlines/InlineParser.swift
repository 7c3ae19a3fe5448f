/// Parses the inlines of CommonMark, strikethrough and bare addresses, in one pass with a stack of
/// delimiters and one of brackets, as the specification's appendix describes. Linear in the text's
/// length for any input.
///
/// An `optimistic` parser treats open constructs as closed at the end, so that an unfinished text
/// looks as it will when complete.
package struct InlineParser {
    let bytes: [UInt8]
    let references: LinkReferences
    let isOptimistic: Bool

    var out = InlineText()
    var at = 0
    /// Start of the current piece of plain text in `out.bytes`.
    var textStart = 0
    var delimiters = DelimiterStack()
    var brackets: [Bracket] = []
    private var exhausted = InlineHTML.Exhausted()
    /// Last occurrence of each length of backticks; computed when needed.
    private var lastBackticks: [Int: Int]?

    struct Bracket {
        /// Index in the pieces.
        let piece: Int
        let isImage: Bool
        /// The offset after it.
        let position: Int
        let delimiterBottom: Int
        var isActive = true
        var hasBracketAfter = false
    }

    package static func parse(
        _ bytes: [UInt8], _ references: LinkReferences = LinkReferences(), optimistic: Bool = false
    ) -> InlineText {
        var end = bytes.count
        while end > 0, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 || bytes[end - 1] == 0x0A {
            end -= 1
        }
        // With the next character, these may become a mark or the end of one.
        if optimistic { while end > 0, "*_~`[!<&\\".utf8.contains(bytes[end - 1]) { end -= 1 } }
        let text = end == bytes.count ? bytes : Array(bytes[..<end])
        var parser = InlineParser(bytes: text, references: references, isOptimistic: optimistic)
        parser.run()
        return parser.out
    }

    private init(bytes: [UInt8], references: LinkReferences, isOptimistic: Bool) {
        self.bytes = bytes
        self.references = references
        self.isOptimistic = isOptimistic
        out.bytes.reserveCapacity(bytes.count)
    }

    private mutating func run() {
        while at < bytes.count {
            let start = at
            while at < bytes.count, !Self.isSpecial(bytes[at]) { at += 1 }
            if at > start { out.bytes.append(contentsOf: bytes[start..<at]) }
            if at < bytes.count { special(bytes[at]) }
        }
        endText()
        if delimiters.hasOpener { delimiters.match(above: -1) }
        if brackets.contains(where: { $0.isActive }) || delimiters.hasOpener { out.isOpen = true }
        if isOptimistic { closeOpenDelimiters() }
        if !delimiters.isEmpty { expandDelimiters() }
    }

    @inline(__always)
    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x0A, 0x21, 0x26, 0x2A, 0x2E, 0x3A, 0x3C, 0x5B, 0x5C, 0x5D, 0x5F, 0x60, 0x7E: true
        default: false
        }
    }

    private mutating func special(_ byte: UInt8) {
        switch byte {
        case 0x0A: lineBreak()
        case UInt8(ascii: "\\"): escape()
        case UInt8(ascii: "`"): codeSpan()
        case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"): delimiterRun(byte)
        case UInt8(ascii: "["): openBracket(isImage: false)
        case UInt8(ascii: "!"):
            if at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "[") {
                at += 1
                openBracket(isImage: true)
            } else {
                literal()
            }
        case UInt8(ascii: "]"): closeBracket()
        case UInt8(ascii: "<"): angle()
        case UInt8(ascii: "&"): entity()
        default:
            if !bareAddress() { literal() }
        }
    }

    // MARK: - Text

    mutating func literal() {
        out.bytes.append(bytes[at])
        at += 1
    }

    mutating func endText() {
        if out.bytes.count > textStart { out.pieces.append(.text(textStart..<out.bytes.count)) }
        textStart = out.bytes.count
    }

    mutating func append(_ piece: InlineText.Piece) {
        endText()
        out.pieces.append(piece)
    }

    /// Appends a range as a separate piece of text.
    mutating func appendRange(
        _ text: ArraySlice<UInt8>, _ piece: (Range<Int>) -> InlineText.Piece
    ) {
        endText()
        out.bytes.append(contentsOf: text)
        out.pieces.append(piece(textStart..<out.bytes.count))
        textStart = out.bytes.count
    }

    private mutating func lineBreak() {
        var spaces = 0
        while out.bytes.count > textStart, out.bytes.last == 0x20 || out.bytes.last == 0x09 {
            spaces += out.bytes.removeLast() == 0x20 ? 1 : 0
        }
        append(spaces >= 2 ? .hardBreak : .softBreak)
        at += 1
        skipIndentation()
    }

    private mutating func skipIndentation() {
        while at < bytes.count, bytes[at] == 0x20 || bytes[at] == 0x09 { at += 1 }
    }

    private mutating func escape() {
        guard at + 1 < bytes.count else { return literal() }
        at += 1
        if bytes[at] == 0x0A {
            append(.hardBreak)
            at += 1
            skipIndentation()
        } else if ByteClass.isPunctuation(bytes[at]) {
            literal()
        } else {
            out.bytes.append(UInt8(ascii: "\\"))
        }
    }

    private mutating func entity() {
        guard let entity = Entity.decode(bytes, at: at) else { return literal() }
        out.hasEntities = true
        out.bytes.append(contentsOf: entity.text.utf8)
        at = entity.end
    }

    // MARK: - Code, addresses, HTML

    private mutating func codeSpan() {
        let start = at
        while at < bytes.count, bytes[at] == UInt8(ascii: "`") { at += 1 }
        let length = at - start
        let last = lastBackticks ?? findBackticks()
        lastBackticks = last
        guard let final = last[length], final >= at else {
            out.isOpen = true
            if isOptimistic, length <= 3, at < bytes.count {
                appendCode(at..<bytes.count)
                at = bytes.count
            } else {
                out.bytes.append(contentsOf: bytes[start..<at])
            }
            return
        }
        var close = at
        while true {
            while bytes[close] != UInt8(ascii: "`") { close += 1 }
            let runStart = close
            while close < bytes.count, bytes[close] == UInt8(ascii: "`") { close += 1 }
            if close - runStart == length {
                appendCode(at..<runStart)
                at = close
                return
            }
        }
    }

    /// Appends a code span: line breaks become spaces; one space on both sides is dropped.
    private mutating func appendCode(_ range: Range<Int>) {
        var text = bytes[range]
        for index in text.indices where text[index] == 0x0A { text[index] = 0x20 }
        if text.count > 2, text.first == 0x20, text.last == 0x20,
            text.contains(where: { $0 != 0x20 })
        {
            text = text.dropFirst().dropLast()
        }
        appendRange(text) { .code($0) }
    }

    private func findBackticks() -> [Int: Int] {
        var found: [Int: Int] = [:]
        var index = at
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "`") else {
                index += 1
                continue
            }
            let start = index
            while index < bytes.count, bytes[index] == UInt8(ascii: "`") { index += 1 }
            found[index - start] = start
        }
        return found
    }

    private mutating func angle() {
        if let end = Autolink.end(bytes, at: at) {
            let text = bytes[(at + 1)..<(end - 1)]
            let address = String(decoding: text, as: UTF8.self)
            let isMail = !Autolink.hasScheme(text)
            appendLink(text, url: isMail ? "mailto:" + address : address)
            at = end
            return
        }
        switch InlineHTML.scan(bytes, at: at, &exhausted) {
        case .ends(let end):
            appendRange(bytes[at..<end]) { .html($0) }
            at = end
        case .isOpen:
            out.isOpen = true
            literal()
        case .isNone:
            literal()
        }
    }

    mutating func appendLink(_ text: ArraySlice<UInt8>, url: String) {
        append(.openLink(out.links.count))
        out.bytes.append(contentsOf: text)
        endText()
        out.pieces.append(.closeLink(out.links.count))
        out.links.append(InlineText.Link(url: url))
    }

    /// Parses `www.` and `http://` in running text.
    private mutating func bareAddress() -> Bool {
        guard brackets.isEmpty, let found = Autolink.bare(bytes, at: at),
            out.bytes.count - textStart >= at - found.start
        else { return false }
        out.bytes.removeLast(at - found.start)
        let text = bytes[found.start..<found.end]
        appendLink(text, url: found.prefix + String(decoding: text, as: UTF8.self))
        at = found.end
        return true
    }

    // MARK: - Emphasis

    private mutating func delimiterRun(_ mark: UInt8) {
        let start = at
        while at < bytes.count, bytes[at] == mark { at += 1 }
        let count = at - start
        guard mark != UInt8(ascii: "~") || count <= 2 else {
            out.bytes.append(contentsOf: bytes[start..<at])
            return
        }
        var (from, to) = (start, at)
        if mark != UInt8(ascii: "~") {
            // As on GitHub, strikethrough marks next to emphasis are text.
            while from > 0, bytes[from - 1] == UInt8(ascii: "~") { from -= 1 }
            while to < bytes.count, bytes[to] == UInt8(ascii: "~") { to += 1 }
        }
        let before = ByteClass.kind(before: from, in: bytes)
        let after = ByteClass.kind(at: to, in: bytes)
        let isLeft = after == .other || after == .punctuation && before != .other
        let isRight = before == .other || before == .punctuation && after != .other
        var canOpen = isLeft
        var canClose = isRight
        if mark == UInt8(ascii: "_") {
            canOpen = isLeft && (!isRight || before == .punctuation)
            canClose = isRight && (!isLeft || after == .punctuation)
        }
        guard canOpen || canClose else {
            out.bytes.append(contentsOf: bytes[start..<at])
            return
        }
        appendRange(bytes[start..<at]) { .text($0) }
        delimiters.push(
            piece: out.pieces.count - 1, mark: mark, count: count, canOpen: canOpen,
            canClose: canClose)
    }

    private mutating func closeOpenDelimiters() {
        let closes = delimiters.takeOpeners()
        for style in closes { out.pieces.append(.close(style)) }
    }

    /// Replaces the runs of marks with opens and closes.
    private mutating func expandDelimiters() {
        var pieces: [InlineText.Piece] = []
        pieces.reserveCapacity(out.pieces.count + 2 * delimiters.count)
        var next = 0
        for run in delimiters.runs {
            pieces += out.pieces[next..<run.piece]
            next = run.piece + 1
            for style in run.closes { pieces.append(.close(style)) }
            if run.count > 0, case .text(let range) = out.pieces[run.piece] {
                pieces.append(.text(range.lowerBound..<(range.lowerBound + run.count)))
            }
            for style in run.opens.reversed() { pieces.append(.open(style)) }
        }
        pieces += out.pieces[next...]
        out.pieces = pieces
    }
}
