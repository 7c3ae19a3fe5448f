import Base

/// Parses one part of a sentence, up to a colon or dash, into its claims: who did what.
///
/// Any participle or past tense is an act unless the words say otherwise: a negation, a condition,
/// another subject, a verb that changes nothing. The verbs are not listed: a model may say that it
/// did anything.
struct ActClaimReader {
    typealias Word = ActClaimWords.Word

    enum Actor { case us, other, thing, noun }

    /// The subject and the auxiliaries that a verb belongs to.
    struct Frame {
        var actor: Actor?
        var isYou = false
        var has = false
        var isBe = false
        var isModal = false
        /// Whether it is negated or a condition.
        var isExcluded = false

        var hasAuxiliary: Bool { has || isBe || isModal }

        var isSaid: Bool { hasAuxiliary || actor == .us }
    }

    let tokens: [ActClaimText.Token]
    let words: ActClaimWords
    /// Whether the word belongs to the user's message or to what the program keeps.
    let isTheirs: (Word) -> Bool
    /// The frame that a clause without its own subject continues: "I've moved it and told Jo".
    var last = Frame()
    /// Whether a condition came earlier: "once saved, it is applied".
    var isGeneral = false
    var claims: [ActClaim] = []
    /// Maximum number of tokens in a clause, which keeps reading linear in the length of the text.
    private static let longest = 80
    static let away: [Word] = ["off", "trash", "bin", "papierkorb"]

    mutating func read() {
        var start = 0
        var isBlocked = false
        for index in tokens.indices {
            let word = word(index)
            let isFirst = tokens[start..<index].allSatisfy { $0.word?.has(.adverbs) ?? false }
            let next = self.word(index + 1)
            if tokens[index] == .comma || index - start > Self.longest {
                read(start..<index, isBlocked: isBlocked)
                (start, isBlocked) = (index + 1, false)
            } else if isFirst, word == "with" {
                (start, isBlocked) = (index + 1, true)
            } else if word.has(.and) {
                read(start..<index, isBlocked: isBlocked)
                start = index + 1
            } else if isFirst, word == "then" || word == "dann" {
                isGeneral = true
            } else if word.has(.conditions) && (isFirst || next.isSubject)
                || word == "soon" && next == "as"
            {
                if start < index { read(start..<index, isBlocked: isBlocked) }
                (start, isBlocked) = (index + 1, true)
                isGeneral = true
            }
        }
        read(start..<tokens.count, isBlocked: isBlocked)
    }

    func word(_ index: Int) -> Word {
        tokens.indices.contains(index) ? tokens[index].word ?? "" : ""
    }

    private mutating func read(_ clause: Range<Int>, isBlocked: Bool) {
        if clause.isEmpty { return }
        let isNegated = clause.contains { index in
            word(index).isNegation
        }
        let isExcluded = isBlocked || isNegated
        var whole = frame(before: clause.upperBound, in: clause)
        let count = claims.count
        let verbs = clause.filter { isVerb(at: $0, clause) }
        // Each verb is compared with the words before it, so only six of a clause are read.
        for index in verbs.prefix(6) {
            var frame = frame(before: index, in: clause)
            if last.isSaid, !frame.hasAuxiliary, frame.actor == nil { frame = last }
            if frame.isSaid { whole = frame }
            if isExcluded || frame.isExcluded { continue }
            if let claim = claim(at: index, frame, clause) { claims.append(claim) }
        }
        if claims.count == count, !isExcluded, !isGeneral {
            readState(clause, whole)
        }
        if whole.isSaid || isExcluded {
            last = whole
            last.isExcluded = last.isExcluded || isExcluded
        }
    }

