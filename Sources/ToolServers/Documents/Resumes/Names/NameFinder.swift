import Base

/// Finds the applicant's name in the lines of a résumé. Pure. `PersonFinder` describes the
/// evidence it needs.
struct NameFinder {
    /// The lines above the first heading, or the top lines if there are no headings.
    let head: [ResumeLine]
    let all: [ResumeLine]
    /// User names from e-mail and web addresses.
    let handles: [String]

    /// The names, best first; none if nothing is certain enough.
    ///
    /// - Parameter hasName: whether a label has already given a name.
    func names(hasName: Bool) -> [NameShape] {
        var found = titled() + introduced()
        if hasName { return found }
        if found.isEmpty, let best = onTop() { found = best }
        if found.isEmpty { found = anywhere() }
        return found
    }

    // MARK: - In words

    /// "Curriculum Vitae of Max Muster", "Lebenslauf – Max Muster", "Max Muster's
    /// résumé".
    private func titled() -> [NameShape] {
        let titles = ResumeWords.shared.titles
        func isTitle(_ text: some StringProtocol) -> Bool {
            titles.contains(ResumeWords.key(text))
        }
        for line in all.prefix(12) where line.words.count <= 10 {
            let words = WordRun(line.closed)
            for title in ResumeWords.shared.titleOf {
                guard words.start(of: title) == 0 else { continue }
                let count = title.split(separator: " ").count
                let rest = words.text(from: count).trimming { " :-–—|,•·_".contains($0) }
                if let shape = NameShape(firstPart(String(rest))) { return [shape] }
            }
            // The document title after the name.
            let parts = line.closed.split { "|–—•·:".contains($0) }.map { $0.trimmingSpace() }
            if parts.count == 2, isTitle(parts[1]), let shape = NameShape(parts[0]) {
                return [shape]
            }
            for mark in ["'s ", "’s "] {
                if let range = line.closed.firstRange(of: mark),
                    isTitle(line.closed[range.upperBound...]),
                    let shape = NameShape(String(line.closed[..<range.lowerBound]))
                {
                    return [shape]
                }
            }
        }
        return []
    }

    private func firstPart(_ text: String) -> String {
        let parts = text.split { "|–—•·(".contains($0) }
        return String(parts.first ?? "").trimmingSpace()
    }

    /// "My name is Max Muster and …"
    private func introduced() -> [NameShape] {
        for line in all.prefix(40) {
            let words = WordRun(line.closed)
            for phrase in ResumeWords.shared.naming {
                guard let start = words.start(of: phrase),
                    let shape = NameShape(
                        name(after: words.words[(start + phrase.split(separator: " ").count)...])),
                    (2...4).contains(shape.keys.count)
                else { continue }
                // "I am Senior Engineer": require two or three words and no job.
                if phrase.contains(" ") || phrase.contains("'") || isConfirmed(shape) {
                    return [shape]
                }
            }
        }
        return []
    }

    /// The capitalised words that follow, up to the end of the clause.
    private func name(after rest: ArraySlice<String>) -> String {
        var words: [String] = []
        let joints: Set<String> = ["und", "y", "e", "i", "in", "zu", "a", "t", "do", "o"]
        for word in rest.prefix(6) {
            let isParticle =
                ResumeWords.shared.particles.contains(ResumeWords.folded(word))
                && word.first?.isLowercase == true && !words.isEmpty && !joints.contains(word)
            guard word.first?.isUppercase == true || isParticle else { break }
            words.append(word)
            if let last = word.last, ",.;:!)".contains(last), word.count > 2 { break }
        }
        while let last = words.last, last.first?.isLowercase == true { words.removeLast() }
        return String(words.joined(separator: " ").trimming { ",.;:!)".contains($0) })
    }

    // MARK: - At the top

    private struct Candidate {
        var shape: NameShape
        var score: Int
        var others: [NameShape] = []
    }

    private func onTop() -> [NameShape]? {
        var best: Candidate?
        func consider(_ candidate: Candidate) {
            if candidate.score > best?.score ?? 0 { best = candidate }
        }
        let lines = head.filter { !SectionCutter.isTitle($0) }
        for (index, line) in lines.prefix(14).enumerated() {
            for (place, part) in parts(of: line).enumerated() {
                let position = place == 0 ? index : index + 2
                for candidate in candidates(part, line, position) { consider(candidate) }
            }
            // The first name above the surname, in large letters.
            if index + 1 < lines.count, let split = overTwoLines(line, lines[index + 1]) {
                consider(
                    Candidate(shape: split, score: score(split, line, index) + 5))
            }
        }
        guard let best, best.score >= 40 else { return nil }
        return [best.shape] + best.others
    }

