import Base

/// The table of contents of a book: the titles of its chapters and where each
/// begins, from `nav.xhtml` or `toc.ncx`. Pure.
struct EPUBContents: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        var title: String
        var path: String
        /// The anchor in the file; nil for its start.
        var fragment: String?
    }

    /// Entries of all levels, in order.
    private(set) var entries: [Entry] = []
    /// Files that the landmarks mark as cover, contents or copyright.
    private(set) var unread: Set<String> = []

    /// - Parameter path: path of the file.
    static func navigation(_ bytes: [UInt8], path: String) -> EPUBContents {
        var contents = EPUBContents()
        let folder = FilePath.folder(of: path)
        var tokens = HTMLTokenizer(bytes)
        // A document without types is treated as one list.
        var list: Set<String> = []
        var link: (href: String, types: Set<String>)?
        var text = ""
        while let token = tokens.next() {
            switch token {
            case .text(let bytes): text += CharacterReference.text(bytes)
            case .verbatim(let bytes): text += String(decoding: bytes, as: UTF8.self)
            case .declaration: continue
            case .open(let tag):
                if tag.name == "nav" { list = Set(tag.words("epub:type").map(String.init)) }
                if tag.name == "a", let href = tag["href"] {
                    link = (href, Set(tag.words("epub:type").map(String.init)))
                    text = ""
                }
            case .close(let name):
                if name == "nav" { list = [] }
                guard name == "a", let (href, types) = link else { continue }
                link = nil
                let target = EPUBPath.resolved(href, in: folder)
                if list.contains("landmarks") {
                    if !PageProse.silentTypes.isDisjoint(with: types), target.fragment == nil {
                        contents.unread.insert(target.path)
                    }
                } else if list.isEmpty || list.contains("toc") {
                    contents.add(text, target)
                }
            }
        }
        contents.markUnread()
        return contents
    }

    /// - Parameter path: path of the file.
    static func ncx(_ bytes: [UInt8], path: String) -> EPUBContents {
        var contents = EPUBContents()
        let folder = FilePath.folder(of: path)
        var tokens = HTMLTokenizer(bytes)
        var (isMap, text, label) = (false, "", "")
        while let token = tokens.next() {
            switch token {
            case .text(let bytes): text += CharacterReference.text(bytes)
            case .verbatim(let bytes): text += String(decoding: bytes, as: UTF8.self)
            case .declaration: continue
            case .open(let tag):
                switch EPUBPackage.local(tag.name) {
                case "navmap": isMap = true
                case "navlabel": text = ""
                case "content":
                    if isMap, let source = tag["src"] {
                        contents.add(label, EPUBPath.resolved(source, in: folder))
                        label = ""
                    }
                default: break
                }
            case .close(let closed):
                switch EPUBPackage.local(closed) {
                case "navmap": isMap = false
                case "navlabel": label = text
                default: break
                }
            }
        }
        contents.markUnread()
        return contents
    }

    /// Marks pages that an entry names as cover, contents or copyright, if nothing else
    /// begins on them.
    private mutating func markUnread() {
        for entry in entries where entry.fragment == nil {
            let title = entry.title.lowercased()
            guard Self.unreadTitles.contains(title) || ChapterFinder.contentsTitles.contains(title),
                entries.count(where: { $0.path == entry.path }) == 1
            else { continue }
            unread.insert(entry.path)
        }
    }

    private static let unreadTitles: Set<String> = [
        "cover", "copyright", "copyright page", "copyright notice", "umschlag", "impressum",
        "couverture", "portada", "copertina",
    ]

    private mutating func add(_ title: String, _ target: (path: String, fragment: String?)) {
        let title = PageProse.oneLine(title)
        if title.isEmpty { return }
        entries.append(Entry(title: title, path: target.path, fragment: target.fragment))
    }
}
