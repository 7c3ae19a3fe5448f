import AgentCore
import Base
import Glibc

/// The desktop's key store, through `secret-tool` (libsecret).
///
/// Reading uses `search` without `--unlock`, which never asks the user anything (`lookup`
/// would raise a dialogue for a locked collection). Without a session bus it is not used at
/// all, so that no bus is started for it.
package struct SecretService: Sendable {
    package enum Failure: Error, Sendable, Equatable {
        /// No session bus, or no `secret-tool`.
        case absent
        case locked
        /// The program cannot find out without a dialogue whether it is locked.
        case lockUnknown
        case timedOut
        case failed

        /// The failure in one line; nil if no keys are expected.
        package var sentence: String? {
            switch self {
            case .absent: nil
            case .locked: "The Secret Service is locked."
            case .lockUnknown:
                "Cannot tell whether the Secret Service is unlocked: dbus-send and busctl are missing."
            case .timedOut: "The Secret Service did not answer within 3 seconds."
            case .failed: "The Secret Service could not be used."
            }
        }
    }

    private let program: String?
    private let environment: [String: String]
    private let limits: Subprocess.Limits
    /// Whether storing may raise a dialogue: only with a user at a terminal.
    private let mayPrompt: Bool

    package init(
        variables: [String: String], mayPrompt: Bool,
        limits: Subprocess.Limits = .init(time: .seconds(3), grace: .milliseconds(200))
    ) {
        var environment = Subprocess.baseEnvironment(from: variables)
        var hasBus = !(variables["DBUS_SESSION_BUS_ADDRESS"] ?? "").isEmpty
        if !hasBus, let folder = variables["XDG_RUNTIME_DIR"], folder.hasPrefix("/"),
            access("\(folder)/bus", F_OK) == 0
        {
            environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(folder)/bus"
            hasBus = true
        }
        // `try?`: the reason why it cannot be run makes no difference.
        program = hasBus ? try? Subprocess.find("secret-tool", in: variables) : nil
        self.environment = environment
        self.limits = limits
        self.mayPrompt = mayPrompt
    }

    /// All keys that `chat` has stored.
    /// - Throws: `Failure`, `CancellationError`.
    func keys() async throws -> [StoredKey] {
        let result = try await run(["search", "--all", "application", "chat"])
        // Some versions exit with 1, silently, if nothing matches.
        let isEmpty = result.output.isEmpty && result.errorOutput.isEmpty
        if !(result.status == .exited(1) && isEmpty) { try Self.check(result) }
        return try Self.parse(
            String(decoding: result.output, as: UTF8.self),
            String(decoding: result.errorOutput, as: UTF8.self))
    }

    /// - Throws: `Failure`, `CancellationError`.
    func store(_ key: StoredKey) async throws {
        if !mayPrompt { try await requireUnlocked() }
        let result = try await run(
            [
                "store", "--label=chat: \(key.name.rawValue) key", "application", "chat", "key",
                key.name.rawValue, "origin", key.origin.description,
            ], input: .bytes(Array(key.secret.text.utf8)))
        try Self.check(result)
    }

    /// - Throws: `Failure`, `CancellationError`.
    func clear(_ name: KeyName) async throws {
        let result = try await run(["clear", "application", "chat", "key", name.rawValue])
        try Self.check(result)
    }

    /// Checks that the collection is unlocked: `store` raises a dialogue for a locked one,
    /// and `secret-tool` cannot tell beforehand; the property of the collection can (Secret
    /// Service API, org.freedesktop.Secret.Collection).
    /// - Throws: `Failure`, `CancellationError`.
    private func requireUnlocked() async throws {
        guard program != nil else { throw Failure.absent }
        let name = "org.freedesktop.secrets"
        let path = "/org/freedesktop/secrets/aliases/default"
        let interface = "org.freedesktop.Secret.Collection"
        let ways = [
            (
                "dbus-send",
                [
                    "--session", "--print-reply=literal", "--dest=\(name)", path,
                    "org.freedesktop.DBus.Properties.Get", "string:\(interface)", "string:Locked",
                ]
            ), ("busctl", ["--user", "get-property", name, path, interface, "Locked"]),
        ]
        var isAsked = false
        for (tool, arguments) in ways {
            // `try?`: if it is missing, try the next one.
            guard let tool = try? Subprocess.find(tool, in: environment) else { continue }
            let result = try await run(arguments, program: tool)
            isAsked = true
            // `variant boolean false` and `b false`.
            switch String(decoding: result.output, as: UTF8.self).split(
                whereSeparator: \.isWhitespace
            ).last {
            case "false" where result.isSuccess: return
            case "true" where result.isSuccess: throw Failure.locked
            default: continue
            }
        }
        throw isAsked ? Failure.failed : Failure.lockUnknown
    }

    private func run(
        _ arguments: [String], program: String? = nil, input: Subprocess.Input = .none
    ) async throws -> Subprocess.Result {
        guard let program = program ?? self.program else { throw Failure.absent }
        do {
            return try await Subprocess(
                program: program, arguments: arguments, environment: environment, input: input,
                limits: limits
            ).run()
        } catch let error as SubprocessError {
            throw error.reason == .timedOut ? Failure.timedOut : Failure.failed
        }
    }

    private static func check(_ result: Subprocess.Result) throws(Failure) {
        if result.isSuccess { return }
        let message = String(decoding: result.errorOutput, as: UTF8.self).lowercased()
        throw message.contains("locked") ? .locked : .failed
    }

    /// Parses the output of `search`: per item a line `[path]`, then `secret = …` on stdout
    /// and `attribute.NAME = …` on stderr (on stdout in some versions), items in the same
    /// order on both.
    private static func parse(_ output: String, _ errorOutput: String) throws -> [StoredKey] {
        var secrets: [String] = []
        var own: [[String: String]] = []
        for line in output.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") {
                secrets.append("")
                own.append([:])
            } else if let value = value(of: "secret", in: line), !secrets.isEmpty {
                secrets[secrets.count - 1] = value
            } else if let (name, value) = attribute(line), !own.isEmpty {
                own[own.count - 1][name] = value
            }
        }
        var others: [[String: String]] = []
        for line in errorOutput.split(whereSeparator: \.isNewline) {
            guard let (name, value) = attribute(line) else { continue }
            // A repeated name belongs to the next item.
            if others.last?[name] != nil || others.isEmpty { others.append([:]) }
            others[others.count - 1][name] = value
        }
        if own.allSatisfy(\.isEmpty) { own = others }
        // If the sides do not match, one item's key might go to another's origin: then use
        // none.
        guard own.count == secrets.count else { throw Failure.failed }
        var keys: [StoredKey] = []
        var isLocked = false
        for (text, attributes) in zip(secrets, own) {
            guard attributes["application"] == "chat",
                let name = KeyName(rawValue: attributes["key"] ?? ""),
                let origin = KeyOrigin(attributes["origin"] ?? "")
            else { continue }
            if text.isEmpty {
                isLocked = true
                // The secret of a locked item is missing; an unusable one is reported as a failure.
            } else if let key = try? KeyText.clean(text) {
                keys.append(StoredKey(name: name, origin: origin, secret: Secret(key)))
            } else {
                throw Failure.failed
            }
        }
        if keys.isEmpty, isLocked { throw Failure.locked }
        return keys
    }

    private static func attribute(_ line: Substring) -> (String, String)? {
        guard line.hasPrefix("attribute."), let range = line.firstRange(of: " = ") else {
            return nil
        }
        return (
            String(line[..<range.lowerBound].dropFirst("attribute.".count)),
            String(line[range.upperBound...])
        )
    }

    private static func value(of name: String, in line: Substring) -> String? {
        line.hasPrefix("\(name) = ") ? String(line.dropFirst(name.count + 3)) : nil
    }
}

extension SecretService.Failure: DescribedError {
    package var diagnostic: Diagnostic {
        Diagnostic(
            sentence ?? "The Secret Service is not in use here.", exit: .needsKeyOrNetwork)
    }
}
