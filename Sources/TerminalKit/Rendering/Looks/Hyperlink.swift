import AgentCore

/// A link that the terminal opens (OSC 8), for paths that we made ourselves:
/// a link of the model could show one address and open another. Pure.
enum Hyperlink {
    /// Terminals that are known to understand it; others may show its bytes.
    static func isSupported(_ variables: [String: String]) -> Bool {
        let term = variables["TERM"] ?? ""
        // A multiplexer in between has its own mind; what is outside is unknown.
        if variables["TMUX"] != nil || term.hasPrefix("screen") || term.hasPrefix("tmux") {
            return false
        }
        if term.isEmpty || term == "dumb" || term == "linux" { return false }
        if variables["KITTY_WINDOW_ID"] != nil || variables["WT_SESSION"] != nil { return true }
        if let version = variables["VTE_VERSION"].flatMap(Int.init), version >= 5000 { return true }
        if ["iTerm.app", "WezTerm", "vscode", "ghostty"].contains(
            variables["TERM_PROGRAM"] ?? "")
        {
            return true
        }
        return ["xterm-kitty", "foot", "alacritty", "wezterm", "xterm-ghostty"].contains {
            term == $0 || term.hasPrefix($0 + "-")
        }
    }

    /// What is shown, opening the file; `shown` has passed the allow-list.
    static func file(_ path: String, shown: String) -> String {
        guard path.hasPrefix("/") else { return shown }
        return "\u{1B}]8;;file://\(escaped(path))\u{1B}\\\(shown)\u{1B}]8;;\u{1B}\\"
    }

    /// What RFC 3986 leaves as it is in a path; all else in hexadecimal.
    private static func escaped(_ path: String) -> String {
        path.utf8.reduce(into: "") { text, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
    }
}
