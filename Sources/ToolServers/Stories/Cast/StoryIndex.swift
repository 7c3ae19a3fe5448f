import Base
import FoundationEssentials
import Persistence
import StoryKit

/// Who is in a story and how much each says.
struct StoryIndex: Sendable {
    var cast: StoryCast
    /// How many quotations there are of each tier.
    var tiers: [Attribution.Tier: Int] = [:]
    /// How many of them a model has labelled.
    var labelled = 0

    var quotations: Int { tiers.values.reduce(0, +) }

    /// The cast in the order it has there.
    init(_ segments: StorySegments) {
        var lines = [Int](repeating: 0, count: segments.cast.characters.count)
        for attribution in segments.attributions.values {
            tiers[attribution.tier, default: 0] += 1
            if attribution.by == .model { labelled += 1 }
            if let speaker = attribution.speaker { lines[speaker] += 1 }
        }
        cast = StoryCast(segments.cast, lines: lines)
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
    /// Who speaks, by the rules, the user's decisions and a model's labels; on this
    /// actor's own queue, for a novel takes a while.
    ///
    /// - Parameters:
    ///   - cast: who is in it; found in the text, without a model, where it is nil.
    ///   - metadata: what counts in place of the item's own.
    func found(
        _ item: LibraryItem, cast: StoryCast?, _ metadata: JSONObject? = nil
    ) -> StorySegments {
        let story = Story(item)
        let text = StoryText(item.body, style: story.style, language: story.language)
        var known = cast?.cast ?? CastFinder.find(in: text)
        known.narrator = known.narrator ?? NarratorChoice.narrator(of: known, in: text)
        return StorySegments(text, known, metadata ?? item.metadata)
    }

    func index(_ item: LibraryItem, cast: StoryCast?) -> StoryIndex {
        var index = StoryIndex(found(item, cast: cast))
        // Who says most stands first; the user's own order stays.
        if cast == nil { index.cast.sortByLines() }
        return index
    }
}

extension Story {
    /// The cast that the item keeps; nil before it was indexed. One in which two have the
    /// same name is repaired.
    static func cast(of item: LibraryItem) throws(StoryCastError) -> StoryCast? {
        guard let kept = item.metadata["cast"] else { return nil }
        var cast = try StoryCast(kept, isLenient: true)
        cast.makeNamesUnique()
        return cast
    }

    /// Whether its speakers were found in the text that it has now.
    func isIndexed(_ metadata: JSONObject) -> Bool {
        index != nil && metadata["index"]?["checksum"] == JSONValue(Int(checksum))
    }
}
