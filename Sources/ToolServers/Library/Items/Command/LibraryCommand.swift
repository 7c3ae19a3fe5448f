import AgentCore
import Base
import FoundationEssentials
import Persistence

/// `chat library …` and `/library …`: its verbs, and the implementation of
/// those that read.
package struct LibraryCommand: Sendable {
    let dependencies: LibraryServer.Dependencies

    package init(_ dependencies: LibraryServer.Dependencies) { self.dependencies = dependencies }

    var store: LibraryStore { dependencies.store }
    var now: Date { dependencies.environment.now() }

    /// Number of items that `list` shows without `--all`.
    private static let listed = 50
    private static let kinds: Verb.Kind = .examples(
        ["idea", "draft", "transcript", "prompt", "story", "letter", "resume", "job", "memory"])
    private static let known = kinds.words.joined(separator: ", ")
    private static let kindOption = Verb.Option(
        "--kind KIND", "only ideas, drafts, transcripts, prompts …", kinds, repeats: true)
    static let item = "an item: i12, 12, last or a part of its title"

    var command: Command {
        Command(
            name: LibraryServer.noun, summary: "ideas, drafts, transcripts and other texts",
            verbs: [
                Verb(
                    "list", "the latest change first",
                    options: [
                        Self.kindOption, .init("--tag TAG", "only with this tag", .tag),
                        .init("--deleted", "those in the trash"),
                        .init("--all", "not only the latest \(Self.listed)"),
                    ], json: ItemTable.members
                ) { try await list($0) },
                Verb(
                    "show", "show one or several in full",
                    [.init("ITEM", Self.item, .item, repeats: true)],
                    options: [.init("--revision N", "an earlier revision of it")],
                    json: ItemTable.members + " body metadata trashed", example: "i12"
                ) { try await show($0) },
                Verb(
                    "search", "find words; \"in quotes\" as a phrase",
                    [.phrase("WORDS", "words to look for")],
                    options: [Self.kindOption, .init("--limit N", "at most N; default 20")],
                    json: ItemTable.members + " snippet matches"
                ) { try await search($0) },
                saving,
                Verb(
                    "edit", "edit it in your editor, or set its text or title",
                    [.init("ITEM", Self.item, .item)],
                    options: [
                        .init("--text TEXT", "the new text; - reads standard input"),
                        .init("--title TITLE", "the new title"),
                    ], json: ItemTable.members, example: "i12"
                ) { try await edit($0) },
                Verb(
                    "delete", "move to the trash",
                    [.init("ITEM", Self.item, .item, repeats: true)],
                    options: [.init("--yes", "several, without asking")],
                    json: ItemTable.members, example: "i12"
                ) { try await delete($0) },
                Verb(
                    "restore", "bring back from the trash, or go back to an earlier revision",
                    [.init("ITEM", Self.item, .item, repeats: true)],
                    options: [.init("--revision N", "of one item; history lists them")],
                    json: ItemTable.members, example: "i12"
                ) { try await restore($0) },
                Verb(
                    "tag", "add tags; without any, show its tags",
                    [
                        .init("ITEM", Self.item, .item),
                        .init("TAG", "tags", .tag, isOptional: true, repeats: true),
                    ],
                    options: [.init("--remove TAG", "remove these", .tag, takesSeveral: true)],
                    json: ItemTable.members, example: "i12 garden"
                ) { try await tag($0) },
                Verb(
                    "history", "its revisions and what made them",
                    [.init("ITEM", Self.item, .item)],
                    json:
                        "revision title made by maker conversation foreign conflict current words",
                    example: "i12"
                ) { try await history($0) },
                Verb(
                    "undo", "take back the latest change of items, or of one",
                    [.phrase("ITEM", "an item", .item, isOptional: true)], json: "undone next"
                ) { try await undo($0.text) },
                ItemExport(dependencies).verb,
                Verb(
                    "empty-trash", "delete everything in the trash for good",
                    options: [.init("--yes", "without asking")], json: "deleted"
                ) { try await emptyTrash($0) },
            ])
    }

    /// Undoes library steps only.
    func undo(_ query: String) async throws -> CommandOutput {
        try await UndoCommand(
            UndoHistory([LibraryUndoSource(store)]), environment: dependencies.environment
        ).step(query, verb: UndoCommand.defaultVerb)
    }

    // MARK: - Lists

    private func list(_ arguments: CommandArguments) async throws -> CommandOutput {
        var filter = ItemFilter(
            kinds: Self.kinds(arguments), tag: arguments["--tag"],
            isTrashed: arguments.has("--deleted"))
        if !arguments.has("--all") { filter.limit = Self.listed }
        let items = try await store.items(filter, bodyLimit: 0)
        var output = CommandOutput(
            lines: items.isEmpty
                ? [Self.nothing(filter)]
                : ItemTable.lines(items, now: now, width: dependencies.width()),
            json: .array(items.map(ItemTable.json)))
        output.quotesOthers = items.contains(where: \.hasUntrustedText)
        guard items.count == filter.limit else { return output }
        let more = try await store.count(filter) - items.count
        if more > 0 {
            output.remarks = [ItemNoun.rest(more)]
        }
        return output
    }

    private static func nothing(_ filter: ItemFilter) -> StyledLine {
        if filter.isTrashed { return StyledLine("The trash is empty.", .dim) }
        if filter.tag != nil || !filter.kinds.isEmpty {
            let unknown = filter.kinds.map(\.rawValue).first { !kinds.words.contains($0) }
            let hint = unknown.map { " \"\($0.oneLine)\" is not a kind; there are \(known)" } ?? ""
            return StyledLine("No items match.\(hint)", .dim)
        }
        return StyledLine(
            "Nothing is kept yet: /keep keeps an answer, chat idea makes ideas.", .hint)
    }

    private static func kinds(_ arguments: CommandArguments) -> [ItemKind] {
        arguments.values("--kind").map { word in
            let word = word.lowercased()
            // Users type plurals such as "ideas".
            let plural = word.hasSuffix("ies") ? word.dropLast(3) + "y" : word.dropLast(1)
            let known = kinds.words
            return ItemKind(
                rawValue: !known.contains(word) && known.contains(String(plural))
                    ? String(plural) : word)
        }
    }

    private func search(_ arguments: CommandArguments) async throws -> CommandOutput {
        let limit = min(try arguments.number("--limit") ?? 20, 1_000)
        // An argument that contains a space was quoted: a phrase.
        let text = arguments.plain.map {
            $0.contains(" ") && !$0.contains("\"") ? "\"\($0)\"" : $0
        }.joined(separator: " ")
        let query = SearchQuery(text)
        if query.isEmpty {
            throw UsageError("search needs words to look for.", hint: "chat library search WORDS")
        }
        let filter = ItemFilter(kinds: Self.kinds(arguments))
        let hits = try await LibrarySearch.hits(text, filter, in: store, limit: limit + 1)
        let shown = Array(hits.prefix(limit))
        var lines = LibrarySearch.lines(
            shown, now: now, width: dependencies.width(), query: query)
        if shown.isEmpty { lines.append(StyledLine("Nothing was found for \"\(text)\".", .dim)) }
        if hits.count > limit {
            lines.append(StyledLine("More were found: add a word, or --limit N.", .dim))
        }
        var output = CommandOutput(lines: lines, json: .array(shown.map(LibrarySearch.json)))
        output.quotesOthers = shown.contains(where: \.item.hasUntrustedText)
        return output
    }

    // MARK: - One item

    private func show(_ arguments: CommandArguments) async throws -> CommandOutput {
        try await found(arguments, verb: "show", isOneTitle: true, isTrashed: nil) {
            try await show($0, arguments)
        }
    }

    func show(_ items: [LibraryItem], _ arguments: CommandArguments) async throws -> CommandOutput {
        if arguments["--revision"] != nil { return try await revision(arguments, of: items) }
        var lines: [StyledLine] = []
        for (index, item) in items.enumerated() {
            if index > 0 { lines.append(StyledLine("")) }
            lines += shown(item)
        }
        return CommandOutput(
            lines: lines,
            json: items.count == 1
                ? ItemTable.whole(items[0]) : .array(items.map(ItemTable.whole)))
    }

    private func revision(
        _ arguments: CommandArguments, of items: [LibraryItem]
    ) async throws -> CommandOutput {
        guard let number = try arguments.number("--revision"), items.count == 1,
            let item = items.first
        else { throw UsageError("--revision is for one item.") }
        guard let revision = try await store.revision(number, of: item.id) else {
            throw LibraryError(.noRevision(item.id, number))
        }
        var then = item
        (then.title, then.body, then.tags) = (revision.title, revision.body, revision.tags)
        (then.metadata, then.revision, then.updated) = (
            revision.metadata, number, revision.made
        )
        let note = number == item.revision ? nil : "the current one is \(item.revision)"
        return CommandOutput(lines: shown(then, note: note), json: ItemTable.whole(then))
    }

    /// The item with a header on a terminal; the body alone in a pipe, where another program reads
    /// it.
    private func shown(_ item: LibraryItem, note: String? = nil) -> [StyledLine] {
        guard let body = dependencies.formatted(item.body) else {
            return ItemTable.lines(of: item.body)
        }
        let facts = StyledLine(ItemTable.facts(item, now: now, note: note), .dim)
        // A text that starts with its title needs no second one.
        let isTitled = ItemTitle.isMade(item.title, of: item.body)
        let head = isTitled ? [] : [StyledLine(ItemTable.title(item), .bold)]
        return head + [facts, StyledLine("")] + body
    }

    private func history(_ arguments: CommandArguments) async throws -> CommandOutput {
        try await found(arguments, verb: "history", isOneTitle: true, isTrashed: nil) { items in
            guard let item = items.first, items.count == 1 else {
                throw UsageError("history is of one item.", hint: "chat library history i12")
            }
            let revisions = try await store.history(of: item.id)
            let rows = revisions.enumerated().map { index, revision -> [StyledLine.Span] in
                var notes = [Quantities.count(Self.words(revision.body), "word")]
                if revision.number == item.revision { notes.append("current") }
                if revision.isConflict { notes.append("kept beside a change made elsewhere") }
                let older = revisions.dropFirst(index + 1).first
                if let older, older.tags != revision.tags { notes.append("other tags") }
                if revision.title != item.title {
                    notes.append("\"\(revision.title.oneLine)\"")
                }
                if revision.origin.hasUntrustedText { notes.append("contains untrusted text") }
                return [
                    .init(DisplayWidth.padLeft("\(revision.number)", to: 3), .accent),
                    .init(Quantities.ago(revision.made, now: now), .dim),
                    .init(Self.maker(revision.origin)),
                    .init(notes.joined(separator: " · "), .dim),
                ]
            }
            return CommandOutput(
                lines: [StyledLine(ItemTable.name(item), .bold)]
                    + StyledLine.table(rows, columns: 3)
                    + [
                        StyledLine(
                            "chat library restore \(item.id) --revision N makes one current",
                            .hint)
                    ],
                json: .array(revisions.map { Self.json($0, of: item) }))
        }
    }

    private static func maker(_ origin: RevisionOrigin) -> String {
        switch origin.by {
        case .user: "you"
        case .model: origin.name.map(\.oneLine) ?? "a model"
        case .tool: origin.name.map(\.oneLine) ?? "a tool"
        }
    }

    package static func words(_ text: String) -> Int {
        text.split(whereSeparator: \.isWhitespace).count
    }

    private static func json(_ revision: Persistence.ItemRevision, of item: LibraryItem)
        -> JSONValue
    {
        [
            "revision": JSONValue(revision.number), "title": .string(revision.title),
            "made": .string(LocalTime().isoText(revision.made)),
            "by": .string(revision.origin.by.rawValue),
            "maker": revision.origin.name.map { .string($0) } ?? .null,
            "conversation": revision.origin.conversation.map { .string($0) } ?? .null,
            "foreign": .bool(revision.origin.hasUntrustedText),
            "conflict": .bool(revision.isConflict),
            "current": .bool(revision.number == item.revision),
            "words": JSONValue(words(revision.body)),
        ]
    }
}
