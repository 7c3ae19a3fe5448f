import AgentCore
import Base
import FoundationEssentials
import Library
import Persistence
import StoryKit

/// `chat story index`: finds the characters of a story and who says what.
struct StoryIndexCommand: Sendable {
    let book: StoryBook
    let library: LibraryServer.Dependencies
    /// Nil if no model is used.
    let model: StoryModel?

    var verb: Verb {
        Verb(
            "index", "find who is in a story and who says what",
            [
                .init(
                    "STORY", "a story: s3 or last; default: last", .story,
                    .examples(["last"]), isOptional: true)
            ],
            options: [
                .init("--offline", "without a model, from the text alone"),
                .init("--again", "index it again; a cast edited by hand is replaced"),
                .init("--cast", "ask the model only who is in it"),
                .init("--segments", "ask the model only who says what"),
                .init("--yes", "send a long text without asking"),
            ], json: StoryCastCommand.members, example: "s3"
        ) { try await index($0) }
    }

    private func index(_ arguments: CommandArguments) async throws -> CommandOutput {
        let item = try await book.lookup.find(arguments.text.isEmpty ? "last" : arguments.text)
        var selection = StoryIndexer.Selection()
        if arguments.has("--cast") != arguments.has("--segments") {
            selection.parts = arguments.has("--cast") ? [.cast] : [.speakers]
        }
        selection.isAgain = arguments.has("--again")
        selection.isConfirmed = arguments.has("--yes")
        let (name, problem) = arguments.has("--offline") ? (nil, nil) : try await reachable(item)
        let kept = try Story.cast(of: item)
        var mark = await mark(item, selection.parts, name)
        if let kept, !selection.isAgain, problem == nil,
            isDone(item, parts: selection.parts, mark: mark, model: name)
        {
            var output = StoryCastTable.output(kept, width: library.width())
            output.lines.insert(
                StyledLine("Already indexed: \(book.lookup.name(item)) · --again", .dim), at: 0)
            return output
        }
        arguments.interaction.emit(ToolProgress(activity: "Indexing", title: ItemTable.title(item)))
        // A cast edited by hand survives changes of the text, and so does one that is not
        // asked about.
        let isEdited = item.metadata["index"]?["edited"]?.boolValue == true && !selection.isAgain
        let keepsCast = isEdited || !selection.parts.contains(.cast)
        if isEdited { mark["edited"] = true }
        var before = item
        if selection.isAgain { before.metadata["labels"] = nil }
        let found = await book.found(before, cast: keepsCast ? kept : nil)
        try Task.checkCancellation()
        var outcome = StoryIndexer.Outcome(StoryIndex(found).cast)
        if let problem {
            outcome.problems = [problem]
        } else if let model, name != nil {
            outcome = try await StoryIndexer(
                book: book, model: model, interaction: arguments.interaction
            ).run(before, found, keepsCast: isEdited, selection)
            if !outcome.problems.isEmpty { mark["partial"] = true }
        }
        if outcome.labels == nil { outcome.labels = StoryLabels(before.metadata) }
        outcome.cast.keep(kept?.members ?? [], named: Self.decided(item))
        return try await keep(
            outcome, before, text: found.text, mark: mark, sorts: !keepsCast || kept == nil)
    }

    /// The model that would answer; nil if none is connected.
    private func reachable(
        _ item: LibraryItem
    ) async throws -> (name: String?, problem: StoryIndexProblem?) {
        guard let model else { return (nil, nil) }
        do {
            return (try await model.name(), nil)
        } catch let error as GenerationError {
            if error.reason == .noModel { return (nil, nil) }
            return (
                nil, StoryIndexProblem(.failed(error), .characters, book.lookup.name(item))
            )
        }
    }

    /// Names in the user's decisions, which are kept whatever is found.
    private static func decided(_ item: LibraryItem) -> [String] {
        let voices = item.metadata["voices"]?["characters"]?.arrayValue ?? []
        return StorySegments.fixes(item.metadata).compactMap(\.speaker)
            + voices.filter { $0["by"] == "user" }.compactMap { $0["name"]?.stringValue }
    }

    // MARK: - Method

