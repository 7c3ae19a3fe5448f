import AgentCore

/// Where a key comes from. Shown; holds no key.
enum KeySource: Sendable, Equatable {
    case environment(variable: String)
    case command(program: String)
    case secretService
    case file(path: String)

    var description: String {
        switch self {
        case .environment(let variable): "environment (\(variable))"
        case .command(let program): "key_command (\(program))"
        case .secretService: "Secret Service"
        case .file(let path): "file \(path)"
        }
    }
}

/// What stood in the way of a key, or of a better place for one.
enum KeyTrouble: Sendable, Equatable {
    /// There is a key, but it may only go to that origin.
    case boundElsewhere(KeyOrigin, KeySource)
    /// A variable or a store holds something that is no key.
    case unusable(KeySource, KeyText.Problem)
    case command(KeyCommand.Failure)
    case secretService(SecretService.Failure)
    case file(KeyFileError)
}

/// The answer to "which key for this origin?".
struct KeyLookup: Sendable, Equatable {
    var key: Secret?
    var source: KeySource?
    /// In order of precedence; also where a key was found further down.
    var troubles: [KeyTrouble]
}

/// One key as `chat keys list` shows it.
struct KeyEntry: Sendable, Equatable {
    var name: KeyName
    var source: KeySource
    var origin: KeyOrigin
    var secret: Secret
}

