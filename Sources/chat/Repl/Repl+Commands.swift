import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Letters
import Library
import Outside
import Persistence
import Stories
import TerminalKit
import Texts

/// What the slash commands do. Commands of capabilities run the same function
/// as in the shell.
extension Repl {
    func run(_ name: String, _ words: [String]) async throws {
        let words = SlashCommand.words(of: name) + words
        if let (command, rest) = SlashCommand.named(in: words) {
            if command.changes, let error = services.settings.refusal(of: .change) { throw error }
            return try await run(command, rest)
        }
        try await runCommand(words[0], Array(words.dropFirst()))
    }

    /// A command of a capability, even if the chat has one of that name.
    func runCommand(_ name: String, _ words: [String]) async throws {
        guard let command = commands.first(where: { $0.name == name }) else {
            if try await useServerPrompt(name, words) { return }
            throw unknown(name)
        }
        if words.prefix(while: { $0 != "--" }).contains("--help") {
            return await show(helpText.page([command.name] + words, prefix: "/") ?? [])
        }
        let edit = editor
        if try await runHere(name, words) { return }
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
            await show(document: JSONWriter.pretty(json))
        } else if let document = output.document {
            await show(document: String(decoding: document, as: UTF8.self))
        } else {
            await show(CommandGrammar.prompt.answer(output.lines))
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

    /// The verbs that do more at the prompt.
    private func runHere(_ noun: String, _ words: [String]) async throws -> Bool {
        switch (noun, words) {
        case (LibraryServer.noun, []) where terminal.isInteractive: try await showLibrary()
        case (IdeasServer.noun, ["list"]) where terminal.isInteractive:
            try await showLibrary(.idea)
        case (LetterServer.noun, ["list"]) where terminal.isInteractive:
            try await showLibrary(.letter)
        case (StoryServer.noun, _) where words.first == "play":
            try await play(Array(words.dropFirst()))
        case (MemoryServer.noun, _) where words.first == "add" && words.count > 1:
            try await remember(words.dropFirst().joined(separator: " "))
        default: return false
        }
        return true
    }

    private func showLibrary(_ kind: ItemKind? = nil) async throws {
        if let error = services.settings.refusal(of: .change) { throw error }
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

    /// `/server:prompt`: the words of a tool server in the line, to be read over and sent.
    private func useServerPrompt(_ name: String, _ words: [String]) async throws -> Bool {
        guard name.contains(":"), let external = services.external,
            let text = try await stoppable(
                saying: "asking for \(name)", { try await external.prompt(name, words) })
        else { return false }
        try await take(CommandOutput.Draft(text: text, source: name))
        return true
    }

    private func unknown(_ name: String) -> UsageError {
        let known = SlashCommand.listed.map(\.rawValue) + commands.map(\.name)
        let meant = CommandGrammar.prompt.meant(by: name, among: known)
        return UsageError(
            "There is no command /\(name).",
            hint: meant.map { "Did you mean \($0)?" } ?? "/help lists them.")
    }

    /// Runs what may take long: its progress is shown, and Esc or Ctrl-C stops it. Nil
    /// when it ended without a result but kept something, which is reported.
    func showingProgress<Value: Sendable>(
        _ body: @escaping @Sendable (Interaction) async throws -> Value
    ) async throws -> Value? {
        let screen = ProgressScreen(
            terminal, style, silence: SilenceWatch(services.environment))
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

    func asides(of output: CommandOutput) -> [StyledLine] {
        CommandGrammar.prompt.asides(output).map(\.indented)
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
            return CommandOutput(lines: [ChoiceList.declined(answer).indented])
        }
        var interaction = Interaction()
        interaction.isChat = true
        interaction.edit = edit
        return try await stoppable { [commands, interaction] in
            try await Self.run(output.choices[index], commands, interaction)
        }
    }

    private func run(_ command: SlashCommand, _ words: [String]) async throws {
        if !command.verb.allOptions.isEmpty, words.prefix(while: { $0 != "--" }).contains("--help")
        {
            return await show(helpText.page(command))
        }
        let given = try command.read(words)
        switch command {
        case .new: try await startNew()
        case .resume: try await resume(given.text)
        case .model where words == ["list"]: try await run(ProgramNoun.models.rawValue, words: [])
        case .model: try await changeModel(to: words.first)
        case .usage: await show(try await usageLines())
        case .done: try await answerAlert { try await $0.done() }
        case .snooze: try await answerAlert { try await $0.snooze(words) }
        case .rename: try await rename(to: given.text)
        case .fork: try await fork(before: words.first)
        case .search: try await search(words)
        case .delete: try await delete(words)
        case .export: try await export(given)
        case .retry: try await retry(with: words.first)
        case .amend: try await amend()
        case .attach where words == ["clipboard"]: try await paste()
        case .attach: try await attach(words)
        case .open: try await openFolders(words)
        case .close: try await closeFolders(words)
        case .edit: try await edit(words)
        case .record: try await record(given)
        case .say: try await say(given)
        case .speak: try await changeSpeak(to: words.first)
        case .pause: try await pauseStory()
        case .stop: try await stopStory()
        case .sleep: try await sleep(words)
        case .raw: try await raw()
        case .copy: try await copy(block: words.first)
        case .keep: try await keep(words)
        case .thinking: try await changeThinking(to: words.first)
        case .effort: try await changeEffort(to: words.first)
        case .role: try await changeRole(to: words.first)
        case .redact: try await changeRedaction(to: words.first)
        case .use: try await pickPrompt()
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
        await show(output.lines.map(\.indented))
    }

    func run(_ noun: String, words: [String]) async throws {
        guard let command = commands.first(where: { $0.name == noun }) else { return }
        let output = try await stoppable { try await command.run(words) }
        await show(CommandGrammar.prompt.answer(output.lines))
        await showAsides(of: output)
    }

    private var helpText: HelpText {
        HelpText(commands: commands, columns: min(80, terminal.size.columns))
    }

    private func help(_ topic: [String]) async throws {
        let help = helpText
        guard let word = topic.first else { return await show(help.everyday()) }
        if topic == [HelpText.moreTopic] { return await show(help.more(.prompt)) }
        let name = word.hasPrefix("/") ? String(word.dropFirst()) : word
        let words = SlashCommand.words(of: name) + topic.dropFirst()
        // The command of the chat hides the one of the same name, as it does
        // when it is run.
        if let (command, _) = SlashCommand.named(in: words) {
            await show(help.page(command))
        } else if let page = help.page(words, prefix: "/") {
            await show(page)
        } else if let found = HelpSearch(commands: commands, grammar: .prompt)
            .lines(topic, help: help)
        {
            await show(found)
        } else {
            throw unknown(name)
        }
    }
}
