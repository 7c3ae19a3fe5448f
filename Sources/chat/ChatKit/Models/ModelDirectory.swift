import AgentCore
import Base
import FoundationEssentials

/// The available models: the live lists of all providers, fetched in parallel and cached in a file,
/// so that the next request for them is answered at once.
package actor ModelDirectory {
    /// One provider's models, and their source.
    package struct Listing: Sendable, Equatable {
        package enum Source: Sendable, Equatable {
            case live
            /// Age in seconds.
            case cache(age: Int)
            case builtIn
        }

        package var provider: ProviderName
        package var models: [ModelInfo]
        package var source: Source
        /// A sentence saying why it is not live; nil if it is.
        package var problem: String?
        package var isConnected = true

        /// Whether the server's own list is known and lacks the model, even under a longer
        /// name.
        package func lacks(_ model: String) -> Bool {
            guard isConnected, source != .builtIn, !models.isEmpty else { return false }
            return !models.contains { listed in
                listed.id == model || listed.id.hasPrefix(model + ":")
                    || listed.id.hasPrefix(model + "-")
            }
        }
    }

    /// Time limit for fetching a server's list; after that the models are shown without it.
    static let limit = Duration.seconds(3)

    private let connector: Connector
    private let environment: Environment
    private let path: String
    private var cache: ModelCache?
    private var refresh: Task<[Listing], Never>?

    init(connector: Connector, paths: Paths, environment: Environment) {
        self.connector = connector
        self.environment = environment
        path = paths.modelLists
    }

    /// The cached lists at once, refreshed in the background; otherwise the servers'
    /// current lists, each within three seconds.
    package func listings(
        of names: [ProviderName]? = nil, isFresh: Bool = false
    ) async -> [Listing] {
        let names = names ?? connector.askable
        if !isFresh {
            let kept = await kept(names)
            let isWhole = kept.allSatisfy { listing in
                if case .cache(let age) = listing.source {
                    age < ModelCache.lifeInSeconds
                } else {
                    !listing.isConnected
                }
            }
            if isWhole, kept.contains(where: \.isConnected) {
                if refresh == nil { refresh = Task { await self.ask(names) } }
                return kept
            }
        }
        return await ask(names)
    }

    /// All names known without asking a server or needing a key: the cached list of each
    /// provider, else the built-in one.
    func known() async -> [(provider: ProviderName, model: ModelInfo)] {
        var found: [(provider: ProviderName, model: ModelInfo)] = []
        for name in connector.askable {
            let models = await entry(of: name)?.models ?? ModelCatalog.known(for: name)
            found += models.map { (name, $0) }
        }
        return found
    }

    /// The model's window, as far as known without asking a server.
    package func window(of model: String, provider: ProviderName) async -> Int? {
        await entry(of: provider)?.models.first { $0.id == model }?.maxInput
            ?? ModelCatalog.info(model)?.maxInput
    }

    /// The announced end of a model, from the last fetched list of its server.
    package func ending(of model: String, at name: ProviderName) async -> ModelEnding? {
        if let ending = await connector.ending(of: model, at: name) { return ending }
        return await entry(of: name)?.endings.first { $0.model == model }
    }

    /// Stores lists that were just fetched.
    package func keep(_ lists: [(name: ProviderName, models: [ModelInfo])]) async {
        if lists.isEmpty { return }
        var cache = stored()
        for (name, models) in lists {
            // A list without a usable address is not stored.
            guard let address = try? await connector.endpoint(name).base.text else { continue }
            cache.entries[name] = .init(
                address: address, time: now, models: models,
                endings: await connector.endings(of: name))
        }
        self.cache = cache
        // If the write fails, the servers are asked again next time.
        PrivateFile.replace(cache.bytes, at: path, uuid: environment.uuid())
    }

    /// Waits for the background refresh, for tests.
    func settle() async { _ = await refresh?.value }

    // MARK: - Asking

    private func kept(_ names: [ProviderName]) async -> [Listing] {
        var listings: [Listing] = []
        for name in names {
            if let listing = await notConnected(name) {
                listings.append(listing)
            } else if let kept = await cached(name, nil) {
                await connector.remember(kept.models, of: name)
                listings.append(kept)
            } else {
                listings.append(builtIn(name, nil))
            }
        }
        return listings
    }

    private func ask(_ names: [ProviderName]) async -> [Listing] {
        let found = await withTaskGroup(of: Listing.self) { group in
            for name in names { group.addTask { await self.ask(name) } }
            var found: [Listing] = []
            for await listing in group { found.append(listing) }
            return found
        }
        await keep(found.filter { $0.source == .live }.map { ($0.provider, $0.models) })
        return names.compactMap { name in found.first { $0.provider == name } }
    }

    private func ask(_ name: ProviderName) async -> Listing {
        if let listing = await notConnected(name) { return listing }
        let connector = connector
        let sleep = environment.sleep
        let result = await withTaskGroup(of: Result<[ModelInfo], any Error>?.self) { group in
            group.addTask {
                do { return .success(try await connector.models(of: name)) } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                // Cancelled when the list has arrived.
                try? await sleep(Self.limit)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        let host = await connector.host(of: name)
        switch result {
        case .success(let models): return Listing(provider: name, models: models, source: .live)
        case .failure(let error as ProviderError):
            return await fallback(name, Diagnostic(error).what)
        case .failure, nil:
            return await fallback(name, "\(host) has not listed its models in time.")
        }
    }

    private func fallback(_ name: ProviderName, _ problem: String) async -> Listing {
        await cached(name, problem) ?? builtIn(name, problem)
    }

    private func cached(_ name: ProviderName, _ problem: String?) async -> Listing? {
        await entry(of: name).map {
            Listing(
                provider: name, models: $0.models, source: .cache(age: max(0, now - $0.time)),
                problem: problem)
        }
    }

    /// The cached list for the current address.
    private func entry(of name: ProviderName) async -> ModelCache.Entry? {
        // An unusable address has no list.
        guard let address = try? await connector.endpoint(name).base.text else { return nil }
        return stored().entry(name, address: address)
    }

    private func builtIn(_ name: ProviderName, _ problem: String?) -> Listing {
        Listing(
            provider: name, models: ModelCatalog.known(for: name), source: .builtIn,
            problem: problem)
    }

    private func notConnected(_ name: ProviderName) async -> Listing? {
        guard case .missing(let what) = await connector.readiness(of: name) else { return nil }
        let choice = ProviderChoice(provider: name, model: nil, reason: .configuration)
        let error = SessionError.notUsable(choice: choice, missing: what, instead: nil)
        let sentence = error.diagnostic.what
        return Listing(
            provider: name, models: [], source: .builtIn, problem: sentence, isConnected: false)
    }

    private func stored() -> ModelCache {
        let known = cache ?? ModelCache(at: path)
        cache = known
        return known
    }

    private var now: Int { Int(environment.now().timeIntervalSince1970) }
}
