/// Converts inlines to the spans of one or more lines. The result contains no line break and,
/// except for tabs in code, no control character.
struct SpanBuilder {
    private(set) var lines: [[RichLine.Span]] = [[]]
    private let base: RichLine.Look
    private var emphasis = 0
    private var strong = 0
    private var strike = 0
    /// The open links: the shown text, and the URL if it is the same.
    private var links: [(index: Int, label: String, url: String?)] = []
    private let breaksAtTags: Bool

    /// - Parameter breaksAtTags: treat `<br>` as a line break, the only one in a table
    ///   cell.
    static func lines(
        _ text: InlineText, base: RichLine.Look = RichLine.Look(), breaksAtTags: Bool = false
    ) -> [[RichLine.Span]] {
        var builder = SpanBuilder(base: base, breaksAtTags: breaksAtTags)
        for (index, piece) in text.pieces.enumerated() {
            builder.add(piece, of: text, next: text.pieces.dropFirst(index + 1))
        }
        return builder.lines
    }

    private init(base: RichLine.Look, breaksAtTags: Bool) {
        self.base = base
        self.breaksAtTags = breaksAtTags
    }

    private var look: RichLine.Look {
        var look = base
        if emphasis > 0 { look.traits.insert(.italic) }
        if strong > 0 { look.traits.insert(.bold) }
        if strike > 0 { look.traits.insert(.strike) }
        if !links.isEmpty {
            look.color = .link
            look.traits.insert(.underline)
            look.url = links.last?.url
        }
        return look
    }

    private mutating func add(
        _ piece: InlineText.Piece, of text: InlineText, next: ArraySlice<InlineText.Piece>
    ) {
        switch piece {
        case .text(let range):
            append(clean(text.string(range), of: text), look)
        case .code(let range):
            var look = look
            look.color = .code
            append(clean(text.string(range), of: text), look)
        case .html(let range):
            let tag = text.string(range)
            if breaksAtTags, Self.isBreak(tag) {
                breakLine()
            } else {
                let parts = tag.split(separator: "\n", omittingEmptySubsequences: false)
                for (index, part) in parts.enumerated() {
                    if index > 0 { breakLine() }
                    append(String(part), look)
                }
            }
        case .softBreak, .hardBreak:
            breakLine()
        case .open(let style): count(style, 1)
        case .close(let style): count(style, -1)
        case .openLink(let index):
            let url = text.links[index].url
            if case .text(let range) = next.first, case .closeLink = next.dropFirst().first,
                text.string(range) == url
            {
                links.append((index, "", url))
            } else {
                links.append((index, "", nil))
            }
        case .closeLink:
            guard let link = links.popLast() else { return }
            close(text.links[link.index], label: link.label)
        }
    }

    /// Closes a link; the address is shown too, unless it is the text.
    private mutating func close(_ link: InlineText.Link, label: String) {
        let url = HostileText.line(link.url)
        guard !url.isEmpty, url != label, url != "mailto:" + label, url != "http://" + label else {
            return
        }
        var look = base
        look.color = .text
        look.traits = .dim
        look.url = url
        append(label.isEmpty ? "(\(url))" : " (\(url))", look)
    }

    private mutating func count(_ style: InlineText.Style, _ step: Int) {
        switch style {
        case .emphasis: emphasis += step
        case .strong: strong += step
        case .strike: strike += step
        }
    }

    /// Cleans text: a character reference may produce a line break, or add combining marks to
    /// others; a tab has no fixed width.
    private func clean(_ string: String, of text: InlineText) -> String {
        guard text.hasEntities || string.utf8.contains(0x09) else { return string }
        return HostileText.text(String(string.map { $0.isNewline || $0 == "\t" ? " " : $0 }))
    }

    private mutating func append(_ text: String, _ look: RichLine.Look) {
        guard !text.isEmpty else { return }
        for index in links.indices { links[index].label += text }
        let last = lines.count - 1
        if let span = lines[last].indices.last, lines[last][span].look == look {
            lines[last][span].text += text
        } else {
            lines[last].append(RichLine.Span(text, look))
        }
    }

    private mutating func breakLine() { lines.append([]) }

    private static func isBreak(_ tag: String) -> Bool {
        let name = tag.lowercased().filter { $0 != " " }
        return name == "<br>" || name == "<br/>"
    }
}
