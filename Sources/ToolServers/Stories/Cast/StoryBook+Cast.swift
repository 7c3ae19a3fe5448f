import Base
import Persistence

/// Changes to a story's cast and speakers. Each is a single undo step.
extension StoryBook {
    /// Saves members of a story's metadata; nil removes one.
    nonisolated func set(
        _ members: KeyValuePairs<String, JSONValue?>, of item: LibraryItem, verb: String,
        by origin: RevisionOrigin = .user
    ) async throws -> LibraryItem {
        var metadata = Story(item).metadata(over: item.metadata)
        for (name, value) in members { metadata[name] = value }
        return try await library.change(
            item.id, ItemChange(metadata: metadata), by: origin, verb: verb
        ).item
    }

    /// - Parameter mark: how the cast was found.
    nonisolated func keep(
        _ cast: StoryCast, _ item: LibraryItem, _ mark: JSONObject, labels: StoryLabels? = nil,
        verb: String, by origin: RevisionOrigin = .user
    ) async throws -> LibraryItem {
        try await set(
            [
                "cast": cast.json(), "index": .object(mark),
                "labels": labels?.json ?? item.metadata["labels"],
            ], of: item, verb: verb, by: origin)
    }

    /// Saves a cast edited by the user, with the current line counts.
    func change(
        _ cast: StoryCast, of item: LibraryItem, by origin: RevisionOrigin = .user
    ) async throws -> StoryCast {
        // Line counts depend on the cast.
        let counted = index(item, cast: cast).cast
        var mark = item.metadata["index"]?.objectValue ?? JSONObject()
        mark["edited"] = true
        _ = try await keep(counted, item, mark, verb: "changed the cast of", by: origin)
        return counted
    }

    /// Saves the user's decision about the speaker of a quotation; nil for no one in the cast.
    nonisolated func fix(
        _ span: Int, speaker: Int?, _ segments: StorySegments, of item: LibraryItem,
        by origin: RevisionOrigin = .user
    ) async throws -> LibraryItem {
        try await set(
            ["fixes": segments.fixes(item.metadata, adding: speaker, to: span)], of: item,
            verb: "fixed a speaker of", by: origin)
    }
}
