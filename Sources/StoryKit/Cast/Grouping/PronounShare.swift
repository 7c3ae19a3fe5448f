/// How much "he" and "she" after a name say in a text that has more of one of them.
struct PronounShare {
    private(set) var weightOfMale = 1.0
    private(set) var weightOfFemale = 1.0

    init(_ text: StoryText) {
        var (male, female) = (5.0, 5.0)
        for token in text.tokens where !token.flags.contains(.inQuotation) {
            let known = text.vocabulary.classes(of: token.word)
            if known.contains(.malePronoun) { male += 1 }
            if known.contains(.femalePronoun) { female += 1 }
        }
        // Only the surplus counts, and not all of it: most pronouns mean who was named.
        weightOfMale = min(1, max(0.3, (female / male).squareRoot()))
        weightOfFemale = min(1, max(0.3, (male / female).squareRoot()))
    }
}
