import AgentCore
import Base
import Library
import Persistence

/// `chat story export`: writes a story to a file. Never overwrites a file without `--force`
/// and never leaves a partial one; files are private to the user (0600).
struct StoryExport: Sendable {
    enum Format: String, CaseIterable {
        /// Everything, for import into another chat.
        case zip
        /// A book for e-book readers.
        case epub
        /// The text, byte for byte.
        case txt
    }

    let book: StoryBook
    let library: LibraryServer.Dependencies

    var verb: Verb {
        Verb(
            "export", "export it: zip for another chat, epub for reading, or its text",
            [StoryCommand.story],
            options: [
                .init(
                    "--format", oneOf: Format.allCases.map(\.rawValue),
                    "default: by the extension of PATH, or txt"),
                .init("-o, --output PATH", "a file or a folder; default: standard output", .file),
                .init("--force", "replace an existing file"),
            ], json: "path bytes format", example: "s3 -o tide.epub"
        ) { try await run($0) }
    }

    private func run(_ arguments: CommandArguments) async throws -> CommandOutput {
        let item = try await book.lookup.find(arguments.text, isTrashed: nil)
        let output = arguments["--output"]
        let format: Format =
            try arguments.choice("--format")
            ?? output.map { try Self.format(ofFile: $0, else: .txt, "exported", Self.endings) }
            ?? .txt
        guard let output else {
            if format != .txt, library.formatted("") != nil || arguments.interaction.isChat {
                throw UsageError(
                    "A .\(format.rawValue) file is not text for a terminal.",
                    hint: "chat story export \(book.lookup.id(item.id)) -o story.\(format.rawValue)"
                )
            }
            var done = CommandOutput()
            done.document = try await bytes(item, format)
            return done
        }
        return try await ItemNoun(lookup: book.lookup, library: library).export(
            item, to: output, as: format.rawValue, arguments
        ) {
            arguments.interaction.emit(ToolProgress(activity: "Exporting", title: item.title))
            return try await bytes(item, format)
        }
    }

    private static let endings = ".zip, .epub or .txt; or any name with --format FORMAT"

    /// The format that a file's name means.
    /// - Parameter usual: for a name without an ending.
    /// - Throws: `UsageError` for another ending: the name would be misleading.
    static func format<Format: RawRepresentable<String>>(
        ofFile path: String, else usual: Format, _ done: String, _ endings: String
    ) throws(UsageError) -> Format {
        let name = FilePath.name(path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return usual }
        let ending = name[dot...].lowercased()
        if let format = Format(rawValue: String(ending.dropFirst())) { return format }
        throw UsageError(
            "Stories are not \(done) as \"\(KeyShape.shown(ending.oneLine))\".",
            hint: "Use \(endings).")
    }

    private func bytes(_ item: LibraryItem, _ format: Format) async throws -> [UInt8] {
        switch format {
        case .txt: Array(item.body.utf8)
        case .zip:
            try StoryArchive(item, cover: try await book.cover(of: item)).bytes(
                created: LocalTime().isoText(library.environment.now()))
        case .epub:
            try StoryEPUB(
                title: ItemTable.title(item), story: Story(item), text: item.body, uid: item.uid,
                modified: item.updated, cover: try await book.cover(of: item)
            ).bytes()
        }
    }
}
