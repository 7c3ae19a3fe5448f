import Base

/// Parses one part of a sentence, up to a colon or dash, into its claim: who did what.
struct ActClaimReader {
    private enum Actor {
        case us, other, thing
    }

    private struct Clause {
        var actor: Actor?
        var has = false
        var isBe = false
        var isModal = false
        var isNegated = false
        var isBlocked = false
        var isDone = false
        var isGerman = false
        /// Index of its first word.
        var start = 0
        /// Index of its first word or, if a list belongs to it, of that of the list: "Ideas 1,
        /// 4 and 5 have".
        var lead = 0

        var isBare: Bool {
            (actor == nil || actor == .thing) && !has && !isBe && !isModal && !isDone
        }
    }

    private let tokens: [ActClaimText.Token]
    private let words: ActClaimWords
    private let isListItem: Bool
    /// Whether the user's message has the word.
    private let isTheirs: (String) -> Bool
    private var clause = Clause()
    /// Whether there was a condition: "once saved, it is applied".
    private var isGeneral = false
    /// Number of words looked at before and after a verb.
    private static let reach = 30
    /// Index after the last comma or conjunction.
    private var fresh = 0
    private(set) var claims: [Claim] = []

    init(
        _ tokens: [ActClaimText.Token], words: ActClaimWords, isListItem: Bool,
        isTheirs: @escaping (String) -> Bool
    ) {
        self.tokens = tokens
        self.words = words
        self.isListItem = isListItem
        self.isTheirs = isTheirs
    }

    mutating func read() {
        for index in tokens.indices { read(at: index) }
        endWindow(at: tokens.count)
    }

    private mutating func read(at index: Int) {
        guard let word = tokens[index].word else {
            if tokens[index] == .comma { boundary(at: index, isComma: true) }
            return
        }
        let before = self.word(index - 1)
        let next = self.word(index + 1)
        let isFirst = index == fresh
        let startsVerb =
            words.has(next, in: .have) || words.has(next, in: .be)
            || words.has(next, in: .modal)
        if words.has(word, in: .me) {
            begin(.us, at: index, before)
        } else if words.has(word, in: .others), isFirst || startsVerb || isAuxiliary(before) {
            begin(.other, at: index, before)
        } else if words.has(word, in: .relative)
            || word == "that" && !startsVerb && next.act != nil
        {
            begin(.other, at: index, "")
        } else if words.has(word, in: .things), startsVerb || isFirst && word != "that" {
            begin(.thing, at: index, before)
        } else if words.has(word, in: .conditions),
            isFirst || before == "only" || before == "nur" || words.has(next, in: .me)
                || words.has(next, in: .others)
                || words.has(next, in: .things) || word == "soon" && next == "as"
        {
            clause = Clause(isBlocked: true, start: index)
            isGeneral = true
        } else if isFirst,
            words.has(word, in: .instructions)
                || words.has(word, in: .instructionsWith)
                    && (words.has(next, in: .things) || words.has(next, in: .articles))
        {
            clause = Clause(isBlocked: true, start: index)
            isGeneral = isGeneral || index == 0
        } else if words.has(word, in: .and) {
            boundary(at: index, isComma: false)
        } else if words.has(word, in: .not) || word.text.hasSuffix("n't") {
            clause.isNegated = true
        } else if words.has(word, in: .modal) {
            nounBegins(at: index)
            clause.isModal = true
        } else if words.has(word, in: .have) {
            // "Habe den Termin verschoben."
            if isFirst, ["habe", "hab"].contains(word) || word == "have" && next.act != nil {
                begin(.us, at: index, before)
            }
            nounBegins(at: index)
            clause.has = true
            clause.isGerman = word.text.hasPrefix("ha") && !words.has(word, in: .englishHave)
        } else if words.has(word, in: .be)
            || words.has(word, in: .went) && clause.actor != .us
        {
            // "The note, which you gave me, is deleted": the main clause goes on.
            if isFirst, clause.actor == .other { clause = Clause(start: index, lead: index) }
            nounBegins(at: index)
            clause.isBe = true
            clause.isGerman = words.has(word, in: .germanBe)
        }
        if let act = act(at: index, word) { verb(act, word, at: index) }
        if clause.actor == .us, words.has(word, in: .infinitives), !clause.isNegated,
            canDo(before: index)
        {
            add(.change, at: index, isPerfect: true)
        }
    }

