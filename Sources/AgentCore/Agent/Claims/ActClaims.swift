import Base

/// Checks whether an answer claims an act of ours (set, moved, deleted, saved, sent) that no
/// successful call of its turn did. Pure; the words are in act-claims.txt.
///
/// It reads only the model's own sentences and knows no grammar beyond who acts. If in
/// doubt it reports nothing: a notice below an answer that was true is a false accusation.
package struct ActClaims {
    typealias Act = ActClaimWords.Act

    private let words = ActClaimWords.shared
    private let request: ActClaimRequest
    private let answer: ActClaimText
    /// Names of the successful calls that did something.
    private let done: [String]
    private let hasLookedUp: Bool
    private let asked: Set<String>
    private let asksBack: Bool
    /// Only the start of an answer is read: the words of 4 MB would be 100 MB in memory.
    private static let limitInBytes = 128 << 10

    /// - Parameter acts: whether the tool of that name does something rather than look it up.
    package init(_ turn: Turn, acts: (String) -> Bool) {
        let message = turn.messages.first?.text ?? ""
        let successful = turn.messages.flatMap(\.parts).compactMap { part in
            if case .toolResult(let result) = part, !result.isError { result.name } else { nil }
        }
        done = successful.filter(acts)
        hasLookedUp = successful.count > done.count
        request = ActClaimRequest(message, words: words)
        let text = turn.messages.filter { $0.role == .assistant }.map(\.text)
            .joined(separator: "\n")
        var dropsLetters = false
        if case .text = request { dropsLetters = true }
        answer = ActClaimText(
            String(decoding: text.utf8.prefix(Self.limitInBytes), as: UTF8.self), words: words,
            dropsLetters: dropsLetters)
        asked = Set(
            ActClaimText.words(message).filter { [words] in $0.count > 1 && !words.isSmall($0) }
                .flatMap { [$0, String($0.prefix(5))] })
        asksBack = answer.sentences.contains(where: \.isQuestion)
    }

    package init(_ turn: Turn, _ registry: ToolRegistry) {
        self.init(turn) { registry.tool(named: $0).map { !$0.onlyLooksUp } ?? false }
    }

    package var areUnmet: Bool {
        if case .translation = request { return false }
        return answer.sentences.enumerated().contains { isUnmet($0.element, at: $0.offset) }
    }

    private func isUnmet(_ sentence: ActClaimText.Sentence, at position: Int) -> Bool {
        var clauses = sentence.clauses
        // A question before a dash is not one: "I've set it – anything else?"
        if sentence.isQuestion, !clauses.isEmpty { clauses.removeLast() }
        if isAboutThePast(sentence.tokens) { return false }
        if isAct, done.isEmpty, sentence.hasCheckMark, sentence.isFirstLine { return true }
        return clauses.contains { tokens in
            if isAct, done.isEmpty, isWhole(tokens, at: position) { return true }
            if isWeak(tokens) { return false }
            var reader = ActClaimReader(
                tokens, words: words, isListItem: sentence.isListItem,
                isTheirs: { asked.contains(String($0.prefix(5))) })
            reader.read()
            return reader.claims.contains { isClaim($0) && !isAccountedFor($0) }
        }
    }

    private var isAct: Bool { if case .act = request { true } else { false } }

    /// Whether the clause claims an act without naming it, as "Done!" does, or promises what
    /// takes an act: "I'll remind you at nine."
    private func isWhole(_ tokens: [ActClaimText.Token], at position: Int) -> Bool {
        let start = tokens.prefix { $0.word != nil }.compactMap { $0.word?.text }
        if position < 2,
            words.openers.contains(where: { start == $0 || start.starts(with: $0 + ["for"]) })
        {
            return true
        }
        let all = tokens.compactMap(\.word)
        if asksBack
            || all.contains(where: { words.has($0, in: .asks) || words.has($0, in: .conditions) })
        {
            return false
        }
        if position < 2, words.has(all.first ?? "", in: .progress),
            !all.contains(where: { words.has($0, in: .be) || words.has($0, in: .modal) })
        {
            return true
        }
        guard all.contains(where: \.mayPromise) else { return false }
        return words.promises.contains { phrase in
            all.indices.contains { all[$0...].starts(with: phrase) { $0.text == $1 } }
        }
    }

    /// Whether it is "Noted!" or the like, which only means "I see".
    private func isWeak(_ tokens: [ActClaimText.Token]) -> Bool {
        tokens.count < 4 && tokens.contains { words.has($0.word ?? "", in: .weak) }
            && !asked.contains { words.has($0, in: .noting) }
    }

    /// Whether it tells of what was before, or what words mean.
    private func isAboutThePast(_ tokens: [ActClaimText.Token]) -> Bool {
        tokens.indices.contains { index in
            guard let word = tokens[index].word else { return false }
            let after = index + 1 < tokens.count ? tokens[index + 1] : .gap
            let next = after.word ?? ""
            if words.has(word, in: .last) && words.has(next, in: .pastOf) { return true }
            // Moved by an hour, from yesterday's list, or as before: now.
            let before = index > 0 ? tokens[index - 1].word ?? "" : ""
            // "In 2019", "wurde 2019".
            if word.text.count == 4, word.text.hasPrefix("19") || word.text.hasPrefix("20"),
                ["in", "seit", "since", "was", "were", "wurde", "wurden"].contains(before)
            {
                return true
            }
            // "Auf Englisch heißt „…“: I saved it."
            if after == .title, ["heißt", "means"].contains(word) { return true }
            // "As your butler, I have sent the carriage."
            if index == 0, ["as", "als"].contains(word), words.has(next, in: .own),
                tokens.count > 3, tokens[3] == .comma, tokens[2].word?.subject == nil,
                !["assistant", "assistent"].contains(tokens[2].word)
            {
                return true
            }
            return words.has(word, in: .past) && next != "'s" && !words.has(before, in: .units)
                && !["as", "than", "wie", "als"].contains(before)
        }
    }

    /// Whether the claim counts for this kind of request. In a text that the user asked for,
    /// for example, such a sentence belongs to the text.
    private func isClaim(_ claim: ActClaimReader.Claim) -> Bool {
        let isKeptThing = claim.hasOwnPlace || claim.hasItem
        switch request {
        case .translation: return false
        case .past: return claim.isOurs && claim.hasNow
        case .information:
            if !claim.isOurs || claim.isShown || !claim.isPerfect && !claim.isForUser {
                return false
            }
            return isKeptThing || (claim.subject != nil || claim.isForUser) && claim.act != .make
        case .text(let isKept):
            return isKeptThing || isKept && (claim.act == .store || claim.act == .send)
        case .act:
            if claim.isState, hasLookedUp { return false }
            if isKeptThing { return true }
            if claim.isShown
                || answer.showsText && claim.subject == nil && claim.act != .send
            {
                return false
            }
            if claim.act != .make { return true }
            return claim.hasTitle
                || claim.subject.map { $0 != .library && $0 != .other } ?? claim.hasKeptNoun
        }
    }

    /// Whether a call of the turn can have done it.
    private func isAccountedFor(_ claim: ActClaimReader.Claim) -> Bool {
        let kinds = done.map(Self.kind)
        if kinds.isEmpty { return false }
        if kinds.contains(nil) { return true }
        if claim.act == .send, !claim.hasPlace { return false }
        if claim.adds,
            done.allSatisfy({ $0.hasPrefix("delete_") || $0.hasPrefix("complete_") })
        {
            return false
        }
        if claim.act == .remove, !claim.wasTakenOff,
            done.allSatisfy({ $0.hasPrefix("create_") || $0 == "library_save" || $0 == "remember" })
        {
            return false
        }
        return claim.named.isEmpty
            || kinds.contains { kind in
                kind.map { claim.named.contains($0) } ?? true
                    // An event rings by itself.
                    || kind == .calendar && claim.named.contains(.reminder) && claim.act != .remove
            }
    }

    /// The kind of thing that a tool of ours changes; nil for one that may change any.
    private static func kind(ofTool name: String) -> ActClaimWords.Subject? {
        if name.contains("reminder") { return .reminder }
        if name.contains("event") { return .calendar }
        if name == "remember" || name == "forget" { return .memory }
        let library = ["library_", "writing_", "letter_", "story_", "transcribe_"]
        return library.contains { name.hasPrefix($0) } ? .library : nil
    }
}
