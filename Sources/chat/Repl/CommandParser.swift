import AgentCore

/// Tells a slash command from a message, and splits its words. Pure.
///
/// A line that starts with `/` is a command, unless its first word holds a
/// second slash: that is a path, and a message. `!` and `//` mean nothing. A few
/// words that are typed everywhere need no slash where they stand alone.
enum ReplLine: Equatable {
    case empty
    case message(String)
    /// `name` without the slash.
    case command(name: String, words: [String])

    private static let bare = ["exit", "quit", "help", "?"]

    static func parse(_ line: String) throws(UsageError) -> ReplLine {
        let trimmed = line.trimmingSpace()
        if trimmed.isEmpty { return .empty }
        if bare.contains(trimmed.lowercased()) {
            return .command(name: trimmed.lowercased(), words: [])
        }
        guard trimmed.first == "/" else { return .message(trimmed) }
        let first = trimmed.prefix { !$0.isWhitespace }
        if first.dropFirst().contains("/") || first == "/" { return .message(trimmed) }
        let words = try ShellWords.split(String(trimmed.dropFirst(first.count)))
        return .command(name: String(first.dropFirst()), words: words)
    }
}

/// Splits a line into words as a shell does, with quotes and backslashes and
/// nothing else: no variables, no globs.
enum ShellWords {
    static func split(_ line: String) throws(UsageError) -> [String] {
        var words: [String] = []
        var word = ""
        var hasWord = false
        var quote: Character?
        var isEscaped = false
        for character in line {
            if isEscaped {
                word.append(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
                hasWord = true
            } else if let open = quote {
                if character == open { quote = nil } else { word.append(character) }
            } else if character == "\"" || (character == "'" && word.isEmpty) {
                // An apostrophe inside a word ("don't") is a letter.
                quote = character
                hasWord = true
            } else if character.isWhitespace {
                if hasWord { words.append(word) }
                (word, hasWord) = ("", false)
            } else {
                word.append(character)
                hasWord = true
            }
        }
        if let quote { throw UsageError("The quote \(quote) is not closed.") }
        if isEscaped { word.append("\\") }
        if hasWord { words.append(word) }
        return words
    }
}
