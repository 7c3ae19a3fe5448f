import AgentCore
import Base

/// The configuration file of vdirsyncer for one CalDAV server and the folder
/// of our calendars. Pure: a value and its text.
///
/// It never holds a password, only how vdirsyncer asks for it.
struct SyncConfiguration: Sendable, Equatable {
    /// Where vdirsyncer gets the password each time it runs.
    enum PasswordSource: String, Sendable, CaseIterable {
        /// vdirsyncer asks at the terminal: nothing to set up, no timer.
        case prompt
        /// The desktop's key ring (libsecret).
        case secretTool = "secret-tool"
        /// The standard Unix password manager.
        case pass
    }

    /// What happens to an item that was changed on both sides.
    enum ConflictPolicy: String, Sendable, CaseIterable {
        /// Nothing: vdirsyncer names it and ends with 1.
        case ask
        /// Ours replaces the server's.
        case mine
        /// The server's replaces ours.
        case server
    }

    /// The pair's name, for `vdirsyncer discover`.
    static let pair = "chat"

    var server: BaseURL
    var user: String?
    var password = PasswordSource.prompt
    var conflicts = ConflictPolicy.ask
    /// The folder whose folders are the calendars.
    var calendars: String
    /// Where vdirsyncer remembers what both sides had. Losing it loses no
    /// item; using it with other calendars would.
    var status: String

    /// An INI file whose values are JSON (vdirsyncer's manual, "Configuration").
    var text: String {
        var lines = [
            "# Made by chat calendar sync-setup; vdirsyncer reads it, chat does not.",
            "# There is no password in it: see password.fetch.",
            "",
            "[general]",
            "status_path = \(json(status))",
            "",
            "[pair \(Self.pair)]",
            "a = \"chat_local\"",
            "b = \"chat_server\"",
            "# Every calendar of either side.",
            "collections = [\"from a\", \"from b\"]",
            "# Copied by vdirsyncer metasync.",
            "metadata = [\"color\", \"displayname\"]",
            "# An item that was changed on both sides: null names it and leaves both as they",
            "# are, \"a wins\" keeps the one of this machine, \"b wins\" the server's.",
            "conflict_resolution = \(conflictValue)",
            "",
            "[storage chat_local]",
            "type = \"filesystem\"",
            "path = \(json(calendars))",
            "fileext = \".ics\"",
            "",
            "[storage chat_server]",
            "type = \"caldav\"",
            "url = \(json(server.text + "/"))",
        ]
        if let user {
            let fetch = JSONValue.array(fetchWords(user).map { .string($0) })
            lines.append("username = \(json(user))")
            lines.append("password.fetch = \(JSONWriter.string(fetch))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The command that stores the password where `password` looks for it;
    /// nil when nothing is stored.
    var storingPassword: [String]? {
        guard let user else { return nil }
        return switch password {
        case .prompt: nil
        case .secretTool:
            ["secret-tool", "store", "--label=CalDAV " + server.authority] + attributes(user)
        case .pass: ["pass", "insert", entry(user)]
        }
    }

    private func fetchWords(_ user: String) -> [String] {
        switch password {
        case .prompt: ["prompt", "Password of \(user) at \(server.authority)"]
        case .secretTool: ["command", "secret-tool", "lookup"] + attributes(user)
        case .pass: ["command", "pass", "show", entry(user)]
        }
    }

    private func attributes(_ user: String) -> [String] {
        ["service", "caldav", "server", server.authority, "user", user]
    }

    private func entry(_ user: String) -> String { "caldav/\(server.authority)/\(user)" }

    private var conflictValue: String {
        switch conflicts {
        case .ask: "null"
        case .mine: "\"a wins\""
        case .server: "\"b wins\""
        }
    }

    /// JSON has an escape for everything that would end the line.
    private func json(_ text: String) -> String { JSONWriter.string(.string(text)) }
}
