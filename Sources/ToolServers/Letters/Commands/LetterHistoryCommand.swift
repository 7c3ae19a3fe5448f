import AgentCore
import Base
import FoundationEssentials
import Library
import Persistence

/// The subcommands of `chat letter` for saved letters: list, show, edit, delete, export,
/// again, use, status. Writing is done by `LetterNewCommand`.
struct LetterHistoryCommand: Sendable {
    let new: LetterNewCommand
    let library: LibraryServer.Dependencies
    /// The environment variables, for `PATH` and the system language.
    let variables: [String: String]

    var book: LetterBook { new.writer.book }
    var inputs: LetterCurrentInputs { new.inputs }
    private var shared: ItemNoun { ItemNoun(lookup: book.lookup, library: library) }
    var review: LetterReview { LetterReview(writer: new.writer, sources: new.sources) }

    static let letter = Verb.Argument.phrase(
        "LETTER", "a letter: l12, last or a part of its title", .item)
    private static let several = Verb.Argument(
        "LETTER", "a letter: l12, last or a part of its title", .item, repeats: true)
    private static let listed = 50
    static let members =
        "id title created updated revision tone length language emphasis writtenIn model host "
        + "cost resume job flagged faults words"

    var verbs: [Verb] {
        [
            Verb(
                "list", "your letters, newest first",
                options: [.init("--all", "not only the newest \(Self.listed)")],
                json: Self.members
            ) { try await list($0) },
            Verb(
                "show", "show one in full, with unsupported claims marked", [Self.letter],
                options: [
                    .init("--request", "the exact bytes that were sent for it"),
                    .init("--answer", "what the model wrote, with placeholders"),
                ], json: Self.members + " text requests answer", example: "l12"
            ) { try await show($0) },
            Verb(
                "edit", "change one in your editor, or set its text or title", [Self.letter],
                options: [
                    .init("--text TEXT", "the new text; - reads standard input"),
                    .init("--title TITLE", "the new title"),
                ], json: ItemTable.members, example: "l12"
            ) { try await edit($0) },
            Verb(
                "delete", "move to the trash", [Self.several],
                options: [.init("--yes", "several, without asking")],
                json: ItemTable.members, example: "l12"
            ) { try await shared.delete($0) },
            LetterExport(
                book: book, review: review, library: library, screen: new.screen,
                variables: variables
            ).verb,
            Verb(
                "again", "a new letter from the same résumé and job",
                [Self.letter], options: Self.writing, json: "id title text model words flagged",
                example: "l12 --tone warm"
            ) { try await again($0) },
            Verb(
                "use", "use its résumé, job, tone and length for the next letter",
                [Self.letter], json: Self.inputsMembers, example: "l12"
            ) { try await use($0) },
            Verb(
                "restore", "the same as use", [Self.letter], json: Self.inputsMembers,
                example: "l12"
            ) { try await use($0) },
            Verb(
                "status", "what the next letter is made from", json: Self.inputsMembers
            ) { _ in try await status() },
        ]
    }

    private static let writing: [Verb.Option] =
        [
            .init(
                "--tone", oneOf: LetterSettings.Tone.allCases.map(\.rawValue), "another tone"),
            .init(
                "--length", oneOf: LetterSettings.Length.allCases.map(\.rawValue), "another length"),
            .init("--language L", "another language: en-GB, de", .examples(LetterForm.tags)),
        ] + LetterNewCommand.writing + [.init("--yes", "send without asking")]

    // MARK: - Lists

    private func list(_ arguments: CommandArguments) async throws -> CommandOutput {
        let limit = arguments.has("--all") ? nil : Self.listed
        let letters = try await book.letters(limit: limit)
        var flagged: [[String]] = []
        for letter in letters { flagged.append(try await review.flagged(letter)) }
        var output = CommandOutput(
            lines: letters.isEmpty
                ? [
                    StyledLine(
                        "No letters yet: chat letter new --resume FILE --job FILE", .hint)
                ] : lines(letters, flagged: flagged.map(\.count), width: library.width()),
            json: .array(zip(letters, flagged).map { .object(Self.members(of: $0, flagged: $1)) }))
        output.quotesOthers = !letters.isEmpty
        output.remarks = try await shared.rest(behind: letters.count, limit: limit)
        return output
    }

    /// `l12  Senior engineer · Acme  2 h ago  warm, short  ⚠ 2`; columns that leave no room
    /// for a readable title are omitted.
    private func lines(
        _ letters: [LibraryItem], flagged: [Int], width: Int?
    ) -> [StyledLine] {
        let now = library.environment.now()
        let drafts = letters.map { LetterDraft($0) }
        return ItemTable.lines(
            letters, ids: letters.map { ItemKind.letter.id($0.id) },
            facts: [
                flagged.map { $0 > 0 ? "⚠ \($0)" : "" },
                letters.map { Quantities.ago($0.created, now: now) },
                drafts.map { draft in
                    draft.map { "\($0.settings.tone.rawValue), \($0.settings.length.rawValue)" }
                        ?? ""
                },
                drafts.map { draft in draft.map { $0.model?.model ?? "no model" } ?? "" },
            ], width: width)
    }

