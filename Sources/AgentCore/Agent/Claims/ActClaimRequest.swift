import Base

/// The kind of request in a message: it decides which sentences of the answer can be claims.
enum ActClaimRequest {
    /// A request to act, or a statement that may be one.
    case act
    /// A request for information: a question, or something to look up.
    case information
    /// A request for a text: a draft, a story, a correction; `isKept` if it is to be stored as
    /// well. The text claims nothing.
    case text(isKept: Bool)
    /// A question about what was done before, thanks for it, or a request for a translation: the
    /// answer claims nothing.
    case nothing

    var isText: Bool { if case .text = self { true } else { false } }

    init(_ message: String, words: ActClaimWords) {
        // Text given with the request, after a colon, requests nothing.
        let colon =
            message.indices.first { index in
                let next = message.index(after: index)
                return message[index].isNewline
                    || message[index] == ":" && next < message.endIndex && message[next] == " "
            } ?? message.endIndex
        let text = ActClaimText.words(message[colon...])
        let given = text.count
        let all = ActClaimText.words(given > 2 ? message[..<colon] : message[...])
        let isKept = all.contains { words.has($0, in: .keep) }
        // "Into French: …", but "auf die Liste: …".
        if all.prefix(6).contains(where: { words.has($0, in: .translate) }) {
            self = isKept ? .text(isKept: true) : .nothing
            return
        }
        // An item of the library is changed where it is kept.
        let isEdit =
            all.first { !words.has($0, in: .fillers) }.map { words.has($0, in: .edits) } ?? false
            && message.split(separator: " ").contains { $0.dropFirst().dropLast().contains(".") }
        if !all.contains(where: ActClaimText.isItem), !isEdit,
            text.contains(where: { words.has($0, in: .me) })
                && !all.contains(where: { words.has($0, in: .noting) })
                || Self.asksForText(
                    all, words, hasText: given > 0 || message.contains { "\"“„".contains($0) })
        {
            self = .text(isKept: isKept)
            return
        }
        if let word = all.first, words.has(word, in: .thanks),
            all.count < 5 || all.dropFirst().first.map({ ["for", "für"].contains($0) }) ?? false
        {
            self = .nothing
            return
        }
        // "Good morning" asks for nothing.
        var hasQuestion = all.count < 3 && words.has(all.first ?? "", in: .salutations)
        var isPast = false
        for sentence in hasQuestion ? [] : Self.sentences(message, words) {
            // "Delete all that you know, …": a question has its mark, or begins as one.
            let last = sentence.parts.last ?? []
            let isAsked = sentence.isAsked || last.count == 1 && words.has(last[0], in: .lookUp)
            let parts = isAsked ? sentence.parts : Array(sentence.parts.prefix(1))
            guard let part = parts.first(where: { Self.isQuestion($0, words) }) else {
                self = .act
                return
            }
            hasQuestion = true
            // "Did you", "why have you", "what was".
            isPast =
                isPast
                || zip(part, part.dropFirst()).prefix(3).contains { word, next in
                    words.has(word, in: .doneBefore)
                        && (words.has(next, in: .me) || words.has(next, in: .others))
                        || ["what", "was"].contains(word) && words.has(next, in: .doneBefore)
                }
        }
        self = !hasQuestion ? .act : isPast ? .nothing : .information
    }

    /// Whether a text is requested: with a verb of writing and a kind of text, or with the
    /// text to work on.
    private static func asksForText(
        _ all: [String], _ words: ActClaimWords, hasText: Bool
    ) -> Bool {
        let verb = all.firstIndex { words.has($0, in: .write) }
        if all.contains(where: { words.has($0, in: .fiction) })
            || all.starts(with: ["act", "as"])
            // "Play the shopkeeper, I'm the customer."
            || ["play", "spiel"].contains(all.first)
                && all.contains(where: { words.has($0, in: .me) })
        {
            return true
        }
        let text = all.lastIndex { words.has($0, in: .texts, asCompound: true) }
        if let verb, hasText || text.map({ $0 != verb }) ?? false { return true }
        guard let first = all.first else { return false }
        return (text ?? 0) > 0
            && (hasText
                || (first == "make" || words.has(first, in: .lookUpFor))
                    && ["me", "mir"].contains(all.dropFirst().first))
    }

    /// Whether it is a question, or a request to look something up.
    static func isQuestion(_ part: [String], _ words: ActClaimWords) -> Bool {
        guard let word = part.first else { return false }
        let second = part.count > 1 ? part[1] : ""
        // "Tell me in an hour" and "sag mir Bescheid" ask for a reminder.
        if words.has(word, in: .lookUpFor), ["me", "us", "mir", "mich", "uns"].contains(second) {
            return !part.contains { $0 == "bescheid" || $0 != "an" && words.has($0, in: .units) }
        }
        // "Am I …?", but German "am Montag"; "bin ich …?", but English "bin i18".
        if word == "am" || word == "bin" { return words.has(second, in: .me) }
        // "Do it", but "do I have to?"
        if word == "do" { return words.has(second, in: .me) || words.has(second, in: .others) }
        if words.has(word, in: .lookUp) {
            // "Turn it off", "nenn es um", "read on".
            return !part.contains("off") && !part.contains("um") && part.last != "on"
                && !(words.has(second, in: .things) && word.hasPrefix("nenn"))
        }
        if words.has(word, in: .askedToDo) {
            return part.dropFirst(2).contains { words.has($0, in: .lookUp) }
        }
        // "Have flowers delivered", "don't let me forget".
        if word == "don't" || word == "have" && !words.has(second, in: .things) {
            return words.has(second, in: .me) || words.has(second, in: .others)
        }
        return words.has(word, in: .questions)
            && !["about", "wär's", "wäre"].contains(second)
    }

    /// The sentences, each as its parts between commas and colons.
    static func sentences(
        _ message: String, _ words: ActClaimWords
    ) -> [(parts: [[String]], isAsked: Bool)] {
        ActClaimText(message, words: words).sentences.map { sentence in
            let parts = sentence.tokens.split { $0 == .comma || $0 == .gap }.map { part in
                Array(part.compactMap { $0.word?.text }.drop { hellos.contains($0) })
            }
            return (parts.filter { !$0.isEmpty }, sentence.isQuestion)
        }.filter { !$0.0.isEmpty }
    }

    private static let hellos: Set<String> = [
        "and", "und", "or", "oder", "so", "ok", "okay", "hey", "hi", "hallo", "please",
        "bitte", "pls",
    ]
}

extension ActClaimText {
    /// Whether the word is an id of the library: `i12`.
    static func isItem(_ word: String) -> Bool {
        word.utf8.count > 1 && word.utf8.count < 8 && word.first == "i"
            && word.dropFirst().allSatisfy(\.isNumber)
    }
}
