import Base
import Documents
import FoundationEssentials

/// A story as an EPUB 3 (EPUB 3.3): its cover, a file for each chapter, and the contents.
/// Pure.
///
/// Lines broken to fit a page are joined again; short lines, such as verse, and all lines
/// of imported books stay separate.
struct StoryEPUB {
    var title: String
    var story: Story
    var text: String
    /// A UUID.
    var uid: String
    var modified: Date
    /// Shown by readers in their lists, and as the first page.
    var cover: CoverPicture?

    /// Paragraphs of lines, after a heading.
    private struct Section {
        var name: String
        /// Title in the contents; nil for text before the first chapter.
        var title: String?
        var heading: [String] = []
        var paragraphs: [[String]] = []
    }

    func bytes() throws -> [UInt8] {
        let sections = sections()
        return try ZipWriter.bytes { archive in
            // Readers detect the format by the first bytes, so it is first, uncompressed
            // and without a time (OCF 4.3).
            try archive.add("mimetype", Array("application/epub+zip".utf8), method: .stored)
            try archive.add("META-INF/container.xml", Array(Self.container.utf8))
            try archive.add("EPUB/package.opf", Array(package(sections).utf8))
            try archive.add("EPUB/nav.xhtml", Array(contents(sections).utf8))
            try archive.add("EPUB/style.css", Array(Self.style.utf8))
            if let cover {
                // Already compressed.
                try archive.add("EPUB/\(Self.coverFile(cover))", cover.bytes, method: .stored)
                try archive.add("EPUB/cover.xhtml", Array(coverPage(cover).utf8))
            }
            for section in sections {
                try archive.add("EPUB/\(section.name).xhtml", Array(page(section).utf8))
            }
        }
    }

    // MARK: - Text

    private func sections() -> [Section] {
        let bytes = Array(text.utf8)
        let ranges = story.ranges(end: bytes.count)
        let width = wrapWidth(bytes)
        var sections: [Section] = []
        let front = 0..<(ranges.first?.lowerBound ?? bytes.count)
        let frontText = paragraphs(bytes[front], width)
        if !frontText.isEmpty {
            sections.append(
                Section(
                    name: "front", title: ranges.isEmpty ? title : nil, paragraphs: frontText))
        }
        for (index, range) in ranges.enumerated() {
            var found = paragraphs(bytes[range], width)
            var heading: [String] = []
            let first = found.first ?? []
            if first.count <= 4, first.reduce(0, { $0 + $1.utf8.count }) <= 200 {
                heading = first
                if !found.isEmpty { found.removeFirst() }
            }
            if story.format == .markdown {
                heading = heading.map { String($0.trimming { $0 == "#" || $0 == " " }) }
            }
            sections.append(
                Section(
                    name: "chapter-\(index + 1)", title: story.chapters[index].title,
                    heading: heading, paragraphs: found))
        }
        return sections
    }

    /// Usual length of full lines in bytes; nil if each paragraph is one line.
    private func wrapWidth(_ bytes: [UInt8]) -> Int? {
        guard story.format == .text || story.format == .markdown else { return nil }
        var widths: [Int] = []
        for line in bytes.split(separator: 0x0A).prefix(20_000) where line.count > 1 {
            widths.append(line.count)
        }
        widths.sort()
        guard let usual = widths.isEmpty ? nil : widths[widths.count * 9 / 10], usual >= 50,
            usual <= 120
        else { return nil }
        return usual
    }

