import Base

/// Finds names of people not in the profile if the text around them leaves no doubt: a
/// label and a colon, a title, a greeting, a mail address after it, the end of a letter. Pure.
struct NamePattern {
    let text: ScannedText
    let labels: LabelScan
    let emails: [Range<Int>]

    init(_ text: ScannedText, _ labels: LabelScan, emails: [Range<Int>]) {
        self.text = text
        self.labels = labels
        self.emails = emails
    }

    /// Names that the text declares: by a label, a title, a closing, "née", or beside a name
    /// of the profile in another script.
    func declared(beside known: [Range<Int>]) -> [Range<Int>] {
        let ends = Set(known.map(\.upperBound))
        return labels.hits(.name).compactMap(labelled) + labels.hits(.party).compactMap(party)
            + labels.hits(.sureTitle).compactMap(titled)
            + labels.hits(.greeting).compactMap(greeted)
            + emails.compactMap(before(email:))
            + labels.hits(.closing).compactMap(closing)
            + labels.hits(.former).compactMap { former($0) }
            + labels.hits(.otherName).compactMap { former($0, behind: ends) }
            + labels.hits(.surePersonBefore).compactMap(related) + careOf()
            + labels.hits(.nickname).compactMap(nickname)
            + known.flatMap(inOtherScript)
    }

    /// "Client: Ida Berg", but not "Client: Acme" nor "Client: React Native".
    private func party(_ hit: LabelScan.Hit) -> Range<Int>? {
        guard let range = labelled(hit) else { return nil }
        let words = text.words[
            text.word(from: range.lowerBound)..<text.word(from: range.upperBound)]
        let isNamed =
            (2...4).contains(words.count) && !words.contains(where: \.isAllCaps)
            && !words.contains { RedactionWords.skills.contains(text.folded($0)) }
        return isNamed ? range : nil
    }

    /// "née Holm", "geb. Holm"; "Ida Berg, formerly Holm" where a name is in front.
    private func former(_ hit: LabelScan.Hit, behind names: Set<Int>? = nil) -> Range<Int>? {
        let isBehind =
            names.map { (hit.start - 3..<hit.start).contains(where: $0.contains) } ?? true
        let (end, words) = beside(hit, most: 3)
        // If no name comes before it, "formerly Rosa Holm" has a first name.
        guard let first = words.first, isStop(end) || isBeforeDate(end),
            names == nil || words.count <= 2,
            isBehind
                || words.count == 2 && isFirstName(first),
            let last = words.last, last.count > 2 || isOtherScript(last)
        else { return nil }
        return first.start..<end
    }

    /// "née Holm le 14/5/1990".
    private func isBeforeDate(_ end: Int) -> Bool {
        let index = text.word(from: end)
        return index + 1 < text.words.count && text.words[index].count < 5
            && !text.words[index].isCapital && text.words[index + 1].hasDigit
            && text.words[index + 1].start - end < 8
    }

    /// "Dmitri Petrov (Дмитрий Петров)", "李伟 / Li Wei", and on the next line.
    private func inOtherScript(_ known: Range<Int>) -> [Range<Int>] {
        guard text.units[known.lowerBound] < 0x250 else { return [] }
        var found: [Range<Int>] = []
        var next = known.upperBound
        var isApart = false
        while next - known.upperBound < 4,
            text.has(.blank, next) || [0x28, 0x2F, 0x7C].contains(text.ascii(next))
        {
            isApart = isApart || !text.has(.space, next)
            next += 1
        }
        var index = text.word(from: next)
        var end = next
        while index < text.words.count, isOtherScript(text.words[index]),
            end == next
                ? text.words[index].start == next : isInOtherName(end..<text.words[index].start)
        {
            end = text.words[index].end
            index += 1
        }
        let after = text.skippingSpace(end)
        // Two words of another script between Latin words are the name.
        let isIsland =
            index - text.word(from: next) > 1
            && (after >= text.count || !text.isWord(after) || text.units[after] < 0x250)
        if end > next, end - next <= 32,
            isIsland || isStop(end) && (isApart || after >= text.lineEnd(end))
        {
            found.append(next..<end)
        }
        var last = known.lowerBound
        while known.lowerBound - last < 4,
            text.has(.space, last - 1) || [0x28, 0x2F, 0x7C].contains(text.ascii(last - 1))
        { last -= 1 }
        guard (last..<known.lowerBound).contains(where: { !text.has(.space, $0) }) else {
            return found
        }
        index = text.word(from: last) - 1
        var start = last
        while index >= 0, isOtherScript(text.words[index]),
            start == last
                ? text.words[index].end == last : isInOtherName(text.words[index].end..<start)
        {
            start = text.words[index].start
            index -= 1
        }
        if start < last, last - start <= 32 { found.append(start..<last) }
        return found
    }

    /// Whether the gap can be in a name, or is the dot that separates names in
    /// Chinese and Japanese.
    private func isInOtherName(_ gap: Range<Int>) -> Bool {
        isInName(gap)
            || gap.count == 1
                && [0xB7, 0x2022, 0x2027, 0x30FB].contains(text.units[gap.lowerBound])
    }

