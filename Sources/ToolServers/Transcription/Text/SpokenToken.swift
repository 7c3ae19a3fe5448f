/// A word of a text in the form compared with another recognition of it:
/// letters and digits, ignoring case. In scripts without spaces each character
/// is one. Pure.
struct SpokenToken: Equatable {
    /// The compared text; never empty.
    var key: String
    /// The beginning of the token in its text. It extends to the beginning of the next one, so that
    /// punctuation and spaces belong to the word before them.
    var start: String.Index
    /// The end of its letters.
    var end: String.Index

    static func tokens(of text: String) -> [SpokenToken] {
        var tokens: [SpokenToken] = []
        var start: String.Index?
        var key = ""
        func close(at end: String.Index) {
            if let begun = start, !key.isEmpty {
                tokens.append(SpokenToken(key: key, start: begun, end: end))
            }
            start = nil
            key = ""
        }
        var index = text.startIndex
        while index < text.endIndex {
            let character = text[index]
            let next = text.index(after: index)
            if character.isWhitespace {
                close(at: index)
            } else if character.isLetter || character.isNumber {
                if TranscriptText.isSpaceless(character) {
                    close(at: index)
                    tokens.append(
                        SpokenToken(key: character.lowercased(), start: index, end: next))
                } else {
                    if start == nil { start = index }
                    key += character.lowercased()
                }
            } else if key.isEmpty, start == nil, !TranscriptText.isSpaceless(character) {
                // An opening quote or bracket begins its word.
                start = index
            } else if TranscriptText.isSpaceless(character) {
                close(at: index)
            }
            index = next
        }
        close(at: text.endIndex)
        return tokens
    }
}