    private func paragraphs(_ bytes: ArraySlice<UInt8>, _ width: Int?) -> [[String]] {
        var paragraphs: [[String]] = []
        var lines: [String] = []
        // Length of the previous line in the source.
        var length = 0
        func isShort(_ count: Int) -> Bool { width.map { count * 2 < $0 } ?? true }
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let text = Self.words(line)
            if text.isEmpty {
                if !lines.isEmpty { paragraphs.append(lines) }
                lines = []
                continue
            }
            let isIndented = line.prefix(4).allSatisfy { $0 == 0x20 || $0 == 0x09 }
            if lines.isEmpty || isShort(length) || isIndented {
                lines.append(text)
            } else {
                lines[lines.count - 1] += " " + text
            }
            length = line.count
        }
        return lines.isEmpty ? paragraphs : paragraphs + [lines]
    }

    private static func words(_ line: ArraySlice<UInt8>) -> String {
        String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
    }

    // MARK: - Files

    private static let container = """
        <?xml version="1.0" encoding="UTF-8"?>
        <container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
          <rootfiles>
            <rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/>
          </rootfiles>
        </container>

        """
    private static let style = """
        body { line-height: 1.4; }
        h1 { font-size: 1.4em; margin: 2em 0 1em; text-align: center; }
        p { margin: 0; text-indent: 1.2em; }
        h1 + p, h2 + p, .break + p { text-indent: 0; }
        .break { margin: 1em 0; text-align: center; text-indent: 0; }
        .cover { text-align: center; text-indent: 0; }
        .cover img { max-width: 100%; max-height: 100vh; }

        """

    private var language: String { story.language ?? "und" }

    private func package(_ sections: [Section]) -> String {
        let author = story.author.map {
            "\n    <dc:creator id=\"author\">\(Self.escaped($0))</dc:creator>"
        }
        let pages = sections.map { section in
            "\n    <item id=\"\(section.name)\" href=\"\(section.name).xhtml\" "
                + "media-type=\"application/xhtml+xml\"/>"
        }
        let pictured = cover.map { cover in
            """

                <item id="cover-image" href="\(Self.coverFile(cover))" \
            media-type="\(cover.mediaType)" properties="cover-image"/>
                <item id="cover" href="cover.xhtml" media-type="application/xhtml+xml"/>
            """
        }
        // For EPUB 2 readers.
        let named = cover.map { _ in "\n    <meta name=\"cover\" content=\"cover-image\"/>" }
        let first = cover.map { _ in "\n    <itemref idref=\"cover\"/>" }
        let order = sections.map { "\n    <itemref idref=\"\($0.name)\"/>" }
        // RFC 3339 in UTC, as EPUB 3.3 §5.5.6 requires.
        let time = LocalTime(.utc).isoText(modified).prefix(19)
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
              <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
                <dc:identifier id="id">urn:uuid:\(Self.escaped(uid))</dc:identifier>
                <dc:title>\(Self.escaped(title))</dc:title>
                <dc:language>\(Self.escaped(language))</dc:language>\(author ?? "")
                <meta property="dcterms:modified">\(time)Z</meta>\(named ?? "")
              </metadata>
              <manifest>
                <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" \
            properties="nav"/>
                <item id="style" href="style.css" media-type="text/css"/>\(pictured ?? "")\(pages.joined())
              </manifest>
              <spine>\(first ?? "")\(order.joined())
              </spine>
            </package>

            """
    }

    private static func coverFile(_ cover: CoverPicture) -> String { "cover.\(cover.ending)" }

    private func coverPage(_ cover: CoverPicture) -> String {
        document(
            title,
            """
              <p class="cover"><img src="\(Self.coverFile(cover))" \
            alt="\(Self.escaped(title))"/></p>
            """, kind: "cover")
    }

    private func contents(_ sections: [Section]) -> String {
        let entries = sections.compactMap { section in
            section.title.map {
                "\n      <li><a href=\"\(section.name).xhtml\">\(Self.escaped($0))</a></li>"
            }
        }
        return document(
            title,
            """
              <nav epub:type="toc" id="toc">
                <h1>\(Self.escaped(title))</h1>
                <ol>\(entries.joined())
                </ol>
              </nav>
            """)
    }

    private func page(_ section: Section) -> String {
        var body = ""
        if !section.heading.isEmpty { body += "  <h1>\(lines(section.heading))</h1>\n" }
        for paragraph in section.paragraphs {
            if paragraph.allSatisfy({ $0.allSatisfy { $0 == "*" || $0 == " " } }) {
                // A scene break, unchanged: readers of the text find it again.
                body += "  <p class=\"break\">\(Self.lines(paragraph))</p>\n"
            } else if story.format == .markdown, Self.isRule(paragraph) {
                body += "  <p class=\"break\">* * *</p>\n"
            } else if story.format == .markdown, paragraph.count == 1, paragraph[0].first == "#" {
                let heading = paragraph[0].trimming { $0 == "#" || $0 == " " }
                body += "  <h2>\(lines([String(heading)]))</h2>\n"
            } else {
                body += "  <p>\(lines(paragraph))</p>\n"
            }
        }
        return document(section.title ?? title, body)
    }

    /// - Parameter kind: a term of the EPUB Structural Semantics Vocabulary.
    private func document(_ title: String, _ body: String, kind: String? = nil) -> String {
        let type = kind.map { " epub:type=\"\($0)\"" } ?? ""
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE html>
            <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" \
            lang="\(Self.escaped(language))" xml:lang="\(Self.escaped(language))">
            <head>
              <title>\(Self.escaped(title))</title>
              <link rel="stylesheet" type="text/css" href="style.css"/>
            </head>
            <body\(type)>
            \(body)
            </body>
            </html>

            """
    }

    /// Lines of a paragraph; stressed words become elements if the text marks them.
    private func lines(_ lines: [String]) -> String {
        guard story.format == .text || story.format == .markdown else { return Self.lines(lines) }
        return StressedText.xhtml(lines.joined(separator: "\n"), escaped: Self.escaped)
            .replacing("\n", with: "<br/>\n")
    }

    private static func lines(_ lines: [String]) -> String {
        lines.map(escaped).joined(separator: "<br/>\n")
    }

    /// Three or more of one mark in Markdown (CommonMark 0.31, §4.1).
    private static func isRule(_ paragraph: [String]) -> Bool {
        guard paragraph.count == 1, let mark = paragraph[0].first, "-_".contains(mark) else {
            return false
        }
        let marks = paragraph[0].filter { $0 != " " }
        return marks.count >= 3 && marks.allSatisfy { $0 == mark }
    }

    /// Escapes text and attributes for XML 1.0, which does not allow most controls (§2.2).
    private static func escaped(_ text: String) -> String {
        MarkupText.escaped(text, quotes: true) { scalar in
            switch scalar {
            case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}":
                true
            default: false
            }
        }
    }
}
