import Base
import Glibc

/// Walks the files below a folder, sorted by name, within bounds, and leaves out hidden
/// files, those in `.gitignore`, version control, links, and files of keys. The number left
/// out is counted.
///
/// It opens only folders and `.gitignore`; the visitor opens the files it needs.
package struct FolderWalk {
    package struct Options: Sendable {
        package var showsHidden = false
        package var usesIgnoreFiles = true
        /// Maximum number of entries.
        package var entryLimit = 50_000
        package var depthLimit = 40
        /// Maximum number of levels; nil for any.
        package var levels: Int?

        package init() {}
    }

    /// The number of entries left out, by reason.
    package struct Skipped: Sendable, Equatable {
        package var hidden = 0
        package var ignored = 0
        package var versionControl = 0
        package var keys = 0
        package var links = 0
        package var special = 0
        package var binary = 0
        package var large = 0
        package var empty = 0
        package var unreadable = 0
        /// Files of rules above the limit, which leave nothing out.
        package var rules = 0

        package init() {}

        /// `3 hidden, 2 not text`; nil if nothing was left out.
        package var text: String? {
            let parts = [
                (hidden, "hidden"), (ignored, "in .gitignore"),
                (versionControl, "of version control"), (keys, "that may hold keys"),
                (links, linkWord), (special, "that are not files"), (binary, "not text"),
                (large, "too large"), (empty, "empty"), (unreadable, "that cannot be read"),
                (
                    rules,
                    ".gitignore above \(Quantities.bytes(IgnoreRules.limitInBytes)), not followed"
                ),
            ].filter { $0.0 > 0 }
            if parts.isEmpty { return nil }
            return parts.map { "\(Quantities.grouped($0.0)) \($0.1)" }.joined(separator: ", ")
        }

        private var linkWord: String { links == 1 ? "link" : "links" }
    }

    package enum Step: Sendable { case goOn, stop }

    package struct Result: Sendable, Equatable {
        package var skipped = Skipped()
        /// Whether the walk ended at a limit.
        package var isCut = false
    }

    /// A regular file found by the walk.
    package struct File {
        /// Relative to the folder, with the given prefix.
        package let path: String
        package let name: String
        package let size: Int
        private let folder: FileCall.Descriptor
        private let status: stat

        init(path: String, name: String, folder: FileCall.Descriptor, status: stat) {
            self.path = path
            self.name = name
            self.folder = folder
            self.status = status
            size = Int(status.st_size)
        }

        /// Reads at most that many of its first bytes.
        /// - Throws: `FileRefusal`.
        package func read(_ count: Int) throws(FileRefusal) -> [UInt8] {
            try FolderReader.open(
                name, in: folder, looked: status,
                names: path.split(separator: "/").map(String.init)
            ).read(at: 0, count: count)
        }
    }

    private static let versionControl: Set<String> = [
        ".git", ".hg", ".svn", ".jj", ".bzr", "_darcs", "CVS", ".pijul",
    ]

    private let options: Options
    private let own: OwnFiles
    /// Called repeatedly; true ends the walk.
    private let isStopped: () throws -> Bool
    private var rules = IgnoreRules()
    private var entries = 0
    private var result = Result()
    private var hasStopped = false

    init(
        _ options: Options = Options(), own: OwnFiles = OwnFiles([]),
        rules: IgnoreRules = IgnoreRules(), isStopped: @escaping () throws -> Bool = { false }
    ) {
        self.options = options
        self.own = own
        self.rules = rules
        self.isStopped = isStopped
    }

    /// Walks the files below a folder named by the user.
    ///
    /// - Parameter own: folders of `chat` itself, which are hidden.
    /// - Throws: `FileRefusal` if the folder cannot be opened, errors of `isStopped` and
    ///   `visit`.
    package static func run(
        _ path: String, _ options: Options = Options(), own: [String],
        isStopped: @escaping () throws -> Bool = { false },
        visit: (File) throws -> Step
    ) throws -> Result {
        let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw FileRefusal(.system(errno), path: path) }
        let root = FileCall.Descriptor(number)
        if KernelFiles.holds(root) { throw FileRefusal(.kernel, path: path) }
        var walk = FolderWalk(options, own: OwnFiles(own), isStopped: isStopped)
        return try walk.run(root, below: "", name: FilePath.name(path), visit)
    }

    /// - Parameters:
    ///   - place: the prefix of the paths.
    ///   - name: of the folder itself.
    mutating func run(
        _ root: FileCall.Descriptor, below place: String, name: String,
        _ visit: (File) throws -> Step
    ) throws -> Result {
        try walk(root, place, name: name, depth: 0, visit)
        return result
    }

    private mutating func walk(
        _ folder: FileCall.Descriptor, _ place: String, name folderName: String, depth: Int,
        _ visit: (File) throws -> Step
    ) throws {
        guard let names = names(in: folder) else {
            result.skipped.unreadable += 1
            return
        }
        if options.usesIgnoreFiles, names.contains(".gitignore"),
            !Self.addRules(in: folder, place, to: &rules)
        {
            result.skipped.rules += 1
        }
        var folders: [(name: String, path: String)] = []
        for name in names {
            if hasStopped { return }
            if try isStopped() {
                (hasStopped, result.isCut) = (true, true)
                return
            }
            let path = place.isEmpty ? name : "\(place)/\(name)"
            var status = stat()
            guard fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                result.skipped.unreadable += 1
                continue
            }
            let kind = status.st_mode & S_IFMT
            guard mayCome(name, path, status, in: folderName) else { continue }
            if kind == S_IFDIR {
                folders.append((name, path))
            } else if try visit(File(path: path, name: name, folder: folder, status: status))
                == .stop
            {
                hasStopped = true
                return
            }
        }
        if let levels = options.levels, depth >= levels { return }
        // The files of a folder before its subfolders.
        for (name, path) in folders {
            if hasStopped { return }
            guard depth < options.depthLimit else {
                result.isCut = true
                continue
            }
            let number = openat(
                folder.number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard number >= 0 else {
                result.skipped.unreadable += 1
                continue
            }
            let inner = FileCall.Descriptor(number)
            if KernelFiles.holds(inner) {
                result.skipped.special += 1
                continue
            }
            try walk(inner, path, name: name, depth: depth + 1, visit)
        }
    }

    /// Whether an entry is visited; otherwise it is counted.
    private mutating func mayCome(
        _ name: String, _ path: String, _ status: stat, in folder: String
    ) -> Bool {
        let kind = status.st_mode & S_IFMT
        let isFolder = kind == S_IFDIR
        if Self.versionControl.contains(name) {
            result.skipped.versionControl += 1
        } else if own.hold(status) {
            result.skipped.keys += 1
        } else if isFolder
            ? SecretFile.isSecretFolder(name) : SecretFile.isSecretFile(name, in: folder)
        {
            result.skipped.keys += 1
        } else if name.hasPrefix("."), !options.showsHidden {
            result.skipped.hidden += 1
        } else if rules.leavesOut(path, isFolder: isFolder) {
            result.skipped.ignored += 1
        } else if kind == S_IFLNK {
            result.skipped.links += 1
        } else if kind != S_IFREG, !isFolder {
            result.skipped.special += 1
        } else {
            return true
        }
        return false
    }

    /// Sorted; nil if the folder cannot be read.
    private mutating func names(in folder: FileCall.Descriptor) -> [String]? {
        // A descriptor of its own, positioned at the beginning.
        let number = openat(folder.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        guard let stream = fdopendir(number) else {
            close(number)
            return nil
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            guard let name = FileCall.name(of: entry) else {
                result.skipped.unreadable += 1
                continue
            }
            if name == "." || name == ".." { continue }
            guard entries < options.entryLimit else {
                result.isCut = true
                break
            }
            entries += 1
            names.append(name)
        }
        return names.sorted()
    }

    /// Adds the rules of a folder's `.gitignore`, if readable.
    /// - Returns: false for one above the limit.
    @discardableResult
    static func addRules(
        in folder: FileCall.Descriptor, _ place: String, to rules: inout IgnoreRules
    ) -> Bool {
        var status = stat()
        guard fstatat(folder.number, ".gitignore", &status, AT_SYMLINK_NOFOLLOW) == 0,
            status.st_mode & S_IFMT == S_IFREG
        else { return true }
        guard status.st_size <= IgnoreRules.limitInBytes else { return false }
        // Without a readable file, nothing is ignored.
        if let bytes = try? FolderReader.open(
            ".gitignore", in: folder, looked: status, names: [".gitignore"]
        ).read(at: 0, count: Int(status.st_size)) {
            rules.add(String(decoding: bytes, as: UTF8.self), in: place)
        }
        return true
    }
}