    private func word(_ index: Int) -> ActClaimWords.Word {
        tokens.indices.contains(index) ? tokens[index].word ?? "" : ""
    }

    private func isAuxiliary(_ word: ActClaimWords.Word) -> Bool {
        words.has(word, in: .have) || words.has(word, in: .modal) || words.has(word, in: .be)
    }

    /// Begins a clause at a pronoun. After its verb, as in German or a question, it
    /// inherits the facts about the verb.
    private mutating func begin(_ actor: Actor, at index: Int, _ before: ActClaimWords.Word) {
        if isAuxiliary(before) {
            clause.actor = actor
        } else {
            clause = Clause(actor: actor, isBlocked: clause.isBlocked, start: index, lead: index)
        }
    }

    /// Begins a clause at a verb after a noun that was not yet taken as its subject or
    /// object.
    private mutating func nounBegins(at index: Int) {
        if fresh > clause.start, index > fresh || clause.actor == nil, !clause.isBare {
            clause = Clause(
                actor: .thing, isBlocked: clause.isBlocked, start: fresh, lead: fresh)
        } else if clause.actor == nil {
            clause.actor = .thing
        }
    }

    private mutating func boundary(at index: Int, isComma: Bool) {
        endWindow(at: index)
        fresh = index + 1
        if isComma { clause.isBlocked = false }
        // "No problem," or "Sure,": says nothing of what follows.
        if clause.isBare {
            clause = Clause(isBlocked: clause.isBlocked, start: fresh, lead: clause.lead)
        }
    }

    private func act(at index: Int, _ word: ActClaimWords.Word) -> ActClaimWords.Act? {
        if let particles = words.particles[word.text] {
            let window = (max(0, index - 6)..<min(tokens.count, index + 9))
            if window.contains(where: { particles.contains(self.word($0).text) }) {
                let act = word.act ?? .change
                return act == .make ? .change : act
            }
        }
        return word.act
    }

    private mutating func verb(_ act: ActClaimWords.Act, _ word: ActClaimWords.Word, at index: Int)
    {
        let before = self.word(index - 1)
        let isInfinitive = words.has(word, in: .actsAsInfinitive)
        if clause.isBlocked || clause.isNegated || clause.isModal
            || isNegated(after: index)
            || words.has(before, in: .articles)
                && !(index == tokens.count - 1 && words.has(before, in: .things))
            || words.has(before, in: .own) || isInfinitive && before == "to"
        {
            if !clause.isNegated || clause.actor != nil { clause.isDone = true }
            return
        }
        defer { clause.isDone = true }
        // "And Tom moved": a subject of its own, which has no auxiliary to tell.
        if fresh > clause.start, !clause.isGerman,
            (fresh..<index).contains(where: {
                let word = self.word($0)
                return !isAuxiliary(word) && !words.has(word, in: .adverbs)
            })
        {
            return
        }
        switch clause.actor {
        case .us where clause.has || !clause.isBe:
            add(act, at: index, isPerfect: clause.has)
        case .thing
        where clause.isBe && !isGeneral && !isByOthers(after: index) && !isAlready(before: index):
            if !clauseIsOurs(upTo: index) { return }
            add(act, at: index, isPerfect: false, isOurs: false)
        // "You've been taken off the list."
        // "Everyone has been told."
        case .other
        where clause.isBe && clause.has
            && (["you", "du"].contains(self.word(clause.start))
                || act == .send && words.has(self.word(clause.start), in: .all)):
            add(act, at: index, isPerfect: false, isOurs: false)
        case nil where !clause.isDone || fresh == index:
            if isElliptical(at: index, isInfinitive) {
                add(act, at: index, isPerfect: false, isOurs: false)
            }
        default: break
        }
    }

