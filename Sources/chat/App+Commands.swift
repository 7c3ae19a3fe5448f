import AgentCore
import ChatKit
import Glibc
import Letters
import Library
import Planner
import Stories
import TerminalKit
import Texts
import Transcription

/// Every command of the program, and the nouns that distinguish commands from text.
extension App {
    /// All commands, without a terminal for questions: for the tables and traits that tests of help
    /// and the manual use.
    static func commands(_ services: Services) -> [Command] {
        commands(services, .unattended(services), .unattended)
    }

    ///
    /// Each command first checks that the settings it reads are valid.
    static func commands(
        _ services: Services, _ dependencies: KeysCommand.Dependencies,
        _ editor: ConfigEditor.Dependencies,
        chat: ReplAlerts? = nil, ideas: IdeaPlace? = nil
    ) -> [Command] {
        let commands = allCommands(services, dependencies, editor, chat: chat, ideas: ideas)
        if services.settings.broken.isEmpty { return commands }
        return commands.map { command in
            if command.worksWithoutConfiguration { return command }
            return command.around { [name = command.name] verb, arguments in
                let use = Settings.Use.command(noun: name, verb: verb.name)
                if let error = services.settings.refusal(of: use) { throw error }
                return try await verb.run(arguments)
            }
        }
    }

    private static func allCommands(
        _ services: Services, _ dependencies: KeysCommand.Dependencies,
        _ editor: ConfigEditor.Dependencies, chat: ReplAlerts?, ideas: IdeaPlace?
    ) -> [Command] {
        var commands = services.registry.servers.flatMap(\.commands)
        StoryReviewCommand.add(to: &commands, services, ideas?.place)
        if let alerts = services.alerts {
            let style = services.style(isTerminal: isatty(1) == 1)
            commands.append(
                alerts.command(
                    dependencies: chat?.dependencies
                        ?? alerts.dependencies(
                            terminal: alerts.printing(
                                style: style, to: services.output, sound: services.voice.sound),
                            log: services.log),
                    isChat: chat != nil))
        }
        let columns = WindowWidth.columns(of: 1) ?? 80
        var keys = dependencies
        keys.usedModels = services.settings.usedModels
        commands += [
            ConversationsCommand(
                services: services, confirm: dependencies.confirm,
                progress: chat == nil ? Self.progress() : nil
            ).command.with(\.usesConversations),
            Self.recorded(ModelsCommand(services: services, width: columns).command, services),
            Self.recorded(
                KeysCommand(ring: services.keyRing, dependencies: keys).command, services),
            UsageCommand(services: services, width: columns).command.with(\.usesConversations),
            ToolsCommand(services: services, columns: columns).command,
            ConfigCommand(services: services, editor: editor).command
                .with(\.worksWithoutConfiguration),
            IdeaCommand(
                services: services, book: services.shared.ideas, noun: services.ideaNoun,
                prompt: ideas, columns: columns
            ).command,
            MemoryAssembly.command(services).command, PrivacyAssembly.redact(services),
        ]
        commands += BackupCommand(services.backups, columns: columns).commands
        commands += [
            RecordCommand(services: services).command, SayCommand(services: services).command,
            MCPCommand(services: services).command.with(\.usesConversations),
            Self.recorded(DoctorCommand(services: services).command, services)
                .with(\.worksWithoutConfiguration),
            CompletionCommand.command.with(\.worksWithoutConfiguration).with(\.isShellOnly),
        ]
        commands.append(
            ManCommand.command(of: commands).with(\.worksWithoutConfiguration)
                .with(\.isShellOnly))
        return commands
    }

    /// The command with a notice about requests sent without a row in the ledger.
    private static func recorded(_ command: Command, _ services: Services) -> Command {
        command.around { [ledger = services.ledger] verb, arguments in
            var output = try await verb.run(arguments)
            output.notices += [ledger.takeNotice()].compactMap(\.self)
            return output
        }
    }

    /// One progress line on the terminal, erased at the end; nothing if stderr is a file.
    private static func progress() -> @Sendable (String) -> Void {
        { text in
            if isatty(2) == 1 { FileDescriptorText.write("\r\u{1B}[K\(text)", to: 2) }
        }
    }
}
