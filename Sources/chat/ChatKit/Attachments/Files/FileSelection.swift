import Base
import Glibc
import Outside

/// The files of a folder or a pattern before they are read: names, sizes, and what was left
/// out. The caller decides whether they go with a message.
package struct FileSelection: Sendable, Equatable {
    package struct File: Sendable, Equatable {
        var path: String
        /// Relative to the named folder, including its name.
        var name: String
        var size: Int
    }

    /// The file as the user wrote it.
    package var shown: String
    package var files: [File] = []
    package var skipped = FolderWalk.Skipped()

    /// Above either of these the user is asked.
    static let (countAsked, bytesAsked) = (20, 1 << 20)
    /// Maximum number of files in a message.
    static let limit = 1_000
    private static let headBytes = 8_192

    package var bytes: Int { files.reduce(0) { $0 + $1.size } }

    /// `src: 34 files, 1.2 MB (left out: 3 hidden)`
    package var line: String {
        let left = skipped.text.map { " (left out: \($0))" } ?? ""
        return
            "\(shown): \(Quantities.count(files.count, "file")), \(Quantities.bytes(bytes))\(left)"
    }

    /// Whether all of them together are too many to attach without asking.
    package static func isMuch(_ selections: [FileSelection]) -> Bool {
        let count = selections.reduce(0) { $0 + $1.files.count }
        return count > countAsked || selections.reduce(0) { $0 + $1.bytes } > bytesAsked
    }

    /// Whether the path is a folder or a pattern.
    package enum Kind: Sendable, Equatable {
        case folder
        case pattern(GlobPattern)

        /// Nil for neither. The caller has already looked for a file of that name.
        package init?(path: String) {
            var status = stat()
            if stat(path, &status) == 0 {
                guard status.st_mode & S_IFMT == S_IFDIR else { return nil }
                self = .folder
            } else if GlobPattern.isPattern(path), let pattern = GlobPattern(path) {
                self = .pattern(pattern)
            } else {
                return nil
            }
        }
    }

    /// Finds the files. Blocks.
    ///
    /// - Parameters:
    ///   - path: the path that `shown` stands for, with `~` expanded.
    ///   - own: folders of `chat` itself, which are left out.
    /// - Throws: `AttachmentFailure`, `CancellationError`.
    init(_ kind: Kind, path: String, shown: String, own: [String]) throws {
        self.shown = shown
        var selection = Search(kind, path: path)
        do {
            let result = try FolderWalk.run(
                selection.root, selection.options, own: own,
                isStopped: {
                    try Task.checkCancellation()
                    return false
                }, visit: { selection.visit($0) })
            selection.skipped.add(result.skipped)
            if result.isCut || selection.files.count > Self.limit {
                throw AttachmentFailure(path: shown, reason: .tooManyFiles(limit: Self.limit))
            }
        } catch let refusal as FileRefusal {
            guard case .system(let code) = refusal.reason else {
                throw AttachmentFailure(path: shown, reason: .notAFile)
            }
            throw AttachmentFailure(path: shown, reason: .system(code))
        }
        (files, skipped) = (selection.files, selection.skipped)
    }

    package init(shown: String, files: [File], skipped: FolderWalk.Skipped = FolderWalk.Skipped()) {
        self.shown = shown
        self.files = files
        self.skipped = skipped
    }

    /// One search through a folder.
    private struct Search {
        let kind: Kind
        let root: String
        var options = FolderWalk.Options()
        var files: [File] = []
        var skipped = FolderWalk.Skipped()
        /// The beginning of a path, and a name.
        private let (before, label): (String, String)

        init(_ kind: Kind, path: String) {
            self.kind = kind
            let start = path.hasPrefix("/") ? "/" : ""
            switch kind {
            case .folder:
                root = path
                var folder = path[...]
                while folder.count > 1, folder.last == "/" { folder = folder.dropLast() }
                before = folder == "/" || folder == "." ? "" : folder + "/"
                label = folder == "." || folder == ".." ? "" : FilePath.name(String(folder))
            case .pattern(let pattern):
                let base = start + pattern.base.joined(separator: "/")
                root = base.isEmpty ? "." : base
                before = base.isEmpty || base == "/" ? base : base + "/"
                label = start.isEmpty ? pattern.base.joined(separator: "/") : FilePath.name(base)
                options.levels = pattern.levels
                // Files named literally are wanted.
                options.usesIgnoreFiles = pattern.levels == nil
                options.showsHidden = path.split(separator: "/").contains {
                    $0.hasPrefix(".") && $0 != "." && $0 != ".."
                }
            }
        }

        mutating func visit(_ file: FolderWalk.File) -> FolderWalk.Step {
            let path = before + file.path
            if case .pattern(let pattern) = kind, !pattern.matches(path) { return .goOn }
            guard take(file) else { return .goOn }
            files.append(
                File(
                    path: path, name: label.isEmpty ? file.path : "\(label)/\(file.path)",
                    size: file.size))
            return files.count > FileSelection.limit ? .stop : .goOn
        }

        /// Adds a file if a model can read it, judging by its beginning. From a folder only texts
        /// are added; images have to be named: `photos/*.png`.
        private mutating func take(_ file: FolderWalk.File) -> Bool {
            if file.size == 0 {
                skipped.empty += 1
                return false
            }
            if file.size > InputFiles.limitInBytes {
                skipped.large += 1
                return false
            }
            let head: [UInt8]
            do throws(FileRefusal) {
                head = try file.read(FileSelection.headBytes)
            } catch {
                skipped.unreadable += 1
                return false
            }
            if SecretFile.holdsKey(head) {
                skipped.keys += 1
                return false
            }
            switch FileKind(head, name: file.name) {
            case .image, .pdf:
                if case .pattern = kind { return true }
                skipped.binary += 1
                return false
            case .text, .unknown:
                // A character cut in the middle is checked when the file is read.
                if head.contains(0), !head.starts(with: [0xFF, 0xFE]),
                    !head.starts(with: [0xFE, 0xFF])
                {
                    skipped.binary += 1
                    return false
                }
                if file.size > InputFiles.textLimitInBytes {
                    skipped.large += 1
                    return false
                }
                return true
            case .unsupported:
                skipped.binary += 1
                return false
            }
        }
    }
}
