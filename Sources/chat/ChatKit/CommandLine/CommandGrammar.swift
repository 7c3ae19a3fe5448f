import AgentCore
import Base
import ToolServers

/// How commands are named where a hint is shown: what is `/undo` at the prompt
/// is `chat undo` in the shell. The one place that knows; hints are written in
/// either of the two and rendered here. Pure.
package enum CommandGrammar: Sendable {
    case shell, prompt

    /// What people type who know other programs, or the other place.
    private static let elsewhere = [
        "clear": "/new", "reset": "/new", "cost": "/usage", "context": "/usage",
        "status": "/doctor", "settings": "/config", "history": "/resume", "todo": "/reminders",
        "login": "/keys set claude", "logout": "/keys remove", "model": "/models",
        "completion": "chat completion", "man": "chat man",
    ]

    /// The existing command that an unknown word probably means; nil if no name is close.
    package func meant(by word: String, among names: [String]) -> String? {
        let word = word.lowercased()
        if let known = Self.elsewhere[word] { return text(known) }
        // The prompt's own commands are such words in the shell.
        if self == .shell, let command = Self.inShell(word[...]) {
            return command.hasPrefix("-") ? "chat \(command)" : command
        }
        return NearestWord.find(word, among: names)
            .map { self == .shell ? "chat \($0)" : "/\($0)" }
    }

    // MARK: - Hints

    /// Only hints are changed: a title may hold a slash of its own.
    /// - Parameter columns: of the window they are shown in, to which what is said of the
    ///   outcome is folded; nil for a file.
    package func lines(_ lines: [StyledLine], columns: Int? = nil) -> [StyledLine] {
        let outcomes: [StyledLine.Style] = [.success, .warning, .failure]
        // At the prompt what was done looks as it does where no slash was typed.
        let isIndented =
            self == .prompt && lines.first?.spans.first?.style == .success
            && lines.first?.text.hasPrefix(" ") == false
        let named = (isIndented ? lines.map(\.indented) : lines).map { line in
            StyledLine(
                line.spans.map { span in
                    guard span.style == .hint else { return span }
                    return StyledLine.Span(text(span.text), span.style, file: span.file)
                })
        }
        guard let columns else { return named }
        return named.flatMap { line in
            let first = line.spans.first { $0.text.contains { $0 != " " } }
            return first.map { outcomes.contains($0.style) } ?? false
                ? line.folded(to: max(16, columns - 1)) : [line]
        }
    }

    /// What is said beside the output: remarks, then notices.
    /// - Parameter columns: of the window they are shown in; nil for a file.
    package func asides(_ output: CommandOutput, columns: Int?) -> [StyledLine] {
        let all = lines(output.remarks) + output.notices.map { StyledLine(text($0), .warning) }
        guard let columns else { return all }
        return all.flatMap { $0.folded(to: max(16, columns - 1)) }
    }

    /// What happened may quote others; what to do is our text.
    package func diagnostic(_ diagnostic: Diagnostic) -> Diagnostic {
        var diagnostic = diagnostic
        diagnostic.todo = diagnostic.todo.map(text)
        if diagnostic.namesCommands { diagnostic.what = text(diagnostic.what) }
        diagnostic.namesCommands = false
        return diagnostic
    }

    func text(_ text: String) -> String {
        self == .shell
            ? Self.replacing("/", in: text, by: Self.inShell)
            : Self.isForShell(text) ? text : Self.replacing("chat ", in: text, by: Self.atPrompt)
    }

    /// A line that only a shell reads, or one that says where it is typed.
    private static func isForShell(_ text: String) -> Bool {
        [" < ", " > ", " | ", " &", "in the shell"].contains { text.contains($0) }
    }

    private static func inShell(_ word: Substring) -> String? {
        if nouns.contains(String(word)) { return "chat \(word)" }
        let words = SlashCommand.words(of: String(word))
        let line = words.joined(separator: " ")
        return switch SlashCommand(rawValue: line) {
        case .new: "chat -n"
        case .resume: "chat -r"
        case .help: "chat --help"
        case .rename, .fork, .search, .delete, .export: "chat conversations \(word)"
        case .done, .snooze: "chat reminders \(word)"
        case .use: "chat -P"
        case .model, .effort, .thinking, .role, .redact, .attach, .open: "--\(word)"
        case nil where nouns.contains(words[0]): "chat \(line)"
        default: nil
        }
    }

    private static func atPrompt(_ word: Substring) -> String? {
        switch word {
        case "-n", "--new": "/new"
        case "-r", "--resume": "/resume"
        case "help", "--help": "/help"
        default: nouns.contains(String(word)) ? "/\(word)" : nil
        }
    }

    /// Replaces the mark and the word after it, where both stand by themselves.
    private static func replacing(
        _ mark: String, in text: String, by replacement: (Substring) -> String?
    ) -> String {
        var result = ""
        var rest = text[...]
        while let found = rest.firstRange(of: mark) {
            let word = rest[found.upperBound...].prefix { $0.isLetter || $0 == "-" }
            let before =
                found.lowerBound == text.startIndex
                ? " " : text[text.index(before: found.lowerBound)]
            let after = rest[word.endIndex...]
            // "/undo/x", "/undo.md" and "/undo_1" are paths.
            let isPath =
                after.first.map { "/_".contains($0) || $0.isNumber } ?? false
                || (after.first == "." && after.dropFirst().first.map { !$0.isWhitespace } ?? false)
            let isFree = " (\"".contains(before) && !isPath
            result += rest[..<found.lowerBound]
            if isFree, let name = replacement(word) {
                result += name
                rest = after
            } else {
                result += mark
                rest = rest[found.upperBound...]
            }
        }
        return result + rest
    }
}

extension CommandGrammar {
    /// The commands that both places have.
    package static let nouns =
        ServerNouns.all + [RecordOptions.noun, SayOptions.noun, KeysCommand.noun]
        + ProgramNoun.allCases.map(\.rawValue)
}

/// The nouns of the program's own commands that are made above this target.
package enum ProgramNoun: String, CaseIterable {
    case conversations, mcp, models, usage, tools, config, doctor
}
