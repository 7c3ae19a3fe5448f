import AgentCore
import Base

/// The source of a key, for display; contains no key.
package enum KeySource: Sendable, Equatable {
    case environment(variable: String)
    case command(program: String)
    case secretService
    case file(path: String)

    package var description: String {
        switch self {
        case .environment(let variable): "environment (\(variable))"
        case .command(let program): "key_command (\(program))"
        case .secretService: "Secret Service"
        case .file(let path): "file \(path)"
        }
    }
}

/// The reason why a place gave no key.
enum KeyLookupFailure: Error, Sendable, Equatable {
    /// There is a key, but it may only be sent to that origin.
    case boundElsewhere(KeyOrigin, KeySource)
    /// A variable or a store contains something that is not a key.
    case unusable(KeySource, KeyText.Problem)
    case command(KeyCommand.Failure)
    case secretService(SecretService.Failure)
    case file(KeyFileError)
    /// The user has not approved the data this provider would get.
    case notApproved(ProviderName)
    /// A variable named in the configuration is not set.
    case missingVariable(String)
}

/// The result of looking up the key for an origin.
struct KeyLookup: Sendable, Equatable {
    var key: Secret?
    var source: KeySource?
    /// The failures in order of precedence; kept even if a later place has a key.
    var failures: [KeyLookupFailure]
}

/// One key in `chat keys list`.
struct KeyEntry: Sendable, Equatable {
    var name: ProviderName
    var source: KeySource
    var origin: KeyOrigin
    var secret: Secret
}

