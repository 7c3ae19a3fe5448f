extension SpeakerWeights {
    /// Given by hand, and kept where fitting them to labelled chapters was no better on the
    /// chapters left out.
    static let measured = SpeakerWeights(
        values: {
            var values = [Int](repeating: 0, count: SpeakerFeature.allCases.count)
            for (feature, weight) in byHand { values[feature.rawValue] = weight }
            return values
        }())

    private static let byHand: [(SpeakerFeature, Int)] = [
        (.nameTag, 900), (.nameDistant, 400), (.beatBefore, 250), (.beatAfter, 200),
        (.possessive, 150), (.roleTag, 120), (.roleFits, 150), (.roleUnfit, -150),
        (.roleSurname, 150),
        (.roleMismatch, -400), (.roleNobody, 300),
        (.unnamedNobody, 400), (.severalNobody, 400), (.narratorTag, 900), (.narratorBeat, 250),
        (.narratorMismatch, -500), (.pronounMismatch, -600), (.pronounUnknown, -50),
        (.pronounFirst, 200), (.pronounSecond, 60), (.pronounThird, 0), (.pronounNever, -100),
        (.pronounSubject, 50), (.beatPronounMismatch, -300), (.beatPronounFirst, 100),
        (.beatPronounSecond, 30), (.addressee, -500), (.objectBeside, -60),
        (.addressedHere, -500), (.mentionedHere, -120), (.addressedBefore, 120),
        (.addressedByTagBefore, 120), (.addressedAfter, 80), (.addressedByTagAfter, 60),
        (.addressedNearby, 40), (.mentionedBefore, 0), (.genderMatchesBefore, 50),
        (.genderDiffersBefore, -150), (.genderMatchesAfter, 50), (.genderDiffersAfter, -150),
        (.precedingSubject, 60), (.precedingPronoun, 30), (.precedingPronounMismatch, -30),
        (.precedingNarrator, 30), (.toldJustBefore, 30), (.toldLastBefore, 30), (.back1, 150),
        (.back2, 120), (.back3, 60), (.back4, 0), (.backNever, -150), (.ahead1, 80),
        (.ahead2, 50), (.ahead3, 0), (.aheadNever, -80), (.rank0, 60), (.rank1, 40),
        (.rank2, 20), (.rank3, 0), (.rank4, -30), (.narrator, 20), (.narratorHere, 20),
        (.nobody, -450), (.spokeNever, -40), (.spokeOnce, 0), (.spokeSometimes, 30),
        (.spokeOften, 50), (.paragraphSame, -30), (.paragraphReturn, 60), (.paragraphNew, 30),
        (.adjacentSame, -180), (.adjacentReturn, 120), (.adjacentNew, 0), (.continuedSame, 400),
        (.shortSame, -30), (.shortReturn, 50), (.shortNew, 0), (.longSame, 0),
        (.longReturn, 30), (.longNew, 0),
        (.replySame, -150), (.goesOnSame, 120), (.answerSame, -100),
    ]
}
