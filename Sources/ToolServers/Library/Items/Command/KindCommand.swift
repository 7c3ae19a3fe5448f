import AgentCore
import Base
import Persistence

/// Shared parts of the commands for items of one kind (`chat letter`, `chat
/// story`): deleting, exporting, and reporting what a list left out.
package struct KindCommand: Sendable {
    package let lookup: KindLookup
    package let library: LibraryServer.Dependencies

    package init(lookup: KindLookup, library: LibraryServer.Dependencies) {
        self.lookup = lookup
        self.library = library
    }

    /// The line about the items that a list of the newest left out.
    package func rest(behind shown: Int, limit: Int?) async throws -> [StyledLine] {
        guard shown == limit else { return [] }
        let more = try await library.store.count(ItemFilter(kinds: [lookup.kind])) - shown
        return more > 0 ? [Self.rest(more)] : []
    }

    static func rest(_ count: Int) -> StyledLine {
        StyledLine("… and \(Quantities.grouped(count)) more: --all", .dim)
    }

    // MARK: - The trash

    package func delete(_ words: CommandArguments) async throws -> CommandOutput {
        var items: [LibraryItem] = []
        let isTitle = words.plain.contains { ItemID($0) == nil && $0 != "last" }
        for query in isTitle ? [words.text] : words.plain {
            let item = try await lookup.find(query)
            if !items.contains(where: { $0.id == item.id }) { items.append(item) }
        }
        if let refused = await Self.refusal(of: items.map(lookup.name), listed: 5, words) {
            return refused
        }
        let gone = try await library.store.trash(items.map(\.id))
        var output = CommandOutput(
            lines: gone.map { item in
                StyledLine([
                    .init("✓ deleted: \(lookup.name(item))", .success),
                    .init(" · /undo", .hint),
                ])
            }, json: .array(gone.map(ItemTable.json)))
        output.quotesOthers = true
        return output
    }

    /// Asks before several items are deleted. Nil if they may be: a single one, or several with
    /// the user's consent.
    static func refusal(
        of names: [String], listed: Int, _ words: CommandArguments
    ) async -> CommandOutput? {
        guard names.count > 1, !words.isConfirmed else { return nil }
        let shown = names.prefix(listed).joined(separator: ", ")
        let more = names.count > listed ? " and \(names.count - listed) more" : ""
        if await words.interaction.confirm(
            "To the trash: \(shown)\(more)", "Delete these \(names.count)?")
        {
            return nil
        }
        return CommandOutput(
            lines: [
                StyledLine(
                    "Nothing was deleted; --yes moves these \(names.count) to the trash.", .warning)
            ], outcome: .refused)
    }

    // MARK: - Files

    /// Writes an item to a file or into a folder, overwriting only with `--force`.
    ///
    /// - Parameters:
    ///   - bytes: called once it is known that the file may be written.
    ///   - members: JSON members to add after path, bytes and format.
    package func export(
        _ item: LibraryItem, to output: String, as format: String, _ words: CommandArguments,
        members: [JSONObject.Member] = [], _ bytes: () async throws -> [UInt8]
    ) async throws -> CommandOutput {
        let folder = library.workingFolder()
        var path = FilePath.tidy(output.hasPrefix("/") ? output : "\(folder)/\(output)")
        if await ItemExport.isFolder(path) {
            // `l12-senior-engineer-acme`.
            let name = lookup.id(item.id).prefix(1) + ItemExport.fileName(item).dropFirst()
            path += "/\(name).\(format)"
        }
        // Checked before a program is started for it.
        if !words.has("--force") { try await ItemExport.checkFree(path) }
        let bytes = try await bytes()
        try await ItemExport.write(
            [(path, bytes)], replaces: words.has("--force"), id: library.environment.uuid())
        return CommandOutput(
            lines: [
                ItemExport.line("\(lookup.name(item)) → ", path, in: folder, bytes: bytes.count)
            ],
            json: .object(
                JSONObject(
                    [
                        .init("path", .string(path)), .init("bytes", JSONValue(bytes.count)),
                        .init("format", .string(format)),
                    ] + members)))
    }
}