    private func parts(of line: ResumeLine) -> [String] {
        if line.style == .spaced {
            return line.text.split { "|•·".contains($0) }.map { part in
                // The name in another script follows it without letter spacing.
                let own = part.prefix { $0 != "(" }
                let isSpaced = !own.split(separator: " ").contains { $0.count > 1 }
                return HeadingMatch.plain(String(own), isSpaced ? .spaced : .plain) + " "
                    + part[own.endIndex...]
            }
        }
        return LabelledValue.parts(line.text).flatMap { part in
            // A dash with spaces separates name and headline.
            part.replacing(" – ", with: "|").replacing(" — ", with: "|").replacing(" - ", with: "|")
                .split(separator: "|").map { $0.trimmingSpace() }
        }
    }

    private func candidates(
        _ part: String, _ line: ResumeLine, _ position: Int
    ) -> [Candidate] {
        var result: [Candidate] = []
        if part.contains("@") || part.contains(":") {
            // "Max Muster, tel. 512 000 321, max@muster.de"
            let front = part.split(separator: ",").first.map(String.init) ?? part
            return front == part || front.contains { "@:".contains($0) }
                ? [] : candidates(front, line, position)
        }
        let (plain, extras) = Self.withoutAsides(part)
        if let shape = NameShape(plain) {
            var candidate = Candidate(shape: shape, score: score(shape, line, position))
            candidate.others = extras.compactMap { extra in
                if let whole = NameShape(extra) { return whole }
                // A maiden name belongs to the first name, a nickname to the last.
                let own = shape.text.split(separator: " ")
                guard let first = own.first, let last = own.last else { return nil }
                return isMaiden(part)
                    ? NameShape("\(first) \(extra)") : NameShape("\(extra) \(last)")
            }
            if !isConfirmed(shape), candidate.others.contains(where: isConfirmed) {
                candidate.score += 60
            }
            result.append(candidate)
        } else if let comma = plain.firstIndex(of: ","),
            let shape = NameShape(String(plain[..<comma]))
        {
            // "Max Muster, Softwareentwickler"
            result.append(Candidate(shape: shape, score: score(shape, line, position)))
        }
        if result.isEmpty, let aside = extras.first, let shape = NameShape(aside) {
            // "Mao (Xiaoming Wang)": the full name is in the brackets.
            var candidate = Candidate(shape: shape, score: score(shape, line, position))
            candidate.others = [NameShape(plain, allowsOne: true)].compactMap { $0 }
            result.append(candidate)
        }
        if result.isEmpty, let shape = ranked(plain) {
            result.append(Candidate(shape: shape, score: score(shape, line, position)))
        }
        if result.isEmpty, let shape = NameShape(plain, allowsOne: true, allowsLowercase: true),
            isConfirmed(shape)
        {
            result.append(Candidate(shape: shape, score: score(shape, line, position) - 10))
        }
        return result
    }

    /// "Staff Sergeant Max Muster": a rank or a job before a name that an e-mail address
    /// confirms.
    private func ranked(_ text: String) -> NameShape? {
        let words = text.split(separator: " ")
        return [3, 2].lazy.filter { $0 < words.count }.compactMap { count in
            NameShape(words.suffix(count).joined(separator: " "))
        }.first(where: isConfirmed)
    }

    private func isMaiden(_ part: String) -> Bool {
        let words = part.split { " ().,".contains($0) }.map { ResumeWords.folded($0) }
        return words.contains {
            [
                "nee", "geb", "geborene", "ne", "roz", "z", "born", "fodt", "fodd", "o.s", "nata",
                "szul",
            ].contains($0)
        }
    }

