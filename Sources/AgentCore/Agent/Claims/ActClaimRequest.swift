import Base

/// The kind of request in a message: it decides which sentences of the answer can be claims.
enum ActClaimRequest {
    /// A request to act, or a statement that may be one.
    case act
    /// A request for information: a question, or something to look up.
    case information
    /// A request for a text: a draft, a story, a correction. The text claims nothing. `isKept` if
    /// it is to be stored as well.
    case text(isKept: Bool)
    /// A request for a translation, which is the whole answer, a question about what was done
    /// before, or thanks.
    case nothing

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
        let order = ActClaimText.words(message[..<colon])
        let all = given > 2 ? order : ActClaimText.words(message)
        let isKept = all.contains { words.has($0, in: .keep) } || Self.namesFile(message)
        // "Into French: …", "say it in German please".
        let end = order.filter { !["please", "bitte"].contains($0) }.suffix(2)
        if all.prefix(6).contains(where: { words.has($0, in: .translate) })
            || words.has(end.last ?? "", in: .languages)
                && ["in", "into", "auf", "ins"].contains(end.first)
        {
            self = isKept ? .text(isKept: true) : .nothing
            return
        }
        // An item of the library is changed where it is kept.
        if !all.contains(where: ActClaimText.isItem),
            message.contains("```") || text.contains(where: { words.has($0, in: .me) })
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
        for sentence in hasQuestion ? [] : Self.sentences(message) {
            // "Delete all that you know, …": a question has a question mark or begins like one.
            let last = sentence.parts.last ?? []
            let isAsked = sentence.isAsked || last.count == 1 && words.has(last[0], in: .lookUp)
            let parts = isAsked ? sentence.parts : Array(sentence.parts.prefix(1))
            guard let part = parts.first(where: { Self.isQuestion($0, words) }) else {
                self = .act
                return
            }
            hasQuestion = true
            // "Did you", "why have you".
            isPast =
                isPast || part.contains("chat") || part.contains("conversation")
                || zip(part, part.dropFirst()).contains {
                    words.has($0, in: .doneBefore)
                        && (words.has($1, in: .me) || words.has($1, in: .others))
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
            // "Play the shopkeeper, I'm the customer."
            || ["play", "spiel"].contains(all.first)
                && all.contains(where: { words.has($0, in: .me) })
        {
            return true
        }
        let text = all.lastIndex { words.has($0, in: .texts) }
        if let verb, hasText || text.map({ $0 != verb }) ?? false { return true }
        guard let first = all.first else { return false }
        return (text ?? 0) > 0
            && (hasText || ["a", "an", "ein", "eine"].contains(first) && (text ?? 0) < 3
                || (first == "make" || words.has(first, in: .lookUpFor))
                    && ["me", "mir"].contains(all.dropFirst().first))
    }

    /// Whether it is a question, or a request to look something up.
    private static func isQuestion(_ part: [String], _ words: ActClaimWords) -> Bool {
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
            return second == "man" || part.dropFirst(2).contains { words.has($0, in: .lookUp) }
        }
        // "Have flowers delivered", "don't let me forget".
        if word == "don't" || word == "have" && !words.has(second, in: .things) {
            return words.has(second, in: .me) || words.has(second, in: .others)
        }
        return words.has(word, in: .questions)
    }

    /// The sentences, each as its parts between commas.
    static func sentences(_ message: String) -> [(parts: [[String]], isAsked: Bool)] {
        // A full stop within a number ends nothing.
        let lines = message.replacing(". ", with: "\n").replacing("? ", with: "?\n")
        return lines.split { "!;\n".contains($0) }.map { sentence in
            let parts = sentence.split(separator: ",").map { part in
                Array(ActClaimText.words(part).drop { hellos.contains($0) })
            }
            return (parts.filter { !$0.isEmpty }, sentence.contains("?"))
        }.filter { !$0.0.isEmpty }
    }

    private static let hellos: Set<String> = [
        "and", "und", "or", "oder", "so", "ok", "okay", "hey", "hi", "hallo",
    ]
}

extension ActClaimText {
    /// Whether the word is an id of the library: `i12`.
    static func isItem(_ word: String) -> Bool {
        word.utf8.count > 1 && word.utf8.count < 8 && word.first == "i"
            && word.dropFirst().allSatisfy(\.isNumber)
    }
}
