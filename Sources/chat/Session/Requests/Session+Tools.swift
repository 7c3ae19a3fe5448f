import AgentCore
import Base
import ChatKit
import Outside
import Persistence
import Texts

/// The text of a message, used to choose its tools.
struct AskedWords: Sendable {
    var text: String
    /// Whether the user typed it; otherwise it is untrusted.
    var isTyped: Bool
    /// Whether it comes with files or untrusted text.
    var hasUntrustedText: Bool
    /// The tools that the servers suggest for it.
    var suggested: Set<String>
}

/// Chooses the tools of a request: those that the message and recent context call for, and those
/// that joined the conversation earlier.
extension Session {
    /// All tools that may be offered: those of connected external servers; those that read folders,
    /// if one is open; not those of the memory, if it is off; and none that a rule forbids.
    func registry(_ observe: @escaping Agent.Observer) async throws -> ToolRegistry {
        if options.usesTools, let others = services.external {
            let (before, id) = (external, record?.id)
            let (now, notices) = try await Emitter.shown {
                await observe(.toolProgress($0, callID: ""))
            } _: { emit in
                try await others.extend(before, for: id, emit: emit)
            }
            for notice in notices { await observe(.notice(notice)) }
            external = now
        }
        return currentRegistry()
    }

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
    func offerTools(
        _ context: inout Agent.Context, _ choice: ProviderChoice, for asked: AskedWords
    ) async {
        guard context.offersTools, let registry = context.registry else { return }
        let allowed = options.policy.allowedTools
        let window = await window(of: context.model, at: choice.provider)
        switch services.settings.toolRules.offer {
        case .all: context.offer = nil
        case .none: context.offer = ToolOffer(joined: [allowed.sorted()])
        case .only(let names):
            context.offer = ToolOffer(joined: [
                registry.tools.map(\.name).filter { name in
                    allowed.contains(name) || names.contains { $0.names(name) }
                }
            ])
        case .auto: await route(&context, among: registry, for: asked, in: window)
        }
        let offered = context.offered(of: registry).tools
        if ContextWindow.tokens(of: offered) > window.usable / 2 {
            context.offersTools = false
            lengths.toolsLeftOut = lengths.toolsLeftOut ?? .untold
        }
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
        var context = context
        // Tools found by `find_tools` in this turn stay offered.
        offer = context.offer ?? offer
        context.registry = currentRegistry()
        await offerSearch(&context, choice)
        await offerTools(&context, choice, for: asked)
        return context
    }

    private func route(
        _ context: inout Agent.Context, among registry: ToolRegistry, for asked: AskedWords,
        in window: ContextWindow
    ) async {
        let router = router.flatMap { $0.fits(registry) ? $0 : nil } ?? ToolRouter(registry)
        self.router = router
        // A third of a small model's window; three bytes of JSON are about a token.
        let room = min(ToolRouter.roomInBytes, window.usable)
        let isSmall = room < ToolRouter.roomInBytes
        let inUse = Set(registry.servers.flatMap(\.toolsInUse))
        let offered = await recordedOffer(context.history)
        var chosen = router.tools(
            for: ([asked.text] + Self.localWords(context.history)).joined(separator: "\n"),
            suggested: asked.suggested, inUse: inUse, room: room,
            fills: offered.names.isEmpty && !isSmall)
        let isNamed: @Sendable (String) -> Bool = { name in
            asked.isTyped
                && (asked.suggested.contains(name) || router.isNamed(name, in: asked.text))
        }
        if asked.hasUntrustedText || context.hasUntrustedInstructions
            || context.history.contains(where: \.hasUntrustedText)
        {
            chosen.removeAll { name in
                let toolClass = registry.tool(named: name)?.toolClass ?? .outward
                return toolClass.deletesOrSends && !isNamed(name)
            }
        }
        let finder = FindTools(registry, router: router, isNamed: isNamed)
        let allowed = options.policy.allowedTools
        let first = registry.tools.map(\.name).filter {
            chosen.contains($0) || allowed.contains($0)
        }
        // Do not offer it if there is nothing to find, or a rule forbids it.
        let finds =
            !registry.tools.isEmpty
            && !services.settings.toolRules.forbids(FindTools.toolName)
        var offer = offered
        offer.join((finds ? [FindTools.toolName] : []) + first)
        await keep(offer)
        if finds { context.registry = registry.adding(finder) }
        context.offer =
            isSmall ? offer.fitting(room * 2, of: registry, keeping: Set(first)) : offer
    }

    /// Texts answered locally since the last model answer: the user may refer to them as
    /// "it".
    private static func localWords(_ history: [Turn]) -> [String] {
        history.reversed().prefix { $0.isLocal }.prefix(3).compactMap { turn in
            guard case .text(let words)? = turn.messages.first?.parts.last(where: \.isSaid)
            else { return nil }
            return words.text
        }
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

extension Part {
    /// Whether the part is the user's own text, not added by the program.
    fileprivate var isSaid: Bool {
        if case .text(let text) = self { !text.isContext && !text.isNotes } else { false }
    }
}
