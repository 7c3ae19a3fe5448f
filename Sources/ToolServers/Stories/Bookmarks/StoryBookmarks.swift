import AgentCore
import Base
import Persistence
import StoryKit

/// The bookmarks of a story, stored in its item's metadata as `bookmarks`. Each change is a
/// revision that can be undone.
package struct StoryBookmarks: Sendable {
    /// A bookmark and its place in the current text.
    struct Found: Sendable, Equatable {
        var bookmark: StoryBookmark
        /// Near its old place if none of its words are left.
        var place: Int
        var isLost: Bool
    }

    /// An added bookmark, as reported to the user.
    package struct Added: Sendable, Equatable {
        package var item: LibraryItem
        /// Counted from 1.
        package var number: Int
        package var said: String
    }

    let book: StoryBook

    package init(book: StoryBook) { self.book = book }

    /// All bookmarks, in text order.
    func all(_ item: LibraryItem) async -> [Found] { await book.bookmarks(item) }

    /// - Parameter offset: a byte of the text; moved to the start of the next word.
    /// - Throws: `KeyNotKept`; any library error.
    package func add(
        _ offset: Int, _ note: String, to id: ItemID
    ) async throws -> Added {
        guard let item = try await book.library.item(id) else {
            throw ToolError.failed("the story is not there any more")
        }
        let note = String(note.trimmingSpace().prefix(500))
        if KeyShape.isFound(in: note) { throw KeyNotKept() }
        let new = await book.bookmark(item, at: offset, note: note)
        var kept = await all(item)
        kept.removeAll { $0.place == new.at }
        let update = try await keep(
            kept.map(\.bookmark) + [new], item, verb: "set a bookmark in")
        let number = await all(update).firstIndex { $0.place == new.at } ?? 0
        let shown = DisplayWidth.cut(note.oneLine, to: 40)
        return Added(
            item: update, number: number + 1,
            said: "✓ bookmark \(number + 1)\(shown.isEmpty ? "" : ": \(shown)")")
    }

    func remove(_ found: Found, from item: LibraryItem) async throws {
        let rest = await all(item).filter { $0 != found }
        _ = try await keep(rest.map(\.bookmark), item, verb: "removed a bookmark from")
    }

    private func keep(
        _ bookmarks: [StoryBookmark], _ item: LibraryItem, verb: String
    ) async throws -> LibraryItem {
        let kept = bookmarks.sorted { $0.at < $1.at }.map(\.json)
        return try await book.set(
            ["bookmarks": kept.isEmpty ? nil : .array(kept)], of: item, verb: verb)
    }
}

extension StoryBook {
    /// Runs on this actor's own queue, because it searches a whole novel.
    func bookmarks(_ item: LibraryItem) -> [StoryBookmarks.Found] {
        let bytes = Array(item.body.utf8)
        return (item.metadata["bookmarks"]?.arrayValue ?? []).compactMap(StoryBookmark.init)
            .map { bookmark in
                let place = bookmark.place(in: bytes)
                return StoryBookmarks.Found(
                    bookmark: bookmark, place: place ?? min(bookmark.at, bytes.count),
                    isLost: place == nil)
            }
            .sorted { ($0.place, $0.bookmark.note) < ($1.place, $1.bookmark.note) }
    }

    func bookmark(_ item: LibraryItem, at offset: Int, note: String) -> StoryBookmark {
        let bytes = Array(item.body.utf8)
        var at = min(max(0, offset), bytes.count)
        // Not in the middle of a character, and not before the space between two parts.
        while at < bytes.count, bytes[at] & 0xC0 == 0x80 || bytes[at] <= 0x20 { at += 1 }
        return StoryBookmark(at: at, note: note, in: bytes)
    }
}
