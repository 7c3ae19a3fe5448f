/// A part of the user's name in a text, or a word that looks like it.
struct NameCandidate: Sendable {
    var units: Range<Int>
    var part: NamePart
}

/// Decides which candidates are the name, by the text around them: adjacent parts are one
/// name, with its titles and initials; a part that is also a word needs evidence. Pure.
struct NameContext {
    let text: ScannedText
    /// Initials of the user's names, and of their first parts.
    let initials: Set<UInt32>
    let given: Set<UInt32>

    init(_ text: ScannedText, initials: Set<UInt32>, given: Set<UInt32>) {
        self.text = text
        self.initials = initials
        self.given = given
    }

    /// The ranges of the names in order.
    func names(_ candidates: [NameCandidate]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var group: [NameCandidate] = []
        func close() {
            if !group.isEmpty { found += resolved(group) }
            group = []
        }
        for candidate in longest(told(candidates)) {
            // Repeating the same part begins another name.
            if let last = group.last,
                !isBeside(last, candidate)
                    || group.contains(where: { $0.part.name == candidate.part.name })
            {
                close()
            }
            group.append(candidate)
        }
        close()
        return found
    }

    /// The longest of overlapping candidates; among equals the surest.
    private func longest(_ candidates: [NameCandidate]) -> [NameCandidate] {
        func rank(_ candidate: NameCandidate) -> Int {
            switch candidate.part.kind {
            case .plain: 0
            case .capital: 1
            case .word: 2
            case .noun, .strong: 3
            }
        }
        var kept: [NameCandidate] = []
        let ordered = candidates.sorted {
            ($0.units.lowerBound, -$0.units.count, rank($0))
                < ($1.units.lowerBound, -$1.units.count, rank($1))
        }
        for candidate in ordered {
            if let last = kept.last, last.units.upperBound > candidate.units.lowerBound {
                if rank(candidate) < rank(last), candidate.units.count > last.units.count {
                    kept[kept.count - 1] = candidate
                }
                continue
            }
            kept.append(candidate)
        }
        return kept
    }

    // MARK: - Groups

    private func isBeside(_ one: NameCandidate, _ two: NameCandidate) -> Bool {
        let gap = Range.span(one.units.upperBound, two.units.lowerBound)
        guard gap.count <= 32, sameCase(one, two) else { return false }
        if gap.contains(where: { text.has(.blank, $0) }), text.isInEmail(two.units.lowerBound) {
            return false
        }
        if isJoint(gap) || isInsertion(gap) && isUpper(one) && isUpper(two) { return true }
        // Two unknown middle names, particles, initials.
        let words = text.words[text.word(from: gap.lowerBound)...]
            .prefix { $0.end <= gap.upperBound }
        guard words.count <= 5 else { return false }
        var position = gap.lowerBound
        var unknown = 0
        for word in words {
            guard isJoint(Range.span(position, word.start)) else { return false }
            position = word.end
            if word.count == 1 || word.count <= 4 && !word.isCapital { continue }
            guard word.isCapital, !word.hasDigit else { return false }
            unknown += 1
        }
        guard isJoint(position..<gap.upperBound),
            words.allSatisfy({
                isParticle($0) || $0.count == 1 && $0.isCapital || isMiddleName($0)
            })
        else { return false }
        if unknown == 0 { return true }
        let isSpaced = gap.allSatisfy {
            text.isWord($0) || text.has(.space, $0) || [0x2D, 0x2E].contains(text.ascii($0))
        }
        return unknown <= 2 && isSpaced && one.part.isFirst && !two.part.isFirst
            && one.part.initials == two.part.initials && isUpper(one) && isUpper(two)
    }

    /// Any capitalised word except those that begin something else: "Will Our Young …".
    func isMiddleName(_ word: ScannedText.Word) -> Bool {
        let letters = text.folded(word)
        return word.isCapital && !word.hasDigit && !RedactionWords.determiners.contains(letters)
            && !RedactionWords.skills.contains(letters)
    }

    func isParticle(_ word: ScannedText.Word) -> Bool {
        word.count <= 5 && NameLiteral.particles.contains(text.text(word))
    }

    /// Blanks, a comma, a point, a hyphen, one new line.
    private func isJoint(_ gap: Range<Int>) -> Bool {
        var newlines = 0
        var signs = 0
        for index in gap {
            if text.has(.newline, index) {
                newlines += 1
            } else if !text.has(.space, index) {
                guard
                    [0x2C, 0x2D, 0x2E, 0x2A, 0x5F, 0x2F, 0x27, 0x60, 0x7C, 0x22, 0x28, 0x29]
                        .contains(text.units[index])
                else { return false }
                signs += 1
            }
        }
        return newlines <= 1 && signs <= 4
    }

