/// Makes the title from the words of a phrase that are not dates.
struct TitleMaker {
    let bytes: [UInt8]
    let tokens: [Token]
    /// Tokens that belong to dates, leads or extras.
    let isUsed: [Bool]
    let hasLead: Bool

    private static let separators = Set(words: ", ; - – — : . ( ) | …")

    func title() -> (text: String, range: Range<Int>?) {
        // Drop words and signs that stood between two dates.
        var kept = tokens.indices.filter { index in
            let before = index == 0 || isUsed[index - 1]
            let after = index + 1 == tokens.count || isUsed[index + 1]
            let token = tokens[index]
            if token.kind == .word, !isUsed[index],
                Lexicon.has(.fillers, token.text)
                    || Lexicon.has(.dictatedSigns, token.text)
                        && (before || after || tokens[index - 1].kind == .sign)
            {
                return false
            }
            guard !isUsed[index], before, after else { return !isUsed[index] }
            if token.kind == .word, index > 0, index + 1 < tokens.count {
                return !Lexicon.has(.links, token.text)
            }
            return token.kind != .sign || !Self.separators.contains(token.text)
        }
        // "lunch, friday, with Bo" has one comma.
        kept = zip(kept, [nil] + kept).filter { index, last in
            tokens[index].text != "," || last.map { tokens[$0].text != "," } ?? true
        }.map(\.0)
        kept = withoutCourtesies(kept)
        if hasLead || tokens.first?.has(.due) == true && isUsed.first == true {
            kept = withoutOpening(kept)
        }
        kept = trimmed(kept)
        // "ich hab am Montag ein Vorstellungsgespräch"
        if hasLead, kept.count > 1, tokens[kept[0]].has(.article),
            Lexicon.german.has(.articles, tokens[kept[0]].text),
            tokens[kept[1]].lexeme.unit == nil,
            Lexicon.german.vague.match(tokens.map(\.text), from: kept[0]) == nil
        {
            kept.removeFirst()
        }
        if let last = kept.last, kept.count > 1, Lexicon.has(.closings, tokens[last].text) {
            kept.removeLast()
            kept = trimmed(kept)
        }
        guard let first = kept.first, let last = kept.last else { return ("", nil) }
        let end = tokens[last].range.upperBound
        let title = name(kept)
        return (hasLead ? Self.infinitive(title) : title, tokens[first].range.lowerBound..<end)
    }

    /// "den Müll rauszubringen", "Bo zu schreiben", "ich essen soll": as plain infinitives.
    private static func infinitive(_ title: String) -> String {
        var words = title.split(separator: " ").map(String.init)
        if let end = reasons.match(words.map { $0.lowercased() })?.end, end < words.count {
            return words.dropFirst(end).joined(separator: " ")
        }
        guard words.count > 1, let last = words.last, last.first?.isLowercase == true else {
            return title
        }
        if ["ich", "wir"].contains(words[0]), Lexicon.german.has(.modalVerbs, last) {
            words = Array(words.dropFirst().dropLast())
        } else if last.hasSuffix("n"), words[words.count - 2] == "zu" {
            words.remove(at: words.count - 2)
        } else if let prefix = Lexicon.german.verbPrefixes.first(where: {
            last.hasPrefix($0 + "zu") && last.hasSuffix("n")
                && last.utf8.count > $0.utf8.count + 5
        }) {
            words[words.count - 1] = prefix + last.dropFirst(prefix.count + 2)
        }
        return words.joined(separator: " ")
    }

    /// "so *i can* phone the nursery"
    private static let reasons = PatternTable("title reasons") { _ in () }

    /// The title formed by these tokens.
    func name(_ kept: [Int]) -> String {
        if kept.count == 1, tokens[kept[0]].kind == .quoted { return unquoted(tokens[kept[0]]) }
        return Self.text(kept, of: tokens, in: bytes)
    }

    /// "on the shopping list please also …", "auf die Einkaufsliste bitte noch …"
    private func withoutCourtesies(_ kept: [Int]) -> [Int] {
        guard let first = kept.first, kept.count > 1, first > 0, isUsed[first - 1],
            Lexicon.has(.closings, tokens[first].text)
        else { return kept }
        let rest = kept.dropFirst().drop { ["noch", "also", "mal"].contains(tokens[$0].text) }
        return rest.isEmpty ? kept : Array(rest)
    }

    private func withoutOpening(_ kept: [Int]) -> [Int] {
        var kept = trimmed(kept)
        // "remind me 2 buy stamps"
        if kept.count > 1, tokens[kept[0]].text == "2", Lexicon.isTaskVerb(tokens[kept[1]].text) {
            kept.removeFirst()
        }
        while let first = kept.first, tokens[first].kind == .word {
            // "remind me at 5 please to …", "erinnere mich um 9 doch bitte an …"
            if Lexicon.has(.closings, tokens[first].text) {
                kept = trimmed(Array(kept.dropFirst()))
                continue
            }
            guard kept.count > 1, Lexicon.has(.openings, tokens[first].text),
                tokens[first].text != "an" || tokens[first].has(.on),
                first > 0,
                isUsed[first - 1] || (first > 1 && tokens[first - 1].kind == .sign)
                    || Lexicon.has(.openings, tokens[first - 1].text)
                    || Lexicon.has(.closings, tokens[first - 1].text)
            else { break }
            kept = trimmed(Array(kept.dropFirst()))
        }
        return kept
    }

    private static let signs = Set(words: ", ; : - – — . | … ! * • /")

    private func trimmed(_ kept: [Int]) -> [Int] {
        var kept = kept
        while let first = kept.first, tokens[first].kind == .sign,
            Self.signs.contains(tokens[first].text) || tokens[first].text == ")"
        { kept.removeFirst() }
        while let last = kept.last {
            let token = tokens[last]
            let isSign =
                token.kind == .sign
                && (Self.signs.contains(token.text) || ["(", "&", "@"].contains(token.text))
            let isBeforeDate = last + 1 < tokens.count && isUsed[last + 1]
            let isDangling = isBeforeDate && kept.count > 1 && Lexicon.has(.dangling, token.text)
            guard isSign || isDangling else { break }
            kept.removeLast()
        }
        return kept
    }

    /// The tokens as written in the phrase, separated by at most one space.
    static func text(_ kept: [Int], of tokens: [Token], in bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var previous: Int?
        for index in kept {
            let (token, isNext) = (tokens[index], previous.map { $0 + 1 == index })
            let isClosing =
                token.kind == .sign && [",", ".", ")", "!", "?", ";", ":"].contains(token.text)
            if let isNext, isNext ? !token.isGlued : !isClosing { text.append(0x20) }
            text += bytes[token.range]
            previous = index
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func unquoted(_ token: Token) -> String {
        var text = String(decoding: bytes[token.range], as: UTF8.self)
        text.removeFirst()
        text.removeLast()
        return text.isEmpty ? String(decoding: bytes[token.range], as: UTF8.self) : text
    }
}
