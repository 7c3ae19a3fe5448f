import AgentCore
import Base
import Outside
import TerminalKit

/// What a provider of the configuration is given of the user's: the key that a variable holds or
/// a command prints, and variables in headers. It goes to one origin, after the user has agreed
/// to exactly that.
package struct ProviderAccess: Sendable, Equatable {
    package let name: ProviderName
    let origin: KeyOrigin
    var variable: String?
    var command: [String]?
    var headers: [String: String] = [:]

    /// Anything of the user's is read for it.
    package var needsApproval: Bool {
        variable != nil || command != nil || headers.values.contains { $0.contains("${") }
    }

    /// The variables that are read for it.
    package var variables: [String] {
        (variable.map { [$0] } ?? []) + headers.values.flatMap(Self.variables)
    }

    private static func variables(in value: String) -> [String] {
        value.split(separator: "$", omittingEmptySubsequences: false).dropFirst()
            .filter { $0.first == "{" }
            .map { String($0.dropFirst().prefix { $0 != "}" && $0 != ":" }) }
    }

    /// What the user's yes is about.
    var pinned: JSONValue {
        .compact([
            "origin": .string(origin.description), "key_env": variable.map(JSONValue.string),
            "key_command": command.map { .array($0.map(JSONValue.string)) },
            "headers": headers.isEmpty
                ? nil
                : .object(
                    JSONObject(
                        headers.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })
                ),
        ])
    }

    package var question: String {
        var given: [String] = []
        if let command {
            let line = command.map(ShellTokenizer.quoted).joined(separator: " ")
            given.append("the key that “\(line)” prints")
        }
        if let variable { given.append("the key in the variable \(variable)") }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) where value.contains("${") {
            given.append("the header \(name): \(value)")
        }
        return HostileText.line(
            "Send \(given.joined(separator: " and ")) to \(origin), as \(name.rawValue)?")
    }

    /// - Throws: for a variable that is not set.
    func header(
        _ value: String, _ variables: [String: String]
    ) throws(KeyLookupFailure) -> String {
        // It fails for a variable alone, which has to be named.
        guard let text = try? VariableText(variables: variables).expanded(value) else {
            let missing = Self.variables(in: value).first { variables[$0]?.isEmpty ?? true }
            throw .missingVariable(missing ?? value)
        }
        guard Self.isPlain(text) else { throw .unusable(.environment(variable: value), .notASCII) }
        return text
    }

    // MARK: - Headers

    private static let reserved: Set = [
        "accept", "connection", "content-length", "content-type", "expect", "host", "te",
        "transfer-encoding", "upgrade",
    ]
    private static let secret = [
        "auth", "cookie", "credential", "key", "password", "secret", "token",
    ]

    /// Whether the configuration may name it: no header that is the transport's, and no secret
    /// that stands in the file itself.
    static func mayBeHeader(_ name: String, _ value: String) -> Bool {
        let lowered = name.lowercased()
        // RFC 9110 §5.6.2
        let isToken =
            !name.isEmpty
            && name.utf8.allSatisfy {
                $0.isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains($0)
            }
        let isSecret = secret.contains(where: lowered.contains)
        return isToken && isPlain(value) && !reserved.contains(lowered)
            && !KeyShape.isFound(in: value) && (!isSecret || value.contains("${"))
    }

    private static func isPlain(_ value: String) -> Bool {
        value.utf8.allSatisfy { 0x20...0x7E ~= $0 }
    }
}
