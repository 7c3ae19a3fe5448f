import Privacy

/// Guesses the language of a résumé or an advert from its headings, which differ by
/// language, and from common words. Pure.
package enum TextLanguage {
    /// - Parameter headings: weight of the headings in each language.
    /// - Returns: "de"; nil if there is too little evidence.
    package static func guess(_ text: String, headings: [String: Double] = [:]) -> String? {
        var scores = headings
        let common = ResumeWords.shared.common
        let words = text.prefix(40_000).split(whereSeparator: { !$0.isLetter }).prefix(4_000)
        // In a short text, "(m/w/d)" and initials would outweigh other words.
        for word in words where word.count > 1 || words.count > 80 {
            guard let languages = common[ResumeWords.folded(word)] else { continue }
            for language in languages {
                scores[language, default: 0] += 1 / Double(languages.count)
            }
        }
        // Letters that distinguish related languages.
        for character in text.prefix(40_000).lowercased() {
            for language in letters[character] ?? [] { scores[language, default: 0] += 0.15 }
        }
        let ranked = scores.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
        guard let best = ranked.first, best.value >= 1.5 else { return nil }
        // A short text needs a clear result.
        let share = best.value < 3 ? 0.6 : 0.97
        if ranked.count > 1, ranked[1].value > best.value * share { return nil }
        return best.key
    }

    private static let letters: [Character: [String]] = [
        "ß": ["de"], "ä": ["de", "sv", "fi", "sk"], "ö": ["de", "sv", "fi", "tr", "hu"],
        "ü": ["de", "tr", "hu"], "å": ["sv", "no", "da", "fi"], "ø": ["no", "da"],
        "æ": ["no", "da"], "ñ": ["es"], "ã": ["pt"], "õ": ["pt"], "ł": ["pl"], "ą": ["pl"],
        "ę": ["pl"], "ż": ["pl"], "ś": ["pl"], "ć": ["pl", "hr"], "ř": ["cs"], "ě": ["cs"],
        "ů": ["cs"], "ľ": ["sk"], "ĺ": ["sk"], "ô": ["sk", "fr"], "ı": ["tr"], "ğ": ["tr"],
        "ş": ["tr"], "ő": ["hu"], "ű": ["hu"], "ț": ["ro"], "ș": ["ro"], "ţ": ["ro"], "ă": ["ro"],
        "đ": ["hr"], "œ": ["fr"], "ê": ["fr", "pt"], "è": ["fr", "it"], "ù": ["fr", "it"],
        "ì": ["it"], "ò": ["it"], "ы": ["ru"], "ё": ["ru"], "і": ["uk"], "ї": ["uk"], "є": ["uk"],
    ]
}

/// Guesses where the applicant lives from their telephone number, address and e-mail, and where an
/// employer is from its address. Pure.
enum HomeCountry {
    /// - Parameter head: lines that may name a country.
    /// - Returns: "DE".
    static func guess(
        _ person: PersonalData, contact: ResumeContact, head: [String], language: String?
    ) -> String? {
        if let code = named(in: contact.address.reversed() + head) { return code }
        for phone in person.values(of: .phone) {
            let digits = phone.filter(\.isNumber)
            let isAbroad = phone.contains("+") || digits.hasPrefix("00")
            guard isAbroad else { continue }
            let number = digits.hasPrefix("00") ? String(digits.dropFirst(2)) : digits
            for length in [3, 2, 1] {
                if let code = prefixes[String(number.prefix(length))] { return code }
            }
        }
        if let code = postal(in: contact.address) { return code }
        for address in person.values(of: .email) + person.values(of: .url) {
            let host = address.split(separator: "@").last ?? ""
            let name = host.split(separator: "/").first { $0.contains(".") } ?? ""
            if let ending = name.split(separator: ".").last,
                let code = endings[ending.lowercased()]
            {
                return code
            }
        }
        guard let language else { return nil }
        return homes[language]
    }

    /// The country that the lines name, else the one whose postal codes they have.
    static func of(_ address: [String]) -> String? {
        named(in: address.reversed()) ?? postal(in: address)
    }

    private static func named(in lines: [String]) -> String? {
        for line in lines {
            for piece in line.split(whereSeparator: { ",|•·–/".contains($0) }).reversed() {
                let key = ResumeWords.key(piece)
                if let code = ResumeWords.shared.countries[key] { return code }
            }
        }
        return nil
    }

    private static func postal(in lines: [String]) -> String? {
        for line in lines {
            let words = line.split { " ,".contains($0) }.map(String.init)
            for (index, word) in words.enumerated() {
                // "01310-100"
                if word.split(separator: "-").map(\.count) == [5, 3],
                    word.allSatisfy({ $0.isNumber || $0 == "-" })
                {
                    return "BR"
                }
                let next = index + 1 < words.count ? words[index + 1] : ""
                if word.count == 2, word.allSatisfy(\.isUppercase), next.count >= 5,
                    next.prefix(5).allSatisfy(\.isNumber)
                {
                    return "US"
                }
                if word.first?.isLetter == true, word.contains(where: \.isNumber),
                    next.count == 3, next.first?.isNumber == true,
                    next.dropFirst().allSatisfy(\.isLetter)
                {
                    return "GB"
                }
            }
        }
        return nil
    }

    private static let prefixes = [
        "1": "US", "44": "GB", "91": "IN", "49": "DE", "33": "FR", "34": "ES", "48": "PL",
        "39": "IT", "31": "NL", "32": "BE", "351": "PT", "55": "BR", "46": "SE", "47": "NO",
        "45": "DK", "358": "FI", "420": "CZ", "421": "SK", "90": "TR", "30": "GR", "40": "RO",
        "36": "HU", "385": "HR", "43": "AT", "41": "CH", "353": "IE", "52": "MX", "54": "AR",
        "61": "AU", "64": "NZ", "380": "UA", "7": "RU", "359": "BG", "27": "ZA", "65": "SG",
    ]

    private static let endings = [
        "de": "DE", "fr": "FR", "es": "ES", "pl": "PL", "it": "IT", "nl": "NL", "be": "BE",
        "pt": "PT", "br": "BR", "se": "SE", "no": "NO", "dk": "DK", "fi": "FI", "cz": "CZ",
        "sk": "SK", "tr": "TR", "gr": "GR", "ro": "RO", "hu": "HU", "hr": "HR", "at": "AT",
        "ch": "CH", "ie": "IE", "uk": "GB", "in": "IN", "ua": "UA", "ru": "RU", "bg": "BG",
    ]

    private static let homes = [
        "de": "DE", "fr": "FR", "es": "ES", "pl": "PL", "it": "IT", "nl": "NL", "pt": "PT",
        "sv": "SE", "no": "NO", "da": "DK", "fi": "FI", "cs": "CZ", "sk": "SK", "tr": "TR",
        "el": "GR", "ro": "RO", "hu": "HU", "hr": "HR", "uk": "UA", "ru": "RU", "ca": "ES",
    ]
}
