/// What speaks for or against one member of the cast as the speaker of an utterance.
enum SpeakerFeature: Int, CaseIterable {
    // The clause beside the quotation.
    case nameTag, nameDistant, beatBefore, beatAfter, possessive
    case roleTag, roleFits, roleUnfit, roleSurname, roleMismatch, roleNobody, unnamedNobody
    case severalNobody
    case narratorTag, narratorBeat, narratorMismatch
    case pronounMismatch, pronounUnknown, pronounFirst, pronounSecond, pronounThird, pronounNever
    case pronounSubject
    case beatPronounMismatch, beatPronounFirst, beatPronounSecond
    case addressee, objectBeside
    // Inside of the quotations, and of the ones beside it.
    case addressedHere, mentionedHere
    case addressedBefore, addressedByTagBefore, addressedAfter, addressedByTagAfter
    case addressedNearby, mentionedBefore
    case genderMatchesBefore, genderDiffersBefore, genderMatchesAfter, genderDiffersAfter
    // The narration around.
    case precedingSubject, precedingPronoun, precedingPronounMismatch, precedingNarrator
    case toldJustBefore, toldLastBefore
    case back1, back2, back3, back4, backNever
    case ahead1, ahead2, ahead3, aheadNever
    case rank0, rank1, rank2, rank3, rank4
    case narrator, narratorHere
    case nobody
    // How much they spoke in the utterances around, as far as that is known.
    case spokeNever, spokeOnce, spokeSometimes, spokeOften
    // Turns: whether the speaker is the one before, the one before that, or another.
    case paragraphSame, paragraphReturn, paragraphNew
    case adjacentSame, adjacentReturn, adjacentNew
    case continuedSame, continuedOther
    case shortSame, shortReturn, shortNew
    case longSame, longReturn, longNew

    /// The sieve that a piece of evidence belongs to.
    var sieve: Sieves {
        switch self {
        case .nameTag, .nameDistant, .unnamedNobody, .severalNobody: .nameTag
        case .roleTag, .roleFits, .roleUnfit, .roleSurname, .roleMismatch, .roleNobody: .roleTag
        case .narratorTag, .narratorBeat, .narratorMismatch, .narrator, .narratorHere,
            .precedingNarrator:
            .narratorTag
        case .pronounMismatch, .pronounUnknown, .pronounFirst, .pronounSecond, .pronounThird,
            .pronounNever, .pronounSubject, .beatPronounMismatch, .beatPronounFirst,
            .beatPronounSecond, .precedingPronoun, .precedingPronounMismatch:
            .pronounTag
        case .beatBefore, .beatAfter, .possessive, .precedingSubject, .objectBeside: .actionBeat
        case .addressee, .addressedHere, .mentionedHere, .addressedBefore, .addressedByTagBefore,
            .addressedAfter, .addressedByTagAfter, .addressedNearby, .mentionedBefore,
            .genderMatchesBefore, .genderDiffersBefore, .genderMatchesAfter, .genderDiffersAfter:
            .vocative
        case .toldJustBefore, .toldLastBefore, .back1, .back2, .back3, .back4, .backNever,
            .ahead1, .ahead2, .ahead3, .aheadNever, .rank0, .rank1, .rank2, .rank3, .rank4,
            .nobody, .spokeNever, .spokeOnce, .spokeSometimes, .spokeOften:
            .presence
        case .continuedSame, .continuedOther: .continued
        case .paragraphSame, .paragraphReturn, .paragraphNew: .paragraph
        case .adjacentSame, .adjacentReturn, .adjacentNew, .shortSame, .shortReturn, .shortNew,
            .longSame, .longReturn, .longNew:
            .alternation
        }
    }

    /// The first of the three features of a gap, in the order same, return, new.
    static func turn(_ gap: Utterance.Gap) -> [SpeakerFeature?] {
        switch gap {
        case .paragraph: [.paragraphSame, .paragraphReturn, .paragraphNew]
        case .adjacent: [.adjacentSame, .adjacentReturn, .adjacentNew]
        case .continued: [.continuedSame, .continuedOther, .continuedOther]
        case .short: [.shortSame, .shortReturn, .shortNew]
        case .long: [.longSame, .longReturn, .longNew]
        case .scene: [nil, nil, nil]
        }
    }
}

/// How much each feature weighs, in hundredths of a natural logarithm of odds.
struct SpeakerWeights: Sendable {
    var values: [Int]

    subscript(_ feature: SpeakerFeature) -> Int { values[feature.rawValue] }
}
