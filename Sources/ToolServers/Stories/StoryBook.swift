import AgentCore
import Persistence
import StoryKit

/// Imports stories and finds those that are kept: items of kind `story`. The same text
/// is the same story; other text of the same file is a new revision of it.
///
/// Files are read on a queue of its own. Nothing is kept of what could not be read.
package actor StoryBook {
    private nonisolated let executor = QueueExecutor(label: "chat.stories")
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    package struct Dependencies: Sendable {
        package var library: LibraryStore
        /// Of the environment, for `pdftotext`.
        package var variables: [String: String]
        package var home: String
        /// All of standard input, at most so many bytes; nil where nothing is piped in.
        package var input: @Sendable (_ limit: Int) async throws -> [UInt8]?

        package init(
            library: LibraryStore, variables: [String: String], home: String,
            input: @escaping @Sendable (_ limit: Int) async throws -> [UInt8]?
        ) {
            self.library = library
            self.variables = variables
            self.home = home
            self.input = input
        }
    }

    /// What the user says of a story; nil is what the file says, or what is found.
    package struct Wishes: Sendable, Equatable {
        package var title: String?
        package var author: String?
        package var language: String?
        package var style: QuoteStyle?
        /// Another story, though the file is known.
        package var isNew = false

        package init() {}
    }

    /// What came of an import.
    package struct Imported: Sendable, Equatable {
        package enum Change: Sendable, Equatable { case added, revised, unchanged }

        package var item: LibraryItem
        package var story: Story
        package var change: Change
    }

    package nonisolated let lookup: KindLookup
    private let dependencies: Dependencies

    package init(_ dependencies: Dependencies) {
        self.dependencies = dependencies
        lookup = KindLookup(.story, in: dependencies.library)
    }

    package nonisolated var library: LibraryStore { lookup.library }

    // MARK: - Importing

    /// - Parameter name: a file, or `-` for standard input.
    /// - Throws: `DocumentError`, `PDFTextError`, `KeyNotKept`; what the library throws.
    package func importStory(_ name: String, _ wishes: Wishes = Wishes()) async throws -> Imported {
        let reader = DocumentReader(variables: dependencies.variables)
        if name == "-" {
            let shown = "Standard input"
            guard let bytes = try await dependencies.input(DocumentReader.fileLimit) else {
                throw DocumentError(.noInput, shown)
            }
            if bytes.isEmpty { throw DocumentError(.empty, shown) }
            let document = try await reader.read(bytes, shown: shown)
            return try await keep(document, path: nil, wishes)
        }
        let path = FilePath.expanding(name, home: dependencies.home)
        return try await keep(try await reader.read(path: path, shown: name), path: path, wishes)
    }

    private func keep(
        _ document: ReadDocument, path: String?, _ wishes: Wishes
    ) async throws -> Imported {
        if KeyShape.isFound(in: document.text) { throw KeyNotKept() }
        let file = path.map { ResumeBook.mark(of: $0) }
        var story = Story(document, source: path.map(FilePath.name), file: file)
        story.author = wishes.author ?? story.author
        story.language = wishes.language ?? story.language
        story.style = wishes.style ?? story.style
        if !wishes.isNew, let known = try await known(document.text, file) {
            let before = Story(known)
            // What the user has said of it before holds on.
            if known.metadata["checksum"] != nil {
                story.author = wishes.author ?? before.author ?? story.author
                story.language = wishes.language ?? before.language ?? story.language
                if before.checksum == story.checksum { story.style = wishes.style ?? before.style }
            }
            // A copy of its file is not where it comes from.
            (story.source, story.file) = (before.source ?? story.source, before.file ?? file)
            let change = ItemChange(
                title: wishes.title, body: document.text,
                metadata: story.metadata(over: known.metadata))
            let update = try await library.change(
                known.id, change, by: Self.origin, verb: "imported")
            let isRevised = update.item.revision != known.revision
            return Imported(
                item: update.item, story: story, change: isRevised ? .revised : .unchanged)
        }
        let title =
            wishes.title ?? document.title ?? path.map(FilePath.stem) ?? ItemTitle.of(document.text)
        let draft = ItemDraft(
            kind: .story, title: title, body: document.text,
            metadata: story.metadata(over: JSONObject()))
        guard let item = try await library.add([draft], by: Self.origin, verb: "imported").first
        else { throw ToolError.failed("the story was not kept") }
        return Imported(item: item, story: story, change: .added)
    }

    /// What is imported was written by others.
    private static let origin = RevisionOrigin(by: .user, hasForeignText: true)

    /// The story with that text, or of that file.
    private func known(_ text: String, _ file: String?) async throws -> LibraryItem? {
        let checksum = JSONValue(Int(CRC32.of(Array(text.utf8))))
        // Texts are long: one is read only where it is likely the same.
        let stories = try await stories()
        for story in stories where story.metadata["checksum"] == checksum {
            if let item = try await library.item(story.id), item.body == text { return item }
        }
        guard let file,
            let same = stories.first(where: { $0.metadata["file"]?.stringValue == file })
        else { return nil }
        return try await library.item(same.id)
    }

    // MARK: - What is kept

    /// Without their texts, the newest first.
    package nonisolated func stories(limit: Int? = nil) async throws -> [LibraryItem] {
        try await library.items(
            ItemFilter(kinds: [.story], order: .newest, limit: limit), bodyLimit: 0)
    }
}
