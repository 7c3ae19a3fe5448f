import Base

/// Reads documents that contain prose: text in any encoding, Markdown, HTML, EPUB, PDF, RTF, and
/// MOBI and FB2 where calibre is installed; recognised by content and then by name.
///
/// Blocks, except for the program that reads PDFs.
package struct DocumentReader: Sendable {
    private let pdf: PDFText
    private let ebooks: EbookConversion

    /// - Parameter variables: environment variables, for `pdftotext` and `ebook-convert`.
    package init(variables: [String: String]) {
        pdf = PDFText(variables: variables)
        ebooks = EbookConversion(variables: variables)
    }

    /// Maximum bytes of a file, which is read whole: a PDF with its pictures. An EPUB, from which only
    /// the text is unpacked, may have any size.
    package static let fileLimit = 64 << 20
    /// Maximum bytes of the text: about ten long novels. Dividing it into paragraphs takes up to 28
    /// times its size in memory.
    package static let textLimit = 16 << 20
    /// Maximum bytes of a line of text, a paragraph: a short novel. It is searched as a whole for who
    /// says what, and shown as one.
    static let lineLimit = 1 << 20

    /// - Parameters:
    ///   - path: absolute, or relative to the working folder.
    ///   - shown: the path as typed by the user, for errors.
    /// - Throws: `DocumentError`, `PDFTextError`.
    package func read(path: String, shown: String) async throws -> ReadDocument {
        let ending = FilePath.name(path).split(separator: ".").dropFirst().last?.lowercased() ?? ""
        let (file, bytes) = try Self.open(path, shown) { file throws(OpenFile.Failure) in
            let head = try file.read(at: 0, count: min(file.size, 4))
            return Self.isArchive(head) || file.size > Self.fileLimit
                ? head : try file.read(at: 0, count: file.size)
        }
        if Self.isArchive(bytes) {
            return try EPUBBook(ArchiveSource(file), name: shown).checked(shown)
        }
        if bytes.count < file.size {
            throw DocumentError(.tooLarge(file.size, limit: Self.fileLimit), shown)
        }
        return try await read(bytes, ending: ending, shown: shown)
    }

    /// The raw bytes of a file.
    /// - Throws: `DocumentError`.
    package static func bytes(path: String, shown: String) throws(DocumentError) -> [UInt8] {
        let (file, bytes) = try open(path, shown) { file throws(OpenFile.Failure) in
            file.size > fileLimit ? [] : try file.read(at: 0, count: file.size)
        }
        if bytes.count < file.size {
            throw DocumentError(.tooLarge(file.size, limit: fileLimit), shown)
        }
        return bytes
    }

    /// Opens the file as a ZIP archive; nil if it is not one.
    /// - Throws: `DocumentError`.
    package static func archive(path: String, shown: String) throws(DocumentError) -> OpenFile? {
        let (file, head) = try open(path, shown) { file throws(OpenFile.Failure) in
            try file.read(at: 0, count: min(file.size, 4))
        }
        return isArchive(head) ? file : nil
    }

    private static func open(
        _ path: String, _ shown: String,
        _ read: (OpenFile) throws(OpenFile.Failure) -> [UInt8]
    ) throws(DocumentError) -> (file: OpenFile, bytes: [UInt8]) {
        do throws(OpenFile.Failure) {
            let file = try OpenFile(path)
            return (file, try read(file))
        } catch {
            throw DocumentError(.file(error.reason), shown)
        }
    }

    /// - Parameter ending: the file name's extension: "md"; empty without one.
    package func read(
        _ bytes: [UInt8], ending: String = "", shown: String
    ) async throws -> ReadDocument {
        if Self.isArchive(bytes) {
            return try EPUBBook(ArchiveSource(bytes), name: shown).checked(shown)
        }
        if PDFText.isPDF(bytes) {
            var document = ReadDocument(
                format: .pdf, text: try await pdf.read(bytes, name: shown, asProse: true))
            (document.title, document.author) = await pdf.titleAndAuthor(bytes)
            document.chapters = ChapterFinder.chapters(in: document.text)
            return try document.checked(shown)
        }
        if let ending = EbookConversion.ending(of: bytes) {
            let epub = try await ebooks.epub(bytes, ending: ending, shown: shown)
            return try EPUBBook(ArchiveSource(epub), name: shown).checked(shown)
        }
        if let kind = Self.unsupported(bytes) { throw DocumentError(.unsupported(kind), shown) }
        if ending == "epub", TextDecoding.text(bytes) == nil {
            throw DocumentError(.damaged("it is not an EPUB, which is a ZIP archive"), shown)
        }
        if RTFText.isRTF(bytes) {
            let rtf = RTFText(bytes)
            var document = ReadDocument(format: .rtf, text: rtf.text)
            (document.title, document.author) = (rtf.title, rtf.author)
            document.chapters = ChapterFinder.chapters(in: rtf.text)
            return try document.checked(shown)
        }
        if bytes.allSatisfy({ Self.isSpace($0) }) { throw DocumentError(.empty, shown) }
        if Self.isPage(bytes, ending) { return try Self.page(bytes, shown).checked(shown) }
        return try Self.plain(bytes, isMarkdown: Self.markdown.contains(ending), shown)
    }

    // MARK: - Kinds

    fileprivate static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    private static let markdown: Set<String> = ["md", "markdown", "mdown", "mkd"]

    package static func isArchive(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x50, 0x4B, 3, 4]) || bytes.starts(with: [0x50, 0x4B, 5, 6])
    }

    private static func isPage(_ bytes: [UInt8], _ ending: String) -> Bool {
        if ["html", "htm", "xhtml"].contains(ending) { return true }
        if markdown.contains(ending) { return false }
        let start = String(decoding: bytes.prefix(512), as: UTF8.self).lowercased()
            .drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        return start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
            || start.hasPrefix("<?xml") && start.contains("<html")
    }

    /// Describes files that users mistake for a book.
    private static func unsupported(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) { return "an old Word document" }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) || bytes.starts(with: [0xFF, 0xD8, 0xFF])
            || bytes.starts(with: "GIF8".utf8)
        {
            return "a picture"
        }
        return nil
    }

    // MARK: - Text

    private static func plain(
        _ bytes: [UInt8], isMarkdown: Bool, _ shown: String
    ) throws -> ReadDocument {
        guard let whole = TextDecoding.text(bytes) else { throw DocumentError(.binary, shown) }
        let gutenberg = GutenbergText(whole)
        var text = whole
        if gutenberg.body.count < whole.utf8.count {
            text = String(decoding: Array(whole.utf8)[gutenberg.body], as: UTF8.self)
        }
        var document = try ReadDocument(format: isMarkdown ? .markdown : .text, text: text)
            .checked(shown)
        (document.title, document.author) = (gutenberg.title, gutenberg.author)
        let headings = isMarkdown ? ChapterFinder.markdown(text) : []
        document.chapters = ChapterFinder.chapters(headings, in: text)
        if isMarkdown, document.title == nil, let first = headings.first,
            headings.count(where: { $0.level <= first.level }) == 1
        {
            document.title = first.title
        }
        if document.title == nil { document.readTitlePage() }
        return document
    }

    private static func page(_ bytes: [UInt8], _ shown: String) throws -> ReadDocument {
        let page = PageProse(try markup(bytes, name: shown))
        var document = ReadDocument(format: .html, text: page.text)
        // Older files of Project Gutenberg contain its marks as text.
        let gutenberg = GutenbergText(page.text)
        let cut = gutenberg.body
        if cut.count < page.text.utf8.count {
            document.text = String(decoding: Array(page.text.utf8)[cut], as: UTF8.self)
        }
        let headings = page.headings.filter { cut.contains($0.start) }.map {
            PageProse.Heading(level: $0.level, title: $0.title, start: $0.start - cut.lowerBound)
        }
        document.title = gutenberg.title ?? page.title ?? headings.first?.title
        document.author = gutenberg.author ?? page.author
        document.language = page.language
        document.chapters = ChapterFinder.chapters(headings, in: document.text)
        return document
    }

    /// The page converted to UTF-8.
    /// - Throws: `DocumentError.encoding` if the page names an unknown encoding; `binary`.
    static func markup(_ bytes: [UInt8], name: String) throws(DocumentError) -> [UInt8] {
        if bytes.contains(0) {
            guard let text = TextDecoding.text(bytes) else { throw DocumentError(.binary, name) }
            return Array(text.utf8)
        }
        if String(validating: bytes, as: UTF8.self) != nil { return bytes }
        if let encoding = PageDecoding.unknownEncoding(in: bytes) {
            throw DocumentError(.encoding(encoding), name)
        }
        return Array(PageDecoding.text(bytes, charset: nil, isMarkup: true).utf8)
    }
}

