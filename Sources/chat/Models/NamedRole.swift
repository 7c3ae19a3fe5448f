import AgentCore

/// A system text with a name, and what goes with it. Pure.
struct NamedRole: Sendable, Equatable {
    enum Source: Sendable, Equatable { case file, configuration, builtIn }

    var name: String
    var text: String
    var model: String?
    var effort: Effort?
    var temperature: Double?
    var source: Source
    /// Lines of the file that say nothing we know.
    var problems: [String] = []

    /// What a conversation keeps: the role's words, then what the tools need.
    var system: String { text + "\n\n" + SystemText.tools }

    /// Names that a file may have and that can be typed.
    static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 64 && name.first != "." && name != "none"
            && name.utf8.allSatisfy { byte in
                byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
                    || byte >= 0x80 || [0x2D, 0x2E, 0x5F].contains(byte)
            }
    }

}

extension NamedRole {
    /// Reads `NAME.md`: Markdown, with `model`, `effort` and `temperature`
    /// between two lines of `---` at its beginning, if any.
    init?(name: String, file text: String) {
        self.init(name: name, text: "", source: .file)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        if lines.first?.trimmingSpace() == "---",
            let end = lines.dropFirst().firstIndex(where: { $0.trimmingSpace() == "---" })
        {
            for line in lines[1..<end] { read(line) }
            lines = lines[(end + 1)...]
        }
        self.text = lines.joined(separator: "\n").trimmingSpace()
        if self.text.isEmpty { return nil }
    }

    private mutating func read(_ line: Substring) {
        let text = line.trimmingSpace()
        if text.isEmpty || text.hasPrefix("#") { return }
        guard let colon = text.firstIndex(of: ":") else {
            problems.append(text)
            return
        }
        let value = text[text.index(after: colon)...].trimmingSpace()
            .trimmingQuotes()
        switch text[..<colon].trimmingSpace() {
        case "model" where !value.isEmpty: model = value
        case "effort" where Effort(rawValue: value) != nil: effort = Effort(rawValue: value)
        case "temperature":
            guard let number = Double(value), (0...2).contains(number) else {
                problems.append(text)
                return
            }
            temperature = number
        default: problems.append(text)
        }
    }

    /// Examples to start from; files and the configuration take their place.
    static let builtIn: [NamedRole] = [
        NamedRole(
            name: "proofread",
            text: """
                You correct text. Return it with spelling, grammar and punctuation put right and \
                nothing else changed: keep the author's words, tone and layout. Below a line of \
                dashes list what you changed and why, briefly.
                """, source: .builtIn),
        NamedRole(
            name: "shell",
            text: """
                You help with the command line on Linux. Answer with one command or a short script \
                in a code block, portable where that costs nothing, and one line on what it does. \
                Say so plainly when it deletes or overwrites something.
                """, source: .builtIn),
        NamedRole(
            name: "tutor",
            text: """
                You teach. Explain step by step in plain words, with one small example, and build \
                on what the learner has said. End with one short question that shows whether it was \
                understood. Do not do the exercise for them.
                """, source: .builtIn),
    ]
}

extension String {
    fileprivate func trimmingQuotes() -> String {
        guard count >= 2, let first, first == last, first == "\"" || first == "'" else {
            return self
        }
        return String(dropFirst().dropLast())
    }
}
