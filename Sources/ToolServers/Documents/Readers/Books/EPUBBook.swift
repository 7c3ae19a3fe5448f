import Base

/// Reads an EPUB 2 or 3: container, package, spine. The text is that of the spine's files
/// in order; chapters begin where the table of contents says, not where a file does.
///
///     META-INF/container.xml      names the package document
///     META-INF/encryption.xml     DRM, or fonts that are only obscured
///     OPF                         metadata, files, the order of reading
///     nav.xhtml or toc.ncx        titles, with anchors into the files
struct EPUBBook {
    private let zip: ZipReader
    private let name: String
    /// Members by name ignoring case, `%20` and backslashes, which some programs get wrong.
    private let folded: [String: ZipMember]

    /// - Throws: `DocumentError`.
    init(_ source: ArchiveSource, name: String) throws(DocumentError) {
        do throws(ArchiveError) {
            zip = try ZipReader(source)
        } catch {
            throw DocumentError(.archive(error), name)
        }
        self.name = name
        folded = Dictionary(
            zip.members.map { (Self.folded($0.name), $0) }, uniquingKeysWith: { one, _ in one })
    }

    /// Maximum size of a file in the book; of the pictures only the cover is
    /// unpacked.
    private static let fileLimit = 64 << 20

    private func member(_ path: String) -> ZipMember? {
        zip.member(path) ?? folded[Self.folded(path)]
    }

    private static func folded(_ path: String) -> String {
        EPUBPath.decoded(path[...]).replacing("\\", with: "/").lowercased()
    }

    private func bytes(_ path: String) throws(DocumentError) -> [UInt8]? {
        guard let member = member(path) else { return nil }
        do throws(ArchiveError) {
            return try zip.bytes(of: member, limit: Self.fileLimit)
        } catch {
            throw DocumentError(.archive(error), name)
        }
    }

    /// - Throws: `DocumentError`.
    func read() throws(DocumentError) -> ReadDocument {
        if try isProtected() { throw DocumentError(.protected, name) }
        let path = try packagePath()
        guard let content = try bytes(path) else {
            throw DocumentError(.damaged("it has no \(path)"), name)
        }
        let package = EPUBPackage(content, path: path)
        guard !package.spine.isEmpty else {
            throw DocumentError(.damaged("its package names nothing to read"), name)
        }
        let contents = try contents(of: package)
        let unread = package.unread.union(contents.unread).union([package.navigation ?? ""])

        var document = ReadDocument(format: .epub, text: "")
        var starts: [String: (start: Int, anchors: [String: Int])] = [:]
        var headings: [PageProse.Heading] = []
        for file in package.spine where starts[file.path] == nil {
            guard file.type.isEmpty || file.type.contains("html"), !unread.contains(file.path)
            else { continue }
            guard let bytes = try bytes(file.path) else {
                throw DocumentError(.damaged("\(file.path) is missing"), name)
            }
            let page = PageProse(try DocumentReader.markup(bytes, name: name))
            if !PageProse.silentTypes.isDisjoint(with: page.kinds) { continue }
            // A title cannot refer to a page of pictures.
            if page.text.isEmpty { continue }
            let separator = document.text.isEmpty ? "" : "\n\n"
            let start = document.text.utf8.count + separator.utf8.count
            starts[file.path] = (start, page.anchors)
            document.text += separator + page.text
            headings += page.headings.map {
                PageProse.Heading(level: $0.level, title: $0.title, start: $0.start + start)
            }
            document.title = document.title ?? page.title
            document.language = document.language ?? page.language
        }
        if document.text.isEmpty { throw DocumentError(.noText, name) }
        document.title = package.title ?? document.title
        document.author = package.author
        document.language = package.language ?? document.language
        document.cover = cover(of: package)
        document.chapters = Self.chapters(contents.entries, starts, end: document.text.utf8.count)
        if document.chapters.isEmpty {
            document.chapters = ChapterFinder.chapters(headings, in: document.text)
        }
        return document
    }

    // MARK: - Where things are

