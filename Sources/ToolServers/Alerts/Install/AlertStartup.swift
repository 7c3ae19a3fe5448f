/// The texts that have `chat alerts run` started by the system: a systemd unit,
/// an autostart entry, lines of a crontab. Pure.
package struct AlertStartup: Sendable, Equatable {
    /// The absolute path of this program.
    package var program: String
    /// Variables that decide where our files are, such as CHAT_HOME.
    package var variables: [(name: String, value: String)]

    package init(program: String, variables: [(name: String, value: String)]) {
        self.program = program
        self.variables = variables
    }

    package static func == (left: AlertStartup, right: AlertStartup) -> Bool {
        left.program == right.program
            && left.variables.elementsEqual(right.variables, by: { $0 == $1 })
    }

    static let unitName = "chat-alerts.service"
    static let entryName = "chat-alerts.desktop"
    /// Our files begin with this; others are never replaced or removed.
    static let mark = "# Made by \"chat alerts install\"; \"chat alerts uninstall\" removes it."
    static let beginLine = "# chat alerts: begin"
    static let endLine = "# chat alerts: end"

    /// Whether the system's formats can hold the path at all.
    var isPossible: Bool {
        ([program] + variables.map(\.value)).allSatisfy { text in
            !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        }
    }

    var unit: String {
        var lines = [
            Self.mark, "[Unit]", "Description=Alerts of chat's reminders and calendar", "",
            "[Service]",
        ]
        lines += variables.map { "Environment=\(Self.systemd("\($0.name)=\($0.value)"))" }
        lines += [
            "ExecStart=\(Self.systemd(program, isCommand: true)) alerts run", "Restart=on-failure",
            "RestartSec=30", "",
            "[Install]", "WantedBy=default.target", "",
        ]
        return lines.joined(separator: "\n")
    }

    /// Desktop Entry Specification: first the shell's way, then the file's.
    var entry: String {
        let words = ["env"] + variables.map { "\($0.name)=\($0.value)" } + [program]
        let command =
            (variables.isEmpty ? [program] : words).map(Self.desktop).joined(separator: " ")
        return [
            Self.mark, "[Desktop Entry]", "Type=Application", "Name=chat alerts",
            "Comment=Alerts of reminders and calendar", "Exec=\(command) alerts run",
            "NoDisplay=true", "X-GNOME-Autostart-enabled=true", "",
        ].joined(separator: "\n")
    }

    /// Cron starts it at boot, and each minute gives what is due where it does
    /// not run.
    var cronLines: [String] {
        let words =
            variables.map { "\($0.name)=\(Self.shell($0.value))" } + [Self.shell(program)]
        // A percent sign ends a command of crontab(5).
        let command = words.joined(separator: " ").split(
            separator: "%", omittingEmptySubsequences: false
        ).joined(separator: "\\%")
        return [
            Self.beginLine, "@reboot \(command) alerts run >/dev/null 2>&1",
            "* * * * * \(command) alerts run --once >/dev/null 2>&1", Self.endLine,
        ]
    }

    /// A crontab with our lines, the old ones of ours replaced.
    func added(to crontab: String) -> String {
        var lines = Self.removed(from: crontab)
        if !lines.isEmpty, !lines.hasSuffix("\n") { lines += "\n" }
        return lines + cronLines.joined(separator: "\n") + "\n"
    }

    /// A crontab without our lines; every other byte stays. A begin without an
    /// end is left alone.
    static func removed(from crontab: String) -> String {
        var kept: [Substring] = []
        var ours: [Substring] = []
        var isOurs = false
        for line in crontab.split(separator: "\n", omittingEmptySubsequences: false) {
            if !isOurs, line == beginLine {
                isOurs = true
                ours = [line]
            } else if isOurs {
                ours.append(line)
                if line == endLine { (isOurs, ours) = (false, []) }
            } else {
                kept.append(line)
            }
        }
        return (kept + ours).joined(separator: "\n")
    }

    // MARK: - Quoting

    /// systemd.syntax(7): in double quotes, with `%` and, in a command, `$`
    /// doubled.
    private static func systemd(_ text: String, isCommand: Bool = false) -> String {
        let inner = text.reduce(into: "") { text, character in
            switch character {
            case "\"", "\\": text += "\\\(character)"
            case "%": text += "%%"
            case "$" where isCommand: text += "$$"
            default: text.append(character)
            }
        }
        return "\"\(inner)\""
    }

    private static func desktop(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
                || [0x2D, 0x2E, 0x2F, 0x3D, 0x5F]
                    .contains(byte)
        }
        if isPlain { return text }
        let inner = text.reduce(into: "") { text, character in
            switch character {
            // Quoted as for a shell, then each backslash as a string value.
            case "\"", "`", "$": text += "\\\\\(character)"
            case "\\": text += "\\\\\\\\"
            case "%": text += "%%"
            default: text.append(character)
            }
        }
        return "\"\(inner)\""
    }

    private static func shell(_ text: String) -> String {
        "'"
            + text.split(separator: "'", omittingEmptySubsequences: false).joined(
                separator: "'\\''") + "'"
    }
}
