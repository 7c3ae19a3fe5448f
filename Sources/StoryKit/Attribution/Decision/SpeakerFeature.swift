/// A piece of evidence for or against one member of the cast as the speaker.
enum SpeakerFeature: Int, CaseIterable {
    // The clause beside the quotation.
    case nameTag, nameDistant, beatBefore, beatAfter, possessive
    case roleTag, roleAlias, roleFits, roleUnfit, roleSurname, roleMismatch, otherNobody
    case narratorTag, narratorBeat, narratorMismatch
    case pronounMismatch, pronounUnknown, pronounFirst, pronounSecond, pronounThird, pronounNever
    case beatPronounMismatch, beatPronounFirst, beatPronounSecond
    // Inside the quotations, and those beside it.
    case addressedHere, mentionedHere
    case addressedBefore, addressedAfter
    case addressedNearby, mentionedBefore, mentionedAfter
    // The surrounding narration.
    case precedingSubject
    case toldJustBefore, toldAloneBefore
    case back1, back2, back3, back4, backNever
    case ahead1, ahead2, ahead3, aheadNever
    case rank0, rank1, rank2, rank3, rank4
    case nobody
    // How often the candidate speaks in nearby utterances, as far as known.
    case spokeNever, spokeOnce, spokeSometimes, spokeOften
    // Whether the candidate asks questions, like or unlike this utterance.
    case asksAlike, asksUnlike
    // How the words of the utterance compare with what the candidate says elsewhere.
    case wordsUnlike, wordsAlike, wordsClose
    // Turns: whether the speaker is the previous one, the one before that, or another.
    case adjacentSame, adjacentReturn, adjacentNew
    case shortSame, shortReturn, shortNew
    case longSame, longReturn, longNew
    case replySame, replyReturn, replyNew, goesOnSame, goesOnReturn, goesOnNew
    case answerSame, answerReturn, answerNew
    case bareSame, bareReturn, bareNew

    /// Evidence for each kind of turn: the previous speaker continues, the one before that
    /// returns, or another begins.
    static func turns(_ utterance: Utterance, after previous: Utterance?) -> [[SpeakerFeature]] {
        var turns: [[SpeakerFeature]] =
            switch utterance.gap {
            case .adjacent: [[.adjacentSame], [.adjacentReturn], [.adjacentNew]]
            case .short: [[.shortSame], [.shortReturn], [.shortNew]]
            case .long: [[.longSame], [.longReturn], [.longNew]]
            case .paragraph, .scene: [[], [], []]
            }
        if utterance.gap == .scene { return turns }
        func add(_ features: [SpeakerFeature]) {
            for kind in turns.indices { turns[kind].append(features[kind]) }
        }
        switch utterance.turn {
        case .reply: add([.replySame, .replyReturn, .replyNew])
        case .goesOn: add([.goesOnSame, .goesOnReturn, .goesOnNew])
        case .unknown: break
        }
        // Tags are omitted when two speakers take turns.
        if utterance.gap == .adjacent, utterance.beside.isEmpty {
            add([.bareSame, .bareReturn, .bareNew])
        }
        if previous?.isQuestion == true, utterance.gap != .paragraph {
            add([.answerSame, .answerReturn, .answerNew])
        }
        return turns
    }
}

/// The weight of each feature, in hundredths of a natural logarithm of odds.
struct SpeakerWeights: Sendable {
    var values: [Int]

    subscript(_ feature: SpeakerFeature) -> Int { values[feature.rawValue] }
}