    /// The claim that the verb makes with its subject and auxiliaries.
    private func claim(at index: Int, _ frame: Frame, _ clause: Range<Int>) -> ActClaim? {
        let verb = word(index)
        var claim = ActClaim(verb: verb.verb ?? .none, words: tokens[clause])
        if frame.actor == .noun, frame.has, ["received", "bekommen", "erhalten"].contains(verb) {
            claim.verb = .send
            return isOurs(clause) ? claim : nil
        }
        if claim.verb == .none { return nil }
        if verb == "went" && word(index + 1) == "out" || claim.says("bescheid") {
            claim.verb = .send
        }
        switch frame.actor {
        case _ where frame.isModal: return nil
        case .us where frame.has || !frame.isBe && !verb.isGerman:
            claim.isOurs = true
            return claim
        case .us: return nil
        case .other where !frame.isBe || !frame.isYou && !(frame.has && claim.verb == .send):
            return nil
        case _ where frame.isBe:
            let (first, second) = (word(clause.lowerBound), word(clause.lowerBound + 1))
            if isGeneral || clause.contains(where: { word($0).has(.already) })
                // "Ist er gelöscht, hilft …"
                || first.isAuxiliary && first != "'s"
                    && (second.isSubject || second.has(.own)
                        || second.isUnknown && clause.upperBound < tokens.count)
            {
                return nil
            }
            return frame.actor == .other || first.isAuxiliary || isOurs(clause) ? claim : nil
        case _ where frame.has || last.isModal || last.isExcluded: return nil
        default: return isElliptical(at: index, clause) ? claim : nil
        }
    }

    /// Whether the participle is the verb, not an adjective or an infinitive: "the updated list",
    /// "to set".
    private func isVerb(at index: Int, _ clause: Range<Int>) -> Bool {
        if word(index).verb == nil { return false }
        let before = word(index - 1)
        let next = word(index + 1)
        if word(index) == "called", next.has(.things) || next == "" { return false }
        return before != "as" && before != "als"
    }

    /// The subject and the auxiliaries before `end`.
    private func frame(before end: Int, in clause: Range<Int>) -> Frame {
        var frame = Frame()
        func take(_ word: Word) -> Bool {
            if word.has(.modal) { frame.isModal = true }
            if word.has(.have) { frame.has = true }
            if word.has(.be) { frame.isBe = true }
            return word.isAuxiliary
        }
        for index in clause.reversed() where index < end {
            let word = word(index)
            if take(word) { continue }
            if word.has(.me) || word.has(.others) {
                frame.actor = word.has(.me) ? .us : .other
                frame.isYou = word == "you" || word == "du"
                if index > clause.lowerBound { _ = take(self.word(index - 1)) }
                return frame
            }
            if isVerb(at: index, clause),
                frame.has || frame.isBe || !word.isGerman
            {
                break
            }
            if word.has(.things) {
                frame.actor = frame.actor ?? .thing
            } else if !word.has(.adverbs) {
                frame.actor = .noun
            }
        }
        // "Habe den Termin verschoben."
        let (first, second) = (word(clause.lowerBound), word(clause.lowerBound + 1))
        if frame.has,
            ["habe", "hab", "hob"].contains(first) || first == "have" && second.verb != nil
        {
            frame.actor = .us
        }
        return frame
    }

    /// Whether the subject is something that the program can have done.
    func isOurs(_ clause: Range<Int>) -> Bool {
        clause.contains { index in
            tokens[index] == .title || word(index).has(.things) || isTheirs(word(index))
        }
    }

    /// Whether the verb claims an act without a subject or an auxiliary: "Saved!", "Reminder
    /// set for nine".
    private func isElliptical(at index: Int, _ clause: Range<Int>) -> Bool {
        let next = word(index + 1)
        let lead = clause.lowerBound..<index
        if isGeneral { return false }
        // "Deleted photos are kept", "The organiser cancelled it".
        if clause.contains(where: { word($0).isAuxiliary && word($0) != "'s" }) {
            return false
        }
        if lead.allSatisfy({ word($0).has(.adverbs) }) {
            return !word(index).has(.infinitive) || next == "for"
        }
        if word(index).isGerman { return true }
        if next.has(.articles) || next.has(.own) || next.has(.things) || next.has(.others) {
            return false
        }
        return lead.contains { tokens[$0] == .title || isTheirs(word($0)) }
    }
}
