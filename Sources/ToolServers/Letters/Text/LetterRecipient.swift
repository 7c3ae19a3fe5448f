/// The recipient of a letter, parsed from an advert: "Ms. Jane Smith", "Frau Dr. Petra
/// Schmidt", "Robin Jansen". A value; it never leaves this machine.
package struct LetterRecipient: Sendable, Equatable {
    package enum Address: Sendable { case her, him }

    /// The full name, without form of address and title.
    package var name: String
    /// The address; nil if the advert does not give it.
    package var address: Address?
    /// "Dr.", "Prof. Dr.", "Dott.ssa"; empty if none.
    package var title = ""

    /// The part of the name used after "Ms": the last word with preceding particles ("van
    /// der Berg"), or the last two words.
    func surname(hasTwo: Bool) -> String {
        let words = name.split(separator: " ")
        guard words.count > 1 else { return name }
        var start = words.count - (hasTwo && words.count > 2 ? 2 : 1)
        while start > 1, Self.particles.contains(words[start - 1].lowercased()) { start -= 1 }
        return words[start...].joined(separator: " ")
    }

    private static let particles: Set<String> = [
        "van", "von", "der", "den", "de", "del", "della", "di", "da", "dos", "das", "do", "du",
        "la", "le", "ten", "ter", "zu", "zum", "zur", "y", "bin", "al", "el", "'t", "af", "av",
    ]
}
