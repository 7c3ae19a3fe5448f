import Base

/// Separates work from personal details, in the lines above the first heading and in blocks
/// of personal details. Pure.
///
/// Name, contact details, address and labelled details are removed. Sentences, list items,
/// jobs and lines under a heading of their own are kept. An ambiguous short line is treated
/// like its block: next to contact details it is a district or a marital status, otherwise
/// a headline.
struct HeadLines {
    private enum Mark { case person, work, unsure }

    let finder: PersonFinder
    /// Whether this is a block of personal details, where a short line is kept only below
    /// work.
    var isPersonal = false

    /// Whether each of the lines is kept.
    func stay(_ lines: [ResumeLine]) -> [Bool] {
        var stay: [Bool] = []
        var isWork = false
        var start = 0
        while start < lines.count {
            var end = start + 1
            while end < lines.count, !lines[end].hasBlankBefore { end += 1 }
            var marks: [Mark] = []
            for index in start..<end {
                let goesOn =
                    marks.last == .work && BodyText.goesOn(lines, index)
                    && !PrivateLine.isPrivate(lines[index]) && !finder.isNameLine(lines[index])
                    && (isWork || !AddressShape.isAddress(lines[index].text))
                let isName = index == 0 && !isPersonal && Self.isInTwoScripts(lines[index].text)
                marks.append(isName ? .person : goesOn ? .work : mark(lines[index], isWork))
            }
            let isOfPerson = marks.contains(.person)
            for (line, mark) in zip(lines[start..<end], marks) {
                switch mark {
                case .person: stay.append(false)
                case .work:
                    isWork = true
                    stay.append(true)
                case .unsure:
                    stay.append(!isOfPerson && (isWork || !isPersonal && isHeadline(line)))
                }
            }
            // A block of several lines without personal details has a heading of its own, and work
            // follows it.
            if !isOfPerson, marks.count > 1, stay.last == true { isWork = true }
            start = end
        }
        return stay
    }

    private func mark(_ line: ResumeLine, _ isWork: Bool) -> Mark {
        if SectionCutter.isTitle(line) || finder.isNameLine(line) || finder.names(line)
            || PrivateLine.isPrivate(line) || SectionCutter.isDeclaration(line.text)
        {
            return .person
        }
        if let match = HeadingMatch(line), match.form != .alone {
            return match.kind.isSendable ? .work : .person
        }
        if !LabelledValue.all(in: line).isEmpty { return .person }
        let contacts = ContactScanner.matches(in: line.text, isHead: true)
        let isSentence = Self.isSentence(
            contacts.isEmpty ? line : ResumeLine(PrivateLine.withoutContact(line.text)))
        if !contacts.isEmpty { return isSentence && !isPersonal ? .work : .person }
        let parts = LabelledValue.parts(line.text)
        if !line.isBullet,
            parts.allSatisfy({
                // A number next to "place" is an address only if no work came before.
                AddressShape.isPlace($0) || AddressShape.isTown($0)
                    || !isWork && (AddressShape.isAddress($0) || AddressShape.isHouse($0))
            })
        {
            return .person
        }
        // "Product manager | 34 ans | Permis B": an age.
        if !isWork, parts.count > 1, parts.contains(where: Self.isAge) { return .person }
        // A date alone is the date of birth; even its format is not revealed.
        if isPersonal || line.words.count(where: { $0 != "de" }) <= 4,
            PersonFinder.date(in: line.text) != nil
        {
            return .person
        }
        if isSentence || line.isBullet { return .work }
        if !isPersonal {
            if JobReader.isRole(line.text) && !line.text.contains("@") { return .work }
            if line.hasYear, line.words.count >= 3 { return .work }
        }
        return .unsure
    }

    /// "Yousef Idrissi يوسف الإدريسي": at the top of a résumé, the name in two scripts.
    private static func isInTwoScripts(_ text: String) -> Bool {
        let letters = text.unicodeScalars.filter(\.properties.isAlphabetic)
        let latin = letters.count { $0.value < 0x250 || (0x1E00...0x1EFF).contains($0.value) }
        return latin > 1 && letters.count - latin > 1
    }

    private static func isAge(_ part: String) -> Bool {
        let words = part.split(separator: " ")
        return (2...3).contains(words.count)
            && words.contains { Int($0).map { (16...75).contains($0) } ?? false }
    }

    /// Whether the line is several words that are not all names.
    private static func isSentence(_ line: ResumeLine) -> Bool {
        let small = line.words.count { word in
            word.first?.isLowercase == true && word.count > 1
                && !ResumeWords.shared.particles.contains(ResumeWords.folded(word))
        }
        return line.words.count >= 7 && small >= 2
            || line.text.last == "." && line.words.count >= 4 && small >= 1
    }

    /// Whether the line is a headline, not a place or a name: "Logistics | Procurement |
    /// Lean", "Engineering toolbox".
    private func isHeadline(_ line: ResumeLine) -> Bool {
        if line.text.contains(where: \.isNumber) { return false }
        if LabelledValue.parts(line.text).count > 1 { return true }
        if NameShape(line.closed) != nil { return false }
        return line.words.count >= 4 || line.style != .plain
            || line.words.contains { word in
                word.first?.isLowercase == true && word.count > 3
                    && !ResumeWords.shared.particles.contains(ResumeWords.folded(word))
            }
    }
}
