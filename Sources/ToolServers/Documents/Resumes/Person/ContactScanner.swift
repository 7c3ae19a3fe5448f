import Base
import Privacy

/// Finds e-mail addresses, web addresses and telephone numbers in lines that consist mostly
/// of them: the header of a résumé, a line of contact details. Pure.
///
/// It matches generously, since its matches are never sent; the redactor, which searches
/// sentences, is strict.
enum ContactScanner {
    struct Match: Sendable, Equatable {
        var kind: PersonalData.Kind
        var value: String
        /// The range in characters of the line.
        var range: Range<Int>
    }

    /// The matches in order, without overlaps.
    static func matches(in line: String, isHead: Bool = false) -> [Match] {
        let text = Array(line)
        // Without the combining marks, which make comparing slow.
        let seen = text.compactMap(\.unicodeScalars.first)
        var found: [Match] = []
        emails(line, text, &found)
        urls(text, seen, isHead: isHead, &found)
        phones(text, seen, &found)
        return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    private static func add(
        _ kind: PersonalData.Kind, _ range: Range<Int>, in text: [Character], _ found: inout [Match]
    ) {
        guard !range.isEmpty, !found.contains(where: { $0.range.overlaps(range) }) else { return }
        found.append(Match(kind: kind, value: String(text[range]), range: range))
    }

    // MARK: - E-mail

    private static func emails(_ line: String, _ text: [Character], _ found: inout [Match]) {
        let utf8 = Array(line.utf8)
        func count(_ range: Range<Int>) -> Int {
            String(decoding: utf8[range], as: UTF8.self).count
        }
        for range in PatternFinder.emails(in: line) {
            let start = count(0..<range.lowerBound)
            add(.email, start..<start + count(range), in: text, &found)
        }
    }

    // MARK: - Web addresses

    static let profileHosts = [
        "linkedin.", "github.", "gitlab.", "bitbucket.", "xing.", "twitter.com", "x.com/",
        "facebook.", "instagram.", "medium.com", "stackoverflow.", "kaggle.", "orcid.org",
        "scholar.google", "researchgate.", "behance.", "dribbble.", "t.me/", "about.me",
        "mastodon.", "codepen.", "leetcode.", "hackerrank.", "youtube.", "goldenline.", "viadeo.",
        "telegram.", "wa.me/", "keybase.", "dev.to/", "linktr.ee", "codeberg.", "vk.com",
    ]

    private static let endings: Set<String> = [
        "com", "org", "net", "io", "dev", "me", "de", "fr", "es", "it", "pl", "nl", "pt", "se",
        "no", "dk", "fi", "cz", "sk", "tr", "gr", "ro", "hu", "hr", "at", "ch", "uk", "in", "us",
        "eu", "info", "app", "tech", "ai", "xyz", "name", "be", "br", "ru", "ua", "ca", "au", "nz",
        "ie", "co", "page", "site", "online", "design", "cloud", "blog", "bg", "lt", "lv", "ee",
        "si", "rs", "cv", "biz", "pro", "works", "space", "website", "mx", "ar", "cl", "jp",
        "example", "test",
    ]

    private static let outer = Set(" <>()[]|,;\"“”„{}".unicodeScalars)
    private static let ends = Set(".:!?'*•·".unicodeScalars)

    private static func urls(
        _ text: [Character], _ seen: [Unicode.Scalar], isHead: Bool, _ found: inout [Match]
    ) {
        var index = 0
        while index < text.count {
            if outer.contains(seen[index]) {
                index += 1
                continue
            }
            var end = index
            while end < text.count, !outer.contains(seen[end]) { end += 1 }
            var last = end
            while last > index, ends.contains(seen[last - 1]) { last -= 1 }
            var start = index
            // "Web:www.muster.de"
            if let colon = seen[start..<last].firstIndex(of: ":"), colon + 1 < last,
                seen[colon + 1] != "/"
            {
                start = colon + 1
            }
            if isURL(String(text[start..<last]), isHead) {
                add(.url, start..<last, in: text, &found)
            }
            index = end
        }
    }

    static func isURL(_ token: String, _ isHead: Bool) -> Bool {
        // Servers need not take a longer one (RFC 9110 §4.1).
        if token.utf8.count > 8_000 { return false }
        let lowered = token.lowercased()
        if lowered.contains("@") { return false }
        if lowered.contains("://") || lowered.hasPrefix("www.") { return true }
        if lowered.contains("/"), profileHosts.contains(where: lowered.contains) { return true }
        let host = lowered.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, let ending = labels.last, endings.contains(String(ending)),
            labels.allSatisfy({ label in
                !label.isEmpty && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
            }), host.contains(where: \.isLetter)
        else { return false }
        // "ASP.NET" and "Socket.io" are skills, except in a header.
        if host.count < lowered.count { return true }
        return isHead && labels[labels.count - 2].count >= 3
            && !["asp.net", "vb.net", "ado.net", "socket.io", "draw.io"].contains(String(host))
    }

    // MARK: - Telephone

    private static let signs = Set(" ()-./–‑+".unicodeScalars)

    private static func phones(
        _ text: [Character], _ seen: [Unicode.Scalar], _ found: inout [Match]
    ) {
        func isDigit(_ index: Int) -> Bool { ("0"..."9").contains(seen[index]) }
        func isWord(_ index: Int) -> Bool { text[index].isLetter || text[index].isNumber }
        var index = 0
        while index < text.count {
            let first = seen[index]
            // "ACM-2024-117" is one word, not a number.
            guard first == "+" || first == "(" || isDigit(index),
                index == 0 || seen[index - 1] != "〒",
                index == 0
                    || !isWord(index - 1)
                        && (index == 1 || !["-", "/", "_", "#"].contains(seen[index - 1])
                            || !isWord(index - 2))
            else {
                index += 1
                continue
            }
            var end = index
            var digits = 0
            var gap = 0
            while end < text.count {
                if isDigit(end) {
                    digits += 1
                    gap = 0
                } else if signs.contains(seen[end]), gap < 3 {
                    gap += 1
                } else {
                    break
                }
                end += 1
            }
            while end > index, !(text[end - 1].isNumber || seen[end - 1] == ")") { end -= 1 }
            // "(020 7946 0999)" in brackets.
            let (opened, closed) = (
                seen[index..<end].count { $0 == "(" }, seen[index..<end].count { $0 == ")" }
            )
            if closed > opened, seen[end - 1] == ")" { end -= 1 }
            if first == "(", end > index, seen[end - 1] == ")" {
                index += 1
                end -= 1
            }
            let value = String(text[index..<end])
            // "12345678Z" is not a telephone number.
            let isCut = end < text.count && text[end].isLetter && text[end].lowercased() != "x"
            if (7...15).contains(digits), !isCut, isPhone(value),
                !isAmount(value, before: text[..<index], after: text[end...])
            {
                end = withExtension(text, end)
                add(.phone, index..<end, in: text, &found)
                index = end
            } else {
                // The next number in the line may be a telephone number.
                while index < text.count, text[index].isNumber || seen[index] == "+" { index += 1 }
                if index < text.count, !text[index].isNumber { index += 1 }
            }
        }
    }

    private static func withExtension(_ text: [Character], _ end: Int) -> Int {
        var place = end
        while place < text.count, text[place] == " " { place += 1 }
        let rest = String(text[place...].prefix(5)).lowercased()
        for mark in ["extn", "ext.", "ext", "x", "#"] where rest.hasPrefix(mark) {
            var last = place + mark.count
            while last < text.count, " .:".contains(text[last]) { last += 1 }
            let start = last
            while last < text.count, text[last].isASCII, text[last].isNumber { last += 1 }
            if (1...6).contains(last - start) { return last }
        }
        return end
    }

    /// "3.200.000 €", "12 500 000 kr", "SEK 4500000": money and other counts.
    private static func isAmount(
        _ value: String, before: ArraySlice<Character>, after: ArraySlice<Character>
    ) -> Bool {
        let groups = value.split { !$0.isNumber }
        let separators = Set(value.filter { !$0.isNumber })
        // Groups of thousands, with the same separator.
        if groups.count >= 3, separators.count == 1, separators.isSubset(of: [".", " ", ","]),
            (1...2).contains(groups[0].count), groups[0].first != "0",
            groups.dropFirst().allSatisfy({ $0.count == 3 })
        {
            return true
        }
        func isUnit(_ word: some Sequence<Character>) -> Bool {
            let word = String(word)
            return word.first.map { "€$£¥₹₺₽%".contains($0) } == true
                || word.last.map { "€$£¥₹₺₽".contains($0) } == true || currencies.contains(word)
        }
        let next = after.drop { $0 == " " }.prefix { !" .,;:)".contains($0) }
        let last = before.reversed().drop { $0 == " " }.prefix { !" (:;,".contains($0) }
        return isUnit(next) || isUnit(last.reversed())
    }

    private static let currencies: Set<String> = [
        "EUR", "USD", "GBP", "CHF", "PLN", "CZK", "SEK", "NOK", "DKK", "HUF", "RON", "INR", "TRY",
        "TL", "zł", "Kč", "kr", "kr.", "Ft", "lei", "Euro", "euro", "euros", "Rs", "Rs.",
    ]

    /// Whether it is a telephone number, not a range of years, a date or a postal code with
    /// its extension.
    static func isPhone(_ value: String) -> Bool {
        let groups = value.split { !$0.isNumber }.map(String.init)
        func isYear(_ group: String) -> Bool {
            group.count == 4 && (group.hasPrefix("19") || group.hasPrefix("20"))
        }
        if value.hasPrefix("+") { return true }
        // "H.No. 8-2-293/82" is a house.
        if !value.contains(" "), groups.count(where: { $0.count == 1 }) >= 2 { return false }
        if groups.contains(where: isYear), groups.count <= 6, groups.allSatisfy({ $0.count <= 4 }),
            !groups.contains(where: { $0.count == 3 })
        {
            return false
        }
        if groups.count == 2, let last = groups.last, isYear(last) { return false }
        // Postal codes of Portugal, Brazil and, below, the United States.
        if groups.count == 2, 4...5 ~= groups[0].count, groups[1].count == 3, value.contains("-") {
            return false
        }
        if groups.count == 2, groups[0].count == 5, groups[1].count == 4 { return false }
        if groups.count == 1, groups[0].count == 8,
            groups[0].hasPrefix("19") || groups[0].hasPrefix("20")
        {
            return false
        }
        return true
    }
}
