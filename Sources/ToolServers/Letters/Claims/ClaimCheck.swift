import Base

/// Checks that a letter claims only what the résumé or the advert states. Pure.
///
/// It looks up numbers (also in words), years, percentages, money, lengths of time, names
/// of people, companies, schools, places and products, and the skills in a list. A length
/// of time may also follow from the dates in the résumé. Promises, praise and feelings are
/// not checked, nor is whether a true number is attributed to the wrong thing.
///
/// German capitalises every noun, so names in a German letter are found by lists, by their shape
/// and after "bei".
package struct ClaimCheck: Sendable {
    /// A sentence with a claim that neither text supports.
    package struct Finding: Sendable, Equatable {
        /// The sentence on one line; otherwise as in the letter.
        package var sentence: String
        /// The claims as written: `10 years`, `Google`.
        package var claims: [String]
    }

    private let evidence: ClaimEvidence
    private let words = ClaimWords.shared

    /// - Parameters:
    ///   - resume: its whole text, including the parts that are never sent: the check is
    ///     local.
    ///   - job: the advert's whole text.
    ///   - also: names of company, role, recipient and profile, if known separately;
    ///     figures in them do not count as evidence.
    ///   - year: the current one, and `month` from 1 to 12, for "since 2019".
    package init(resume: String, job: String, also: [String] = [], year: Int, month: Int) {
        evidence = ClaimEvidence(
            resume: resume, job: job, names: also, now: year * 12 + month - 1)
    }

    /// - Parameter letter: the body of the letter. Placeholders are ignored.
    package func findings(in letter: String) -> [Finding] {
        let text = ClaimText(letter)
        let language = words.language(of: text)
        return text.sentences.compactMap { sentence in
            let claims = claims(of: sentence.tokens, language)
            if claims.isEmpty { return nil }
            return Finding(sentence: Self.oneLine(sentence.text), claims: claims)
        }
    }

    static func oneLine(_ text: some StringProtocol) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    // MARK: - One sentence

    private func claims(of tokens: [ClaimText.Token], _ language: String) -> [String] {
        var claims: [(range: Range<Int>, text: String)] = []
        var settled = Set<Int>()
        for quantity in ClaimQuantityReader(tokens, language: language).quantities() {
            settled.formUnion(quantity.range)
            if isHarmless(quantity, tokens) || evidence.states(quantity) { continue }
            claims.append((quantity.range, quantity.text))
        }
        var index = 0
        while index < tokens.count {
            defer { index += 1 }
            guard tokens[index].kind == .word, !settled.contains(index) else { continue }
            if let found = words.thing(in: tokens, at: index, inEvidence: false) {
                let range = index..<(index + found.count)
                settled.formUnion(range)
                if !evidence.states(thing: found.thing), !isStatedOtherwise(tokens, range) {
                    claims.append((range, Self.text(tokens[range])))
                }
                index = range.upperBound - 1
            } else if isName(tokens, at: index, language), !evidence.states(name: tokens[index]),
                !evidence.statesRelative(of: tokens[index])
            {
                claims.append((index..<(index + 1), tokens[index].text))
            }
        }
        return Self.joined(claims.sorted { $0.range.lowerBound < $1.range.lowerBound }, tokens)
    }

    /// Whether the number is not a claim: a day of a month, "24/7", "100 % committed", "the 21st
    /// century".
    private func isHarmless(_ quantity: ClaimQuantity, _ tokens: [ClaimText.Token]) -> Bool {
        let range = quantity.range
        func key(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].key : "" }
        let (before, after) = (key(range.lowerBound - 1), key(range.upperBound))
        if quantity.kind == .percent, quantity.values == [100] || quantity.values == [110] {
            return ["committed", "dedicated", "motivated", "confident", "sure", "behind", "remote"]
                .contains(after)
        }
        guard quantity.kind == .plain, let value = quantity.values.first else { return false }
        if value == 24, after == "/", key(range.upperBound + 1) == "7" { return true }
        if value == 7, before == "/", key(range.lowerBound - 2) == "24" { return true }
        if after == "century" || after == "jahrhundert" { return true }
        return value <= 31
            && (words.months[before] != nil || words.months[after] != nil
                || after == "." && words.months[key(range.upperBound + 1)] != nil)
    }

    /// Whether the résumé states a listed term in another form of its words.
    private func isStatedOtherwise(_ tokens: [ClaimText.Token], _ range: Range<Int>) -> Bool {
        tokens[range].allSatisfy { evidence.states(name: $0) }
    }

    private func isName(
        _ tokens: [ClaimText.Token], at index: Int, _ language: String
    ) -> Bool {
        let token = tokens[index]
        if token.text.contains("@") || token.text.hasPrefix("www.") || token.text.contains("/") {
            if token.text.contains("."), !evidence.states(literally: token.text) { return true }
        }
        guard token.key.count > 1, token.isCapital || token.hasNameShape else { return false }
        if words.generic.contains(token.stem) || words.generic.contains(token.key) { return false }
        if words.months[token.stem] != nil, token.isCapital { return false }
        let isShaped = token.hasNameShape && token.text.count { $0.isUppercase } > 1
        if token.isFirst { return isShaped && !isShouted(tokens) }
        if language == "de" {
            // Compounds such as "IT-Projekte" get their shape from the first part.
            if isShaped { return !token.text.contains("-") || !isHarmlessCompound(token) }
            return index > 0 && tokens[index - 1].key == "bei"
                && !words.commonNouns.contains(token.key) && !token.key.hasSuffix("ung")
                && !token.key.hasSuffix("ungen")
        }
        return true
    }

    /// Whether no part of a German compound has the shape of a name.
    private func isHarmlessCompound(_ token: ClaimText.Token) -> Bool {
        token.text.split(separator: "-").allSatisfy { part in
            let capitals = part.count { $0.isUppercase }
            let key = ClaimText.key(String(part))
            return capitals < 2 || words.generic.contains(key)
        }
    }

    /// Whether the line is in capitals, as a heading is.
    private func isShouted(_ tokens: [ClaimText.Token]) -> Bool {
        tokens.count > 1
            && tokens.allSatisfy { token in
                token.kind != .word || !token.text.contains(where: \.isLowercase)
            }
    }

    // MARK: - Words of a claim

    private static func text(_ tokens: ArraySlice<ClaimText.Token>) -> String {
        var text = ""
        for token in tokens { text += (text.isEmpty || !token.isApart ? "" : " ") + token.text }
        return text
    }

    /// The claims, each once, with adjacent names joined: `Goldman Sachs`.
    private static func joined(
        _ claims: [(range: Range<Int>, text: String)], _ tokens: [ClaimText.Token]
    ) -> [String] {
        var ranges: [Range<Int>] = []
        var texts: [String] = []
        for claim in claims {
            if let last = ranges.last, last.upperBound == claim.range.lowerBound,
                tokens[claim.range.lowerBound].kind == .word,
                tokens[last.lowerBound].kind == .word
            {
                ranges[ranges.count - 1] = last.lowerBound..<claim.range.upperBound
                texts[texts.count - 1] += " " + claim.text
            } else {
                ranges.append(claim.range)
                texts.append(claim.text)
            }
        }
        return texts.reduce(into: []) { all, text in
            if !all.contains(text) { all.append(text) }
        }
    }
}
