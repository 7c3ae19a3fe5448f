import AgentCore

/// The text of HTML, as it is pasted from a page or stands in Markdown: without
/// tags, with a line for each block, and entities as their characters. Pure and
/// tolerant: it reads what browsers read, and fails on nothing.
package enum MarkupText {
    /// Whether a text holds tags that tell of HTML, more than a stray `<br>`.
    package static func isMarkup(_ text: String) -> Bool {
        var rest = text[...]
        var count = 0
        while let open = rest.firstIndex(of: "<") {
            rest = rest[rest.index(after: open)...]
            let name = rest.drop { $0 == "/" || $0 == "!" }
                .prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }.lowercased()
            guard known.contains(name), rest.contains(">") else { continue }
            count += 1
            if count >= 2 || name == "html" || name == "doctype" { return true }
        }
        return false
    }

    package static func plain(_ text: String) -> String {
        var output = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "<") {
            output += rest[..<open]
            let after = rest[rest.index(after: open)...]
            if after.hasPrefix("!--") {
                rest = after.firstRange(of: "-->").map { after[$0.upperBound...] } ?? ""
                continue
            }
            let name = after.drop { $0 == "/" }
                .prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }.lowercased()
            guard !name.isEmpty || after.first == "!" || after.first == "?",
                let close = end(of: after)
            else {
                output.append("<")
                rest = after
                continue
            }
            let isEnd = after.first == "/"
            let inner = after[..<close]
            rest = after[after.index(after: close)...]
            if !isEnd, name == "script" || name == "style" || name == "head" {
                // Nothing of these is text.
                let ending = "</\(name)"
                rest = Self.skip(rest, to: ending)
                continue
            }
            // "<max@muster.de>" is no tag.
            if !known.contains(name), inner.contains("@") || inner.contains("://") {
                output += "<\(inner)>"
            } else if name == "li", !isEnd {
                output += "\n- "
            } else if name == "td" || name == "th" {
                if isEnd { output += "    " }
            } else if blocks.contains(name) {
                // A paragraph in an item of a list is the item.
                if output.hasSuffix("- ") { continue }
                output += name == "br" || name == "tr" ? "\n" : "\n\n"
                if !isEnd, name.count == 2, name.first == "h", name != "hr" { output += "# " }
            }
        }
        return unescaped(output + rest)
    }

    private static func skip(_ text: Substring, to ending: String) -> Substring {
        var rest = text
        while let open = rest.firstIndex(of: "<") {
            let after = rest[open...]
            if after.prefix(ending.count).lowercased() == ending {
                guard let close = after.firstIndex(of: ">") else { return "" }
                return after[after.index(after: close)...]
            }
            rest = after.dropFirst()
        }
        return ""
    }

    /// Where a tag ends: a `>` in quotes does not end it.
    private static func end(of tag: Substring) -> Substring.Index? {
        var quote: Character?
        for index in tag.indices {
            let character = tag[index]
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                let before = tag[..<index].last
                if before == "=" { quote = character }
            } else if character == ">" {
                return index
            } else if character == "<" {
                return nil
            }
        }
        return nil
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

    /// `&amp;`, `&#8211;`, `&#x2013;`; what is none stays.
    package static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var output = ""
        var rest = text[...]
        while let sign = rest.firstIndex(of: "&") {
            output += rest[..<sign]
            let after = rest[rest.index(after: sign)...]
            let name = after.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "#") }
            if let character = character(String(name)), name.count <= 10 {
                output += character
                rest = after[name.endIndex...]
                if rest.first == ";" { rest = rest.dropFirst() }
            } else {
                output.append("&")
                rest = after
            }
        }
        return output + rest
    }

    private static func character(_ name: String) -> String? {
        if name.hasPrefix("#") {
            let digits = name.dropFirst()
            let value =
                digits.first == "x" || digits.first == "X"
                ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return value.flatMap(Unicode.Scalar.init).map { String($0) }
        }
        return entities[name]
    }

    private static let entities: [String: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–",
        "mdash": "—", "bull": "•", "middot": "·", "hellip": "…", "rsquo": "’", "lsquo": "‘",
        "rdquo": "”", "ldquo": "“", "laquo": "«", "raquo": "»", "bdquo": "„", "euro": "€",
        "pound": "£", "copy": "©", "reg": "®", "trade": "™", "shy": "", "zwnj": "", "ensp": " ",
        "emsp": " ", "thinsp": " ", "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä",
        "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß", "eacute": "é", "Eacute": "É", "egrave": "è",
        "ecirc": "ê", "euml": "ë", "agrave": "à", "aacute": "á", "acirc": "â", "atilde": "ã",
        "aring": "å", "Aring": "Å", "aelig": "æ", "AElig": "Æ", "ccedil": "ç", "Ccedil": "Ç",
        "iacute": "í", "igrave": "ì", "icirc": "î", "iuml": "ï", "ntilde": "ñ", "Ntilde": "Ñ",
        "oacute": "ó", "ograve": "ò", "ocirc": "ô", "otilde": "õ", "oslash": "ø", "Oslash": "Ø",
        "oelig": "œ", "uacute": "ú", "ugrave": "ù", "ucirc": "û", "yacute": "ý", "deg": "°",
        "sect": "§", "times": "×", "frac12": "½", "lsaquo": "‹", "rsaquo": "›", "sbquo": "‚",
        "scaron": "š", "Scaron": "Š", "rarr": "→", "larr": "←", "check": "✓", "ordm": "º",
        "ordf": "ª", "iexcl": "¡", "iquest": "¿", "plusmn": "±", "sup2": "²", "sup3": "³",
    ]
}
