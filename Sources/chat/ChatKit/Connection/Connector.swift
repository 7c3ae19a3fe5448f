import AgentCore
import Base
import Privacy

/// Finds a usable provider from the addresses in the settings, the keys in the ring, and whether a
/// local server answers. Makes one provider per name and keeps it, since it remembers facts about
/// its server.
///
/// Uses neither the network nor another program before a message needs it, except for a new user's
/// first screen, which looks for servers on this machine.
package actor Connector {
    private let settings: Settings
    private let keys: KeyRing
    private let transport: any HTTPTransport
    private let environment: Environment
    private let person: @Sendable () async throws -> PersonalData
    private let onResponse: @Sendable (ResponseNote) -> Void
    private var providers: [ProviderName: HTTPProvider] = [:]
    private var ollama = ProviderChoice.Ollama.unknown
    /// Time of the last unanswered search for a local server.
    private var silentSince = 0.0
    /// The servers' lists of models.
    private var listed: [ProviderName: [ModelInfo]] = [:]
    /// Shutdown dates of models by provider, of speech models too.
    private var endings: [ProviderName: [ModelEnding]] = [:]
    /// Windows reported by local servers, by `provider/model`.
    private var windows: [String: ServerWindow] = [:]
    private var askedWindows: Set<String> = []

    /// A model server on this machine, for the first screen.
    package struct LocalServer: Sendable, Equatable {
        /// `127.0.0.1:11434`
        package var host: String
        /// The first model it lists; nil if it lists none.
        package var model: String?
        /// The model's window, in tokens.
        package var window: Int?
    }

    /// Default ports of LM Studio, llama.cpp and vLLM.
    private static let otherPorts = [1234, 8080, 8000]

    /// Time limit for a local server to answer.
    private static let probeLimit = Duration.milliseconds(200)
    /// Seconds for which "no server answers" is cached: for one message but not the next, since
    /// users start the server when they read that.
    private static let silenceHolds = 2.0

    /// - Parameter person: the user's profile.
    init(
        settings: Settings, keys: KeyRing, transport: any HTTPTransport, environment: Environment,
        person: @escaping @Sendable () async throws -> PersonalData = { PersonalData() },
        onResponse: @escaping @Sendable (ResponseNote) -> Void = { _ in }
    ) {
        self.settings = settings
        self.keys = keys
        self.transport = transport
        self.environment = environment
        self.person = person
        self.onResponse = onResponse
    }

    // MARK: - Choosing

    /// The choice as far as possible without looking for a server; nil if it depends on whether a
    /// local server answers.
    package func choice(
        flags: ProviderChoice.Selection, conversation: ProviderChoice.Selection?
    ) async -> ProviderChoice? {
        var inputs = inputs(flags, conversation)
        inputs.keys = await keys.cheaplyKnown()
        guard case .chosen(let choice) = ProviderChoice.choose(inputs) else { return nil }
        return named(choice)
    }

    /// The choice, after checking everything it depends on.
    package func choiceLooking(
        flags: ProviderChoice.Selection, conversation: ProviderChoice.Selection?
    ) async -> ProviderChoice {
        if let known = await choice(flags: flags, conversation: conversation),
            known.reason != .nothing
        {
            return known
        }
        var inputs = inputs(flags, conversation)
        for name in askable where name != .local {
            if await readiness(of: name) == .ready { inputs.keys.insert(name) }
        }
        // A server that did not answer before may be running now.
        if case .chosen(let choice) = ProviderChoice.choose(inputs), choice.reason != .nothing {
            return named(choice)
        }
        await lookForOllama()
        inputs.ollama = ollama
        inputs.listed = listed.mapValues { $0.map(\.id) }
        guard case .chosen(let choice) = ProviderChoice.choose(inputs) else {
            // Only an unknown Ollama makes the choice depend on one.
            return ProviderChoice(provider: .offline, model: nil, reason: .nothing)
        }
        return named(choice)
    }

    private func inputs(
        _ flags: ProviderChoice.Selection, _ conversation: ProviderChoice.Selection?
    ) -> ProviderChoice.Inputs {
        var inputs = ProviderChoice.Inputs()
        inputs.providers = askable
        inputs.flags = flags
        // CHAT_MODEL applies to this run, like a flag.
        if flags.model == nil, flags.provider == nil,
            case .environment = settings.source(of: "model")
        {
            inputs.flags.model = settings.model
        }
        inputs.conversation = conversation
        if settings.source(of: "provider") == .configuration {
            inputs.configuration.provider = settings.provider
        }
        if settings.source(of: "model") == .configuration {
            inputs.configuration.model = settings.model
        }
        inputs.ollama = ollama
        inputs.listed = listed.mapValues { $0.map(\.id) }
        return inputs
    }

    /// The choice with the provider's configured model if none was named.
    private func named(_ choice: ProviderChoice) -> ProviderChoice {
        let isOpen =
            choice.model == nil
            || choice.reason != .flag && choice.reason != .conversation
                && choice.model == choice.provider.facts.defaultModel
        guard isOpen, let model = settings[server: choice.provider].model else { return choice }
        return ProviderChoice(provider: choice.provider, model: model, reason: choice.reason)
    }

    // MARK: - Asking

    /// All providers, the preferred one first.
    package nonisolated var askable: [ProviderName] { settings.askable }

    /// Whether it runs on this machine, judging by its address, or by its name if that is unusable.
    package func isLocal(_ name: ProviderName) -> Bool {
        // An unusable address is reported when the provider is asked.
        (try? address(of: name)).map { plainEndpoint(name, $0).isLocal } ?? (name == .local)
    }

    /// Whether a provider can be used now.
    package func readiness(of name: ProviderName) async -> Readiness {
        if name != .offline, settings.provider(named: name.rawValue) == nil {
            return .missing(.configuration(nearest: settings.nearestProvider(to: name)))
        }
        let base: BaseURL
        do {
            base = try address(of: name)
        } catch {
            return .missing(.address(settings[server: name].baseURL))
        }
        if name == .offline { return .ready }
        if !name.isBuiltIn { return await ownReadiness(of: name, at: base) }
        if name.facts.vendorURL == nil {
            // A configured server reports itself if it is not running.
            let source = settings.source(of: "\(name.rawValue).base_url")
            guard source == .standard else { return .ready }
            await lookForOllama()
            return ollama == .answers ? .ready : .missing(.server)
        }
        // Only cancelling throws, and then the answer is not needed.
        guard let lookup = try? await keys.lookup(name, at: base) else { return .missing(.key) }
        return lookup.key == nil ? .missing(Self.missing(lookup)) : .ready
    }

    /// A configured server may need no key: if it does, its own error says so.
    private func ownReadiness(of name: ProviderName, at base: BaseURL) async -> Readiness {
        if !(await keys.isApproved(name)) {
            let origin = settings.origin(name)?.description ?? base.origin
            return .missing(.approval(origin: origin))
        }
        do { _ = try await keys.headers(of: name) } catch {
            return .missing(.keyUnusable((error as? KeyLookupFailure)?.sentence ?? ""))
        }
        // Only cancelling throws, and then the answer is not needed.
        guard let lookup = try? await keys.lookup(name, at: base) else { return .missing(.key) }
        if lookup.key != nil { return .ready }
        let server = settings[server: name]
        if lookup.failures.isEmpty, let variable = server.keyVariable {
            return .missing(.keyUnusable(KeyLookupFailure.missingVariable(variable).sentence ?? ""))
        }
        let isOpen = server.keyVariable == nil && server.keyCommand == nil
        return isOpen && lookup.failures.isEmpty ? .ready : .missing(Self.missing(lookup))
    }

    private static func missing(_ lookup: KeyLookup) -> Readiness.Missing {
        for case .boundElsewhere(let origin, _) in lookup.failures {
            return .keyForThisAddress(boundTo: origin.description)
        }
        return lookup.failures.lazy.compactMap(\.sentence).first.map { .keyUnusable($0) } ?? .key
    }

    /// The source of the key in use, or nil.
    package func keySource(of name: ProviderName) async -> KeySource? {
        guard let base = try? address(of: name) else { return nil }  // It only explains.
        return try? await keys.lookup(name, at: base)?.source
    }

    /// Another provider that could answer; for an offer, never used silently.
    package func alternative(to name: ProviderName) async -> ProviderName? {
        for other in askable where other != name {
            if await readiness(of: other) == .ready { return other }
        }
        return nil
    }

    /// - Throws: `BaseURL.Problem` for an unusable address.
    package func provider(_ name: ProviderName) async throws -> any Provider {
        if name == .offline { return OfflineProvider() }
        if let provider = providers[name] { return provider }
        let endpoint = try await endpoint(name)
        let base = endpoint.base
        let provider = HTTPProvider(
            endpoint: endpoint,
            key: { [keys] in try await keys.lookup(name, at: base)?.key?.text }, person: person,
            idleLimit: .seconds(settings.idleLimit), transport: transport,
            environment: environment, onResponse: onResponse)
        providers[name] = provider
        return provider
    }

    /// The first model the server lists, used when none was named.
    package func firstModel(of name: ProviderName) async throws -> String {
        if let first = listed[name]?.first { return first.id }
        guard let first = try await models(of: name).first else {
            throw ProviderError(
                reason: .modelNotFound, provider: name, host: host(of: name),
                message: "the server lists no model")
        }
        return first.id
    }

    package func models(of name: ProviderName) async throws -> [ModelInfo] {
        try await noted(try await provider(name).models(), of: name)
    }

    /// Remembers a server's whole list, fetched here or by a check of its key.
    /// - Returns: the chat models in it.
    @discardableResult
    package func noted(_ all: [ModelInfo], of name: ProviderName) async throws -> [ModelInfo] {
        endings[name] = all.compactMap(\.ending)
        let isVendor = try await endpoint(name).isVendor
        let models = ModelCatalog.chatModels(
            of: all, provider: isVendor || name == .claude ? name : .local)
        note(models, of: name)
        return models
    }

    /// The first model of a list already fetched.
    package func firstKnown(of name: ProviderName) -> String? { listed[name]?.first?.id }

    /// The model's end of life in the server's list, if fetched.
    package func ending(of model: String, at name: ProviderName) -> ModelEnding? {
        endings[name]?.first { $0.model == model }
            ?? listed[name]?.first { $0.id == model }?.ending
    }

    func endings(of name: ProviderName) -> [ModelEnding] { endings[name] ?? [] }

    /// Stores a list known from elsewhere, unless a newer one was fetched.
    func remember(_ models: [ModelInfo], of name: ProviderName) {
        if listed[name] == nil, !models.isEmpty { note(models, of: name) }
    }

    private func note(_ models: [ModelInfo], of name: ProviderName) {
        listed[name] = Array(models.prefix(10_000))
    }

    /// The model's window in tokens, from its server or the built-in list; nil if neither
    /// has it.
    package func window(of model: String, at name: ProviderName) -> Int? {
        let said = windows["\(name.rawValue)/\(model)"]
        if let said, !said.isUsual { return said.tokens }
        return listed[name]?.first { $0.id == model }?.maxInput
            ?? ModelCatalog.info(model)?.maxInput
            ?? settings.contextWindow ?? said?.tokens
    }

    /// Asks a local server for the model's window: once before the first answer, and once after it,
    /// since some load a model only then.
    package func askWindow(of model: String, at name: ProviderName, again: Bool = false) async {
        let place = "\(name.rawValue)/\(model)"
        // A provider that is not usable is reported with the message.
        guard isLocal(name), !model.isEmpty, let provider = try? await provider(name),
            again ? windows[place] != nil : askedWindows.insert(place).inserted
        else { return }
        if listed[name]?.first(where: { $0.id == model })?.maxInput != nil { return }
        do {
            if let window = try await provider.window(of: model) {
                windows[place] = window
            } else if listed[name] == nil {
                _ = try await models(of: name)
            }
        } catch {
            // The server did not answer: the message itself will report it.
        }
    }

    package func host(of name: ProviderName) -> String {
        // An unusable address is shown as it was written.
        (try? address(of: name).authority) ?? settings[server: name].baseURL
    }

    /// - Throws: `BaseURL.Problem`, and `KeyLookupFailure` if its headers may not be sent.
    package func endpoint(_ name: ProviderName) async throws -> ProviderEndpoint {
        var endpoint = plainEndpoint(name, try address(of: name))
        if !name.isBuiltIn { endpoint.extra = try await keys.headers(of: name) }
        return endpoint
    }

    /// The endpoint of a provider, without the configured headers.
    private func plainEndpoint(_ name: ProviderName, _ base: BaseURL) -> ProviderEndpoint {
        ProviderEndpoint(name: name, format: settings[server: name].format, base: base)
    }

    private func address(of name: ProviderName) throws(BaseURL.Problem) -> BaseURL {
        let text = settings[server: name].baseURL
        if name == .offline { return try BaseURL("http://localhost") }
        let any = try BaseURL(text, allowsPlainHTTP: true)
        return try BaseURL(text, allowsPlainHTTP: settings.allowHTTP.contains(any.host))
    }

    /// Looks for Ollama at the first message that needs it; a found server is remembered.
    private func lookForOllama() async {
        let now = environment.uptime()
        if ollama == .answers { return }
        if ollama == .silent, now - silentSince < Self.silenceHolds { return }
        silentSince = now
        // `readiness` reports an unusable address.
        guard let base = try? address(of: .local) else {
            ollama = .silent
            return
        }
        do {
            let models = try await models(listedAt: plainEndpoint(.local, base).modelsURL)
            ollama = models == nil ? .silent : .answers
            if let models { note(models, of: .local) }
        } catch {
            // Cancelled by the user: the answer is unknown.
        }
    }

    /// The model server on this machine, for the first launch: the one that would be used
    /// without a key or, if no address is set, one at another program's port.
    package func localServer() async -> LocalServer? {
        await lookForOllama()
        if ollama == .answers {
            var server = LocalServer(host: host(of: .local), model: listed[.local]?.first?.id)
            if let model = server.model {
                await askWindow(of: model, at: .local)
                server.window = window(of: model, at: .local)
            }
            return server
        }
        guard settings.source(of: "local.base_url") == .standard else { return nil }
        for port in Self.otherPorts {
            let host = "127.0.0.1:\(port)"
            // Only cancelling throws.
            let models = try? await models(listedAt: "http://\(host)/v1/models")
            if let first = models?.first {
                return LocalServer(host: host, model: first.id, window: first.maxInput)
            }
        }
        return nil
    }

    /// The models that a server lists at an address; nil if no such list arrives at once.
    private func models(listedAt url: String) async throws(CancellationError) -> [ModelInfo]? {
        let request = HTTPRequest(
            Outgoing(.models), method: "GET", url: url,
            limits: TransferLimits(
                connect: Self.probeLimit, idle: Self.probeLimit, total: Self.probeLimit,
                bodyBytes: 1 << 20))
        do {
            let response = try await transport.send(request)
            let body = try await response.body.all()
            guard response.head.status == 200 else { return nil }
            // Not JSON: another kind of server uses this port.
            return (try? JSONParser.parse(body)).flatMap(ModelList.read)
        } catch let error as CancellationError {
            throw error
        } catch {
            return nil  // No server.
        }
    }
}

extension KeyRing {
    fileprivate func lookup(_ name: ProviderName, at base: BaseURL) async throws -> KeyLookup? {
        guard let origin = KeyOrigin(base.origin) else { return nil }
        return try await lookup(name, origin: origin)
    }
}
