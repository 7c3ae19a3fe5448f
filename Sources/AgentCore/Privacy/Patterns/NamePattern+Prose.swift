/// Finds names in running text, by lists of first names and by the words beside them:
/// relatives, nicknames, speakers in a chat, a mail address made from the name. Pure.
///
/// Not for a conversation or a letter as a whole: the people named there may be its topic,
/// and the employer's name may be a person's.
extension NamePattern {
    /// - Returns: whole names, which are names in the whole text, and single words.
    func inProse() -> (declared: [Range<Int>], single: [Range<Int>]) {
        let (full, single) = listed()
        let speakers = self.speakers()
        let declared =
            full + initialled() + speakers + labels.hits(.people).flatMap(people)
            + labels.hits(.role).compactMap(labelled) + ranges()
        return (declared, single + mailed() + signed() + handles())
    }

    func isFirstName(_ word: ScannedText.Word) -> Bool {
        RedactionWords.firstNames.contains(text.folded(word))
    }

    /// Whether it may be something other than a name.
    private func isUnsure(_ word: ScannedText.Word) -> Bool {
        RedactionWords.unsureNames.contains(text.folded(word))
    }

    // MARK: - By the lists

    /// The names whose first word is in the list of first names: "Ida Berg" and "Ida".
    private func listed() -> (full: [Range<Int>], single: [Range<Int>]) {
        var (full, single): ([Range<Int>], [Range<Int>]) = ([], [])
        var end = 0
        for (index, word) in text.words.enumerated()
        where word.start >= end && word.isCapital && isFirstName(word) {
            guard
                ![0x2D, 0x2E, 0x40, 0x2F, 0x5F, 0x27].contains(text.ascii(word.start - 1))
                    || text.has(.blank, word.start - 2)
            else {
                if let range = slashed(index) { full.append(range) }
                continue
            }
            if let range = fullName(word) {
                full.append(range)
                end = range.upperBound
            } else if isSingle(index) {
                single.append(word.start..<word.end)
            }
        }
        return (full, single)
    }

    /// The capitalised words of one name: a gap of two blanks ends it.
    private func name(from start: Int) -> (end: Int, words: [ScannedText.Word]) {
        var (end, words) = capitals(from: start, most: 5)
        for (index, word) in words.enumerated().dropFirst() {
            let last = words[index - 1].end
            if text.has(.space, last),
                text.has(.space, last + 1)
                    || text.has(.space, word.start - 1) && text.has(.space, word.start - 2)
            {
                words.removeSubrange(index...)
                end = last
                break
            }
            // "Thank Ben. The others …"
            if text.ascii(last) == 0x2E, words[index - 1].count > 2 {
                words.removeSubrange(index...)
                end = last
                break
            }
        }
        return (end, words)
    }

    private func fullName(_ first: ScannedText.Word) -> Range<Int>? {
        let (end, words) = name(from: first.start)
        guard words.count > 1, isPerson(words),
            let second = words.first(where: {
                text.has(.space, $0.start - 1) && $0.start > first.start
            }),
            first.isAllCaps || !second.isAllCaps || second.count > 4,
            !isUnsure(first) || text.ascii(first.end) != 0x2D,
            areNames(words), !isFollowedByThing(end)
        else { return nil }
        if second.count == 1 {
            return isUnsure(first) && end == second.end ? nil : first.start..<end
        }
        if isUnsure(first), isUnsure(second) || second.count < 3 { return nil }
        return first.start..<end
    }

    /// Whether they are names: not "Claude Code" and "W. Europe Standard Time".
    private func areNames(_ words: [ScannedText.Word]) -> Bool {
        !words.dropFirst().contains { word in
            let letters = text.folded(word)
            return word.count > 1
                && (RedactionWords.determiners.contains(letters)
                    || RedactionWords.months.contains(letters)
                    || RedactionWords.commonWords.contains(letters))
        }
    }

