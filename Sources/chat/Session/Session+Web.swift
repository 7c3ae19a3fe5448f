import AgentCore
import ChatKit
import Outside
import Persistence

/// Whether the vendor of the model may search the web for the open conversation.
///
/// The model chooses what to search for, which reveals parts of the conversation; so it
/// is never on while that is redacted, and one answer from the shell has it only with
/// `--web`.
extension Session {
    /// - Parameter choice: who answers.
    func webAccess(_ choice: ProviderChoice, history: [Turn]) -> Settings.Web {
        switch choice.provider.facts.format {
        case .responses, .messages: break
        // There is no such search in this format.
        case .chat, .none: return .off
        }
        if redacts || !options.usesTools { return .off }
        if options.kind == .oneshot { return options.usesWeb ? .on : .off }
        guard services.settings.web == .ask else { return services.settings.web }
        return hasAgreedToSearch || Self.hasSearched(history, choice.provider) ? .on : .ask
    }

    func offerSearch(_ context: inout Agent.Context, _ choice: ProviderChoice) async {
        switch webAccess(choice, history: context.history) {
        case .off: break
        case .on: context.searchesWeb = true
        case .ask:
            let host = await services.connector.host(of: choice.provider)
            context.registry = context.registry?.adding(WebSearchPermission(host: host))
        }
    }

    /// Beside the tokens of the turn, so that sums and the budget have them.
    func countSearches(_ count: Int, by provider: ProviderName) async {
        if count == 0 { return }
        let search = ModelOrigin(
            provider: provider, format: .none, model: PriceTable.searchModel)
        do {
            try await store.count(Usage(output: count), of: "search", by: search, for: record?.id)
        } catch {
            // The answer is there; what it has cost is missing in the sums.
            services.log.write("the searches of an answer could not be counted")
        }
    }

    /// The user agreed when it was searched here, with this vendor. An imported
    /// conversation does not show that.
    private static func hasSearched(_ history: [Turn], _ provider: ProviderName) -> Bool {
        history.contains { turn in
            !turn.carriesForeignText
                && turn.messages.contains { message in
                    message.origin?.provider == provider
                        && message.parts.contains(where: \.isWebSearch)
                }
        }
    }
}
