import Base
import FoundationEssentials
import Library
import Persistence

/// The notes about the user: short facts, stored as library items, so that they have
/// revisions, the trash, undo and a place in backups. `UserNotes` passes them to
/// conversations.
package struct MemoryBook: Sendable {
    /// Maximum characters of a note. All notes are sent with each conversation.
    package static let noteLimit = 200
    /// Maximum number of notes.
    package static let countLimit = 100
    /// Maximum code points of a note: a question shows this many on one row.
    private static let scalarLimit = 280

    package let library: LibraryStore
    package let lookup: KindLookup

    package init(_ library: LibraryStore) {
        self.library = library
        lookup = KindLookup(.memory, in: library)
    }

    /// The result of saving a note.
    package enum Kept: Sendable, Equatable {
        case new(LibraryItem)
        /// The note already exists.
        case known(LibraryItem)

        package var item: LibraryItem {
            switch self {
            case .new(let item), .known(let item): item
            }
        }
    }

    // MARK: - Reading

    /// The oldest first: notes keep their position.
    package func notes() async throws -> [LibraryItem] {
        try await library.items(
            ItemFilter(kinds: [.memory], order: .oldest, limit: Self.countLimit))
    }

    /// The origin of a note: when it was first saved, by whom, and in which conversation.
    package func origin(of item: LibraryItem) async throws -> RevisionOrigin? {
        try await library.revision(1, of: item.id)?.origin
    }

    // MARK: - Changing

    /// - Throws: `MemoryError`, `KeyNotKept`; then nothing is saved.
    package func remember(_ text: String, by origin: RevisionOrigin) async throws -> Kept {
        let note = try Self.checked(text)
        if let known = try await notes().first(where: { Self.isSame($0.body, note) }) {
            return .known(known)
        }
        guard try await library.count(ItemFilter(kinds: [.memory])) < Self.countLimit else {
            throw MemoryError(.full)
        }
        let draft = ItemDraft(kind: .memory, title: note, body: note)
        guard let item = try await library.add([draft], by: origin, verb: "remembered").first
        else { preconditionFailure("one draft makes one item") }
        return .new(item)
    }

    /// Changes a note's text. The old text stays as a revision.
    /// - Throws: as `remember`.
    package func change(
        _ item: LibraryItem, to text: String, by origin: RevisionOrigin
    ) async throws -> ItemUpdate {
        let note = try Self.checked(text)
        // Nothing of any untrusted text in it is left.
        let change = ItemChange(title: note, body: note, metadata: JSONObject(), tags: [])
        return try await library.change(item.id, change, basedOn: item.revision, by: origin)
    }

    /// Moves notes to the trash of the library.
    package func forget(_ items: [LibraryItem]) async throws -> [LibraryItem] {
        try await library.trash(items.map(\.id), verb: "forgot")
    }

    // MARK: - What may be kept

    /// One line without invisible characters.
    /// - Throws: `MemoryError`, `KeyNotKept`.
    package static func checked(_ text: String) throws -> String {
        let note = UntrustedText.cleaned(text).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        if note.isEmpty { throw MemoryError(.empty) }
        let length = max(note.count, note.unicodeScalars.count - (scalarLimit - noteLimit))
        if length > noteLimit { throw MemoryError(.tooLong(length)) }
        if KeyShape.isFound(in: note) { throw KeyNotKept() }
        return note
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        func plain(_ text: String) -> String {
            let folded = SearchText.folded(text)
            return folded.last == "." ? String(folded.dropLast()) : folded
        }
        return plain(one) == plain(other)
    }
}

/// The reason why a note was not saved.
package struct MemoryError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case empty
        /// The note is too long; its length in characters.
        case tooLong(Int)
        /// The maximum number of notes is reached.
        case full
    }

    package var reason: Reason

    package init(_ reason: Reason) { self.reason = reason }
}

extension MemoryError: DescribedError {
    package var diagnostic: Diagnostic {
        switch reason {
        case .empty:
            Diagnostic(
                "There is nothing to remember.", todo: "chat memory add \"I am vegetarian\"",
                exit: .usage)
        case .tooLong(let count):
            Diagnostic(
                "That note has \(Quantities.grouped(count)) characters; a note takes "
                    + "\(MemoryBook.noteLimit).",
                todo: "Shorten it, or keep it as a text: chat library save", exit: .usage)
        case .full:
            Diagnostic(
                "\(MemoryBook.countLimit) notes are kept already, the most that chat keeps.",
                todo: "chat memory list shows them; chat memory forget makes room.",
                exit: .refused)
        }
    }
}
