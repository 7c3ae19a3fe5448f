import Base

/// A message cut into words, without courtesies such as "um, could you please … , thanks".
/// Pure.
///
/// Contractions are spelled out ("what's" is "what is"), so that a pattern needs one form;
/// the text itself stays as typed.
package struct MessageText: Sendable {
    /// Limit in UTF-8 bytes. A longer message is a text about reminders, not a request for one.
    static let lengthLimit = 300

    private let bytes: [UInt8]
    private let ranges: [Range<Int>]
    package let words: [String]
    /// Whether it ends in a question mark and is not just a polite request.
    let isQuestion: Bool
    /// "no, …", "actually …": whether it corrects the last act.
    let isCorrection: Bool
    /// "can you …", "I want to …".
    let isRequest: Bool
    /// The text as typed, without courtesies.
    let text: String
    /// "… I meant", "…, sorry".
    let endsInCorrection: Bool

    package init(
        _ message: String, language: DateLocale.Language = .english, hasCourtesy: Bool = true
    ) {
        bytes = Array(message.utf8)
        var words: [String] = []
        var ranges: [Range<Int>] = []
        for token in Tokenizer.tokens(of: message, language: language) {
            for word in Self.expanded(token) {
                words.append(word)
                ranges.append(token.range)
            }
        }
        var isAsked = false
        var end = words.count
        func trimEnd() {
            while end > 0, ["?", "!", ".", ",", "…", ";"].contains(words[end - 1]) {
                // "1.8.-14.8."
                if end > 3, words[end - 1] == ".", words[end - 3] == ".", Int(words[end - 2]) != nil
                {
                    break
                }
                isAsked = isAsked || words[end - 1] == "?"
                end -= 1
            }
        }
        trimEnd()
        var (isRequest, isCorrection) = (false, false)
        while hasCourtesy, end > 1, let closing = Self.closing(words[..<end]) {
            end -= closing.length
            isCorrection = isCorrection || closing.isCorrection
            trimEnd()
        }
        endsInCorrection = isCorrection
        var start = 0
        while hasCourtesy, start < end {
            if [",", "!", ".", "…", "-", ";"].contains(words[start]) {
                start += 1
                continue
            }
            // "tell me what is on"
            if start + 2 < end, words[start] == "tell", words[start + 1] == "me",
                ["what", "when"].contains(words[start + 2])
            {
                start += 2
                break
            }
            guard
                let found = Lexicon.first({ $0.courtesy.match(words, from: start) }),
                found.end < end, !(words[found.end] == ":")
            else { break }
            if found.meaning == .wish, !Self.beginsChange(words, found.end) { break }
            // "no dentist tomorrow" is not a correction, "no make it 8" is.
            if found.meaning == .correction, found.end == start + 1, Self.denies(words, start),
                !Self.beginsOrder(words, found.end)
            {
                break
            }
            if found.meaning == .request || found.meaning == .wish { isRequest = true }
            if found.meaning == .correction { isCorrection = true }
            start = found.end
        }
        (self.words, self.ranges) = (Array(words[start..<end]), Array(ranges[start..<end]))
        isQuestion = isAsked && !isRequest
        (self.isRequest, self.isCorrection) = (isRequest, isCorrection)
        let first = self.ranges.first?.lowerBound ?? 0
        let last = self.ranges.last?.upperBound ?? 0
        text = String(decoding: bytes[first..<max(first, last)], as: UTF8.self)
    }

    /// Part of a message, in which no courtesies are looked for.
    static func plain(_ text: String) -> MessageText { MessageText(text, hasCourtesy: false) }

    /// The words in the range, as typed.
    func text(_ range: Range<Int>) -> String {
        guard range.lowerBound < range.upperBound, range.upperBound <= words.count else {
            return ""
        }
        let bytes = bytes[
            ranges[range.lowerBound].lowerBound..<ranges[range.upperBound - 1].upperBound]
        return Self.trimmed(String(decoding: bytes, as: UTF8.self))
    }

    func text(from start: Int) -> String { text(start..<words.count) }

    /// Start of a word, in UTF-8 bytes of the text.
    func offset(of index: Int) -> Int { ranges[index].lowerBound - ranges[0].lowerBound }

    /// The text without enclosing quotes and commas at its ends.
    private static func trimmed(_ text: String) -> String {
        var text = text[...].trimming { $0.isWhitespace || ",:".contains($0) }
        for (open, close) in [("\"", "\""), ("“", "”"), ("„", "“"), ("'", "'")]
        where text.count > 2 && text.hasPrefix(open) && text.hasSuffix(close) {
            text = text.dropFirst().dropLast()
        }
        return String(text)
    }

    /// Number of merely polite words at the end; nil if there are none, or if nothing else
    /// would be left.
    private static func closing(
        _ words: ArraySlice<String>
    ) -> (length: Int, isCorrection: Bool)? {
        let tail = Array(words.suffix(min(4, words.count - 1)))
        return tail.indices.lazy.compactMap { start in
            Lexicon.first { $0.closings.whole(Array(tail[start...])) }.map {
                (tail.count - start, $0)
            }
        }.first
    }

    /// Whether the word at the index negates what follows: "no dentist", "weck mich nicht
    /// um 7"; not "no, …", "room no 5", "don't forget".
    static func denies(_ words: [String], _ index: Int) -> Bool {
        guard
            Lexicon.has(.negations, words[index])
                || index == 0 && ["without", "ohne"].contains(words[0])
        else { return false }
        guard index + 1 < words.count, let next = words[index + 1].first else { return index > 0 }
        guard next.isLetter || next.isNumber && words[index] != "no" else { return false }
        return affirmed.match(words, from: index) == nil
    }

    private static let affirmed = PatternTable("affirmed") { _ in () }

    private static func beginsOrder(_ words: [String], _ start: Int) -> Bool {
        Lexicon.all.contains { lexicon in
            lexicon.changes.match(words, from: start) != nil || Lexicon.has(.subjects, words[start])
                || lexicon.leads.match(words, from: start)?.meaning == .reminder
                    && Lexicon.kind(of: words[start]) == nil
        }
    }

    private static func beginsChange(_ words: [String], _ start: Int) -> Bool {
        Lexicon.first { lexicon in
            lexicon.changes.match(words, from: start).flatMap { found in
                found.meaning.isListVerb
                    || [.cancel, .delete, .rename].contains(found.meaning.verb)
                    ? true : nil
            }
        } ?? false
    }

    private static func expanded(_ token: Token) -> [String] {
        if token.isPossessive, Lexicon.has(.beforeIs, token.text) { return [token.text, "is"] }
        return token.kind == .word ? contractions.whole([token.text]) ?? [token.text] : [token.text]
    }

    private static let contractions = PatternTable("contractions") {
        $0.cut(at: " ").map(String.init)
    }
}
