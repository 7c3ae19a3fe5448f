import Base
import Glibc
import ICalendar

/// The collections: finds them in the roots, names them, and creates new ones.
///
///     root holds .ics files           the root is a collection
///     root/office                       a collection
///     root/account/{home,office}        two collections: `account` holds folders
///                                     only (so vdirsyncer lays them out)
extension CalendarStore {
    /// All collections, sorted by folder within each root. A root that does not exist
    /// has none. If two would have the same name, the later one is named with its parent
    /// folder too: `office`, `account/office`.
    package func collections() throws -> [Collection] {
        var paths: [(path: String, isInAccount: Bool)] = []
        var seen: Set<FolderID> = []
        for root in roots {
            for path in try Self.collectionPaths(in: root) {
                // Links and nested roots show a folder twice.
                guard let id = FolderID(path), seen.insert(id).inserted else { continue }
                let depth = path.utf8.dropFirst(root.utf8.count + 1).count {
                    $0 == UInt8(ascii: "/")
                }
                paths.append((path, depth > 0))
            }
        }
        var names: [String: String] = [:]
        var taken: Set<String> = []
        for (path, _) in paths.filter({ !$0.isInAccount }) + paths.filter(\.isInAccount) {
            var name = ""
            for part in path.split(separator: "/").reversed() {
                name = name.isEmpty ? String(part) : "\(part)/\(name)"
                if !taken.contains(name) { break }
            }
            taken.insert(name)
            names[path] = name
        }
        return paths.map { collection($0.path, name: names[$0.path] ?? $0.path) }
    }

    /// Writes the display name of a new collection (vdir's `displayname`).
    func setDisplayName(_ name: String, of path: String) throws {
        let file = path + "/displayname"
        let code = WholeFile.replace(
            name.oneLine.utf8, at: file, temporary: "\(path)/.\(environment.uuid()).tmp")
        if code != 0 { throw FileCall.failure(file, code) }
    }

    // MARK: - Names

    /// The list names that an answer shows beside the contents of files.
    package enum ShownNames: Sendable, Equatable {
        case none
        case folders
        /// The display names of lists, except that of the given folder.
        case lists(besides: String)
    }

    /// Whether the names of these files' lists are the user's. A synced calendar brings its
    /// own: the `displayname` counts as the user's only if it repeats the folder's name,
    /// and the folder if it is a short word or was created here. False if it cannot be read.
    package func haveOwnNames(_ paths: [String], showing names: ShownNames) -> Bool {
        if names == .none { return true }
        guard let collections = try? collections() else { return false }  // Unknown: not theirs.
        let folders = Set(paths.map { FilePath.folder(of: $0) })
        return collections.filter { folders.contains($0.path) }.allSatisfy { collection in
            let name = collection.name
            if case .lists(let known) = names {
                if name == known { return true }
                guard SearchText.folded(collection.displayName) == SearchText.folded(name) else {
                    return false
                }
            }
            return Self.isWord(name) || isOwnName(ofList: name)
        }
    }

    /// Whether a folder's name is a word rather than a sentence, in a script with spaces
    /// between words (up to U+052F, Latin, Greek and Cyrillic).
    private static func isWord(_ name: String) -> Bool {
        name.utf8.count <= 40
            && name.unicodeScalars.allSatisfy { scalar in
                scalar.value < 0x530
                    && (scalar.properties.isAlphabetic || "0"..."9" ~= scalar
                        || "-_@.+=/".unicodeScalars.contains(scalar))
            }
    }

    // MARK: - Places

    func directory(_ path: String) -> VDirectory {
        VDirectory(path: path, trash: trash, uuid: environment.uuid)
    }

    /// The folder and file of a path returned by `files`.
    ///
    /// - Parameter known: the collections, if the caller has listed them.
    func place(
        _ path: String, in known: [Collection]? = nil
    ) throws -> (directory: VDirectory, name: String, collection: Collection) {
        guard let slash = path.lastIndex(of: "/") else {
            throw FileCallError(.invalidName, path: path)
        }
        let folder = String(path[..<slash])
        let all = try known ?? collections()
        guard let collection = all.first(where: { $0.path == folder }) else {
            throw FileCallError(.notFound, path: path)
        }
        return (directory(folder), String(path[path.index(after: slash)...]), collection)
    }

