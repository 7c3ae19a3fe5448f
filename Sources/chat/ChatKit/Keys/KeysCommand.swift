import AgentCore
import Base

/// `chat keys set|check|list|approve|remove NAME`.
///
/// Decides what to ask, check, store and print. Reading the hidden line, asking the question and
/// contacting the server are dependencies.
package struct KeysCommand: Sendable {
    package static let noun = "keys"
    package struct Dependencies: Sendable {
        /// Reads a line at a hidden prompt, or from stdin if that is not a terminal; nil at
        /// end of input. The argument is the prompt.
        package var readSecret: @Sendable (String) async throws -> String?
        /// A question with No as the default; No without a terminal.
        package var confirm: @Sendable (String) async -> Bool
        package var check: @Sendable (ProviderName, KeyOrigin, Secret) async throws -> KeyVerdict
        /// The current origin of requests for that name; nil if its URL is unusable.
        package var origin: @Sendable (ProviderName) -> KeyOrigin?
        /// Providers that may have a key.
        package var providers: [ProviderName]
        /// Models whose retirement is reported.
        package var usedModels: [String] = []

        package init(
            readSecret: @escaping @Sendable (String) async throws -> String?,
            confirm: @escaping @Sendable (String) async -> Bool,
            check: @escaping @Sendable (ProviderName, KeyOrigin, Secret) async throws -> KeyVerdict,
            origin: @escaping @Sendable (ProviderName) -> KeyOrigin?,
            providers: [ProviderName] = ProviderName.named
        ) {
            self.readSecret = readSecret
            self.confirm = confirm
            self.check = check
            self.origin = origin
            self.providers = providers
        }
    }

    private let ring: KeyRing
    private let dependencies: Dependencies

    package init(ring: KeyRing, dependencies: Dependencies) {
        self.ring = ring
        self.dependencies = dependencies
    }

    package var command: Command {
        Command(
            name: Self.noun, summary: "keep, check and remove the keys of the providers",
            verbs: [
                Verb(
                    "list", "which keys there are and where each comes from",
                    [argument(isOptional: true)], json: "name source origin tail"
                ) { try await list(name(in: $0)) },
                Verb(
                    "set", "ask for a key (or read it from stdin), check it and keep it",
                    [argument()], options: [.init("--yes", "keep it even if it cannot be checked")]
                ) {
                    try await set(oneName(in: $0), isConfirmed: $0.isConfirmed)
                },
                Verb(
                    "check", "ask the servers again", [argument(isOptional: true)],
                    json: "name source origin tail verdict"
                ) { try await check(name(in: $0)) },
                Verb(
                    "approve", "let a provider of config.json have its key", [argument()],
                    options: [.init("--yes", "without a question")]
                ) {
                    try await approve(oneName(in: $0), isConfirmed: $0.isConfirmed)
                },
                Verb("remove", "forget a stored key", [argument()]) {
                    try await remove(oneName(in: $0))
                },
            ])
    }

    /// Arguments are checked here, not by the table: one may be a key.
    private func argument(isOptional: Bool = false) -> Verb.Argument {
        let names = dependencies.providers.map(\.rawValue)
        return .phrase(
            names.joined(separator: "|"), "the name of a key", .examples(names),
            isOptional: isOptional)
    }

    private func oneName(in arguments: CommandArguments) throws -> ProviderName {
        guard let name = try name(in: arguments) else {
            preconditionFailure("the table asks for a name")
        }
        return name
    }

    /// Arguments are quoted in errors only if they cannot be a key.
    private func name(in arguments: CommandArguments) throws -> ProviderName? {
        let names = dependencies.providers.map(\.rawValue)
        let hint = "chat \(arguments.name) \(names.joined(separator: "|"))"
        if arguments.plain.contains(where: KeyShape.isLikely) {
            throw UsageError(
                "A key is never an argument: other programs can see it, and the shell's history "
                    + "may keep it. Consider that key public and make a new one.",
                hint: "chat keys set \(ProviderName.words) asks for it")
        }
        guard let word = arguments.plain.first else { return nil }
        guard arguments.plain.count == 1 else {
            throw UsageError(
                "One name is enough; a key is asked for, never given as an argument.", hint: hint)
        }
        guard let name = dependencies.providers.first(where: { $0.rawValue == word }) else {
            throw UsageError(
                "There is no provider of that name.",
                hint: NearestWord.find(word, among: names).map { "Did you mean \($0)?" } ?? hint)
        }
        return name
    }

    private func set(_ name: ProviderName, isConfirmed: Bool) async throws -> CommandOutput {
        guard let origin = dependencies.origin(name) else {
            return CommandOutput(
                notices: ["The base URL for \(name.facts.title) is not usable: see chat config."],
                outcome: .failure)
        }
        guard
            let text = try await dependencies.readSecret(
                "Key for \(name.facts.title) (\(origin)): ")
        else {
            return CommandOutput(
                notices: [KeyText.Problem.empty.sentence], outcome: .failure)
        }
        let secret: Secret
        do { secret = Secret(try KeyText.clean(text)) } catch {
            return CommandOutput(notices: [error.sentence], outcome: .failure)
        }

        let outcome = try await dependencies.check(name, origin, secret)
        var notices: [String] = []
        var lines: [StyledLine] = []
        switch outcome.saving {
        case .save: lines.append(StyledLine(outcome.sentence(origin), .success))
        case .saveWithWarning: notices.append(outcome.sentence(origin))
        case .refuse:
            return CommandOutput(
                notices: [outcome.sentence(origin), "It was not saved."],
                outcome: .needsKeyOrNetwork)
        case .onlyIfTheUserSaysSo:
            notices.append(outcome.sentence(origin))
            var maySave = isConfirmed
            if !maySave {
                maySave = await dependencies.confirm(
                    "\(outcome.sentence(origin)) Save it unchecked?")
            }
            guard maySave else {
                notices.append("It was not saved. With --yes it is saved unchecked.")
                return CommandOutput(notices: notices, outcome: .needsKeyOrNetwork)
            }
        }
        return try await save(
            StoredKey(name: name, origin: origin, secret: secret), of: name, lines: lines,
            notices: notices)
    }

    private func save(
        _ key: StoredKey, of name: ProviderName, lines: [StyledLine], notices: [String]
    ) async throws -> CommandOutput {
        var notices = notices
        let place: KeySource
        do {
            let (source, fellBack) = try await ring.store(key)
            place = source
            if let fellBack {
                let reason = fellBack.sentence ?? "No Secret Service is in use here."
                notices.append(
                    "\(reason) The key is in a file that only you can read, as readable text.")
            }
        } catch let error as KeyFileError {
            return CommandOutput(
                notices: notices + [error.sentence, "The key was not saved."], outcome: .failure)
        }
        let line = StyledLine(
            "Saved \(key.name.rawValue) \(key.secret.tail) for \(key.origin): "
                + "\(place.description)", .success)
        // A key from a place of higher precedence hides the saved one: report it now.
        let lookup = try await ring.lookup(name, origin: key.origin)
        if let source = lookup.source, source != place {
            notices.append("The key in use is another one, from the \(source.description).")
        }
        return CommandOutput(lines: lines + [line], notices: notices)
    }

    private func check(_ name: ProviderName?) async throws -> CommandOutput {
        let (all, failures) = try await ring.list()
        let entries = all.filter { name == nil || $0.name == name }
        var output = CommandOutput(notices: failures.compactMap(\.sentence))
        if entries.isEmpty {
            output.notices.append(Self.noKeys(name))
            output.json = .array([])
            output.outcome = .needsKeyOrNetwork
            return output
        }
        var values: [JSONValue] = []
        for entry in entries {
            let outcome = try await dependencies.check(entry.name, entry.origin, entry.secret)
            let style: StyledLine.Style =
                switch outcome.saving {
                case .save: .success
                case .saveWithWarning, .onlyIfTheUserSaysSo: .warning
                case .refuse: .failure
                }
            output.lines.append(
                StyledLine(
                    "\(entry.name.rawValue) \(entry.secret.tail), \(entry.source.description): "
                        + outcome.sentence(entry.origin), style))
            output.lines += outcome.endings(dependencies.usedModels).map {
                StyledLine("  \($0)", .warning)
            }
            switch outcome {
            case .rejected, .wrongBaseURL, .couldNotCheck, .otherOrigin:
                output.outcome = .needsKeyOrNetwork
            case .valid, .validCannotList, .restricted, .noMoney, .rateLimited: break
            }
            var value = Self.json(entry)
            value["verdict"] = .string(outcome.word)
            values.append(.object(value))
        }
        output.json = .array(values)
        return output
    }

    private func list(_ name: ProviderName?) async throws -> CommandOutput {
        let (all, failures) = try await ring.list()
        let entries = all.filter { name == nil || $0.name == name }
        var notices = failures.compactMap(\.sentence)
        if entries.isEmpty { notices.append(Self.noKeys(name)) }
        let lines = StyledLine.table(
            entries.map {
                [
                    .init($0.name.rawValue), .init($0.secret.tail), .init($0.origin.description),
                    .init($0.source.description),
                ]
            }, columns: 3)
        return CommandOutput(
            lines: lines, json: .array(entries.map { .object(Self.json($0)) }), notices: notices)
    }

    private func approve(_ name: ProviderName, isConfirmed: Bool) async throws -> CommandOutput {
        guard let access = await ring.access(of: name) else {
            return CommandOutput(
                notices: ["\(name.facts.displayName) gets nothing that needs your approval."])
        }
        if !isConfirmed, !(await dependencies.confirm(access.question)) {
            return CommandOutput(
                notices: [access.question, "Not approved. With --yes it is, without a question."],
                outcome: .refused)
        }
        do { try await ring.approve(access) } catch let error as KeyFileError {
            return CommandOutput(notices: [error.sentence], outcome: .failure)
        }
        return CommandOutput(lines: [
            StyledLine("Approved \(name.rawValue), for \(access.origin)", .success)
        ])
    }

    private func remove(_ name: ProviderName) async throws -> CommandOutput {
        let (places, failures) = try await ring.remove(name)
        var output = CommandOutput(notices: failures.compactMap(\.sentence))
        output.lines = places.map {
            StyledLine("Removed \(name.rawValue) from: \($0.description)", .success)
        }
        if places.isEmpty {
            output.notices.append("There is no stored key for \(name.facts.title).")
            output.outcome = .failure
        } else if !failures.isEmpty {
            output.outcome = .degraded
        }
        for entry in try await ring.list().entries where entry.name == name {
            output.notices.append(
                "A key for \(name.facts.title) remains: \(entry.source.description). chat cannot remove it."
            )
        }
        return output
    }

    private static func noKeys(_ name: ProviderName?) -> String {
        "No key\(name.map { " for \($0.facts.title)" } ?? "")."
            + " Next: chat keys set \(name?.rawValue ?? ProviderName.words)"
    }

    private static func json(_ entry: KeyEntry) -> JSONObject {
        JSONObject([
            JSONObject.Member("name", .string(entry.name.rawValue)),
            JSONObject.Member("source", .string(entry.source.description)),
            JSONObject.Member("origin", .string(entry.origin.description)),
            JSONObject.Member("tail", .string(String(entry.secret.tail.dropFirst()))),
        ])
    }
}
