@testable import TerminalKit

/// Converts the tree to HTML. Everything is escaped; HTML in the text is shown as text, and
/// addresses that could run code are removed.
extension MarkdownDocument {
    func html() -> String {
        var writer = HTMLWriter()
        writer.write(blocks, isTight: false)
        return writer.out
    }
}

private struct HTMLWriter {
    var out = ""

    mutating func write(_ blocks: [MarkdownDocument.Block], isTight: Bool) {
        for block in blocks { write(block, isTight: isTight) }
    }

    private mutating func newLine() {
        if !out.isEmpty, out.utf8.last != 0x0A { out += "\n" }
    }

    private mutating func write(_ block: MarkdownDocument.Block, isTight: Bool) {
        if case .paragraph(let text) = block, isTight { return write(text) }
        newLine()
        switch block {
        case .paragraph(let text):
            out += "<p>"
            write(text)
            out += "</p>\n"
        case .heading(let level, let text):
            out += "<h\(level)>"
            write(text)
            out += "</h\(level)>\n"
        case .rule: out += "<hr />\n"
        case .code(let info, let text):
            let language = info.prefix { !$0.isWhitespace }
            let name =
                language.isEmpty ? "" : " class=\"language-\(HTMLText.escaped(String(language)))\""
            out += "<pre><code\(name)>\(HTMLText.escaped(text))</code></pre>\n"
        case .html(let text):
            out += "<pre class=\"html\">\(HTMLText.escaped(text))</pre>\n"
        case .quote(let blocks):
            out += "<blockquote>\n"
            write(blocks, isTight: false)
            newLine()
            out += "</blockquote>\n"
        case .list(let list): write(list)
        case .table(let table): write(table)
        }
    }

    private mutating func write(_ list: MarkdownDocument.List) {
        let tag = list.start == nil ? "ul" : "ol"
        out += "<\(tag)"
        if let start = list.start, start != 1 { out += " start=\"\(start)\"" }
        out += ">\n"
        for item in list.items {
            out += "<li>"
            if let isDone = item.isDone {
                out += "<input type=\"checkbox\"\(isDone ? " checked=\"\"" : "") disabled=\"\" /> "
            }
            write(item.blocks, isTight: !list.isLoose)
            out += "</li>\n"
        }
        out += "</\(tag)>\n"
    }

    private mutating func write(_ table: MarkdownDocument.Table) {
        out += "<table>\n<thead>\n"
        for (index, row) in table.rows.enumerated() {
            if index == 1 { out += "<tbody>\n" }
            out += "<tr>\n"
            let tag = index == 0 ? "th" : "td"
            for (cell, alignment) in zip(row, table.alignments) {
                out += "<\(tag)"
                if alignment != .none { out += " align=\"\(alignment)\"" }
                out += ">"
                write(cell)
                out += "</\(tag)>\n"
            }
            out += "</tr>\n"
            if index == 0 { out += "</thead>\n" }
        }
        if table.rows.count > 1 { out += "</tbody>\n" }
        out += "</table>\n"
    }

    // MARK: - Inlines

    private mutating func write(_ text: InlineText) {
        /// An image contains only text.
        var imageDepth = 0
        for piece in text.pieces {
            switch piece {
            case .text(let range): out += HTMLText.escaped(text.string(range))
            case .code(let range):
                let code = HTMLText.escaped(text.string(range))
                out += imageDepth > 0 ? code : "<code>\(code)</code>"
            case .html(let range):
                let html = HTMLText.escaped(text.string(range))
                out += imageDepth > 0 ? html : "<code class=\"html\">\(html)</code>"
            case .softBreak: out += imageDepth > 0 ? " " : "\n"
            case .hardBreak: out += imageDepth > 0 ? " " : "<br />\n"
            case .open(let style): if imageDepth == 0 { out += "<\(Self.tag(style))>" }
            case .close(let style): if imageDepth == 0 { out += "</\(Self.tag(style))>" }
            case .openLink(let index):
                let link = text.links[index]
                if link.isImage {
                    if imageDepth == 0 { out += "<img src=\"\(Self.address(link.url))\" alt=\"" }
                    imageDepth += 1
                } else if imageDepth == 0 {
                    out += "<a href=\"\(Self.address(link.url))\"\(Self.title(link))>"
                }
            case .closeLink(let index):
                let link = text.links[index]
                if link.isImage {
                    imageDepth -= 1
                    if imageDepth == 0 { out += "\"\(Self.title(link)) />" }
                } else if imageDepth == 0 {
                    out += "</a>"
                }
            }
        }
    }

    private static func tag(_ style: InlineText.Style) -> String {
        switch style {
        case .emphasis: "em"
        case .strong: "strong"
        case .strike: "del"
        }
    }

    private static func title(_ link: InlineText.Link) -> String {
        link.title.map { $0.isEmpty ? "" : " title=\"\(HTMLText.escaped($0))\"" } ?? ""
    }

    private static func address(_ url: String) -> String {
        // Browsers ignore control characters and spaces before and in a scheme.
        let plain = url.lowercased().unicodeScalars.filter { $0.value > 0x20 && $0.value != 0x7F }
        let text = String(String.UnicodeScalarView(plain))
        for scheme in ["javascript:", "vbscript:", "data:", "file:"] where text.hasPrefix(scheme) {
            return ""
        }
        var out = ""
        for byte in url.utf8 {
            switch byte {
            case UInt8(ascii: "&"): out += "&amp;"
            case UInt8(ascii: "'"): out += "&#x27;"
            case _ where ByteClass.isWord(byte) || "-_.+!*(),%#@?=;:/$~".utf8.contains(byte):
                out.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                out += "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        return out
    }
}
