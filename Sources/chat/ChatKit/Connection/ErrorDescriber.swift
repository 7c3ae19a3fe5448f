import AgentCore
import Base
import Persistence
import Privacy

/// Prepares errors for display: with commands in the form used here, and the one that installs a
/// missing program. The sentences belong to the errors.
package struct ErrorDescriber: Sendable {
    /// The package manager whose command installs a missing program.
    var packages = PackageManager.here
    /// Grammar of the place where the error is shown.
    var grammar = CommandGrammar.shell
    /// The address that the user has set for a local server.
    var localServer: String?

    package init(
        packages: PackageManager = .here, grammar: CommandGrammar = .shell,
        localServer: String? = nil
    ) {
        self.packages = packages
        self.grammar = grammar
        self.localServer = localServer
    }

    /// - Parameter isMessage: whether it kept a message from being sent.
    package func describe(_ error: any Error, isMessage: Bool = false) -> Diagnostic {
        var diagnostic = Diagnostic(of: error)
        if isMessage, let error = error as? SQLiteError,
            !error.isCalendar, [.locked, .readOnly, .full, .ioError].contains(error.reason)
        {
            diagnostic.todo = ["What cannot be saved is not sent.", diagnostic.todo]
                .compactMap(\.self).joined(separator: " ")
        }
        if let localServer, diagnostic.what == Diagnostic.noModel.what {
            diagnostic.what += " The local server that you set, \(localServer), does not answer."
        }
        return grammar.diagnostic(diagnostic.installing(packages))
    }
}

extension ProviderError: DescribedError {
    package var diagnostic: Diagnostic { Diagnostic(self) }
}

/// Sentences for provider errors.
extension Diagnostic {
    /// - Parameter facts: facts that the provider does not have.
    package init(_ error: ProviderError, facts: FailureFacts = FailureFacts()) {
        let name = error.provider.facts.displayName
        let status = error.status.map { " (\($0))" } ?? ""
        let said = Self.quoted(error)
        let other = facts.isAtPrompt ? "/model" : "--provider"
        switch error.reason {
        case .transport(let transport):
            self.init(
                transport, isLocalServer: error.provider == .local, isMessage: facts.isMessage)
        case .keyRejected:
            let source = facts.keySource.map { " from the \($0.description)" } ?? ""
            var todo = "Set another: chat keys set \(error.provider.rawValue)"
            if case .environment(let variable) = facts.keySource {
                todo = "Change or unset \(variable): it takes precedence over a stored key."
            }
            self.init(
                "\(name) did not accept the key\(source)\(status)\(said).", todo: todo,
                exit: .needsKeyOrNetwork)
        case .forbidden:
            self.init(
                "\(name) accepts the key but does not allow this\(status)\(said).",
                todo: "Check the key's rights: chat keys check \(error.provider.rawValue)",
                exit: .needsKeyOrNetwork)
        case .modelNotFound:
            let model = facts.model.map { "model \"\($0)\"" } ?? "such model"
            let ending = facts.model.flatMap {
                ModelEnding(error: error.message?.text ?? "", of: $0)
            }
            let next =
                ending.map { $0.pastSentence + " " }
                ?? facts.model.flatMap(ModelEnding.successor).map { "\($0) comes after it. " } ?? ""
            let nearest =
                facts.nearestModels.isEmpty
                ? "" : "Nearest: \(facts.nearestModels.joined(separator: ", ")). "
            self.init(
                "\(name) has no \(model)\(said).",
                todo: next + nearest
                    + (facts.isAtPrompt
                        ? "/model chooses one." : "chat models lists all; -m chooses one."))
        case .endpointNotFound:
            self.init(
                "\(error.host) does not look like a server for \(error.provider.rawValue)\(status).",
                todo: "Check the base URL: chat config shows it and where it comes from.",
                exit: .needsKeyOrNetwork)
        case .rateLimited:
            let wait = error.retryAfter.map { " It asks you to wait \(Self.wait($0))." } ?? ""
            self.init(
                "\(name) is limiting your requests\(status)\(said).\(wait)",
                todo: (facts.isMessage ? "Your message is kept: try" : "Try")
                    + " again in a while, or switch: \(other).")
        case .aboveLimit:
            self.init(
                "\(name) takes no message as long as this conversation from you\(status)\(said).",
                todo: "Start a new one, attach less, or switch: \(other).")
        case .quotaExhausted:
            self.init(
                "\(name) says there is no money or quota left\(said).",
                todo: "Top up with the provider, or switch: \(other).")
        case .overloaded:
            let isNews = error.message?.text.lowercased() != "overloaded"
            self.init(
                "\(name) is overloaded\(status)\(isNews ? said : "")\(Self.requestNote(error)).",
                todo: "Try again in a moment, or switch: \(other).")
        case .serverFailure:
            self.init(
                "\(name) returned an error\(status)\(said)\(Self.requestNote(error)).",
                todo: "Try again in a moment, or switch: \(other).")
        case .badRequest:
            self.init(
                "\(name) refused the request\(status)\(said)\(Self.requestNote(error)).",
                todo: facts.isAtPrompt
                    ? "Try another model: /models lists all; /model chooses one."
                    : "Try another model: chat models lists all; -m chooses one.")
        case .contextTooLong:
            self.init(
                "The conversation is longer than the model can read\(said).",
                todo: facts.isAtPrompt
                    ? "Start a new conversation with /new; this one is kept."
                    : "Send less, or start a new conversation by leaving out -c; this one is kept.")
        case .redirected:
            self.init(
                "\(error.host) redirects the request\(status); chat never follows redirects.",
                todo: "Set its real address: chat config.", exit: .needsKeyOrNetwork)
        case .brokenStream:
            self.init(
                "\(name)'s answer broke off\(Self.requestNote(error)).",
                todo: facts.isMessage ? "What arrived is kept. Ask again to go on." : "Try again.")
        case .malformed:
            self.init(
                "\(error.host) sent something that is not an answer\(status)\(said).",
                todo: "Check the base URL: chat config shows it and where it comes from.")
        case .offline: self = .noModel
        case .withheld(.localOnly):
            self.init(
                "Not sent to \(error.host): this may be sent only to a model on this machine.",
                todo: "Use a local model: \(facts.isAtPrompt ? "/model" : "--provider local")",
                exit: .refused)
        case .withheld:
            self.init("Not sent: chat cannot tell which parts of it are personal.", exit: .refused)
        case .wouldLeak(let leaks):
            self.init(leaks, host: error.host)
        }
    }

