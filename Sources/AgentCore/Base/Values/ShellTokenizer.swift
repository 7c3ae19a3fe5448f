/// Splits a line into words like a shell, with quotes and backslashes but no variables,
/// patterns or operators. Pure. Like a shell it reads code points: a quote that a combining mark
/// follows is still a quote.
package struct ShellTokenizer: Equatable, Sendable {
    /// The complete words, unquoted; without the last unfinished one.
    package private(set) var words: [String] = []
    /// The unfinished word at the end, unquoted; empty after a space.
    package private(set) var current = ""
    /// The unfinished word as written in the line.
    package private(set) var raw = ""
    /// The quote that is open at the end.
    private var quote: Unicode.Scalar?
    private var isEscaped = false

    /// - Parameter isTyped: whether the line was typed at the prompt, where an apostrophe
    ///   within a word is a letter ("don't").
    package init(_ line: some StringProtocol, isTyped: Bool) {
        for character in line.unicodeScalars {
            if quote == nil, !isEscaped, character.properties.isWhitespace {
                if !raw.isEmpty { words.append(current) }
                (current, raw) = ("", "")
                continue
            }
            let isFirst = raw.isEmpty
            raw.unicodeScalars.append(character)
            if isEscaped {
                // Within double quotes a backslash escapes only these (POSIX 2.2.3).
                if quote == "\"", !"\"\\$`".unicodeScalars.contains(character) {
                    current.append("\\")
                }
                current.unicodeScalars.append(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open {
                    quote = nil
                } else {
                    current.unicodeScalars.append(character)
                }
            } else if character == "\"" || character == "'" && (isFirst || !isTyped) {
                quote = character
            } else {
                current.unicodeScalars.append(character)
            }
        }
    }

    /// A copy in which the unfinished value of `--list=wo` is a separate word.
    package var atValue: ShellTokenizer {
        guard let (name, value) = Self.option(current), let value,
            let mark = raw.unicodeScalars.firstIndex(of: "=")
        else { return self }
        var line = self
        line.words.append(name)
        line.current = value
        line.raw = String(raw[raw.unicodeScalars.index(after: mark)...])
        return line
    }

    /// Splits `--list=work` into `--list` and its value; nil if the word is not a long
    /// option.
    package static func option(_ word: String) -> (name: String, value: String?)? {
        guard word.hasPrefix("--") else { return nil }
        guard let mark = word.unicodeScalars.firstIndex(of: "=") else { return (word, nil) }
        return (String(word[..<mark]), String(word[word.unicodeScalars.index(after: mark)...]))
    }

    private var all: [String] { raw.isEmpty ? words : words + [current] }

    /// The words of a line from a file; nil if a quotation or an escape is unfinished.
    package static func words(of line: String) -> [String]? {
        let line = ShellTokenizer(line, isTyped: false)
        return line.quote == nil && !line.isEscaped ? line.all : nil
    }

    /// The words of a line of the prompt.
    package static func words(typed line: String) throws(UsageError) -> [String] {
        var line = ShellTokenizer(line, isTyped: true)
        if let quote = line.quote { throw UsageError("The quote \(quote) is not closed.") }
        if line.isEscaped { line.current.append("\\") }
        return line.all
    }

    /// A word escaped for typing, without quotes around it: completion appends it to the
    /// line.
    package static func escaped(_ word: String) -> String {
        word.unicodeScalars.reduce(into: "") { text, character in
            if character.properties.isWhitespace || ["\\", "\"", "'"].contains(character) {
                text.append("\\")
            }
            text.unicodeScalars.append(character)
        }
    }

    /// A word quoted for copying into a POSIX shell, and to the prompt, where a quote within a word
    /// is a letter: so a word with an apostrophe has double quotes, in which bash would take a `!`.
    package static func quoted(_ word: String) -> String {
        let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@=+,%"
        if !word.isEmpty, word.allSatisfy(plain.contains) { return word }
        let scalars = word.unicodeScalars
        guard scalars.contains("'"), !scalars.contains("!") else {
            let parts = scalars.split(separator: "'", omittingEmptySubsequences: false)
            return "'" + parts.map { String($0) }.joined(separator: "'\\''") + "'"
        }
        return scalars.reduce(into: "\"") { text, character in
            if "\"\\$`".unicodeScalars.contains(character) { text.append("\\") }
            text.unicodeScalars.append(character)
        } + "\""
    }
}
