import AgentCore

/// The words after `chat calendar sync-setup`, checked. Pure.
struct SyncRequest: Sendable, Equatable {
    static let usage = "URL [--user NAME] [--password-from SOURCE] [--conflicts WHO]"
    private static let example = "chat calendar sync-setup https://cloud.example.com --user ada"
    private static let longestUser = 256

    var server: BaseURL
    var user: String?
    var password = SyncConfiguration.PasswordSource.prompt
    var conflicts = SyncConfiguration.ConflictPolicy.ask

    init(_ arguments: [String]) throws(UsageError) {
        var addresses: [String] = []
        var options: [String: String] = [:]
        let names = ["--user", "--password-from", "--conflicts"]
        var rest = arguments[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                addresses.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            // `split` gives one part at least.
            let name = String(parts[0])
            guard names.contains(name) else {
                // The word may be `--password=…`: it is not repeated.
                throw UsageError(
                    name.hasPrefix("--pass")
                        ? "sync-setup takes no password: vdirsyncer asks for it, or a password "
                            + "manager gives it"
                        : "sync-setup has no option \(name)",
                    hint: "options: " + names.joined(separator: ", "))
            }
            guard options[name] == nil else { throw UsageError("\(name) is given twice") }
            guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                throw UsageError("\(name) needs a value")
            }
            options[name] = value
        }
        guard let address = addresses.first else {
            throw UsageError("sync-setup needs the address of a server", hint: Self.example)
        }
        guard addresses.count == 1 else {
            throw UsageError("sync-setup takes one address", hint: Self.example)
        }
        server = try Self.server(address)
        user = try options["--user"].map { value throws(UsageError) in try Self.user(value) }
        password = try Self.choice(options, "--password-from") ?? .prompt
        conflicts = try Self.choice(options, "--conflicts") ?? .ask
        if user == nil, options["--password-from"] != nil {
            throw UsageError("--password-from needs --user", hint: Self.example)
        }
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ options: [String: String], _ name: String
    ) throws(UsageError) -> Choice? where Choice.RawValue == String {
        guard let value = options[name] else { return nil }
        if let choice = Choice(rawValue: value) { return choice }
        let all = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("\(name) must be one of: \(all)")
    }

    /// `https` is added where no scheme is written.
    private static func server(_ address: String) throws(UsageError) -> BaseURL {
        let text = address.contains("://") ? address : "https://" + address
        let url: BaseURL
        do throws(BaseURL.Problem) {
            url = try BaseURL(text)
        } catch {
            switch error {
            case .plainHTTP:
                throw UsageError(
                    "http:// would send the password unencrypted; it is allowed for this machine only",
                    hint: "the same address with https://")
            case .unexpectedPart:
                // Not repeated: there may be a password in it.
                throw UsageError(
                    "the address holds a user, a password, \"?\" or \"#\"",
                    hint: "the bare address, and --user NAME beside it")
            case .empty, .unknownScheme, .badHost, .badPort, .forbiddenCharacter:
                throw UsageError("not the address of a server", hint: example)
            }
        }
        if url.host == "google.com" || url.host.hasSuffix(".google.com")
            || url.host.hasSuffix(".googleusercontent.com")
        {
            throw UsageError(
                "Google shares calendars with registered programs only",
                hint:
                    "vdirsyncer's manual, \"google_calendar\", and then this folder as its other side"
            )
        }
        return url
    }

    private static func user(_ name: String) throws(UsageError) -> String {
        guard !name.isEmpty, name.utf8.count <= longestUser,
            name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else { throw UsageError("--user is not a valid user name", hint: example) }
        return name
    }
}
