/// Quotations that one person speaks without a break: those of a paragraph, and of the
/// paragraphs in which it goes on, unless the narration between them names two speakers.
struct Utterance {
    /// A clause of narration right beside its quotations.
    struct Beside {
        enum Place { case before, after }
        var clause: ClauseReader.Clause
        var place: Place
        /// Whether the clause runs on into the quotation, or ends it.
        var isJoined: Bool
    }

    /// How far the utterance before is away.
    enum Gap: Int, CaseIterable {
        /// It ended in the same paragraph; in the paragraph before.
        case paragraph, adjacent
        /// Up to two paragraphs of narration lie between them; more; so many that a new scene
        /// begins.
        case short, long, scene
    }

    /// Indices into `StoryText.spans`.
    var spans: [Int]
    var beside: [Beside] = []
    var gap: Gap = .scene
    /// Tokens told since the utterance before, up to the first quotation.
    var toldBefore: Range<Int>
    /// Tokens from its first quotation to the end of the narration after its last, in the
    /// same paragraph.
    var tokens: Range<Int>
    /// Who is addressed in it, by name; by "sir" or "madam".
    var addressed: [Int] = []
    var addressedGender: StoryCharacter.Gender?
    /// Who is spoken about.
    var mentioned: [Int] = []
    /// What its verb of speaking says of whose turn it is.
    enum Turn { case reply, goesOn, unknown }
    var turn: Turn = .unknown
    var isQuestion = false
    /// Who is the subject of the last sentence told before it.
    var precedingSubject: ClauseReader.Subject?

    /// A tale in several paragraphs is one person's.
    mutating func goOn(with next: Utterance) {
        spans += next.spans
        beside += next.beside
        tokens = tokens.lowerBound..<next.tokens.upperBound
        addressed += next.addressed
        addressedGender = addressedGender ?? next.addressedGender
        mentioned += next.mentioned
        isQuestion = next.isQuestion
    }
}
