import AgentCore
import ChatKit
import Outside

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

/// A message as it is sent, with the inputs of its turn: made from facts that were gathered before.
/// Pure: it reads no store, asks no server, and remembers nothing.
struct TurnRequest: Sendable {
    struct Facts: Sendable {
        var message: Message
        /// The inputs of the turn, but for what follows from the other facts.
        var context: Agent.Context
        /// The system text of the conversation's last request; nil if unknown.
        var sentSystem: String?
        /// The notes that the model is to know; nil tells it neither of them nor of their absence.
        var notes: [UserNotes.Note]?
        var haveNotesUntrustedText = false
        var tools: ToolFacts
    }

    var message: Message
    var tools: ChosenTools
    var context: Agent.Context { tools.context }

    init(_ facts: Facts) {
        var (message, context) = (facts.message, facts.context)
        if let notes = facts.notes.flatMap({ UserNotes.part($0, after: facts.context.history) }) {
            message.parts.insert(.text(notes), at: 0)
            context.hasUntrustedInstructions =
                context.hasUntrustedInstructions || facts.haveNotesUntrustedText
        }
        message.parts += SystemChange.parts(
            to: context.system, from: facts.sentSystem, after: context.history
        ).map(Part.text)
        self.message = message
        tools = facts.tools.chosen(for: context)
    }
}

/// The tools chosen for a request, and what a session remembers of the choice.
struct ChosenTools: Sendable {
    var context: Agent.Context
    /// Can be reused for the same tools.
    var router: ToolRouter?
    /// The conversation's offer after this choice; nil if it stays.
    var offer: ToolOffer?
    /// Whether the tools would fill more than half of the model's window.
    var areLeftOut = false
}

/// The facts from which the tools of a request are chosen. Pure.
struct ToolFacts: Sendable {
    /// All tools that may be offered.
    var registry: ToolRegistry
    var rules: ApprovalRules
    /// The tools named by the user.
    var allowed: Set<String>
    var window: ContextWindow
    /// Whether the model's vendor may search the web, and its host.
    var web: Settings.Web
    var host: String
    /// The tools offered to the conversation before.
    var offered: ToolOffer
    var router: ToolRouter?
    var asked: AskedWords

    func chosen(for context: Agent.Context) -> ChosenTools {
        var chosen = ChosenTools(context: context)
        chosen.context.searchesWeb = context.searchesWeb || web == .on
        let registry = web == .ask ? registry.adding(WebSearchPermission(host: host)) : registry
        chosen.context.registry = registry
        guard context.offersTools else { return chosen }
        switch rules.offer {
        case .all: chosen.context.offer = nil
        case .none: chosen.context.offer = ToolOffer(joined: [allowed.sorted()])
        case .only(let names):
            chosen.context.offer = ToolOffer(joined: [
                registry.tools.map(\.name).filter { name in
                    allowed.contains(name) || names.contains { $0.names(name) }
                }
            ])
        case .auto: route(&chosen, registry)
        }
        let tools = chosen.context.offered(of: registry).tools
        chosen.areLeftOut = ContextWindow.tokens(of: tools) > window.usable / 2
        chosen.context.offersTools = !chosen.areLeftOut
        return chosen
    }

    private func route(_ chosen: inout ChosenTools, _ registry: ToolRegistry) {
        let context = chosen.context
        let router = router.flatMap { $0.fits(registry) ? $0 : nil } ?? ToolRouter(registry)
        // A third of a small model's window; three bytes of JSON are about a token.
        let room = min(ToolRouter.roomInBytes, window.usable)
        let isSmall = room < ToolRouter.roomInBytes
        let inUse = Set(registry.servers.flatMap(\.toolsInUse))
        var names = router.tools(
            for: ([asked.text] + Self.localWords(context.history)).joined(separator: "\n"),
            suggested: asked.suggested, inUse: inUse, room: room,
            fills: offered.names.isEmpty && !isSmall)
        let isNamed: @Sendable (String) -> Bool = { [asked] name in
            asked.isTyped
                && (asked.suggested.contains(name) || router.isNamed(name, in: asked.text))
        }
        if asked.hasUntrustedText || context.hasUntrustedInstructions
            || context.history.contains(where: \.hasUntrustedText)
        {
            names.removeAll { name in
                let toolClass = registry.tool(named: name)?.toolClass ?? .outward
                return toolClass.deletesOrSends && !isNamed(name)
            }
        }
        let first = registry.tools.map(\.name).filter {
            names.contains($0) || allowed.contains($0)
        }
        // Do not offer it if there is nothing to find, or a rule forbids it.
        let finds = !registry.tools.isEmpty && !rules.forbids(FindTools.toolName)
        var offer = offered
        offer.join((finds ? [FindTools.toolName] : []) + first)
        if finds {
            chosen.context.registry = registry.adding(
                FindTools(registry, router: router, isNamed: isNamed))
        }
        chosen.context.offer =
            isSmall ? offer.fitting(room * 2, of: registry, keeping: Set(first)) : offer
        (chosen.router, chosen.offer) = (router, offer)
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
}

extension Part {
    /// Whether the part is the user's own text, not added by the program.
    fileprivate var isSaid: Bool {
        if case .text(let text) = self { !text.isContext && !text.isNotes } else { false }
    }
}
