/// The text of HTML, pasted from a page or contained in Markdown: without tags, with a line for
/// each block, and references decoded. Pure and tolerant: it reads whatever browsers read, and
/// never fails.
package enum MarkupText {
    /// Whether a text contains tags typical of HTML, more than a stray `<br>`.
    package static func isMarkup(_ text: String) -> Bool {
        var tokens = HTMLTokenizer(text)
        var count = 0
        while let token = tokens.next() {
            let name: String
            switch token {
            case .open(let tag): name = tag.name
            case .close(let closed): name = closed
            case .declaration(let declared): name = declared
            case .text, .verbatim: continue
            }
            guard known.contains(name) else { continue }
            count += 1
            if count >= 2 || name == "html" || name == "doctype" { return true }
        }
        return false
    }

    package static func plain(_ text: String) -> String {
        var tokens = HTMLTokenizer(text)
        var output = ""
        var isInHead = false
        var isBetween = false
        while let token = tokens.next() {
            switch token {
            case .text(let bytes):
                if !isInHead { output += unescaped(String(decoding: bytes, as: UTF8.self)) }
            case .verbatim(let bytes): output += String(decoding: bytes, as: UTF8.self)
            case .declaration: continue
            case .open(let tag):
                if tag.name == "head", !tag.isEmpty { isInHead = true }
                if tag.name == "body" { isInHead = false }
                if isInHead { continue }
                let source = String(decoding: tag.source, as: UTF8.self)
                // "<span>Lead</span><span>Acme</span>" is two words.
                if isBetween, output.last?.isWhitespace == false { output += "  " }
                // "<max@muster.de>" is not a tag.
                if !known.contains(tag.name), source.contains("@") || source.contains("://") {
                    output += unescaped(source)
                } else if tag.name == "li" {
                    output += "\n- "
                } else {
                    addBreak(&output, tag.name, isEnd: false)
                }
            case .close(let name):
                if name == "head" { isInHead = false }
                if isInHead { continue }
                if name == "td" || name == "th" { output += "    " }
                addBreak(&output, name, isEnd: true)
            }
            if case .close = token { isBetween = true } else { isBetween = false }
        }
        return output
    }

    private static func addBreak(_ output: inout String, _ name: String, isEnd: Bool) {
        // A paragraph in an item of a list is the item.
        guard blocks.contains(name), !output.hasSuffix("- ") else { return }
        output += name == "br" || name == "tr" ? "\n" : "\n\n"
        if !isEnd, name.count == 2, name.first == "h", name != "hr" { output += "# " }
    }

    private static let blocks: Set<String> = [
        "p", "div", "br", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "tr", "table", "section",
        "article", "header", "footer", "hr", "dl", "dt", "dd", "blockquote", "pre", "main", "aside",
        "nav", "title", "address", "figure", "form",
    ]

    private static let known: Set<String> = blocks.union([
        "html", "body", "head", "span", "a", "b", "i", "strong", "em", "u", "li", "td", "th",
        "thead", "tbody", "img", "style", "script", "meta", "link", "small", "sup", "sub", "font",
        "center", "doctype", "button", "svg", "path", "input", "label", "code", "time", "picture",
    ])

    // MARK: - Entities

    /// Escapes markup (XML 1.0 §2.4); with `quotes` also for an attribute in double quotes.
    /// - Parameter isDropped: characters that are left out.
    package static func escaped(
        _ text: some StringProtocol, quotes: Bool = false,
        without isDropped: (Unicode.Scalar) -> Bool = { _ in false }
    ) -> String {
        var output = ""
        output.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"" where quotes: output += "&quot;"
            default: if !isDropped(scalar) { output.unicodeScalars.append(scalar) }
            }
        }
        return output
    }

    /// Decodes `&amp;`, `&#8211;`, `&#x2013;`; anything else stays. Spaces of any width
    /// become spaces, and characters that only allow line breaks are left out.
    package static func unescaped(_ text: String) -> String {
        CharacterReference.text(Array(text.utf8)[...], instead: spaces)
    }

    private static let spaces = [
        "\u{A0}": " ", "\u{2002}": " ", "\u{2003}": " ", "\u{2009}": " ", "\u{AD}": "",
        "\u{200C}": "",
    ]
}