    private func packagePath() throws(DocumentError) -> String {
        if let container = try bytes("META-INF/container.xml") {
            var tokens = HTMLTokenizer(container)
            while let token = tokens.next() {
                guard case .open(let tag) = token, EPUBPackage.local(tag.name) == "rootfile",
                    let path = tag["full-path"], !path.isEmpty
                else { continue }
                return EPUBPath.resolved(path, in: ".").path
            }
        }
        // Some books have no container file.
        if let member = zip.members.first(where: { $0.name.lowercased().hasSuffix(".opf") }) {
            return member.name
        }
        throw DocumentError(.damaged("it has no META-INF/container.xml"), name)
    }

    /// Whether the text is protected; obscured fonts do not count.
    private func isProtected() throws(DocumentError) -> Bool {
        if try bytes("META-INF/sinf.xml") != nil { return true }
        guard let encryption = try bytes("META-INF/encryption.xml") else { return false }
        var tokens = HTMLTokenizer(encryption)
        var isObscured = false
        while let token = tokens.next() {
            guard case .open(let tag) = token else { continue }
            switch EPUBPackage.local(tag.name) {
            case "encrypteddata": isObscured = false
            case "encryptionmethod":
                let method = tag["algorithm"] ?? ""
                isObscured =
                    method == "http://www.idpf.org/2008/embedding"
                    || method == "http://ns.adobe.com/pdf/enc#RC"
            case "cipherreference": if !isObscured { return true }
            default: break
            }
        }
        return false
    }

    private func contents(of package: EPUBPackage) throws(DocumentError) -> EPUBContents {
        var contents = EPUBContents()
        if let path = package.navigation, let bytes = try bytes(path) {
            contents = .navigation(bytes, path: path)
        }
        if contents.entries.isEmpty, let path = package.ncx, let bytes = try bytes(path) {
            contents = .ncx(bytes, path: path)
        }
        return contents
    }

    /// The cover; nil if none can be shown, and the book is read without it.
    private func cover(of package: EPUBPackage) -> CoverPicture? {
        package.covers.lazy.compactMap { path in
            picture(path) ?? shown(on: path).flatMap(picture)
        }.first
    }

    private func picture(_ path: String) -> CoverPicture? {
        guard let member = member(path), member.size <= CoverPicture.limit,
            // The cover is optional: a damaged picture is left out.
            let bytes = try? zip.bytes(of: member, limit: CoverPicture.limit)
        else { return nil }
        return CoverPicture(bytes)
    }

    /// The first picture of a page.
    private func shown(on path: String) -> String? {
        guard let member = member(path), member.size <= Self.coverPageLimit,
            // The cover is optional, and so is the page that shows it.
            let page = try? zip.bytes(of: member, limit: Self.coverPageLimit)
        else { return nil }
        var tokens = HTMLTokenizer(page)
        while let token = tokens.next() {
            guard case .open(let tag) = token else { continue }
            let link: String? =
                switch EPUBPackage.local(tag.name) {
                case "img": tag["src"]
                // In SVG, which stretches the picture to the page.
                case "image": tag["xlink:href"] ?? tag["href"]
                default: nil
                }
            if let link { return EPUBPath.resolved(link, in: FilePath.folder(of: path)).path }
        }
        return nil
    }

    private static let coverPageLimit = 1 << 20

    /// The chapters without the entries for unread files. If two entries are at the same place
    /// ("Part One", and its first chapter), both titles are kept.
    private static func chapters(
        _ entries: [EPUBContents.Entry], _ starts: [String: (start: Int, anchors: [String: Int])],
        end: Int
    ) -> [ReadDocument.Chapter] {
        var chapters: [ReadDocument.Chapter] = []
        for entry in entries {
            guard let file = starts[entry.path] else { continue }
            let place = entry.fragment.flatMap { file.anchors[$0] } ?? 0
            let start = file.start + place
            if start >= end { continue }
            if let last = chapters.last, last.start == start {
                if last.title != entry.title {
                    chapters[chapters.count - 1].title = last.title + " · " + entry.title
                }
                continue
            }
            chapters.append(ReadDocument.Chapter(title: entry.title, start: start))
        }
        return chapters.sorted { $0.start < $1.start }
    }
}
