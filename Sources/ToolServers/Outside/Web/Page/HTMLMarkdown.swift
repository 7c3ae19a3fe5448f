import Base

/// Converts an HTML page to Markdown, as a reader sees it: headings, lists, links, tables
/// and code, without scripts, forms and navigation. Pure.
///
/// It is as tolerant as `HTMLTokenizer`, takes linear time however the elements nest, and
/// returns at most `limit` bytes. `PageMarkdown` assembles the lines; the meaning of
/// elements is here.
struct HTMLMarkdown {
    private(set) var title = ""
    /// Whether the text is not the whole page.
    var wasCut: Bool { lines.isFull }
    /// The text of the page; only that of `<main>` if it is a large part of the page.
    var text: String {
        let whole = lines.text
        // A page may put a short notice there, and the rest elsewhere.
        guard let main = mainRange, main.count >= 200, main.count * 4 >= whole.utf8.count else {
            return whole
        }
        let bytes = Array(whole.utf8)[main.clamped(to: 0..<whole.utf8.count)]
        return String(decoding: bytes, as: UTF8.self).trimmingSpace()
    }

    private var lines: PageMarkdown
    private var mainStart: Int?
    private var mainRange: Range<Int>?
    private var isInHead = false
    private var isInTitle = false
    private var base: PageLinks
    /// Number of times an ignored element without an end is read after all.
    private var patience = 8

    /// - Parameters:
    ///   - address: the page's address, for its links.
    ///   - limit: maximum bytes of Markdown.
    init(_ bytes: [UInt8], address: String, limit: Int = 4 << 20) {
        base = PageLinks(page: address)
        lines = PageMarkdown(limit: limit)
        var tokens = HTMLTokenizer(bytes)
        while !lines.isFull, let token = tokens.next() {
            switch token {
            case .text(let bytes): add(CharacterReference.text(bytes))
            case .verbatim(let bytes): add(String(decoding: bytes, as: UTF8.self))
            case .declaration: continue
            case .open(let tag):
                if isLeftOut(tag) { skip(tag.name, &tokens) } else { open(tag) }
            case .close(let name): close(name)
            }
        }
        lines.end()
        if let start = mainStart, mainRange == nil { mainRange = start..<max(start, lines.count) }
        title = title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private mutating func add(_ text: String) {
        if isInTitle {
            if title.utf8.count < 1_000 { title += text }
        } else if !isInHead {
            lines.add(text)
        }
    }

    // MARK: - Ignored elements

    private static let leftOut: Set<String> = [
        "noscript", "template", "svg", "iframe", "object", "canvas", "nav", "select", "button",
        "textarea", "audio", "video", "dialog",
    ]

    private func isLeftOut(_ tag: HTMLTokenizer.Tag) -> Bool {
        if tag.isEmpty || Self.void.contains(tag.name) { return false }
        if Self.leftOut.contains(tag.name) { return true }
        // Never these elements, whatever their attributes say.
        if ["html", "body", "main", "article"].contains(tag.name) { return false }
        if tag["hidden"] != nil || tag["aria-hidden"] == "true" { return true }
        return ["navigation", "search", "menu"].contains(tag["role"] ?? "")
    }

    /// Skips to the end of the element, including nested ones of the same name. An element
    /// without an end tag is read instead, so that a forgotten tag loses no text.
    private mutating func skip(_ name: String, _ tokens: inout HTMLTokenizer) {
        guard patience > 0 else { return }
        let start = tokens
        var depth = 1
        while let token = tokens.next() {
            switch token {
            case .open(let tag) where tag.name == name && !tag.isEmpty: depth += 1
            case .close(name):
                depth -= 1
                if depth == 0 { return }
            default: break
            }
        }
        patience -= 1
        tokens = start
    }

    private static let void: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param",
        "source", "track", "wbr",
    ]

    // MARK: - Elements

    private mutating func open(_ tag: HTMLTokenizer.Tag) {
        let name = tag.name
        // A forgotten end of the title or the head loses nothing.
        if name != "title" { isInTitle = false }
        if !Self.inHead.contains(name) { isInHead = false }
        switch name {
        case "head": isInHead = true
        case "title": isInTitle = title.isEmpty && !tag.isEmpty
        case "base": if let address = tag["href"] { base = PageLinks(page: base.absolute(address)) }
        case "main": begin(main: true)
        case "a": if let target = tag["href"].flatMap(base.link) { lines.begin(.link(target)) }
        case "b", "strong": lines.begin(.strong)
        case "i", "em", "cite", "var": lines.begin(.emphasis)
        case "code", "kbd", "samp", "tt":
            if lines.isCode { lines.name(Self.language(tag)) } else { lines.begin(.code) }
        case "del", "s", "strike": lines.begin(.struck)
        case "q": lines.add("\"")
        case "br": lines.breakLine()
        case "img": if let text = tag["alt"], !text.isEmpty { lines.add("[image: \(text)]") }
        case "h1", "h2", "h3", "h4", "h5", "h6":
            lines.beginHeading(name.utf8.last.map { Int($0) - 0x30 } ?? 1)
        case "ul", "menu", "dl": lines.beginList(from: nil)
        case "ol": lines.beginList(from: tag["start"].flatMap(Int.init) ?? 1)
        case "li": lines.beginItem()
        case "dt": lines.endItem()
        case "dd": lines.beginTerm()
        case "blockquote": lines.beginQuote()
        case "pre": lines.beginCode(Self.language(tag))
        case "hr": lines.rule()
        case "table": lines.beginTable()
        case "tr": lines.beginRow()
        case "td", "th": lines.beginCell()
        default:
            if tag["role"] == "main" { begin(main: true) }
            if Self.blocks.contains(name) { lines.endBlock() }
        }
    }

    private mutating func close(_ name: String) {
        switch name {
        case "head": isInHead = false
        case "title": isInTitle = false
        case "main": begin(main: false)
        case "a": lines.endLink()
        case "b", "strong": lines.end(.strong)
        case "i", "em", "cite", "var": lines.end(.emphasis)
        case "code", "kbd", "samp", "tt": lines.end(.code)
        case "del", "s", "strike": lines.end(.struck)
        case "q": lines.add("\"")
        case "ul", "ol", "menu", "dl": lines.endList()
        case "li", "dd": lines.endItem()
        case "blockquote": lines.endQuote()
        case "pre": lines.endCode()
        case "table": lines.endTable()
        case "tr": lines.endRow()
        case "td", "th": lines.endCell()
        default: if Self.blocks.contains(name) { lines.endBlock() }
        }
    }

    private mutating func begin(main: Bool) {
        lines.endBlock()
        if main {
            if mainStart == nil { mainStart = lines.count }
        } else if let start = mainStart, mainRange == nil {
            mainRange = start..<max(start, lines.count)
        }
    }

    /// `<pre class="language-swift">`, as highlighters write it.
    private static func language(_ tag: HTMLTokenizer.Tag) -> String {
        for word in tag.words("class") {
            for start in ["language-", "lang-"] where word.hasPrefix(start) {
                return String(word.dropFirst(start.count).prefix { $0.isLetter || $0.isNumber })
            }
        }
        return ""
    }

    private static let inHead: Set<String> = [
        "head", "title", "meta", "link", "script", "style", "base", "noscript", "template",
    ]

    private static let blocks: Set<String> = [
        "p", "div", "section", "article", "header", "footer", "aside", "address", "figure",
        "figcaption", "form", "fieldset", "legend", "details", "summary", "center", "caption",
        "h1", "h2", "h3", "h4", "h5", "h6", "option",
    ]
}
