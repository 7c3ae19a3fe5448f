import AgentCore
import FoundationEssentials
import Persistence

/// Which conversation is open: starting, resuming, renaming, forking, searching,
/// and asking its last message again.
extension Repl {
    func startNew() async throws {
        try await session.openNew()
        await showBanner(
            await session.expectedChoice(), record: nil, prefix: "New conversation")
    }

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

    func resume(_ query: String) async throws {
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

    func open(_ record: ConversationRecord, isLaunch: Bool = false) async throws {
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
            await showRole()
            await show(ConversationView.recall(try await session.lastTurns(3)))
        }
    }

    /// `chat 0.1 · claude-sonnet-5-5 · "Trip to Oslo", 12 messages, yesterday · /new for a new one, /help`
    func showBanner(
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
    func showFirstSteps() async {
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

    func rename(_ words: [String]) async throws {
        throw UsageError("This command is being built.")
    }

    func fork(_ words: [String]) async throws {
        throw UsageError("This command is being built.")
    }

    func search(_ words: [String]) async throws {
        throw UsageError("This command is being built.")
    }

    func delete(_ words: [String]) async throws {
        throw UsageError("This command is being built.")
    }

    func retry(_ words: [String]) async throws {
        throw UsageError("This command is being built.")
    }

    func amend(_ words: [String]) async throws {
        throw UsageError("This command is being built.")
    }
}
