import AgentCore
import FoundationEssentials
import Persistence
import StoryKit

/// Who is in a story and how much each says, found without a model.
struct StoryIndex: Sendable {
    var cast: StoryCast
    /// How many quotations there are of each tier.
    var tiers: [Attribution.Tier: Int]

    var quotations: Int { tiers.values.reduce(0, +) }

    /// - Parameter cast: what the user made of it; found in the text where it is nil.
    init(_ text: StoryText, cast: StoryCast?) {
        var known = cast?.cast ?? CastFinder.find(in: text)
        known.narrator = known.narrator ?? NarratorFinder.narrator(of: known, in: text)
        var lines = [Int](repeating: 0, count: known.characters.count)
        tiers = [:]
        for attribution in Attributor(cast: known).attribute(text) {
            tiers[attribution.tier, default: 0] += 1
            if let speaker = attribution.speaker { lines[speaker] += 1 }
        }
        self.cast = StoryCast(known, lines: lines)
        // Who says most stands first; the user's own order stays.
        if cast == nil { self.cast.sortByLines() }
    }
}

extension StoryCast {
    mutating func sortByLines() {
        let order = members.indices.sorted {
            (members[$1].lines ?? 0, $0) < (members[$0].lines ?? 0, $1)
        }
        members = order.map { members[$0] }
    }
}

extension StoryBook {
    /// On this actor's own queue: a novel takes a while.
    func index(_ item: LibraryItem, cast: StoryCast?) -> StoryIndex {
        let story = Story(item)
        return StoryIndex(
            StoryText(item.body, style: story.style, language: story.language), cast: cast)
    }
}

extension Story {
    /// The cast that the item keeps; nil before it was indexed.
    static func cast(of item: LibraryItem) throws(StoryCastError) -> StoryCast? {
        guard let kept = item.metadata["cast"] else { return nil }
        return try StoryCast(kept)
    }

    /// Whether its speakers were found in the text that it has now.
    func isIndexed(_ metadata: JSONObject) -> Bool {
        index != nil && metadata["index"]?["checksum"] == JSONValue(Int(checksum))
    }
}
