import AgentCore
import Glibc
import Persistence
import TerminalKit
import ToolServers

/// `idea` in the shell and at the prompt: one idea, the loop, the prompt, and
/// the ideas that are kept.
struct IdeaCommand: Sendable {
    static let noun = "idea"
    let services: Services
    let book: IdeaBook
    /// The prompt of the chat; nil in the shell, which makes a place when one is
    /// needed.
    var prompt: IdeaPlace?
    /// For lists.
    var columns = 80

    var command: Command {
        Command(
            name: Self.noun, summary: "have ideas, keep the good ones",
            verbs: [
                Verb(
                    "new", "one idea, or several; nothing is kept unless you say so",
                    options: [
                        .init("--count N", "so many, one after the other"),
                        .init("--save", "keep what comes"),
                    ] + Self.wish, json: "id title text prompt tone model like",
                    example: "--tone playful"
                ) { try await new($0) },
                Verb(
                    "loop", "one after the other: s keeps it, d does not, both show the next",
                    options: Self.wish
                ) { try await loop($0) },
                Verb(
                    "prompt", "what kind of ideas you want: one text that is kept",
                    [
                        .init("[show|set|edit]", "", .oneOf(["show", "set", "edit"])),
                        .phrase("[TEXT]"),
                    ], json: "prompt", example: "set \"One app idea, one sentence\""
                ) { try await prompt($0) },
                Verb(
                    "list", "the ideas that are kept, the oldest first",
                    options: [.init("--tag T", "only with that tag")], json: Self.json
                ) { try await list($0) },
                Verb("show", "one of them", Self.one, json: Self.json) { words in
                    show(try await book.find(words.text))
                },
                Verb(
                    "edit", "change one, in your editor or with --text", Self.one,
                    options: [.init("--text TEXT", "the new words")], json: Self.json,
                    example: "i3 --text \"A better idea\""
                ) { try await edit($0) },
                Verb(
                    "delete", "move to the trash", [.init("IDEA…", "an idea")],
                    options: [.init("--yes", "several, without a question")], json: Self.json,
                    example: "i3"
                ) { try await delete($0) },
            ])
    }

    private static let one = [Verb.Argument.phrase("IDEA", "an idea: its number, or its title")]
    private static let json = "id title text prompt tone tags created updated"
    private static let wish: [Verb.Option] = [
        .init("--tone T", "playful, practical, bold: any word or two"),
        .init("--no-memory", "do not say which ideas you know already"),
    ]

    // MARK: - Having ideas

    private func new(_ words: CommandArguments) async throws -> CommandOutput {
        let count = try words.number("--count", upTo: 100)
        // At the prompt the loop is what is meant.
        if prompt != nil, count == nil, !words.has("--save"), !words.wantsJSON {
            return try await loop(words)
        }
        let wish = try await wish(words)
        let run = IdeaRun(
            book: book, wish: wish, count: count ?? 1, saves: words.has("--save"),
            writer: words.wantsJSON ? nil : prompt?.writer() ?? stdout())
        let task = Task { try await run.run(describe: describe) }
        // At the prompt Ctrl-C cancels this task.
        let signals = prompt == nil ? StopSignals { task.cancel() } : nil
        defer { signals?.end() }
        return try await withTaskCancellationHandler {
            do {
                return try await task.value
            } catch {
                throw Self.told(error)
            }
        } onCancel: {
            task.cancel()
        }
    }

    private func loop(_ words: CommandArguments) async throws -> CommandOutput {
        var output = CommandOutput()
        let outcome: IdeaLoopScreen.Outcome
        if let prompt {
            outcome = try await loop(words, at: prompt)
        } else {
            let shell = ShellPanel(services: services, readsLines: true)
            let place = IdeaPlace.shell(shell, services)
            do {
                outcome = try await shell.run { try await loop(words, at: place) }
            } catch {
                throw Self.told(error)
            }
        }
        switch outcome {
        case .left(let saved):
            if saved > 0 {
                output.remarks = [
                    StyledLine(
                        "\(Quantities.count(saved, "idea")) kept · chat idea list", .hint)
                ]
            }
        case .converse(let text):
            var draft = CommandOutput.Draft(text: text, source: Self.noun)
            draft.opensConversation = true
            output.draft = draft
        }
        return output
    }

