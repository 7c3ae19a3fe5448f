import AgentCore
import Base
import FoundationEssentials
import Persistence

/// The verbs of `chat library` that change items, and the lookup of their arguments.
extension LibraryCommand {
    // MARK: - Which items

    /// Runs the body on the items that the arguments mean; if one is ambiguous,
    /// nothing is done and each candidate is a choice.
    ///
    /// - Parameters:
    ///   - count: how many of the arguments mean items.
    ///   - isOneTitle: whether arguments that are not ids form one title.
    ///   - isTrashed: nil searches the trash as well.
    func found(
        _ arguments: CommandArguments, verb: String, count: Int = .max, isOneTitle: Bool = false,
        isTrashed: Bool? = false, _ body: ([LibraryItem]) async throws -> CommandOutput
    ) async throws -> CommandOutput {
        var queries = Array(arguments.plain.prefix(count))
        if isOneTitle, queries.contains(where: { ItemID($0) == nil && $0 != "last" }) {
            queries = [arguments.text]
        }
        var items: [LibraryItem] = []
        for query in queries {
            let candidates = try await matches(query, isTrashed: isTrashed)
            guard let first = candidates.first else {
                throw try await missing(query, isTrashed: isTrashed)
            }
            if candidates.count > 1 {
                return Self.choice(of: candidates, for: query, verb: verb, arguments)
            }
            if !items.contains(where: { $0.id == first.id }) { items.append(first) }
        }
        var output = try await body(items)
        output.quotesOthers = items.contains(where: \.hasUntrustedText)
        return output
    }

    private func matches(_ query: String, isTrashed: Bool?) async throws -> [LibraryItem] {
        let found = try await store.matches(query, in: ItemFilter(isTrashed: isTrashed ?? false))
        if !found.isEmpty || isTrashed != nil { return found }
        return try await store.matches(query, in: ItemFilter(isTrashed: true))
    }

    private func missing(_ query: String, isTrashed: Bool?) async throws -> any Error {
        if let id = ItemID(query), let item = try await store.item(id),
            ItemID.names(item.kind, query)
        {
            if item.trashed != nil { return LibraryError(.inTrash(id)) }
            return LibraryError(.notInTrash(id))
        }
        if let id = ItemID(query) { return LibraryError(.notFound(id)) }
        return LibraryNoMatch(query: query, isInTrash: isTrashed == true)
    }

    private static func choice(
        of candidates: [LibraryItem], for query: String, verb: String, _ arguments: CommandArguments
    ) -> CommandOutput {
        var output = CommandOutput(
            lines: [StyledLine("Several items are \"\(query.oneLine)\":", .warning)],
            json: .array(candidates.map(ItemTable.json)), outcome: .refused)
        output.choices = candidates.map { item in
            // As typed, with the id in place of the title.
            var typed = arguments.typed
            if let index = typed.firstIndex(of: query) {
                typed[index] = "\(item.id)"
            } else {
                typed =
                    typed.filter { !arguments.plain.contains($0) && $0 != "--" } + ["\(item.id)"]
            }
            return CommandOutput.Choice(
                "\(ItemTable.name(item)) · \(item.kind)",
                command: [LibraryServer.noun, verb] + typed)
        }
        return output
    }

    // MARK: - The trash

    func delete(_ arguments: CommandArguments) async throws -> CommandOutput {
        try await found(arguments, verb: "delete") { try await delete($0, arguments) }
    }

    /// Several need the user's consent.
    func delete(
        _ items: [LibraryItem], _ arguments: CommandArguments,
        name: (LibraryItem) -> String = ItemTable.name
    ) async throws -> CommandOutput {
        if items.count > 1, !arguments.isConfirmed {
            let shown = items.prefix(10).map(name).joined(separator: ", ")
            let more = items.count > 10 ? " and \(items.count - 10) more" : ""
            let isMeant = await arguments.interaction.confirm(
                "To the trash: \(shown)\(more)", "Delete these \(items.count)?")
            guard isMeant else {
                return CommandOutput(
                    lines: [
                        StyledLine(
                            "Nothing was deleted; --yes moves these \(items.count) to the trash.",
                            .warning)
                    ], outcome: .refused)
            }
        }
        let gone = try await store.trash(items.map(\.id))
        return CommandOutput(
            lines: gone.map { Self.done("deleted", name($0)) },
            json: .array(gone.map(ItemTable.json)))
    }

    func restore(_ arguments: CommandArguments) async throws -> CommandOutput {
        if arguments.has("--revision") { return try await restoreRevision(arguments) }
        return try await found(arguments, verb: "restore", isTrashed: true) { items in
            let back = try await store.restore(items.map(\.id))
            return CommandOutput(
                lines: back.map { Self.done("restored", $0) },
                json: .array(back.map(ItemTable.json)))
        }
    }

    private func restoreRevision(_ arguments: CommandArguments) async throws -> CommandOutput {
        guard let number = try arguments.number("--revision") else { return CommandOutput() }
        return try await found(arguments, verb: "restore", isOneTitle: true) { items in
            guard items.count == 1, let item = items.first else {
                throw UsageError("--revision is for one item.")
            }
            if item.revision == number {
                return CommandOutput(
                    lines: [StyledLine("\(item.id) is at revision \(number) already.", .dim)],
                    json: .array([ItemTable.json(item)]))
            }
            let back = try await store.restore(item.id, toRevision: number)
            return CommandOutput(
                lines: [Self.done("back at revision \(number)", back)],
                json: .array([ItemTable.json(back)]))
        }
    }