extension ReadDocument {
    /// - Throws: `DocumentError` if the text is empty, too long, or one long line.
    fileprivate func checked(_ shown: String) throws(DocumentError) -> ReadDocument {
        let bytes = text.utf8
        if bytes.allSatisfy(DocumentReader.isSpace) { throw DocumentError(.noText, shown) }
        if bytes.count > DocumentReader.textLimit {
            throw DocumentError(
                .tooLarge(bytes.count, limit: DocumentReader.textLimit), shown)
        }
        var number = 1
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if line.count > DocumentReader.lineLimit {
                throw DocumentError(.longLine(number, bytes: line.count), shown)
            }
            number += 1
        }
        return self
    }

    /// Reads a title page: a title above "by" and a name.
    fileprivate mutating func readTitlePage() {
        let lines = text.prefix(2_000).split(whereSeparator: \.isNewline).prefix(8)
            .map { PageProse.oneLine(String($0)) }.filter { !$0.isEmpty }
        for (index, line) in lines.enumerated().dropFirst() {
            let words = line.split(separator: " ")
            guard let first = words.first?.lowercased(), ["by", "von", "par"].contains(first)
            else { continue }
            let name = words.count > 1 ? words.dropFirst().joined(separator: " ") : nil
            guard let author = name ?? (index + 1 < lines.count ? lines[index + 1] : nil),
                author.utf8.count <= 60, author.first?.isUppercase == true,
                lines[..<index].allSatisfy({ $0.utf8.count <= 80 })
            else { return }
            title = lines[0]
            self.author = author
            return
        }
        // "ALICE'S ADVENTURES IN WONDERLAND", with the author's name below it.
        guard lines.count > 1, ChapterHeading.isUpper(lines[0]), lines[0].utf8.count <= 80,
            ChapterHeading(lines[0][...]) == nil
        else { return }
        title = lines[0]
        let name = lines[1].split(separator: " ")
        if (2...4).contains(name.count), !ChapterHeading.isUpper(lines[1]),
            name.allSatisfy({ word in
                word.first?.isUppercase == true
                    && word.allSatisfy { $0.isLetter || ".-'’".contains($0) }
            })
        {
            author = lines[1]
        }
    }
}

extension EPUBBook {
    fileprivate func checked(_ shown: String) throws(DocumentError) -> ReadDocument {
        try read().checked(shown)
    }
}
