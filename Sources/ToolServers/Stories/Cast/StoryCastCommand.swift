import AgentCore
import FoundationEssentials
import ICalendar
import Persistence
import StoryKit

/// `chat story index` and `chat story cast`: who is in a story.
struct StoryCastCommand: Sendable {
    let book: StoryBook
    let library: LibraryServer.Dependencies

    private static let members = "name aliases gender age accent personality lines narrator"
    private static let actions = ["edit", "merge", "rename", "add", "remove"]
    private static let story = Verb.Argument(
        "[STORY]", "a story: s3 or last, which is also meant without", .story,
        .examples(["last"] + actions))

    var verbs: [Verb] {
        [
            Verb(
                "index", "find who is in a story and how much each says, without a model",
                [Self.story],
                options: [
                    .init("--again", "though it was done; what was changed by hand is found anew"),
                    .init("--offline", "without a model, as it is done without this as well"),
                ], json: Self.members, example: "s3"
            ) { try await index($0) },
            Verb(
                "cast", "who is in a story; merge two names of one, rename, add, remove or edit",
                [
                    Self.story,
                    .init(
                        "[ACTION]", "edit, merge, rename, add or remove", .examples(Self.actions)),
                    .init("[NAME…]", "names of the cast"),
                ],
                options: [
                    .init("--alias NAME", "another name of who is added or edited", repeats: true),
                    .init("--gender", oneOf: ["male", "female"], "of who is added or edited"),
                    .init("--age AGE", "child, young, adult, old", .examples(Self.ages)),
                    .init("--accent ACCENT", "British, Scottish, American"),
                    .init("--personality WORDS", "stern, cheerful, shy"),
                ], json: Self.members, example: "s3 merge \"Mr. Darcy\" Darcy"
            ) { try await cast($0) },
        ]
    }

    private static let ages = ["child", "young", "adult", "old"]

    // MARK: - Indexing

    private func index(_ words: CommandArguments) async throws -> CommandOutput {
        let item = try await book.lookup.find(words.text.isEmpty ? "last" : words.text)
        let story = Story(item)
        let kept = try Story.cast(of: item)
        if story.isIndexed(item.metadata), let kept, !words.has("--again") {
            var output = table(kept)
            output.lines.insert(
                StyledLine("Indexed already: \(book.lookup.name(item)) · --again", .dim), at: 0)
            return output
        }
        words.interaction.emit(
            ToolProgress(activity: "Indexing", title: ItemTable.title(item)))
        // A cast that was changed by hand stays when the text has changed.
        let isEdited = item.metadata["index"]?["edited"]?.boolValue == true
        let found = await book.index(item, cast: isEdited && !words.has("--again") ? kept : nil)
        try Task.checkCancellation()
        var mark = JSONObject()
        mark["made"] = .integer(
            Int64(library.environment.now().timeIntervalSince1970 * 1_000))
        mark["by"] = "offline"
        mark["checksum"] = JSONValue(Int(story.checksum))
        if isEdited, !words.has("--again") { mark["edited"] = true }
        try await keep(found.cast, item, mark, verb: "indexed")
        var output = table(found.cast)
        output.lines.insert(
            contentsOf: [
                StyledLine([
                    .init("✓ indexed: \(book.lookup.name(item))", .success),
                    .init(" · /undo", .hint),
                ]), StyledLine("  " + summary(found), .dim),
            ], at: 0)
        return output
    }

    /// "14 characters · 240 quotations: 62 % sure, 30 % likely, 8 % guesses".
    private func summary(_ found: StoryIndex) -> String {
        let people = Quantities.count(found.cast.members.count, "character")
        guard found.quotations > 0 else { return people + " · no quotations" }
        let shares = Attribution.Tier.allCases.map { tier in
            let share = ((found.tiers[tier] ?? 0) * 100 + found.quotations / 2) / found.quotations
            return "\(share) % \(tier == .guess ? "guesses" : tier.rawValue)"
        }
        return people + " · " + Quantities.count(found.quotations, "quotation") + ": "
            + shares.joined(separator: ", ")
    }

    private func keep(
        _ cast: StoryCast, _ item: LibraryItem, _ mark: JSONObject, verb: String
    ) async throws {
        var metadata = Story(item).metadata(over: item.metadata)
        metadata["cast"] = cast.json()
        metadata["index"] = .object(mark)
        _ = try await library.store.change(
            item.id, ItemChange(metadata: metadata), by: .user, verb: verb)
    }

    // MARK: - The cast

