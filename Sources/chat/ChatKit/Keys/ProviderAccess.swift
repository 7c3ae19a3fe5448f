import AgentCore
import Base
import Outside
import TerminalKit

/// The user's data given to a configured provider: a key from a variable or a command, and
/// variables in headers. It goes to one origin, after the user has approved exactly that.
package struct ProviderAccess: Sendable, Equatable {
    package let name: ProviderName
    let origin: KeyOrigin
    var variable: String?
    var command: [String]?
    var headers: [String: String] = [:]

    /// Whether any of the user's data is read for it.
    package var needsApproval: Bool {
        variable != nil || command != nil || headers.values.contains { $0.contains("${") }
    }

    /// The variables read for it.
    package var variables: [String] {
        (variable.map { [$0] } ?? []) + headers.values.flatMap(Self.variables)
    }

    private static func variables(in value: String) -> [String] {
        value.split(separator: "$", omittingEmptySubsequences: false).dropFirst()
            .filter { $0.first == "{" }
            .map { String($0.dropFirst().prefix { $0 != "}" && $0 != ":" }) }
    }

    /// The content of the user's approval.
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

    /// - Throws: for an unset variable.
    func header(
        _ value: String, _ variables: [String: String]
    ) throws(KeyLookupFailure) -> String {
        // The only failure is a missing variable, whose name is needed.
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

    /// Whether the configuration may set it: not a header of the transport, and no secret
    /// written in the file itself.
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
