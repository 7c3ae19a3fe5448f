import AgentCore
import Base
import Library
import Persistence
import Privacy

/// The text that a writing tool works on, in the state in which it was read,
/// and how to write it back.
struct WritingTarget: Sendable {
    enum Origin: Sendable {
        /// Standard input: the result goes to standard output.
        case input
        /// The model's last answer; only shown.
        case answer
        case file(WritingFile)
        case item(LibraryItem)
        /// The notes of a reminder or an event.
        case notes(ItemNotes)
    }

    var place: Origin
    /// A name for the user: a file name, `i12 Tea cups`; may be untrusted text.
    var name: String
    var text: String
    var encoding = TextEncoding.utf8

    /// Whether it is a file of plain text, not Markdown.
    var isPlain: Bool {
        if case .file(let file) = place { file.path.lowercased().hasSuffix(".txt") } else { false }
    }

    /// Whether the result replaces it by default: an item keeps its revisions,
    /// and notes have undo.
    var isChangedInPlace: Bool {
        switch place {
        case .item, .notes: true
        case .input, .answer, .file: false
        }
    }
}

/// The notes of a reminder or an event.
package struct ItemNotes: Sendable {
    var title: String
    var uid: String
    var notes: String
    var write: @Sendable (String) async throws -> Void

    package init(
        title: String, uid: String, notes: String,
        write: @escaping @Sendable (String) async throws -> Void
    ) {
        self.title = title
        self.uid = uid
        self.notes = notes
        self.write = write
    }
}

extension WritingServer {
    /// Finds the target named by the arguments.
    ///
    /// - Parameter name: the argument that names the target.
    /// - Throws: read errors; `ToolError.ambiguous` for a title of several items.
    func target(
        _ name: String, _ arguments: CommandArguments
    ) async throws -> WritingTarget {
        if let title = arguments["--reminder"] {
            return try Self.target(try await dependencies.reminderNotes(title), "reminder")
        }
        if let title = arguments["--event"] {
            return try Self.target(try await dependencies.eventNotes(title), "event")
        }
        let isChat = arguments.interaction.isChat
        if name == "-" || name.isEmpty && !isChat {
            if isChat { throw UsageError("At the prompt there is no standard input.") }
            guard let bytes = try await dependencies.input() else {
                throw UsageError(
                    "\(arguments.name) needs a text.",
                    hint: "chat \(arguments.name) FILE, or pipe it in.")
            }
            let encoding = try WritingFile.encoding(of: bytes, "Standard input")
            return WritingTarget(
                place: .input, name: "", text: encoding.text(of: bytes), encoding: encoding)
        }
        if name.isEmpty || name == "last", isChat, let answer = try await dependencies.lastAnswer()
        {
            return WritingTarget(place: .answer, name: "the last answer", text: answer)
        }
        if name.isEmpty {
            throw UsageError("There is no answer yet.", hint: "Name a file or an item.")
        }
        return try await named(name)
    }

    /// An existing file, or else an item; `i12` is an item.
    private func named(_ name: String) async throws -> WritingTarget {
        let path = FilePath.expanding(name, home: dependencies.home)
        let isItem = name.first.map { "ils".contains($0) } == true && ItemID(name) != nil
        if !isItem {
            do {
                let file = try await dependencies.files.read(path)
                return WritingTarget(
                    place: .file(file), name: name, text: file.text, encoding: file.encoding)
            } catch let error as WritingFileError
                where error.reason == .file(.system(2)) && !name.contains("/")
            {
            }
        }
        let found = try await dependencies.library.matches(name)
        guard let item = found.first else {
            if isItem, let id = ItemID(name) { throw LibraryError(.notFound(id)) }
            throw LibraryNoMatch(query: name, isInTrash: false, mayBeFile: true)
        }
        if found.count > 1 {
            throw ToolError.ambiguous(
                query: name, candidates: found.prefix(10).map { "\($0.id) \($0.title)" })
        }
        return WritingTarget(
            place: .item(item), name: "\(item.id) \(item.title)", text: item.body)
    }

    /// The data to withhold from the text; nil for a text that is sent unchanged.
    /// - Throws: `DisclosureRefusal`.
    func withheld(from target: WritingTarget) async throws -> PersonalData? {
        guard case .item(let item) = target.place else { return nil }
        return try await dependencies.disclosure.redacted(item)?.withheld
    }

    // MARK: - Notes

    private static func target(_ notes: ItemNotes, _ kind: String) throws -> WritingTarget {
        guard !notes.notes.isEmpty else {
            throw ToolError.failed("The \(kind) \"\(notes.title)\" has no notes.")
        }
        return WritingTarget(
            place: .notes(notes), name: "the notes of \(notes.title)", text: notes.notes)
    }
}