    func isOtherScript(_ word: ScannedText.Word) -> Bool {
        word.isCapital && !word.hasDigit && text.units[word.start] >= 0x370
            && !(0x1E00..<0x1F00).contains(text.units[word.start])
    }

    // MARK: - Where a name ends

    /// The capitalised words from `start` on, with particles and initials between them.
    ///
    /// - Returns: the index after the last one, and the words.
    func capitals(from start: Int, most: Int = 5) -> (end: Int, words: [ScannedText.Word]) {
        var words: [ScannedText.Word] = []
        var end = start
        var index = text.word(from: start)
        while index < text.words.count, words.count < most {
            let word = text.words[index]
            let gap = Range.span(end, word.start)
            guard words.isEmpty ? gap.isEmpty : isInName(gap), !word.hasDigit else { break }
            if word.isCapital {
                words.append(word)
                end = word.end
                // The point of an initial.
                if word.count == 1, text.ascii(end) == 0x2E { end += 1 }
            } else {
                // A particle counts if a capital follows.
                guard !words.isEmpty, word.count <= 4, isParticle(word),
                    index + 1 < text.words.count
                else { break }
                let next = text.words[index + 1]
                let second =
                    next.isCapital
                    ? next : index + 2 < text.words.count ? text.words[index + 2] : next
                guard second.isCapital, next.isCapital || isParticle(next),
                    isInName(Range.span(word.end, next.start))
                else { break }
                end = word.end
            }
            index += 1
        }
        if let last = words.last, end < last.end { end = last.end }
        return (
            words.last.map { $0.count == 1 && text.ascii($0.end) == 0x2E ? $0.end + 1 : $0.end }
                ?? start, words
        )
    }

    func isParticle(_ word: ScannedText.Word) -> Bool {
        RedactionWords.particles.contains(text.folded(word))
    }

    func isInName(_ gap: Range<Int>) -> Bool {
        guard (1...3).contains(gap.count) else { return false }
        return gap.allSatisfy { text.has(.space, $0) || [0x2D, 0x27].contains(text.ascii($0)) }
            || gap.count <= 2 && text.ascii(gap.lowerBound) == 0x2E
                && text.has(.space, gap.upperBound - 1)
            || gap.count == 1 && text.ascii(gap.lowerBound) == 0x2E
    }

    /// Whether a name ends here: at the line end, a comma, a bracket, a bar.
    func isStop(_ index: Int) -> Bool {
        let next = text.skippingSpace(index)
        return next >= text.count || text.has(.newline, next) || next - index >= 2
            || [0x22, 0x2C, 0x28, 0x7C, 0x3B, 0x2F, 0x29, 0x3C, 0x2D, 0x2E, 0x5B, 0x2A].contains(
                text.ascii(next))
            || text.units[next] == 0x2022 || text.units[next] == 0xB7
    }

    /// Whether the words are a person's name.
    func isPerson(_ words: [ScannedText.Word]) -> Bool {
        !words.isEmpty
            && !words.contains { word in
                word.count > 1 && text.isThing(word) || word.isAllCaps && word.count <= 3
            }
    }

    /// Whether it names a brand, a book or a person in one.
    func isKnownOtherwise(_ range: Range<Int>) -> Bool {
        let words = text.words[
            text.word(from: range.lowerBound)..<text.word(from: range.upperBound)]
        return RedactionWords.knownOtherwise.contains(Array(words.map(text.folded).joined()))
    }

    // MARK: - By what stands before it

    /// "Referee: Ida Berg"; the label begins its line or field.
    func labelled(_ hit: LabelScan.Hit) -> Range<Int>? {
        let (start, hasColon) = labels.value(behind: hit)
        guard hasColon || text.ascii(hit.end) == 0x09 && hit.start == text.lineStart(hit.start),
            isBeginning(hit.start), text.isWord(start)
        else { return nil }
        let first = behindTitle(start)
        let (end, words) = capitals(from: first)
        guard isPerson(words), isStop(end), end > first else { return nil }
        // "Berg, Ida" as a form has it.
        if words.count == 1, text.ascii(end) == 0x2C, !text.has(.unspaced, end - 1) {
            let second = capitals(from: text.skippingSpace(end + 1), most: 3)
            let isLine =
                second.end >= text.lineEnd(end)
                || text.has(.newline, text.skippingSpace(second.end))
            if isPerson(second.words), isLine { return start..<second.end }
        }
        return start..<end
    }

    /// The start of the name behind a title, if one stands there.
    private func behindTitle(_ start: Int) -> Int {
        guard text.isWord(start),
            var next = text.labels(at: start).last(where: { $0.label == .title })?.end,
            next < text.count
        else { return start }
        while text.has(.space, next) || text.ascii(next) == 0x2E { next += 1 }
        return next
    }

    func isBeginning(_ start: Int) -> Bool {
        var index = start - 1
        while text.has(.space, index) || [0x2A, 0x5F, 0x2D, 0x23, 0x22].contains(text.ascii(index))
        { index -= 1 }
        return index < 0 || text.has(.newline, index)
            || [0x2E, 0x2C, 0x7C, 0x3B, 0x28, 0x3A, 0x3E, 0x7B].contains(text.ascii(index))
            || index >= 0 && (text.units[index] == 0x2022 || text.units[index] == 0xB7)
            || start - index > 3
    }

