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
        /// Whether it is "will be".
        var isWill = false
        /// Whether it is negated or a condition.
        var isExcluded = false
        var isGerman = false
        var hasVerb = false

        var hasAuxiliary: Bool { has || isBe || isModal }

        var isSaid: Bool { hasAuxiliary || actor == .us }
    }

    let tokens: [ActClaimText.Token]
    let words: ActClaimWords
    let isListItem: Bool
    /// Whether the word belongs to the user's message or to what the program keeps.
    let isTheirs: (Word) -> Bool
    /// The frame that a clause without its own subject continues: "I've moved it and told Jo".
    var last = Frame()
    /// Start of the clauses that still lack a verb: "Ideas 1, 4 and 5 have".
    var lead = 0
    /// Whether a condition came earlier: "once saved, it is applied".
    var isGeneral = false
    var claims: [ActClaim] = []
    /// Maximum number of tokens in a clause, which keeps reading linear in the length of the text.
    private static let longest = 80
    static let away: [Word] = ["off", "trash", "bin", "papierkorb"]
    private static let looks: Set = ["find", "see", "check", "look", "read", "access", "locate"]

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
            } else if word == "that", self.word(index - 1) == "now" {
                (start, isBlocked) = (index + 1, true)
            } else if word.has(.and) {
                read(start..<index, isBlocked: isBlocked)
                if word == "but" || word == "aber" || word == "sondern" { last.isExcluded = false }
                start = index + 1
            } else if isFirst, word == "then" || word == "dann" {
                isGeneral = true
            } else if word.has(.relative) || word.has(.conditions) && (isFirst || next.isSubject)
                || word == "soon" && next == "as" || isFirst && word.has(.instructions)
                || isFirst && word.has(.instructionsWith) && next.isSubject
            {
                if start < index { read(start..<index, isBlocked: isBlocked) }
                (start, isBlocked) = (index + 1, true)
                isGeneral = isGeneral || !word.has(.relative)
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
            word(index).has(.not)
                && !(["no", "nicht"].contains(word(index))
                    && ["longer", "mehr"].contains(word(index + 1)))
                || word(index).text.hasSuffix("n't")
        }
        let isExcluded = isBlocked || isNegated
        var whole = frame(before: clause.upperBound, in: clause, isFinal: true)
        var hasEnglish = false
        let count = claims.count
        let verbs = clause.filter { isVerb(at: $0, clause) }
        // Each verb is compared with the words before it, so only six of a clause are read.
        for index in verbs.prefix(6) {
            let verb = word(index)
            // "I found two events called Stand-up", "Rent marked as paid".
            if hasEnglish, !verb.isGerman { continue }
            hasEnglish = !verb.isGerman
            var frame = frame(before: index, in: clause, isFinal: false)
            let isContinued =
                frame.actor == nil
                || frame.actor == .noun && verb.isGerman && last.isGerman
                    && clause.upperBound == index + 1
            if last.isSaid, !frame.hasAuxiliary, isContinued { frame = last }
            frame.hasVerb = true
            if frame.isSaid { whole = frame }
            if isExcluded || frame.isExcluded { continue }
            if let claim = claim(at: index, frame, clause) { claims.append(claim) }
        }
        if claims.count == count, !isExcluded, !isGeneral, !whole.hasVerb || whole.actor != .us {
            readState(clause, whole)
        }
        if whole.isSaid || isExcluded {
            last = whole
            last.isExcluded = last.isExcluded || isExcluded
        }
        if whole.isSaid || whole.actor == .other { lead = clause.upperBound }
    }

    /// The claim that the verb makes with its subject and auxiliaries.
    private func claim(at index: Int, _ frame: Frame, _ clause: Range<Int>) -> ActClaim? {
        let verb = word(index)
        var claim = ActClaim(verb: verb.verb ?? .none, words: tokens[clause])
        if frame.actor == .noun, frame.has, ["received", "bekommen", "erhalten"].contains(verb) {
            claim.verb = .send
            claim.isIndirect = !claim.says("me", "mir")
            return isOurs(clause) ? claim : nil
        }
        if claim.verb == .none { return nil }
        if verb == "went" && word(index + 1) == "out"
            || claim.says("bescheid")
        {
            claim.verb = .send
        }
        switch frame.actor {
        case .noun where frame.isWill:
            claim.isIndirect = true
            return isGeneral ? nil : claim
        case _ where frame.isModal: return nil
        case .us where verb == "able":
            claim.isOurs = true
            return Self.looks.contains(word(index + 2).text) ? nil : claim
        case .us where frame.has || !frame.isBe && !verb.isGerman && follows(index, clause):
            claim.isOurs = true
            return claim
        case .us: return nil
        case .other where !frame.isBe || !frame.isYou && !(frame.has && claim.verb == .send):
            return nil
        case _ where frame.isBe:
            let (first, second) = (word(clause.lowerBound), word(clause.lowerBound + 1))
            if isGeneral && claim.verb != .complete || isBefore(index, clause) || verb == "called"
                // "Ist er gelöscht, hilft …"
                || first.isAuxiliary && first != "'s"
                    && (second.isSubject || second.has(.own)
                        || second.isUnknown && clause.upperBound < tokens.count)
            {
                return nil
            }
            let list = max(lead, clause.lowerBound - Self.longest)..<clause.upperBound
            return frame.actor == .other || first.isAuxiliary || isOurs(list) ? claim : nil
        case _ where frame.has || last.isModal || last.isExcluded: return nil
        default: return isElliptical(at: index, clause) ? claim : nil
        }
    }

    /// Whether the participle is the verb, not an adjective or an infinitive: "the updated list",
    /// "to set".
    private func isVerb(at index: Int, _ clause: Range<Int>) -> Bool {
        if word(index).verb == nil { return false }
        let before = word(index - 1)
        if let particles = words.particles[word(index).text] {
            if !clause.contains(where: { particles.contains(word($0).text) }) { return false }
        }
        let next = word(index + 1)
        switch word(index) {
        case "given", "gave": if next == "you" { return false }
        case "called":
            if next.has(.things) || next == "" { return false }
        default: break
        }
        if before.has(.articles) || before.has(.own) {
            return index == tokens.count - 1 && before.has(.things)
        }
        return !(word(index).has(.infinitive) && before == "to") && before != "as"
            && before != "als"
    }

    /// Whether "I" is the subject of the past tense: "I just moved", not "I hope it moved".
    private func follows(_ index: Int, _ clause: Range<Int>) -> Bool {
        let between = clause.reversed().first { $0 < index && word($0).has(.me) }
        return between.map { me in
            (me + 1..<index).allSatisfy { word($0).has(.adverbs) || word($0).text.hasSuffix("ly") }
        } ?? true
    }

    /// The subject and the auxiliaries before `end`; in German also those right after it.
    private func frame(before end: Int, in clause: Range<Int>, isFinal: Bool) -> Frame {
        var frame = Frame()
        func take(_ word: Word) -> Bool {
            if word.has(.modal) { frame.isModal = true }
            if word.has(.have) { frame.has = true }
            if word.has(.be) { frame.isBe = true }
            frame.isGerman = frame.isGerman || word.has(.germanAuxiliary)
            return word.isAuxiliary
        }
        if !isFinal {
            var index = end + 1
            while index < clause.upperBound, word(index).has(.germanAuxiliary) {
                _ = take(word(index))
                index += 1
            }
            if index > end + 1 || end == clause.lowerBound, word(index).has(.me) {
                frame.actor = .us
                return frame
            }
        }
        for index in clause.reversed() where index < end {
            let word = word(index)
            if take(word) { continue }
            if word == "be", ["will", "'ll"].contains(self.word(index - 1)) {
                frame.isWill = true
                continue
            }
            let isSubject =
                isFinal || frame.hasAuxiliary || index == clause.lowerBound
                || index > end - 3 || self.word(index - 1).isAuxiliary
            if word.has(.me) || word.has(.others) && isSubject {
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
                || ["by", "von"].contains(word(index - 1)) && ["me", "mir"].contains(word(index))
        }
    }

    /// Whether the act was done before the turn, or by others.
    private func isBefore(_ index: Int, _ clause: Range<Int>) -> Bool {
        clause.contains {
            word($0).has(.already) || $0 == index - 1 && word($0) == "last"
                || ["by", "von", "vom"].contains(word($0)) && $0 > index - 5
                    && (word($0 + 1).has(.by) || word($0) == "vom")
        }
    }

    /// Whether the verb claims an act without a subject or an auxiliary: "Saved!", "Reminder
    /// set for nine".
    private func isElliptical(at index: Int, _ clause: Range<Int>) -> Bool {
        let next = word(index + 1)
        let lead = clause.lowerBound..<index
        if isGeneral || lead.count > 9 { return false }
        // "Deleted photos are kept", "The organiser cancelled it".
        if clause.contains(where: { word($0).isAuxiliary && word($0) != "'s" }) {
            return false
        }
        if lead.allSatisfy({ word($0).has(.adverbs) }) {
            return !(word(index).has(.infinitive) && (isListItem || next != "for"))
        }
        if word(index).isGerman {
            return index == clause.upperBound - 1 || next.has(.placeBefore)
                || next.has(.afterPredicate)
        }
        if next.has(.articles) || next.has(.own) || next.has(.things) || next.has(.others) {
            return false
        }
        return lead.contains {
            tokens[$0] == .title || isTheirs(word($0)) || word($0).subject != nil
        }
    }
}