    /// "BERG/IDA", as a ticket has it.
    private func slashed(_ index: Int) -> Range<Int>? {
        let word = text.words[index]
        guard index > 0, word.isAllCaps, word.count > 3 else { return nil }
        let surname = text.words[index - 1]
        return surname.end + 1 == word.start && text.ascii(surname.end) == 0x2F
            && surname.isAllCaps && surname.count > 3 ? surname.start..<word.end : nil
    }

    /// Whether a digit, a capital after "'s", or a word that makes it the name of something
    /// follows.
    private func isFollowedByThing(_ end: Int) -> Bool {
        var next = text.skippingSpace(end)
        if text.ascii(end) == 0x27, text.ascii(end + 1) == 0x73 {
            next = text.skippingSpace(end + 2)
            return next > end + 2 && (text.has(.upper, next) || text.isDigit(next))
        }
        guard next > end else { return false }
        if text.isDigit(next) { return next == end + 1 }
        let index = text.word(from: next)
        guard index < text.words.count, case let word = text.words[index], word.start == next
        else { return false }
        return (word.isCapital || word.count > 3)
            && RedactionWords.things.contains(text.folded(word))
    }

    /// Whether it is a first name alone: not in the middle of something with capitals. One
    /// that is also a word needs a verb after it.
    private func isSingle(_ index: Int) -> Bool {
        let word = text.words[index]
        let before = index > 0 ? text.words[index - 1] : nil
        let after = index + 1 < text.words.count ? text.words[index + 1] : nil
        guard !word.isAllCaps, !isFollowedByThing(word.end), text.ascii(word.end) != 0x2D,
            text.ascii(word.end) != 0x2E || !text.isWord(word.end + 1),
            ![0x40, 0x5F, 0x2F, 0x28].contains(text.ascii(word.end))
        else { return false }
        if let before, text.has(.space, word.start - 1), before.end + 1 == word.start {
            // "a Hobart mixer", "San Francisco", but "Hi Ida".
            let isCalled = text.labels(at: before.start).contains { $0.end == before.end }
            if before.isCapital ? !isCalled : Self.articles.contains(text.text(before)) {
                return false
            }
        }
        guard ![text.ascii(word.start - 2), text.ascii(word.end + 1)].contains(0x26) else {
            return false
        }
        guard let after, after.start == word.end + 1, text.has(.space, word.end) else {
            return !isUnsure(word)
        }
        if after.isCapital { return false }
        return !isUnsure(word)
            || isBeginning(word.start) && RedactionWords.humanVerbs.contains(text.folded(after))
                && !RedactionWords.months.contains(text.folded(word))
    }

    private static let articles: Set<String> = [
        "a", "an", "the", "der", "die", "das", "dem", "den", "ein", "eine", "einen", "un", "une",
        "una", "le", "la", "les", "el", "los", "il", "lo", "het", "een", "um", "uma", "o",
    ]

    // MARK: - By form

    /// "K. Osei", "J. R. Berg"; not the point of an abbreviation or of a sentence.
    private func initialled() -> [Range<Int>] {
        text.words.indices.compactMap { index in
            let word = text.words[index]
            guard word.count == 1, word.isCapital, text.ascii(word.end) == 0x2E,
                !text.isWord(word.start - 1), text.ascii(word.start - 1) != 0x2E
            else { return nil }
            if index > 0, case let before = text.words[index - 1],
                Range.span(before.end, word.start).count <= 2,
                before.count == 1
                    || before.isCapital && before.end + 1 == word.start
                        && !RedactionWords.titles.contains(text.folded(before))
            {
                return nil
            }
            let (end, words) = name(from: word.start)
            guard let surname = words.first(where: { $0.count > 1 }), surname.count > 2,
                isPerson(words), !surname.isAllCaps, areNames(words), !isFollowedByThing(end)
            else { return nil }
            return word.start..<end
        }
    }

