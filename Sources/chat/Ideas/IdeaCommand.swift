import AgentCore
import Base
import ChatKit
import Glibc
import Library
import Persistence
import TerminalKit
import Texts

/// `idea` in the shell and at the prompt: single ideas, the loop, the prompt, and the saved
/// ideas.
package struct IdeaCommand: Sendable {
    static let noun = IdeasServer.noun
    let services: Services
    let book: IdeaBook
    let noun: ItemNoun
    /// The chat's prompt; nil in the shell, which opens a panel when one is needed.
    var prompt: IdeaPlace?
    /// The width of lists.
    var columns = 80

    var command: Command {
        Command(
            name: Self.noun, summary: "get ideas, keep the good ones",
            verbs: [
                Verb(
                    "new", "one idea, or several; nothing is kept unless you say so",
                    options: [
                        .init("--count N", "N of them, one after the other"),
                        .init("--save", "keep them"),
                    ] + Self.request, json: "id title text prompt tone model like",
                    example: "--tone playful"
                ) { try await new($0) },
                Verb(
                    "loop", "one after another: s keeps it, d does not, and both show the next",
                    options: Self.request
                ) { try await loop($0) },
                Verb(
                    "prompt", "what kind of ideas you want: one text that is kept",
                    [
                        .init(
                            "show|set|edit", "", .oneOf(["show", "set", "edit"]), isOptional: true),
                        .phrase("TEXT", isOptional: true),
                    ], json: "prompt", example: "set \"One app idea, one sentence\""
                ) { try await prompt($0) },
                Verb(
                    "list", "your ideas, oldest first",
                    options: [.init("--tag T", "only with that tag", .tag)], json: Self.json
                ) { try await list($0) },
                Verb("show", "show one or several in full", Self.some, json: Self.json) {
                    try await noun.show($0)
                },
                Verb(
                    "edit", "change one, in your editor or with --text",
                    [.phrase("IDEA", Self.meaning, .item)],
                    options: [.init("--text TEXT", "the new words")], json: ItemTable.members,
                    example: "i3 --text \"A better idea\""
                ) { try await noun.edit($0) },
                Verb(
                    "delete", "move to the trash", Self.some,
                    options: [.init("--yes", "several, without asking")],
                    json: ItemTable.members, example: "i3"
                ) { try await noun.delete($0) },
                Verb(
                    "export", "export ideas to a file; without PATH, to stdout", Self.some,
                    options: ItemExport.options, json: "path bytes items",
                    example: "i3 -o tea.md"
                ) { try await noun.export($0) },
            ])
    }

    private static let meaning = "an idea: i12, 12, last or a part of its title"
    private static let some = [Verb.Argument("IDEA", meaning, .item, repeats: true)]
    private static let json = ItemTable.members + " body metadata trashed"
    private static let request: [Verb.Option] = [
        .init("--tone T", "playful, practical, bold: any word or two"),
        .init("--no-memory", "do not tell the model which ideas you already know"),
    ]

    // MARK: - Generating

    private func new(_ arguments: CommandArguments) async throws -> CommandOutput {
        let count = try arguments.number("--count", upTo: 100)
        // At the prompt the plain command means the loop.
        if prompt != nil, count == nil, !arguments.has("--save"), !arguments.wantsJSON {
            return try await loop(arguments)
        }
        let request = try await request(arguments)
        let run = IdeaRun(
            book: book, request: request, count: count ?? 1, saves: arguments.has("--save"),
            writer: arguments.wantsJSON ? nil : prompt?.writer() ?? stdout())
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

    private func loop(_ arguments: CommandArguments) async throws -> CommandOutput {
        var output = CommandOutput()
        let outcome: IdeaLoopScreen.Outcome
        if let prompt {
            outcome = try await loop(arguments, at: prompt)
        } else {
            let shell = ShellPanel(services: services, readsLines: true)
            let place = IdeaPlace.shell(shell, services)
            do {
                outcome = try await shell.run { try await loop(arguments, at: place) }
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
        _ arguments: CommandArguments, at place: IdeaPlace
    ) async throws -> IdeaLoopScreen.Outcome {
        var place = place
        place.place.describe = { describe($0) }
        let request = try await request(arguments, at: place)
        return try await IdeaLoopScreen(book: book, place: place, request: request).run()
    }

    /// Asks for a missing prompt if there is a user to ask.
    private func request(_ arguments: CommandArguments) async throws -> IdeaBook.Request {
        if let prompt { return try await request(arguments, at: prompt) }
        if let kept = try await book.memory.read().prompt {
            return try Self.request(arguments, kept)
        }
        guard isatty(0) == 1, isatty(2) == 1 else { throw IdeaError(.noPrompt) }
        let shell = ShellPanel(services: services, readsLines: true)
        let place = IdeaPlace.shell(shell, services)
        return try await shell.run { try await request(arguments, at: place) }
    }

    private func request(
        _ arguments: CommandArguments, at place: IdeaPlace
    ) async throws -> IdeaBook.Request {
        try Self.request(arguments, try await place.firstPrompt(book))
    }

    private static func request(
        _ arguments: CommandArguments, _ prompt: String
    ) throws -> IdeaBook.Request {
        IdeaBook.Request(
            prompt: prompt, tone: try IdeaBook.tone(arguments["--tone"]),
            usesMemory: !arguments.has("--no-memory"))
    }

    private func stdout() -> IdeaWriter {
        let isTerminal = isatty(1) == 1
        return IdeaWriter(
            services, isTerminal: isTerminal,
            canErase: isTerminal && services.variables.hasCursor
        ) { await services.output.write($0) }
    }

    private func describe(_ error: any Error) -> Diagnostic {
        services.diagnostics.describe(Self.told(error))
    }

    /// Adds to the error the purpose of the failed request.
    private static func told(_ error: any Error) -> any Error {
        guard let failure = error as? GenerationError, failure.reason == .noModel,
            case .noModel(nearest: nil)? = failure.cause as? SessionError
        else { return error }
        return IdeaError(.noModel)
    }

    // MARK: - The prompt

    private func prompt(_ arguments: CommandArguments) async throws -> CommandOutput {
        let rest = arguments.plain.dropFirst().joined(separator: " ")
        let before = try await book.memory.read().prompt
        switch arguments.plain.first {
        case "set": return try await set(rest, before: before)
        case "edit":
            switch await arguments.interaction.edit(before ?? "", "idea-prompt.txt") {
            case .changed(let text): return try await set(text, before: before)
            case .unchanged: return CommandOutput(lines: [StyledLine("Nothing changed.", .dim)])
            case .holdsKey(let path): throw KeyNotKept(path: path)
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
            if !arguments.wantsJSON { output.document = Array((before + "\n").utf8) }
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

    // MARK: - Saved ideas

    private func list(_ arguments: CommandArguments) async throws -> CommandOutput {
        let items = try await book.all(tag: arguments["--tag"])
        if prompt == nil, !arguments.wantsJSON, !arguments.has("--tag"), !items.isEmpty, hasCursor {
            try await panel()
            return CommandOutput()
        }
        let isShown = isatty(1) == 1 || prompt != nil
        var output = CommandOutput(
            lines: items.isEmpty
                ? [
                    StyledLine(
                        arguments.has("--tag") ? "No idea has that tag." : "No ideas are kept yet.",
                        .dim)
                ]
                : ItemTable.lines(
                    items, now: services.environment.now(), width: isShown ? columns : nil),
            json: .array(items.map(ItemTable.whole)))
        output.quotesOthers = items.contains(where: \.hasUntrustedText)
        return output
    }

    private var hasCursor: Bool {
        isatty(0) == 1 && isatty(1) == 1 && services.variables.hasCursor
    }

    /// Shows the interactive list of the shell on a terminal, like `/ideas`.
    private func panel() async throws {
        let shell = ShellPanel(services: services)
        guard let terminal = shell.terminal else { return }
        let style = services.style(isTerminal: true)
        var interaction = Interaction()
        interaction.edit = ExternalEditor.forCommands(services) { body in
            await terminal.lend(body)
        }
        interaction.confirm = { warning, question in
            if let warning { await terminal.write(style.bytes(StyledLine(warning, .warning))) }
            return await terminal.ask("\(question) y or Enter for no: ", mode: .yes) == .yes
        }
        try await shell.run { [interaction] in
            try await LibraryPanel(
                services: services, terminal: terminal, style: style, interaction: interaction,
                kind: .idea, grammar: .shell
            ).run()
        }
    }
}