    private func loop(
        _ words: CommandArguments, at place: IdeaPlace
    ) async throws -> IdeaLoopScreen.Outcome {
        var place = place
        place.describe = { describe($0) }
        let wish = try await wish(words, at: place)
        return try await IdeaLoopScreen(book: book, place: place, wish: wish).run()
    }

    /// Asks for a prompt where there is none and someone to ask.
    private func wish(_ words: CommandArguments) async throws -> IdeaBook.Wish {
        if let prompt { return try await wish(words, at: prompt) }
        if let kept = try await book.memory.read().prompt {
            return try Self.wish(words, kept)
        }
        guard isatty(0) == 1, isatty(2) == 1 else { throw IdeaError(.noPrompt) }
        let shell = ShellPanel(services: services, readsLines: true)
        let place = IdeaPlace.shell(shell, services)
        return try await shell.run { try await wish(words, at: place) }
    }

    private func wish(
        _ words: CommandArguments, at place: IdeaPlace
    ) async throws -> IdeaBook.Wish {
        try Self.wish(words, try await place.firstPrompt(book))
    }

    private static func wish(
        _ words: CommandArguments, _ prompt: String
    ) throws -> IdeaBook.Wish {
        IdeaBook.Wish(
            prompt: prompt, tone: try IdeaBook.tone(words["--tone"]),
            usesMemory: !words.has("--no-memory"))
    }

    private func stdout() -> IdeaWriter {
        let term = services.variables["TERM"] ?? ""
        let isTerminal = isatty(1) == 1
        return IdeaWriter(
            services, isTerminal: isTerminal,
            canErase: isTerminal && !term.isEmpty && term != "dumb"
        ) { await services.output.write($0) }
    }

    private func describe(_ error: any Error) -> Diagnostic {
        services.diagnostics.describe(Self.told(error))
    }

    /// Here it is known what the model was wanted for.
    private static func told(_ error: any Error) -> any Error {
        guard let failure = error as? GenerationError, failure.reason == .noModel,
            case .noModel(nearest: nil)? = failure.cause as? SessionError
        else { return error }
        return IdeaError(.noModel)
    }

    // MARK: - The prompt

    private func prompt(_ words: CommandArguments) async throws -> CommandOutput {
        let rest = words.plain.dropFirst().joined(separator: " ")
        let before = try await book.memory.read().prompt
        switch words.plain.first {
        case "set": return try await set(rest, before: before)
        case "edit":
            switch await words.interaction.edit(before ?? "", "idea-prompt.txt") {
            case .changed(let text): return try await set(text, before: before)
            case .unchanged: return CommandOutput(lines: [StyledLine("Nothing changed.", .dim)])
            case .failed(let why): throw ToolError.failed("Nothing changed: \(why).")
            }
        default:
            if !rest.isEmpty {
                throw UsageError(
                    "idea prompt show takes no text.", hint: "chat idea prompt set \"\(rest)\"")
            }
            guard let before else {
                var output = CommandOutput(json: ["prompt": nil])
                output.remarks = [
                    StyledLine("No idea prompt is set.", .dim),
                    StyledLine(
                        "Set one: chat idea prompt set \"\(IdeaPlace.examples[0])\"", .hint),
                ]
                return output
            }
            var output = CommandOutput(json: ["prompt": .string(before)])
            if !words.wantsJSON { output.document = Array((before + "\n").utf8) }
            return output
        }
    }

    private func set(_ text: String, before: String?) async throws -> CommandOutput {
        try await book.setPrompt(text)
        var output = CommandOutput(
            lines: [StyledLine("✓ idea prompt: \(HostileText.line(text))", .success)],
            json: ["prompt": .string(text)])
        if let before, before != text {
            output.remarks = [StyledLine("It was: \(HostileText.line(before))", .dim)]
        }
        return output
    }

    // MARK: - What is kept