/// The program's keys: the environment precedes `key_command`, which precedes the Secret
/// Service, which precedes the file.
///
/// A key is given out only for its own origin. Nothing is read or run before a key is
/// needed, and keys from the Secret Service or a command are cached while the program runs.
package actor KeyRing: QueuedActor {
    private let variables: [String: String]
    private let commands: [ProviderName: KeyCommand]
    private let service: SecretService
    private let file: KeyFile
    /// Data that configured providers may be given.
    private let own: [ProviderName: ProviderAccess]
    private let pins: ProviderPins?
    /// The key file blocks, so it is read off the cooperative pool.
    package nonisolated let executor = QueueExecutor(label: "keys")

    private var commandKeys: [ProviderName: Secret] = [:]
    private var serviceKeys: Result<[StoredKey], SecretService.Failure>?

    package init(
        variables: [String: String], commands: [ProviderName: KeyCommand], service: SecretService,
        file: KeyFile, own: [ProviderAccess] = [], pins: ProviderPins? = nil
    ) {
        self.variables = variables
        self.commands = commands
        self.service = service
        self.file = file
        self.own = Dictionary(own.map { ($0.name, $0) }) { first, _ in first }
        self.pins = pins
    }

    private var names: [ProviderName] {
        ProviderName.builtIn + own.keys.sorted { $0.rawValue < $1.rawValue }
    }

    /// - Throws: `CancellationError` only.
    func lookup(_ name: ProviderName, origin: KeyOrigin) async throws -> KeyLookup {
        var failures: [KeyLookupFailure] = []
        for place in Source.allCases {
            let (entries, failure) = try await keys(name, in: place, for: origin)
            if let entry = entries.first(where: { $0.origin == origin }) {
                return KeyLookup(key: entry.secret, source: entry.source, failures: failures)
            }
            failures += entries.map { .boundElsewhere($0.origin, $0.source) }
            if let failure, !failures.contains(failure) { failures.append(failure) }
        }
        return KeyLookup(key: nil, source: nil, failures: failures)
    }

    /// The places in order of precedence.
    private enum Source: CaseIterable { case environment, command, service, file }

    /// The keys of that name in one place.
    ///
    /// - Parameter origin: a command is not run if its key may not be sent there.
    private func keys(
        _ name: ProviderName, in place: Source, for origin: KeyOrigin? = nil
    ) async throws -> (entries: [KeyEntry], failure: KeyLookupFailure?) {
        switch place {
        case .environment, .command:
            if !isApproved(name) { return ([], .notApproved(name)) }
        case .service, .file: break
        }
        do {
            switch place {
            case .environment:
                let (entry, failure) = environmentKey(name)
                return (entry.map { [$0] } ?? [], failure)
            case .command:
                guard let command = commands[name] else { return ([], nil) }
                let source = KeySource.command(program: command.words[0])  // never empty
                if let origin, command.origin != origin {
                    return ([], .boundElsewhere(command.origin, source))
                }
                let key = try await commandKey(name, command)
                return (
                    [KeyEntry(name: name, source: source, origin: command.origin, secret: key)], nil
                )
            case .service:
                let keys = try await keysInService().filter { $0.name == .provider(name) }
                return (keys.map { KeyEntry(name, $0, .secretService) }, nil)
            case .file:
                let keys = try file.read().filter { $0.name == .provider(name) }
                return (keys.map { KeyEntry(name, $0, .file(path: file.path)) }, nil)
            }
        } catch let failure as KeyCommand.Failure {
            return ([], .command(failure))
        } catch let failure as SecretService.Failure {
            return ([], failure == .absent ? nil : .secretService(failure))
        } catch let error as KeyFileError {
            return ([], .file(error))
        }
    }

    /// The names with a key in the environment, a command or the file, as far as known
    /// without starting a program. For choosing a provider at launch.
    func cheaplyKnown() -> Set<ProviderName> {
        // `try?`: an untrusted file counts as having no keys here; the lookup that follows reports
        // why.
        let kept = Set(((try? file.read()) ?? []).map(\.name))
        return Set(
            names.filter { name in
                kept.contains(.provider(name))
                    || isApproved(name)
                        && (commands[name] != nil || environmentKey(name).entry != nil)
            })
    }

    /// The reason why the key file is not used, as a sentence; nil if it is used or
    /// missing.
    package func fileProblem() -> String? {
        do throws(KeyFileError) {
            _ = try file.read()
            return nil
        } catch {
            return error.sentence
        }
    }

    /// Stores a key for one origin, in the Secret Service if that works, else in the file.
    /// A key stored for the same name and origin is replaced.
    /// - Returns: its place, and the Secret Service's failure (nil if it is there).
    /// - Throws: `KeyFileError`, `CancellationError`.
    package func store(_ key: StoredKey) async throws -> (
        source: KeySource, fellBack: SecretService.Failure?
    ) {
        do {
            try await service.store(key)
            serviceKeys = nil
            // A copy in the less secure place would outlive this one unseen.
            if try file.read().contains(where: { key.replaces($0) }) {
                try file.update { keys in keys.filter { !key.replaces($0) } }
            }
            return (.secretService, nil)
        } catch let failure as SecretService.Failure {
            try file.update { keys in keys.filter { !key.replaces($0) } + [key] }
            return (.file(path: file.path), failure)
        }
    }

    /// Removes every stored key of that name.
    /// - Returns: the places where one was removed, and those that could not be searched.
    /// - Throws: `CancellationError`.
    func remove(
        _ name: ProviderName
    ) async throws -> (from: [KeySource], failures: [KeyLookupFailure]) {
        var places: [KeySource] = []
        var failures: [KeyLookupFailure] = []
        serviceKeys = nil
        for place in [Source.service, .file] {
            let (entries, failure) = try await keys(name, in: place)
            if let failure { failures.append(failure) }
            guard let source = entries.first?.source else { continue }
            do {
                if place == .service {
                    try await service.clear(.provider(name))
                } else {
                    try file.update { keys in keys.filter { $0.name != .provider(name) } }
                }
                places.append(source)
            } catch let failure as SecretService.Failure {
                failures.append(.secretService(failure))
            } catch let error as KeyFileError {
                failures.append(.file(error))
            }
        }
        serviceKeys = nil
        return (places, failures)
    }

    /// All keys, in order of precedence within a name. Runs the commands.
    /// - Throws: `CancellationError`.
    func list() async throws -> (entries: [KeyEntry], failures: [KeyLookupFailure]) {
        var entries: [KeyEntry] = []
        var failures: [KeyLookupFailure] = []
        for name in names {
            for place in Source.allCases {
                let (found, failure) = try await keys(name, in: place)
                entries += found
                // An unreadable place is the same for all names.
                if let failure, !failures.contains(failure) { failures.append(failure) }
            }
        }
        return (entries, failures)
    }

    // MARK: - Providers of the configuration

    /// The access of a configured provider that needs the user's approval; nil if it needs none.
    package func access(of name: ProviderName) -> ProviderAccess? {
        own[name].flatMap { $0.needsApproval ? $0 : nil }
    }

    package func isApproved(_ name: ProviderName) -> Bool {
        access(of: name).map { pins?.holds($0) ?? false } ?? true
    }

    /// - Throws: `KeyFileError` if the approval cannot be stored.
    package func approve(_ access: ProviderAccess) throws { try pins?.add(access) }

    /// The configured request headers.
    /// - Throws: `KeyLookupFailure` if a variable is missing or not allowed to be read.
    func headers(of name: ProviderName) throws -> [HTTPHeader] {
        guard let own = own[name] else { return [] }
        guard isApproved(name) else { throw KeyLookupFailure.notApproved(name) }
        return try own.headers.sorted { $0.key < $1.key }.map {
            HTTPHeader($0.key, try own.header($0.value, variables))
        }
    }

    // MARK: - Tokens of tool servers

    /// The token of a server, only for its own origin.
    /// - Throws: `KeyFileError`, `CancellationError`.
    package func token(of server: String, origin: KeyOrigin) async throws -> Secret? {
        func own(_ key: StoredKey) -> Bool { key.name == .server(server) && key.origin == origin }
        // An unusable Secret Service has no token; the file may.
        if let key = (try? await keysInService())?.first(where: own) { return key.secret }
        return try file.read().first(where: own)?.secret
    }

    /// - Returns: whether there was one.
    /// - Throws: `KeyFileError`, `CancellationError`.
    package func removeToken(of server: String) async throws -> Bool {
        let name = KeyName.server(server)
        serviceKeys = nil
        // An unusable Secret Service has no token; the file may.
        let kept = (try? await keysInService())?.contains { $0.name == name } ?? false
        if kept {
            try await service.clear(name)
            serviceKeys = nil
        }
        guard try file.read().contains(where: { $0.name == name }) else { return kept }
        try file.update { keys in keys.filter { $0.name != name } }
        return true
    }

    private func commandKey(_ name: ProviderName, _ command: KeyCommand) async throws -> Secret {
        if let key = commandKeys[name] { return key }
        let key = try await command.key(variables: variables)
        commandKeys[name] = key
        return key
    }

    private func keysInService() async throws -> [StoredKey] {
        if let known = serviceKeys { return try known.get() }
        do {
            let keys = try await service.keys()
            serviceKeys = .success(keys)
            return keys
        } catch let failure as SecretService.Failure {
            // A slow service is not asked again: that would cost 3 s per message.
            serviceKeys = .failure(failure)
            throw failure
        }
    }

    /// The environment's key belongs to the environment's base URL, or to the vendor
    /// without one.
    private func environmentKey(
        _ name: ProviderName
    ) -> (entry: KeyEntry?, failure: KeyLookupFailure?) {
        guard let variable = own[name]?.variable ?? name.facts.variables?.key,
            let text = variables[variable], !text.isEmpty
        else { return (nil, nil) }
        let source = KeySource.environment(variable: variable)
        let baseURL = name.facts.variables.flatMap { variables[$0.baseURL] } ?? ""
        // With an unreadable base URL the key must not go to the vendor.
        guard
            let origin = own[name]?.origin
                ?? (baseURL.isEmpty ? name.vendorOrigin : KeyOrigin(baseURL))
        else { return (nil, nil) }
        do {
            let secret = Secret(try KeyText.clean(text))
            return (KeyEntry(name: name, source: source, origin: origin, secret: secret), nil)
        } catch {
            return (nil, .unusable(source, error))
        }
    }
}

extension KeyEntry {
    init(_ name: ProviderName, _ key: StoredKey, _ source: KeySource) {
        self.init(name: name, source: source, origin: key.origin, secret: key.secret)
    }
}

extension StoredKey {
    fileprivate func replaces(_ other: StoredKey) -> Bool {
        name == other.name && origin == other.origin
    }
}

extension KeyLookupFailure: DescribedError {
    var diagnostic: Diagnostic {
        Diagnostic(
            sentence ?? "No Secret Service is in use here.", exit: .needsKeyOrNetwork,
            namesCommands: true)
    }

    /// One line for the user.
    var sentence: String? {
        switch self {
        case .boundElsewhere(let origin, let source):
            "A key is in the \(source.description), but it belongs to \(origin)."
        case .unusable(let source, let problem):
            "The key in the \(source.description) cannot be used. \(problem.sentence)"
        case .command(let failure): failure.sentence
        case .secretService(let failure): failure.sentence
        case .file(let error): error.sentence
        case .notApproved(let name):
            "Nothing is read for \(name.rawValue) before you approve it: "
                + "chat keys approve \(name.rawValue)"
        case .missingVariable(let variable): "The variable \(variable) is not set."
        }
    }
}
