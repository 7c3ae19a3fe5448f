/// Finds the start and end of HTML blocks (CommonMark 4.6). They are shown as written;
/// recognizing them keeps their lines from being parsed as Markdown.
enum HTMLBlock {
    enum Kind: Int, Equatable, Sendable {
        case verbatim = 1
        case comment, instruction, declaration, cdata, blockTag, anyTag

        init?(startOf line: ArraySlice<UInt8>, mayInterrupt: Bool) {
            let bytes = Array(line)
            let head = String(decoding: bytes.prefix(16), as: UTF8.self).lowercased()
            if head.hasPrefix("<!--") {
                self = .comment
            } else if head.hasPrefix("<?") {
                self = .instruction
            } else if head.hasPrefix("<![cdata[") {
                guard bytes.prefix(9) == ArraySlice("<![CDATA[".utf8) else { return nil }
                self = .cdata
            } else if head.hasPrefix("<!"), bytes.count > 2, ByteClass.isLetter(bytes[2]) {
                self = .declaration
            } else if let tag = Self.tag(bytes) {
                if ["script", "pre", "style", "textarea"].contains(tag.name), !tag.isClosing,
                    !tag.endsAtSlash
                {
                    self = .verbatim
                } else if HTMLBlock.names.contains(tag.name) {
                    self = .blockTag
                } else if mayInterrupt, Self.isWholeTag(bytes) {
                    self = .anyTag
                } else {
                    return nil
                }
            } else {
                return nil
            }
        }

        var endsAtBlank: Bool { self == .blockTag || self == .anyTag }

        func ends(in line: [UInt8]) -> Bool {
            switch self {
            case .verbatim:
                let text = String(decoding: line, as: UTF8.self).lowercased()
                return ["</script>", "</pre>", "</style>", "</textarea>"].contains {
                    InlineHTML.contains(Array(text.utf8), Array($0.utf8))
                }
            case .comment: return InlineHTML.contains(line, Array("-->".utf8))
            case .instruction: return InlineHTML.contains(line, Array("?>".utf8))
            case .declaration: return line.contains(UInt8(ascii: ">"))
            case .cdata: return InlineHTML.contains(line, Array("]]>".utf8))
            case .blockTag, .anyTag: return false
            }
        }

        /// The lowercase name of the tag at the start of a line, if white space, `>` or
        /// `/>` follows.
        private static func tag(
            _ bytes: [UInt8]
        ) -> (name: String, isClosing: Bool, endsAtSlash: Bool)? {
            let isClosing = bytes.count > 1 && bytes[1] == UInt8(ascii: "/")
            let start = isClosing ? 2 : 1
            var end = start
            while end < bytes.count, ByteClass.isWord(bytes[end]) || bytes[end] == 0x2D { end += 1 }
            guard end > start, end - start < 40 else { return nil }
            let name = String(decoding: bytes[start..<end], as: UTF8.self).lowercased()
            if end == bytes.count || ByteClass.isSpace(bytes[end]) || bytes[end] == 0x3E {
                return (name, isClosing, false)
            }
            guard bytes[end] == 0x2F, end + 1 < bytes.count, bytes[end + 1] == 0x3E else {
                return nil
            }
            return (name, isClosing, true)
        }

        /// Whether the line is one complete tag and nothing else.
        private static func isWholeTag(_ bytes: [UInt8]) -> Bool {
            guard case .ends(let end) = InlineHTML.tag(bytes, at: 0) else { return false }
            return bytes[end...].allSatisfy(ByteClass.isSpace)
        }
    }

    private static let names: Set<String> = [
        "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption",
        "center", "col", "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt",
        "fieldset", "figcaption", "figure", "footer", "form", "frame", "frameset", "h1", "h2",
        "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "iframe", "legend", "li", "link",
        "main", "menu", "menuitem", "nav", "noframes", "ol", "optgroup", "option", "p", "param",
        "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "title",
        "tr", "track", "ul",
    ]
}
