import AgentCore

/// What is said about an error: what happened, and what to do. At most three
/// lines; foreign words in it pass the allow-list when they are shown.
struct Diagnostic: Equatable {
    var what: String
    var todo: String?
    var exit: ExitCode

    init(_ what: String, todo: String? = nil, exit: ExitCode = .failure) {
        self.what = what
        self.todo = todo
        self.exit = exit
    }
}

extension ProviderName {
    /// As people call it.
    var displayName: String {
        switch self {
        case .openai: "OpenAI"
        case .claude: "Claude"
        case .local: "The local server"
        case .offline: "No model"
        }
    }

    var keyVariable: String? {
        switch self {
        case .openai: "OPENAI_API_KEY"
        case .claude: "ANTHROPIC_API_KEY"
        case .local, .offline: nil
        }
    }
}

/// Sentences for what providers and the network do.
extension Diagnostic {
    /// - Parameter facts: what is known here and not to the provider.
    init(_ error: ProviderError, facts: FailureFacts = FailureFacts()) {
        let name = error.provider.displayName
        let status = error.status.map { " (\($0))" } ?? ""
        let said = Self.quoted(error)
        let other = facts.isAtPrompt ? "/model" : "--provider"
        switch error.reason {
        case .transport(let transport):
            self.init(transport, provider: error.provider)
        case .keyRejected:
            let source = facts.keySource.map { " from the \($0.description)" } ?? ""
            var todo = "Set another: chat keys set \(error.provider.rawValue)"
            if case .environment(let variable) = facts.keySource {
                todo = "Change or unset \(variable): it comes before a key that is stored."
            }
            self.init(
                "\(name) did not accept the key\(source)\(status)\(said).", todo: todo,
                exit: .needsKeyOrNetwork)
        case .forbidden:
            self.init(
                "\(name) knows the key but does not allow this\(status)\(said).",
                todo: "Check the key's rights: chat keys check \(error.provider.rawValue)",
                exit: .needsKeyOrNetwork)
        case .modelNotFound:
            let model = facts.model.map { "model \"\($0)\"" } ?? "such model"
            let nearest =
                facts.nearestModels.isEmpty
                ? "" : "Nearest: \(facts.nearestModels.joined(separator: ", ")). "
            self.init(
                "\(name) has no \(model)\(said).",
                todo: nearest
                    + (facts.isAtPrompt
                        ? "/model chooses one." : "chat models lists all; -m chooses one."))
        case .endpointNotFound:
            self.init(
                "\(error.host) does not look like a server for \(error.provider.rawValue)\(status).",
                todo: "Check the base URL: chat config shows it and where it comes from.",
                exit: .needsKeyOrNetwork)
        case .rateLimited:
            let wait = error.retryAfter.map { " It asks to wait \(Self.wait($0))." } ?? ""
            self.init(
                "\(name) limits how fast you may ask\(status)\(said).\(wait)",
                todo: "Your message is kept: try again in a while, or switch: \(other).")
        case .quotaExhausted:
            self.init(
                "\(name) says there is no money or quota left\(said).",
                todo: "Top up with the provider, or switch: \(other).")
        case .overloaded:
            self.init(
                "\(name) is overloaded\(status)\(Self.requestNote(error)).",
                todo: "Try again in a moment, or switch: \(other).")
        case .serverFailure:
            self.init(
                "\(name) failed\(status)\(said)\(Self.requestNote(error)).",
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
                    ? "Start anew with /new; this one stays saved."
                    : "Send less, or start anew without -c; this one stays saved.")
        case .redirected:
            self.init(
                "\(error.host) sends the request elsewhere\(status); that is never followed.",
                todo: "Set the address it really has: chat config.", exit: .needsKeyOrNetwork)
        case .brokenStream:
            self.init(
                "The answer of \(name) ended in the middle\(Self.requestNote(error)).",
                todo: "What arrived is kept. Ask again to go on.")
        case .malformed:
            self.init(
                "\(error.host) sent something that is no answer\(status)\(said).",
                todo: "Check the base URL: chat config shows it and where it comes from.")
        case .offline: self = .noModel
        case .withheld(.localOnly):
            self.init(
                "Not sent to \(error.host): this may only go to a model on this machine.",
                todo: "Use a local model: \(facts.isAtPrompt ? "/model" : "--provider local")",
                exit: .refused)
        case .withheld:
            self.init(
                "Not sent: chat cannot remove personal data yet.",
                exit: .refused)
        }
    }

