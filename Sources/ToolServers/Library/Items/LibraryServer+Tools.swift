import AgentCore
import Base
import Persistence
import Privacy

/// The library's tools for the model: `library_search`, `library_get`,
/// `library_save`, `library_update`, `library_trash`. Each affects one item,
/// whose earlier text stays in its revisions or in the trash.
extension LibraryServer {
    /// Maximum characters of a text in one answer; `offset` continues it.
    private static let pieceLimit = 20_000
    /// Maximum bytes of a text to save.
    static let textLimit = 1 << 20
    /// The kinds that a model may create; other kinds have separate servers.
    private static let savedKinds = ["idea", "draft"]

    package var topic: String {
        "library* bibliothek* draft* entwurf* entwürfe* i# note notes notiz* recipe* transcript*"
    }

    package func listTools() -> [Tool] {
        let item = JSONSchema.string(description: "Id such as i12, \"last\", or the title")
        let tags = JSONSchema.array(of: .string(), description: "Single words")
        return [
            Tool(
                name: "library_search", title: "Search the library",
                description:
                    "Finds ideas, drafts, transcripts and other texts that the user keeps; "
                    + "without a query the latest ones.",
                inputSchema: .object([
                    .init("query", .string(description: "Words that must all occur")),
                    .init("kind", .string(description: "idea, draft, transcript, prompt …")),
                    .init("tag", .string()),
                    .init("limit", .integer(description: "Default 20", range: 1...50)),
                ]), toolClass: .read,
                cues: """
                    find search* look+up once did+i have+i ever neulich damals habe+ich kept saved wrote written tagged tag which remember+text \
                    once+wrote dig+up worked+out discuss* talked+about such* gesprochen besprochen finde aufgehoben gespeichert geschrieben welche+entw*
                    """),
            Tool(
                name: "library_get", title: "Read an item",
                description: "The text of one item of the library.",
                inputSchema: .object([
                    .init("item", item, isRequired: true),
                    .init(
                        "offset",
                        .integer(description: "Characters to skip", range: 0...100_000_000)),
                ]), toolClass: .read, cues: "i#"),
            Tool(
                name: "library_save", title: "Keep a text",
                description: "Keeps a text as a new item of the library, when the user asks.",
                inputSchema: .object([
                    .init("kind", .string(choices: Self.savedKinds), isRequired: true),
                    .init("text", .string(description: "All of it"), isRequired: true),
                    .init("title", .string()), .init("tags", tags),
                ]), toolClass: .write, isAddition: true,
                cues: """
                    keep+paragraph keep+text keep+that keep+this keep+it file+away put+away note+down write+down save* store* heb+auf \
                    hold+on+to want+later store* save* aufheben aufbewahr* bewahr* speicher* behalt*
                    """),
            Tool(
                name: "library_update", title: "Change an item",
                description: "Gives an item another text, title or tags, as a new revision.",
                inputSchema: .object([
                    .init("item", item, isRequired: true),
                    .init("text", .string(description: "All of it")),
                    .init("title", .string()), .init("tags", tags),
                    .init(
                        "revision",
                        .integer(description: "From library_get", range: 1...1_000_000)),
                ]), toolClass: .write,
                cues: """
                    i# tag+draft tag+note retitle* rename* ersetz* umbenenn* heißen replace*
                    """),
            Tool(
                name: "library_trash", title: "Delete an item",
                description: "Moves one item to the trash.",
                inputSchema: .object([.init("item", item, isRequired: true)]),
                toolClass: .destroy,
                cues: """
                    i# trash* chuck* throw+out throw+away rubbish bin discard* delete+draft delete+note \
                    papierkorb wegwerf* weg+damit brauche+nicht lösch*
                    """),
        ]
    }

