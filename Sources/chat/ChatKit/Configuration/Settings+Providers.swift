import AgentCore
import Base

/// The providers of one run: the built-in ones, and those in `providers` of the configuration, with
/// the settings table of the latter.
extension Settings {
    /// The entries of `providers` by name.
    var ownProviders: [String: Server] {
        get {
            var own: [String: Server] = [:]
            for name in ownNames { own[name.rawValue] = servers[name] }
            return own
        }
        set {
            servers = servers.filter { $0.key.isBuiltIn }
            for case (let name?, let server) in newValue.map({ (ProviderName(rawValue: $0), $1) }) {
                servers[name] = server
            }
        }
    }

    package var ownNames: [ProviderName] {
        servers.keys.filter { !$0.isBuiltIn }.sorted { $0.rawValue < $1.rawValue }
    }

    /// All providers, the preferred one first.
    package var askable: [ProviderName] {
        ProviderName.hosted + ownNames
            + ProviderName.askable.filter { $0.facts.vendorURL == nil }
    }

    package func provider(named name: String) -> ProviderName? {
        (askable + [.offline]).first { $0.rawValue == name }
    }

    package func format(of name: ProviderName) -> WireFormat { self[server: name].format }

    func nearestProvider(to name: ProviderName) -> String? {
        NearestWord.find(name.rawValue, among: askable.map(\.rawValue))
    }

    /// - Throws: for an unknown name on the command line.
    package func checkProvider(_ name: ProviderName?) throws(UsageError) {
        guard let name, provider(named: name.rawValue) == nil else { return }
        throw UsageError(
            "There is no provider \"\(name.rawValue)\".",
            hint: nearestProvider(to: name).map { "Did you mean --provider \($0)?" }
                ?? "There are: \((askable + [.offline]).map(\.rawValue).joined(separator: ", ")). "
                + "\"providers\" in config.json adds more.")
    }

    /// Data given to each configured provider, with the user's approval.
    package var access: [ProviderAccess] {
        ownNames.compactMap { name in
            let server = self[server: name]
            return origin(name).map {
                ProviderAccess(
                    name: name, origin: $0, variable: server.keyVariable,
                    command: server.keyCommand, headers: server.headers)
            }
        }
    }

    // MARK: - The table

    static let providerName: SettingKind<ProviderName> = {
        let words = ProviderName.builtIn.map(\.rawValue)
        var kind = SettingKind<ProviderName>(
            "one of \(words.map { "\"\($0)\"" }.joined(separator: ", ")), or a name in "
                + "\"providers\"",
            text: \.rawValue
        ) { $0.stringValue.flatMap(ProviderName.init(rawValue:)) }
        kind.words = words
        return kind
    }()

    @Sendable static func nameFault(_ name: String) -> String? {
        switch ProviderName(rawValue: name)?.isBuiltIn {
        case nil: "named with at most 20 letters, digits, hyphens and underscores"
        case true?: "outside of \"providers\": it is built in"
        case false?: nil
        }
    }

    static let ownProvider = SettingTable<Server>(
        "an object with base_url and maybe format, model, key_env or key_command, headers",
        [
            .init("format", \.format, .word(of: [.chat, .responses, .messages]), .plain),
            .init("base_url", \.baseURL, .url, .plain),
            .init("model", \.model, .text, .plain, none: automatic),
            .init("key_env", \.keyVariable, variable, .plain, none: nil),
            .init(
                silent: "key_command", \.keyCommand,
                .command("an array of words, such as [\"pass\", \"show\", \"groq\"]"), .plain),
            .init("headers", \.headers, headers, .plain),
        ])

    private static let variable = SettingKind<String>("the name of a variable") { value in
        value.stringValue.flatMap { name in
            let isName = name.utf8.allSatisfy {
                $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "_")
            }
            return isName && !name.isEmpty && name.first?.isNumber == false
                && !KeyShape.isFound(in: name) ? name : nil
        }
    }

    private static let headers = SettingKind<[String: String]>(
        "an object of header names and values, what is secret as \"${VARIABLE}\"",
        text: { $0.keys.sorted().joined(separator: ", ") }
    ) { value in
        guard let members = value.objectValue?.members else { return nil }
        var headers: [String: String] = [:]
        for member in members {
            guard let text = member.value.stringValue,
                ProviderAccess.mayBeHeader(member.name, text)
            else { return nil }
            headers[member.name] = text
        }
        return headers
    }
}
