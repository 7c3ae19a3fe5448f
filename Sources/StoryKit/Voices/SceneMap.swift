/// The characters that are heard near each other and so need distinguishable voices.
package struct SceneMap: Sendable, Equatable {
    /// The characters in the same scenes as each character.
    package private(set) var partners: [Set<Int>]

    /// Distance in quotations within which they are one conversation.
    private static let quotations = 12
    private static let bytes = 8_000

    /// A map in which no two characters meet.
    package static func none(_ characters: Int) -> SceneMap {
        SceneMap(partners: [Set<Int>](repeating: [], count: characters))
    }

    private init(partners: [Set<Int>]) { self.partners = partners }

    /// - Parameters:
    ///   - attributions: the text's attributions, in order.
    ///   - chapters: their starts, ascending; a scene ends there.
    package init(
        _ attributions: [Attribution], in text: StoryText, chapters: [Int], characters: Int
    ) {
        partners = [Set<Int>](repeating: [], count: characters)
        var near: [(speaker: Int, end: Int)] = []
        var rest = chapters[...]
        for attribution in attributions {
            let range = text.spans[attribution.span].range
            if let next = rest.first, next <= range.lowerBound {
                rest = rest.drop { $0 <= range.lowerBound }
                near = []
            }
            guard let speaker = attribution.speaker, partners.indices.contains(speaker) else {
                continue
            }
            near.removeAll { range.lowerBound - $0.end > Self.bytes }
            for other in near where other.speaker != speaker {
                partners[speaker].insert(other.speaker)
                partners[other.speaker].insert(speaker)
            }
            near.append((speaker, range.upperBound))
            if near.count > Self.quotations { near.removeFirst() }
        }
    }
}