    /// "[12:40] Ida: …": speakers who are in the lists or speak twice.
    private func speakers() -> [Range<Int>] {
        var found: [Range<Int>] = []
        var lines = 0
        var index = 0
        while index < text.count {
            let end = text.lineEnd(index)
            defer { index = end + 1 }
            guard
                let colon = (index..<min(end, index + 64)).first(where: {
                    text.ascii($0) == 0x3A && text.isDigit($0 - 1) && text.isDigit($0 + 1)
                })
            else { continue }
            var start = colon + 1
            while start < end, !text.has(.space, start) { start += 1 }
            while start < end, !text.isWord(start), text.ascii(start) != 0x3A { start += 1 }
            let (last, words) = name(from: start)
            let behind = (last..<min(last + 5, end)).first { text.ascii($0) == 0x3A }
            guard let word = words.first, words.count < 4, isPerson(words), behind != nil,
                !Range.span(last, behind ?? last).contains(where: { text.isWord($0) }),
                !["you", "me", "moi", "ich", "du", "yo", "tu", "io", "ik", "system", "bot"]
                    .contains(
                        text.text(word))
            else { continue }
            lines += 1
            found.append(start..<last)
        }
        let names = Dictionary(grouping: found) { text.text($0) }
        return found.filter { range in
            names[text.text(range)].map { $0.count > 1 } ?? false
                || isFirstName(text.words[text.word(from: range.lowerBound)])
        }
    }

    /// "Present: Ida Berg (chair), T. Holm": up to the end of the line.
    private func people(_ hit: LabelScan.Hit) -> [Range<Int>] {
        var (start, hasColon) = labels.value(behind: hit)
        guard hasColon, isBeginning(hit.start) else { return [] }
        var found: [Range<Int>] = []
        // A line of ten people is long.
        let end =
            (start..<min(start + 400, text.count)).first { text.has(.newline, $0) }
            ?? min(start + 400, text.count)
        while start < end {
            var first = start
            while first < end, !text.isWord(first) { first += 1 }
            let (last, words) = name(from: first)
            if isPerson(words), isStop(last), words[0].count > 1 || words.count > 1 {
                found.append(first..<last)
            }
            start = (first..<end).first { [0x2C, 0x3B].contains(text.ascii($0)) } ?? end
            start += 1
        }
        return found
    }

    /// A first name, with a surname or its initial, alone in the last line or above "--".
    private func signed() -> [Range<Int>] {
        text.words.compactMap { word in
            guard word.isCapital, text.has(.newline, word.start - 1), isFirstName(word) else {
                return nil
            }
            let (end, words) = name(from: word.start)
            var next = end
            while text.has(.blank, next) { next += 1 }
            let last = text.skippingSpace(end)
            guard words.count < 4, isPerson(words), last >= text.count || text.has(.newline, last),
                text.has(.newline, word.start - 2) || next >= text.count || text.ascii(next) == 0x2D
            else { return nil }
            return word.start..<end
        }
    }

    /// "thanks to @ida_77": not at the start of a line, where code has its annotations.
    private func handles() -> [Range<Int>] {
        text.units.indices.compactMap { index in
            guard text.units[index] == 0x40,
                text.has(.space, index - 1) || text.ascii(index - 1) == 0x28,
                text.isLetter(index + 1), !isInCode(index)
            else { return nil }
            var end = index + 1
            while text.isWord(end) || text.ascii(end) == 0x5F { end += 1 }
            let isCode =
                [0x28, 0x2F, 0x40].contains(text.ascii(end))
                || [0x2E, 0x2D].contains(text.ascii(end)) && text.isWord(end + 1)
            return isCode || end - index < 4 ? nil : index..<end
        }
    }

    /// Whether the line begins with an @.
    private func isInCode(_ index: Int) -> Bool {
        var start = index
        while index - start < 80, start > 0, !text.has(.newline, start - 1) { start -= 1 }
        return !(start..<index).contains { text.isWord($0) }
            || text.ascii(text.skippingSpace(start)) == 0x40
    }

    // MARK: - By addresses of mail

