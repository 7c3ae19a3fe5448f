/// Finds everything that identifies a known person, in the spellings found in texts. Pure.
///
/// Letters and digits are compared, folded; case, accents and the gaps between them do not
/// matter, except to names that are also words. Phones and dates of birth are compared as
/// numbers.
package struct PersonalLiterals: Sendable {
    package struct Match: Sendable, Equatable {
        /// The range in the units of the scanned text.
        var units: Range<Int>
        package var kind: PersonalData.Kind
        /// Whether it is only a part of an address, such as the text before the @.
        var isHandle = false
        /// Whether it is a whole name, first and last.
        var isJoined = false
    }

    /// The way a spelling has to occur in the text.
    enum Rule: Sendable {
        /// From the beginning of a word to the end of one, with any small gaps between.
        case phrase
        /// A phrase that is a part of an address and may also be the name.
        case handle
        /// Anywhere, also inside a word: a full name in a file name.
        case anywhere
        /// A long surname that is a part of a longer word.
        case inside
        /// In one piece, or with every letter apart.
        case spelled
        /// A phrase with a capital in it.
        case capital
        /// A number that is not an amount.
        case number
        /// A part of a name.
        case part(NamePart)
        /// A part of an address, which counts beside another part of it.
        case place
    }

    struct Spelling: Sendable {
        var kind: PersonalData.Kind
        var rule: Rule
        var count: Int
    }

    private var trie = UnitTrie<Spelling>()
    /// Spellings that may begin inside a word.
    private var embedded = UnitTrie<Spelling>()
    private let phones: [PhoneLiteral]
    private let birthDates: [ScannedDate.Day]
    /// The first letters of all parts of all names, and of the first part of each name.
    private let firstLetters: Set<UInt32>
    private let givenLetters: Set<UInt32>

    package init(_ person: PersonalData, hidesEmployers: Bool = true) {
        phones = person.values(of: .phone).compactMap(PhoneLiteral.init)
        birthDates = person.values(of: .birthDate).flatMap { value in
            ScannedDate.dates(in: ScannedText(value)).flatMap(\.days)
        }
        let names = person.values(of: .name).map { NameLiteral($0, of: person) }
        firstLetters = Set(names.flatMap(\.firstLetters))
        givenLetters = Set(
            names.filter { $0.firstLetters.count > 1 }.compactMap(\.firstLetters.first))
        var seen: Set<String> = []
        func add(_ phrase: [UInt32], _ kind: PersonalData.Kind, _ rule: Rule) {
            guard !phrase.isEmpty, seen.insert("\(phrase)\(kind)\(rule)").inserted else { return }
            let spelling = Spelling(kind: kind, rule: rule, count: phrase.count)
            switch rule {
            case .anywhere, .inside: embedded.insert(phrase, spelling)
            default: trie.insert(phrase, spelling)
            }
        }
        for spelling in names.flatMap(\.spellings) { add(spelling.phrase, .name, spelling.rule) }
        for address in person.values(of: .address) {
            for spelling in AddressLiteral(address).spellings {
                add(spelling.phrase, .address, spelling.rule)
            }
        }
        for email in person.values(of: .email) {
            for (index, phrase) in ContactLiteral.email(email).enumerated() {
                add(phrase, .email, index == 0 ? .phrase : .handle)
            }
        }
        for url in person.values(of: .url) {
            for (index, phrase) in ContactLiteral.url(url).enumerated() {
                add(phrase, .url, index == 0 ? .phrase : .handle)
            }
        }
        for identifier in person.values(of: .identifier) {
            let phrase = ScannedText.compact(identifier)
            if phrase.count >= 5 { add(phrase, .identifier, .phrase) }
        }
        if hidesEmployers {
            for employer in person.values(of: .employer) {
                for spelling in EmployerLiteral.spellings(employer) {
                    add(spelling, .employer, .capital)
                }
            }
        }
    }

    /// Matches in order; none overlaps another of its kind.
    package func matches(in text: ScannedText) -> [Match] {
        var walked = Walked()
        if !trie.isEmpty || !embedded.isEmpty {
            for start in 0..<text.count where text.isWord(start) {
                if !embedded.isEmpty { walk(embedded, text, from: start, &walked) }
                if isStart(start, text) || text.isHump(start) {
                    walk(trie, text, from: start, &walked)
                }
            }
        }
        let context = NameContext(text, initials: firstLetters, given: givenLetters)
        var found = walked.matches
        found += context.names(walked.names).map { Match(units: $0, kind: .name) }
        if !phones.isEmpty {
            for chain in DigitChain.chains(in: text, overLines: true) {
                for phone in phones {
                    found += phone.matches(in: chain, of: text)
                        .map { Match(units: $0, kind: .phone) }
                }
            }
        }
        if !birthDates.isEmpty {
            for date in ScannedDate.dates(in: text)
            where date.days.contains(where: birthDates.contains) {
                found.append(Match(units: date.units, kind: .birthDate))
            }
        }
        found = Self.named(found, text).map { match in
            guard match.kind == .name else { return match }
            return Match(units: context.extended(match.units), kind: .name)
        }
        return Self.joined(found, walked.places, text)
    }

    private func isStart(_ index: Int, _ text: ScannedText) -> Bool {
        if text.isWordStart(index) { return true }
        return text.isDigit(index) != text.isDigit(index - 1)
    }

    private struct Walked {
        var matches: [Match] = []
        var names: [NameCandidate] = []
        var places: [Range<Int>] = []
    }

    /// The longest spelling of each kind that begins at `start`.
    private func walk(
        _ trie: UnitTrie<Spelling>, _ text: ScannedText, from start: Int, _ walked: inout Walked
    ) {
        guard var node = trie.next(0, text.units[start]) else { return }
        var index = start
        var hard = 0
        var soft = 0
        // Letters that touch the one before.
        var tight = 0
        var best: Match?
        let isWordStart = isStart(start, text)
        while true {
            for spelling in trie.payloads(node) {
                let range = start..<index + 1
                // "Ida Berg (ida.berg@…" has the name and an address.
                if hard > 0, text.isInEmail(index),
                    range.contains(where: { text.has(.blank, $0) })
                {
                    continue
                }
                switch spelling.rule {
                case .anywhere:
                    // Inside a word only if it is in one piece, a short one only at
                    // capitals.
                    let isWhole = isStart(start, text) && isEnd(index + 1, text)
                    let isPart =
                        (isStart(start, text) || text.has(.upper, start))
                        && (isEnd(index + 1, text) || text.has(.upper, index + 1))
                    guard
                        isWhole || hard + soft == 0 && (spelling.count >= 8 || isPart)
                            || text.has(.unspaced, start)
                    else { continue }
                    best = Match(units: range, kind: spelling.kind, isJoined: true)
                case .inside:
                    guard hard + soft == 0 else { continue }
                    best = Match(units: range, kind: spelling.kind)
                case .part(let part):
                    let isSpelled = tight == 0 && spelling.count >= 4
                    guard hard == 0 || isSpelled,
                        isWordStart || hard + soft == 0 && part.countsInHumps(text, start),
                        let end = part.end(text, range)
                    else { continue }
                    var candidate = NameCandidate(units: start..<end, part: part)
                    // "B e r g": no ordinary word is spaced like this.
                    if isSpelled { candidate.part.kind = .plain }
                    // Jana is Jan only beside Kowalskiego.
                    if end > index + 1, part.kind != .plain,
                        part.kind != .capital || spelling.count < 4
                    {
                        candidate.part.kind = .strong
                    }
                    walked.names.append(candidate)
                case .spelled:
                    guard isWordStart, isEnd(index + 1, text), hard == 0 || tight == 0 else {
                        continue
                    }
                    best = Match(units: range, kind: spelling.kind, isJoined: true)
                case .place: if isWordStart, isEnd(index + 1, text) { walked.places.append(range) }
                case .capital, .number, .phrase, .handle:
                    guard isWordStart, isEnd(index + 1, text),
                        stands(spelling.rule, range, text, separators: hard)
                    else { continue }
                    if case .handle = spelling.rule {
                        if best?.kind == .name, best?.units == range { continue }
                        best = Match(units: range, kind: spelling.kind, isHandle: true)
                    } else {
                        best = Match(units: range, kind: spelling.kind, isJoined: true)
                    }
                }
            }
            guard let next = text.nextInPhrase(index),
                let following = trie.next(node, text.units[next.index])
            else { break }
            switch next.gap {
            case .none: if !text.isSameCharacter(index, next.index) { tight += 1 }
            case .soft: soft += 1
            case .separator: hard += 1
            }
            node = following
            index = next.index
        }
        if let best { walked.matches.append(best) }
    }

    private func stands(
        _ rule: Rule, _ range: Range<Int>, _ text: ScannedText, separators: Int
    ) -> Bool {
        switch rule {
        case .capital: range.contains { text.has(.upper, $0) }
        case .number: separators <= 1
        default: true
        }
    }

    private func isEnd(_ end: Int, _ text: ScannedText) -> Bool {
        if text.isWordEnd(end) { return true }
        return text.isDigit(end) != text.isDigit(end - 1)
    }

    /// Distinguishes a name from its handle by its form in the text alone, so that the kind does
    /// not depend on the name that an address is made from.
    private static func named(_ matches: [Match], _ text: ScannedText) -> [Match] {
        let handles = Set(matches.filter(\.isHandle).map(\.units))
        return matches.map { match in
            guard match.isHandle || match.kind == .name else { return match }
            let range = match.units
            // The text before the @ of an address is a part of it.
            if match.isHandle, match.kind == .email, text.ascii(range.lowerBound - 1) != 0x40 {
                return match
            }
            let letters = range.filter { text.isLetter($0) }
            let isSmall = !letters.contains { text.has(.upper, $0) }
            let isOneCase = isSmall || letters.allSatisfy { text.has(.upper, $0) }
            // WEISSENTHAL is a name, but a page may be called IDABERG or I-BERG.
            let isToken =
                isOneCase && text.units[range.lowerBound] < 0x590
                && !range.contains { text.has(.blank, $0) }
                && (handles.contains(range)
                    || match.isJoined && (isSmall || range.allSatisfy { text.isWord($0) }))
            let isHandle = text.ascii(range.lowerBound - 1) == 0x40 || isToken
            return Match(units: range, kind: isHandle ? .url : .name)
        }
    }

    /// Addresses and the places beside them are one finding.
    private static func joined(
        _ matches: [Match], _ places: [Range<Int>], _ text: ScannedText
    ) -> [Match] {
        var pieces = matches.filter { $0.kind == .address }.map {
            (units: $0.units, isPlace: false)
        }
        guard !pieces.isEmpty else { return matches }
        pieces += places.map { ($0, true) }
        pieces.sort {
            ($0.units.lowerBound, $0.units.count) < ($1.units.lowerBound, $1.units.count)
        }
        var joined: [(units: Range<Int>, isPlace: Bool)] = []
        for piece in pieces {
            if let last = joined.last,
                piece.units.lowerBound <= last.units.upperBound
                    || text.isListGap(Range.span(last.units.upperBound, piece.units.lowerBound))
            {
                let end = max(last.units.upperBound, piece.units.upperBound)
                joined[joined.count - 1] = (
                    last.units.lowerBound..<end, last.isPlace && piece.isPlace
                )
            } else {
                joined.append(piece)
            }
        }
        return matches.filter { $0.kind != .address }
            + joined.filter { !$0.isPlace }.map { Match(units: $0.units, kind: .address) }
    }
}

extension ScannedText {
    /// Whether the gap may stand between the parts of an address: a comma, a new line.
    func isListGap(_ range: Range<Int>) -> Bool {
        range.count <= 24
            && range.filter { has(.newline, $0) }.count <= 2
            && range.filter { !has(.blank, $0) }.count <= 2
            && range.allSatisfy {
                has(.blank, $0) || [0x2C, 0x2D, 0x2E, 0x7C, 0xB7, 0x2022].contains(units[$0])
            }
    }
}