    func emptyTrash(_ arguments: CommandArguments) async throws -> CommandOutput {
        let count = try await store.count(ItemFilter(isTrashed: true))
        if count == 0 {
            // Also removes files that an earlier deletion could not remove.
            let emptied = try await store.emptyTrash()
            try await dependencies.tidy()
            return CommandOutput(
                lines: [StyledLine("The trash is empty.", .dim)], json: ["deleted": 0],
                notices: emptied.left.notices, outcome: emptied.left.isEmpty ? .ok : .degraded)
        }
        let what = Quantities.count(count, "item")
        var isMeant = arguments.isConfirmed
        if !isMeant {
            isMeant = await arguments.interaction.confirm(
                nil, "Delete \(what) for good? This cannot be undone.")
        }
        guard isMeant else {
            return CommandOutput(
                lines: [
                    StyledLine("Nothing was deleted; --yes deletes \(what) for good.", .warning)
                ], outcome: .refused)
        }
        var emptied = try await store.emptyTrash()
        try await dependencies.tidy()
        if !emptied.privateTexts.isEmpty,
            try await !dependencies.forget(emptied.privateTexts)
        {
            emptied.left.isLogInUse = true
        }
        return CommandOutput(
            lines: [
                StyledLine(
                    "✓ \(Quantities.count(emptied.count, "item")) deleted for good", .success)
            ], json: ["deleted": JSONValue(emptied.count)], notices: emptied.left.notices,
            outcome: emptied.left.isEmpty ? .ok : .degraded)
    }

    // MARK: - Words

    func edit(_ arguments: CommandArguments) async throws -> CommandOutput {
        try await found(arguments, verb: "edit") { items in
            guard let item = items.first else { return CommandOutput() }
            return try await edit(item, arguments)
        }
    }

    func edit(
        _ item: LibraryItem, _ arguments: CommandArguments,
        name: @escaping @Sendable (LibraryItem) -> String = ItemTable.name
    ) async throws -> CommandOutput {
        let editor = LibraryEditor(store: store, name: name)
        if !arguments.has("--text"), !arguments.has("--title") {
            return try await editor.edit(item, arguments.interaction)
        }
        var change = ItemChange(title: arguments["--title"]?.trimmingSpace())
        if change.title?.isEmpty == true { throw UsageError("A title needs words.") }
        if let text = arguments["--text"] { change.body = text == "-" ? try await input() : text }
        // As in `save`: piped input may be untrusted.
        let origin = RevisionOrigin(by: .user, hasUntrustedText: arguments["--text"] == "-")
        return try await editor.apply(change, to: item, by: origin, arguments.interaction)
    }

    /// Maximum bytes of a text: two long novels. Each revision keeps the whole text, and the search index
    /// its words; longer texts are stories.
    static let limitInBytes = 10 << 20

    package func input() async throws -> String {
        let bytes = try await dependencies.readInput(Self.limitInBytes)
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw ToolError.failed("standard input is not text in UTF-8; nothing was changed")
        }
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    func tag(_ arguments: CommandArguments) async throws -> CommandOutput {
        let added = ItemTag.normalised(Array(arguments.plain.dropFirst()))
        let removed = ItemTag.normalised(arguments.values("--remove"))
        if let wrong = (arguments.plain.dropFirst() + arguments.values("--remove")).first(where: {
            ItemTag.normalised($0).isEmpty
        }) {
            throw UsageError("\"\(KeyShape.shown(wrong))\" is not a tag.")
        }
        return try await found(arguments, verb: "tag", count: 1) { items in
            guard let item = items.first else { return CommandOutput() }
            let tags = item.tags.filter { !removed.contains($0) } + added
            let update = try await store.change(
                item.id, ItemChange(tags: tags), by: .user, verb: "tagged")
            let now = update.item
            let shown = now.tags.map { "#" + $0 }.joined(separator: " ")
            let line: StyledLine =
                switch update {
                case .changed:
                    StyledLine([
                        .init("✓ \(ItemTable.name(now)): ", .success),
                        .init(shown.isEmpty ? "no tags" : shown, .success),
                        .init(" · /undo", .hint),
                    ])
                case .unchanged, .conflict:
                    StyledLine("\(ItemTable.name(now)): \(shown.isEmpty ? "no tags" : shown)")
                }
            return CommandOutput(lines: [line], json: .array([ItemTable.json(now)]))
        }
    }

    /// `✓ deleted: i12 Tea cups · /undo`
    static func done(_ verb: String, _ item: LibraryItem) -> StyledLine {
        done(verb, ItemTable.name(item))
    }

    private static func done(_ verb: String, _ name: String) -> StyledLine {
        StyledLine([.init("✓ \(verb): \(name)", .success), .init(" · /undo", .hint)])
    }
}

/// No item has the typed title.
package struct LibraryNoMatch: Error, Sendable, Equatable {
    package var query: String
    /// Whether only the trash was searched.
    package var isInTrash: Bool
    /// Whether a file of that name was searched for as well.
    package var mayBeFile = false

    package init(query: String, isInTrash: Bool, mayBeFile: Bool = false) {
        self.query = query
        self.isInTrash = isInTrash
        self.mayBeFile = mayBeFile
    }
}

extension LibraryNoMatch: DescribedError {
    package var diagnostic: Diagnostic {
        Diagnostic(
            "\(isInTrash ? "Nothing in the trash" : mayBeFile ? "No file and no item" : "No item") "
                + "is called "
                + "\"\(KeyShape.shown(query.oneLine))\".",
            todo: isInTrash
                ? "chat library list --deleted shows what is there."
                : "chat library list shows what there is.", exit: .failure, namesCommands: true)
    }
}
