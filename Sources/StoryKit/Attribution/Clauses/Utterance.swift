/// The quotations that one character speaks without a break: those of a paragraph and of
/// its continuation paragraphs, unless the narration between them names two speakers.
struct Utterance {
    /// A clause of narration right beside its quotations.
    struct Beside {
        enum Side { case before, after }
        var clause: ClauseReader.Clause
        var place: Side
        /// Whether the clause runs on into the quotation, or ends it.
        var isJoined: Bool
    }

    /// Distance to the previous utterance.
    enum Gap: Int, CaseIterable {
        /// Ended in the same paragraph; in the previous one.
        case paragraph, adjacent
        /// The narration between them: up to two paragraphs; more; enough to begin a new scene.
        case short, long, scene
    }

    /// Indices into `StoryText.spans`.
    var spans: [Int]
    var beside: [Beside] = []
    var gap: Gap = .scene
    /// Narration tokens from the previous utterance to the first quotation.
    var toldBefore: Range<Int>
    /// Tokens from its first quotation to the end of the narration after its last, in the
    /// same paragraph.
    var tokens: Range<Int>
    /// Characters addressed in it by name.
    var addressed: [Int] = []
    /// Characters spoken about.
    var mentioned: [Int] = []
    /// The turn that the verb of speaking implies.
    enum Turn { case reply, goesOn, unknown }
    var turn: Turn = .unknown
    var isQuestion = false
    /// Subject of the last narrated sentence before it, if it has a name.
    var precedingSubject: Int?

    /// Appends a continuation: a speech in several paragraphs has one speaker.
    mutating func goOn(with next: Utterance) {
        spans += next.spans
        beside += next.beside
        tokens = tokens.lowerBound..<next.tokens.upperBound
        addressed += next.addressed
        mentioned += next.mentioned
        isQuestion = next.isQuestion
    }
}
