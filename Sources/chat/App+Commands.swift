import AgentCore
import Glibc
import Persistence
import TerminalKit
import ToolServers

/// Every command of the program, and the nouns that distinguish commands from text.
extension App {
    /// Every command of the program, which the tests of help and of the manual
    /// ask for, too.
    static func commands(
        _ services: Services, _ dependencies: KeysCommand.Dependencies,
        _ editor: ConfigEditor.Dependencies,
        chat: ReplAlerts? = nil, ideas: IdeaPlace? = nil
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
        commands.append(
            ConversationsCommand(
                services: services, confirm: dependencies.confirm,
                progress: chat == nil ? Self.progress() : nil
            ).command)
        commands.append(ModelsCommand(services: services, width: columns).command)
        commands.append(KeysCommand(ring: services.keyRing, dependencies: dependencies).command)
        commands.append(UsageCommand(services: services, width: columns).command)
        commands.append(ToolsCommand(services: services, columns: columns).command)
        commands.append(
            ConfigCommand(services: services, editor: editor).command.with(
                \.worksWithoutConfiguration))
        commands.append(
            IdeaCommand(services: services, book: services.ideas, prompt: ideas, columns: columns)
                .command)
        commands.append(MemoryParts.command(services).command)
        commands.append(PrivacyParts.redact(services))
        commands += BackupCommand(services.backups, columns: columns).commands
        commands.append(RecordCommand(services: services).command)
        commands.append(SayCommand(services: services).command)
        commands.append(MCPCommand(services: services).command)
        commands.append(DoctorCommand(services: services).command.with(\.worksWithoutConfiguration))
        commands.append(
            CompletionCommand.command.with(\.worksWithoutConfiguration).with(\.isShellOnly))
        commands.append(
            ManCommand.command(of: commands).with(\.worksWithoutConfiguration)
                .with(\.isShellOnly))
        return commands
    }

    /// One line on the terminal that goes when it is over; nothing in a file.
    private static func progress() -> @Sendable (String) -> Void {
        { text in
            if isatty(2) == 1 { FileDescriptorText.write("\r\u{1B}[K\(text)", to: 2) }
        }
    }
}

extension CommandGrammar {
    /// The commands that both places have.
    static let nouns = [
        ConversationsCommand.noun, RemindersServer.noun, CalendarServer.noun,
        CalendarServer.todayNoun, AlertsCommand.noun,
        WritingServer.noun, LibraryServer.noun, UndoServer.noun, TranscriptionServer.noun,
        IdeaCommand.noun, PromptServer.noun, LetterServer.noun, StoryServer.noun,
        ProfileServer.noun, MemoryServer.noun, RedactCommand.noun,
        RecordCommand.noun, SayCommand.noun,
        BackupCommand.backupNoun, MCPCommand.noun, KeysCommand.noun,
        ModelsCommand.noun, UsageCommand.noun, ToolsCommand.noun, ConfigCommand.noun,
        DoctorCommand.noun,
    ]
}
