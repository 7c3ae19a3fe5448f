import AgentCore
import Base

/// Distinguishes a slash command from a message, and splits its arguments. Pure.
///
/// A line that starts with `/` is a command, unless its first word contains a second slash:
/// then it is a path, and a message. `!` and `//` have no meaning. A few common words need
/// no slash if they stand alone.
package enum ReplLine: Equatable {
    case empty
    case message(String)
    /// `name` without the slash.
    case command(name: String, arguments: [String])

    private static let bare = ["exit", "quit", "help", "?"]

    package static func parse(_ line: String) throws(UsageError) -> ReplLine {
        let trimmed = line.trimmingSpace()
        if trimmed.isEmpty { return .empty }
        if bare.contains(trimmed.lowercased()) {
            return .command(name: trimmed.lowercased(), arguments: [])
        }
        guard trimmed.first == "/" else { return .message(trimmed) }
        let first = trimmed.prefix { !$0.isWhitespace }
        if first.dropFirst().contains("/") || first == "/" { return .message(trimmed) }
        let arguments = try ShellTokenizer.words(typed: String(trimmed.dropFirst(first.count)))
        return .command(name: String(first.dropFirst()), arguments: arguments)
    }
}