    /// The folder for a new item in that collection; it may not exist yet.
    func folder(forNewItemsIn name: String) throws -> String {
        let collections = try collections()
        if let found = collections.first(where: { $0.name == name }) { return found.path }
        // The root is itself a calendar, not a folder of calendars.
        if collections.count == 1, isRoot(collections[0]) { return collections[0].path }
        return try newCollectionPath(name)
    }

    private func isRoot(_ collection: Collection) -> Bool { roots.contains(collection.path) }

    private func newCollectionPath(_ name: String) throws -> String {
        let path = (roots.first ?? "") + "/" + name
        guard !roots.isEmpty, !name.isEmpty, !name.hasPrefix("."), name.utf8.count <= 255,
            !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 < 0x20 || $0 == 0x7F })
        else { throw FileCallError(.invalidName, path: path) }
        return path
    }

    /// Whether a file name is safe on any system and in any shell.
    static func isPlainName(_ name: String) -> Bool {
        let marks = Array("-_@.+=".utf8)
        return !name.isEmpty && name.utf8.count <= 128 && !name.hasPrefix(".")
            && !name.hasPrefix("-")
            && name.utf8.allSatisfy { byte in
                byte.isASCIILetterOrDigit || marks.contains(byte)
            }
    }

    // MARK: - Folders

    private struct FolderID: Hashable {
        let device: UInt64
        let inode: UInt64

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
        }
    }

    private struct Contents {
        var folders: [String] = []
        var hasItems = false
        var hasOtherFiles = false
    }

    private static func collectionPaths(in root: String) throws -> [String] {
        let top = try contents(of: root)
        var paths = top.hasItems ? [root] : []
        for name in top.folders {
            let path = root + "/" + name
            // An unreadable folder is a collection whose items cannot be read,
            // which `files` reports.
            guard let inner = try? contents(of: path, untilItem: true) else {
                paths.append(path)
                continue
            }
            if inner.hasItems || inner.hasOtherFiles || inner.folders.isEmpty {
                paths.append(path)
            } else {
                paths += inner.folders.map { path + "/" + $0 }
            }
        }
        return paths
    }

    /// `untilItem`: stop at the first item.
    private static func contents(of path: String, untilItem: Bool = false) throws -> Contents {
        guard let stream = opendir(path) else {
            if errno == ENOENT { return Contents() }
            throw FileCall.failure(path)
        }
        defer { closedir(stream) }
        var contents = Contents()
        while let entry = readdir(stream) {
            guard let name = FileCall.name(of: entry), !name.isEmpty, !name.hasPrefix(".") else {
                continue
            }
            var type = Int(entry.pointee.d_type)
            if type == Int(DT_LNK) || type == Int(DT_UNKNOWN) {
                // Users link folders to show a calendar here.
                var status = stat()
                let isThere = stat(path + "/" + name, &status) == 0
                type = isThere && status.st_mode & S_IFMT == S_IFDIR ? Int(DT_DIR) : Int(DT_REG)
            }
            if type == Int(DT_DIR) {
                contents.folders.append(name)
            } else if VDirectory.isItemName(name) {
                contents.hasItems = true
                if untilItem { break }
            } else {
                contents.hasOtherFiles = true
            }
        }
        contents.folders.sort()
        return contents
    }

    func collection(_ path: String, name: String) -> Collection {
        let display = metadata("displayname", in: path)
        return Collection(
            name: name, displayName: display ?? name,
            color: metadata("color", in: path).flatMap(Self.colorDigits), path: path,
            isReadOnly: access(path, W_OK) != 0 && errno != ENOENT)
    }

    /// `#RRGGBB` from the forms that programs write: also with an alpha value
    /// (Apple), or in lower case.
    private static func colorDigits(_ text: String) -> String? {
        let digits = text.utf8.dropFirst()
        guard text.hasPrefix("#"), digits.count == 6 || digits.count == 8,
            digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit })
        else { return nil }
        return String(text.prefix(7))
    }

    /// The first line of a vdir's metadata file; nil if it cannot be read, in
    /// which case the collection is shown by its folder's name.
    private func metadata(_ name: String, in path: String) -> String? {
        guard let folder = try? FileCall.openFolder(path),  // No folder: no name.
            let (bytes, _) = try? FileCall.read(name, in: folder, path: path, limit: 4096)
        else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).oneLine
        return text.isEmpty ? nil : text
    }
}
