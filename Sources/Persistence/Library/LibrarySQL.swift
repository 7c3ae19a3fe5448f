/// The statements of the library.
enum LibrarySQL {
    private static func columns(body: String = "r.body") -> String {
        """
        i.id, i.uid, i.kind, i.title, \(body), r.metadata, r.tags, i.created, i.updated,
        i.revision, i.trashed, r.carries_foreign_text
        """
    }
    private static let source = """
        FROM items i JOIN revisions r ON r.item = i.id AND r.number = i.revision
        """

    static let item = SQL("item", "SELECT \(columns()) \(source) WHERE i.id = ?1")

    // MARK: - Lists

    // Only the conditions that a filter has are in its statement, so that one
    // index serves it: one for an order alone, one for a kind in an order, and
    // the tags, whose few rows are sorted.
    //
    // Parameters of the three: the kinds as a JSON array; the tag or NULL; how
    // many rows at most, or -1. The first has a fourth: how many characters of
    // each body.

    static func list(_ filter: ItemFilter) -> SQL {
        let order = order(filter)
        let part = "substr(r.body, 1, ?4)"
        guard filter.tag != nil else {
            return SQL(
                name("list items", filter),
                """
                SELECT \(columns(body: part)) \(source) WHERE \(condition(filter))
                ORDER BY \(order) LIMIT ?3
                """)
        }
        // Sorted before the texts are read.
        return SQL(
            name("list items", filter),
            """
            SELECT \(columns(body: part)) \(source)
            WHERE i.id IN (SELECT i.id FROM \(items(filter)) WHERE \(condition(filter))
                ORDER BY \(order) LIMIT ?3)
            ORDER BY \(order)
            """)
    }

    static func count(_ filter: ItemFilter) -> SQL {
        SQL(
            name("count items", filter),
            "SELECT count(*) FROM \(items(filter)) WHERE \(condition(filter)) LIMIT ?3")
    }

    /// Titles alone, the newest first, for finding one by a part of it.
    static func titles(_ filter: ItemFilter) -> SQL {
        SQL(
            name("titles", filter),
            """
            SELECT i.id, i.title FROM \(items(filter)) WHERE \(condition(filter))
            ORDER BY i.id DESC LIMIT ?3
            """)
    }

    /// Statements are kept by their names.
    private static func name(_ what: String, _ filter: ItemFilter) -> String {
        let kinds = ["", ", a kind", ", kinds"][min(filter.kinds.count, 2)]
        return "\(what)\(kinds)\(filter.tag == nil ? "" : ", a tag") by \(order(filter))"
    }

    private static func order(_ filter: ItemFilter) -> String {
        if filter.isTrashed { return "i.trashed DESC, i.id DESC" }
        return switch filter.order {
        case .latestChange: "i.updated DESC, i.id DESC"
        case .newest: "i.id DESC"
        case .oldest: "i.id"
        }
    }

    private static func items(_ filter: ItemFilter) -> String {
        filter.tag == nil ? "items i" : "item_tags t CROSS JOIN items i ON i.id = t.item"
    }

    private static func condition(_ filter: ItemFilter) -> String {
        var conditions = [filter.isTrashed ? "i.trashed IS NOT NULL" : "i.trashed IS NULL"]
        if filter.tag != nil { conditions.append("t.tag = ?2") }
        switch filter.kinds.count {
        case 0: break
        // A single value leaves the index its order.
        case 1: conditions.append("i.kind = (SELECT value FROM json_each(?1))")
        default: conditions.append("i.kind IN (SELECT value FROM json_each(?1))")
        }
        return conditions.joined(separator: " AND ")
    }

    /// Without bodies, which may be long: for completion.
    static let latestTitles = SQL(
        "latest titles",
        """
        SELECT id, title FROM items WHERE trashed IS NULL ORDER BY updated DESC, id DESC LIMIT ?1
        """)
    static let latestTags = SQL(
        "tags of the latest",
        """
        SELECT tag, count(*) FROM item_tags WHERE item IN (
            SELECT id FROM items WHERE trashed IS NULL ORDER BY updated DESC, id DESC LIMIT ?1)
        GROUP BY tag ORDER BY 2 DESC, 1
        """)
    static let tags = SQL(
        "tags",
        """
        SELECT t.tag, count(*) FROM item_tags t JOIN items i ON i.id = t.item
        WHERE i.trashed IS NULL GROUP BY t.tag ORDER BY 2 DESC, 1
        """)

    // MARK: - Search

    /// The newest first, so that it is read only as far as is needed.
    static let search = SQL(
        "search items",
        "SELECT rowid FROM items_search WHERE items_search MATCH ?1 ORDER BY rowid DESC")
    static let index = SQL(
        "index item",
        """
        INSERT INTO items_search(rowid, kind, title, body, tags) VALUES (?1, ?2, ?3, ?4, ?5)
        """)
    static let unindex = SQL("unindex item", "DELETE FROM items_search WHERE rowid = ?1")

