import AgentCore
import Base
import ChatKit
import Outside
import Persistence
import Texts

/// The tools that requests may offer: those of servers that are connected, and those that joined the
/// conversation earlier. `ToolFacts` chooses among them.
extension Session {
    /// Connects the external servers that the conversation may use.
    func connectServers(_ observe: @escaping Agent.Observer) async throws {
        guard options.usesTools, let others = services.external else { return }
        let (before, id) = (external, record?.id)
        let (now, notices) = try await Emitter.shown {
            await observe(.toolProgress($0, callID: ""))
        } _: { emit in
            try await others.extend(before, for: id, emit: emit)
        }
        for notice in notices { await observe(.notice(notice)) }
        external = now
    }

    /// All tools that may be offered: those of connected external servers; those that read folders,
    /// if one is open; not those of the memory, if it is off; and none that a rule forbids.
    private func currentRegistry() -> ToolRegistry {
        // A model that gets no notes gets no tools that change them.
        var servers = services.offered.servers.filter {
            tellsMemory || $0.name != MemoryServer.noun
        }
        if options.usesTools, let others = services.external, !external.tools.isEmpty {
            servers.append(ExternalTools(others, external))
        }
        let registry = ToolRegistry(servers: servers)
        let rules = services.settings.toolRules
        return registry.offering(registry.tools.map(\.name).filter { !rules.forbids($0) })
    }

    /// - Parameter choice: the model that answers.
    func toolFacts(
        _ choice: ProviderChoice, for asked: AskedWords, in context: Agent.Context
    ) async -> ToolFacts {
        ToolFacts(
            registry: currentRegistry(), rules: services.settings.toolRules,
            allowed: options.policy.allowedTools,
            window: await window(of: context.model, at: choice.provider),
            web: webAccess(choice, history: context.history),
            host: await services.connector.host(of: choice.provider),
            offered: await recordedOffer(context.history), router: router, asked: asked)
    }

    /// Remembers what was chosen, for later requests of the conversation.
    func note(_ tools: ChosenTools) async {
        router = tools.router ?? router
        if let offer = tools.offer { await keep(offer) }
        if tools.areLeftOut { lengths.toolsLeftOut = lengths.toolsLeftOut ?? .untold }
    }

    /// Within a turn: the context with the tools of servers that connected after its message.
    func joinLate(
        _ context: Agent.Context, _ choice: ProviderChoice, for asked: AskedWords,
        _ observe: @escaping Agent.Observer
    ) async -> Agent.Context? {
        guard options.usesTools, let others = services.external,
            let now = await others.joined(external, for: record?.id)
        else { return nil }
        for name in now.servers where !external.servers.contains(name) {
            await observe(.notice("The server \(name) has started; its tools have joined."))
        }
        external = now
        // Tools found by `find_tools` in this turn stay offered.
        offer = context.offer ?? offer
        let tools = await toolFacts(choice, for: asked, in: context).chosen(for: context)
        await note(tools)
        return tools.context
    }

    /// Number of times that tools joined the conversation, and how many of them changed the head of
    /// its requests.
    func toolJoinings() async throws -> (all: Int, misses: Int) {
        let history = try await loadHistory()
        let offer = await recordedOffer(history)
        let appends =
            await vendorModel.map { ModelCatalog.takesLateTools($0.name, $0.format) } ?? false
        return (
            offer.joinings,
            offer.misses(appendedIn: appends ? history.flatMap(\.messages) : [])
        )
    }

    // MARK: - Storage

    /// The tools offered to the conversation before. Without a record of the offer, the tools it
    /// has called.
    private func recordedOffer(_ history: [Turn]) async -> ToolOffer {
        if let offer { return offer }
        let recorded = await services.offers.names(of: record?.id ?? "")
        if !recorded.isEmpty {
            return ToolOffer(
                joined: recorded.map { $0.split(separator: " ").map(String.init) })
        }
        var offer = ToolOffer()
        offer.join(
            history.filter { !$0.carriesUntrustedText }.flatMap(\.messages).flatMap(\.toolCalls)
                .map(\.name))
        return offer
    }

    func keep(_ offer: ToolOffer) async {
        if offer == self.offer { return }
        self.offer = offer
        guard let id = record?.id else { return }
        await services.offers.note(offer.joined.map { $0.joined(separator: " ") }, of: id)
    }
}
