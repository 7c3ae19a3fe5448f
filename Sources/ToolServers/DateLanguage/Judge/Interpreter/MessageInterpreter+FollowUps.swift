import Base

/// Parses what a message says of the last mentioned item, or of one that it names, beyond a single
/// correction: "the bike one at 5", "sunday, and make it 6", "an hour earlier, she has church",
/// "and the alarm code".
extension MessageInterpreter {
    // MARK: - Clauses

    /// "Sam cancelled so take it out": each clause is a change, or only says why.
    func inClauses() -> Understanding? {
        let words = utterance.words
        guard (3...16).contains(words.count), !utterance.isQuestion,
            words.count(where: { Lexicon.has(.clauseMarks, $0) }) <= 4,
            var changes = changes(in: words.indices, utterance.isCorrection, depth: 0)
        else { return nil }
        let spelled = changes.filter {
            if case .retitle(.spelled) = $0.verb { true } else { false }
        }
        if spelled.count < changes.count { changes.removeAll(where: spelled.contains) }
        guard var change = changes.first, Set(changes.compactMap(\.title)).count < 2
        else { return nil }
        for other in changes where other.verb != change.verb && !change.also.contains(other.verb) {
            guard change.verb.isEdit, other.verb.isEdit else { return nil }
            change.also.append(other.verb)
        }
        if let named = changes.first(where: { $0.title != nil }) {
            (change.title, change.occasion) = (named.title, named.occasion)
        }
        (change.asksFirst, change.actsIfExact) = (true, true)
        // "annual leave, whole day, 20 March"
        if case .store(_, .event)? = creation()?.act { return nil }
        return result(change, isOnline: false)
    }

    /// The changes that the words ask for, none if they only say why; nil if they are neither.
    private func changes(in range: Range<Int>, _ isMarked: Bool, depth: Int) -> [Change]? {
        let words = utterance.words
        if depth > 0 {
            let part = part(utterance.text(range))
            guard !part.utterance.words.isEmpty else { return nil }
            if Self.reasons.whole(part.utterance.words) != nil { return [] }
            let found =
                part.wholeSentence() ?? part.bareCorrection(isMarked: isMarked) ?? part.change()
            // "I gave the plants away" says why.
            if case .change(let change)? = found?.act, change.others.isEmpty {
                if change.isExact { return [] }
                if case .retitle(.without(_, isOfTwo: true)) = change.verb { return [] }
                // "no fixed time", "walk with Mia" are no spellings.
                guard case .retitle(.spelled) = change.verb,
                    !utterance.isCorrection || saysWhy(range)
                else { return [change] }
            }
        }
        for index in range.dropFirst().dropLast() where depth < 3 && isClauseMark(index) {
            let isMark = { Lexicon.has(.clauseMarks, words[$0]) }
            let sides = [range.lowerBound..<index, index + 1..<range.upperBound].map {
                $0.trimming(while: isMark)
            }
            guard !sides.contains(where: \.isEmpty) else { continue }
            let found = zip(sides, sides.reversed()).map { side, other in
                changes(
                    in: side, isMarked || words[index] != "," || saysWhyNot(words[other]),
                    depth: depth + 1)
            }
            // "20 minutes sooner, traffic"
            let all = found.indices.map {
                found[$0] ?? (isAside(sides[$0], found[1 - $0]) ? [] : nil)
            }
            guard let first = all[0], let second = all[1], !(first + second).isEmpty,
                !["and", "und"].contains(words[index]) || !first.isEmpty && !second.isEmpty
            else { continue }
            return first + second
        }
        return depth > 0 && saysWhy(range) ? [] : nil
    }

    private func isClauseMark(_ index: Int) -> Bool {
        let words = utterance.words
        return Lexicon.has(.clauseMarks, words[index])
            && (words[index] != "." || words[index - 1].last?.isNumber == false)
            // "egg-timer"
            && (words[index] != "-" || utterance.text.contains(" - "))
            // "mark it as done"
            && (words[index] != "as" || Lexicon.has(.subjects, words[index + 1]))
    }