    /// "Rosa (née Holm) Wells", "Rosa "Rosie" Wells".
    private func isInsertion(_ gap: Range<Int>) -> Bool {
        let inner = gap.filter { !text.has(.blank, $0) }
        guard let first = inner.first, let last = inner.last, first < last,
            text.has(.space, gap.lowerBound), !gap.contains(where: { text.has(.newline, $0) })
        else { return false }
        return text.ascii(first) == 0x28 && text.ascii(last) == 0x29
            || [0x22, 0x27].contains(text.ascii(first)) && text.ascii(first) == text.ascii(last)
    }

    /// "Will Smith", "WILL SMITH" and "will smith", but not "Smith will".
    private func sameCase(_ one: NameCandidate, _ two: NameCandidate) -> Bool {
        guard [one, two].contains(where: { $0.part.kind != .plain }) else { return true }
        return isUpper(one) == isUpper(two)
    }

    private func isUpper(_ candidate: NameCandidate) -> Bool {
        text.has(.upper, candidate.units.lowerBound)
    }

    private func resolved(_ group: [NameCandidate]) -> [Range<Int>] {
        let isName = group.count > 1 && (isFull(group) || group.contains(where: isSure))
        if isName, let first = group.first, let last = group.last {
            let whole = first.units.lowerBound..<last.units.upperBound
            let isReversed = !first.part.isFirst && last.part.isFirst
            return [
                extended(isReversed ? withSecondNames(whole, from: first) : withHyphen(whole))
            ]
        }
        return group.filter { isSure($0) || isTold($0) }.map { extended($0.units) }
    }

    private func isSure(_ candidate: NameCandidate) -> Bool {
        candidate.part.kind == .plain
            || candidate.part.kind == .capital && isUpper(candidate)
    }

    /// Whether two different parts that are also words together are the name.
    private func isFull(_ group: [NameCandidate]) -> Bool {
        Set(group.map(\.part.name)).count > 1
            && group.contains { $0.part.isFirst } && group.contains { !$0.part.isFirst }
            && (isUpper(group[0])
                || group.allSatisfy { $0.units.count > 2 } && !isLineGap(group))
    }

    private func isLineGap(_ group: [NameCandidate]) -> Bool {
        (group[0].units.upperBound..<group[1].units.lowerBound).contains { text.has(.newline, $0) }
    }

    // MARK: - A word that is a name

    private func isTold(_ candidate: NameCandidate) -> Bool {
        let range = candidate.units
        guard isUpper(candidate) || text.units[range.lowerBound] >= 0x590 else { return false }
        let index = text.word(from: range.lowerBound)
        // Behind digits, in the middle of a word.
        guard index < text.words.count, text.words[index].start == range.lowerBound else {
            return false
        }
        let before = index > 0 ? text.words[index - 1] : nil
        let afterIndex = text.word(from: range.upperBound)
        let after = afterIndex < text.words.count ? text.words[afterIndex] : nil
        if let before, touches(Range.span(before.end, range.lowerBound)) {
            let letters = text.folded(before)
            if RedactionWords.titles.contains(letters), before.isCapital || before.count > 1,
                text.labels(at: before.start).contains(where: { $0.label == .sureTitle })
            {
                return true
            }
        }
        // Initials beside a surname: "W. H. Young", "Young WH".
        if !candidate.part.isFirst, let own = candidate.part.initials.first,
            initialsEnd(behind: range.upperBound, [own]) != nil
                || initialsStart(before: range.lowerBound, [own]) != nil
        {
            return true
        }
        let word = text.words[index]
        if candidate.part.kind == .noun {
            // No German noun has this ending with its apostrophe.
            return isOwner(range.upperBound) || !isNoun(word, before, after)
        }
        if candidate.part.kind == .strong || word.isAllCaps && word.count > 1 { return false }
        if isGreeted(before, range) { return true }
        if isMonth(candidate, before, after) { return false }
        if isOwner(range.upperBound) { return true }
        let isFollowed = after.map { isOneSpace(Range.span(range.upperBound, $0.start)) } ?? false
        let isAtStart = before.map { !isOneSpace(Range.span($0.end, range.lowerBound)) } ?? true
        if isAtStart {
            if candidate.part.isFirst,
                isAlone(range) || isTold(of: range, after) || isQuoted(range, after)
            {
                return true
            }
            guard isFollowed, let after, !after.isCapital, isSentenceStart(range.lowerBound) else {
                return false
            }
            let letters = text.folded(after)
            return candidate.part.isFirst
                ? RedactionWords.humanVerbs.contains(letters) || text.text(after).hasSuffix("ed")
                : Self.surelyHuman.contains(text.text(after))
        }
        guard let before, !before.isCapital || Self.askers.contains(text.text(before)),
            !before.hasDigit,
            !RedactionWords.determiners.contains(text.folded(before))
        else { return false }
        return !(isFollowed && after.map { $0.isCapital || $0.isNumber } ?? false)
    }