    /// The text without words in brackets or quotes, which are another name, and those
    /// words.
    static func withoutAsides(_ text: String) -> (plain: String, asides: [String]) {
        var plain = ""
        var aside = ""
        var asides: [String] = []
        var closing: Character?
        for character in text {
            if let end = closing {
                if character == end {
                    asides.append(aside)
                    aside = ""
                    closing = nil
                } else {
                    aside.append(character)
                }
                continue
            }
            switch character {
            case "(": closing = ")"
            case "“", "„": closing = "”"
            case "\"": closing = "\""
            case "«": closing = "»"
            default: plain.append(character)
            }
        }
        if closing != nil { return (text, []) }
        let maiden = [" née ", " geb. ", " geborene ", " nee ", " z d. ", " roz. "]
        for mark in maiden {
            if let range = plain.firstRange(of: mark) {
                asides.append(String(plain[range.upperBound...]))
                plain = String(plain[..<range.lowerBound])
            }
        }
        asides = asides.map { aside in
            var words = aside.split(separator: " ").map(String.init)
            while let first = words.first, first.first?.isLowercase == true, words.count > 1 {
                words.removeFirst()
            }
            return words.joined(separator: " ")
        }.filter { aside in
            NameShape(aside, allowsOne: true) != nil
        }
        return (plain.split(separator: " ").joined(separator: " "), asides)
    }

    private func overTwoLines(_ first: ResumeLine, _ second: ResumeLine) -> NameShape? {
        func words(_ line: ResumeLine) -> String {
            line.style == .spaced ? HeadingMatch.plain(line.text, .spaced) : line.closed
        }
        let (one, two) = (words(first), words(second))
        guard one.split(separator: " ").count <= 2, two.split(separator: " ").count <= 3,
            let upper = NameShape(one, allowsOne: true), NameShape(two, allowsOne: true) != nil,
            let whole = NameShape("\(one) \(two)"), (2...4).contains(whole.keys.count)
        else { return nil }
        // Two full names below each other are not one name, nor is a name above a job.
        if JobReader.isRole(two) { return nil }
        if upper.keys.count >= 2,
            handles.contains(where: upper.isMadeOf), !handles.contains(where: whole.isWholly(in:))
        {
            return nil
        }
        let isSplit =
            one.split(separator: " ").count == 1
            || two.split(separator: " ").count == 1
        return isSplit ? whole : nil
    }

    private func score(_ shape: NameShape, _ line: ResumeLine, _ position: Int) -> Int {
        var score = 0
        switch position {
        case 0: score += 45
        case 1: score += 35
        case 2: score += 25
        case 3...5: score += 15
        default: break
        }
        switch line.style {
        case .marked(1), .spaced, .underlined: score += 20
        case .marked, .bold, .capitals: score += 10
        case .plain: break
        }
        if isConfirmed(shape) { score += 60 }
        if (2...3).contains(shape.keys.count) { score += 10 }
        if shape.isDoubtful { score -= 20 }
        if AddressShape.isPlace(line.text) { score -= 40 }
        return score
    }

    private func isConfirmed(_ shape: NameShape) -> Bool {
        handles.contains { shape.isMeant(by: $0) }
    }

    // MARK: - Anywhere

    /// A line with only a name that an address confirms: below a sidebar, or at the end.
    private func anywhere() -> [NameShape] {
        if handles.isEmpty { return [] }
        for line in all where line.words.count <= 12 && !line.isBullet {
            for part in parts(of: line) {
                let (plain, _) = Self.withoutAsides(part)
                if let shape = NameShape(plain), isConfirmed(shape) { return [shape] }
            }
        }
        // In a sentence: two words that form the address.
        for line in all {
            let words = line.words.map { String($0.trimming { ",.;:()".contains($0) }) }
            for start in words.indices {
                for count in [3, 2] where start + count <= words.count {
                    let text = words[start..<start + count].joined(separator: " ")
                    guard let shape = NameShape(text), shape.keys.count >= 2 else { continue }
                    let isWhole = handles.contains { handle in
                        let joined = ResumeWords.key(handle)
                        return shape.keys.count { $0.count >= 3 && joined.contains($0) } >= 2
                    }
                    if isWhole { return [shape] }
                }
            }
        }
        return []
    }
}

/// The words of a line, for finding phrases regardless of case and accents. Pure.
struct WordRun {
    let words: [String]
    private let folded: [String]

    init(_ line: String) {
        words = line.split(separator: " ").map(String.init)
        folded = words.map { word in
            String(ResumeWords.folded(word).trimming { ",.;:!?()\"“”„–-".contains($0) })
        }
    }

    /// - Parameter phrase: folded, words with single spaces.
    /// - Returns: the index of its first word.
    func start(of phrase: String) -> Int? {
        let wanted = phrase.split(separator: " ").map(String.init)
        guard let first = wanted.first, words.count > wanted.count else { return nil }
        for start in 0...(words.count - wanted.count) where folded[start] == first {
            if Array(folded[start..<(start + wanted.count)]) == wanted { return start }
        }
        return nil
    }

    func text(from index: Int) -> String { words.dropFirst(index).joined(separator: " ") }
}
