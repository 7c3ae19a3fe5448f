import Base
import Glibc

/// The contents of a folder, in lines for a model: names, sizes, and a note on unreadable
/// entries. It opens folders and no file.
struct FolderListing {
    private let own: OwnFiles
    private let limit: Int
    private(set) var lines: [String] = []
    private(set) var count = 0

    /// Maximum number of entries of one folder.
    private static let entryLimit = 20_000

    init(own: OwnFiles, limit: Int) {
        self.own = own
        self.limit = limit
    }

    /// - Parameters:
    ///   - name: the folder's name, which may show that its files are secret.
    ///   - depth: levels of folders.
    mutating func add(
        _ folder: FileCall.Descriptor, name: String, depth: Int, below place: String = "",
        check: () throws -> Void
    ) throws {
        try check()
        let number = openat(folder.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw FileRefusal(.system(errno), path: name) }
        guard let stream = fdopendir(number) else {
            close(number)
            throw FileRefusal(.system(errno), path: name)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < Self.entryLimit, let entry = readdir(stream) {
            guard let name = FileCall.name(of: entry), name != ".", name != ".." else { continue }
            names.append(name)
        }
        for entry in names.sorted() {
            var status = stat()
            guard fstatat(number, entry, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            let path = place + entry
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            let note = note(entry, status, in: name)
            add(UntrustedText.line(path, limit: 500) + (isFolder ? "/" : ""), note)
            guard isFolder, depth > 1, note == nil, lines.count < limit else { continue }
            let inner = openat(
                number, entry, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard inner >= 0 else { continue }
            let below = FileCall.Descriptor(inner)
            if KernelFiles.holds(below) { continue }
            try add(below, name: entry, depth: depth - 1, below: path + "/", check: check)
        }
    }

    private mutating func add(_ path: String, _ note: String?) {
        count += 1
        guard lines.count < limit else { return }
        lines.append(path + (note.map { "  \($0)" } ?? ""))
    }

    /// The note after a name: the size of a file, or why the entry is not read. Nil for a
    /// folder that may be listed.
    private func note(_ name: String, _ status: stat, in folder: String) -> String? {
        if own.hold(status) { return "(chat's own: not read)" }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return SecretFile.isSecretFolder(name) ? "(keys: not read)" : nil
        case S_IFREG:
            return SecretFile.isSecretFile(name, in: folder)
                ? "(may hold keys: not read)" : Quantities.bytes(Int(status.st_size))
        case S_IFLNK: return "(link)"
        default: return "(no file: not read)"
        }
    }
}
