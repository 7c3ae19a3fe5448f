import AgentCore
import Base
import Library
import Persistence
import StoryKit

/// `chat story bookmark`: places in a story, with notes.
struct StoryBookmarkCommand: Sendable {
    let bookmarks: StoryBookmarks
    let library: LibraryServer.Dependencies
    let player: StoryPlayer
    let listening: StoryListening

    private var book: StoryBook { bookmarks.book }

    private static let actions = ["add", "list", "go", "rm"]

    var verb: Verb {
        Verb(
            "bookmark", "places to come back to, with a note; they stay when the text changes",
            [
                .init("ACTION", "add, list, go or rm", .examples(Self.actions), isOptional: true),
                .init(
                    "STORY", "a story: s3 or last; default: the one you listened to last", .story,
                    isOptional: true),
                .init("N", "for add the number of a segment, else of a bookmark", isOptional: true),
                .phrase("NOTE", "for add: what it is for", isOptional: true),
            ], options: [.init("--here", "for add: where you listened to last")],
            json: "number at segment chapter note text lost", example: "add s3 42 \"tea\""
        ) { try await run($0) }
    }

    private func run(_ arguments: CommandArguments) async throws -> CommandOutput {
        var rest = arguments.plain[...]
        let action = rest.popFirst() ?? "list"
        guard Self.actions.contains(action) else {
            throw UsageError(noAction: action, among: Self.actions)
        }
        if arguments.has("--here"), action != "add" { throw UsageError("--here is for add.") }
        if action == "list" {
            let item = try await listening.story(rest.joined(separator: " "), book)
            return await list(item)
        }
        var name = ""
        if let first = rest.first, first == "last" || first.hasPrefix("s") && ItemID(first) != nil {
            name = first
            rest.removeFirst()
        }
        let item = try await listening.story(name, book)
        if action == "add", arguments.has("--here") {
            return try await add(try await here(item), rest.joined(separator: " "), item)
        }
        guard let number = rest.popFirst().flatMap({ Int($0) }), action == "add" || rest.isEmpty
        else {
            let id = book.lookup.id(item.id)
            throw UsageError(
                "bookmark \(action) needs the number of a "
                    + (action == "add" ? "segment." : "bookmark."),
                hint: action == "add"
                    ? "chat story bookmark add \(id) 42 \"tea\", or --here"
                    : "chat story bookmark \(action) \(id) 1")
        }
        if action == "add" {
            let spans = await book.perform { StoryText(item) }.spans
            guard spans.indices.contains(number - 1) else {
                throw StoryPlayError(.noSuchSegment(number, count: spans.count), item.id)
            }
            let start = spans[number - 1].range.lowerBound
            return try await add(start, rest.joined(separator: " "), item)
        }
        let all = await bookmarks.all(item)
        guard all.indices.contains(number - 1) else {
            throw UsageError(
                "There is no bookmark \(number): \(book.lookup.name(item)) has "
                    + "\(all.isEmpty ? "none" : "\(all.count)").",
                hint: "chat story bookmark list \(book.lookup.id(item.id))")
        }
        let found = all[number - 1]
        if action == "go" {
            return try await listening.present(
                item, .offset(found.place), player, arguments.interaction)
        }
        try await bookmarks.remove(found, from: item)
        return CommandOutput(
            lines: [.done("bookmark \(number) removed: \(book.lookup.name(item))")])
    }

    private func here(_ item: LibraryItem) async throws -> Int {
        if let state = player.state, state.item == item.id, state.segment > 0 {
            return state.line.lowerBound
        }
        guard let place = try await listening.place(item.id) else {
            throw UsageError(
                "You have not listened to \(book.lookup.name(item)) yet.",
                hint: "chat story bookmark add \(book.lookup.id(item.id)) 42")
        }
        return place
    }

    private func add(
        _ offset: Int, _ note: String, _ item: LibraryItem
    ) async throws -> CommandOutput {
        let added = try await bookmarks.add(offset, note, to: item.id)
        var output = await list(added.item, only: added.number)
        output.lines.insert(
            StyledLine([
                .init("\(added.said) · \(book.lookup.name(item))", .success),
                .init(" · /undo", .hint),
            ]), at: 0)
        return output
    }

    /// `  1   42/240  Chapter 2  tea  “Curiouser and curiouser!” cried Alice`
    private func list(_ item: LibraryItem, only: Int? = nil) async -> CommandOutput {
        let all = await bookmarks.all(item)
        let text = await book.perform { StoryText(item) }
        let story = Story(item)
        var rows: [[StyledLine.Span]] = []
        var json: [JSONValue] = []
        for (index, found) in all.enumerated() where only == nil || only == index + 1 {
            let span = text.spans.lastIndex { $0.range.lowerBound <= found.place } ?? 0
            let chapter = story.chapters.lastIndex { $0.start <= found.place }
            // About one line.
            let words = text.text(of: text.bytes.whole(found.place..<found.place + 120)).oneLine
            rows.append([
                .init(DisplayWidth.padLeft("\(index + 1)", to: 3), .accent),
                .init("segment \(span + 1)"),
                .init(chapter.map { "chapter \($0 + 1)" } ?? "", .dim),
                .init(
                    DisplayWidth.cut(found.bookmark.note.oneLine, to: noteWidth)),
                .init(
                    found.isLost ? "its words are gone" : DisplayWidth.cut(words, to: textWidth),
                    .dim),
            ])
            json.append([
                "number": JSONValue(index + 1), "at": JSONValue(found.place),
                "segment": JSONValue(span + 1),
                "chapter": chapter.map { JSONValue($0 + 1) } ?? .null,
                "note": .string(found.bookmark.note), "text": .string(words),
                "lost": .bool(found.isLost),
            ])
        }
        return CommandOutput(
            lines: rows.isEmpty
                ? [
                    StyledLine(
                        "No bookmarks in \(book.lookup.name(item)) yet: "
                            + "chat story bookmark add --here", .hint)
                ] : StyledLine.table(rows, columns: 4), json: .array(json))
    }

    private var noteWidth: Int { max(8, min(30, (library.width() ?? 100) / 3)) }

    private var textWidth: Int {
        max(0, (library.width() ?? 100) - 34 - noteWidth)
    }
}
