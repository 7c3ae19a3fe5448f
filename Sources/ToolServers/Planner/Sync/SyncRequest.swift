import AgentCore
import Base

/// The words after `chat calendar sync-setup`, checked. Pure.
struct SyncRequest: Sendable, Equatable {
    static let example = "https://cloud.example.com --user ada"
    private static let hint = "chat calendar sync-setup \(example)"
    private static let longestUser = 256

    var server: BaseURL
    var user: String?
    var password = SyncConfiguration.PasswordSource.prompt
    var conflicts = SyncConfiguration.ConflictPolicy.ask

    static let options: [Verb.Option] = [
        .init("--user NAME", "the name to log in with"),
        .init(
            "--password-from SOURCE", "where vdirsyncer gets the password",
            .examples(SyncConfiguration.PasswordSource.allCases.map(\.rawValue))),
        .init(
            "--conflicts", oneOf: SyncConfiguration.ConflictPolicy.allCases.map(\.rawValue),
            "which of two conflicting changes is kept"),
        .init("--yes", "replace a configuration that differs"),
    ]

    init(_ words: CommandArguments) throws(UsageError) {
        // The table asks for the address.
        server = try Self.server(words.text)
        user = try words["--user"].map { value throws(UsageError) in try Self.user(value) }
        conflicts = try words.choice("--conflicts") ?? .ask
        if let name = words["--password-from"] {
            // Not repeated: it may be a password.
            guard let source = SyncConfiguration.PasswordSource(rawValue: name) else {
                let names = SyncConfiguration.PasswordSource.allCases.map(\.rawValue)
                throw UsageError(
                    "--password-from must be one of: \(names.joined(separator: ", "))")
            }
            password = source
            if user == nil {
                throw UsageError("--password-from needs --user", hint: Self.hint)
            }
        }
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
                    "the address contains a user, a password, \"?\" or \"#\"",
                    hint: "the bare address, and --user NAME beside it")
            case .empty, .unknownScheme, .badHost, .badPort, .forbiddenCharacter:
                throw UsageError("not the address of a server", hint: hint)
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
        else { throw UsageError("--user is not a valid user name", hint: hint) }
        return name
    }
}
