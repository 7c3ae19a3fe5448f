import TerminalKit

/// Formatted text as it is read aloud: words without marks, links by their text, images by
/// their description, bare addresses by their host. Pure.
///
/// HTML, struck-through text, marks of footnotes and sources, and emoji are left out.
enum SpokenInlines {
    /// - Parameter raw: the Markdown of a paragraph, a heading or a cell.
    static func text(_ raw: [UInt8], _ references: LinkReferences) -> String {
        text(InlineParser.parse(raw, references))
    }

    /// Whether later text cannot change how this is read.
    static func isStable(_ raw: [UInt8], _ references: LinkReferences) -> Bool {
        !InlineParser.parse(raw, references).isOpen
    }

    static func text(_ inlines: InlineText) -> String {
        var out = ""
        /// Links that are being read, and their text so far.
        var links: [(url: String, label: String)] = []
        /// Depth of struck-through text, which is withdrawn and so not read.
        var struck = 0
        func add(_ text: String) {
            if struck > 0 { return }
            if links.isEmpty { out += text } else { links[links.count - 1].label += text }
        }
        for piece in inlines.pieces {
            switch piece {
            case .text(let range), .code(let range): add(inlines.string(range))
            case .open(.strike): struck += 1
            case .close(.strike): struck -= 1
            case .html, .open, .close: break
            case .softBreak: add(" ")
            case .hardBreak: add("\n\n")
            // The parser's indices are those of its links.
            case .openLink(let index): links.append((inlines.links[index].url, ""))
            case .closeLink:
                guard let link = links.popLast() else { break }
                add(host(link.label, of: link.url) ?? link.label)
            }
        }
        return cleaned(out)
    }

    /// The host, if a link shows its address and nothing else.
    private static func host(_ label: String, of url: String) -> String? {
        let shown = bare(label)
        guard !shown.isEmpty, shown == bare(url) else { return nil }
        if url.hasPrefix("mailto:") { return label }
        let host = shown.prefix { !"/?#:".contains($0) }
        let plain = host.hasPrefix("www.") ? host.dropFirst(4) : host
        return plain.isEmpty ? nil : String(plain)
    }

    private static func bare(_ address: String) -> String {
        var text = Substring(address)
        for scheme in ["https://", "http://", "ftp://", "mailto:"] where text.hasPrefix(scheme) {
            text = text.dropFirst(scheme.count)
        }
        while text.hasSuffix("/") { text = text.dropLast() }
        return String(text)
    }

    // MARK: - Characters

    /// The text without emoji, `[^1]` and `【3†source】`.
    private static func cleaned(_ text: String) -> String {
        var out = ""
        var rest = text[...]
        while let character = rest.first {
            if character == "[", rest.dropFirst().first == "^", let end = rest.firstIndex(of: "]"),
                !rest[..<end].contains(where: \.isWhitespace)
            {
                rest = rest[rest.index(after: end)...]
            } else if character == "【", let end = rest.firstIndex(of: "】"),
                rest[..<end].contains("†")
            {
                rest = rest[rest.index(after: end)...]
            } else {
                if !isEmoji(character) { out.append(character) }
                rest = rest.dropFirst()
            }
        }
        return out
    }

    private static func isEmoji(_ character: Character) -> Bool {
        guard let first = character.unicodeScalars.first, first.value > 0xFF else { return false }
        if first.properties.isEmojiPresentation { return true }
        // A heart, an arrow, a check mark: an emoji with this variation selector.
        if character.unicodeScalars.contains("\u{FE0F}") { return first.properties.isEmoji }
        switch first.value {
        // Arrows stay; boxes, shapes, dingbats and braille are drawings.
        case 0x2500...0x25FF, 0x2700...0x27BF, 0x2800...0x28FF, 0x1F000...0x1FAFF, 0x2022:
            return true
        default: return false
        }
    }
}
