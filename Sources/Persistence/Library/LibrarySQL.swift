/// The statements of the library.
enum LibrarySQL {
    private static func columns(body: String = "b.text") -> String {
        """
        i.id, i.uid, i.kind, i.title, \(body) AS body, r.metadata, r.tags, i.created, i.updated,
        i.revision, i.trashed, r.carries_foreign_text
        """
    }
    private static let source = """
        FROM items i JOIN revisions r ON r.item = i.id AND r.number = i.revision
        JOIN bodies b ON b.id = r.body
        """

    static let item: SQL = "SELECT \(columns()) \(source) WHERE i.id = ?1"

    // MARK: - Lists

    // A statement contains only the conditions of its filter, so that one index serves it: for an
    // order alone, for a kind in an order, or for the tags, whose few rows are sorted.
    //
    // Parameters of all three: the kinds as a JSON array; the tag or NULL; the maximum number of
    // rows, or -1. The first has a fourth: the number of characters of each body.

    static func list(_ filter: ItemFilter) -> SQL {
        let order = order(filter)
        let part = "substr(b.text, 1, ?4)"
        guard filter.tag != nil else {
            return """
                SELECT \(columns(body: part)) \(source) WHERE \(condition(filter))
                ORDER BY \(order) LIMIT ?3
                """
        }
        // The rows are sorted before their texts are read.
        return """
            SELECT \(columns(body: part)) \(source)
            WHERE i.id IN (SELECT i.id FROM \(items(filter)) WHERE \(condition(filter))
                ORDER BY \(order) LIMIT ?3)
            ORDER BY \(order)
            """
    }

    static func count(_ filter: ItemFilter) -> SQL {
        "SELECT count(*) FROM \(items(filter)) WHERE \(condition(filter)) LIMIT ?3"
    }