    /// "Set nothing"; "abgesagt wurde nichts".
    private func isNegated(after index: Int) -> Bool {
        let isInverted = fresh == index && isAuxiliary(word(index + 1))
        return (index + 1..<(isInverted ? windowEnd(after: index + 1) : index + 2)).contains {
            words.has(word($0), in: .not)
        }
    }

    /// Whether the verb claims an act without a subject or an auxiliary: "Saved!", "Reminder
    /// set for nine".
    private func isElliptical(at index: Int, _ isInfinitive: Bool) -> Bool {
        if index > clause.start + 7 || isGeneral { return false }
        let lead = (clause.start..<index).filter { tokens[$0] != .comma }
        let isFirst = lead.allSatisfy { words.has(word($0), in: .adverbs) }
        // "Deleted photos are kept for a month."
        if isFirst, !words.has(word(index + 1), in: .articles),
            (index + 2..<max(index + 2, windowEnd(after: index))).contains(where: {
                words.has(word($0), in: .be)
            })
        {
            return false
        }
        if isFirst { return !isInfinitive || !isListItem && word(index + 1) == "for" }
        if words.has(word(lead[0]), in: .articles) { return false }
        // "The option added in 2.1 is …"
        let rest = index + 1..<min(tokens.count, index + 12)
        if rest.contains(where: { isAuxiliary(word($0)) && word($0) != "'s" }) { return false }
        return lead.contains { isThing($0) }
    }

    private func isThing(_ index: Int) -> Bool {
        if tokens[index] == .title { return true }
        guard let word = tokens[index].word else { return false }
        return word.subject != nil || words.has(word, in: .own)
            || words.has(word, in: .places) || ActClaimText.isItem(word.text) || isTheirs(word.text)
    }

    private func clauseIsOurs(upTo index: Int) -> Bool {
        let window = max(clause.lead, index - Self.reach)..<windowEnd(after: index)
        // "Ist eingetragen."
        return isAuxiliary(word(clause.start)) || words.has(word(clause.start), in: .things)
            || window.contains { isThing($0) }
            || window.contains { words.has(word($0), in: .things) }
            || window.contains {
                word($0) == "me" && word($0 - 1) == "by"
                    || word($0) == "mir" && word($0 - 1) == "von"
            }
    }

    private func windowEnd(after index: Int) -> Int {
        var end = index + 1
        while end < min(tokens.count, index + Self.reach), tokens[end] != .comma,
            !words.has(word(end), in: .and)
        { end += 1 }
        return end
    }

    private func isByOthers(after index: Int) -> Bool {
        (index + 1..<min(tokens.count, index + 9)).contains {
            let word = word($0)
            return (word == "by" || word == "von" || word == "vom")
                && (words.has(self.word($0 + 1), in: .by) || word == "vom")
        }
    }

    private func isAlready(before index: Int) -> Bool {
        word(index - 1) == "last"
            || (max(clause.start, index - Self.reach)..<index).contains {
                words.has(word($0), in: .already)
            }
    }

    /// Whether the verb follows one that says it succeeded: "I was able to move", "konnte ich
    /// verschieben".
    private func canDo(before index: Int) -> Bool {
        (max(clause.start - 1, index - 4, 0)..<index).contains {
            let word = word($0)
            return word == "managed" || word == "able" || word == "konnte" || word == "konnten"
        }
    }

