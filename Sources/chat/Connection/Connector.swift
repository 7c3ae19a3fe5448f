import AgentCore

/// Finds out who answers: addresses from the settings, keys from the ring, and
/// whether a local server is there. Makes one provider for each name and keeps
/// it, so that what it has learnt about its server stays.
///
/// Nothing is asked of the network or of another program before a message
/// needs it.
actor Connector {
    private let settings: Settings
    private let keys: KeyRing
    private let transport: any HTTPTransport
    private let environment: Environment
    private let onResponse: @Sendable (ResponseNote) -> Void
    private var providers: [ProviderName: HTTPProvider] = [:]
    private var ollama = ProviderChoice.Ollama.unknown
    /// When a local server was looked for in vain.
    private var silentSince = 0.0
    private var listed: [ProviderName: [String]] = [:]
    /// What the servers' lists say a model can read.
    private var windows: [ProviderName: [String: Int]] = [:]

    /// A local server that does not answer by then is taken to be not there.
    private static let probeLimit = Duration.milliseconds(200)
    /// Seconds for which "nobody answers" holds: for one message, but not for
    /// the next, since people start the server when they are told to.
    private static let silenceHolds = 2.0

    init(
        settings: Settings, keys: KeyRing, transport: any HTTPTransport, environment: Environment,
        onResponse: @escaping @Sendable (ResponseNote) -> Void = { _ in }
    ) {
        self.settings = settings
        self.keys = keys
        self.transport = transport
        self.environment = environment
        self.onResponse = onResponse
    }

    // MARK: - Choosing

    /// The choice as far as it is known without looking for anybody; nil when
    /// it depends on whether a local server answers.
    func choice(
        flags: ProviderChoice.Selection, conversation: ProviderChoice.Selection?
    ) async -> ProviderChoice? {
        var inputs = inputs(flags, conversation)
        inputs.keys = Set(await keys.cheaplyKnown().compactMap { $0.provider })
        guard case .chosen(let choice) = ProviderChoice.choose(inputs) else { return nil }
        return named(choice)
    }

    /// The choice, with a look at everything it depends on.
    func choiceLooking(
        flags: ProviderChoice.Selection, conversation: ProviderChoice.Selection?
    ) async -> ProviderChoice {
        if let known = await choice(flags: flags, conversation: conversation),
            known.reason != .nothing
        {
            return known
        }
        var inputs = inputs(flags, conversation)
        for name in [ProviderName.openai, .claude] where await readiness(of: name) == .ready {
            inputs.keys.insert(name)
        }
        // A server that was silent before may be there by now.
        if case .chosen(let choice) = ProviderChoice.choose(inputs), choice.reason != .nothing {
            return named(choice)
        }
        await lookForOllama()
        inputs.ollama = ollama
        inputs.listed = listed
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
        inputs.flags = flags
        // CHAT_MODEL is said for this run, like a flag.
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
        inputs.listed = listed
        return inputs
    }

    /// With the model configured for the provider where none was named.
    private func named(_ choice: ProviderChoice) -> ProviderChoice {
        let configured: String? =
            switch choice.provider {
            case .openai: settings.openai.model
            case .claude: settings.claude.model
            case .local: settings.local.model
            case .offline: nil
            }
        guard let configured, choice.reason != .flag, choice.reason != .conversation,
            choice.model == nil || choice.model == choice.provider.facts.defaultModel
        else { return choice }
        return ProviderChoice(
            provider: choice.provider, model: configured, reason: choice.reason)
    }

    // MARK: - Asking

    /// Whether a provider can be asked now.
    func readiness(of name: ProviderName) async -> Readiness {
        let base: BaseURL
        do {
            base = try address(of: name)
        } catch {
            return .missing(.address(url(of: name)))
        }
        switch name {
        case .offline: return .ready
        case .local:
            // A configured server says by itself when it is not there.
            guard settings.source(of: "local.base_url") == .standard else { return .ready }
            await lookForOllama()
            return ollama == .answers ? .ready : .missing(.server)
        case .openai, .claude:
            guard let keyName = KeyName(name), let origin = KeyOrigin(base.origin),
                // Only cancelling throws, and then nobody waits for the answer.
                let lookup = try? await keys.lookup(keyName, origin: origin)
            else { return .missing(.key) }
            if lookup.key != nil { return .ready }
            for case .boundElsewhere(let origin, _) in lookup.failures {
                return .missing(.keyForThisAddress(boundTo: origin.description))
            }
            if let why = lookup.failures.lazy.compactMap(\.sentence).first {
                return .missing(.keyUnusable(why))
            }
            return .missing(.key)
        }
    }

    /// Where the key in use comes from; nil where there is none.
    func keySource(of name: ProviderName) async -> KeySource? {
        // For an explanation only: an address that cannot be used has no key.
        guard let keyName = KeyName(name), let base = try? address(of: name),
            let origin = KeyOrigin(base.origin)
        else { return nil }
        return try? await keys.lookup(keyName, origin: origin).source
    }

    /// A provider that could answer instead; for an offer, never silently.
    func alternative(to name: ProviderName) async -> ProviderName? {
        for other in [ProviderName.claude, .openai, .local] where other != name {
            if await readiness(of: other) == .ready { return other }
        }
        return nil
    }

    /// - Throws: `BaseURL.Problem` for an address that cannot be used.
    func provider(_ name: ProviderName) throws -> any Provider {
        if name == .offline { return OfflineProvider() }
        if let provider = providers[name] { return provider }
        let base = try address(of: name)
        let keys = keys
        let provider = HTTPProvider(
            endpoint: endpoint(name, base),
            key: {
                guard let keyName = KeyName(name), let origin = KeyOrigin(base.origin) else {
                    return nil
                }
                return try await keys.lookup(keyName, origin: origin).key?.text
            }, idleLimit: .seconds(settings.idleLimit), transport: transport,
            environment: environment, onResponse: onResponse)
        providers[name] = provider
        return provider
    }

    /// The first model of a server's list, where no name was said.
    func firstModel(of name: ProviderName) async throws -> String {
        if let first = listed[name]?.first { return first }
        let models = try await provider(name).models()
        guard let first = models.first else {
            throw ProviderError(
                reason: .modelNotFound, provider: name, host: host(of: name),
                message: "the server lists no model")
        }
        listed[name] = models.map(\.id)
        noteWindows(models, of: name)
        return first.id
    }

    func models(of name: ProviderName) async throws -> [ModelInfo] {
        let models = try await provider(name).models()
        listed[name] = models.map(\.id)
        noteWindows(models, of: name)
        return models
    }

    /// A list that is known from elsewhere; one that was asked for is newer.
    func remember(_ models: [ModelInfo], of name: ProviderName) {
        guard listed[name] == nil, !models.isEmpty else { return }
        listed[name] = models.map(\.id)
        noteWindows(models, of: name)
    }

    private func noteWindows(_ models: [ModelInfo], of name: ProviderName) {
        for model in models where windows[name]?.count ?? 0 < 10_000 {
            windows[name, default: [:]][model.id] = model.maxInput
        }
    }

    /// Tokens that a model can read, by its server's list or the built-in one;
    /// nil where nobody says.
    func window(of model: String, at name: ProviderName) -> Int? {
        windows[name]?[model] ?? ModelCatalog.info(model)?.maxInput
    }

    /// Whether a server's list of models was read.
    func hasListed(_ name: ProviderName) -> Bool { windows[name] != nil }

    func host(of name: ProviderName) -> String {
        // What cannot be used is shown as it was written.
        (try? address(of: name).authority) ?? url(of: name)
    }

    func endpoint(_ name: ProviderName) throws -> ProviderEndpoint {
        endpoint(name, try address(of: name))
    }

    private func endpoint(_ name: ProviderName, _ base: BaseURL) -> ProviderEndpoint {
        let format: WireFormat =
            switch name {
            case .openai: .responses
            case .claude: .messages
            case .local: .chat
            case .offline: .none
            }
        return ProviderEndpoint(name: name, format: format, base: base)
    }

    private func url(of name: ProviderName) -> String {
        switch name {
        case .openai: settings.openai.baseURL
        case .claude: settings.claude.baseURL
        case .local: settings.local.baseURL
        case .offline: ""
        }
    }

    private func address(of name: ProviderName) throws(BaseURL.Problem) -> BaseURL {
        let text = url(of: name)
        if name == .offline { return try BaseURL("http://localhost") }
        let any = try BaseURL(text, allowsPlainHTTP: true)
        return try BaseURL(
            text, allowsPlainHTTP: settings.allowHTTP.contains(any.host))
    }

    /// At the first message that needs it; a server that was found stays
    /// found.
    private func lookForOllama() async {
        let now = environment.uptime()
        switch ollama {
        case .answers: return
        case .silent where now - silentSince < Self.silenceHolds: return
        case .silent, .unknown: break
        }
        silentSince = now
        guard let base = try? address(of: .local) else {
            // `readiness` tells about the address.
            ollama = .silent
            return
        }
        let request = HTTPRequest(
            method: "GET", url: endpoint(.local, base).modelsURL,
            limits: TransferLimits(
                connect: Self.probeLimit, idle: Self.probeLimit, total: Self.probeLimit,
                bodyBytes: 1 << 20))
        do {
            let response = try await transport.send(request)
            let body = try await response.body.all()
            let models = (try? JSONParser.parse(body)).flatMap(ModelList.read)
            ollama = response.head.status == 200 && models != nil ? .answers : .silent
            if let models {
                listed[.local] = models.map(\.id)
                noteWindows(models, of: .local)
            }
        } catch is CancellationError {
            // Stopped by the user: nothing is known.
        } catch {
            // Not there: that is the answer.
            ollama = .silent
        }
    }
}