    package func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        switch name {
        case "library_search": return try await search(arguments)
        case "library_get": return try await get(arguments)
        case "library_save": return try await save(arguments)
        case "library_update": return try await update(arguments)
        case "library_trash":
            let item = try await changeable(arguments)
            _ = try await store.trash([item.id])
            return try await done("deleted", item)
        default: throw ToolError.toolNotFound(name: name)
        }
    }

    package func preview(of name: String, arguments: JSONObject) async -> CallPreview {
        guard name == "library_update" || name == "library_trash" else { return .touches(nil) }
        do {
            let item = try await changeable(arguments)
            guard name == "library_update", let text = arguments["text"]?.stringValue else {
                return .touches("\(item.kind) \(ItemTable.name(item))", item: "\(item.id)")
            }
            let (before, after) = (LibraryCommand.words(item.body), LibraryCommand.words(text))
            return .touches(
                "\(item.kind) \(ItemTable.name(item)), \(Quantities.count(before, "word")) → "
                    + "\(Quantities.grouped(after))", item: "\(item.id)")
        } catch let error as ToolError {
            return .fails(ToolOutput(error))
        } catch {
            // The call itself reports the problem.
            return .touches(nil)
        }
    }

    // MARK: - Reading

    private func search(_ arguments: JSONObject) async throws -> ToolOutput {
        let limit = arguments["limit"]?.integerValue ?? 20
        let kinds = arguments["kind"]?.stringValue.map { [ItemKind(rawValue: $0)] } ?? []
        let query = arguments["query"]?.stringValue ?? ""
        let tag = arguments["tag"]?.stringValue.map { ItemTag.normalised($0) }
        var hits: [(item: LibraryItem, snippet: String?)] = []
        if SearchQuery(query).isEmpty {
            let filter = ItemFilter(
                kinds: kinds, tag: arguments["tag"]?.stringValue, limit: limit)
            for item in try await store.items(filter) {
                let shown = try await named(item)
                // An undisclosed tag is not confirmed either.
                if tag.map({ shown.tags.contains($0) }) ?? true { hits.append((shown, nil)) }
            }
        } else {
            // Few items have a given tag, so search for more hits.
            let found = try await LibrarySearch.hits(
                query, ItemFilter(kinds: kinds), in: store, limit: tag == nil ? limit : 500
            ).filter { hit in tag.map { hit.item.tags.contains($0) } ?? true }
            for hit in found.prefix(limit) {
                if let shown = try await disclosed(hit, query),
                    tag.map({ shown.item.tags.contains($0) }) ?? true
                {
                    hits.append((shown.item, shown.snippet.text))
                }
            }
        }
        if hits.isEmpty { return ToolOutput(text: "Nothing was found.") }
        let lines = hits.map { hit in
            var line = "\(hit.item.id) \(hit.item.kind): \(ItemTable.title(hit.item))"
            if !hit.item.tags.isEmpty { line += " [\(hit.item.tags.joined(separator: ", "))]" }
            line += " (\(LocalTime().isoText(hit.item.updated)))"
            return hit.snippet.map { "\(line)\n  \($0.oneLine)" } ?? line
        }
        return ToolOutput(
            text: lines.joined(separator: "\n"),
            summary: Quantities.count(hits.count, "item"),
            isUntrusted: hits.contains { $0.item.hasUntrustedText })
    }

    /// The item as shown in a list; if it may not be disclosed, only its number.
    private func named(_ item: LibraryItem) async throws -> LibraryItem {
        do {
            return try await dependencies.disclosure.disclosed(item)
        } catch is DisclosureRefusal {
            var item = item
            (item.title, item.body, item.tags) = ("(not shown)", "", [])
            return item
        }
    }

    private func disclosed(_ hit: LibraryHit, _ query: String) async throws -> LibraryHit? {
        do {
            return try await dependencies.disclosure.disclosed(
                hit, finding: SearchQuery(query))
        } catch is DisclosureRefusal {
            return nil
        }
    }

    /// - Throws: `ToolError.failed` if no part of the item may be disclosed.
    private func redacted(_ item: LibraryItem) async throws -> ItemDisclosure.Redacted? {
        do {
            return try await dependencies.disclosure.redacted(item)
        } catch let refusal as DisclosureRefusal {
            let diagnostic = refusal.diagnostic
            throw ToolError.failed("\(diagnostic.what) \(diagnostic.todo ?? "")")
        }
    }

    private func get(_ arguments: JSONObject) async throws -> ToolOutput {
        let whole = try await item(arguments)
        let item = try await redacted(whole)?.item ?? whole
        let offset = arguments["offset"]?.integerValue ?? 0
        let piece = item.body.dropFirst(offset).prefix(Self.pieceLimit)
        var head = "\(item.id) \(item.kind): \(ItemTable.title(item)), revision \(item.revision)"
        if !item.tags.isEmpty { head += ", tags \(item.tags.joined(separator: ", "))" }
        let rest = item.body.count - offset - piece.count
        var text = "\(head)\n\n\(piece)"
        if rest > 0 {
            text += "\n\n[\(rest) characters more: offset \(offset + piece.count)]"
        }
        return ToolOutput(
            text: text, summary: ItemTable.name(whole), isUntrusted: item.hasUntrustedText)
    }

    // MARK: - Changing

    private func save(_ arguments: JSONObject) async throws -> ToolOutput {
        let text = try Self.text(arguments) ?? ""
        if text.trimmingSpace().isEmpty { throw ToolError.failed("the text is empty") }
        let title = arguments["title"]?.stringValue?.trimmingSpace() ?? ""
        let draft = ItemDraft(
            kind: ItemKind(rawValue: arguments["kind"]?.stringValue ?? "draft"),
            title: title.isEmpty ? ItemTitle.of(text) : title, body: text,
            tags: Self.tags(arguments) ?? [])
        guard let item = try await store.add([draft], by: .model()).first else {
            throw ToolError.failed("nothing was kept")
        }
        return try await done("saved", item)
    }

    private func update(_ arguments: JSONObject) async throws -> ToolOutput {
        let item = try await changeable(arguments)
        let title = arguments["title"]?.stringValue?.trimmingSpace()
        var change = ItemChange(
            title: title, body: try Self.text(arguments),
            tags: Self.tags(arguments))
        // The model has seen placeholders: their values are put back.
        if let redacted = try await redacted(item) {
            change.title = try change.title.map { try Self.restored($0, redacted) }
            change.body = try change.body.map { try Self.restored($0, redacted) }
        }
        if change.title?.isEmpty == true { change.title = nil }
        if change == ItemChange() {
            throw ToolError.failed("library_update needs text, title or tags")
        }
        // Text that only has invisible characters counts as blank.
        if change.body?.unicodeScalars.allSatisfy({
            $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint
        }) == true {
            throw ToolError.failed(
                "the new text is empty; library_trash moves an item to the trash")
        }
        let update = try await store.change(
            item.id, change, basedOn: arguments["revision"]?.integerValue ?? item.revision,
            by: .model())
        switch update {
        case .changed(let item): return try await done("changed", item)
        case .unchanged(let item):
            return ToolOutput(
                text: "\(item.id) is like that already.", summary: nil,
                isUntrusted: item.hasUntrustedText)
        case .conflict(let now, let kept):
            return ToolOutput(
                text: "\(now.id) has changed since: it is at revision \(now.revision). Your text "
                    + "was kept as revision \(kept.number), beside it. Read it again with "
                    + "library_get before you change it.",
                summary: "! \(ItemTable.name(now)) was changed elsewhere; kept as revision "
                    + "\(kept.number)", isError: true, isUntrusted: now.hasUntrustedText)
        }
    }

    /// - Throws: `ToolError.failed` for a placeholder without a value.
    private static func restored(
        _ text: String, _ redacted: ItemDisclosure.Redacted
    ) throws(ToolError) -> String {
        let restored = redacted.map.restore(text)
        guard let left = redacted.leftOver(in: restored) else { return restored }
        throw .failed("\(left) stands for nothing in this item; nothing was changed")
    }

    private func done(_ verb: String, _ item: LibraryItem) async throws -> ToolOutput {
        let shown = try await named(item)
        return ToolOutput(
            text: "\(verb) \(item.id) (\(item.kind)): \(ItemTable.title(shown)), revision "
                + "\(item.revision)",
            summary: "✓ \(verb): \(item.kind) \(ItemTable.name(item)) · /undo",
            isUntrusted: item.hasUntrustedText)
    }

    /// An item that a model may change. Prompts are instructions for later
    /// conversations: only the user changes them.
    /// - Throws: as `item`, and `ToolError.failed` for a prompt.
    private func changeable(_ arguments: JSONObject) async throws -> LibraryItem {
        let item = try await item(arguments)
        try Self.checkChangeable(item)
        return item
    }

    package static func checkChangeable(_ item: LibraryItem) throws(ToolError) {
        if item.kind == .memory {
            throw ToolError.failed("\(item.id) is a note about the user: use remember or forget")
        }
        guard item.kind == .prompt else { return }
        throw ToolError.failed(
            "\(item.id) is a prompt, and only the user changes prompts: chat prompt edit")
    }

    /// - Throws: `ToolError.noMatch`, `.ambiguous`.
    private func item(_ arguments: JSONObject) async throws -> LibraryItem {
        let query = arguments["item"]?.stringValue ?? ""
        let found = try await store.matches(query)
        guard let first = found.first else { throw ToolError.noMatch(query: query) }
        if found.count > 1 {
            var candidates: [String] = []
            for item in found {
                candidates.append("\(ItemTable.name(try await named(item))) (\(item.kind))")
            }
            throw ToolError.ambiguous(query: query, candidates: candidates)
        }
        return first
    }

    static func text(_ arguments: JSONObject) throws -> String? {
        guard let text = arguments["text"]?.stringValue else { return nil }
        guard text.utf8.count <= textLimit, !text.utf8.contains(0) else {
            throw ToolError.failed(
                "the text is longer than \(Quantities.bytes(textLimit)) or contains a NUL")
        }
        if KeyShape.isFound(in: text) {
            throw ToolError.failed("not kept: the text contains what looks like an API key")
        }
        return text
    }

    private static func tags(_ arguments: JSONObject) -> [String]? {
        arguments["tags"]?.arrayValue.map { $0.compactMap(\.stringValue) }
    }
}

extension RevisionOrigin {
    /// The model that is currently calling a tool, with its conversation.
    package static func model() -> RevisionOrigin {
        RevisionOrigin(
            by: .model, name: ToolCallContext.caller?.model,
            conversation: ToolCallContext.caller?.conversation,
            hasUntrustedText: ToolCallContext.hasUntrustedText)
    }
}