    // MARK: - Changes

    static let insertItem = SQL(
        "new item",
        """
        INSERT INTO items(uid, kind, title, revision, created, updated)
        VALUES (?1, ?2, ?3, 1, ?4, ?4)
        """)
    static let insertRevision = SQL(
        "new revision",
        """
        INSERT INTO revisions(item, number, title, body, metadata, tags, made, made_by, maker,
            conversation, carries_foreign_text, is_conflict)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
        """)
    static let lastNumber = SQL(
        "last revision", "SELECT max(number) FROM revisions WHERE item = ?1")
    /// The title follows the revision.
    static let setRevision = SQL(
        "set revision",
        """
        UPDATE items SET revision = ?2, updated = ?3,
            title = (SELECT title FROM revisions WHERE item = ?1 AND number = ?2)
        WHERE id = ?1
        """)
    static let setTrashed = SQL("set trash", "UPDATE items SET trashed = ?2 WHERE id = ?1")
    static let clearTags = SQL("clear tags", "DELETE FROM item_tags WHERE item = ?1")
    static let addTag = SQL("add tag", "INSERT INTO item_tags(tag, item) VALUES (?2, ?1)")
    static let emptyTrash = SQL("empty trash", "DELETE FROM items WHERE trashed IS NOT NULL")
    static let trashedUIDs = SQL(
        "ids in the trash", "SELECT uid FROM items WHERE trashed IS NOT NULL")
    /// The parameter is the kinds as a JSON array.
    static let trashedTexts = SQL(
        "texts in the trash",
        """
        SELECT r.title, r.body, r.metadata FROM items i JOIN revisions r ON r.item = i.id
        WHERE i.trashed IS NOT NULL AND i.kind IN (SELECT value FROM json_each(?1))
        """)
    /// Merges all of the index, which drops the words of what was deleted.
    static let optimize = SQL(
        "compact index of items", "INSERT INTO items_search(items_search) VALUES ('optimize')")

    // The parameter of the two is the ids as a JSON array.

    static let unindexUIDs = SQL(
        "unindex items",
        """
        DELETE FROM items_search WHERE rowid IN (
            SELECT id FROM items WHERE uid IN (SELECT value FROM json_each(?1)))
        """)
    static let eraseUIDs = SQL(
        "erase items", "DELETE FROM items WHERE uid IN (SELECT value FROM json_each(?1))")

    // MARK: - Revisions

    private static let revisionColumns = """
        item, number, title, body, metadata, tags, made, made_by, maker, conversation,
        carries_foreign_text, is_conflict
        """
    static let history = SQL(
        "revisions",
        "SELECT \(revisionColumns) FROM revisions WHERE item = ?1 ORDER BY number DESC")
    static let revision = SQL(
        "revision",
        "SELECT \(revisionColumns) FROM revisions WHERE item = ?1 AND number = ?2")

    // MARK: - Steps

    static let insertStep = SQL(
        "new step", "INSERT INTO item_steps(id, verb, made) VALUES (?1, ?2, ?3)")
    static let insertChange = SQL(
        "change of a step",
        """
        INSERT INTO item_changes(step, item, revision_before, revision_after, was_trashed,
            is_trashed)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        """)
    static let activeSteps = SQL(
        "steps of items",
        """
        SELECT seq, id, verb, made, undone FROM item_steps
        WHERE undone IS NULL ORDER BY seq DESC LIMIT ?1
        """)
    static let undoneSteps = SQL(
        "undone steps of items",
        """
        SELECT seq, id, verb, made, undone FROM item_steps
        WHERE undone IS NOT NULL ORDER BY undone DESC, seq LIMIT ?1
        """)
    static let step = SQL(
        "step of items", "SELECT seq, id, verb, made, undone FROM item_steps WHERE id = ?1")
    static let changes = SQL(
        "changes of items",
        """
        SELECT c.item, i.kind, i.title, c.revision_before, c.revision_after, c.was_trashed,
            c.is_trashed
        FROM item_changes c JOIN items i ON i.id = c.item WHERE c.step = ?1 ORDER BY c.id
        """)
    static let setUndone = SQL(
        "set undone", "UPDATE item_steps SET undone = ?2 WHERE seq = ?1")
    /// Those whose items are gone, and the oldest of a great many.
    static let pruneSteps = SQL(
        "prune steps of items",
        """
        DELETE FROM item_steps
        WHERE seq NOT IN (SELECT step FROM item_changes)
            OR seq <= (SELECT max(seq) FROM item_steps) - 5000
        """)
}
