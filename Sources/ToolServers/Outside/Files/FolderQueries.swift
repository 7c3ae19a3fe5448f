import AgentCore
import Base
import Documents
import Glibc

/// Answers a model's queries about the open folders, one at a time, on a queue that may
/// block.
actor FolderQueries: QueuedActor {
    private let folders: OpenFolders
    /// Seconds on a monotonic clock.
    private let uptime: @Sendable () -> Double
    nonisolated let executor = QueueExecutor(label: "chat.folders")

    /// Maximum bytes of a file whose lines are counted, and of a file that is read as a
    /// whole.
    private static let (scanLimit, wholeLimit) = (64 << 20, 8 << 20)
    private static let listLimit = 500
    private static let binaryHead = 8_192

    init(_ folders: OpenFolders, uptime: @escaping @Sendable () -> Double) {
        self.folders = folders
        self.uptime = uptime
    }

    private struct Found {
        var folder: OpenFolders.Folder
        var found: FolderReader.Found

        /// The path for the model: with the name of the open folder before it.
        func shown(_ names: [String]) -> String {
            UntrustedText.line(([folder.name] + names).joined(separator: "/"), limit: 1_000)
        }
    }

    /// The first possible meaning of a path that exists.
    private func find(_ path: String, own: OwnFiles) throws(FileRefusal) -> Found {
        let places = try folders.places(for: path)
        var found: [Found] = []
        var problem: FileRefusal?
        for (index, place) in places.enumerated() {
            do throws(FileRefusal) {
                let reader = FolderReader(
                    root: place.folder.root, path: place.folder.path, own: own)
                let one = Found(
                    folder: place.folder, found: try reader.find(place.names, shown: path))
                // A path with the name of its folder is unambiguous.
                if index == 0, place.names.count < places.last?.names.count ?? 0 { return one }
                found.append(one)
            } catch {
                // A refused path is not searched elsewhere.
                if error.reason != .missing { throw error }
                problem = problem ?? error
            }
        }
        guard let first = found.first else {
            throw problem ?? FileRefusal(.missing, path: path)
        }
        if found.count > 1 {
            throw FileRefusal(.inSeveral(open: found.map(\.folder.name)), path: path)
        }
        return first
    }

    // MARK: - list_folder

    func list(_ path: String, depth: Int) throws -> ToolOutput {
        let open = folders.current
        if open.isEmpty { throw FileRefusal(.nothingOpen, path: path) }
        if ["", ".", "/"].contains(path), open.count > 1 {
            let names = open.map(\.name)
            return ToolOutput(
                text: "Open folders:\n" + names.map { "\($0)/" }.joined(separator: "\n"),
                summary: Quantities.count(names.count, "open folder"), isUntrusted: true)
        }
        let own = folders.own
        let found = try find(
            ["", "."].contains(path) ? open[0].name : path, own: own)
        guard case .folder(let folder, let names) = found.found else {
            throw FileRefusal(.notFolder, path: path)
        }
        var listing = FolderListing(own: own, limit: Self.listLimit)
        try listing.add(
            folder, name: names.last ?? FilePath.name(found.folder.path), depth: depth
        ) { try Task.checkCancellation() }
        let head =
            found.shown(names) + "/: " + Quantities.count(listing.count, "entry", plural: "entries")
        var text =
            head + (listing.lines.isEmpty ? "" : "\n" + listing.lines.joined(separator: "\n"))
        if listing.count > listing.lines.count {
            text += "\n[\(listing.count - listing.lines.count) more are not shown]"
        }
        return ToolOutput(text: text, summary: head, isUntrusted: true)
    }

    // MARK: - read_file

    func read(_ path: String, first: Int, count: Int) throws -> ToolOutput {
        let found = try find(path, own: folders.own)
        guard case .file(let file) = found.found else { throw FileRefusal(.isFolder, path: path) }
        let shown = found.shown(file.names)
        var window = LineWindow(first: first, count: count)
        var isWhole = true
        do throws(FileRefusal) {
            isWhole = try fill(&window, from: file)
        } catch {
            throw FileRefusal(error.reason, path: path)
        }
        try Task.checkCancellation()
        window.finish()
        let total = Quantities.grouped(window.total) + (isWhole ? "" : " or more")
        if window.lines.isEmpty {
            let text =
                window.total == 0
                ? "\(shown) is empty."
                : "\(shown) has only \(Quantities.count(window.total, "line"))."
            return ToolOutput(text: text, summary: text, isUntrusted: true)
        }
        let last = window.first + window.lines.count - 1
        let range = "\(Quantities.grouped(window.first))–\(Quantities.grouped(last))"
        let isAll = window.first == 1 && last == window.total && isWhole
        let head =
            isAll
            ? "\(shown), \(Quantities.count(last, "line"))" : "\(shown), lines \(range) of \(total)"
        let lines = window.lines.enumerated().map { "\(window.first + $0)\t\($1)" }
        var text = head + "\n" + lines.joined(separator: "\n")
        if last < window.total { text += "\n[go on with offset \(last + 1)]" }
        return ToolOutput(text: text, summary: head, isUntrusted: true)
    }

    /// - Returns: whether the file was read to its end.
    private func fill(
        _ window: inout LineWindow, from file: FolderReader.OpenedFile
    ) throws(FileRefusal) -> Bool {
        let head = try file.read(at: 0, count: Self.binaryHead)
        if SecretFile.holdsKey(head) { throw FileRefusal(.key, path: "") }
        if head.contains(0) || head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
            // UTF-16 is also text.
            guard file.size <= Self.wholeLimit else { throw FileRefusal(.notText, path: "") }
            let bytes = try file.read(at: 0, count: file.size)
            guard let text = TextDecoding.text(bytes) else {
                throw FileRefusal(.notText, path: "")
            }
            window.take(Array(text.utf8))
            return true
        }
        if TextDecoding.text(Self.withoutHalf(head)) == nil {
            throw FileRefusal(.notText, path: "")
        }
        var offset = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while offset < Self.scanLimit {
            let chunk = try file.read(at: offset, count: 256 << 10)
            if chunk.isEmpty { return true }
            if chunk.contains(0) { throw FileRefusal(.notText, path: "") }
            window.take(chunk)
            offset += chunk.count
            // A cancelled call is reported by the caller.
            if Task.isCancelled { return false }
        }
        return false
    }

    /// The bytes without a character cut at the end of a piece.
    private static func withoutHalf(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count == binaryHead else { return bytes }
        var bytes = bytes
        var rest = 3
        while rest > 0, bytes.last.map({ $0 & 0xC0 == 0x80 }) ?? false {
            bytes.removeLast()
            rest -= 1
        }
        if bytes.last.map({ $0 >= 0xC0 }) ?? false { bytes.removeLast() }
        return bytes
    }

    // MARK: - search_files

    func search(_ search: FileSearch, in path: String) throws -> ToolOutput {
        let own = folders.own
        let deadline = uptime() + FileSearch.seconds
        var run = FileSearch.Run(search)
        let isStopped = { [uptime] in
            try Task.checkCancellation()
            return uptime() > deadline
        }
        if ["", ".", "/"].contains(path) {
            for folder in folders.current where !run.isFull {
                let found = Found(folder: folder, found: .folder(folder.root, names: []))
                try walk(&run, found, from: folder.root, at: [], own: own, isStopped: isStopped)
            }
            if folders.isEmpty { throw FileRefusal(.nothingOpen, path: path) }
        } else {
            let found = try find(path, own: own)
            switch found.found {
            case .folder(let folder, let names):
                try walk(&run, found, from: folder, at: names, own: own, isStopped: isStopped)
            case .file(let file):
                if SecretFile.holdsKey(try file.read(at: 0, count: Self.binaryHead)) {
                    throw FileRefusal(.key, path: path)
                }
                run.look(
                    at: file.names.joined(separator: "/"), shown: found.shown(file.names),
                    size: file.size
                ) { count throws(FileRefusal) in try file.read(at: 0, count: count) }
            }
        }
        return run.output
    }

    private func walk(
        _ run: inout FileSearch.Run, _ found: Found, from folder: FileCall.Descriptor,
        at names: [String], own: OwnFiles, isStopped: @escaping () throws -> Bool
    ) throws {
        var options = FolderWalk.Options()
        options.showsHidden = run.search.showsHidden
        options.usesIgnoreFiles = !run.search.showsHidden
        var rules = IgnoreRules()
        if options.usesIgnoreFiles {
            rules = self.rules(above: names, in: found.folder, own: own)
            // An explicitly requested folder is not ignored.
            let isIgnored = names.indices.contains {
                rules.leavesOut(names[...$0].joined(separator: "/"), isFolder: true)
            }
            if isIgnored { (rules, options.usesIgnoreFiles) = (IgnoreRules(), false) }
        }
        var walk = FolderWalk(options, own: own, rules: rules, isStopped: isStopped)
        let result = try walk.run(
            folder, below: names.joined(separator: "/"),
            name: names.last ?? FilePath.name(found.folder.path)
        ) { file in
            run.look(
                at: file.path, shown: found.shown(file.path.split(separator: "/").map(String.init)),
                size: file.size
            ) { count throws(FileRefusal) in try file.read(count) }
            return run.isFull ? .stop : .goOn
        }
        run.add(result)
    }

    /// The rules of the `.gitignore` files in the parent folders.
    private func rules(
        above names: [String], in folder: OpenFolders.Folder, own: OwnFiles
    ) -> IgnoreRules {
        var rules = IgnoreRules()
        let reader = FolderReader(root: folder.root, path: folder.path, own: own)
        for count in names.indices {
            let part = Array(names.prefix(count))
            // It was searched just now; if it is gone, there is nothing to find.
            guard case .folder(let above, _) = try? reader.find(part, shown: "") else { break }
            FolderWalk.addRules(in: above, part.joined(separator: "/"), to: &rules)
        }
        return rules
    }
}
