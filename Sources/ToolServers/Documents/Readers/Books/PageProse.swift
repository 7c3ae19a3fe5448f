import Base

/// The text of a book's page or a web page as a reader sees it: paragraphs separated by
/// blank lines, without parts that are not read (footnotes and their marks, page numbers,
/// contents, scripts), with the positions of its headings and anchors. Pure.
///
/// An unread element that is never closed is read after all, so that a forgotten
/// tag loses no text.
package struct PageProse: Sendable {
    package struct Heading: Sendable, Equatable {
        /// The level, 1 to 6.
        var level: Int
        var title: String
        /// Number of UTF-8 bytes before the heading.
        var start: Int
    }

    private(set) var text = ""
    private(set) var headings: [Heading] = []
    /// Number of UTF-8 bytes before the element with that `id`.
    private(set) var anchors: [String: Int] = [:]
    /// The text of `<title>`.
    private(set) var title: String?
    /// The author in `<meta name="author">`.
    private(set) var author: String?
    /// The language in `<html lang>`.
    private(set) var language: String?
    /// The `epub:type` of the whole page: "cover".
    private(set) var kinds: Set<String> = []

    init(_ bytes: [UInt8]) {
        var tokens = HTMLTokenizer(bytes)
        while let token = tokens.next() {
            switch token {
            case .text(let bytes): add(CharacterReference.text(bytes))
            case .verbatim(let bytes): add(String(decoding: bytes, as: UTF8.self))
            case .declaration: continue
            case .open(let tag): open(tag, &tokens)
            case .close(let name): close(name)
            }
        }
        endParagraph()
        for id in waiting where anchors[id] == nil { anchors[id] = text.utf8.count }
        title = title.flatMap { $0.isEmpty ? nil : $0 }
    }

    // MARK: - State

    private var paragraph = ""
    /// `id`s that wait for the text after them.
    private var waiting: [String] = []
    private var heading: (level: Int, start: Int)?
    private var preformatted = 0
    private var quotes = 0
    private var isInHead = false
    private var titleText: String?
    /// Number of further unclosed elements that may be read again.
    private var patience = 8

    private mutating func add(_ piece: String) {
        if titleText != nil {
            titleText? += piece
            return
        }
        if isInHead { return }
        for scalar in piece.unicodeScalars {
            switch scalar {
            // These characters only allow or prevent line breaks.
            case "\u{AD}", "\u{200B}", "\u{FEFF}", "\u{2060}": continue
            case "\n" where preformatted > 0: breakLine()
            case " ", "\n", "\r", "\t", "\u{C}", "\u{A0}", "\u{2002}", "\u{2003}", "\u{2009}",
                "\u{202F}":
                if preformatted > 0 {
                    paragraph.unicodeScalars.append(" ")
                } else if let last = paragraph.unicodeScalars.last, last != " ", last != "\n" {
                    paragraph.unicodeScalars.append(" ")
                }
            default:
                if scalar.value < 0x20 || scalar.value == 0x7F { continue }
                settle()
                paragraph.unicodeScalars.append(scalar)
            }
        }
    }

    /// Resolves the anchors and the heading that wait for the text that now follows.
    private mutating func settle() {
        guard !waiting.isEmpty || heading?.start == -1 else { return }
        let separator = text.isEmpty ? 0 : 2
        let place = text.utf8.count + separator + paragraph.utf8.count
        for id in waiting where anchors[id] == nil { anchors[id] = place }
        waiting = []
        if heading?.start == -1 { heading?.start = place }
    }

    private mutating func breakLine() {
        while paragraph.last == " " { paragraph.removeLast() }
        if !paragraph.isEmpty { paragraph.append("\n") }
    }

    private mutating func endParagraph() {
        while let last = paragraph.last, last.isWhitespace { paragraph.removeLast() }
        if paragraph.isEmpty { return }
        if !text.isEmpty { text += "\n\n" }
        text += paragraph
        paragraph = ""
    }

    // MARK: - Elements

    private mutating func open(_ tag: HTMLTokenizer.Tag, _ tokens: inout HTMLTokenizer) {
        let name = tag.name
        if name != "title" { endTitle() }
        if Self.blocks.contains(name) { isInHead = false }
        if name == "body" || name == "html" {
            kinds.formUnion(Self.types(tag))
            if name == "html" { language = tag["xml:lang"] ?? tag["lang"] ?? language }
        }
        if name == "meta", ["author", "dc.creator"].contains(tag["name"]?.lowercased() ?? "") {
            author = author ?? tag["content"].map(Self.oneLine)
        }
        let holdsText = !tag.isEmpty && !Self.void.contains(name)
        if holdsText, name == "head" { isInHead = true }
        if holdsText, name == "title", isInHead || text.isEmpty { titleText = "" }
        if Self.blocks.contains(name) { endParagraph() }
        note(tag)
        if holdsText, name != "body", isNotRead(tag) || isNoteMark(tag, tokens),
            skip(name, &tokens)
        {
            return
        }
        switch name {
        case "br", "tr": breakLine()
        case "hr":
            if !text.isEmpty { paragraph = "* * *" }
            endParagraph()
        case "td", "th": add(" ")
        case "img": addInitial(tag)
        case "pre": if holdsText { preformatted += 1 }
        case "q":
            if holdsText {
                quotes += 1
                add(quotes % 2 == 1 ? "“" : "‘")
            }
        default:
            if holdsText, let level = Self.level(name) { heading = (level, -1) }
        }
    }

    private mutating func close(_ name: String) {
        switch name {
        case "title": endTitle()
        case "head": isInHead = false
        case "pre": preformatted = max(0, preformatted - 1)
        case "q":
            if quotes > 0 {
                add(quotes % 2 == 1 ? "”" : "’")
                quotes -= 1
            }
        default:
            if Self.level(name) != nil, let open = heading {
                let title = Self.oneLine(paragraph)
                if open.start >= 0, !title.isEmpty {
                    headings.append(Heading(level: open.level, title: title, start: open.start))
                }
                heading = nil
            }
        }
        if Self.blocks.contains(name) { endParagraph() }
    }

    private mutating func endTitle() {
        if let text = titleText { title = title ?? Self.oneLine(text) }
        titleText = nil
    }

    /// Records the names of an element, by which links find it.
    private mutating func note(_ tag: HTMLTokenizer.Tag) {
        if let id = tag["id"] ?? (tag.name == "a" ? tag["name"] : nil), !id.isEmpty {
            waiting.append(id)
        }
    }

    /// Adds an initial that is a picture: `<img alt="A"/>lice was`.
    private mutating func addInitial(_ tag: HTMLTokenizer.Tag) {
        guard let alternative = tag["alt"], alternative.count <= 2,
            alternative.last?.isLetter == true,
            alternative.dropLast().allSatisfy({ "“\"‘'«„".contains($0) })
        else { return }
        add(alternative)
    }

    /// Skips to the end of an element; returns false, without moving, if it has none.
    private mutating func skip(_ name: String, _ tokens: inout HTMLTokenizer) -> Bool {
        guard patience > 0 else { return false }
        let (start, noted) = (tokens, waiting)
        var depth = 1
        while let token = tokens.next() {
            switch token {
            case .open(let tag):
                note(tag)
                if tag.name == name, !tag.isEmpty { depth += 1 }
            case .close(let closed): if closed == name { depth -= 1 }
            case .text, .verbatim, .declaration: continue
            }
            if depth == 0 { return true }
        }
        (tokens, waiting) = (start, noted)
        patience -= 1
        return false
    }

    // MARK: - What is not read

    private func isNotRead(_ tag: HTMLTokenizer.Tag) -> Bool {
        if Self.silent.contains(tag.name) || tag["hidden"] != nil || tag["aria-hidden"] == "true" {
            return true
        }
        let style = tag["style"]?.lowercased().filter { $0 != " " } ?? ""
        if style.contains("display:none") || style.contains("visibility:hidden") { return true }
        if !Self.silentTypes.isDisjoint(with: Self.types(tag)) { return true }
        let classes = Set(tag.words("class").map { $0.lowercased() })
        if !Self.silentClasses.isDisjoint(with: classes) { return true }
        if let id = tag["id"]?.lowercased(), id == "pg-header" || id == "pg-footer" { return true }
        return false
    }

    /// `<sup><a href="#n1">1</a></sup>`, `<a href="#n1">[1]</a>`: a number that links to a
    /// note.
    private func isNoteMark(_ tag: HTMLTokenizer.Tag, _ tokens: HTMLTokenizer) -> Bool {
        guard tag.name == "sup" || tag.name == "a" else { return false }
        var rest = tokens
        var isRaised = tag.name == "sup"
        var leads = tag["href"]?.contains("#") == true
        var mark = ""
        for _ in 0..<6 {
            switch rest.next() {
            case .text(let bytes): mark += String(decoding: bytes, as: UTF8.self)
            case .open(let inner):
                isRaised = isRaised || inner.name == "sup"
                leads = leads || inner["href"]?.contains("#") == true
            case .close(let name) where name == tag.name:
                let inner = mark.trimming(while: \.isWhitespace)
                let number = inner.trimming { "[]()*†‡§".contains($0) }
                return leads && !inner.isEmpty && inner.count <= 5
                    && (isRaised || number.count < inner.count)
                    && number.allSatisfy { $0.isNumber }
            case .close, .verbatim, .declaration: continue
            case nil: return false
            }
        }
        return false
    }

    /// Values of `epub:type`, and of the equivalent `role="doc-footnote"`.
    private static func types(_ tag: HTMLTokenizer.Tag) -> Set<String> {
        let roles = tag.words("role").filter { $0.hasPrefix("doc-") }.map { $0.dropFirst(4) }
        return Set((tag.words("epub:type") + roles).map { $0.lowercased() })
    }

    static let silentTypes: Set<String> = [
        "cover", "toc", "landmarks", "loi", "lot", "index", "copyright-page", "imprint", "colophon",
        "footnote", "footnotes", "endnote", "endnotes", "rearnote", "rearnotes", "noteref",
        "backlink", "pagebreak", "page-list",
    ]
    private static let silentClasses: Set<String> = [
        "footnote", "footnotes", "endnote", "endnotes", "noteref", "fnref", "fnanchor", "pagenum",
        "pageno", "pagebreak", "pg-boilerplate", "mw-editsection",
    ]
    private static let silent: Set<String> = [
        "script", "style", "template", "svg", "math", "nav", "rt", "rp", "iframe", "object",
        "audio", "video", "select", "button", "textarea", "noscript", "map", "canvas",
    ]
    private static let void: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param",
        "source", "track", "wbr",
    ]
    private static let blocks: Set<String> = [
        "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details",
        "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3",
        "h4", "h5", "h6", "header", "hr", "li", "main", "ol", "p", "pre", "section", "summary",
        "table", "ul",
    ]

    private static func level(_ name: String) -> Int? {
        guard name.utf8.count == 2, name.utf8.first == UInt8(ascii: "h"), let digit = name.last,
            let level = digit.wholeNumberValue, (1...6).contains(level)
        else { return nil }
        return level
    }

    static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