    /// Whether it is a German noun. A noun follows an article, an adjective or a number, or stands
    /// without an article: "der Berg", "aus Holz". If in doubt it is the name.
    private func isNoun(
        _ word: ScannedText.Word, _ before: ScannedText.Word?, _ after: ScannedText.Word?
    ) -> Bool {
        if word.isAllCaps || text.ascii(word.start - 1) == 0x2D || text.ascii(word.end) == 0x2D {
            return true
        }
        let isActing =
            after.map { isOneSpace(Range.span(word.end, $0.start)) && isDeed($0) } ?? false
        guard let before, isOneSpace(Range.span(before.end, word.start)) else { return !isActing }
        let letters = text.folded(before)
        if before.hasDigit || RedactionWords.beforeNouns.contains(letters) { return true }
        if before.isCapital { return false }
        let spelled = text.text(before)
        if ["und", "oder", "sowie", "bzw"].contains(spelled) { return !isActing }
        return before.count > 3 && !isDeed(before) && !RedactionWords.beforeNames.contains(letters)
            && ["e", "en", "er", "em", "es"].contains(where: spelled.hasSuffix)
    }

    /// "leitete": a verb of work.
    private func isDeed(_ word: ScannedText.Word) -> Bool {
        let spelled = text.text(word)
        return !word.isCapital
            && (Self.surelyHuman.contains(spelled)
                || word.count > 4 && spelled.hasSuffix("te") && spelled != "heute")
    }

    /// "Berg's".
    private func isOwner(_ end: Int) -> Bool {
        text.ascii(end) == 0x27 && text.ascii(end + 1) == 0x73 && !text.isWord(end + 2)
    }

    private func isMonth(
        _ candidate: NameCandidate, _ before: ScannedText.Word?, _ after: ScannedText.Word?
    ) -> Bool {
        guard RedactionWords.months.contains(candidate.part.name) else { return false }
        if let before, touches(Range.span(before.end, candidate.units.lowerBound)) {
            if before.hasDigit || RedactionWords.beforeMonths.contains(text.folded(before)) {
                return true
            }
        }
        if let after, after.start - candidate.units.upperBound <= 3, after.hasDigit { return true }
        return false
    }

    /// "Will, who joined in 2015".
    private func isTold(of range: Range<Int>, _ after: ScannedText.Word?) -> Bool {
        guard let after, text.text(after) == "who" else { return false }
        return text.ascii(range.upperBound) == 0x2C && after.start - range.upperBound <= 2
    }

    /// «Ángel y amigos»
    private func isQuoted(_ range: Range<Int>, _ after: ScannedText.Word?) -> Bool {
        guard range.lowerBound > 0, let after, text.text(after).count < 4,
            ["y", "and", "und", "et", "e", "en"].contains(text.text(after))
        else { return false }
        return text.ascii(range.lowerBound - 1) == 0x22 || text.units[range.lowerBound - 1] == 0xAB
    }

    /// Words that begin a sentence and take a person as object.
    private static let askers = RedactionWords.list("askers")

    /// Verbs that only a person can be the subject of.
    private static let surelyHuman = RedactionWords.list("surely human")

    /// Whether it stands alone on its line, as under a letter.
    private func isAlone(_ range: Range<Int>) -> Bool {
        text.skippingSpace(text.lineStart(range.lowerBound)) == range.lowerBound
            && text.skippingSpace(range.upperBound) == text.lineEnd(range.upperBound)
            && text.lineStart(range.lowerBound) > 0
    }

    private func isGreeted(_ before: ScannedText.Word?, _ range: Range<Int>) -> Bool {
        guard let before, before.end <= range.lowerBound,
            (Range.span(before.end, range.lowerBound)).allSatisfy({
                text.has(.space, $0) || text.ascii($0) == 0x2C
            })
        else { return false }
        return text.labels(at: before.start).contains {
            $0.label == .greeting && $0.end == before.end
        }
    }

    private func isSentenceStart(_ index: Int) -> Bool {
        var before = index - 1
        while text.has(.space, before) { before -= 1 }
        return before < 0 || !text.isWord(before)
    }

    /// A blank, or the point of an abbreviation and a blank.
    func touches(_ gap: Range<Int>) -> Bool {
        gap.count <= 2 && !gap.isEmpty
            && gap.allSatisfy { text.has(.space, $0) || text.ascii($0) == 0x2E }
    }

    func isOneSpace(_ gap: Range<Int>) -> Bool {
        !gap.isEmpty && gap.count <= 2 && gap.allSatisfy { text.has(.space, $0) }
    }
}