    private func cast(_ words: CommandArguments) async throws -> CommandOutput {
        var rest = words.plain[...]
        var name = "last"
        if let first = rest.first, !Self.actions.contains(first) {
            name = first
            rest.removeFirst()
        }
        let item = try await book.lookup.find(name)
        guard var cast = try Story.cast(of: item) else {
            throw StoryCastError(.notIndexed(book.lookup.id(item.id)))
        }
        guard let action = rest.popFirst() else {
            if try facts(words) != StoryCast.Facts() {
                throw UsageError("Whose? chat story cast edit NAME --gender female")
            }
            return table(cast)
        }
        let names = rest.map { TextValue.oneLine($0).trimmingSpace() }
        if names.contains("") { throw UsageError("A name needs letters.") }
        let before = cast
        let facts = try facts(words)
        let done: String
        switch (action, names.count) {
        case ("merge", 2...):
            try cast.merge(names)
            done = "merged into \(cast.members[try cast.find(names[0])].character.name)"
        case ("rename", 2):
            try cast.rename(names[0], to: names[1])
            done = "renamed to \(names[1])"
        case ("add", 1):
            try cast.add(names[0])
            try cast.set(names[0], facts)
            done = "added \(names[0])"
        case ("remove", 1...):
            for name in names { try cast.remove(name) }
            done = "removed \(names.joined(separator: ", "))"
        case ("edit", 1) where facts != StoryCast.Facts():
            try cast.set(names[0], facts)
            done = "edited \(cast.members[try cast.find(names[0])].character.name)"
        case ("edit", 0):
            guard let edited = try await edited(cast, item, words.interaction) else {
                return CommandOutput(
                    lines: [StyledLine("Nothing changed: \(book.lookup.name(item))", .dim)])
            }
            cast = edited
            done = "edited"
        default: throw Self.usage(action)
        }
        if cast == before {
            return CommandOutput(
                lines: [StyledLine("Nothing changed: \(book.lookup.name(item))", .dim)],
                json: cast.json(all: true))
        }
        // What each says follows who there is.
        let counted = await book.index(item, cast: cast).cast
        var mark = item.metadata["index"]?.objectValue ?? JSONObject()
        mark["edited"] = true
        try await keep(counted, item, mark, verb: "changed the cast of")
        var output = table(counted)
        output.lines.insert(
            StyledLine([
                .init("✓ \(done): \(book.lookup.name(item))", .success), .init(" · /undo", .hint),
            ]), at: 0)
        return output
    }

    private static func usage(_ action: String) -> UsageError {
        let examples = [
            "merge": "merge \"Mr. Darcy\" Darcy", "rename": "rename Darcy \"Fitzwilliam Darcy\"",
            "add": "add \"the Hatter\" --gender male", "remove": "remove \"the Hatter\"",
            "edit": "edit, or edit Alice --age child",
        ]
        guard let example = examples[action] else {
            let near = NearestWord.find(action, among: actions)
            return UsageError(
                "cast does not know \(TextValue.oneLine(action)).",
                hint: near.map { "Did you mean \($0)?" }
                    ?? "It takes: " + actions.joined(separator: ", "))
        }
        return UsageError("cast \(action) needs names: chat story cast \(example)")
    }

    private func facts(_ words: CommandArguments) throws -> StoryCast.Facts {
        func text(_ option: String) throws -> String? {
            guard let given = words[option] else { return nil }
            let line = TextValue.oneLine(given).trimmingSpace()
            if line.isEmpty { throw UsageError("\(option) needs words.") }
            return line
        }
        return StoryCast.Facts(
            aliases: words.values("--alias").map { TextValue.oneLine($0).trimmingSpace() }
                .filter { !$0.isEmpty },
            gender: words["--gender"].flatMap(StoryCharacter.Gender.init),
            age: try text("--age"), accent: try text("--accent"),
            personality: try text("--personality"))
    }

    /// The cast as JSON in the user's editor; nil where it was left as it is.
    private func edited(
        _ cast: StoryCast, _ item: LibraryItem, _ interaction: Interaction
    ) async throws -> StoryCast? {
        let text = JSONWriter.pretty(cast.json()) + "\n"
        switch await interaction.edit(text, "\(book.lookup.id(item.id))-cast.json") {
        case .unchanged: return nil
        case .holdsKey(let path): throw KeyNotKept(path: path)
        case .failed(let sentence): throw ToolError.failed("Nothing was changed: \(sentence)")
        case .changed(let text):
            let bytes = Array(text.utf8)
            let value: JSONValue
            do { value = try JSONParser.parse(bytes) } catch {
                let (line, column) = JSON5.position(of: error.offset, in: bytes)
                throw ToolError.failed(
                    "Nothing was changed: line \(line), column \(column) is not JSON.")
            }
            return try StoryCast(value)
        }
    }

    // MARK: - What is shown

    /// `Alice          female  120 lines  Miss Alice`
    private func table(_ cast: StoryCast) -> CommandOutput {
        var output = CommandOutput(json: cast.json(all: true))
        output.quotesOthers = true
        guard !cast.members.isEmpty else {
            output.lines = [StyledLine("Nobody was found: chat story cast add NAME", .hint)]
            return output
        }
        let width = library.width() ?? .max
        let rows = cast.members.map { member -> [StyledLine.Span] in
            let name = TextValue.oneLine(member.character.name)
            return [
                .init(DisplayWidth.cut(name, to: max(12, min(32, width / 3))), .accent),
                .init(member.lines.map { Quantities.count($0, "line") } ?? ""),
            ]
        }
        output.lines = zip(StyledLine.table(rows, columns: 2), cast.members).map { line, member in
            var line = line
            let character = member.character
            let known = [
                character.gender?.rawValue, member.isNarrator ? "narrator" : nil, character.age,
                character.accent, character.personality,
            ]
            let facts = (known.compactMap { $0 } + character.aliases).map { TextValue.oneLine($0) }
            if facts.isEmpty {
                line.spans[1].text = line.spans[1].text.trimmingSpace()
                return line
            }
            // The last column of a terminal stays free.
            let room = width == .max ? width : width - DisplayWidth.of(line.text) - 1
            line.spans.append(
                .init(DisplayWidth.cut(facts.joined(separator: ", "), to: max(0, room)), .dim))
            return line
        }
        return output
    }
}
