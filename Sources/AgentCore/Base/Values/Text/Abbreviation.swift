/// Decides whether a sentence continues after a word with a period, before a capital or a digit;
/// before a small letter it always does. Pure.
///
/// One table has the words of several languages, since the language of a text is unknown; the few
/// conflicts (`no.`) are decided by the following word.
package enum Abbreviation {
    /// - Parameter isFirst: whether the word begins the sentence.
    package static func continues(
        _ word: String, previous: String, following: String, digitFollows: Bool, isFirst: Bool
    ) -> Bool {
        if always.contains(word) { return true }
        // "Hauptstr. 5", "vol. II"
        if beforeNumber.contains(word) || word.hasSuffix("str") {
            return digitFollows
                || !following.isEmpty && following.allSatisfy { "ivxlc".contains($0) }
        }
        if word.unicodeScalars.allSatisfy({ $0.properties.numericType != nil }), !word.isEmpty {
            // "1. Wash", "am 5. Mai", "im 19. Jahrhundert".
            return isFirst || months.contains(following)
                || word.utf8.count <= 2 && ordinalLeads.contains(previous)
        }
        if word.unicodeScalars.count == 1, word.unicodeScalars.allSatisfy(\.properties.isAlphabetic)
        {
            // An initial; "So do I." is the only important exception.
            return word != "i" || isFirst
        }
        guard word.utf8.contains(UInt8(ascii: ".")) else { return false }
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ $0.unicodeScalars.count <= 1 }) else { return false }
        if clocks.contains(word) { return false }
        // "the U.S. Army", but "in the U.S. He".
        return !starters.contains(following)
    }

    /// Whether a sentence may continue after it, under any condition.
    package static func mayContinue(_ word: String) -> Bool {
        always.contains(word) || beforeNumber.contains(word) || word.hasSuffix("str")
            || word.utf8.contains(0x2E)
            || word.unicodeScalars.count <= 1
            || word.unicodeScalars.allSatisfy { $0.properties.numericType != nil }
    }

    /// "e.g", "U.S", "Ph.D", "B.Sc": letters with periods between them, and only a few before the
    /// first.
    package static func isDotted(_ word: String) -> Bool {
        let parts = word.split(separator: ".")
        return parts.count > 1 && (parts.first?.unicodeScalars.count ?? 0) <= 2
            && parts.allSatisfy { $0.unicodeScalars.allSatisfy(\.properties.isAlphabetic) }
    }

    /// Words that cannot end a sentence.
    private static let always: Set<String> = [
        // English
        "mr", "mrs", "ms", "dr", "prof", "st", "rev", "hon", "gen", "col", "lt", "capt", "sgt",
        "gov", "sen", "rep", "pres", "messrs", "mt", "vs", "viz", "cf", "approx", "eg", "e.g",
        "i.e",
        // German
        "hr", "hrn", "fr", "frl", "nr", "bzw", "ca", "vgl", "evtl", "ggf", "inkl", "exkl", "zzgl",
        "sog", "dipl", "ing", "geb", "gest", "tel", "z.b", "d.h", "u.a", "z.t", "v.a", "o.ä", "s.o",
        "s.u", "i.d.r", "u.u", "med", "phil", "jur", "theol", "rer", "nat", "habil", "h.c",
        // French, Spanish, Italian, Portuguese, Dutch
        "mme", "mlle", "mgr", "sra", "srta", "sr", "dra", "dña", "dott", "sig", "avv", "exmo",
        "dhr", "mevr", "bijv", "p.ej", "p.ex",
    ]

    /// Words that end a sentence unless a number follows.
    private static let beforeNumber: Set<String> = [
        "no", "nos", "p", "pp", "s", "f", "ff", "vol", "fig", "figs", "ch", "chap", "sec", "art",
        "eq", "abs", "abb", "kap", "bd", "núm", "pág", "págs", "cap", "tab", "ver", "jan", "feb",
        "apr", "aug", "sep", "sept", "oct", "okt", "nov", "dec", "dez",
    ]

    private static let clocks: Set<String> = ["a.m", "p.m"]

    /// Words before the number of a day, a century or a king.
    private static let ordinalLeads: Set<String> = [
        "der", "die", "das", "dem", "den", "des", "am", "im", "zum", "zur", "vom", "beim", "bis",
        "ab", "seit",
    ]

    private static let months: Set<String> = [
        "januar", "februar", "märz", "april", "mai", "juni", "juli", "august", "september",
        "oktober", "november", "dezember", "januari", "februari", "maart", "januára",
    ]

    /// Capitalized words that usually begin a sentence and are not names.
    private static let starters: Set<String> = [
        "the", "a", "an", "he", "she", "it", "we", "they", "i", "you", "this", "that", "these",
        "those", "in", "on", "at", "but", "and", "so", "if", "when", "there", "his", "her", "our",
        "their", "my", "its", "as", "for", "to", "what", "who", "how", "why", "however", "then",
    ]
}
