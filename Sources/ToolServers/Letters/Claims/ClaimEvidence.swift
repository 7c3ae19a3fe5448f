import Base

/// The facts in a résumé and an advert, indexed for looking up a letter's claims. Pure.
struct ClaimEvidence: Sendable {
    private var words: Set<String> = []
    /// The words that contain a capital.
    private var capitalised: Set<String> = []
    private var things: Set<Int> = []
    private var figures: [ClaimQuantity.Kind: Set<Int64>] = [:]
    private let spans: WorkSpans
    private let folded: String

    /// - Parameters:
    ///   - job: the advert.
    ///   - names: further words that a letter may contain; no figures.
    ///   - now: months since year 0.
    init(resume: String, job: String, names: [String], now: Int) {
        spans = WorkSpans(resume, now: now)
        folded = SearchText.folded(([resume, job] + names).joined(separator: "\n"))
        for text in [resume, job] {
            for line in text.split(whereSeparator: \.isNewline) { add(String(line)) }
        }
        let known = figures
        for name in names { add(name) }
        figures = known
        // Any name of a thing is evidence for all of its names.
        for thing in things {
            for name in ClaimWords.shared.names[thing] {
                words.formUnion(name)
                if name.count == 1 { capitalised.formUnion(name) }
            }
        }
    }

    private mutating func add(_ line: String) {
        for sentence in ClaimText(line).sentences {
            let tokens = sentence.tokens
            for (index, token) in tokens.enumerated() where token.kind == .word {
                for part in [token.key, token.stem] + Self.parts(token.key) {
                    words.insert(part)
                    if token.isCapital { capitalised.insert(part) }
                }
                if index > 0, tokens[index - 1].kind == .word {
                    words.insert(tokens[index - 1].stem + token.stem)
                }
                if let found = ClaimWords.shared.thing(in: tokens, at: index, inEvidence: true) {
                    things.insert(found.thing)
                }
                // Digits within a word count too: "10k", "HTML5".
                for digits in token.key.split(whereSeparator: { !$0.isASCII || !$0.isNumber }) {
                    if let value = Double(digits) { add(.plain, value) }
                }
            }
            for quantity in ClaimQuantityReader(tokens, language: nil).quantities() {
                for value in quantity.values {
                    add(quantity.kind, value)
                    // 3.11 also counts as 3.
                    if quantity.kind == .plain { add(.plain, value.rounded(.towardZero)) }
                }
            }
            // The digits of dates and ranges count too, whatever the number counts.
            for token in tokens where token.kind == .number {
                for digits in token.text.split(whereSeparator: { !$0.isNumber }) {
                    if digits.count >= 4, let value = Double(digits) { add(.plain, value) }
                }
            }
        }
    }

    private mutating func add(_ kind: ClaimQuantity.Kind, _ value: Double) {
        guard abs(value) < 1e15 else { return }
        figures[kind, default: []].insert(Self.figure(value))
    }

    private static func figure(_ value: Double) -> Int64 { Int64((value * 1_000).rounded()) }

    private static func parts(_ key: String) -> [String] {
        key.split { "-/&_@'‑".contains($0) }.map(String.init)
    }

    // MARK: - Questions

    func states(_ quantity: ClaimQuantity) -> Bool {
        let known = figures[quantity.kind] ?? []
        return quantity.values.contains { value in
            guard abs(value) < 1e15 else { return false }
            if known.contains(Self.figure(value)) { return true }
            switch quantity.kind {
            case .plain: return false
            case .percent:
                // "halved" is a fall by 50 %, "doubled" a rise by 100 %.
                return figures[.multiple]?.contains(Self.figure(1 + value / 100)) ?? false
            case .multiple:
                let percents = figures[.percent] ?? []
                return percents.contains(Self.figure((value - 1) * 100))
                    || percents.contains(Self.figure(value * 100))
                    || figures[.plain]?.contains(Self.figure(value)) ?? false && value > 3
            case .duration:
                if quantity.isAtLeast,
                    known.contains(where: { Double($0) / 1_000 >= value && value >= 12 })
                {
                    return true
                }
                return spans.follows(
                    value, isAtLeast: quantity.isAtLeast, isNearly: quantity.isNearly)
            }
        }
    }

    func states(thing: Int) -> Bool { things.contains(thing) }

    /// Whether the résumé contains the name in any form of the word.
    func states(name token: ClaimText.Token) -> Bool {
        if states(word: token.stem) || states(word: token.key) { return true }
        let parts = Self.parts(token.stem)
        // In "Munich-based", only the capitalised part matters.
        let capitals = token.text.split { "-/&_@‑".contains($0) }.filter {
            $0.unicodeScalars.first?.properties.isUppercase ?? false
        }.map { ClaimText.key(String($0)) }
        guard parts.count > 1 else { return false }
        // Of "l'Université" the article does not matter.
        let words = capitals.isEmpty ? parts.filter { $0.count > 1 } : capitals
        return !words.isEmpty
            && words.allSatisfy { part in
                states(word: part) || ClaimWords.shared.generic.contains(part)
            }
    }

    private func states(word: String) -> Bool {
        if ClaimWords.shared.commonOrganisations.contains(word) {
            return capitalised.contains(word)
        }
        if words.contains(word) { return true }
        if word.hasSuffix("s"), words.contains(String(word.dropLast())) { return true }
        if words.contains(word + "s") { return true }
        // HTML5 for HTML.
        let bare = String(word.trimming { $0.isNumber })
        return bare.count > 1 && bare != word && words.contains(bare)
    }

    /// Whether a longer word occurs with another ending: "Germany" for "German".
    func statesRelative(of token: ClaimText.Token) -> Bool {
        let word = token.stem
        if let row = ClaimWords.shared.peoples[word], row.contains(where: words.contains) {
            return true
        }
        guard word.count >= 5 else { return false }
        let stem = word.prefix(max(5, word.count - 3))
        return words.contains { $0.hasPrefix(stem) && $0.count <= word.count + 3 }
    }

    /// Whether an address or a path occurs literally.
    func states(literally text: String) -> Bool { folded.contains(SearchText.folded(text)) }
}
