/// An act that an answer claims: what it says and who did it, but not whether that is true.
struct ActClaim {
    var verb: ActClaimWords.Verb
    /// Whether the subject is "I". Otherwise the subject is a thing: "it is set".
    var isOurs = false
    /// Whether it states how something is, which may have been so before the turn.
    var isState = false
    /// The words of its clause.
    var words: ArraySlice<ActClaimText.Token>

    func has(_ section: ActClaimWords.Section) -> Bool {
        words.contains { $0.word?.has(section) ?? false }
    }

    func says(_ some: ActClaimWords.Word...) -> Bool {
        words.contains { $0.word.map(some.contains) ?? false }
    }

    var subjects: [ActClaimWords.Subject] { words.compactMap { $0.word?.subject } }

    /// Whether it names a place that the program keeps things in: "in the trash".
    var hasPlace: Bool { has(.places) }
}
