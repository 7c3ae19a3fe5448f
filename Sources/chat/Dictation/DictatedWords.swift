/// What was said, made fit for the input line. Pure.
enum DictatedWords {
    /// The draft with the words at its end, a space in between. Nothing of
    /// them acts: no control characters, no line breaks, and no beginning that
    /// makes a command of what was only said.
    static func added(_ said: String, to draft: String) -> String {
        var words = fit(said)
        let isFirst = draft.allSatisfy(\.isWhitespace)
        while isFirst, let first = words.first, first == "/" || first == "~" || first == " " {
            words.removeFirst()
        }
        guard !words.isEmpty else { return draft }
        guard let last = draft.last, !last.isWhitespace else { return draft + words }
        return draft + " " + words
    }

    /// One line of printable text.
    static func fit(_ said: String) -> String {
        said.split(whereSeparator: \.isWhitespace).map { word in
            String(
                String.UnicodeScalarView(
                    word.unicodeScalars.filter {
                        $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)
                    }))
        }.filter { !$0.isEmpty }.joined(separator: " ")
    }
}
