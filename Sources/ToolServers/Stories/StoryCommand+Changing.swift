import AgentCore
import Base
import Library
import Persistence

/// The `chat story` verbs that import and change stories.
extension StoryCommand {
    // MARK: - Importing

    func importStory(_ arguments: CommandArguments) async throws -> CommandOutput {
        let name = arguments.plain.first ?? ""
        if name == "-", arguments.interaction.isChat {
            throw UsageError(
                "At the prompt nothing is piped in.", hint: "/story import FILE reads a file.")
        }
        var details = try details(arguments)
        details.isNew = arguments.has("--new")
        arguments.interaction.emit(ToolProgress(activity: "Importing", title: FilePath.name(name)))
        let imported = try await book.importStory(name, details)
        let (item, story) = (imported.item, imported.story)
        let shown = book.lookup.name(item)
        let count = Self.words(Array(item.body.utf8)[...])
        let head: StyledLine
        switch imported.change {
        case .added:
            head = .done("imported: \(shown)")
        case .revised:
            head = StyledLine([
                .init("✓ imported again: \(shown)", .success),
                .init(" · revision \(item.revision) · /undo", .hint),
            ])
        case .unchanged: head = StyledLine("Imported already: \(shown)", .dim)
        }
        let author = story.author.map { [DisplayWidth.cut($0.oneLine, to: 60)] } ?? []
        let cover = imported.cover.map { _ in ["cover"] } ?? []
        let facts = folded(author + about(story, words: count) + cover)
        var object = Self.json(item, story)
        object["words"] = JSONValue(count)
        return CommandOutput(
            lines: [head] + facts.map { StyledLine("  " + $0, .dim) }, json: .object(object))
    }

    private func details(_ arguments: CommandArguments) throws -> StoryBook.Details {
        var details = StoryBook.Details()
        details.title = try text("--title", arguments)
        details.author = try text("--author", arguments)
        details.language = try text("--language", arguments)
        details.style = try arguments.choice("--quotes")
        return details
    }

    private func text(_ option: String, _ arguments: CommandArguments) throws -> String? {
        guard let text = arguments[option] else { return nil }
        let line = text.oneLine.trimmingSpace()
        if line.isEmpty { throw UsageError("\(option) needs words.") }
        return line
    }

    // MARK: - Changing

    func rename(_ arguments: CommandArguments) async throws -> CommandOutput {
        let item = try await book.lookup.find(arguments.plain.first ?? "")
        let title = arguments.plain.dropFirst().joined(separator: " ").trimmingSpace()
        if title.isEmpty { throw UsageError("A title needs words.") }
        let update = try await library.store.change(
            item.id, ItemChange(title: title), by: .user, verb: "renamed")
        let shown = book.lookup.name(update.item)
        let line =
            if case .unchanged = update {
                StyledLine("That is its title already: \(shown)", .dim)
            } else {
                StyledLine.done("renamed: \(shown)")
            }
        return CommandOutput(lines: [line], json: .array([ItemTable.json(update.item)]))
    }

    func edit(_ arguments: CommandArguments) async throws -> CommandOutput {
        let item = try await book.lookup.find(arguments.text)
        let details = try details(arguments)
        let editor = LibraryEditor(store: library.store, name: book.lookup.name) { change, item in
            Self.follow(&change, item, details)
        }
        guard arguments.has("--text") || details != StoryBook.Details() else {
            return try await editor.edit(item, arguments.interaction)
        }
        var change = ItemChange(title: details.title)
        var origin = RevisionOrigin.user
        if let text = arguments["--text"] {
            change.body = text == "-" ? try await LibraryCommand(library).input() : text
            origin.hasUntrustedText = text == "-"
        }
        return try await editor.apply(change, to: item, by: origin, arguments.interaction)
    }

    /// Updates the metadata for a new text, and keeps the line ends.
    private static func follow(
        _ change: inout ItemChange, _ item: LibraryItem, _ details: StoryBook.Details
    ) {
        var story = Story(item)
        if let text = change.body {
            change.body = LineEnds.kept(of: item.body, in: text)
            story.follow(change.body ?? text)
        }
        story.set(details)
        change.metadata = story.metadata(over: item.metadata)
    }

}

/// Line ends of texts. Pure.
enum LineEnds {
    /// Converts a text from an editor, which writes `\n`, to the line ends of the old text.
    static func kept(of before: String, in text: String) -> String {
        let bytes = before.utf8
        let ends = bytes.count { $0 == 0x0A }
        guard ends > 0, !text.utf8.contains(0x0D),
            zip(bytes, bytes.dropFirst()).count(where: { $0 == 0x0D && $1 == 0x0A }) == ends
        else { return text }
        var kept: [UInt8] = []
        kept.reserveCapacity(text.utf8.count + ends)
        for byte in text.utf8 {
            if byte == 0x0A { kept.append(0x0D) }
            kept.append(byte)
        }
        return String(decoding: kept, as: UTF8.self)
    }
}