    /// The words of "ida.berg@…" if they have a capital, and the log-in "iberg".
    private func mailed() -> [Range<Int>] {
        var pieces: Set<[UInt32]> = []
        var logins: Set<[UInt32]> = []
        for email in emails.prefix(200) {
            let local = email.prefix { text.ascii($0) != 0x40 }
            let parts = local.split { !text.isLetter($0) }.map { $0.map { text.units[$0] } }
                .filter { !RedactionWords.roles.contains($0) }
            guard parts.count > 1, let first = parts.first, let last = parts.last else { continue }
            for part in parts
            where part.count > 2 && !RedactionWords.unsureNames.contains(part)
                && !RedactionWords.things.contains(part)
            {
                pieces.insert(part)
            }
            if last.count > 2 {
                logins.formUnion([[first[0]] + last, last + [first[0]], first + last])
            }
        }
        if pieces.isEmpty { return [] }
        return text.words.filter { word in
            let letters = text.folded(word)
            return word.isCapital && pieces.contains(letters) || logins.contains(letters)
        }.map { $0.start..<$0.end }
    }
}

/// Names that the text describes as people; found with or without `readsProse`.
extension NamePattern {
    /// "my mother Ida Berg", "Mum (Ida)"; not "Berg & Son (Leeds)" nor "Uncle Ben's".
    func related(_ hit: LabelScan.Hit) -> Range<Int>? {
        var before = hit.start - 1
        while text.has(.space, before) { before -= 1 }
        guard ![0x26, 0x2B].contains(text.ascii(before)) else { return nil }
        let (end, words) = beside(hit, most: 4)
        guard let first = words.first, first.count > 1 || words.count > 1,
            !(text.has(.upper, hit.start) && text.ascii(end) == 0x27)
        else { return nil }
        return first.start..<end
    }

    /// "Most people call me Sunny", "published as Ida Berg".
    func nickname(_ hit: LabelScan.Hit) -> Range<Int>? {
        let (end, words) = beside(hit, most: 3)
        guard let first = words.first, first.count > 1, words.count == 1 || isFirstName(first)
        else { return nil }
        return first.start..<end
    }

    /// c/o
    func careOf() -> [Range<Int>] {
        text.words.compactMap { word in
            guard word.count == 1, text.units[word.start] == 0x63, text.ascii(word.end) == 0x2F,
                text.ascii(word.end + 1) == 0x6F, !text.isWord(word.end + 2)
            else { return nil }
            let hit = LabelScan.Hit(label: .surePersonBefore, start: word.start, end: word.end + 2)
            return related(hit)
        }
    }

    /// The capitals beside a label, without those of the next sentence.
    private func beside(
        _ hit: LabelScan.Hit, most: Int
    ) -> (end: Int, words: [ScannedText.Word]) {
        var first = hit.end
        while first - hit.end < 4, first < text.count,
            [0x20, 0x22, 0x28, 0x2A, 0x3A, 0x5F, 0xAB].contains(text.units[first])
        {
            first += 1
        }
        var (end, words) = first > hit.end ? capitals(from: first, most: most) : (first, [])
        if let last = words.firstIndex(where: { $0.count > 1 && text.ascii($0.end) == 0x2E }) {
            words.removeSubrange((last + 1)...)
            end = words[last].end
        }
        let isNoName = words.first.map {
            let letters = text.folded($0)
            return RedactionWords.determiners.contains(letters)
                || RedactionWords.months.contains(letters)
        }
        return isPerson(words) && isNoName == false ? (end, words) : (end, [])
    }

    /// "Inmaculada Vega (Inma)", "Robert “Bob” Berg": one word in brackets or quotes that is
    /// a first name, or begins as the name does.
    func nicknames(_ known: Range<Int>) -> [Range<Int>] {
        let inside = (known.lowerBound..<min(known.upperBound + 3, text.count)).filter {
            [0x22, 0x28].contains(text.ascii($0)) && text.has(.space, $0 - 1)
        }
        return inside.compactMap { sign in
            let index = text.word(from: sign + 1)
            guard index < text.words.count, case let word = text.words[index],
                word.start == sign + 1, word.isCapital, !word.isAllCaps, word.count > 1,
                [0x22, 0x29].contains(text.ascii(word.end)),
                isFirstName(word) || text.ascii(sign) == 0x22 && word.end < known.upperBound
                    || text.units[known.lowerBound..<known.lowerBound + 2]
                        == text.units[word.start..<word.start + 2]
            else { return nil }
            return word.start..<word.end
        }
    }
}
