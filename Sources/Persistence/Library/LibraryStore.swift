import Base
import FoundationEssentials

/// The library beside the conversations, in the same SQLite file: items with
/// their revisions, tags, trash and undo steps.
///
/// It has its own connection, opened at the first use, so that creating a store
/// costs nothing. Several instances of the program may use the same file. The
/// capabilities define the kinds and the meaning of their metadata. Changes are
/// in `LibraryStore+Changing`, undoing in `LibraryStore+Undo`.
package actor LibraryStore: QueuedActor {
    package nonisolated let executor = QueueExecutor(label: "chat.library")

    package nonisolated let path: String
    nonisolated let environment: Environment
    private var opened: Connection?
    /// The steps made by this process.
    var ownSteps: Set<String> = []

    /// - Parameter path: path of `chat.db`; the file and its folder are created
    ///   at the first use.
    package init(path: String, environment: Environment) {
        self.path = path
        self.environment = environment
    }

    /// Creates the file (0600) if it does not exist. A failure is not
    /// remembered: the next call tries again.
    func connection() throws(SQLiteError) -> Connection {
        if let opened { return opened }
        let connection = try Migrator().open(
            path, busyTimeoutInMilliseconds: 5_000, now: environment.now())
        opened = connection
        return connection
    }

    /// Checkpoints the log into the file. A later use opens it again.
    package func close() {
        opened?.close()
        opened = nil
    }

    // MARK: - Reading

    /// The item with that number, also if it is in the trash; nil if no item has it.
    package func item(_ id: ItemID) throws -> LibraryItem? {
        try connection().first(LibrarySQL.item, [.integer(id.rawValue)], Self.item)
    }

    /// - Parameter words: the id as typed, see `ItemID.names`.
    /// - Throws: `notFound`; `inTrash` if it was deleted.
    package func liveItem(_ id: ItemID, named words: String = "") throws -> LibraryItem {
        guard let item = try item(id), ItemID.names(item.kind, words) else {
            throw LibraryError(.notFound(id))
        }
        if item.trashed != nil { throw LibraryError(.inTrash(id)) }
        return item
    }

    /// Limit of SQLite for a text (SQLITE_MAX_LENGTH); `substr` accepts no more.
    private static let longest = 1_000_000_000

    /// - Parameter bodyLimit: maximum number of characters of each body, for lists that show none:
    ///   many long ones would fill the memory. Never save such an item.
    package func items(
        _ filter: ItemFilter = ItemFilter(), bodyLimit: Int = .max
    ) async throws -> [LibraryItem] {
        let connection = try connection()
        return try await connection.interruptible { () throws(SQLiteError) in
            try connection.rows(
                LibrarySQL.list(filter),
                Self.values(filter, limit: filter.limit) + [
                    .integer(Int64(min(bodyLimit, Self.longest)))
                ], Self.item)
        }
    }

    /// Ignores the filter's limit.
    package func count(_ filter: ItemFilter = ItemFilter()) throws -> Int {
        try connection().first(LibrarySQL.count(filter), Self.values(filter)) {
            Int($0.integer(0))
        } ?? 0
    }

    /// The tags of the items changed last that are not in the trash, the most used first; for
    /// completion: the work does not grow with the library.
    package func tags(ofLatest limit: Int) throws -> [(tag: String, count: Int)] {
        try connection().rows(LibrarySQL.latestTags, [.integer(Int64(limit))]) {
            ($0.text("tag"), Int($0.integer("uses")))
        }
    }

    /// Ids and titles of the last changed items.
    package func titles(limit: Int) throws -> [(id: ItemID, title: String)] {
        try connection().rows(LibrarySQL.latestTitles, [.integer(Int64(limit))]) {
            (ItemID(rawValue: $0.integer("id")), $0.text("title"))
        }
    }

    /// Items that contain all of the words, the newest first.
    ///
    /// - Parameter filter: its tag, order and trash are ignored: the trash is
    ///   not searched.
    package func search(
        _ query: SearchQuery, _ filter: ItemFilter = ItemFilter(), limit: Int = 20
    ) async throws -> [LibraryHit] {
        if query.isEmpty || limit <= 0 { return [] }
        let connection = try connection()
        return try await connection.interruptible { () throws(SQLiteError) in
            let kinds = filter.kinds.map { "\"\($0.rawValue.filter { $0 != "\"" })\"" }
            let kind = kinds.isEmpty ? "" : "kind : (\(kinds.joined(separator: " OR "))) AND "
            // For the titles and tags, and for the bodies.
            let expressions = query.expressions.flatMap {
                [SQLiteValue.text("\(kind){title tags} : \($0)"), .text("\(kind)text : \($0)")]
            }
            let sql = LibrarySQL.search(query.phrases.count)
            var hits: [LibraryHit] = []
            // Common words are found among the newest items; the rest is searched in a few large
            // steps.
            var last = try connection.first(LibrarySQL.lastItem) { $0.integer(0) } ?? 0
            var stride: Int64 = 1_024
            while last > 0, hits.count < limit {
                let range = [SQLiteValue.integer(max(last - stride, 0) + 1), .integer(last)]
                try connection.each(sql, range + expressions) { (row) throws(SQLiteError) in
                    if let item = try connection.first(
                        LibrarySQL.item, [.integer(row.integer(0))], Self.item)
                    {
                        let snippet = SearchSnippet(item.body, finding: query)
                        hits.append(LibraryHit(item: item, snippet: snippet))
                    }
                    return hits.count < limit
                }
                last -= stride
                stride = min(stride * 16, 1 << 40)
            }
            return hits
        }
    }

    /// The items that a typed reference may mean.
    ///
    ///     i12, 12       that number
    ///     last          what was saved or changed last
    ///     l12, s12      its id, where it is a letter, a story
    ///     @-1, @-2      the newest, the one before it
    ///     milk          the title; else the titles that begin so; else those
    ///                   in which it stands
    ///
    /// - Returns: no item, the one meant, or candidates, the newest first.
    package func matches(
        _ words: String, in filter: ItemFilter = ItemFilter()
    ) async throws -> [LibraryItem] {
        let words = words.trimmingSpace()
        if let id = ItemID(words), let item = try item(id), ItemID.names(item.kind, words),
            filter.kinds.isEmpty || filter.kinds.contains(item.kind),
            (item.trashed != nil) == filter.isTrashed
        {
            return [item]
        }
        var filter = filter
        if words == "last" {
            filter.limit = 1
            return try await items(filter)
        }
        if words.hasPrefix("@-"), let number = Int(words.dropFirst(2)), number > 0 {
            filter.order = .newest
            filter.limit = number
            let found = try await items(filter)
            return found.count == number ? Array(found.suffix(1)) : []
        }
        return try await titled(SearchText.folded(words), filter)
    }

    private func titled(_ wanted: String, _ filter: ItemFilter) async throws -> [LibraryItem] {
        if wanted.isEmpty { return [] }
        let connection = try connection()
        return try await connection.interruptible { () throws(SQLiteError) in
            var (whole, starts, holds): ([Int64], [Int64], [Int64]) = ([], [], [])
            try connection.each(LibrarySQL.titles(filter), Self.values(filter)) { row in
                let (id, title) = (row.integer("id"), SearchText.folded(row.text("title")))
                if title == wanted {
                    whole.append(id)
                } else if title.hasPrefix(wanted) {
                    starts.append(id)
                } else if title.contains(wanted) {
                    holds.append(id)
                }
                return true
            }
            let found = !whole.isEmpty ? whole : !starts.isEmpty ? starts : holds
            var items: [LibraryItem] = []
            for id in found.prefix(Self.candidates) {
                if let item = try connection.first(LibrarySQL.item, [.integer(id)], Self.item) {
                    items.append(item)
                }
            }
            return items
        }
    }

    /// Maximum number of candidates worth offering.
    private static let candidates = 20

    // MARK: - Revisions

    /// The revisions of an item, also of one in the trash, the newest first.
    package func history(of id: ItemID) throws -> [ItemRevision] {
        try connection().rows(LibrarySQL.history, [.integer(id.rawValue)], Self.revision)
    }

    package func revision(_ number: Int, of id: ItemID) throws -> ItemRevision? {
        try connection().first(
            LibrarySQL.revision, [.integer(id.rawValue), .integer(Int64(number))], Self.revision)
    }

    // MARK: - Places

    /// The user's place in an item, in bytes of its body; nil if the item has no such
    /// place, or was removed.
    package func place(of id: ItemID) throws -> Int? {
        try connection().first(LibrarySQL.place, [.integer(id.rawValue)]) { Int($0.integer(0)) }
    }

    /// Records neither a revision nor an undo step. It survives a crash of the program; after a
    /// power failure an earlier place may be stored.
    /// - Parameter place: in bytes of the body; nil removes it.
    package func setPlace(_ place: Int?, of id: ItemID) throws {
        let key = SQLiteValue.integer(id.rawValue)
        let now = SQLiteValue.date(environment.now())
        if let place {
            try connection().write(
                LibrarySQL.setPlace, [key, .integer(Int64(place)), now], .normal)
        } else {
            try connection().write(LibrarySQL.forgetPlace, [key], .normal)
        }
    }

    /// The item of that kind whose place was set last.
    package func lastPlaced(_ kind: ItemKind) throws -> ItemID? {
        try connection().first(LibrarySQL.lastPlaced, [.text(kind.rawValue)]) {
            ItemID(rawValue: $0.integer(0))
        }
    }

    // MARK: - Pictures

    /// The picture of an item, as file bytes; nil if it has none.
    package func picture(of id: ItemID) throws -> [UInt8]? {
        try connection().first(LibrarySQL.picture, [.integer(id.rawValue)]) { $0.bytes(0) }
    }

    /// Sets or replaces an item's picture: neither a revision nor an undo step. Does
    /// nothing if the item does not exist.
    package func setPicture(_ bytes: [UInt8], of id: ItemID) throws {
        try connection().write(
            LibrarySQL.setPicture,
            [.integer(id.rawValue), .blob(bytes), .date(environment.now())], .normal)
    }

    // MARK: - Rows

    static func item(_ row: Statement) throws(SQLiteError) -> LibraryItem {
        LibraryItem(
            id: ItemID(rawValue: row.integer("id")), uid: row.text("uid"),
            kind: ItemKind(rawValue: row.text("kind")), title: row.text("title"),
            body: row.text("body"),
            metadata: metadata(row.text("metadata")), tags: tags(row.text("tags")),
            created: row.date("created"), updated: row.date("updated"),
            revision: Int(row.integer("revision")),
            trashed: row.optionalDate("trashed"), hasUntrustedText: row.flag("carries_foreign_text")
        )
    }

    static func revision(_ row: Statement) throws(SQLiteError) -> ItemRevision {
        ItemRevision(
            item: ItemID(rawValue: row.integer("item")), number: Int(row.integer("number")),
            title: row.text("title"), body: row.text("text"),
            metadata: metadata(row.text("metadata")),
            tags: tags(row.text("tags")), made: row.date("made"),
            origin: RevisionOrigin(
                by: RevisionOrigin.Maker(rawValue: row.text("made_by")) ?? .tool,
                name: row.optionalText("maker"), conversation: row.optionalText("conversation"),
                hasUntrustedText: row.flag("carries_foreign_text")),
            isConflict: row.flag("is_conflict"))
    }

    private static func metadata(_ text: String) -> JSONObject {
        if text == "{}" { return JSONObject() }
        // Text of another program that is not a JSON object counts as empty.
        return (try? JSONParser.parse(Array(text.utf8)))?.objectValue ?? JSONObject()
    }

    private static func tags(_ text: String) -> [String] {
        text.split(separator: " ").map(String.init)
    }

    private static func values(_ filter: ItemFilter, limit: Int? = nil) -> [SQLiteValue] {
        [
            .text(JSONWriter.string(.array(filter.kinds.map { .string($0.rawValue) }))),
            .optional(filter.tag), .integer(limit.map(Int64.init) ?? -1),
        ]
    }
}
