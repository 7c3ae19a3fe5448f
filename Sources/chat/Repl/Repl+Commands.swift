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

/// Dispatches slash commands to their controllers.
extension Repl {
    func run(_ name: String, _ arguments: [String]) async throws {
        let typed = SlashCommand.words(of: name) + arguments
        if let (command, rest) = SlashCommand.named(in: typed) {
            if command.changes, let error = services.settings.refusal(of: .change) { throw error }
            return try await run(command, rest)
        }
        try await runCommand(typed[0], Array(typed.dropFirst()))
    }

    /// Runs a capability's command, even if the prompt has one of the same name.
    func runCommand(_ name: String, _ arguments: [String]) async throws {
        guard let command = commands.named(name) else { throw unknown(name) }
        if arguments.prefix(while: { $0 != "--" }).contains("--help") {
            return await show(helpText.page([command.name] + arguments, prefix: "/") ?? [])
        }
        if try await runHere(name, arguments) { return }
        guard let said = try await commands.run(command, arguments) else { return }
        if !said.opensConversation { return try await messages.take(said) }
        try await conversations.startNew()
        next.draft = LineDraft(DraftedTranscript.fit(said.text) + "\n")
    }

    /// Runs the verbs that have extra behaviour at the prompt; false for others.
    private func runHere(_ noun: String, _ arguments: [String]) async throws -> Bool {
        switch (noun, arguments) {
        case (LibraryServer.noun, []) where terminal.isInteractive: try await showLibrary()
        case (IdeasServer.noun, ["list"]) where terminal.isInteractive:
            try await showLibrary(.idea)
        case (LetterServer.noun, ["list"]) where terminal.isInteractive:
            try await showLibrary(.letter)
        case (StoryServer.noun, _) where arguments.first == "play":
            try await stories.play(Array(arguments.dropFirst()))
        case (MemoryServer.noun, _) where arguments.first == "add" && arguments.count > 1:
            // Including the conversation it came from.
            let text = arguments.dropFirst().joined(separator: " ")
            await commands.show(
                try await MemoryAssembly.command(services).add(text, in: await session.record?.id))
        default: return false
        }
        return true
    }

    private func showLibrary(_ kind: ItemKind? = nil) async throws {
        if let error = services.settings.refusal(of: .change) { throw error }
        var interaction = Interaction()
        interaction.isChat = true
        interaction.edit = commands.editor
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

    private func run(_ command: SlashCommand, _ arguments: [String]) async throws {
        if !command.verb.allOptions.isEmpty,
            arguments.prefix(while: { $0 != "--" }).contains("--help")
        {
            return await show(helpText.page(command))
        }
        let given = try command.read(arguments)
        switch command {
        case .new: try await conversations.startNew()
        case .resume: try await conversations.resume(given.text)
        case .model where arguments == ["list"]:
            try await commands.run(ProgramNoun.models.rawValue, arguments: [])
        case .model: try await models.change(to: arguments.first)
        case .usage: await show(try await models.usageLines())
        case .sent where arguments.isEmpty: try await showSent()
        case .sent: try await commands.run(ProgramNoun.sent.rawValue, arguments: arguments)
        case .done: try await answerAlert { try await $0.done() }
        case .snooze: try await answerAlert { try await $0.snooze(arguments) }
        case .rename: try await conversations.rename(to: given.text)
        case .fork: try await conversations.fork(before: arguments.first)
        case .search: try await conversations.search(arguments)
        case .delete: try await conversations.delete(arguments)
        case .export: try await conversations.export(given)
        case .retry: try await messages.retry(with: arguments.first)
        case .amend: try await messages.amend()
        case .attach where arguments == ["clipboard"]: try await attachments.paste()
        case .attach: try await attachments.attach(arguments)
        case .open: try await folders.open(arguments)
        case .close: try await folders.close(arguments)
        case .edit: await drafts.edit(arguments.joined(separator: " "))
        case .record: try await dictation.record(given)
        case .say: try await speech.say(given)
        case .speak: try await speech.change(to: arguments.first)
        case .pause: try await stories.pause()
        case .stop: try await stories.stop()
        case .sleep: try await stories.sleep(arguments)
        case .raw: try await answers.raw()
        case .copy: try await answers.copy(block: arguments.first)
        case .keep: try await answers.keep(arguments)
        case .thinking: try await models.changeThinking(to: arguments.first)
        case .effort: try await models.changeEffort(to: arguments.first)
        case .role: try await roles.change(to: arguments.first)
        case .redact: try await redaction.change(to: arguments.first)
        case .use: try await prompts.pick()
        case .compact: try await conversations.compact(arguments)
        case .help: try await help(arguments)
        case .quit: leave()
        }
    }

    private func answerAlert(
        _ body: @escaping @Sendable (ReplAlerts) async throws -> CommandOutput
    ) async throws {
        guard let alerts else { throw ToolError.failed("No alert has rung.") }
        let output = try await stoppable { try await body(alerts) }
        await show(output.lines.map(\.indented))
    }

    /// Shows the data sent for the last turn.
    private func showSent() async throws {
        guard let id = await session.record?.id else {
            return await tell("Nothing was sent.", .dim)
        }
        try await commands.run(ProgramNoun.sent.rawValue, arguments: ["list", "--last-turn", id])
    }
}