    private func list(_ words: CommandArguments) async throws -> CommandOutput {
        let items = try await book.all(tag: words["--tag"])
        guard !items.isEmpty else {
            return CommandOutput(
                lines: [
                    StyledLine(
                        words.has("--tag") ? "No idea has that tag." : "No ideas are kept yet.",
                        .dim)
                ], json: .array([]))
        }
        let now = services.environment.now()
        let rows = items.map { item in
            [
                StyledLine.Span("\(item.id)", .accent),
                StyledLine.Span(Quantities.ago(item.created, now: now), .dim),
                StyledLine.Span(HostileText.line(item.title)),
            ]
        }
        return CommandOutput(
            lines: StyledLine.table(rows, columns: 2).map { line in
                guard isatty(1) == 1 || prompt != nil else { return line }
                var line = line
                let width = line.spans.dropLast().reduce(0) { $0 + DisplayWidth.of($1.text) }
                let last = line.spans.count - 1
                line.spans[last].text = DisplayWidth.cut(
                    line.spans[last].text, to: max(10, columns - width - 1))
                return line
            }, json: .array(items.map(Self.json)))
    }

    private func show(_ item: LibraryItem) -> CommandOutput {
        var output = CommandOutput(json: Self.json(item))
        output.document = Array((item.body.hasSuffix("\n") ? item.body : item.body + "\n").utf8)
        return output
    }

    private func edit(_ words: CommandArguments) async throws -> CommandOutput {
        let item = try await book.find(words.text)
        let text: String
        if let given = words["--text"] {
            text = given
        } else {
            switch await words.interaction.edit(item.body, "\(item.id).md") {
            case .changed(let new): text = new
            case .unchanged:
                return CommandOutput(
                    lines: [StyledLine("Nothing changed.", .dim)], json: Self.json(item))
            case .failed(let why): throw ToolError.failed("\(item.id) is as it was: \(why).")
            }
        }
        if text.allSatisfy(\.isWhitespace) {
            return CommandOutput(
                lines: [
                    StyledLine(
                        "That is empty; \(item.id) is as it was. chat idea delete \(item.id) "
                            + "deletes it.", .hint)
                ], json: Self.json(item), outcome: .refused)
        }
        switch try await book.change(item, to: text) {
        case .unchanged(let item):
            return CommandOutput(
                lines: [StyledLine("Nothing changed.", .dim)], json: Self.json(item))
        case .changed(let item): return one("✓ \(item.id)  \(item.title)", item)
        case .conflict(let item, let kept):
            var output = CommandOutput(json: Self.json(item), outcome: .degraded)
            output.notices = [
                "\(item.id) was changed elsewhere meanwhile; your words are its revision "
                    + "\(kept.number): chat library history \(item.id)"
            ]
            return output
        }
    }

    private func delete(_ words: CommandArguments) async throws -> CommandOutput {
        var items: [LibraryItem] = []
        if words.plain.allSatisfy({ ItemID($0) != nil }) {
            for word in words.plain {
                let item = try await book.find(word)
                if !items.contains(where: { $0.id == item.id }) { items.append(item) }
            }
        } else {
            items = [try await book.find(words.text)]
        }
        if items.count > 1, !words.isConfirmed {
            let names = items.map { "\($0.id) \($0.title)" }.joined(separator: " · ")
            guard
                await words.interaction.confirm(
                    names, "Move \(Quantities.count(items.count, "idea")) to the trash?")
            else {
                return CommandOutput(
                    notices: ["Nothing was deleted; --yes deletes several."], outcome: .refused)
            }
        }
        let gone = try await book.library.trash(items.map(\.id))
        return CommandOutput(
            lines: gone.map { item in
                StyledLine([
                    .init("✓ \(item.id) is in the trash: \(HostileText.line(item.title))", .success),
                    .init(" · /undo", .hint),
                ])
            }, json: .array(gone.map(Self.json)))
    }

    private func one(_ text: String, _ item: LibraryItem) -> CommandOutput {
        CommandOutput(
            lines: [StyledLine([.init(HostileText.line(text), .success), .init(" · /undo", .hint)])],
            json: Self.json(item))
    }

    static func json(_ item: LibraryItem) -> JSONValue {
        .object(
            JSONObject([
                .init("id", .string("\(item.id)")), .init("title", .string(item.title)),
                .init("text", .string(item.body)),
                .init("prompt", item.metadata["prompt"] ?? .null),
                .init("tone", item.metadata["tone"] ?? .null),
                .init("tags", .array(item.tags.map { .string($0) })),
                .init("created", .string(LocalTime().isoText(item.created))),
                .init("updated", .string(LocalTime().isoText(item.updated))),
            ]))
    }
}
