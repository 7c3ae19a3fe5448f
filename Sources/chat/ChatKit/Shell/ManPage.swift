import AgentCore
import Base

/// The manual page in the language of man(7), made from the tables of parsing, help and
/// completion. Pure.
struct ManPage {
    var commands: [Command]

    /// Date of the installed commit.
    private static var date: Substring { HelpText.stamp?.date ?? "" }

    private static let files = [
        ("~/.config/chat/config.json", "settings: chat config lists them"),
        ("~/.config/chat/keys.json", "keys, where no keyring is used"),
        ("~/.local/share/chat/chat.db", "the conversations"),
        ("~/.local/share/chat/calendars/", "reminders and events, one file each"),
        ("~/.local/share/chat/trash/", "what was deleted"),
        ("~/.local/state/chat/history", "what was typed at the prompt"),
        ("~/.local/state/chat/log", "what went wrong, without contents"),
    ]

    private static func names(_ of: ((key: String, baseURL: String)) -> String) -> String {
        ProviderName.hosted.compactMap { $0.facts.variables.map(of) }
            .joined(separator: ", ")
    }

    private static let variables = [
        (names { $0.key }, "keys; they go before the stored ones"),
        (names { $0.baseURL }, "other servers with the same protocol"),
        ("CHAT_HOME", "one folder instead of the four of XDG"),
        ("XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME", "where the folders above are"),
        ("VISUAL, EDITOR", "the editor for long messages"),
        ("NO_COLOR", "no colours"),
        ("TERM", "dumb: plain lines, no line editor"),
        ("TZ", "the time zone of dates without one"),
    ]

    var text: String {
        var page = """
            .\\" Made by "chat man" from the tables of the program.
            .TH CHAT 1 "\(Self.date)" "chat \(Self.escaped(HelpText.version))" "User Commands"
            .nh
            .ad l
            .SH NAME
            chat \\- the assistant in your terminal
            .SH SYNOPSIS
            .B chat
            .RI [ OPTIONS ]
            .br
            .B chat
            .RB [ \\-p ]
            .I TEXT
            .br
            .B chat
            .I COMMAND
            .RI [ WORDS ...]
            .SH DESCRIPTION
            Opens the latest conversation at a prompt, where answers of a model stream
            and reminders, calendars and other tools are at hand.
            With
            .BR \\-p ,
            with an argument that contains a space, or with text on its input it gives one
            answer and exits.
            Without a key or a network, everything that needs no model still works.

            """
        page += ".SH OPTIONS\n"
        for option in OptionParser.table.options { page += Self.entry(option.head, option.summary) }
        page +=
            ".SH COMMANDS\nAll but completion, man and restore are also /commands at the prompt.\n"
        for command in commands {
            page += ".SS \(Self.escaped(command.name))\n\(Self.line(command.summary + "."))\n"
            for verb in command.verbs {
                let words = ["chat", command.line(verb)] + verb.arguments.map(\.head)
                page += Self.entry(words.joined(separator: " "), verb.summary)
                if verb.allOptions.isEmpty { continue }
                page += ".RS\n"
                for option in verb.allOptions { page += Self.entry(option.head, option.summary) }
                page += ".RE\n"
            }
        }
        page += ".SH \"AT THE PROMPT\"\n"
        for command in SlashCommand.allCases {
            let words = ["/\(command.rawValue)", command.verb.usage()].filter { !$0.isEmpty }
            page += Self.entry(words.joined(separator: " "), command.verb.summary)
        }
        page += Self.section("FILES", Self.files)
        page += Self.section("ENVIRONMENT", Self.variables)
        page += Self.section(
            "EXIT STATUS", ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) })
        return page
    }

    private static func section(_ title: String, _ rows: [(String, String)]) -> String {
        rows.reduce(".SH \(title.contains(" ") ? "\"\(title)\"" : title)\n") {
            $0 + entry($1.0, $1.1)
        }
    }

    private static func entry(_ head: String, _ text: String) -> String {
        ".TP\n.B \"\(escaped(head))\"\n\(line(text))\n"
    }

    /// Escapes a line: a dot or an apostrophe at its beginning would make it a request.
    private static func line(_ text: String) -> String {
        let text = escaped(text)
        return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
    }

    /// A bare hyphen is typeset as a character that cannot be pasted as one (groff_char(7)).
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "…": result += "..."
            case "\"": result += "\\(dq"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "~": result += "\\(ti"
            case "^": result += "\\(ha"
            case "·": result += "\\(pc"
            case "“": result += "\\(lq"
            case "”": result += "\\(rq"
            case "→": result += "\\(->"
            case "×": result += "\\(mu"
            case "–": result += "\\(en"
            default: result.append(character)
            }
        }
    }
}