    /// Titles only, the newest first, for finding an item by part of its title.
    static func titles(_ filter: ItemFilter) -> SQL {
        """
        SELECT i.id, i.title FROM \(items(filter)) WHERE \(condition(filter))
        ORDER BY i.id DESC LIMIT ?3
        """
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
        // A single value lets SQLite use the index's order.
        case 1: conditions.append("i.kind = (SELECT value FROM json_each(?1))")
        default: conditions.append("i.kind IN (SELECT value FROM json_each(?1))")
        }
        return conditions.joined(separator: " AND ")
    }

    /// The latest titles for completion, without bodies, which may be long.
    static let latestTitles: SQL = """
        SELECT id, title FROM items WHERE trashed IS NULL ORDER BY updated DESC, id DESC LIMIT ?1
        """
    static let latestTags: SQL = """
        SELECT tag, count(*) AS uses FROM item_tags WHERE item IN (
            SELECT id FROM items WHERE trashed IS NULL ORDER BY updated DESC, id DESC LIMIT ?1)
        GROUP BY tag ORDER BY 2 DESC, 1
        """
    // MARK: - Search

    /// The items from ?1 to ?2 that match each of the given number of expressions in the
    /// title, the tags or the body; ?3 and ?4 are the first expression for the two indexes.
    /// The newest first.
    static func search(_ expressions: Int) -> SQL {
        let conditions = (0..<expressions).map { number in
            let found = [("items_search", 3), ("bodies_search", 4)].map { table, place in
                """
                SELECT rowid FROM \(table) WHERE \(table) MATCH ?\(place + 2 * number)
                    AND rowid BETWEEN ?1 AND ?2
                """
            }
            return "id IN (\(found.joined(separator: " UNION ALL ")))"
        }
        return """
            SELECT id FROM items
            WHERE \(conditions.joined(separator: " AND ")) ORDER BY id DESC
            """
    }
    static let lastItem: SQL = "SELECT max(id) FROM items"
    static let indexed: SQL = "SELECT title, tags FROM items_search WHERE rowid = ?1"
    static let index: SQL =
        "INSERT INTO items_search(rowid, kind, title, tags) VALUES (?1, ?2, ?3, ?4)"
    static let unindex: SQL = "DELETE FROM items_search WHERE rowid = ?1"
    /// The current revision's body, and the indexed one.
    static let currentBody: SQL = """
        SELECT r.body AS now, (SELECT body FROM bodies_search WHERE rowid = ?1) AS known
        FROM items i JOIN revisions r ON r.item = i.id AND r.number = i.revision WHERE i.id = ?1
        """
    static let indexBody: SQL =
        "INSERT INTO bodies_search(rowid, body, kind, text) VALUES (?1, ?2, ?3, ?4)"
    static let unindexBody: SQL = "DELETE FROM bodies_search WHERE rowid = ?1"

    // MARK: - Changes

    static let insertItem: SQL = """
        INSERT INTO items(uid, kind, title, revision, created, updated)
        VALUES (?1, ?2, ?3, 1, ?4, ?4)
        """
    static let insertRevision: SQL = """
        INSERT INTO revisions(item, number, title, body, metadata, tags, made, made_by, maker,
            conversation, carries_foreign_text, is_conflict)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
        """
    static let insertBody: SQL = "INSERT INTO bodies(item, text) VALUES (?1, ?2)"
    static let bodyOfRevision: SQL = "SELECT body FROM revisions WHERE item = ?1 AND number = ?2"
    static let lastNumber: SQL = "SELECT max(number) FROM revisions WHERE item = ?1"
    /// The title follows the revision.
    static let setRevision: SQL = """
        UPDATE items SET revision = ?2, updated = ?3,
            title = (SELECT title FROM revisions WHERE item = ?1 AND number = ?2)
        WHERE id = ?1
        """
    static let setTrashed: SQL = "UPDATE items SET trashed = ?2 WHERE id = ?1"
    static let clearTags: SQL = "DELETE FROM item_tags WHERE item = ?1"
    static let addTag: SQL = "INSERT INTO item_tags(tag, item) VALUES (?2, ?1)"
    static let emptyTrash: SQL = "DELETE FROM items WHERE trashed IS NOT NULL"
    static let uidsOfKind: SQL = "SELECT uid FROM items WHERE kind = ?1"
    static let trashedUIDs: SQL = "SELECT uid FROM items WHERE trashed IS NOT NULL"
    /// The parameter: the kinds as a JSON array.
    static let trashedTexts: SQL = """
        WITH gone(id) AS (
            SELECT id FROM items
            WHERE trashed IS NOT NULL AND kind IN (SELECT value FROM json_each(?1)))
        SELECT title || char(10) || metadata FROM revisions WHERE item IN gone
        UNION ALL SELECT text FROM bodies WHERE item IN gone
        """

    /// The indexes of items; a schema before `sharedBodies` only has the first.
    static let indexes = ["items_search", "bodies_search"]
    /// Merges an index completely, which removes the words of deleted items.
    static func optimize(_ index: String) -> SQL {
        "INSERT INTO \(index)(\(index)) VALUES ('optimize')"
    }

    // The parameter of the two: the ids as a JSON array.

    static func unindexUIDs(_ index: String) -> SQL {
        """
        DELETE FROM \(index) WHERE rowid IN (
            SELECT id FROM items WHERE uid IN (SELECT value FROM json_each(?1)))
        """
    }
    static let eraseUIDs: SQL = "DELETE FROM items WHERE uid IN (SELECT value FROM json_each(?1))"

    // MARK: - Revisions

    private static let revisions = """
        SELECT r.item, r.number, r.title, b.text, r.metadata, r.tags, r.made, r.made_by, r.maker,
            r.conversation, r.carries_foreign_text, r.is_conflict
        FROM revisions r JOIN bodies b ON b.id = r.body WHERE r.item = ?1
        """
    static let history: SQL = "\(revisions) ORDER BY r.number DESC"
    static let revision: SQL = "\(revisions) AND r.number = ?2"

    // MARK: - Places

    static let place: SQL = "SELECT place FROM item_places WHERE item = ?1"
    static let setPlace: SQL = """
        INSERT INTO item_places(item, place, changed)
        SELECT id, ?2, ?3 FROM items WHERE id = ?1
        ON CONFLICT(item) DO UPDATE SET place = ?2, changed = ?3
        """
    static let forgetPlace: SQL = "DELETE FROM item_places WHERE item = ?1"
    static let lastPlaced: SQL = """
        SELECT i.id FROM item_places p JOIN items i ON i.id = p.item
        WHERE i.kind = ?1 AND i.trashed IS NULL ORDER BY p.changed DESC, i.id DESC LIMIT 1
        """

    // MARK: - Pictures

    static let picture: SQL = "SELECT bytes FROM item_pictures WHERE item = ?1"
    static let setPicture: SQL = """
        INSERT INTO item_pictures(item, bytes, changed)
        SELECT id, ?2, ?3 FROM items WHERE id = ?1
        ON CONFLICT(item) DO UPDATE SET bytes = ?2, changed = ?3 WHERE bytes <> ?2
        """

    // MARK: - Steps

    static let insertStep: SQL = "INSERT INTO item_steps(id, verb, made) VALUES (?1, ?2, ?3)"
    static let insertChange: SQL = """
        INSERT INTO item_changes(step, item, revision_before, revision_after, was_trashed,
            is_trashed)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        """
    static let activeSteps: SQL = """
        SELECT seq, id, verb, made, undone FROM item_steps
        WHERE undone IS NULL ORDER BY seq DESC LIMIT ?1
        """
    static let undoneSteps: SQL = """
        SELECT seq, id, verb, made, undone FROM item_steps
        WHERE undone IS NOT NULL ORDER BY undone DESC, seq LIMIT ?1
        """
    static let step: SQL = "SELECT seq, id, verb, made, undone FROM item_steps WHERE id = ?1"
    static let changes: SQL = """
        SELECT c.item, i.kind, i.title, c.revision_before, c.revision_after, c.was_trashed,
            c.is_trashed
        FROM item_changes c JOIN items i ON i.id = c.item WHERE c.step = ?1 ORDER BY c.id
        """
    static let setUndone: SQL = "UPDATE item_steps SET undone = ?2 WHERE seq = ?1"
    /// Removes steps whose items no longer exist, and the oldest beyond the limit.
    static let pruneSteps: SQL = """
        DELETE FROM item_steps
        WHERE seq NOT IN (SELECT step FROM item_changes)
            OR seq <= (SELECT max(seq) FROM item_steps) - 5000
        """
}
