import TerminalKit

/// The bytes that make a terminal notify its user: the bell, and the escape sequence of the
/// terminals known to have one. Pure.
///
///     kitty                        OSC 99
///     WezTerm, iTerm2, Windows Terminal   OSC 9
///     foot, urxvt, Ghostty         OSC 777
///     any of them under tmux       inside `ESC Ptmux;`, which a tmux that may
///                                  not pass it on drops
///     others, `dumb`               nothing
package struct TerminalNotification {
    package enum Kind: Equatable { case osc9, osc99, osc777 }

    package let kind: Kind?
    let isInTmux: Bool

    package init(variables: [String: String]) {
        func has(_ name: String) -> Bool { variables[name].map { !$0.isEmpty } ?? false }
        let term = variables["TERM"] ?? ""
        let program = variables["TERM_PROGRAM"] ?? ""
        isInTmux = has("TMUX")
        if term.isEmpty || term == "dumb" || has("STY") {
            kind = nil
        } else if term == "xterm-kitty" || has("KITTY_WINDOW_ID") {
            kind = .osc99
        } else if program == "WezTerm" || has("WEZTERM_PANE") || program == "iTerm.app"
            || variables["LC_TERMINAL"] == "iTerm2" || has("WT_SESSION")
        {
            kind = .osc9
        } else if term.hasPrefix("foot") || term.hasPrefix("rxvt-unicode")
            || term == "xterm-ghostty" || program == "ghostty"
        {
            kind = .osc777
        } else {
            kind = nil
        }
    }

    /// `title` and `text` may be untrusted.
    package func bytes(title: String, text: String) -> [UInt8] {
        let title = Self.clean(title)
        let text = Self.clean(text)
        let sequence: String
        switch kind {
        case nil: return []
        // A text that begins with a digit would be read as another OSC 9 command.
        case .osc9: sequence = "\u{1B}]9;chat: \(title) - \(text)\u{1B}\\"
        case .osc99:
            sequence =
                "\u{1B}]99;i=chat:d=0:p=title;\(title)\u{1B}\\"
                + "\u{1B}]99;i=chat:d=1:p=body;\(text)\u{1B}\\"
        case .osc777: sequence = "\u{1B}]777;notify;\(title);\(text)\u{1B}\\"
        }
        guard isInTmux else { return Array(sequence.utf8) }
        let doubled = sequence.reduce(into: "") {
            $0 += $1 == "\u{1B}" ? "\u{1B}\u{1B}" : String($1)
        }
        return Array("\u{1B}Ptmux;\(doubled)\u{1B}\\".utf8)
    }

    /// The allowed characters of a text, without the field separators.
    private static func clean(_ text: String) -> String {
        String(HostileText.line(text).map { $0 == ";" ? "," : $0 }.prefix(200))
    }
}