    /// `what` may go to the log, so only `todo` shows the matches.
    private init(_ leaks: [LeakGate.Leak], host: String) {
        var kinds: [String] = []
        for leak in leaks {
            let form = leak.form == "plain" ? "" : " (\(leak.form))"
            let words = leak.kind.words + form
            if !kinds.contains(words) { kinds.append(words) }
        }
        let shown = kinds.prefix(4).joined(separator: ", ") + (kinds.count > 4 ? ", …" : "")
        self.init(
            "Not sent to \(host): this would reveal \(shown).",
            todo: leaks.first.map { "Change it, or take it out: \"\($0.line)\"" },
            exit: .refused)
    }

    /// The short cause for the countdown before a retry: no full stop, no advice.
    ///
    /// - Parameter saysWait: false if the countdown says it.
    package static func cause(_ error: ProviderError, saysWait: Bool = true) -> String {
        var error = error
        if !saysWait { error.retryAfter = nil }
        var text = Diagnostic(error).what
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }

    private static func quoted(_ error: ProviderError) -> String { said(error.message) }

    private static func requestNote(_ error: ProviderError) -> String {
        error.requestID.map { ", request \($0)" } ?? ""
    }
}

/// Sentences for the limits of a turn.
extension Diagnostic {
    package init(_ limit: LoopGuard.Limit) {
        switch limit {
        case .calls(let count):
            self.init(
                "Stopped after \(count) tool calls, the limit for one message.",
                todo: "Say \"go on\" to let it continue.")
        case .identical(let tool, let count):
            self.init(
                "Stopped: the model called \(tool) \(count) times with the same arguments.",
                todo: "Say what it should do instead.")
        case .invalidRounds:
            self.init(
                "Stopped: the model keeps calling tools in a way that cannot run.",
                todo: "Put it differently, or try another model.")
        case .pauses:
            self.init(
                "Stopped: the provider paused again and again.", todo: "Say \"go on\" to continue.")
        }
    }
}

extension PersonalData.Kind {
    /// The name of this kind of user data.
    package var words: String {
        switch self {
        case .name: "your name"
        case .email: "your e-mail address"
        case .phone: "your phone number"
        case .address: "where you live"
        case .url: "your page on the web"
        case .birthDate: "your date of birth"
        case .identifier: "a number that identifies you"
        case .employer: "where you work"
        }
    }
}
