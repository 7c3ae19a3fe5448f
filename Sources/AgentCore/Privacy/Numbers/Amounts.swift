/// Whether a number is an amount: of money, of users, per second. Pure.
enum Amounts {
    static func isAmount(_ text: ScannedText, _ range: Range<Int>) -> Bool {
        isMoneyBefore(text, range.lowerBound) || isUnitBehind(text, range.upperBound)
    }

    static func isMoneyBefore(_ text: ScannedText, _ start: Int) -> Bool {
        var index = start - 1
        while text.has(.space, index) { index -= 1 }
        guard index >= 0 else { return false }
        if text.units[index] < 0x1_0000, let scalar = Unicode.Scalar(text.units[index]),
            scalar.properties.generalCategory == .currencySymbol
                || "~≈<>=×≥≤%#№".unicodeScalars.contains(scalar)
        {
            return true
        }
        guard text.isLetter(index) else { return false }
        var first = index
        while text.isLetter(first - 1) { first -= 1 }
        let word = text.text(first..<index + 1)
        return units.contains(word) && word.utf8.count > 1
    }

    /// A currency, a measure, a plain noun: "10 000 users".
    static func isUnitBehind(_ text: ScannedText, _ end: Int) -> Bool {
        if [0x25, 0x2B].contains(text.ascii(end)) { return true }
        let index = text.skippingSpace(end)
        guard index - end <= 2, index < text.count else { return false }
        if let scalar = Unicode.Scalar(text.units[index]),
            scalar.properties.generalCategory == .currencySymbol || scalar == "%"
        {
            return true
        }
        guard text.isLetter(index) else { return false }
        var last = index
        while text.isLetter(last) { last += 1 }
        let word = text.text(index..<last)
        if units.contains(word) { return true }
        return !text.has(.upper, index) && !connectives.contains(word)
    }

    private static let units: Set<String> = [
        "usd", "eur", "gbp", "inr", "pln", "chf", "rs", "zl", "zł", "euro", "euros", "dollars", "k",
        "m", "bn", "mn", "mio", "mrd", "lakh",
        "crore", "crores", "lakhs", "kb", "mb", "gb", "tb", "kg", "km", "hz", "ms", "gmbh", "mill",
        "millionen", "millions", "million", "kunden", "nutzer",
        "mitarbeiter", "stück", "users", "requests", "rows", "records", "loc", "tps", "qps", "rpm",
    ]
    /// Words with which a sentence goes on after a phone number.
    private static let connectives: Set<String> = [
        "or", "and", "to", "from", "for", "at", "ext", "x", "mobile", "before", "after", "if",
        "when", "by", "between", "during", "in",
        "on", "is", "was", "with", "any", "anytime", "oder", "und", "ab", "von", "bis", "zu", "ou",
        "et", "o", "y", "e", "i", "lub",
        "the", "as", "but", "until", "home", "cell", "office", "work", "fax", "tel", "email", "e",
        "mail", "dw", "durchwahl", "wew", "a",
        "de", "our", "my", "whatsapp", "who", "per", "via", "asking", "about", "during", "weekdays",
        "today", "tomorrow", "please", "por", "para", "entre", "desde", "hasta", "antes", "si",
        "cuando", "pour", "avant", "apres", "des", "dopo", "prima", "dalle", "per", "se", "po",
        "przed", "w", "od", "do", "nach", "vor", "wenn", "falls", "zwischen", "taglich", "abends",
    ]
}
