/// Splits a line into words as a shell would, with quotes and backslashes and
/// nothing else: no variables, no patterns, no operators.
enum CommandWords {
    /// - Returns: nil where a quote or a backslash is left open.
    static func split(_ line: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in line {
            if isEscaped {
                // Within double quotes a backslash holds only these (POSIX 2.2.3).
                if quote == "\"", character != "\"", character != "\\" { word?.append("\\") }
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
                word = word ?? ""
            } else if let open = quote {
                if character == open { quote = nil } else { word?.append(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character.isWhitespace {
                if let finished = word { words.append(finished) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if quote != nil || isEscaped { return nil }
        if let finished = word { words.append(finished) }
        return words
    }
}
