import AgentCore
import Base
import Glibc
import Persistence

/// `chat library export`: writes items as files that other programs read.
/// Overwrites no file without `--force`, and leaves none half written. Only the
/// user can read them (0600).
package struct ItemExport: Sendable {
    enum Format: String, CaseIterable {
        case md, txt, json

        /// The format for a file name's extension; nil if that is not known.
        init?(ofFile name: String) {
            guard let dot = name.lastIndex(of: ".") else { return nil }
            switch name[name.index(after: dot)...].lowercased() {
            case "md", "markdown": self = .md
            case "txt", "text": self = .txt
            case "json": self = .json
            default: return nil
            }
        }
    }

    let dependencies: LibraryServer.Dependencies

    init(_ dependencies: LibraryServer.Dependencies) { self.dependencies = dependencies }

    package static let options: [Verb.Option] = [
        .init(
            "--format", oneOf: Format.allCases.map(\.rawValue),
            "default: by the extension of PATH, or md"),
        .init("-o, --output PATH", "a file, or a folder for one file each", .file),
        .init("--force", "replace existing files"),
    ]

    var verb: Verb {
        Verb(
            "export", "export items to a file; without PATH, to stdout",
            [.init("ITEM", LibraryCommand.item, .item, repeats: true)], options: Self.options,
            json: "path bytes items", example: "i12 -o tea.md"
        ) { try await run($0) }
    }

    private func run(_ arguments: CommandArguments) async throws -> CommandOutput {
        let command = LibraryCommand(dependencies)
        return try await command.found(arguments, verb: "export", isOneTitle: true, isTrashed: nil)
        {
            try await write($0, arguments)
        }
    }

    func write(
        _ items: [LibraryItem], _ arguments: CommandArguments
    ) async throws -> CommandOutput {
        let output = arguments["--output"]
        let named: Format? = try arguments.choice("--format")
        guard let output else {
            var done = CommandOutput()
            done.document = Array(text(items, as: named ?? Self.usual(items)).utf8)
            return done
        }
        let folder = dependencies.workingFolder()
        let path = FilePath.tidy(output.hasPrefix("/") ? output : "\(folder)/\(output)")
        var files: [(path: String, bytes: [UInt8])] = []
        let isFolder = await Self.isFolder(path)
        let format =
            try named ?? (isFolder ? nil : Self.format(ofFile: path)) ?? Self.usual(items)
        if isFolder {
            for item in items {
                let name = Self.fileName(item) + "." + format.rawValue
                files.append(("\(path)/\(name)", Array(text([item], as: format).utf8)))
            }
        } else {
            files = [(path, Array(text(items, as: format).utf8))]
        }
        try await Self.write(
            files, replaces: arguments.has("--force"), id: dependencies.environment.uuid())
        let what = Quantities.count(items.count, "item")
        let json = files.enumerated().map { index, file -> JSONValue in
            let held = files.count > 1 ? [items[index]] : items
            return [
                "path": .string(file.path), "bytes": JSONValue(file.bytes.count),
                "items": .array(held.map { .string("\($0.id)") }),
            ]
        }
        return CommandOutput(
            lines: files.map { file in
                Self.line(
                    files.count > 1 ? "" : "\(what) → ", file.path, in: folder,
                    bytes: file.bytes.count)
            }, json: .array(json))
    }

    /// `✓ 2 items → tea.md, 4 KB`
    static func line(
        _ what: String, _ path: String, in folder: String, bytes: Int
    ) -> StyledLine {
        let shown = path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path
        return StyledLine([
            .init("✓ \(what)", .success), .init(shown, .success, file: path),
            .init(", \(Quantities.bytes(bytes))", .dim),
        ])
    }

    /// nil for a name without an extension.
    /// - Throws: `UsageError` if the extension belongs to another format: the file would be
    ///   misnamed.
    private static func format(ofFile path: String) throws(UsageError) -> Format? {
        let name = FilePath.name(path)
        if let format = Format(ofFile: name) { return format }
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        throw UsageError(
            "Items are not exported as \"\(KeyShape.shown(String(name[dot...])))\".",
            hint: "Use .md, .txt or .json; or any name with --format FORMAT.")
    }

    /// The default format of the items: plain text for speech, Markdown for
    /// everything else.
    private static func usual(_ items: [LibraryItem]) -> Format {
        items.allSatisfy { $0.kind == .transcript } ? .txt : .md
    }

    // MARK: - What is written

    /// Ends with a line break.
    private func text(_ items: [LibraryItem], as format: Format) -> String {
        switch format {
        case .json: JSONWriter.pretty(.array(items.map(ItemTable.whole))) + "\n"
        case .md: items.map(Self.markdown).joined(separator: "\n---\n\n")
        case .txt: items.map(Self.plain).joined(separator: "\n\n")
        }
    }

    private static func markdown(_ item: LibraryItem) -> String {
        // A prompt's body is a valid file for the folder of roles, starting
        // with its header.
        if item.kind == .prompt { return ended(item.body) }
        let title = ItemTitle.isMade(item.title, of: item.body) ? "" : "# \(name(item))\n\n"
        let tags = item.tags.isEmpty ? "" : "\n" + item.tags.map { "#" + $0 }.joined(separator: " ")
        return title + ended(item.body) + (tags.isEmpty ? "" : tags + "\n")
    }

    private static func plain(_ item: LibraryItem) -> String {
        let title = ItemTitle.isMade(item.title, of: item.body) ? "" : name(item) + "\n\n"
        return title + ended(item.body)
    }

    private static func name(_ item: LibraryItem) -> String { item.title.oneLine }

    private static func ended(_ text: String) -> String {
        text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
    }

    /// `i12-tea-cups`: letters, digits and `-`, so that no title can lead to
    /// another folder.
    package static func fileName(_ item: LibraryItem) -> String {
        fileName("\(item.id)", item.title)
    }

    /// - Parameter start: the part that distinguishes it from other files.
    package static func fileName(_ start: String, _ title: String) -> String {
        var name = start
        for word in title.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
            if name.utf8.count + word.utf8.count > 60 { break }
            name += "-" + word
        }
        return name
    }

    // MARK: - Files

    package static func isFolder(_ path: String) async -> Bool {
        await QueueExecutor.run("chat.library.files") {
            var status = stat()
            return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        }
    }

    /// Writes all of them or none: existing files are detected before the first
    /// is written.
    static func write(
        _ files: [(path: String, bytes: [UInt8])], replaces: Bool, id: String
    ) async throws {
        let problem: (path: String, code: Int32)? = await QueueExecutor.run("chat.library.files") {
            for file in files {
                var status = stat()
                guard lstat(file.path, &status) == 0 else { continue }
                if !replaces { return (file.path, EEXIST) }
                // A link is followed; a pipe or a device is never replaced.
                if stat(file.path, &status) != 0 { return (file.path, errno) }
                if status.st_mode & S_IFMT != S_IFREG { return (file.path, EINVAL) }
            }
            for file in files {
                let code = replaces ? Self.replace(file, id: id) : Self.create(file)
                if code != 0 { return (file.path, code) }
            }
            return nil
        }
        guard let problem else { return }
        if problem.code == EINVAL {
            throw UsageError(
                "\(problem.path) is not a file.", hint: "Without -o it goes to standard output.")
        }
        if problem.code == EEXIST { throw isThere(problem.path) }
        let reason = Diagnostic.system(problem.code)
        throw ToolError.failed("\(problem.path) cannot be written: \(reason).")
    }

    private static func isThere(_ path: String) -> UsageError {
        UsageError(
            "\(path) already exists.", hint: "Give another name, or --force to replace it.")
    }

    /// - Throws: `UsageError` if something already exists there.
    package static func checkFree(_ path: String) async throws {
        let isTaken = await QueueExecutor.run("chat.library.files") {
            var status = stat()
            return lstat(path, &status) == 0
        }
        if isTaken { throw isThere(path) }
    }

    private static func create(_ file: (path: String, bytes: [UInt8])) -> Int32 {
        WholeFile.create(file.bytes, at: file.path)
    }

    private static func replace(_ file: (path: String, bytes: [UInt8]), id: String) -> Int32 {
        let target = FilePath.real(file.path) ?? file.path
        let folder = FilePath.folder(of: target)
        return WholeFile.replace(
            file.bytes, at: target, temporary: "\(folder)/.chat-\(id).new")
    }
}
