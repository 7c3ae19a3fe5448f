import Base

/// Checks whether an answer claims an act of ours (set, moved, deleted, saved, sent) that no
/// successful call of its turn did. Pure; the words are in act-claims.txt.
///
/// The message decides what counts as a claim: after a request to do something, any act that is not
/// excluded; after a question, only an act that the answer says "I" did.
package struct ActClaims {
    private let words = ActClaimWords.shared
    private let request: ActClaimRequest
    private let answer: ActClaimText
    private let orders: [ActClaimOrder]
    /// Names of the successful calls that did something.
    private let done: [String]
    private let hasLookedUp: Bool
    private let asked: Set<String>
    private let negated: Bool
    /// Only the start of an answer is read: the words of 4 MB would be 100 MB in memory.
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
        orders = ActClaimRequest.orders(in: message, words: words)
        let text = turn.messages.filter { $0.role == .assistant }.map(\.text)
            .joined(separator: "\n")
        answer = ActClaimText(
            String(decoding: text.utf8.prefix(Self.limitInBytes), as: UTF8.self), words: words,
            dropsLetters: request.isText)
        let spoken = ActClaimText.words(message)
        negated = spoken.contains { [words] in
            words.has($0, in: .not) || $0.hasSuffix("n't")
        }
        asked = Set(
            spoken.filter { [words] in $0.count > 1 && !words.isSmall($0) }
                .flatMap { [$0, String($0.prefix(5))] })
    }

    package init(_ turn: Turn, _ registry: ToolRegistry) {
        self.init(turn) { registry.tool(named: $0).map { !$0.onlyLooksUp } ?? false }
    }

    package var areUnmet: Bool {
        isOrderUnmet || answer.sentences.contains(where: isUnmet)
    }

    private func isUnmet(_ sentence: ActClaimText.Sentence) -> Bool {
        var clauses = sentence.clauses
        // A question before a dash is not one: "I've set it – anything else?"
        if sentence.isQuestion, !clauses.isEmpty { clauses.removeLast() }
        return clauses.contains { tokens in
            var reader = ActClaimReader(
                tokens: tokens, words: words, isListItem: sentence.isListItem, isTheirs: isTheirs)
            reader.read()
            return reader.claims.contains { isClaim($0) && !isAccountedFor($0) }
        }
    }

    /// Whether an order that no call carried out is answered as if it was done.
    private var isOrderUnmet: Bool {
        let unmet = unmetOrders
        let own = answer.sentences.filter { $0.tokens.contains { $0.word != nil } }
        if answer.showsText || own.contains(where: leavesOpen) { return false }
        // The text is not shown: "It's in your letters".
        if request.isText, done.isEmpty {
            return own.count < 4
                && own.contains {
                    let claim = ActClaim(verb: .store, words: $0.tokens[...])
                    return claim.hasOwnPlace || claim.says("raus", "bescheid", "unterwegs")
                }
        }
        if unmet.isEmpty || own.isEmpty || answer.showsList && orders.contains(where: \.makes) {
            return false
        }
        if case .act = request, done.isEmpty, unmet.count == orders.count {
            return !unmet.allSatisfy(\.isWeak) || own.contains(where: tells)
        }
        // The rest of the answer is about something else.
        return
            (done.count < orders.count
            || orders.count == 1 && unmet.allSatisfy { $0.kind == .outward })
            && unmet.contains { order in
                let starts = Set(
                    order.words.filter { $0.count > 1 && !words.isSmall($0) }.map { $0.prefix(4) })
                let subjects = Set(order.words.compactMap(words.subject))
                return own.contains { sentence in
                    sentence.tokens.lazy.compactMap(\.word).contains { word in
                        starts.contains(word.text.prefix(4)) || word.has(.all)
                            || word.subject.map(subjects.contains) ?? false
                            || order.kind == .reminder
                                && (word.subject == .reminder || word.has(.promising))
                            || order.kind == .keeping && word.subject == .memory
                    }
                }
            }
    }

    /// Whether it speaks of an act or a state, as a word or a number that was asked for does not.
    private func tells(_ sentence: ActClaimText.Sentence) -> Bool {
        sentence.hasCheckMark
            || sentence.tokens.contains { token in
                guard let word = token.word else { return false }
                return word.has(.be) || word.has(.me) || word.has(.places) || word.has(.predicates)
                    || word.has(.promising) || word.has(.now)
                    || word.verb.map { $0 != .none && $0 != .look } ?? false
            }
    }

    /// The orders that no call can have carried out. A call that creates something does so for one.
    private var unmetOrders: [ActClaimOrder] {
        var calls = done
        return orders.filter { $0.kind != .any }.filter { !isServed($0, by: &calls) }
            + orders.filter { $0.kind == .any }.filter { !isServed($0, by: &calls) }
    }

    private func isServed(_ order: ActClaimOrder, by calls: inout [String]) -> Bool {
        guard let index = calls.firstIndex(where: { canServe(order, $0) }) else { return false }
        let isPart =
            order.words.contains { ["before", "vorher"].contains($0) } || order.words.count < 4
        if calls[index].hasPrefix("create_"), !isPart { calls.remove(at: index) }
        return true
    }

    private func canServe(_ order: ActClaimOrder, _ name: String) -> Bool {
        let kind = Self.kind(ofTool: name)
        let isMessage =
            kind == nil
            && ["mail", "post", "send", "chat"].contains { name.firstRange(of: $0) != nil }
        let removes = ["delete_", "complete_", "forget"].contains(where: name.hasPrefix)
        switch order.kind {
        case .any: return !isMessage
        case .outward: return kind == nil
        case _ where removes || isMessage: return false
        // An event rings by itself.
        case .reminder: return kind == .reminder || kind == .calendar || kind == nil
        case .keeping: return orders.count == 1 || kind != .calendar && kind != .reminder
        }
    }

    private func leavesOpen(_ sentence: ActClaimText.Sentence) -> Bool {
        // "Don't let me forget it." "I won't!"
        if negated, sentence.tokens.count < 4 { return false }
        return sentence.leavesOpen(hasLookedUp: hasLookedUp) { [asked] in
            negated && $0.text.count > 1 && asked.contains(String($0.text.prefix(5)))
        }
    }

    private func isTheirs(_ word: ActClaimWords.Word) -> Bool {
        word.subject != nil || word.has(.own) || word.has(.places)
            || ActClaimText.isItem(word.text) || asked.contains(String(word.text.prefix(5)))
    }

    /// Whether the claim counts for this kind of request. In a text that the user asked for,
    /// for example, such a sentence belongs to the text.
    private func isClaim(_ claim: ActClaim) -> Bool {
        if claim.verb == .look {
            return claim.isOurs && !hasLookedUp && done.isEmpty && claim.has(.sources)
        }
        let isKept =
            claim.hasOwnPlace || claim.words.contains { ActClaimText.isItem($0.word?.text ?? "") }
        let isShown =
            claim.has(.shown)
            || (claim.verb == .make || claim.says("put")) && claim.has(.shownWhenMade)
        let subject = claim.subjects.first
        switch request {
        case .nothing: return false
        case .information:
            return claim.isOurs && !isShown && claim.verb != .make
                && (claim.has(.have) || claim.says("you", "dich")) && (isKept || subject != nil)
        case .text(let isToBeKept):
            return isKept || isToBeKept && (claim.verb == .store || claim.verb == .send)
        case .act:
            if claim.isState && hasLookedUp { return false }
            if isKept { return true }
            if isShown || answer.showsText && subject == nil && claim.verb != .send { return false }
            if claim.verb != .make { return true }
            return claim.words.contains(.title)
                || subject.map { $0 != .library && $0 != .other }
                    ?? ((claim.isOurs || claim.has(.own)
                        || claim.words.first?.word?.isAuxiliary ?? false) && !answer.showsList)
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
        switch claim.verb {
        case .send where !claim.hasPlace:
            return !isElsewhere
        case .add where all("delete_", "complete_", "library_trash", "forget"):
            // Completing a repeating reminder sets the next one.
            if !claim.says("next", "nächste", "nächsten") { return false }
        case .move where all("create_", "library_save", "remember"): return false
        case .remove where !claim.says("from", "aus", "von"):
            if all("create_", "library_save", "remember", "edit_") { return false }
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

    /// The kind of thing that a tool of ours changes; nil for one that may change any.
    private static func kind(ofTool name: String) -> ActClaimWords.Subject? {
        if name == "remember" || name == "forget" { return .memory }
        let parts = name.split(separator: "_")
        if parts.count == 2, parts[1] == "reminder" { return .reminder }
        if parts.count == 2, parts[1] == "event" { return .calendar }
        if parts.last == "file" { return .other }
        return ["library", "writing", "letter", "story", "transcribe"].contains(parts.first)
            ? .library : nil
    }
}