    init(_ error: TransportError, provider: ProviderName) {
        let host = error.host
        let network = "Check the network; your message is kept."
        switch error.reason {
        case .badURL:
            self.init(
                "\"\(host)\" is no address that can be used.",
                todo: "chat config shows the base URL and where it comes from.",
                exit: .needsKeyOrNetwork)
        case .nameNotResolved:
            self.init(
                "The name \(Self.name(ofHost: host)) could not be resolved.", todo: network,
                exit: .needsKeyOrNetwork)
        case .connectionRefused:
            self.init(
                "\(host) refused the connection.",
                todo: provider == .local
                    ? "Is the local server running? Ollama starts with: ollama serve" : network,
                exit: .needsKeyOrNetwork)
        case .connectTimeout:
            self.init(
                "\(host) did not answer in time.", todo: network, exit: .needsKeyOrNetwork)
        case .unreachable:
            self.init("\(host) cannot be reached.", todo: network, exit: .needsKeyOrNetwork)
        case .tls:
            self.init(
                "No secure connection to \(host): \(error.detail).",
                todo: "Nothing was sent. A proxy or a wrong clock can cause this.",
                exit: .needsKeyOrNetwork)
        case .proxy:
            self.init(
                "The proxy failed: \(error.detail).",
                todo: "Check https_proxy and no_proxy.", exit: .needsKeyOrNetwork)
        case .idleTimeout:
            self.init(
                "\(host) went silent.", todo: "What arrived is kept. Ask again to go on.")
        case .totalTimeout:
            self.init("\(host) took too long.", todo: network, exit: .needsKeyOrNetwork)
        case .connectionLost:
            self.init(
                "The connection to \(host) broke.",
                todo: error.afterResponse
                    ? "What arrived is kept. Ask again to go on." : network)
        case .tooLarge:
            self.init("\(host) sent more than can be taken.", todo: "What arrived is kept.")
        case .protocolViolation:
            self.init(
                "\(host) does not speak HTTP as expected: \(error.detail).",
                todo: "chat config shows the base URL and where it comes from.")
        case .unsupportedEncoding:
            self.init(
                "\(host) compressed its answer with \(error.detail), which was not asked for.",
                todo: "A proxy may do that. chat config shows the base URL and where it comes from."
            )
        case .bodyUnreadable:
            self.init("A file to send could not be read: \(error.detail).")
        case .libraryMissing:
            self.init(
                "libcurl could not be loaded, so no server can be reached: \(error.detail).",
                todo: "Install it: apt install libcurl4. Everything local works without it.",
                exit: .missingProgram)
        case .other:
            self.init("The connection to \(host) failed: \(error.detail).", todo: network)
        }
    }

    /// For the countdown before another attempt: no full stop, no advice.
    ///
    /// - Parameter saysWait: false where the countdown says it.
    static func cause(_ error: ProviderError, saysWait: Bool = true) -> String {
        var error = error
        if !saysWait { error.retryAfter = nil }
        var text = Diagnostic(error).what
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }

    /// Without the port, which has no part in the name.
    private static func name(ofHost host: String) -> Substring {
        guard let colon = host.lastIndex(of: ":"), host[colon...].dropFirst().allSatisfy(\.isNumber)
        else { return host[...] }
        return host[..<colon]
    }

    private static func quoted(_ error: ProviderError) -> String { said(error.message) }

    /// Somebody else's words, to follow ours.
    static func said(_ message: ServerText?) -> String { said(message?.text) }

    static func said(_ message: String?) -> String {
        guard let message, !message.isEmpty else { return "" }
        // One line; a server's sentence often ends with its own full stop, and
        // ours would stand alone behind a space.
        var line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        while let last = line.last, last.isWhitespace || last == "." { line.removeLast() }
        if line.isEmpty { return "" }
        return ": \(line.prefix(200))" + (line.count > 200 ? "…" : "")
    }

    private static func requestNote(_ error: ProviderError) -> String {
        error.requestID.map { ", request \($0)" } ?? ""
    }

    static func wait(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds < 1e6 else { return "very long" }
        let whole = Int(seconds.rounded(.up))
        return whole < 120 ? "\(whole) s" : "\(whole / 60) min"
    }
}

/// Sentences for the rest of AgentCore.
extension Diagnostic {
    init(_ error: UsageError) {
        self.init(error.problem, todo: error.hint, exit: .usage)
    }

    init(_ error: ToolError) {
        switch error {
        case .toolNotFound(let name): self.init("There is no tool \(name).", exit: .usage)
        case .invalidArguments(let violations):
            let first = violations.first.map { "\($0.path.dropFirst(2)) \($0.problem)" }
            self.init("That cannot be used: \(first ?? "invalid arguments").", exit: .usage)
        case .unreadableArguments(let reason): self.init("Not readable: \(reason).", exit: .usage)
        case .permissionDenied(let tool):
            self.init(
                "\(tool) was not allowed.", todo: "In one-shot mode: --allow \(tool)",
                exit: .refused)
        case .noMatch(let query): self.init("Nothing matches \"\(query)\".")
        case .ambiguous(let query, let candidates):
            let shown = candidates.prefix(5).joined(separator: " · ")
            self.init("\"\(query)\" matches several: \(shown)", todo: "Use more words, or the id.")
        case .failed(let text): self.init(text)
        }
    }

    init(_ limit: LoopGuard.Limit) {
        switch limit {
        case .calls(let count):
            self.init(
                "Stopped after \(count) tool calls, the limit for one message.",
                todo: "Say \"go on\" to let it continue.")
        case .identical(let tool, let count):
            self.init(
                "Stopped: the model called \(tool) \(count) times with the same words.",
                todo: "Say what it should do instead.")
        case .invalidRounds:
            self.init(
                "Stopped: the model keeps calling tools in a way that cannot run.",
                todo: "Say it in other words, or try another model.")
        case .pauses:
            self.init(
                "Stopped: the provider paused again and again.", todo: "Say \"go on\" to continue.")
        }
    }
}
