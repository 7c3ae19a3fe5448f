import Base
import FoundationEssentials
import Library
import Persistence
import StoryKit

/// The index of a story: its characters and how much each of them says.
struct StoryIndex: Sendable {
    var cast: StoryCast
    /// Number of quotations of each tier.
    var tiers: [Attribution.Tier: Int] = [:]
    /// Number of quotations labelled by a model.
    var labelled = 0

    var quotations: Int { tiers.values.reduce(0, +) }

    /// "62 % sure, 30 % likely, 8 % guesses".
    var shares: String {
        Attribution.Tier.allCases.map { tier in
            let share = ((tiers[tier] ?? 0) * 100 + quotations / 2) / max(1, quotations)
            return "\(share) % \(tier == .guess ? "guesses" : tier.rawValue)"
        }.joined(separator: ", ")
    }

    /// Keeps the order of the cast.
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
    /// Finds who speaks, using the rules, the user's decisions and a model's labels. Runs
    /// on this actor's own queue, because a novel takes a while.
    ///
    /// - Parameters:
    ///   - cast: the characters; if nil, they are found in the text without a model.
    ///   - metadata: used in place of the item's own.
    func found(
        _ item: LibraryItem, cast: StoryCast?, _ metadata: JSONObject? = nil
    ) -> StorySegments {
        let text = StoryText(item)
        var known = cast?.cast ?? CastFinder.find(in: text)
        known.narrator = known.narrator ?? NarratorChoice.narrator(of: known, in: text)
        return StorySegments(text, known, metadata ?? item.metadata)
    }

    func index(_ item: LibraryItem, cast: StoryCast?) -> StoryIndex {
        var index = StoryIndex(found(item, cast: cast))
        // Sort by number of lines, but keep the user's own order.
        if cast == nil { index.cast.sortByLines() }
        return index
    }
}

extension StoryBook {
    /// The cast of a story that must be indexed.
    nonisolated func cast(of item: LibraryItem) throws(StoryCastError) -> StoryCast {
        guard let cast = try Story.cast(of: item) else {
            throw StoryCastError(.notIndexed(lookup.id(item.id)))
        }
        return cast
    }
}

extension Story {
    /// The cast stored in the item; nil before it was indexed. If two characters have the
    /// same name, it is repaired.
    static func cast(of item: LibraryItem) throws(StoryCastError) -> StoryCast? {
        guard let kept = item.metadata["cast"] else { return nil }
        var cast = try StoryCast(kept, isLenient: true)
        cast.makeNamesUnique()
        return cast
    }

    /// Whether the speakers were found in the current text.
    func isIndexed(_ metadata: JSONObject) -> Bool {
        index != nil && metadata["index"]?["checksum"] == JSONValue(Int(checksum))
    }
}
