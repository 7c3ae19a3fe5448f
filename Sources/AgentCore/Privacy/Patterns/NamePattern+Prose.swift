/// Finds names in running text: those of the lists, and by their form names with initials, speakers
/// in a chat, signatures, handles and the parts of mail addresses. Pure.
///
/// It is not used for a conversation or a letter as a whole: the people named there may be its
/// topic, and the employer's name may be a person's.
extension NamePattern {
    /// - Returns: whole names, which count in the whole text, and single words.
    /// - Parameter names: the names found elsewhere.
    func inProse(_ names: [Range<Int>]) -> (declared: [Range<Int>], single: [Range<Int>]) {
        let (full, single) = listed()
        let speakers = self.speakers()
        let declared =
            full + initialled() + speakers + labels.hits(.people).flatMap(people)
            + (labels.hits(.birth) + labels.hits(.identifier)).compactMap(before)
            + labels.hits(.role).compactMap(labelled)
        return (declared, single + mailed(declared + names) + handles())
    }

    // MARK: - By form

    /// "K. Osei", "J. R. Berg"; not the point of an abbreviation or of a sentence.
    private func initialled() -> [Range<Int>] {
        text.words.indices.compactMap { index in
            let word = text.words[index]
            guard word.count == 1, word.isCapital, text.ascii(word.end) == 0x2E,
                !text.isWord(word.start - 1), ![0x2D, 0x2E].contains(text.ascii(word.start - 1))
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
                isPerson(words), !surname.isAllCaps, areNames(words), !text.isFollowedByThing(end)
            else { return nil }
            return word.start..<end
        }
    }

    /// "[12:40] Ida: …": speakers who are in the lists or who speak twice.
    private func speakers() -> [Range<Int>] {
        var found: [Range<Int>] = []
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
            found.append(start..<last)
        }
        let names = Dictionary(grouping: found) { text.text($0) }
        let areKnown = found.map { isFirstName(text.words[text.word(from: $0.lowerBound)]) }
        return zip(found, areKnown).filter { range, isKnown in
            isKnown || (names[text.text(range)]?.count ?? 0) > 1
                || areKnown.count(where: \.self) > 1
        }.map(\.0)
    }

    /// "Present: Ida Berg (chair), T. Holm": up to the end of the line.
    private func people(_ hit: LabelScan.Hit) -> [Range<Int>] {
        var (start, hasColon) = labels.value(behind: hit)
        guard hasColon, isBeginning(hit.start) else { return [] }
        var found: [Range<Int>] = []
        // The limit allows a line with ten people.
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

    /// "thanks to @ida_77": not at the start of a line, where code has its annotations.
    private func handles() -> [Range<Int>] {
        text.units.indices.compactMap { index in
            guard text.units[index] == 0x40,
                text.has(.space, index - 1) || text.ascii(index - 1) == 0x28,
                text.isLetter(index + 1), !isInCode(index)
            else { return nil }
            var end = index + 1
            while text.isWord(end)
                || [0x2D, 0x5F].contains(text.ascii(end)) && text.isWord(end + 1)
            {
                end += 1
            }
            let isCode =
                [0x28, 0x2F, 0x40].contains(text.ascii(end))
                || text.ascii(end) == 0x2E && text.isWord(end + 1)
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

    /// The words of "ida.berg@…" if they have a capital, all of "Ida Berg" for "i.berg@…", and
    /// log-ins made of such an address or of a name: "iberg", "ida.b", "berg.ida2".
    private func mailed(_ names: [Range<Int>]) -> [Range<Int>] {
        var pieces: Set<[UInt32]> = []
        // The first names, by surname.
        var owners: [[UInt32]: Set<[UInt32]>] = [:]
        for name in names {
            let words = text.words[
                text.word(from: name.lowerBound)..<text.word(from: name.upperBound)
            ].map(text.folded)
            if words.count > 1, let first = words.first, let last = words.last, last.count > 2 {
                owners[last, default: []].insert(first)
            }
        }
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
            if last.count > 2 { owners[last, default: []].insert(first) }
        }
        var logins: Set<[UInt32]> = []
        for (last, firsts) in owners {
            for (first, count) in firsts.flatMap({ first in first.indices.map { (first, $0 + 1) } })
            {
                logins.formUnion([first.prefix(count) + last, last + first.prefix(count)])
                if count == 1 { logins.insert(first + last.prefix(1)) }
            }
        }
        return text.words.indices.compactMap { index in
            let (word, letters) = (text.words[index], text.folded(text.words[index]))
            if let firsts = owners[letters], let range = pair(endingAt: index),
                firsts.contains(where: { $0[0] == text.units[range.lowerBound] })
            {
                return range
            }
            return word.isCapital && pieces.contains(letters)
                ? word.start..<word.end : login(word, logins)
        }
    }

    /// The words joined by signs from that one on, or that one alone; without digits at the end.
    private func login(_ word: ScannedText.Word, _ logins: Set<[UInt32]>) -> Range<Int>? {
        func isJoint(_ index: Int) -> Bool {
            [0x2D, 0x2E, 0x5F].contains(text.ascii(index)) && text.isWord(index + 1)
        }
        if isJoint(word.start - 1) { return nil }
        var end = word.end
        while isJoint(end) { end = text.words[text.word(from: end)].end }
        return [end, word.end].lazy.map { word.start..<$0 }.first { range in
            let token = range.reversed().drop(while: text.isDigit).reversed()
            let letters = token.filter(text.isWord).map { text.units[$0] }
            let isPlain = letters.count == range.count
            return logins.contains(letters) && letters.count > (isPlain ? 4 : 3)
                && !(isPlain && RedactionWords.commonWords.contains(letters))
        }
    }
}