    /// "Frau Dr. Berg", but not "MS Office".
    func titled(_ hit: LabelScan.Hit) -> Range<Int>? {
        let isCapital = text.has(.upper, hit.start) || text.units[hit.start] >= 0x400
        guard isCapital || text.labels(at: hit.start).contains(where: { $0.label == .smallTitle })
        else { return nil }
        if hit.end - hit.start == 2, text.has(.upper, hit.start + 1) { return nil }
        var first = hit.end
        for _ in 0..<4 {
            while text.has(.space, first) || text.ascii(first) == 0x2E { first += 1 }
            guard first - hit.end < 30, text.isWord(first),
                let title = text.labels(at: first).last(where: { $0.label == .title }),
                title.end < text.count, text.ascii(title.end) == 0x2E || title.end - first > 2,
                first > hit.end
            else { break }
            first = title.end
        }
        guard first > hit.end, first - hit.end < 30,
            !(Range.span(hit.end, first)).contains(where: { text.has(.newline, $0) })
        else { return nil }
        let (end, words) = capitals(from: first, most: 4)
        guard let one = words.first, one.count > 1 || words.count > 1,
            !one.isAllCaps || one.count > 3
        else { return nil }
        var kept = words
        while let last = kept.last, text.isThing(last) {
            kept.removeLast()
        }
        guard let last = kept.last, isPerson([kept[0]]) else { return nil }
        return hit.start..<(kept.count == words.count ? end : last.end)
    }

    /// "Dear Ida,".
    func greeted(_ hit: LabelScan.Hit) -> Range<Int>? {
        guard text.has(.upper, hit.start), isBeginning(hit.start) else { return nil }
        let start = text.skippingSpace(hit.end)
        guard start > hit.end, start - hit.end <= 2 else { return nil }
        let first = behindTitle(start)
        let (end, words) = name(from: first)
        let behind = text.skippingSpace(end)
        guard let word = words.first, words.count < 4,
            !words.contains(where: {
                RedactionWords.notGreeted.contains(text.folded($0))
            }),
            isPerson(words), word.count > 1,
            behind >= text.count || text.has(.newline, behind)
                || [0x2C, 0x21, 0x2E, 0x3A].contains(text.ascii(behind))
        else { return nil }
        return start..<end
    }

    /// The line under "Best regards,".
    private func closing(_ hit: LabelScan.Hit) -> Range<Int>? {
        guard text.has(.upper, hit.start) || text.units[hit.start] >= 0x250,
            isBeginning(hit.start)
        else { return nil }
        var index = hit.end
        while [0x2C, 0x2E, 0x21, 0x20].contains(text.ascii(index)) { index += 1 }
        // "Regards, Ida Berg" on one line has its comma and both names.
        let isOneLine = !text.has(.newline, index)
        let hasComma = text.ascii(hit.end) == 0x2C
        guard !isOneLine || hasComma || hit.start == 0 || text.has(.newline, hit.start - 1)
        else { return nil }
        var newlines = 0
        while text.has(.blank, index) {
            if text.has(.newline, index) { newlines += 1 }
            index += 1
        }
        guard newlines <= 4 else { return nil }
        let first = behindTitle(index)
        let (end, words) = capitals(from: first, most: 4)
        let behind = text.skippingSpace(end)
        let isEnd = behind >= text.count || text.has(.newline, behind)
        guard isPerson(words),
            isEnd
                || (words.count > 1 || text.ascii(behind) == 0x28) && hasComma
                    && [0x2C, 0x28].contains(text.ascii(behind)),
            !isOneLine || words.count > 1 && hasComma || isFirstName(words[0])
        else { return nil }
        return index..<end
    }

    /// "Ida Berg <ida@…>" and "Ida Berg (ida@…)"; after a comma, "Ida Berg, berg7@…", if
    /// the address is made from the name.
    func before(email: Range<Int>) -> Range<Int>? {
        func isBetween(_ index: Int) -> Bool {
            text.has(.space, index)
                || [0x22, 0x28, 0x2C, 0x2D, 0x3A, 0x3C, 0x5B].contains(text.ascii(index))
        }
        var end = email.lowerBound
        while isBetween(end - 1) { end -= 1 }
        let gap = Range.span(end, email.lowerBound)
        let last = text.word(from: end) - 1
        guard gap.contains(where: { !text.has(.space, $0) }), last >= 0,
            text.words[last].end == end,
            let range = pair(endingAt: last)
        else { return nil }
        if gap.contains(where: { [0x28, 0x3C, 0x5B].contains(text.ascii($0)) }) { return range }
        let local = email.prefix { text.ascii($0) != 0x40 }.filter { text.isLetter($0) }
            .map { text.units[$0] }
        let words = text.words[text.word(from: range.lowerBound)...last]
        return words.contains { $0.count > 2 && local.firstRange(of: text.folded($0)) != nil }
            ? range : nil
    }

}
