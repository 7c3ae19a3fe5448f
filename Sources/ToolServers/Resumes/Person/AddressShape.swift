import AgentCore

/// Whether words are an address of the post or a part of one. Pure. Meant for the
/// head of a résumé, where little else stands.
enum AddressShape {
    /// A street with its number, a postal code with its place.
    static func isAddress(_ segment: String) -> Bool {
        let words = segment.split { " ,;()".contains($0) }.map(String.init)
        guard (1...16).contains(words.count) else { return false }
        let folded = words.map { ResumeWords.folded($0) }
        guard segment.contains(where: \.isNumber) else { return false }
        if segment.contains("@") || segment.contains("%") { return false }
        for (index, word) in folded.enumerated() {
            if isStreetWord(word) { return true }
            // "Hauptstraße 12": the number follows, as it does not behind "Einkäufer".
            let next = index + 1 < folded.count ? folded[index + 1] : ""
            if hasStreetEnding(word), next.first?.isNumber == true, !isYear(next) { return true }
        }
        return hasPostalCode(words)
    }

    private static func isStreetWord(_ word: String) -> Bool {
        // Letters alone say little: "D" and "U" begin other things.
        word.count > 1 && ResumeWords.shared.streets.contains(word)
    }

    /// "Hauptstraße", "Kerkstraat", "Storgatan".
    private static func hasStreetEnding(_ word: String) -> Bool {
        endings.contains { word.count > $0.count + 1 && word.hasSuffix($0) }
    }

    private static func isYear(_ word: String) -> Bool {
        word.count == 4 && (word.hasPrefix("19") || word.hasPrefix("20"))
    }

    private static let endings = [
        "strasse", "str.", "straat", "laan", "gatan", "gata", "vagen", "veien", "vej", "gade",
        "katu", "allee", "gasse", "platz", "plein", "gracht", "utca", "gate", "tie", "weg", "damm",
        "ufer", "kade", "singel", "alle", "backen", "kuja", "stra\u{df}e", "ring", "sokak",
    ]

    /// Forms of the code beside a place: "10115 Berlin", "SW1A 1AA", "1012 AB",
    /// "00-950", "SP 01310-100", "IL 62701", "560 001".
    static func hasPostalCode(_ words: [String]) -> Bool {
        guard words.count >= 2 else { return false }
        for (index, word) in words.enumerated() {
            let shape = String(word.map { $0.isNumber ? "9" : $0.isLetter ? "A" : $0 })
            let next = index + 1 < words.count ? words[index + 1] : ""
            let nextShape = String(next.map { $0.isNumber ? "9" : $0.isLetter ? "A" : $0 })
            let hasPlace = words.contains {
                $0.count >= 3 && $0.allSatisfy { $0.isLetter || "-.'’".contains($0) }
            }
            switch shape {
            case "99999", "9999", "99-999", "9999-999", "99999-999", "99999-9999", "999999",
                "AA-9999", "A-99999", "D-99999", "AA-99999", "99999-AA":
                // A year is no code.
                if shape == "9999", word.hasPrefix("19") || word.hasPrefix("20"),
                    index > 0 || !next.allSatisfy(\.isLetter)
                {
                    continue
                }
                if hasPlace { return true }
            case "999":
                if nextShape == "99" || nextShape == "999", hasPlace { return true }
            case "A9", "A99", "AA9", "AA99", "A9A", "AA9A":
                if nextShape == "9AA" { return true }
            default: continue
            }
        }
        return false
    }

    /// "Berlin, Germany", "Springfield, IL": where somebody lives, no more.
    static func isPlace(_ segment: String) -> Bool {
        let parts = segment.split(separator: ",").map { $0.trimmingSpace() }
        guard let last = parts.last, parts.count <= 3 else { return false }
        let key = ResumeWords.letters(ResumeWords.folded(last))
        if ResumeWords.shared.countries[key] != nil { return true }
        return parts.count >= 2 && last.count == 2 && last == last.uppercased()
            && last.allSatisfy(\.isLetter)
    }
}
