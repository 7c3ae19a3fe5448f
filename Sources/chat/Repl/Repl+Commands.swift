import AgentCore
import FoundationEssentials
import Persistence

/// What the slash commands do. Commands of capabilities run the same function
/// as in the shell.
extension Repl {
    func run(_ name: String, _ words: [String]) async throws {
        if let command = SlashCommand.named(name) {
            try await run(command, words)
            return
        }
        guard let command = commands.first(where: { $0.name == name }) else {
            let known = SlashCommand.allCases.map(\.rawValue) + commands.map(\.name)
            let nearest = NearestWord.find(name, among: known)
            throw UsageError(
                "There is no command /\(name).",
                hint: nearest.map { "Did you mean /\($0)?" } ?? "/help lists them.")
        }
        let invocation = try CommandLineWords.invocation(of: command, words: words)
        let output = try await chosen(from: stoppable { try await command.run(invocation) })
        if invocation.wantsJSON, let json = output.json {
            await show(
                JSONWriter.pretty(json).split(separator: "\n").map { StyledLine(String($0)) })
        } else {
            await show(output.lines)
        }
        await show(output.notices.map { StyledLine("  \($0)", .warning) })
    }

    /// The output itself, or that of the reading which was picked.
    private func chosen(from output: CommandOutput) async throws -> CommandOutput {
        if output.choices.isEmpty { return output }
        await show(ChoiceList.lines(output))
        let answer = await terminal.ask(ChoiceList.prompt(output.choices.count), mode: .line)
        guard case .text(let line) = answer,
            let choice = ChoiceList.choice(line, of: output.choices)
        else { return CommandOutput(lines: [StyledLine("  Nothing done.", .dim)]) }
        return try await stoppable { [commands] in try await Self.run(choice, commands) }
    }

