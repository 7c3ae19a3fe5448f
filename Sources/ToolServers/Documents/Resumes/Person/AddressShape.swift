import Base
import Privacy

/// Recognises postal addresses and parts of them. Pure. It is meant for the header of a résumé,
/// which contains little else.
enum AddressShape {
    /// Whether the text is a street with a number, or a postal code with a town.
    static func isAddress(_ segment: String) -> Bool {
        let words = segment.split { " ,;()".contains($0) }.map(String.init)
        guard (1...16).contains(words.count) else { return false }
        let folded = words.map { ResumeWords.folded($0) }
        // "Plaza del Olivo, s/n" has no number.
        let isNumberless = folded.last == "s/n"
        guard isNumberless || segment.contains(where: \.isNumber) else { return false }
        if segment.contains("@") || segment.contains("%") { return false }
        let hasNumber =
            isNumberless
            || words.contains { word in
                word.contains(where: \.isNumber)
                    && !word.split(whereSeparator: { !$0.isNumber }).allSatisfy {
                        isYear(String($0))
                    }
            }
        for (index, word) in folded.enumerated() {
            // "Addetta alle vendite, 2011–2017": a year is not a house number.
            if isStreetWord(word), hasNumber, word != "alle" || words[index] != "alle" {
                return true
            }
            // "Hauptstraße 12": the number follows, as it does not after "Einkäufer".
            let next = index + 1 < folded.count ? folded[index + 1] : ""
            if hasStreetEnding(word), next.first?.isNumber == true, !isYear(next) { return true }
        }
        // "Kerala - 680001", as in India.
        let isIndian =
            words.count > 1
            && words.last.map { $0.count == 6 && $0.allSatisfy(\.isNumber) } ?? false
        return isIndian || PatternFinder.hasPostalCode(segment)
    }

    private static func isStreetWord(_ word: String) -> Bool {
        // Single letters are too ambiguous: "D" and "U" also abbreviate other words.
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

    /// Whether the line is a postal code and a town without a street: "28013 Madrid",
    /// "Truro TR1 2HX".
    static func isTown(_ line: String) -> Bool {
        let words = line.split { " ,;()".contains($0) }.map(String.init)
        return (2...6).contains(words.count) && PatternFinder.hasPostalCode(line)
            && words.allSatisfy { $0.first?.isLowercase != true }
            && !words.contains { isStreetWord(ResumeWords.folded($0)) }
    }

    /// The address in a line with other text before it: "nato a Napoli, residente in Via
    /// Toledo 156, 80134 Napoli".
    static func trimmed(_ line: String) -> String {
        var parts = line.split(separator: ",").map { $0.trimmingSpace() }
        while parts.count > 1, let first = parts.first, !isAddress(first), !isHouse(first),
            first.first?.isLowercase == true || LabelledValue(first)?.label == .birth
        {
            parts.removeFirst()
        }
        guard let first = parts.first else { return line }
        let words = first.split(separator: " ").map(String.init)
        for count in stride(from: min(3, words.count - 1), through: 1, by: -1)
        where LabelledValue.label(of: words[..<count].joined(separator: " ")) == .address {
            parts[0] = words[count...].joined(separator: " ")
            break
        }
        return parts.joined(separator: ", ")
    }

    /// "Am Alten Rathaus 3", "88 Greene": words next to a postal code with a number at one
    /// end are the house.
    static func isHouse(_ segment: String) -> Bool {
        let words = segment.split(separator: " ")
        guard (2...6).contains(words.count), let first = words.first, let last = words.last else {
            return false
        }
        func isNumber(_ word: Substring) -> Bool {
            word.first?.isNumber == true && word.count <= 6
                && word.count(where: \.isNumber) <= 4
                && word.allSatisfy { $0.isNumber || $0.isLetter || "-/.".contains($0) }
        }
        let names = isNumber(last) ? words.dropLast() : words.dropFirst()
        guard isNumber(last) || isNumber(first) else { return false }
        return names.allSatisfy { word in
            word.allSatisfy { $0.isLetter || "-.'’".contains($0) }
        } && names.contains { $0.first?.isUppercase == true }
    }

    /// "Berlin, Germany", "Springfield, IL": a place of residence, nothing else.
    static func isPlace(_ segment: String) -> Bool {
        let parts = segment.split(separator: ",").map { $0.trimmingSpace() }
        guard let last = parts.last, parts.count <= 3 else { return false }
        let key = ResumeWords.key(last)
        if ResumeWords.shared.countries[key] != nil { return true }
        return parts.count >= 2 && last.count == 2 && last == last.uppercased()
            && last.allSatisfy(\.isLetter)
    }
}
