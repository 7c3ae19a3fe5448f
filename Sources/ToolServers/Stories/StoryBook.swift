import AgentCore
import Base
import Documents
import Library
import Persistence
import StoryKit

/// Imports stories and finds saved ones: items of kind `story`. The same text is the same
/// story; different text from the same file is a new revision of it.
///
/// Files are read on this actor's own queue. Nothing is saved if reading fails.
package actor StoryBook: QueuedActor {
    package nonisolated let executor = QueueExecutor(label: "chat.stories")

    package struct Dependencies: Sendable {
        package var library: LibraryStore
        /// Environment variables, for `pdftotext`.
        package var variables: [String: String]
        package var home: String
        /// All of standard input, up to a limit; nil if nothing is piped in.
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

    /// The user's settings for an import; if nil, those of the file or detected ones are used.
    package struct Details: Sendable, Equatable {
        package var title: String?
        package var author: String?
        package var language: String?
        package var style: QuoteStyle?
        /// Create a new story even if the file is known.
        package var isNew = false
    }

    /// The result of an import.
    package struct Imported: Sendable, Equatable {
        package enum Change: Sendable, Equatable { case added, revised, unchanged }

        package var item: LibraryItem
        package var story: Story
        package var change: Change
        /// The saved cover picture.
        package var cover: CoverPicture?
    }

    package nonisolated let lookup: KindLookup
    private let dependencies: Dependencies

    package init(_ dependencies: Dependencies) {
        self.dependencies = dependencies
        lookup = KindLookup(.story, in: dependencies.library)
    }

    package nonisolated var library: LibraryStore { lookup.library }

    // MARK: - Importing

    /// Reads the bytes of a file, or of standard input for nil.
    /// - Throws: `DocumentError`.
    package func bytes(of path: String?) async throws -> [UInt8] {
        if let path {
            return try DocumentReader.bytes(
                path: FilePath.expanding(path, home: dependencies.home), shown: path)
        }
        guard let bytes = try await dependencies.input(DocumentReader.fileLimit) else {
            throw DocumentError(.noInput, Self.inputName)
        }
        return bytes
    }

    private static let inputName = "Standard input"

    /// - Parameter name: a file, or `-` for standard input.
    /// - Throws: `DocumentError`, `PDFTextError`, `KeyNotKept`; any library error.
    package func importStory(_ name: String, _ details: Details = .init()) async throws -> Imported
    {
        let reader = DocumentReader(variables: dependencies.variables)
        if name == "-" {
            let bytes = try await bytes(of: nil)
            if bytes.isEmpty { throw DocumentError(.empty, Self.inputName) }
            if let archive = try DocumentReader.isArchive(bytes)
                ? StoryArchive(ArchiveSource(bytes), name: Self.inputName) : nil
            {
                return try await keep(archive, details)
            }
            let document = try await reader.read(bytes, shown: Self.inputName)
            return try await keep(document, path: nil, details)
        }
        let path = FilePath.expanding(name, home: dependencies.home)
        if let file = try DocumentReader.archive(path: path, shown: name),
            let archive = try StoryArchive(ArchiveSource(file), name: name)
        {
            return try await keep(archive, details)
        }
        return try await keep(try await reader.read(path: path, shown: name), path: path, details)
    }

    private func keep(
        _ document: ReadDocument, path: String?, _ details: Details
    ) async throws -> Imported {
        let file = path.map { ResumeBook.mark(of: $0) }
        var story = Story(document, source: path.map(FilePath.name), file: file)
        story.set(details)
        let title =
            document.title ?? path.map(FilePath.stem) ?? ItemTitle.of(document.text)
        var draft = ItemDraft(
            kind: .story, title: details.title ?? title, body: document.text,
            metadata: story.metadata(over: JSONObject()))
        guard !details.isNew, let known = try await known(document.text, file) else {
            return await keep(document.cover, of: try await add(draft))
        }
        let before = Story(known)
        // Keep earlier settings.
        if known.metadata["checksum"] != nil {
            (story.author, story.language) = (
                before.author ?? story.author, before.language ?? story.language
            )
            if before.checksum == story.checksum { story.style = before.style }
            story.set(details)
        }
        // Keep the original source: this may be a copy of the file.
        (story.source, story.file) = (before.source ?? story.source, before.file ?? file)
        draft.title = details.title ?? known.title
        draft.metadata = story.metadata(over: known.metadata)
        return await keep(document.cover, of: try await change(known, draft))
    }

    /// Imports an exported archive with all its metadata.
    private func keep(_ archive: StoryArchive, _ details: Details) async throws -> Imported {
        var story = Story(archive.metadata, text: archive.text)
        story.set(details)
        var draft = ItemDraft(
            kind: .story, title: details.title ?? archive.title, body: archive.text,
            metadata: story.metadata(over: archive.metadata), tags: archive.tags)
        guard !details.isNew, let known = try await known(archive.text, nil) else {
            return await keep(archive.cover, of: try await add(draft))
        }
        draft.metadata["file"] = known.metadata["file"]
        return await keep(archive.cover, of: try await change(known, draft))
    }

    private func add(_ draft: ItemDraft) async throws -> Imported {
        if KeyShape.isFound(in: draft.body) { throw KeyNotKept() }
        guard let item = try await library.add([draft], by: Self.origin, verb: "imported").first
        else { throw ToolError.failed("the story was not kept") }
        return Imported(item: item, story: Story(item), change: .added)
    }

    private func change(_ known: LibraryItem, _ draft: ItemDraft) async throws -> Imported {
        if KeyShape.isFound(in: draft.body) { throw KeyNotKept() }
        let change = ItemChange(title: draft.title, body: draft.body, metadata: draft.metadata)
        let update = try await library.change(known.id, change, by: Self.origin, verb: "imported")
        let isRevised = update.item.revision != known.revision
        return Imported(
            item: update.item, story: Story(update.item),
            change: isRevised ? .revised : .unchanged)
    }

    private func keep(_ cover: CoverPicture?, of imported: Imported) async -> Imported {
        guard let cover else { return imported }
        var imported = imported
        do {
            try await library.setPicture(cover.bytes, of: imported.item.id)
            imported.cover = cover
        } catch {
            // The story is saved, without a picture.
        }
        return imported
    }

    /// Imported text is untrusted.
    private static let origin = RevisionOrigin(by: .user, hasUntrustedText: true)

    /// The story with that text, or from that file.
    private func known(_ text: String, _ file: String?) async throws -> LibraryItem? {
        let checksum = JSONValue(Int(CRC32.of(Array(text.utf8))))
        // Texts are long, so read one only if it is likely the same.
        let stories = try await stories()
        for story in stories where story.metadata["checksum"] == checksum {
            if let item = try await library.item(story.id), item.body == text { return item }
        }
        guard let file,
            let same = stories.first(where: { $0.metadata["file"]?.stringValue == file })
        else { return nil }
        return try await library.item(same.id)
    }

    // MARK: - Saved stories

    /// The cover picture; nil for a book without one.
    nonisolated func cover(of item: LibraryItem) async throws -> CoverPicture? {
        try await library.picture(of: item.id).flatMap { CoverPicture($0) }
    }

    /// The stories without their texts, newest first.
    package nonisolated func stories(limit: Int? = nil) async throws -> [LibraryItem] {
        try await library.items(
            ItemFilter(kinds: [.story], order: .newest, limit: limit), bodyLimit: 0)
    }
}

extension Story {
    mutating func set(_ details: StoryBook.Details) {
        author = details.author ?? author
        language = details.language ?? language
        style = details.style ?? style
    }
}