    private func mark(
        _ item: LibraryItem, _ parts: Set<StoryIndexer.Part>, _ name: String?
    ) async -> JSONObject {
        var mark = JSONObject()
        mark["made"] = .integer(Int64(library.environment.now().timeIntervalSince1970 * 1_000))
        mark["by"] = .string(name ?? "offline")
        mark["checksum"] = JSONValue(Int(Story(item).checksum))
        guard name != nil, let model else { return mark }
        let instructions = [
            await model.instructions(.cast), await model.instructions(.speakers),
        ]
        mark["recipe"] = .string(String(CacheFolder.key(instructions).prefix(12)))
        var parts = parts
        if let before = item.metadata["index"], Self.isSame(before, mark) {
            parts.formUnion(Self.parts(before))
        }
        mark["parts"] = .array(
            StoryIndexer.Part.allCases.filter(parts.contains).map { .string($0.rawValue) })
        return mark
    }

    /// Whether the text, the model and its instructions are the same.
    private static func isSame(_ before: JSONValue, _ mark: JSONObject) -> Bool {
        ["by", "checksum", "recipe"].allSatisfy { before[$0] == mark[$0] }
    }

    private static func parts(_ mark: JSONValue) -> Set<StoryIndexer.Part> {
        Set(
            (mark["parts"]?.arrayValue ?? []).compactMap {
                $0.stringValue.flatMap(StoryIndexer.Part.init)
            })
    }

    private func isDone(
        _ item: LibraryItem, parts: Set<StoryIndexer.Part>, mark: JSONObject, model: String?
    ) -> Bool {
        guard Story(item).isIndexed(item.metadata) else { return false }
        guard model != nil else { return true }
        guard let before = item.metadata["index"], Self.isSame(before, mark) else { return false }
        return before["partial"] == nil && parts.isSubset(of: Self.parts(before))
    }

    // MARK: - Saving and reporting

    /// - Parameter sorts: sort by number of lines; otherwise the user's own order stays.
    private func keep(
        _ outcome: StoryIndexer.Outcome, _ item: LibraryItem, text: StoryText,
        mark: JSONObject, sorts: Bool
    ) async throws -> CommandOutput {
        var metadata = item.metadata
        metadata["labels"] = outcome.labels?.json
        var index = await book.perform { [metadata] in
            StoryIndex(StorySegments(text, outcome.cast.cast, metadata))
        }
        if sorts { index.cast.sortByLines() }
        _ = try await book.keep(
            index.cast, item, mark, labels: outcome.labels, verb: "indexed")
        var output = StoryCastTable.output(index.cast, width: library.width())
        var head = [StyledLine.done("indexed: \(book.lookup.name(item))")]
        let width = max(20, (library.width() ?? .max) - 1)
        head += [Self.summary(index), facts(outcome, index)].compactMap(\.self).flatMap {
            StyledLine("  " + $0, .dim).folded(to: width)
        }
        output.lines.insert(contentsOf: head, at: 0)
        for problem in outcome.problems {
            let diagnostic = problem.diagnostic
            output.notices.append(
                [diagnostic.what, diagnostic.todo].compactMap(\.self).joined(separator: " "))
            output.outcome = .degraded
        }
        return output
    }

    /// "14 characters · 240 quotations: 62 % sure, 30 % likely, 8 % guesses".
    private static func summary(_ found: StoryIndex) -> String {
        let people = Quantities.count(found.cast.members.count, "character")
        guard found.quotations > 0 else { return people + " · no quotations" }
        return people + " · " + Quantities.count(found.quotations, "quotation") + ": "
            + found.shares
    }

    /// "gpt-5: 74 labels, 2 conflicts with tags · 1 name not in the text · 12 requests".
    private func facts(_ outcome: StoryIndexer.Outcome, _ index: StoryIndex) -> String? {
        guard let name = outcome.model else { return nil }
        var facts = [Quantities.count(index.labelled, "label")]
        if outcome.conflicts > 0 {
            facts[0] += ", " + Quantities.count(outcome.conflicts, "conflict") + " with tags"
        }
        if outcome.rejected > 0 {
            facts.append(Quantities.count(outcome.rejected, "answer") + " of no use")
        }
        facts.append(
            outcome.requests == 0
                ? "no requests" : Quantities.count(outcome.requests, "request"))
        let tokens = outcome.usage.input + outcome.usage.output
        if tokens > 0 { facts.append("\(Quantities.short(tokens)) tokens") }
        return name.oneLine + ": " + facts.joined(separator: " · ")
    }
}
