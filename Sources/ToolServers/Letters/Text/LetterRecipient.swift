import AgentCore
import ICalendar

/// Who a letter is addressed to, read from the words of an advert: "Ms. Jane
/// Smith", "Frau Dr. Petra Schmidt", "Robin Jansen". A value; it never leaves
/// this machine.
package struct LetterRecipient: Sendable, Equatable {
    package enum Address: Sendable { case her, him }

    /// Nil where the words do not say.
    package var address: Address?
    package var isDoctor = false
    /// Without what stands in front of it.
    package var name: String

    package init(name: String, address: Address?, isDoctor: Bool = false) {
        self.name = name
        self.address = address
        self.isDoctor = isDoctor
    }

    /// - Returns: nil where the words hold no name.
    package init?(_ words: String) {
        var rest = TextValue.oneLine(words).split(separator: " ")[...]
        while let word = rest.first {
            let folded = Self.folded(word)
            if Self.hers.contains(folded) {
                address = .her
            } else if Self.his.contains(folded) {
                address = .him
            } else if !Self.titles.contains(folded), !Self.articles.contains(folded) {
                break
            }
            if Self.doctors.contains(folded) { isDoctor = true }
            rest.removeFirst()
        }
        name =
            rest.joined(separator: " ").trimming { $0 == "," || $0 == ":" || $0 == " " }
            .description
        guard name.contains(where: \.isLetter) else { return nil }
    }

    /// The part of the name that stands after "Ms": the last word with the
    /// particles in front of it ("van der Berg"), or the last two words.
    func surname(hasTwo: Bool) -> String {
        let words = name.split(separator: " ")
        guard words.count > 1 else { return name }
        var start = words.count - (hasTwo && words.count > 2 ? 2 : 1)
        while start > 1, Self.particles.contains(words[start - 1].lowercased()) { start -= 1 }
        return words[start...].joined(separator: " ")
    }

    private static func folded(_ word: Substring) -> String {
        SearchText.folded(String(word)).filter { $0 != "." && $0 != "," && $0 != ":" }
    }

    private static let hers: Set<String> = [
        "ms", "mrs", "miss", "frau", "mme", "madame", "mlle", "mademoiselle", "sra", "senora",
        "srta", "dona", "pani", "sigra", "signora", "dottssa", "dottoressa", "mevr", "mevrouw",
        "mw", "senhora", "fru",
    ]
    private static let his: Set<String> = [
        "mr", "mister", "herr", "herrn", "monsieur", "sr", "senor", "don", "pan", "sig", "signor",
        "signore", "dott", "dottor", "heer", "dhr", "meneer", "senhor",
    ]
    private static let doctors: Set<String> = ["dr", "drs", "doctor", "dra"]
    private static let titles: Set<String> = [
        "dr", "drs", "doctor", "dra", "prof", "professor", "ing", "mag", "dipl-ing", "ir", "msc",
    ]
    private static let articles: Set<String> = ["de", "dear", "an", "attn", "to", "fao", "t.a.v"]
    private static let particles: Set<String> = [
        "van", "von", "der", "den", "de", "del", "della", "di", "da", "dos", "das", "do", "du",
        "la", "le", "ten", "ter", "zu", "zum", "zur", "y", "bin", "al", "el", "'t", "af", "av",
    ]
}
