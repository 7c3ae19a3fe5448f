import Base

/// The texts that make the system start `chat alerts run`: a systemd unit, an
/// autostart entry, crontab lines. Each does nothing once the program is gone. Pure.
package struct AlertStartup: Sendable, Equatable {
    /// The absolute path of this program.
    package var program: String
    /// Variables it needs, such as CHAT_HOME, which determines where our files are.
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
    /// Our files begin with this; other files are never replaced or removed.
    static let mark = "# Made by \"chat alerts install\"; \"chat alerts uninstall\" removes it."
    static let beginLine = "# chat alerts: begin"
    /// Used instead after a last line without a newline.
    static let openBeginLine = beginLine + ", the line above had no newline"
    static let endLine = "# chat alerts: end"

    /// Whether the system's formats can represent the path at all.
    var isPossible: Bool {
        ([program] + variables.map(\.value)).allSatisfy { text in
            !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        }
    }

    var unit: String {
        var lines = [
            Self.mark, "[Unit]", "Description=Alerts of chat's reminders and calendar",
            // The rest of the line, without quotes.
            "ConditionFileIsExecutable=\(Self.specifiers(program))", "",
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

    /// Desktop Entry Specification: quoted first for the shell, then for the file.
    var entry: String {
        let words = ["env"] + variables.map { "\($0.name)=\($0.value)" } + [program]
        let command =
            (variables.isEmpty ? [program] : words).map(Self.desktop).joined(separator: " ")
        return [
            Self.mark, "[Desktop Entry]", "Type=Application", "Name=chat alerts",
            "Comment=Alerts of reminders and calendar",
            "TryExec=\(program.map { $0 == "\\" ? "\\\\" : String($0) }.joined())",
            "Exec=\(command) alerts run",
            "NoDisplay=true", "X-GNOME-Autostart-enabled=true", "",
        ].joined(separator: "\n")
    }

    /// Cron starts it at boot, and delivers due alerts each minute if it is not running.
    var cronLines: [String] {
        let program = Self.cron(program)
        let words = variables.map { "\($0.name)=\(Self.cron($0.value))" } + [program]
        let command = "test -x \(program) && " + words.joined(separator: " ")
        return [
            "@reboot \(command) alerts run >/dev/null 2>&1",
            "* * * * * \(command) alerts run --once >/dev/null 2>&1",
        ]
    }

    /// A crontab with our lines, replacing our old ones. Bytes, since a crontab need not be UTF-8.
    func added(to crontab: [UInt8]) -> [UInt8] {
        var table = Self.removed(from: crontab)
        let isOpen = !table.isEmpty && table.last != 0x0A
        if isOpen { table.append(0x0A) }
        let begin = isOpen ? Self.openBeginLine : Self.beginLine
        for line in [begin] + cronLines + [Self.endLine] { table += Array(line.utf8) + [0x0A] }
        return table
    }

    /// A crontab without our lines; all other bytes are as they were before
    /// those were added. A begin line without an end is left alone.
    static func removed(from crontab: [UInt8]) -> [UInt8] {
        var kept: [ArraySlice<UInt8>] = []
        var ours: [ArraySlice<UInt8>] = []
        /// The number of lines before ours, if the last had no newline.
        var open: Int?
        for line in crontab.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if ours.isEmpty, !line.elementsEqual(beginLine.utf8),
                !line.elementsEqual(openBeginLine.utf8)
            {
                kept.append(line)
                continue
            }
            ours.append(line)
            guard line.elementsEqual(endLine.utf8) else { continue }
            if ours[0].elementsEqual(openBeginLine.utf8) { open = kept.count }
            ours = []
        }
        if let open, kept.count == open + 1, kept[open].isEmpty { kept.removeLast() }
        return Array((kept + ours).joined(separator: [0x0A]))
    }

    // MARK: - Quoting

    // By code points, as the readers of these files do.

    /// systemd.syntax(7): in double quotes, with `%` and, in a command, `$`
    /// doubled.
    private static func systemd(_ text: String, isCommand: Bool = false) -> String {
        let inner = text.unicodeScalars.reduce(into: "") { text, character in
            switch character {
            case "\"", "\\": text += "\\\(character)"
            case "$" where isCommand: text += "$$"
            default: text.unicodeScalars.append(character)
            }
        }
        return "\"\(specifiers(inner))\""
    }

    private static func specifiers(_ text: String) -> String {
        text.unicodeScalars.map { $0 == "%" ? "%%" : String($0) }.joined()
    }

    private static func desktop(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            byte.isASCIILetterOrDigit || [0x2D, 0x2E, 0x2F, 0x3D, 0x5F].contains(byte)
        }
        if isPlain { return text }
        let inner = text.unicodeScalars.reduce(into: "") { text, character in
            switch character {
            // Quoted as for a shell, then each backslash as a string value.
            case "\"", "`", "$": text += "\\\\\(character)"
            case "\\": text += "\\\\\\\\"
            case "%": text += "%%"
            default: text.unicodeScalars.append(character)
            }
        }
        return "\"\(inner)\""
    }

    /// Quotes a text for the shell, by way of cron, which removes the backslash from `\%` and `\\`,
    /// and ends the command at a bare percent sign (crontab(5)). So a percent sign is outside of
    /// the quotes, where the shell removes its backslash as well, and after every other backslash
    /// the quotes are closed and reopened.
    private static func cron(_ text: String) -> String {
        let inner = text.unicodeScalars.reduce(into: "") { text, character in
            switch character {
            case "'": text += "'\\''"
            case "%": text += "'\\%'"
            case "\\": text += "\\''"
            default: text.unicodeScalars.append(character)
            }
        }
        return "'\(inner)'"
    }
}
