import AgentCore

/// Why a message was neither saved nor sent, in sentences.
extension SessionError: DescribedError {
    var diagnostic: Diagnostic {
        var diagnostic = sentence
        diagnostic.namesCommands = true
        return diagnostic
    }

    private var sentence: Diagnostic {
        switch self {
        case .notUsable(let choice, let missing, let instead):
            return Diagnostic(choice.provider, missing, instead)
        case .overBudget(let excess):
            return Diagnostic(
                "Not sent. \(excess.sentence)",
                todo:
                    "To send it all the same: --over-budget; the caps are \"budget\" in config.json.",
                exit: .refused)
        case .holdsKey:
            return Diagnostic(
                "Not sent: the message holds an API key, or what looks like one.",
                todo: "To save a key: chat keys set \(ProviderName.words). "
                    + "Text with a key that has to be sent goes in by stdin.",
                exit: .refused)
        case .noModel(let nearest):
            guard let missing = nearest?.match.fallbackMessage else { return .noModel }
            return Diagnostic(
                missing, todo: "To ask a model instead: \(Diagnostic.connecting).",
                exit: .needsKeyOrNetwork)
        case .busy(let title):
            return Diagnostic(
                "\"\(title)\" is open in another chat.",
                todo: "Close it there, or start a new conversation: /new.")
        case .noConversation(let query):
            return Diagnostic(
                query.map { "No conversation matches \"\($0)\"." }
                    ?? "There is no conversation yet.",
                todo: query == nil ? nil : "chat conversations list shows them.")
        case .notInTrash(let query):
            return Diagnostic(
                "Nothing in the trash matches \"\(query)\".",
                todo: "chat conversations list --deleted shows what is there.")
        case .ambiguousConversation(let query, let candidates):
            return Diagnostic(
                "\"\(query)\" matches several: \(candidates.prefix(5).joined(separator: ", ")).",
                todo: "Use more of the title, or the id.")
        }
    }

}

extension Diagnostic {
    /// How a model is connected.
    static let connecting = "chat keys set claude|openai, or start Ollama"
    static let noModel = Diagnostic(
        "No model is connected.", todo: "Connect one: \(connecting).", exit: .needsKeyOrNetwork)

    fileprivate init(
        _ provider: ProviderName, _ missing: Readiness.Missing, _ instead: ProviderName?
    ) {
        let name = provider.facts.displayName
        let other = instead.map { " Or go on with --provider \($0.rawValue)." } ?? ""
        switch missing {
        case .key:
            let variable = provider.facts.variables.map { " (or set \($0.key))" } ?? ""
            self.init(
                "There is no key for \(name).",
                todo: "chat keys set \(provider.rawValue)\(variable).\(other)",
                exit: .needsKeyOrNetwork)
        case .keyUnusable(let why):
            self.init(
                "No usable key for \(name). \(why)",
                todo: "chat keys list shows where keys come from.\(other)",
                exit: .needsKeyOrNetwork)
        case .keyForThisAddress(let origin):
            self.init(
                "The key for \(name) belongs to \(origin) and is not sent elsewhere.",
                todo: "Set one for this address: chat keys set \(provider.rawValue)",
                exit: .needsKeyOrNetwork)
        case .address(let url):
            self.init(
                "\"\(url)\" cannot be used as an address for \(provider.rawValue).",
                todo: "Plain http is for this machine only, unless allow_http names the host.",
                exit: .needsKeyOrNetwork)
        case .server:
            self.init(
                "No local server answers.", todo: "Start one: ollama serve.\(other)",
                exit: .needsKeyOrNetwork)
        }
    }
}
