import AgentCore
import Base

/// The reason why a message was neither saved nor sent.
package enum SessionError: Error, Sendable, Equatable {
    /// The conversation's provider cannot be used now. `instead` is usable, but continuing there
    /// sends it the whole conversation.
    case notUsable(choice: ProviderChoice, missing: Readiness.Missing, instead: ProviderName?)
    /// No model is connected and no tool server understood the message.
    case noModel(nearest: IntentRouter.Judgement?)
    /// Another instance has the conversation open.
    case busy(title: String)
    /// A cap would be exceeded without permission.
    case overBudget(Budget.Excess)
    /// The message contains something that looks like an API key.
    case holdsKey
    /// The conversation is redacted, and such a file cannot be searched.
    case cannotRedact(file: String)
    /// The conversation is redacted, and a server would get the text to speak.
    case cannotSpeak(host: String)
    case noConversation(query: String?)
    case notInTrash(query: String)
    case ambiguousConversation(query: String, candidates: [String])
}

/// Whether a provider can be used now.
package enum Readiness: Sendable, Equatable {
    package enum Missing: Sendable, Equatable {
        case key
        /// The stored key belongs to another address.
        case keyForThisAddress(boundTo: String)
        /// A key is unusable, or its source failed: the reason.
        case keyUnusable(String)
        /// The base URL is unusable.
        case address(String)
        /// No local server answers.
        case server
        /// The user has not approved the data that the configuration gives it.
        case approval(origin: String)
        /// The configuration names no such provider.
        case configuration(nearest: String?)
    }

    case ready
    case missing(Missing)
}

extension SessionError: DescribedError {
    package var diagnostic: Diagnostic { sentence.namingCommands }

    private var sentence: Diagnostic {
        switch self {
        case .notUsable(let choice, let missing, let instead):
            return Diagnostic(choice.provider, missing, instead)
        case .overBudget(let excess):
            return Diagnostic(
                "Not sent. \(excess.sentence)",
                todo:
                    "To send it anyway: --over-budget; the limits are \"budget\" in config.json.",
                exit: .refused)
        case .holdsKey:
            return Diagnostic(
                "Not sent: the message contains what looks like an API key.",
                todo: "To save a key: chat keys set \(ProviderName.words). "
                    + "To send a text with a key in it on purpose, pipe it in.",
                exit: .refused)
        case .cannotRedact(let file):
            return Diagnostic(
                "Not sent: personal data cannot be removed from \(file).",
                todo: "Attach its text instead, or send it without redaction.",
                exit: .refused)
        case .cannotSpeak(let host):
            return Diagnostic(
                "Not read aloud: \(host) would receive your text, including personal data.",
                todo:
                    "Use a voice on this machine: \"speech\": { \"engine\": \"espeak\" } in config.json.",
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
    /// The command that connects a model.
    package static let connecting =
        "chat keys set \(ProviderName.hosted.map(\.rawValue).joined(separator: "|")), or start Ollama"
    package static let noModel = Diagnostic(
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
                todo:
                    "Plain http is allowed only on this machine, unless allow_http names the host.",
                exit: .needsKeyOrNetwork)
        case .approval(let origin):
            self.init(
                "You have not approved that \(name) at \(origin) gets a key.",
                todo: "chat keys approve \(provider.rawValue).\(other)", exit: .refused)
        case .configuration(let nearest):
            self.init(
                "The configuration has no provider \"\(provider.rawValue)\".",
                todo: (nearest.map { "Did you mean \($0)?" }
                    ?? "\"providers\" in config.json names it: chat config edit.") + other,
                exit: .usage)
        case .server:
            self.init(
                "No local server answers.", todo: "Start one: ollama serve.\(other)",
                exit: .needsKeyOrNetwork)
        }
    }
}
