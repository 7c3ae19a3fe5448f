import AgentCore
import FoundationEssentials
import Persistence
import TerminalKit
import ToolServers

/// What the slash commands do. Commands of capabilities run the same function
/// as in the shell.
extension Repl {
    func run(_ name: String, _ words: [String]) async throws {
        if let command = SlashCommand.named(name) {
            try await run(command, words)
            return
        }
        try await runCommand(name, words)
    }

    /// A command of a capability, also where the chat has one of that name.
    func runCommand(_ name: String, _ words: [String]) async throws {
        guard let command = commands.first(where: { $0.name == name }) else {
            throw unknown(name)
        }
        if words.prefix(while: { $0 != "--" }).contains("--help") {
            return await show(helpText.page([command.name] + words, prefix: "/") ?? [])
        }
        let edit = editor
        if name == LibraryServer.noun, words.isEmpty, terminal.isInteractive {
            return try await showLibrary()
        }
        let (verb, arguments) = try command.read(words)
        guard
            let done = try await showingProgress({ interaction in
                var arguments = arguments
                arguments.interaction = interaction
                arguments.interaction.edit = edit
                return try await verb.run(arguments)
            })
        else { return }
        let output = try await chosen(from: done, edit)
        if arguments.wantsJSON, let json = output.json {
            await show(
                JSONWriter.pretty(json).split(separator: "\n").map { StyledLine(String($0)) })
        } else if let document = output.document {
            let text = String(decoding: document, as: UTF8.self)
            await show(
                text.split(separator: "\n", omittingEmptySubsequences: false).map {
                    StyledLine(String($0))
                })
        } else {
            await show(CommandGrammar.prompt.lines(output.lines))
        }
        await showAsides(of: output)
        guard let said = output.draft else { return }
        if !said.opensConversation { return try await take(said) }
        try await startNew()
        draft = LineDraft(DraftedTranscript.fit(said.text) + "\n")
    }

    /// The user's editor, for commands.
    private var editor: @Sendable (_ text: String, _ name: String) async -> EditedText {
        ExternalEditor.forCommands(services) { [terminal] body in await terminal.lend(body) }
    }

    /// `/ideas` and `/letters`
    private func showItems(_ kind: ItemKind, of noun: String, _ words: [String]) async throws {
        if !words.isEmpty {
            throw UsageError("/\(noun)s takes no words.", hint: "/\(noun) list lists them.")
        }
        guard terminal.isInteractive else { return try await run(noun, words: ["list"]) }
        try await showLibrary(kind)
    }

    /// `/library` alone.
    private func showLibrary(_ kind: ItemKind? = nil) async throws {
        var interaction = Interaction()
        interaction.isChat = true
        interaction.edit = editor
        interaction.confirm = { [terminal, style] warning, question in
            if let warning {
                await terminal.write(style.bytes(StyledLine("  ! \(warning)", .warning)))
            }
            return await terminal.ask("    \(question) y or Enter for no: ", mode: .yes) == .yes
        }
        try await LibraryPanel(
            services: services, terminal: terminal, style: style, interaction: interaction,
            kind: kind
        ).run()
    }

    private func unknown(_ name: String) -> UsageError {
        let known = SlashCommand.allCases.map(\.rawValue) + commands.map(\.name)
        let meant = CommandGrammar.prompt.meant(by: name, among: known)
        return UsageError(
            "There is no command /\(name).",
            hint: meant.map { "Did you mean \($0)?" } ?? "/help lists them.")
    }

    /// Runs what may take long: it shows how far it is, and Esc or Ctrl-C stops
    /// it. Nil when it ended without a result but kept something, which is said.
    func showingProgress<Value: Sendable>(
        _ body: @escaping @Sendable (Interaction) async throws -> Value
    ) async throws -> Value? {
        let screen = ProgressScreen(terminal, style)
        do {
            return try await stoppable { try await screen.run(isChat: true, body) }
        } catch {
            let kept = await screen.kept
            if kept.isEmpty { throw error }
            await show(services.diagnostics.describe(error))
            await show(
                CommandGrammar.prompt.lines(kept.map { StyledLine([.init("    ")] + $0.spans) }))
            return nil
        }
    }

    /// What is said beside what was asked for.
    func showAsides(of output: CommandOutput) async { await show(asides(of: output)) }

    /// Indented, and broken between words where the window is narrow.
    func asides(of output: CommandOutput) -> [StyledLine] {
        let columns = WindowWidth.columns(of: 1).map { $0 - 2 }
        return CommandGrammar.prompt.asides(output, columns: columns).map {
            StyledLine([.init("  ")] + $0.spans)
        }
    }