    /// Ends the stretch before a comma or conjunction, and adds its claim if it makes one
    /// without a verb of its own: a thing is somewhere, or different from now on.
    private mutating func endWindow(at end: Int) {
        let start = max(clause.start, fresh)
        guard start < end, !clause.isDone, !clause.isNegated, !clause.isBlocked,
            clause.actor != .other,
            !words.has(word(start), in: .others)
        else { return }
        let window = start..<end
        if clause.actor == .us {
            // Whatever was done with "your calendar", but to look there.
            if clause.has, !clause.isModal,
                !window.contains(where: { words.has(word($0), in: .looks) })
            {
                add(.change, at: end - 1, isPerfect: true)
                if claims[claims.count - 1].hasOwnPlace {
                    clause.isDone = true
                } else {
                    claims.removeLast()
                }
            }
            return
        }
        if window.contains(where: { words.has(word($0), in: .already) }) { return }
        // "It will now be read": from now on.
        if clause.isModal,
            !window.contains(where: { ["will", "'ll", "wird", "werden"].contains(word($0)) })
                || !window.contains(where: { ["now", "jetzt"].contains(word($0)) })
        {
            return
        }
        let isPlaced = clause.isBe && window.contains { isPlace(at: $0) }
        // "Off your list", "in the trash" and a German "steht" at the end are changes as well.
        let isNow =
            window.contains { ["now", "jetzt", "nun", "back"].contains(word($0)) }
            || ["steht", "stehen"].contains(word(end - 1))
            || window.contains { word($0) == "off" && words.has(word($0 - 1), in: .be) }
            || isPlaced
                && window.contains { ["off", "trash", "papierkorb"].contains(word($0)) }
        let isOurs = window.prefix(5).contains { isThing($0) || words.has(word($0), in: .things) }
        if isPlaced || isNow && isOurs && window.count > 2 {
            add(.change, at: end - 1, isPerfect: false, isOurs: false)
            claims[claims.count - 1].isState = !isNow
            clause.isDone = true
        }
    }

    /// Whether the word is a place of ours, with a word such as "your" or "in" before it: "your
    /// calendar", "im Kalender".
    private func isPlace(at index: Int) -> Bool {
        let word = word(index)
        guard
            words.has(word, in: .places)
                || word.subject != nil
                    && (word.text.hasSuffix("liste") || word.text.hasSuffix("kalender"))
        else { return false }
        return (max(0, index - 3)..<index).contains { words.has(self.word($0), in: .placeBefore) }
    }

    private mutating func add(
        _ act: ActClaimWords.Act, at verb: Int, isPerfect: Bool, isOurs: Bool = true
    ) {
        var claim = Claim(act: act, isOurs: isOurs, isPerfect: isPerfect)
        var start = verb
        while start > max(0, verb - Self.reach), tokens[start - 1] != .comma,
            !words.has(word(start - 1), in: .and)
        {
            start -= 1
        }
        // "A note for Monday, the 7th, is made": its subject stands before the commas.
        if isAuxiliary(self.word(clause.start)) { start = min(start, clause.lead) }
        // Completing a repeating reminder sets the next one.
        claim.adds =
            words.has(word(verb), in: .adds)
            && !(start..<windowEnd(after: verb)).contains {
                word($0) == "next" || word($0).text.hasPrefix("nächste")
            }
        for index in start..<windowEnd(after: verb) {
            if tokens[index] == .title { claim.hasTitle = true }
            guard let word = tokens[index].word else { continue }
            if ActClaimText.isItem(word.text) { claim.hasItem = true }
            if words.has(word, in: .now) { claim.hasNow = true }
            if words.has(word, in: .shown)
                || (act == .make || self.word(verb) == "put")
                    && words.has(word, in: .shownWhenMade)
            {
                claim.isShown = true
            }
            if words.has(word, in: .kept) { claim.hasKeptNoun = true }
            if word == "for" || word == "für" {
                claim.isForUser = claim.isForUser || ["you", "dich"].contains(self.word(index + 1))
            }
            if word == "from" || word == "aus" || word == "von" { claim.wasTakenOff = true }
            if let subject = word.subject {
                claim.subject = claim.subject ?? subject
                if words.has(word, in: .named) { claim.named.insert(subject) }
            }
            if isPlace(at: index) {
                claim.hasPlace = true
                claim.hasOwnPlace = (max(0, index - 3)..<index).contains {
                    words.has(self.word($0), in: .own)
                }
            }
        }
        claims.append(claim)
    }
}
