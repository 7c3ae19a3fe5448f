import Base

/// Finds the member of a cast who narrates a story as "I".
///
/// Other characters address the narrator by name, but the narration itself hardly uses that
/// name.
package struct NarratorChoice {
    let cast: Cast
    let text: StoryText
    let index: CastIndex
    let utterances: [Utterance]

    /// An index into the cast; nil in the third person, or if the text does not show it.
    package static func narrator(of cast: Cast, in text: StoryText) -> Int? {
        let index = CastIndex(cast, text)
        return NarratorChoice(
            cast: cast, text: text, index: index,
            utterances: UtteranceFinder(text, index).utterances()
        ).narrator()
    }

    func narrator() -> Int? {
        if let known = cast.narrator { return known }
        guard NarratorFinder(text).isFirstPerson else { return nil }
        if let known = cast.characters.firstIndex(where: { $0.aliases.contains("I") }) {
            return known
        }
        var points = [Int](repeating: 0, count: cast.characters.count)
        var mentions = points
        for mention in index.mentions {
            let isSpoken = text.tokens[mention.tokens.lowerBound].flags.contains(.inQuotation)
            points[mention.character] -= isSpoken ? 1 : 3
            mentions[mention.character] += 1
        }
        for utterance in utterances {
            for character in utterance.addressed { points[character] += 4 }
            for beside in utterance.beside where beside.clause.manner == .tag {
                if case .character(let character) = beside.clause.subject {
                    points[character] -= 20
                }
            }
        }
        if let best = points.indices.max(by: { points[$0] < points[$1] }), points[best] > 0 {
            return best
        }
        // The only one that the text never names.
        let unnamed = mentions.indices.filter { mentions[$0] == 0 }
        return unnamed.count == 1 ? unnamed[0] : nil
    }
}
