extension ActClaimReader {
    /// A claim of an act: who did what, and the words that tell it from a plan or a state.
    struct Claim {
        var act: ActClaimWords.Act
        /// Whether the subject is "I"; else a thing is the subject ("it is set").
        var isOurs: Bool
        var isPerfect: Bool
        var hasNow = false
        var hasTitle = false
        var hasItem = false
        /// Whether it names a place of ours: "in the trash".
        var hasPlace = false
        /// Whether that is the user's: "your calendar".
        var hasOwnPlace = false
        var hasKeptNoun = false
        var isShown = false
        /// Whether it is "for you".
        var isForUser = false
        /// Whether it states where something is, which may have been so before.
        var isState = false
        /// Whether something was removed from a thing that stays.
        var wasTakenOff = false
        /// Whether there is something more after it: "and set one for Friday".
        var adds = false
        var subject: ActClaimWords.Subject?
        /// Subjects mentioned by a name that means nothing else ("calendar"), so that only a
        /// call of that kind can have done it.
        var named: Set<ActClaimWords.Subject> = []
    }
}
