import Base
import Glibc
import Synchronization

/// The folders opened by the user for a model to read. It resolves a model's paths, but reads
/// nothing.
///
/// A folder is identified when it is opened, even if another replaces it on the disk.
package final class OpenFolders: Sendable {
    struct Folder: Sendable {
        /// The last path component, for the model; with a number if two are equal.
        var name: String
        /// Absolute, without links.
        var path: String
        var root: FileCall.Descriptor
    }

    /// The reason why a folder is not opened.
    package enum Problem: Error, Sendable, Equatable {
        case system(Int32)
        case notFolder
        /// The whole machine.
        case everything
        case kernel
        /// The folder contains keys.
        case keys
        case own
        case tooMany
    }

    package struct Opened: Sendable, Equatable {
        package var name: String
        package var path: String
    }

    private let home: String
    /// Folders of `chat` itself.
    private let ownFolders: [String]
    private let folders = Mutex<[Folder]>([])

    static let limit = 20

    package init(home: String, ownFolders: [String]) {
        self.home = home
        self.ownFolders = ownFolders
    }

    /// The names for the model, in the order of opening.
    package var names: [String] { folders.withLock { $0.map(\.name) } }
    package var isEmpty: Bool { names.isEmpty }
    package var all: [Opened] {
        folders.withLock { $0.map { Opened(name: $0.name, path: $0.path) } }
    }
    var current: [Folder] { folders.withLock { $0 } }
    var own: OwnFiles { OwnFiles(ownFolders) }

    // MARK: - Opening and closing

    /// Opens a folder; one that is open stays open. Blocks.
    ///
    /// - Parameter path: absolute or relative to the folder the program was started in; `~`
    ///   is the home folder.
    @discardableResult
    package func open(_ path: String) throws(Problem) -> Opened {
        guard let path = FilePath.real(FilePath.expanding(path, home: home)) else {
            throw .system(errno)
        }
        let number = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { throw errno == ENOTDIR ? .notFolder : .system(errno) }
        let root = FileCall.Descriptor(number)
        if path == "/" { throw .everything }
        let parts = path.split(separator: "/").map(String.init)
        if parts.contains(where: SecretFile.isSecretFolder) { throw .keys }
        if path.hasPrefix("/dev/") || path == "/dev" || KernelFiles.holds(root) { throw .kernel }
        if isOwn(path) { throw .own }
        return try folders.withLock { folders throws(Problem) in
            if let open = folders.first(where: { $0.path == path }) {
                return Opened(name: open.name, path: path)
            }
            guard folders.count < Self.limit else { throw .tooMany }
            let name = Self.name(parts.last ?? "folder", besides: folders.map(\.name))
            folders.append(Folder(name: name, path: path, root: root))
            return Opened(name: name, path: path)
        }
    }

    /// - Parameter word: its name, or its path.
    /// - Returns: nil if no such folder is open.
    package func close(_ word: String) -> Opened? {
        let path = FilePath.expanding(word, home: home)
        let real = FilePath.real(path)
        return folders.withLock { folders in
            guard
                let index = folders.firstIndex(where: { $0.name == word })
                    ?? folders.firstIndex(where: { $0.path == real || $0.path == path })
            else { return nil }
            let folder = folders.remove(at: index)
            return Opened(name: folder.name, path: folder.path)
        }
    }

    package func closeAll() { folders.withLock { $0.removeAll() } }

    /// Whether the path is in one of our folders.
    private func isOwn(_ path: String) -> Bool {
        ownFolders.contains { folder in
            guard let own = FilePath.real(folder) else { return false }
            return path == own || path.hasPrefix(own + "/")
        }
    }

    private static func name(_ last: String, besides others: [String]) -> String {
        let name = UntrustedText.line(last, limit: 60)
        if !others.contains(name) { return name }
        var number = 2
        while others.contains("\(name)-\(number)") { number += 1 }
        return "\(name)-\(number)"
    }

    // MARK: - A model's paths

    /// A place in an open folder.
    struct Location {
        var folder: Folder
        /// Components below the folder; empty for the folder itself.
        var names: [String]
    }

    /// The possible meanings of a path, the most likely first: with the name of a folder
    /// before it, relative to a folder, or absolute.
    func places(for path: String) throws(FileRefusal) -> [Location] {
        let open = current
        func refusal(_ reason: FileRefusal.Reason) -> FileRefusal {
            FileRefusal(reason, path: path)
        }
        if open.isEmpty { throw refusal(.nothingOpen) }
        if path.utf8.count > Int(PATH_MAX) - 1 { throw refusal(.tooLong) }
        guard !path.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw refusal(.noPath)
        }
        let path = FilePath.expanding(path, home: home)
        let names = path.split(separator: "/").map(String.init).filter { $0 != "." }
        if names.contains("..") { throw refusal(.goesUp) }
        if path.hasPrefix("/") {
            let below = open.compactMap { folder in
                FolderReader.parts(of: path, below: folder.path).map { parts in
                    Location(folder: folder, names: parts.filter { $0 != "." })
                }
            }
            // The innermost: one open folder may be in another.
            guard let nearest = below.min(by: { $0.names.count < $1.names.count }) else {
                throw refusal(.outside(open: open.map(\.name)))
            }
            return [nearest]
        }
        let named = open.filter { $0.name == names.first }.map {
            Location(folder: $0, names: Array(names.dropFirst()))
        }
        return named + open.map { Location(folder: $0, names: names) }
    }
}
