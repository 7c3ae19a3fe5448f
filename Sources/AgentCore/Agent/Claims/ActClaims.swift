import Base

/// An act that no successful call of a turn did.
package enum UndoneAct: String, Sendable {
    /// The answer says that it was done.
    case claimed
    /// The message orders it; the answer may say anything.
    case ordered
}

/// Checks whether an answer claims an act of ours (set, moved, deleted, saved, sent) that no
/// successful call of its turn did. Pure; the words are in act-claims.txt.
///
/// The message decides what counts as a claim: after a request to do something, any act that is not
/// excluded; after a question, only an act that the answer says "I" did.
package struct ActClaims {
    private let words = ActClaimWords.shared
    private let request: ActClaimRequest
    private let answer: ActClaimText
    /// Names of the successful calls that did something.
    private let done: [String]
    private let hasLookedUp: Bool
    private let asked: Set<String>
    private let asksBack: Bool
    private let isOrder: Bool
    /// Maximum bytes of an answer that are read: the words of 4 MB would be 100 MB in memory.
    private static let limitInBytes = 128 << 10

    /// - Parameter acts: whether the tool of that name does something rather than look it up.
    package init(_ turn: Turn, acts: (String) -> Bool) {
        let message = turn.messages.first?.text ?? ""
        let successful = turn.messages.flatMap(\.parts).compactMap { part in
            if case .toolResult(let result) = part, !result.isError { result.name } else { nil }
        }
        done = successful.filter(acts)
        hasLookedUp = successful.contains { $0 != "find_tools" && !acts($0) }
        request = ActClaimRequest(message, words: words)
        let text = turn.messages.filter { $0.role == .assistant }.map(\.text)
            .joined(separator: "\n")
        answer = ActClaimText(
            String(decoding: text.utf8.prefix(Self.limitInBytes), as: UTF8.self), words: words)
        isOrder = ActClaimRequest.isOrder(message, words)
        asked = Set(
            ActClaimText.words(message).filter { [words] in $0.count > 1 && !words.isSmall($0) }
                .flatMap { [$0, String($0.prefix(5))] })
        asksBack = answer.sentences.contains(where: \.isQuestion)
    }

    package init(_ turn: Turn, _ registry: ToolRegistry) {
        self.init(turn) { registry.tool(named: $0).map { !$0.onlyLooksUp } ?? false }
    }

    package var undone: UndoneAct? {
        if case .nothing = request { return nil }
        let isClaimed = answer.sentences.enumerated().contains {
            isUnmet($0.element, at: $0.offset)
        }
        return isClaimed ? .claimed : isOrderUnmet ? .ordered : nil
    }

    private func isUnmet(_ sentence: ActClaimText.Sentence, at position: Int) -> Bool {
        var clauses = sentence.clauses
        // A question before a dash is not one: "I've set it – anything else?"
        if sentence.isQuestion, !clauses.isEmpty { clauses.removeLast() }
        if isAct, done.isEmpty, sentence.hasCheckMark, sentence.isFirstLine { return true }
        return clauses.contains { tokens in
            if isAct, done.isEmpty, isWhole(tokens, at: position) || isPromise(tokens) {
                return true
            }
            var reader = ActClaimReader(tokens: tokens, words: words, isTheirs: isTheirs)
            reader.read()
            return reader.claims.contains { isClaim($0) && !isAccountedFor($0) }
        }
    }

    /// Whether the message orders an act and no call did anything, whatever the answer claims,
    /// unless it refuses first, asks last, or shows a text.
    private var isOrderUnmet: Bool {
        switch request {
        case .act, .text(isKept: true): break
        default: return false
        }
        guard done.isEmpty, isOrder, !answer.showsText else { return false }
        let isRefusal = answer.sentences.first?.tokens.contains { $0.word?.isNegation ?? false }
        return !(isRefusal ?? false) && !(answer.sentences.last?.isQuestion ?? false)
    }

    private var isAct: Bool { if case .act = request { true } else { false } }

    private func isTheirs(_ word: ActClaimWords.Word) -> Bool {
        word.subject != nil || word.has(.own) || word.has(.places)
            || asked.contains(String(word.text.prefix(5)))
    }

    /// Whether the clause claims an act without naming it, as "Done!" does.
    private func isWhole(_ tokens: [ActClaimText.Token], at position: Int) -> Bool {
        if position > 1 { return false }
        return words.openers.contains(tokens.prefix { $0.word != nil }.compactMap { $0.word?.text })
    }

    /// Whether it promises a thing that requires an act: "I'll remind you", "you'll get a nudge".
    private func isPromise(_ tokens: [ActClaimText.Token]) -> Bool {
        !asksBack
            && tokens.split(separator: .comma).contains { isPromise(of: $0.compactMap(\.word)) }
    }

    private func isPromise(of all: [ActClaimWords.Word]) -> Bool {
        let will: [ActClaimWords.Word] = [
            "will", "'ll", "werde", "erinnere", "wecke", "melde", "stupse",
        ]
        let gets: [ActClaimWords.Word] = ["will", "'ll", "wirst", "bekommst", "erhältst", "expect"]
        let isUs = all.contains { $0.has(.me) }
        if isUs || all.first?.has(.things) ?? false || all.contains(where: { $0.subject != nil }),
            all.contains(where: will.contains), all.contains(where: { $0.has(.promising) })
        {
            return true
        }
        return !isUs && all.contains { ["you", "du", "expect"].contains($0) }
            && all.contains(where: gets.contains) && all.contains { $0.has(.received) }
    }

    /// Whether the claim counts for this kind of request. In a text that the user asked for,
    /// for example, such a sentence belongs to the text.
    private func isClaim(_ claim: ActClaim) -> Bool {
        if claim.verb == .look {
            return claim.isOurs && !hasLookedUp && done.isEmpty && claim.has(.sources)
        }
        let isShown = (claim.verb == .make || claim.says("put")) && claim.has(.shownWhenMade)
        let subject = claim.subjects.first
        switch request {
        case .nothing: return false
        case .information:
            if isShown || !claim.isOurs || claim.verb == .make { return false }
            return claim.verb != .other || claim.hasPlace || subject != nil && claim.has(.have)
        case .text(let isToBeKept): return claim.hasPlace || isToBeKept
        case .act where claim.isState && hasLookedUp: return false
        case .act:
            return !isShown && !(answer.showsText && subject == nil && claim.verb != .send)
        }
    }

    /// Whether a call of the turn can have done the claimed act.
    private func isAccountedFor(_ claim: ActClaim) -> Bool {
        if done.isEmpty { return false }
        let kinds = done.map(Self.kind)
        func all(_ prefixes: String...) -> Bool {
            done.allSatisfy { name in prefixes.contains { name.hasPrefix($0) } }
        }
        // The effect of an external server's tool is unknown.
        let isElsewhere = !done.contains { Self.kind(ofTool: $0) == nil && $0 != "undo_change" }
        let isOutside = claim.has(.outside) && claim.subjects.allSatisfy { $0 == .other }
        let isBooking =
            claim.has(.bookable) && claim.says("booked", "reserved", "gebucht", "reserviert")
        switch claim.verb {
        case .other where isOutside, .remove where isOutside:
            if isElsewhere { return false }
        case .send where !claim.hasPlace, .add where isBooking && !claim.hasPlace:
            return !isElsewhere
        case .add where all("delete_", "complete_", "library_trash", "forget"):
            // Completing a repeating reminder sets the next one.
            if !claim.says("next", "nächste", "nächsten") { return false }
        case .move where all("create_", "library_save", "remember"): return false
        case .remove where all("create_", "library_save", "remember", "edit_"): return false
        default: break
        }
        if kinds.contains(nil) { return true }
        let named = Set(
            claim.words.compactMap { $0.word }.filter { $0.has(.named) }.compactMap(\.subject))
        return named.isEmpty
            || kinds.contains { kind in
                kind.map(named.contains) ?? true || named.contains(.memory) && kind == .library
                    // An event has an alert of its own.
                    || kind == .calendar && named.contains(.reminder) && claim.verb != .remove
            }
    }

    /// The kind of thing that a built-in tool changes; nil if it may change any kind.
    private static func kind(ofTool name: String) -> ActClaimWords.Subject? {
        if name == "remember" || name == "forget" { return .memory }
        let parts = name.split(separator: "_")
        if parts.count == 2, parts[1] == "reminder" { return .reminder }
        if parts.count == 2, parts[1] == "event" { return .calendar }
        return ["library", "writing", "letter", "story", "transcribe"].contains(parts.first)
            ? .library : nil
    }
}