    /// Whether the clause is a statement, and asks for nothing.
    private func saysWhy(_ clause: Range<Int>) -> Bool {
        let words = Array(utterance.words[clause])
        return !Lexicon.isTaskVerb(words[0])
            && (Self.isClause(words)
                || words.contains {
                    Lexicon.has(.reasonWords, $0) || Lexicon.has(.negations, $0)
                })
            && Lexicon.first { $0.leads.match(words)?.meaning }.map(Self.isAddressed) != true
    }

    private func isAside(_ clause: Range<Int>, _ others: [Change]?) -> Bool {
        switch others?.first?.verb {
        case .shift, .delete, .complete: break
        default: return false
        }
        return clause.count <= 5 && !Lexicon.isTaskVerb(utterance.words[clause.lowerBound])
            && parse(utterance.text(clause)).start == nil
    }

    /// "he can't", "it is off", "so": the time that stands beside it is the new one.
    private func saysWhyNot(_ words: ArraySlice<String>) -> Bool {
        Self.reasons.whole(Array(words)) != nil
            || words.contains { Lexicon.has(.negations, $0) || Lexicon.has(.reasonWords, $0) }
    }

    private static let reasons = PatternTable("reasons") { _ in () }

    // MARK: - A named item

    /// "haircut is at 11 now", "make my haircut an hour", "the first one 5 min earlier", "the bike
    /// one tomorrow", "the subs reminder - make it 11am": a named item, and a correction of it.
    func aimed() -> Understanding? {
        let words = utterance.words
        guard let first = words.first, Self.picks.whole(words) == nil else { return nil }
        let name = ["make", "mach", "mache"].contains(first) ? 1 : 0
        let last = words.lastIndex { !Lexicon.has(.correctionEndings, $0) && $0 != "," } ?? 0
        let isArticle = words.indices.contains(name) && Lexicon.has(.articles, words[name])
        return (name + 1..<max(name + 1, min(words.count, 8))).lazy.compactMap { end in
            let isNow =
                (last + 1 < words.count || utterance.isCorrection)
                && ["is", "ist"].contains(words[end])
            let signs = utterance.text.contains(" - ") ? ["-", "–", ":", ","] : ["–", ":", ","]
            let isClause = signs.contains(words[end])
            let start =
                Self.retimings.match(words, from: end)?.end ?? (isNow || isClause ? end + 1 : end)
            let pick = Self.picks.whole(Array(words[name..<end]))
            let isOne = isArticle && words[end - 1] == "one"
            let isMarked =
                start > end || name == 1 && isArticle || pick != nil || isOne
                || utterance.endsInCorrection
            // Most messages end here, before anything is parsed.
            guard start <= last, isMarked || isArticle else { return nil }
            let said = utterance.text(name..<end)
            let bare = said.hasSuffix("'s") ? String(said.dropLast(2)) : said
            guard let target = isOne ? timed(bare) : named(bare),
                target.title.map({ isPlainTitle($0, limit: 6) }) ?? (target.occasion != .any),
                isOne || target.occasion.pick != nil || parse(said).start == nil
            else { return nil }
            let rest = part(utterance.text(start..<last + 1))
            guard !rest.utterance.words.isEmpty,
                case .change(var change)? =
                    (isClause ? rest.change() : rest.bareCorrection(isMarked: true))?.act,
                change.title.map({ isClause && Lexicon.kind(of: $0) != nil }) ?? true,
                change.others.isEmpty
            else { return nil }
            switch change.verb {
            case _ where isClause, .shift: break
            case .move, .lasts, .end, .begin, .retime, .extend: if !isMarked { return nil }
            default: return nil
            }
            (change.title, change.occasion) = (target.title, target.occasion)
            (change.kind, change.asksFirst, change.actsIfExact) = (target.kind, true, true)
            return result(change, isOnline: false)
        }.first
    }

    private static let retimings = PatternTable("retimings") { _ in () }

    // MARK: - Among other words

