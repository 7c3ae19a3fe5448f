import AgentCore
import ChatKit
import Persistence

/// Controls whether the model's vendor may search the web for the open conversation.
///
/// The model chooses the search terms, which reveal parts of the conversation; so the search is
/// never on in a redacted conversation, and a single answer from the shell has it only with
/// `--web`.
extension Session {
    /// - Parameter choice: the model that answers.
    func webAccess(_ choice: ProviderChoice, history: [Turn]) -> Settings.Web {
        switch choice.provider.facts.format {
        case .responses, .messages: break
        // The chat format has no such search.
        case .chat, .none: return .off
        }
        if redacts || !options.usesTools { return .off }
        if options.kind == .oneshot { return options.usesWeb ? .on : .off }
        guard services.settings.web == .ask else { return services.settings.web }
        return hasAgreedToSearch || Self.hasSearched(history, choice.provider) ? .on : .ask
    }

    /// Counts searches in addition to the turn's tokens, so that totals and the budget include
    /// them.
    func countSearches(_ count: Int, by provider: ProviderName) async {
        if count == 0 { return }
        let search = ModelOrigin(
            provider: provider, format: .none, model: PriceTable.searchModel)
        do {
            try await store.count(Usage(output: count), of: "search", by: search, for: record?.id)
        } catch {
            // The answer exists; only the cost of its searches is missing from the totals.
            services.log.write("the searches of an answer could not be counted")
        }
    }

    /// Whether this conversation has already searched with this vendor, which the user had agreed
    /// to. The history of an imported conversation is no proof of that.
    private static func hasSearched(_ history: [Turn], _ provider: ProviderName) -> Bool {
        history.contains { turn in
            !turn.carriesUntrustedText
                && turn.messages.contains { message in
                    message.origin?.provider == provider
                        && message.parts.contains(where: \.isWebSearch)
                }
        }
    }
}
