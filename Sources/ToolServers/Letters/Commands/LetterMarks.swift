import Base

/// Marks the sentences of a letter that neither the résumé nor the advert supports. Pure.
/// The marks are for display and not part of the letter.
enum LetterMarks {
    /// The body with a mark after each of the sentences that it still contains.
    /// - Parameter sentences: each on one line, as in `ClaimCheck.Finding`.
    static func marked(_ body: String, _ sentences: [String]) -> String {
        sentences.reduce(body) { body, sentence in
            guard let range = range(of: sentence, in: body) else { return body }
            return body[..<range.upperBound] + " [\(WrittenLetter.mark)]"
                + body[range.upperBound...]
        }
    }

    static func remark(_ count: Int) -> StyledLine {
        StyledLine(
            "\(WrittenLetter.mark): \(Quantities.count(count, "sentence"))", .warning)
    }

    /// The range of a sentence, even if a line is wrapped between its words.
    private static func range(of sentence: String, in body: String) -> Range<String.Index>? {
        if let range = body.firstRange(of: sentence) { return range }
        let words = sentence.split(separator: " ")
        guard let first = words.first else { return nil }
        var start = body.startIndex
        while let begin = body[start...].firstRange(of: first) {
            var rest = body[begin.upperBound...]
            let isFound = words.dropFirst().allSatisfy { word in
                let text = rest.drop(while: \.isWhitespace)
                guard text.startIndex > rest.startIndex, text.hasPrefix(word) else { return false }
                rest = text.dropFirst(word.count)
                return true
            }
            if isFound { return begin.lowerBound..<rest.startIndex }
            start = begin.upperBound
        }
        return nil
    }
}