    /// "tomorrow at 10 would be good", "die haben mich verlegt auf den 17.": a time, and words that
    /// only speak of it.
    func timeAmongWords(_ range: Range<Int>) -> Understanding? {
        let words = utterance.words
        let inner = range.trimming { Lexicon.has(.aroundTimes, words[$0]) }
        let isChange = Lexicon.all.contains {
            !$0.changes.matches(words).isEmpty
        }
        // "it to 8" is read by its verb.
        let isRetimed = words.count > 1 && ["to", "auf"].contains(words[1])
        // "good morning"
        let isGreeting =
            words.count > 1 && ["good", "guten", "gute"].contains(words[0])
            && Lexicon.isDate(words[1]) { $0.part != nil }
        return isChange || isRetimed || isGreeting || inner.isEmpty || inner.count == range.count
            ? nil : adjust(utterance.text(inner), .time, isOnline: false)
    }

    /// "the show's at 8, not half 7": the last item's new time among words that are not
    /// understood, about which the user is asked.
    func unsure() -> Understanding? {
        let words = utterance.words
        let denied = words.firstIndex { ["not", "nicht"].contains($0) && $0 != words[0] }
        let end = denied ?? words.count
        guard words.count <= 10, utterance.isCorrection || denied != nil, !utterance.isQuestion,
            denied.map({ isTime(utterance.text(from: $0 + 1)) }) != false,
            !Lexicon.isTaskVerb(words[0]),
            !Lexicon.all.contains(where: {
                !$0.changes.matches(words).isEmpty || $0.leads.match(words) != nil
            })
        else { return nil }
        return (1..<max(1, min(end, 6))).lazy.map { utterance.text($0..<end) }.first(where: isTime)
            .map {
                tentative(
                    .move(to: $0), isSure: denied != nil && Lexicon.has(.articles, words[0]))
            }
    }

    /// "Mia is coming too", "leave out Luigi's": who or what is in the title.
    func retitling() -> Retitling? {
        let words = utterance.words
        if let (_, _, rest) = Self.leftOut.closed(words), case let part = utterance.text(rest),
            (1...3).contains(rest.count), Lexicon.kind(of: part) == nil, time(part) == nil,
            isPlainTitle(part)
        {
            return .without(withoutArticle(part), isOfTwo: false)
        }
        let start = words.count > 1 && ["with", "mit"].contains(words[0]) ? 1 : 0
        for end in words.indices.dropFirst(start + 1).prefix(4) {
            let rest = Array(words[end...])
            let isAbsent = Self.absences.whole(rest) != nil
            guard
                isAbsent || Self.companions.whole(rest) != nil
                    || start == 1 && Self.again.whole(rest) != nil
            else { continue }
            var name = utterance.text(start..<end)
            if name.hasSuffix("'s") { name.removeLast(2) }
            guard isPlainTitle(name, limit: 4), !Self.isPronoun(name) else { continue }
            if isAbsent { return .without(name, isOfTwo: true) }
            return context.locale.language == .german
                ? .joined(name, by: "und", orWith: "mit") : .joined(name, by: "and", orWith: "with")
        }
        return nil
    }

    /// "and the alarm code"
    func appended() -> Retitling? {
        let said = MessageText.plain(message).words
        let text = utterance.text(from: utterance.words[0] == "plus" ? 1 : 0)
        guard let first = said.first, ["and", "und", "plus"].contains(first), said.count <= 6,
            isPlainTitle(text), !Lexicon.isTaskVerb(utterance.words[0]),
            !said.contains(where: { Lexicon.isDirection($0) || Lexicon.has(.aroundTimes, $0) })
        else { return nil }
        let reading = parse(text)
        return reading.start == nil && reading.recurrence == nil
            ? .joined(text, by: first == "plus" ? "and" : first, orWith: nil) : nil
    }

    private static let leftOut = PatternTable("left out") { _ in () }
    private static let companions = PatternTable("companions") { _ in () }
    private static let absences = PatternTable("absences") { _ in () }
}