    // MARK: - One letter

    private func show(_ arguments: CommandArguments) async throws -> CommandOutput {
        let item = try await book.lookup.find(arguments.text, isTrashed: nil)
        let draft = LetterDraft(item)
        if arguments.has("--request"), arguments.has("--answer") {
            throw UsageError("--request and --answer cannot be combined.")
        }
        if arguments.has("--request") || arguments.has("--answer") {
            return sent(item, draft, arguments)
        }
        let isSeen = arguments.interaction.isChat || library.formatted("") != nil
        let standing = try await review.flagged(item)
        var output = CommandOutput(json: Self.whole(item, flagged: standing))
        output.quotesOthers = true
        if isSeen {
            let marked = LetterMarks.marked(item.body, standing)
            let columns = new.screen.columns()
            let facts = WordWrap.texts(
                Self.facts(item, draft, now: library.environment.now()), width: max(16, columns - 1)
            )
            output.lines =
                [StyledLine(ItemTable.title(item), .bold)] + facts.map { StyledLine($0, .dim) }
                + [StyledLine("")] + LetterNewCommand.lines(marked, columns: columns)
        } else {
            output.lines = ItemTable.lines(of: item.body)
        }
        if !standing.isEmpty, !arguments.wantsJSON {
            output.remarks.append(LetterMarks.remark(standing.count))
        }
        return output
    }

    /// The exact bytes sent for a letter, or the answer.
    private func sent(
        _ item: LibraryItem, _ draft: LetterDraft?, _ arguments: CommandArguments
    ) -> CommandOutput {
        let requests = draft?.requests ?? []
        let isRequest = arguments.has("--request")
        let texts = isRequest ? requests : [draft?.answer ?? ""].filter { !$0.isEmpty }
        var output = CommandOutput(
            json: isRequest ? .array(requests.map { .string($0) }) : .string(draft?.answer ?? ""))
        output.quotesOthers = true
        guard !texts.isEmpty else {
            output.lines = [
                StyledLine(
                    "Nothing was sent for \(book.lookup.name(item)): no model wrote it.", .dim)
            ]
            return output
        }
        if !arguments.wantsJSON { output.document = Array(texts.joined(separator: "\n").utf8) }
        if let host = draft?.host, new.screen.showsErrors || arguments.interaction.isChat {
            let size = Quantities.bytes(texts.reduce(0) { $0 + $1.utf8.count })
            let count = isRequest && texts.count > 1 ? "\(texts.count) requests, " : ""
            output.remarks = [
                StyledLine(
                    isRequest
                        ? "\(count)\(size), sent to \(host)" : "as it came from \(host)", .dim)
            ]
        }
        return output
    }

    /// `l12 · 2 h ago · warm, short · en-GB · gpt-5.5 · $0.004 · from i3 and i4`.
    static func facts(_ item: LibraryItem, _ draft: LetterDraft?, now: Date) -> String {
        var facts = [ItemKind.letter.id(item.id), Quantities.ago(item.updated, now: now)]
        if let draft {
            facts.append("\(draft.settings.tone.rawValue), \(draft.settings.length.rawValue)")
            if !draft.language.isEmpty { facts.append(draft.language) }
            facts.append(draft.model?.model ?? "no model used")
            if let cost = draft.cost { facts.append(cost) }
            facts.append("from \(draft.resume.item) and \(draft.job.item)")
        }
        if item.revision > 1 { facts.append("revision \(item.revision)") }
        if item.trashed != nil { facts.append("in the trash") }
        return facts.joined(separator: " · ").oneLine
    }

    private func edit(_ arguments: CommandArguments) async throws -> CommandOutput {
        let id = try await book.lookup.find(arguments.text).id
        var output = try await shared.edit(arguments)
        // The sentences of the edited letter that the résumé does not support.
        if let item = try await library.store.item(id),
            let remark = try await review.remark(item)
        {
            output.remarks.append(remark)
        }
        return output
    }

    // MARK: - JSON

    private static func whole(_ item: LibraryItem, flagged: [String]) -> JSONValue {
        var object = members(of: item, flagged: flagged)
        object["text"] = .string(item.body)
        object["requests"] = item.metadata["requests"] ?? .array([])
        object["answer"] = item.metadata["answer"] ?? .string("")
        return .object(object)
    }

    private static func members(of item: LibraryItem, flagged: [String]) -> JSONObject {
        var object = JSONObject()
        if case .object(let listed) = ItemTable.json(item) { object = listed }
        object["kind"] = nil
        object["tags"] = nil
        object["id"] = .string(ItemKind.letter.id(item.id))
        let names = [
            "tone", "length", "language", "emphasis", "writtenIn", "model", "host", "cost",
            "resume", "job",
        ]
        for name in names { object.members.append(.init(name, item.metadata[name] ?? .null)) }
        object["flagged"] = .array(flagged.map { .string($0) })
        object["faults"] = item.metadata["faults"] ?? .array([])
        object["words"] = JSONValue(LibraryCommand.words(item.body))
        return object
    }
}
