/// Who a letter is addressed to, read from the words of an advert: "Ms. Jane
/// Smith", "Frau Dr. Petra Schmidt", "Robin Jansen". A value; it never leaves
/// this machine.
package struct LetterRecipient: Sendable, Equatable {
    package enum Address: Sendable { case her, him }

    /// Without what stands in front of it.
    package var name: String
    /// Nil where the words do not say.
    package var address: Address?
    /// "Dr.", "Prof. Dr.", "Dott.ssa"; empty without one.
    package var title = ""

    /// The part of the name that stands after "Ms": the last word with the
    /// particles in front of it ("van der Berg"), or the last two words.
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
