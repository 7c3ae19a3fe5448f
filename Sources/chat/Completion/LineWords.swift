/// The line before the cursor as the words a slash command would get, and the
/// raw text of the last one, for what is put in its place. Pure.
struct LineWords: Equatable {
    /// Whole words, unquoted.
    var words: [String] = []
    /// The one the cursor is in, unquoted.
    var current = ""
    /// As it stands in the line.
    var raw = ""

    /// The same rules as `ShellWords`, on a line that may end anywhere.
    init(_ line: some StringProtocol) {
        var quote: Character?
        var isEscaped = false
        for character in line {
            if quote == nil, !isEscaped, character.isWhitespace {
                if !raw.isEmpty { words.append(current) }
                (current, raw) = ("", "")
                continue
            }
            raw.append(character)
            if isEscaped {
                current.append(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil } else { current.append(character) }
            } else if character == "\"" || (character == "'" && current.isEmpty) {
                quote = character
            } else {
                current.append(character)
            }
        }
    }

    /// A word as it can be typed.
    static func quoted(_ word: String) -> String {
        word.reduce(into: "") { text, character in
            if character.isWhitespace || "\\\"'".contains(character) { text.append("\\") }
            text.append(character)
        }
    }
}