/// The program's keys: environment before `key_command` before the Secret
/// Service before the file.
///
/// A key is given out only for the origin it belongs to. Nothing is read or
/// run before a key is asked for, and what was found in the Secret Service or
/// by a command is remembered while the program runs.
actor KeyRing {
    private let variables: [String: String]
    private let commands: [KeyName: KeyCommand]
    private let service: SecretService
    private let file: KeyFile
    private let executor = QueueExecutor(label: "keys")

    private var commandKeys: [KeyName: Secret] = [:]
    private var serviceKeys: Result<[StoredKey], SecretService.Failure>?

    init(
        variables: [String: String], commands: [KeyName: KeyCommand], service: SecretService,
        file: KeyFile
    ) {
        self.variables = variables
        self.commands = commands
        self.service = service
        self.file = file
    }

    /// The key file blocks, so it is read off the cooperative pool.
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// - Throws: `CancellationError` only.
    func lookup(_ name: KeyName, origin: KeyOrigin) async throws -> KeyLookup {
        var troubles: [KeyTrouble] = []

        switch Self.environmentKey(name, in: variables) {
        case .some(.success(let key)) where key.origin == origin:
            return KeyLookup(key: key.secret, source: key.source, troubles: troubles)
        case .some(.success(let key)):
            troubles.append(.boundElsewhere(key.origin, key.source))
        case .some(.failure(let trouble)): troubles.append(trouble)
        case .none: break
        }

        if let command = commands[name] {
            let source = KeySource.command(program: command.words[0])  // never empty
            if command.origin != origin {
                // Not run: its key could not be used.
                troubles.append(.boundElsewhere(command.origin, source))
            } else {
                do {
                    let key = try await commandKey(name, command)
                    return KeyLookup(key: key, source: source, troubles: troubles)
                } catch let failure as KeyCommand.Failure {
                    troubles.append(.command(failure))
                }
            }
        }

        do {
            let keys = try await keysInService().filter { $0.name == name }
            if let key = keys.first(where: { $0.origin == origin }) {
                return KeyLookup(key: key.secret, source: .secretService, troubles: troubles)
            }
            troubles += keys.map { .boundElsewhere($0.origin, .secretService) }
        } catch let failure as SecretService.Failure {
            if failure != .absent { troubles.append(.secretService(failure)) }
        }

        let source = KeySource.file(path: file.path)
        do {
            let keys = try file.read().filter { $0.name == name }
            if let key = keys.first(where: { $0.origin == origin }) {
                return KeyLookup(key: key.secret, source: source, troubles: troubles)
            }
            troubles += keys.map { .boundElsewhere($0.origin, source) }
        } catch {
            troubles.append(.file(error))
        }
        return KeyLookup(key: nil, source: nil, troubles: troubles)
    }

    /// Which names have a key in the environment, a command or the file, as
    /// far as that is known without starting a program. For the choice of a
    /// provider at start.
    func cheaplyKnown() -> Set<KeyName> {
        // `try?`: a file that must not be trusted has no keys for this purpose;
        // the lookup that follows says why.
        var names = Set(((try? file.read()) ?? []).map(\.name)).union(commands.keys)
        for name in KeyName.allCases {
            if case .success = Self.environmentKey(name, in: variables) { names.insert(name) }
        }
        return names
    }

    /// Keeps a key for one origin, in the Secret Service if that works, else in
    /// the file. A key that was kept for the same name and origin is replaced.
    /// - Returns: where it is now, and why not in the Secret Service (nil where
    ///   it is there).
    /// - Throws: `KeyFileError`, `CancellationError`.
    func store(_ key: StoredKey) async throws -> (
        source: KeySource, fellBack: SecretService.Failure?
    ) {
        do {
            try await service.store(key)
            serviceKeys = nil
            // A copy in the weaker place would outlive this one unseen.
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
    /// - Returns: where there were some, and what could not be searched.
    /// - Throws: `CancellationError`.
    func remove(_ name: KeyName) async throws -> (from: [KeySource], troubles: [KeyTrouble]) {
        var places: [KeySource] = []
        var troubles: [KeyTrouble] = []
        serviceKeys = nil
        do {
            if try await keysInService().contains(where: { $0.name == name }) {
                try await service.clear(name)
                places.append(.secretService)
            }
        } catch let failure as SecretService.Failure {
            if failure != .absent { troubles.append(.secretService(failure)) }
        }
        serviceKeys = nil
        do {
            if try file.read().contains(where: { $0.name == name }) {
                try file.update { keys in keys.filter { $0.name != name } }
                places.append(.file(path: file.path))
            }
        } catch {
            troubles.append(.file(error))
        }
        return (places, troubles)
    }

    /// Every key there is, strongest first within a name. Runs the commands.
    /// - Throws: `CancellationError`.
    func list() async throws -> (entries: [KeyEntry], troubles: [KeyTrouble]) {
        var entries: [KeyEntry] = []
        var troubles: [KeyTrouble] = []
        var stored: [KeyEntry] = []
        do {
            stored += try await keysInService().map { KeyEntry($0, .secretService) }
        } catch let failure as SecretService.Failure {
            if failure != .absent { troubles.append(.secretService(failure)) }
        }
        do {
            let source = KeySource.file(path: file.path)
            stored += try file.read().map { KeyEntry($0, source) }
        } catch {
            troubles.append(.file(error))
        }
        for name in KeyName.allCases {
            switch Self.environmentKey(name, in: variables) {
            case .some(.success(let key)): entries.append(key)
            case .some(.failure(let trouble)): troubles.append(trouble)
            case .none: break
            }
            if let command = commands[name] {
                do {
                    let key = try await commandKey(name, command)
                    let stored = StoredKey(name: name, origin: command.origin, secret: key)
                    // `words` is never empty.
                    entries.append(KeyEntry(stored, .command(program: command.words[0])))
                } catch let failure as KeyCommand.Failure {
                    troubles.append(.command(failure))
                }
            }
            entries += stored.filter { $0.name == name }
        }
        return (entries, troubles)
    }

    private func commandKey(_ name: KeyName, _ command: KeyCommand) async throws -> Secret {
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
            // A slow service is not asked again: that would be 3 s per message.
            serviceKeys = .failure(failure)
            throw failure
        }
    }
}

extension KeyRing {
    private enum Found {
        case success(KeyEntry)
        case failure(KeyTrouble)
    }

    /// The key of the environment belongs to the base URL of the environment,
    /// or to the vendor where that says nothing.
    private static func environmentKey(
        _ name: KeyName, in variables: [String: String]
    ) -> Found? {
        let names = name.variables
        guard let text = variables[names.key], !text.isEmpty else { return nil }
        let source = KeySource.environment(variable: names.key)
        let baseURL = variables[names.baseURL] ?? ""
        // A base URL that cannot be read must not send the key to the vendor.
        guard let origin = baseURL.isEmpty ? name.vendorOrigin : KeyOrigin(baseURL) else {
            return nil
        }
        do {
            let secret = try KeyText.clean(text)
            return .success(KeyEntry(name: name, source: source, origin: origin, secret: secret))
        } catch {
            return .failure(.unusable(source, error))
        }
    }
}

extension KeyEntry {
    init(_ key: StoredKey, _ source: KeySource) {
        self.init(name: key.name, source: source, origin: key.origin, secret: key.secret)
    }
}

extension StoredKey {
    fileprivate func replaces(_ other: StoredKey) -> Bool {
        name == other.name && origin == other.origin
    }
}

extension KeyTrouble {
    /// One line for the person.
    var sentence: String? {
        switch self {
        case .boundElsewhere(let origin, let source):
            "A key is in the \(source.description), but it belongs to \(origin)."
        case .unusable(let source, let problem):
            "The key in the \(source.description) cannot be used. \(problem.sentence)"
        case .command(let failure): failure.sentence
        case .secretService(let failure): failure.sentence
        case .file(let error): error.sentence
        }
    }
}
