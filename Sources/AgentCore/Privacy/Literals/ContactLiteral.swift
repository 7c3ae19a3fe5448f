import Base

/// The spellings of e-mail addresses and of pages on the web. Pure.
enum ContactLiteral {
    /// The address, and the text before its @ if it is long enough to be distinctive and
    /// not a word that many addresses begin with.
    static func email(_ value: String) -> [[UInt32]] {
        let value = value.trimmingPrefix("mailto:")
        let whole = ScannedText.compact(value)
        guard let local = value.split(separator: "@").first, value.contains("@") else {
            return whole.count >= 4 ? [whole] : []
        }
        var spellings = [whole]
        let base = local.split(separator: "+").first ?? local
        for part in [local, base] {
            let phrase = ScannedText.compact(String(part))
            if isTelling(phrase) { spellings.append(phrase) }
        }
        return spellings.filter { $0.count >= 4 }
    }

    /// The address with and without the text before the host, the name in a path or below a
    /// shared host, and the name of a private host.
    static func url(_ value: String) -> [[UInt32]] {
        var rest = value.lowercased()[...]
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        rest = rest.trimmingPrefix("www.")[...]
        rest = rest.split(whereSeparator: { "?#".contains($0) }).first ?? rest
        let pieces = rest.split(separator: "/").map(String.init)
        guard let host = pieces.first else { return [] }
        var spellings = [ScannedText.compact(String(rest))]
        let labels = host.split(separator: ".").map(String.init)
        if pieces.count > 1 {
            // linkedin.com/in/ida-berg-8a1b, x.com/idaberg, medium.com/@ida.berg
            for piece in pieces.dropFirst() where !fixed.contains(piece) {
                let phrase = ScannedText.compact(piece)
                if isTelling(phrase) { spellings.append(phrase) }
                let words = piece.split(whereSeparator: { "-_.".contains($0) })
                // A number that the site appended to the name.
                if words.count > 2, let last = words.last, last.contains(where: \.isNumber) {
                    spellings.append(ScannedText.compact(words.dropLast().joined(separator: "-")))
                }
            }
        }
        if labels.count < 2 {
            // The value is only a handle: "@idaberg".
            let phrase = ScannedText.compact(host)
            if isTelling(phrase), spellings[0] != phrase { spellings.append(phrase) }
        } else {
            let own = labels.dropLast().filter {
                !RedactionWords.hosts.contains($0)
                    && !["co", "com", "www", "org", "ac"].contains($0)
            }
            for label in own where isTelling(ScannedText.compact(label)) {
                spellings.append(ScannedText.compact(label))
            }
            if !RedactionWords.hosts.contains(labels[labels.count - 2]) {
                spellings.append(ScannedText.compact(host))
            }
        }
        return spellings.filter {
            $0.count >= 4 && !RedactionWords.foldedHostsWithCom.contains($0)
        }
    }

    private static let fixed = RedactionWords.list("fixed paths")

    /// Whether it has four characters or more, and is not a word.
    private static func isTelling(_ phrase: [UInt32]) -> Bool {
        phrase.count >= 4 && !RedactionWords.roles.contains(phrase)
            && !RedactionWords.nameWords.contains(phrase) && !RedactionWords.skills.contains(phrase)
            && !RedactionWords.nouns.contains(phrase) && !RedactionWords.months.contains(phrase)
            && !RedactionWords.smallWords.contains(phrase)
            && !phrase.allSatisfy { $0 >= 0x30 && $0 < 0x3A }
            && !RedactionWords.foldedHosts.contains(phrase)
    }
}

/// The spellings of an employer's name. Pure.
enum EmployerLiteral {
    static let forms = RedactionWords.list("forms of employers")

    static func spellings(_ value: String) -> [[UInt32]] {
        let text = ScannedText(value)
        var words = text.words
        var spellings = [words.flatMap { text.folded($0) }]
        while words.count > 1, let last = words.last, forms.contains(text.text(last)) {
            words.removeLast()
        }
        spellings.append(words.flatMap { text.folded($0) })
        return spellings.filter { $0.count >= 2 }
    }
}

extension StringProtocol {
    fileprivate func trimmingPrefix(_ prefix: String) -> String {
        lowercased().hasPrefix(prefix) ? String(dropFirst(prefix.count)) : String(self)
    }
}
