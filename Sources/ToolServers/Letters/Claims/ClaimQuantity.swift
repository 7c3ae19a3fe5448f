import Base

/// A number in a text, in digits or words, with what it counts. Pure.
struct ClaimQuantity: Sendable, Equatable {
    enum Kind: Sendable, Hashable {
        /// A count, money, a year, a version: the figure must occur in the evidence.
        case plain
        case percent
        /// A length of time in months; "a decade" is 120.
        case duration
        /// A factor; "doubled" is 2.
        case multiple
    }

    var kind: Kind
    /// The possible values: "1.200" is twelve hundred in one country and slightly more than one in
    /// another.
    var values: [Double]
    /// The number as written, with its unit.
    var text: String
    /// Whether it is a lower bound: "over five years".
    var isAtLeast = false
    /// Whether the value is slightly less: "nearly five years".
    var isNearly = false
    /// Range of tokens.
    var range: Range<Int>
}

/// Finds the numbers of a sentence.
struct ClaimQuantityReader: Sendable {
    let tokens: [ClaimText.Token]
    /// The language whose number words count; nil for a résumé, in which those of all languages
    /// count.
    let language: String?
    private let words = ClaimWords.shared

    init(_ tokens: [ClaimText.Token], language: String?) {
        self.tokens = tokens
        self.language = language
    }

    private var isEvidence: Bool { language == nil }

    func quantities() -> [ClaimQuantity] {
        var found: [ClaimQuantity] = []
        var index = 0
        while index < tokens.count {
            if let quantity = quantity(at: index) {
                found.append(quantity)
                index = max(quantity.range.upperBound, index + 1)
            } else {
                index += 1
            }
        }
        return found
    }

    private func key(_ index: Int) -> String {
        tokens.indices.contains(index) ? tokens[index].key : ""
    }

    private func quantity(at index: Int) -> ClaimQuantity? {
        let token = tokens[index]
        if token.kind == .word {
            func found(_ kind: ClaimQuantity.Kind, _ values: [Double], words: Int = 1)
                -> ClaimQuantity
            {
                let range = index..<(index + words)
                return ClaimQuantity(
                    kind: kind, values: values, text: text(range, ""), range: range)
            }
            if let factor = words.multiples[token.key] { return found(.multiple, [factor]) }
            if words.halves.contains(token.key) { return found(.percent, [50]) }
            // "fell by a third", "two thirds of", but not "my third year".
            if let share = words.shares[token.key], isShare(index) {
                let value = share * max(1, words.number(key(index - 1), in: language) ?? 1)
                return found(.percent, [value, value.rounded(.down), value.rounded()])
            }
            if let least = words.several[token.key] { return found(.plain, [least]) }
            // "half a million"
            let next = ["a", "an", "eine", "einer", "un"].contains(key(index + 1)) ? 2 : 1
            if words.half.contains(token.key), let scale = words.scales[key(index + next)] {
                return found(.plain, [scale / 2], words: next + 1)
            }
            // "a decade of"
            if words.decades.contains(token.key) {
                return made([1], index..<index, isWritten: true)
            }
        }
        guard let (values, end) = number(at: index) else { return nil }
        return made(values, index..<end, isWritten: token.kind == .word)
    }

    private func isShare(_ index: Int) -> Bool {
        let articles = [
            "a", "an", "one", "two", "three", "ein", "eine", "einem", "eines", "zwei", "drei", "un",
            "une", "deux", "dos", "due", "een", "um",
        ]
        let goesOn = tokens.indices.contains(index + 1) && tokens[index + 1].kind != .mark
        return articles.contains(key(index - 1))
            && (!goesOn
                || [
                    "of", "less", "more", "fewer", "lower", "higher", "faster", "von", "der", "des",
                    "weniger", "mehr", "de", "du", "di", "dei", "van", "in", "within",
                ].contains(key(index + 1)))
    }

    // MARK: - The figure

    private func number(at index: Int) -> (values: [Double], end: Int)? {
        let token = tokens[index]
        if token.kind == .number { return (Self.values(token.text), index + 1) }
        guard token.kind == .word else { return nil }
        if let value = words.number(token.key, in: language) {
            // "twenty five", "two dozen", "two hundred" (the scale is parsed afterwards).
            if value >= 20, let more = words.number(key(index + 1), in: language), more < 10 {
                return ([value + more], index + 2)
            }
            if value < 10, words.number(key(index + 1), in: language) == 12 {
                return ([value * 12], index + 2)
            }
            return ([value], index + 1)
        }
        // "twenty-five", "five-year", "zehnjährige"
        let parts = token.key.split(separator: "-").map(String.init)
        guard parts.count > 1, let first = parts.first,
            let value = words.number(first, in: language)
        else { return nil }
        if value >= 20, let more = words.number(parts[1], in: language), more < 10 {
            return ([value + more], index + 1)
        }
        if value > 1 || words.years.contains(parts[1]) || words.unitMonths.contains(parts[1]) {
            return ([value], index + 1)
        }
        return nil
    }

    /// The possible values of digits with separators.
    static func values(_ text: String) -> [Double] {
        let digits = text.prefix { !$0.isLetter }
        let groups = digits.split { !$0.isNumber }.map(String.init)
        let marks = digits.filter { !$0.isNumber }
        guard let first = groups.first else { return [] }
        guard groups.count > 1, let last = groups.last else {
            return Double(first).map { [$0] } ?? []
        }
        var values: [Double] = []
        func add(_ text: String) {
            if let value = Double(text), !values.contains(value) { values.append(value) }
        }
        let isGrouped = groups.dropFirst().allSatisfy { $0.count == 3 } && first.count <= 3
        let isDecimal = marks.last.map { $0 == "." || $0 == "," } ?? false
        if isGrouped { add(groups.joined()) }
        if isDecimal, marks.count == 1 || marks.last != marks.first {
            add(groups.dropLast().joined() + "." + last)
        }
        // A date or a version: each part counts by itself.
        if values.isEmpty { for group in groups { add(group) } }
        return values
    }