    private func run(_ command: SlashCommand, _ words: [String]) async throws {
        switch command {
        case .new:
            try await session.openNew()
            await showBanner(
                await session.expectedChoice(), record: nil, prefix: "New conversation")
        case .resume: try await resume(words.joined(separator: " "))
        case .model: try await changeModel(words)
        case .models: try await run("models", words: [])
        case .usage: await show(try await usageLines())
        case .tools: await show(toolLines())
        case .done: try await answerAlert { try await $0.done() }
        case .snooze: try await answerAlert { try await $0.snooze(words) }
        case .help: try await help(words.first)
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

    private func run(_ noun: String, words: [String]) async throws {
        guard let command = commands.first(where: { $0.name == noun }) else { return }
        let invocation = try CommandLineWords.invocation(of: command, words: words)
        let output = try await stoppable { try await command.run(invocation) }
        await show(output.lines)
        await show(output.notices.map { StyledLine("  \($0)", .warning) })
    }

    private func help(_ topic: String?) async throws {
        let help = HelpText(commands: commands)
        guard let topic else {
            await show(help.slashCommands())
            return
        }
        let name = topic.hasPrefix("/") ? String(topic.dropFirst()) : topic
        // The command of the chat hides the one of the same name, as it does
        // when it is run.
        if let command = SlashCommand.named(name) {
            let words = command.usage.isEmpty ? "" : " \(command.usage)"
            await show([StyledLine("  /\(command.rawValue)\(words)  \(command.summary)")])
        } else if let command = commands.first(where: { $0.name == name }) {
            await show(help.page(command, prefix: "/"))
        } else {
            throw UsageError("There is no command /\(name).", hint: "/help lists them.")
        }
    }

    // MARK: - Conversations

    /// What a launch opens: the latest conversation, a new one, or the one
    /// that was named.
    func openFirst() async throws {
        switch options.start {
        case .new:
            try await session.openNew()
            await showBanner(await session.expectedChoice(), record: nil)
        case .latest:
            if let latest = try await services.store().latest(kinds: [.repl]) {
                try await open(latest, isLaunch: true)
            } else {
                try await session.openNew()
                await showBanner(await session.expectedChoice(), record: nil)
                await showFirstSteps()
            }
        case .named(let query): try await open(ConversationFinder(services: services).find(query))
        case .pick: try await resume("")
        }
    }

    private func resume(_ query: String) async throws {
        if query.isEmpty {
            await show(try await ConversationFinder(services: services).choices())
            switch await terminal.readLine(
                prompt: style.text(StyledLine("  Which (number or title)? ", .accent)))
            {
            case .line(let line) where !line.trimmingSpace().isEmpty:
                try await open(ConversationFinder(services: services).find(line.trimmingSpace()))
            default: await show([StyledLine("  Nothing chosen.", .dim)])
            }
            return
        }
        try await open(ConversationFinder(services: services).find(query))
    }

    private func open(_ record: ConversationRecord, isLaunch: Bool = false) async throws {
        switch try await session.open(record) {
        case .busy where isLaunch:
            try await session.openNew()
            await showBanner(await session.expectedChoice(), record: nil)
            await show([
                StyledLine(
                    "  \"\(record.title)\" is open in another chat; this is a new conversation.",
                    .warning)
            ])
        case .busy: throw SessionError.busy(title: record.title)
        case .opened:
            let choice = await session.expectedChoice()
            await showBanner(choice, record: record)
            if let choice, choice.provider != record.provider, choice.provider != .offline,
                record.provider != .offline
            {
                let host = await services.connector.host(of: choice.provider)
                await show([
                    StyledLine(
                        "  The whole conversation goes to \(host) with the next message.",
                        .warning)
                ])
            }
            await show(ConversationView.recall(try await session.lastTurns(3)))
        }
    }

    /// `chat 0.1 · claude-sonnet-5-5 · "Trip to Oslo", 12 messages, yesterday · /new for a new one, /help`
    private func showBanner(
        _ choice: ProviderChoice?, record: ConversationRecord?, prefix: String? = nil
    ) async {
        var parts = [prefix ?? "chat \(HelpText.version)"]
        switch choice {
        case nil: parts.append("no key; the first message looks for a local model")
        case let choice? where choice.provider == .offline: parts.append("no model connected")
        case let choice?:
            parts.append(choice.model ?? "\(choice.provider.rawValue), its first model")
        }
        if let record {
            let age = Quantities.ago(record.updated, now: services.environment.now())
            parts.append(
                "\"\(record.title)\", \(Quantities.count(record.messages, "message")), \(age)")
            parts.append("/new for a new one, /help")
        } else if prefix == nil {
            parts.append("/help")
        }
        await show([StyledLine(parts.joined(separator: " · "), .dim)])
        if prefix == nil, let notice = TimeZoneNotice.text(LocalTime()) {
            await show([StyledLine("  \(notice)", .warning)])
        }
    }

    /// The first screen of somebody new: what works at once.
    private func showFirstSteps() async {
        let choice = await session.expectedChoice()
        let isConnected = choice.map { $0.provider != .offline } ?? false
        await show([
            StyledLine("  Try:  remind me to water the plants every other tuesday at 9", .dim),
            StyledLine("        dentist next friday 2-3:30pm", .dim),
            StyledLine("        what's on this week?", .dim),
            StyledLine(
                isConnected
                    ? "        what can you do here?"
                    : "        /keys set claude   and then ask anything", .dim),
        ])
    }

    // MARK: - Model, usage, tools

    private func changeModel(_ words: [String]) async throws {
        guard let name = words.first else {
            let choice = await session.expectedChoice()
            let model = choice?.model ?? "its first model"
            let provider = choice?.provider.rawValue ?? "not known yet"
            await show([
                StyledLine("  \(model) · \(provider)"),
                StyledLine("  /model NAME or provider/NAME changes it · /models lists them", .dim),
            ])
            return
        }
        let before = await session.expectedChoice()?.provider
        let choice = try await stoppable { [session] in
            // A provider's name alone means its own model.
            try await session.setModel(
                ProviderName(rawValue: name).map { ProviderChoice.Wish(provider: $0) }
                    ?? ProviderChoice.Wish(model: name))
        }
        var lines = [
            StyledLine(
                "  \(choice.model ?? "its first model") · \(choice.provider.rawValue)", .success)
        ]
        if await session.hasHistory, before != choice.provider, choice.provider != .offline {
            let host = await services.connector.host(of: choice.provider)
            lines.append(
                StyledLine(
                    "  The whole conversation goes to \(host) with the next message.", .warning))
        }
        await show(lines)
    }

    private func usageLines() async throws -> [StyledLine] {
        guard let record = await session.record else {
            return [StyledLine("  Nothing was used here yet.", .dim)]
        }
        let totals = try await services.store().usage(of: record.id)
        if totals.isEmpty { return [StyledLine("  Nothing was used here yet.", .dim)] }
        return UsageTable.lines(totals)
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
