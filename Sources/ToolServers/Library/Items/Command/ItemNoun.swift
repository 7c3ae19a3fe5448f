import AgentCore
import Base
import Persistence

/// The verbs that items of one kind share (`chat letter`, `chat story`, `chat idea`):
/// showing, editing, deleting and exporting, as `chat library` does for all kinds, and what
/// a list left out.
package struct ItemNoun: Sendable {
    package let lookup: KindLookup
    package let library: LibraryServer.Dependencies

    package init(lookup: KindLookup, library: LibraryServer.Dependencies) {
        self.lookup = lookup
        self.library = library
    }

    private var command: LibraryCommand { LibraryCommand(library) }

    /// The line about the items that a list of the newest left out.
    package func rest(behind shown: Int, limit: Int?) async throws -> [StyledLine] {
        guard shown == limit else { return [] }
        let more = try await library.store.count(ItemFilter(kinds: [lookup.kind])) - shown
        return more > 0 ? [Self.rest(more)] : []
    }

    static func rest(_ count: Int) -> StyledLine {
        StyledLine("… and \(Quantities.grouped(count)) more: --all", .dim)
    }

    // MARK: - Verbs

    package func show(_ arguments: CommandArguments) async throws -> CommandOutput {
        try await found(arguments) { try await command.show($0, arguments) }
    }

    /// Edits an item in the user's editor, or by `--text` and `--title`.
    package func edit(_ arguments: CommandArguments) async throws -> CommandOutput {
        let item = try await lookup.find(arguments.text)
        return try await command.edit(item, arguments, name: lookup.name)
    }

    package func delete(_ arguments: CommandArguments) async throws -> CommandOutput {
        try await found(arguments) { try await command.delete($0, arguments, name: lookup.name) }
    }

    /// Writes an item in a format of the library.
    package func export(_ arguments: CommandArguments) async throws -> CommandOutput {
        try await found(arguments) { try await ItemExport(library).write($0, arguments) }
    }

    private func found(
        _ arguments: CommandArguments, _ body: ([LibraryItem]) async throws -> CommandOutput
    ) async throws -> CommandOutput {
        let items = try await lookup.items(arguments.plain)
        var output = try await body(items)
        output.quotesOthers = items.contains(where: \.hasUntrustedText)
        return output
    }

    // MARK: - Files

    /// Writes an item to a file or into a folder, overwriting only with `--force`.
    ///
    /// - Parameters:
    ///   - bytes: called once it is known that the file may be written.
    ///   - members: JSON members to add after path, bytes and format.
    package func export(
        _ item: LibraryItem, to output: String, as format: String, _ arguments: CommandArguments,
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
        if !arguments.has("--force") { try await ItemExport.checkFree(path) }
        let bytes = try await bytes()
        try await ItemExport.write(
            [(path, bytes)], replaces: arguments.has("--force"), id: library.environment.uuid())
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
