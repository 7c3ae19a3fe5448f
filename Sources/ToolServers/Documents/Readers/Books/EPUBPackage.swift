import Base

/// The package document of an EPUB (OPF 2 and 3): the book's metadata, its files and their
/// reading order. Pure.
struct EPUBPackage: Sendable, Equatable {
    struct File: Sendable, Equatable {
        /// Path in the archive.
        var path: String
        /// "application/xhtml+xml".
        var type: String
        var properties: Set<String>
    }

    var title: String?
    /// The author. Several are joined as on a title page: "Ada Lee and Bo Ray".
    var author: String?
    var language: String?
    /// The files in reading order, without those with `linear="no"`.
    var spine: [File] = []
    /// The contents of EPUB 3.
    var navigation: String?
    /// The contents of EPUB 2.
    var ncx: String?
    /// Files that are not text of the book: cover, contents, copyright.
    var unread: Set<String> = []
    /// Files that are the cover's picture, or a page that shows it, the most likely first.
    var covers: [String] = []

    /// - Parameter path: path of the package document; the other files are
    ///   relative to it.
    init(_ bytes: [UInt8], path: String) {
        let folder = FilePath.folder(of: path)
        var files: [String: File] = [:]
        var order: [String] = []
        var tocID: String?
        var (named, guided): (String?, String?)
        var creators: [(name: String, isAuthor: Bool, id: String)] = []
        var element: (name: String, tag: HTMLTokenizer.Tag)?
        var text = ""
        var tokens = HTMLTokenizer(bytes)
        while let token = tokens.next() {
            switch token {
            case .text(let bytes): text += CharacterReference.text(bytes)
            case .verbatim(let bytes): text += String(decoding: bytes, as: UTF8.self)
            case .declaration: continue
            case .open(let tag):
                let name = Self.local(tag.name)
                text = ""
                element = (name, tag)
                switch name {
                case "item":
                    guard let id = tag["id"], let href = tag["href"] else { continue }
                    let file = File(
                        path: EPUBPath.resolved(href, in: folder).path,
                        type: tag["media-type"]?.lowercased() ?? "",
                        properties: Set(tag.words("properties").map(String.init)))
                    files[id] = file
                    if file.properties.contains("nav") { navigation = file.path }
                    if file.type == "application/x-dtbncx+xml" { ncx = ncx ?? file.path }
                case "spine": tocID = tag["toc"]
                case "itemref":
                    if let id = tag["idref"], tag["linear"]?.lowercased() != "no" {
                        order.append(id)
                    }
                case "meta":
                    // The cover as EPUB 2, and most books in use, name it.
                    if tag["name"]?.lowercased() == "cover" { named = named ?? tag["content"] }
                case "reference":
                    if let type = tag["type"]?.lowercased(), Self.unreadParts.contains(type),
                        let href = tag["href"]
                    {
                        let target = EPUBPath.resolved(href, in: folder)
                        if target.fragment == nil { unread.insert(target.path) }
                        if type == "cover" { guided = guided ?? target.path }
                    }
                default: break
                }
            case .close(let closed):
                guard let (name, tag) = element, name == Self.local(closed) else { continue }
                let value = PageProse.oneLine(text)
                element = nil
                if value.isEmpty { continue }
                switch name {
                case "title": title = title ?? value
                case "language": language = language ?? value
                case "creator":
                    let role = (tag["opf:role"] ?? tag["role"])?.lowercased()
                    creators.append((value, role == nil || role == "aut", tag["id"] ?? ""))
                case "meta":
                    // EPUB 3 gives the role of a creator separately.
                    guard tag["property"] == "role", let target = tag["refines"]?.dropFirst(),
                        let index = creators.firstIndex(where: { $0.id == target })
                    else { continue }
                    creators[index].isAuthor = value.lowercased() == "aut"
                default: break
                }
            }
        }
        let authors = creators.filter(\.isAuthor).map(\.name)
        author = Self.joined(authors.isEmpty ? creators.prefix(1).map(\.name) : authors)
        spine = order.compactMap { files[$0] }
        if let named = tocID.flatMap({ files[$0] }) { ncx = named.path }
        let marked = files.values.filter { $0.properties.contains("cover-image") }.map(\.path)
        // The entry refers to an item's id; some books give the file.
        let meant = named.map { files[$0]?.path ?? EPUBPath.resolved($0, in: folder).path }
        covers = marked.sorted() + [meant, guided].compactMap { $0 }
    }

    /// Parts in the guide of EPUB 2.
    private static let unreadParts: Set<String> = [
        "cover", "toc", "copyright-page", "loi", "lot", "index", "colophon", "notes",
    ]

    /// "title" for `dc:title`.
    static func local(_ name: String) -> String {
        name.split(separator: ":").last.map(String.init) ?? name
    }

    private static func joined(_ names: [String]) -> String? {
        guard let last = names.last else { return nil }
        return names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " and " + last
    }
}

/// Paths and links within an EPUB. Pure.
enum EPUBPath {
    /// Resolves a link in a file of that folder: `../text/ch%201.xhtml#c2`.
    static func resolved(
        _ link: String, in folder: String
    ) -> (path: String, fragment: String?) {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let fragment = parts.count > 1 ? decoded(parts[1]) : nil
        let file = decoded(parts.first ?? "").replacing("\\", with: "/")
        let whole = folder == "." || file.hasPrefix("/") ? file : folder + "/" + file
        var path: [Substring] = []
        for part in whole.split(separator: "/") where part != "." {
            if part == ".." { _ = path.popLast() } else { path.append(part) }
        }
        return (path.joined(separator: "/"), fragment)
    }

    /// Decodes `%20` to a space. Invalid sequences stay.
    static func decoded(_ text: Substring) -> String {
        String(decoding: HexEscapes.decoded(text.utf8, mark: "%"), as: UTF8.self)
    }
}