    /// The output itself, or that of the reading which was picked.
    private func chosen(
        from output: CommandOutput,
        _ edit: @escaping @Sendable (_ text: String, _ name: String) async -> EditedText
    ) async throws -> CommandOutput {
        if output.choices.isEmpty { return output }
        await show(ChoiceList.lines(output))
        let labels = output.choices.map(\.label)
        let answer = await terminal.ask(ChoiceList.prompt(labels.count), mode: .choice(labels))
        guard case .choice(let index) = answer else {
            return CommandOutput(
                lines: [StyledLine([.init("  ")] + ChoiceList.declined(answer).spans)])
        }
        var interaction = Interaction()
        interaction.isChat = true
        interaction.edit = edit
        return try await stoppable { [commands, interaction] in
            try await Self.run(output.choices[index], commands, interaction)
        }
    }

    private func run(_ command: SlashCommand, _ words: [String]) async throws {
        switch command {
        case .new: try await startNew()
        case .resume: try await resume(words.joined(separator: " "))
        case .model: try await changeModel(words)
        case .models: try await run(command.rawValue, words: [])
        case .usage: await show(try await usageLines())
        case .tools: await show(toolLines())
        case .done: try await answerAlert { try await $0.done() }
        case .ideas: try await showItems(.idea, of: IdeasServer.noun, words)
        case .letters: try await showItems(.letter, of: LetterServer.noun, words)
        case .snooze: try await answerAlert { try await $0.snooze(words) }
        case .rename: try await rename(words)
        case .fork: try await fork(words)
        case .search: try await search(words)
        case .delete: try await delete(words)
        case .export: try await export(words)
        case .retry: try await retry(words)
        case .amend: try await amend(words)
        case .attach: try await attach(words)
        case .edit: try await edit(words)
        case .record: try await record(words)
        case .say: try await say(words)
        case .speak: try await changeSpeak(words)
        case .raw: try await raw(words)
        case .copy: try await copy(words)
        case .keep: try await keep(words)
        case .proofread, .rewrite, .friendly, .professional, .concise:
            try await runCommand(WritingServer.noun, [command.rawValue] + words)
        case .thinking: try await changeThinking(words)
        case .effort: try await changeEffort(words)
        case .role: try await changeRole(words)
        case .redact: try await changeRedaction(words)
        case .p: try await pickPrompt()
        case .compact: try await compact(words)
        case .help: try await help(words)
        case .quit: leave()
        }
    }

    private func answerAlert(
        _ body: @escaping @Sendable (ReplAlerts) async throws -> CommandOutput
    ) async throws {
        guard let alerts else { throw ToolError.failed("no alert has rung") }
        let output = try await stoppable { try await body(alerts) }
        await show(output.lines.map { StyledLine([.init("  ")] + $0.spans) })
    }

    func run(_ noun: String, words: [String]) async throws {
        guard let command = commands.first(where: { $0.name == noun }) else { return }
        let output = try await stoppable { try await command.run(words) }
        await show(CommandGrammar.prompt.lines(output.lines))
        await showAsides(of: output)
    }

    private var helpText: HelpText {
        HelpText(commands: commands, columns: min(80, terminal.size.columns))
    }

    private func help(_ topic: [String]) async throws {
        let help = helpText
        guard let word = topic.first else {
            await show(help.slashCommands())
            return
        }
        let name = word.hasPrefix("/") ? String(word.dropFirst()) : word
        let page = help.page([name] + topic.dropFirst(), prefix: "/")
        // The command of the chat hides the one of the same name, as it does
        // when it is run.
        if let command = SlashCommand.named(name) {
            await show(help.table([command]))
            // These take what the shell's command takes.
            if [.record, .say].contains(command), let page { await show(page) }
        } else if let page {
            await show(page)
        } else {
            throw unknown(name)
        }
    }

    private func toolLines() -> [StyledLine] {
        var lines: [StyledLine] = []
        for server in services.registry.servers {
            lines.append(StyledLine("\(server.name): \(server.description)", .bold))
            for tool in server.listTools() {
                lines.append(
                    StyledLine([
                        StyledLine.Span("  \(tool.name)", .accent),
                        StyledLine.Span("  \(tool.title) · \(tool.toolClass.rawValue)", .dim),
                    ]))
            }
        }
        return lines
    }
}