    // MARK: - Units

    private static let fillers: Set<String> = ["-", "+", "–", "'", "’", "full", "whole", "solid"]

    private func made(
        _ figures: [Double], _ figure: Range<Int>, isWritten: Bool
    ) -> ClaimQuantity? {
        var values = figures
        var end = figure.upperBound
        var isAtLeast = false
        var suffix = ""
        if !figure.isEmpty, let last = tokens[..<figure.upperBound].last {
            if last.kind == .number { suffix = String(last.key.drop { !$0.isLetter }) }
            if last.kind == .word, let dash = last.key.lastIndex(of: "-") {
                suffix = String(last.key[last.key.index(after: dash)...])
            }
        }
        var scaled = false
        if let scale = words.scales[suffix] { (values, scaled) = (values.map { $0 * scale }, true) }
        if key(end) == "+" { (isAtLeast, end) = (true, end + 1) }
        if let scale = words.scales[key(end)], !figure.isEmpty {
            (values, scaled, end) = (values.map { $0 * scale }, true, end + 1)
            if let scale = words.scales[key(end)] {
                (values, end) = (values.map { $0 * scale }, end + 1)
            }
        }
        // "5 Mio. €"
        if scaled, key(end) == ".", words.currency.contains(key(end + 1)) { end += 1 }
        let (before, before2) = (key(figure.lowerBound - 1), key(figure.lowerBound - 2))
        var quantity = ClaimQuantity(
            kind: .plain, values: values, text: "", range: figure.lowerBound..<end)
        quantity.isAtLeast =
            isAtLeast || words.atLeast.contains(before)
            || words.atLeast.contains(before2) && !figure.isEmpty
        quantity.isNearly = words.nearly.contains(before) || words.nearly.contains(before2)
        let isMoney = words.currency.contains(before) || words.currency.contains(key(end))
        if suffix == "x" {
            quantity.kind = .multiple
        } else if !isMoney, let unit = unit(from: end, suffix: suffix, hasFigure: !figure.isEmpty) {
            quantity.kind = unit.kind
            quantity.values = values.map { $0 * unit.factor }
            quantity.range = figure.lowerBound..<max(unit.end, end)
        } else if isWritten, !isMoney, !scaled, !isEvidence,
            !isCount(value: values.first ?? 0, from: figure.lowerBound, to: end)
        {
            return nil
        }
        if figure.isEmpty, quantity.kind != .duration { return nil }
        quantity.text = text(quantity.range, isMoney ? before : "")
        if isMoney, words.currency.contains(key(end)) {
            quantity.text += " " + tokens[end].text
        }
        return quantity
    }

    private func text(_ range: Range<Int>, _ currency: String) -> String {
        var text = currency
        for token in tokens[range] {
            text += (text.isEmpty || !token.isApart ? "" : " ") + token.text
        }
        return text
    }

    private func unit(
        from end: Int, suffix: String, hasFigure: Bool
    ) -> (kind: ClaimQuantity.Kind, factor: Double, end: Int)? {
        func meaning(_ key: String) -> (ClaimQuantity.Kind, Double)? {
            if words.years.contains(key) || key == "y" { return (.duration, 12) }
            if words.unitMonths.contains(key) { return (.duration, 1) }
            if words.decades.contains(key) { return (.duration, 120) }
            return key == "%" || words.percent.contains(key) ? (.percent, 1) : nil
        }
        if !suffix.isEmpty, let (kind, factor) = meaning(suffix) { return (kind, factor, end) }
        var index = end
        // "5–10 years": the unit after the second number also applies to the first.
        if hasFigure, words.until.contains(key(index)), tokens.indices.contains(index + 1),
            tokens[index + 1].kind == .number || number(at: index + 1) != nil
        {
            if let unit = unit(from: index + 2, suffix: "", hasFigure: true) {
                return (unit.kind, unit.factor, end)
            }
            return nil
        }
        for step in 0..<4 where tokens.indices.contains(index) {
            if let (kind, factor) = meaning(tokens[index].stem) { return (kind, factor, index + 1) }
            if ["per", "pour", "por", "pro"].contains(key(index)),
                ["cent", "ciento", "cento"].contains(key(index + 1))
            {
                return (.percent, 1, index + 2)
            }
            // One adjective may come between: "ten long years".
            let isFiller = Self.fillers.contains(tokens[index].key)
            guard isFiller || step == 0 && tokens[index].kind == .word else { return nil }
            index += 1
        }
        return nil
    }

    /// Whether a number word states a count, unlike in "two things matter to me" or "these
    /// three".
    private func isCount(value: Double, from start: Int, to end: Int) -> Bool {
        if value <= 1 { return false }
        let before = key(start - 1)
        if [
            "the", "these", "those", "all", "both", "other", "die", "diese", "diesen", "alle",
            "les",
            "ces", "los", "las", "estos", "le", "i", "questi", "or", "oder", "of the",
        ].contains(before) {
            return false
        }
        let isLast = !tokens.indices.contains(end) || tokens[end].kind == .mark
        // "a team of eight"
        if isLast {
            return tokens[start].key.contains("-") || ["of", "von", "de", "di"].contains(before)
        }
        // "worth ten hurried ones"
        if key(end) == "ones" || key(end + 1) == "ones" { return false }
        return !words.rhetorical.contains(key(end)) && !words.rhetorical.contains(key(end + 1))
    }
}
