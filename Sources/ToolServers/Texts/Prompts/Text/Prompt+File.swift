import AgentCore
import Base

/// A prompt as a file, the same in `roles/NAME.md`, in the library and in the
/// editor: Markdown, with optional settings between two lines of `---` at its
/// beginning. Pure.
///
///     ---
///     summary: review a patch
///     model: claude-opus-5-5
///     effort: high
///     temperature: 0.2
///     max_tokens: 2000
///     writing_tool: no
///     ---
///
///     You review patches. Name the worst problem first.
extension Prompt {
    /// Nil if no text follows the header. Invalid header lines are in
    /// `problems`; the others take effect.
    package init?(name: String, file text: String, source: Source) {
        self.init(name: name, text: "", source: source)
        let (head, body) = Self.parts(of: text)
        for line in head ?? [] { read(line) }
        self.text = body
        if body.isEmpty { return nil }
    }

    /// The lines between the two marks (nil if there is no closed header), and
    /// the text without surrounding white space.
    static func parts(of file: String) -> (head: [Substring]?, body: String) {
        // Another editor may have written CR LF, which is one character.
        var lines = file.split(omittingEmptySubsequences: false) { $0.isNewline }[...]
        var head: [Substring]?
        if lines.first?.trimmingSpace() == "---",
            let end = lines.dropFirst().firstIndex(where: { $0.trimmingSpace() == "---" })
        {
            head = Array(lines[1..<end])
            lines = lines[(end + 1)...]
        }
        return (head, lines.joined(separator: "\n").trimmingSpace())
    }

    /// The inverse of `init(name:file:source:)`: with a header if there are settings.
    package var fileText: String {
        var head = summary.map { ["summary: \(Self.written($0))"] } ?? []
        head += settings.map { "\($0.name): \(Self.written($0.value))" }
        if isWritingTool { head.append("writing_tool: yes") }
        // A text that looks like a header needs one before it.
        if head.isEmpty, !text.hasPrefix("---") { return text + "\n" }
        return (["---"] + head + ["---", "", text]).joined(separator: "\n") + "\n"
    }

    private mutating func read(_ line: Substring) {
        let text = line.trimmingSpace()
        if text.isEmpty || text.hasPrefix("#") { return }
        guard let colon = text.firstIndex(of: ":"),
            set(
                text[..<colon].trimmingSpace(),
                Self.unquoted(text[text.index(after: colon)...].trimmingSpace()))
        else {
            problems.append(text)
            return
        }
    }

    /// - Returns: whether it is a known setting with a valid value.
    private mutating func set(_ name: String, _ value: String) -> Bool {
        switch name {
        case "summary" where !value.isEmpty: summary = value
        case "model" where !value.isEmpty: model = value
        case "effort":
            guard let level = Effort(rawValue: value) else { return false }
            effort = level
        case "temperature":
            guard let number = Double(value), (0...2).contains(number) else { return false }
            temperature = number
        case "max_tokens":
            guard let number = Int(value), (1...1_000_000).contains(number) else { return false }
            maxOutputTokens = number
        case "writing_tool":
            guard let isOne = ["yes": true, "true": true, "no": false, "false": false][value] else {
                return false
            }
            isWritingTool = isOne
        default: return false
        }
        return true
    }

    private static func unquoted(_ value: String) -> String {
        guard value.count >= 2, let first = value.first, first == value.last,
            first == "\"" || first == "'"
        else { return value }
        return String(value.dropFirst().dropLast())
    }

    /// The value on one line, quoted if reading would change it.
    private static func written(_ value: String) -> String {
        let line = value.split { $0.isNewline }.joined(separator: " ").trimmingSpace()
        return unquoted(line) == line ? line : "\"\(line)\""
    }
}
