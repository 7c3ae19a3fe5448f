/// The history of the conversations' schema: append-only. A released migration is never changed;
/// the number of migrations is the schema's version (`user_version`). Above 400 lines because it
/// may only grow.
///
/// `Migrator` runs them. Meaning and guarantees of every column are in docs/formats.md.
enum Migrations {
    /// `chat` in ASCII: distinguishes our files from those of other programs.
    static let applicationID: Int64 = 0x6368_6174

    static let all: [Migration] = [
        conversations, preferences, search, untrustedText, generations, library, redaction,
        sharedBodies, pictures, toolCalls, sent, sentRoutine,
    ]

    /// STRICT so that a column has its declared type, whatever program writes it. Tables
    /// have row ids so that full-text search can refer to them later. The number of a
    /// deleted turn is never reused (AUTOINCREMENT): an instance that is still answering it
    /// would write into another conversation.
    private static let conversations = Migration(
        name: "conversations",
        sql: """
            CREATE TABLE conversations(
                seq INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                title TEXT NOT NULL,
                kind TEXT NOT NULL CHECK(kind IN ('repl', 'oneshot')),
                provider TEXT NOT NULL,
                model TEXT NOT NULL,
                created INTEGER NOT NULL,
                updated INTEGER NOT NULL,
                messages INTEGER NOT NULL DEFAULT 0,
                last_turn INTEGER NOT NULL DEFAULT 0
            ) STRICT;
            CREATE INDEX conversations_by_use ON conversations(last_turn);
            CREATE INDEX conversations_by_kind_and_use ON conversations(kind, last_turn);

            CREATE TABLE turns(
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                conversation INTEGER NOT NULL REFERENCES conversations(seq) ON DELETE CASCADE,
                status TEXT NOT NULL CHECK(status IN
                    ('open', 'done', 'interrupted', 'truncated', 'refused', 'failed')),
                is_local INTEGER NOT NULL DEFAULT 0,
                provider TEXT NOT NULL,
                model TEXT NOT NULL,
                started INTEGER NOT NULL,
                ended INTEGER,
                input_tokens INTEGER NOT NULL DEFAULT 0,
                cached_input_tokens INTEGER NOT NULL DEFAULT 0,
                output_tokens INTEGER NOT NULL DEFAULT 0,
                reasoning_tokens INTEGER NOT NULL DEFAULT 0,
                note TEXT
            ) STRICT;
            CREATE INDEX turns_by_conversation ON turns(conversation);
            CREATE INDEX open_turns ON turns(conversation) WHERE status = 'open';

            CREATE TABLE messages(
                id INTEGER PRIMARY KEY,
                turn INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
                seq INTEGER NOT NULL,
                role TEXT NOT NULL CHECK(role IN ('user', 'assistant', 'tool')),
                provider TEXT,
                format TEXT,
                model TEXT,
                created INTEGER NOT NULL,
                is_partial INTEGER NOT NULL DEFAULT 0,
                UNIQUE(turn, seq)
            ) STRICT;

            CREATE TABLE parts(
                id INTEGER PRIMARY KEY,
                message INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
                seq INTEGER NOT NULL,
                kind TEXT NOT NULL,
                body TEXT NOT NULL,
                bytes BLOB,
                UNIQUE(message, seq)
            ) STRICT;

            CREATE TABLE chunks(
                turn INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
                seq INTEGER NOT NULL,
                kind TEXT NOT NULL CHECK(kind IN ('text', 'thinking', 'refusal')),
                text TEXT NOT NULL,
                PRIMARY KEY(turn, seq)
            ) STRICT, WITHOUT ROWID;
            """)

    /// The settings and states of a conversation. `replaced` is the time at which another
    /// turn replaced this one (asked again, or edited and sent again): it is kept, but
    /// neither shown nor sent. `deleted` is the time at which a conversation was moved to
    /// the trash; the indexes by use exclude the trash. A copied turn (fork, import) does
    /// not count in the sums: it was asked once. A summary replaces all turns up to
    /// `through_turn` in requests, unless one of them was replaced since; the turns
    /// themselves stay.
    private static let preferences = Migration(
        name: "preferences",
        sql: """
            ALTER TABLE conversations ADD COLUMN role TEXT;
            ALTER TABLE conversations ADD COLUMN system TEXT;
            ALTER TABLE conversations ADD COLUMN effort TEXT;
            ALTER TABLE conversations ADD COLUMN thinking TEXT;
            ALTER TABLE conversations ADD COLUMN forked_from TEXT;
            ALTER TABLE conversations ADD COLUMN deleted INTEGER;
            ALTER TABLE turns ADD COLUMN cache_write_tokens INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE turns ADD COLUMN replaced INTEGER;
            ALTER TABLE turns ADD COLUMN is_copy INTEGER NOT NULL DEFAULT 0;
            CREATE INDEX turns_by_time ON turns(started);

            DROP INDEX conversations_by_use;
            DROP INDEX conversations_by_kind_and_use;
            CREATE INDEX conversations_by_use
                ON conversations(last_turn) WHERE deleted IS NULL;
            CREATE INDEX conversations_by_kind_and_use
                ON conversations(kind, last_turn) WHERE deleted IS NULL;
            CREATE INDEX deleted_conversations
                ON conversations(deleted) WHERE deleted IS NOT NULL;

            CREATE TABLE summaries(
                id INTEGER PRIMARY KEY,
                conversation INTEGER NOT NULL REFERENCES conversations(seq) ON DELETE CASCADE,
                through_turn INTEGER NOT NULL,
                text TEXT NOT NULL,
                has_foreign_text INTEGER NOT NULL DEFAULT 1,
                provider TEXT NOT NULL,
                model TEXT NOT NULL,
                created INTEGER NOT NULL,
                replaced INTEGER,
                input_tokens INTEGER NOT NULL DEFAULT 0,
                cached_input_tokens INTEGER NOT NULL DEFAULT 0,
                cache_write_tokens INTEGER NOT NULL DEFAULT 0,
                output_tokens INTEGER NOT NULL DEFAULT 0,
                reasoning_tokens INTEGER NOT NULL DEFAULT 0
            ) STRICT;
            CREATE INDEX summaries_by_conversation ON summaries(conversation, id);
            CREATE INDEX summaries_by_time ON summaries(created);
            """)

    /// The full-text index of users' messages and models' answers, by
    /// `messages.id`. It keeps the text it was made of, so that removing a row
    /// needs nothing else. Earlier messages are indexed in batches afterwards:
    /// those numbered 1 to `rest` of `total` are still to be indexed.
    private static let search = Migration(
        name: "search",
        sql: """
            CREATE VIRTUAL TABLE search USING fts5(
                text, tokenize = 'unicode61 remove_diacritics 2', columnsize = 0);
            CREATE TABLE search_state(rest INTEGER NOT NULL, total INTEGER NOT NULL) STRICT;
            INSERT INTO search_state
            SELECT coalesce(max(id), 0), coalesce(max(id), 0) FROM messages;
            """)

    /// The sources quoted by earlier turns are unknown, so local answers count as untrusted, and so
    /// do copies, which include imported turns.
    private static let untrustedText = Migration(
        name: "foreign text",
        sql: """
            ALTER TABLE turns ADD COLUMN carries_foreign_text INTEGER NOT NULL DEFAULT 0;
            UPDATE turns SET carries_foreign_text = 1
            WHERE is_local = 1 OR is_copy = 1;
            """)

    /// Requests to a model that are not a turn (a title, a summary), for what they
    /// used; the summaries' own columns hold what older versions counted there.
    /// `first_words` is the title that a model's title replaced; the conversation
    /// can still be found by it.
    private static let generations = Migration(
        name: "generations",
        sql: """
            CREATE TABLE generations(
                id INTEGER PRIMARY KEY,
                conversation INTEGER REFERENCES conversations(seq) ON DELETE CASCADE,
                purpose TEXT NOT NULL,
                provider TEXT NOT NULL,
                model TEXT NOT NULL,
                created INTEGER NOT NULL,
                input_tokens INTEGER NOT NULL DEFAULT 0,
                cached_input_tokens INTEGER NOT NULL DEFAULT 0,
                cache_write_tokens INTEGER NOT NULL DEFAULT 0,
                output_tokens INTEGER NOT NULL DEFAULT 0,
                reasoning_tokens INTEGER NOT NULL DEFAULT 0
            ) STRICT;
            CREATE INDEX generations_by_conversation ON generations(conversation);
            CREATE INDEX generations_by_time ON generations(created);

            ALTER TABLE conversations ADD COLUMN first_words TEXT;
            """)

    /// The library: an item's text is in its revisions, of which `revision` is
    /// the current one; undoing moves that number back, so that no revision is
    /// ever lost. The number of an item is never reused (AUTOINCREMENT).
    /// `items_search` holds the items outside the trash, in the form of
    /// `SearchableText`. An undo step records for each item which revision was
    /// current before and after, and whether it was in the trash; revision 0
    /// means that the item did not exist.
    private static let library = Migration(
        name: "library",
        sql: """
            CREATE TABLE items(
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                uid TEXT NOT NULL UNIQUE,
                kind TEXT NOT NULL,
                title TEXT NOT NULL,
                revision INTEGER NOT NULL,
                created INTEGER NOT NULL,
                updated INTEGER NOT NULL,
                trashed INTEGER
            ) STRICT;
            CREATE INDEX items_by_kind ON items(kind, id) WHERE trashed IS NULL;
            CREATE INDEX items_by_kind_and_change ON items(kind, updated, id)
                WHERE trashed IS NULL;
            CREATE INDEX items_by_change ON items(updated, id) WHERE trashed IS NULL;
            CREATE INDEX items_in_trash ON items(trashed) WHERE trashed IS NOT NULL;

            CREATE TABLE revisions(
                id INTEGER PRIMARY KEY,
                item INTEGER NOT NULL REFERENCES items(id) ON DELETE CASCADE,
                number INTEGER NOT NULL,
                title TEXT NOT NULL,
                body TEXT NOT NULL,
                metadata TEXT NOT NULL,
                tags TEXT NOT NULL,
                made INTEGER NOT NULL,
                made_by TEXT NOT NULL CHECK(made_by IN ('user', 'model', 'tool')),
                maker TEXT,
                conversation TEXT,
                carries_foreign_text INTEGER NOT NULL DEFAULT 0,
                is_conflict INTEGER NOT NULL DEFAULT 0,
                UNIQUE(item, number)
            ) STRICT;

            CREATE TABLE item_tags(
                tag TEXT NOT NULL,
                item INTEGER NOT NULL REFERENCES items(id) ON DELETE CASCADE,
                PRIMARY KEY(tag, item)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX tags_by_item ON item_tags(item);

            CREATE VIRTUAL TABLE items_search USING fts5(
                kind, title, body, tags, tokenize = 'unicode61 remove_diacritics 2',
                columnsize = 0);

            CREATE TABLE item_steps(
                seq INTEGER PRIMARY KEY AUTOINCREMENT,
                id TEXT NOT NULL UNIQUE,
                verb TEXT NOT NULL,
                made INTEGER NOT NULL,
                undone INTEGER
            ) STRICT;
            CREATE TABLE item_changes(
                id INTEGER PRIMARY KEY,
                step INTEGER NOT NULL REFERENCES item_steps(seq) ON DELETE CASCADE,
                item INTEGER NOT NULL REFERENCES items(id) ON DELETE CASCADE,
                revision_before INTEGER NOT NULL,
                revision_after INTEGER NOT NULL,
                was_trashed INTEGER NOT NULL,
                is_trashed INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX item_changes_by_step ON item_changes(step);
            CREATE INDEX item_changes_by_item ON item_changes(item);
            """)

    /// Whether personal data is kept out of a conversation's requests; null means
    /// the configuration's value.
    private static let redaction = Migration(
        name: "redaction",
        sql: "ALTER TABLE conversations ADD COLUMN redacts INTEGER;")

    /// A body is stored once for all revisions of an item that share it, and indexed
    /// separately, so that a change of title, tags or metadata rewrites neither. It belongs
    /// to the item and is erased with it; no revision is ever erased alone.
    /// `bodies_search.body` is the body's number within the item.
    ///
    /// `item_places` is the user's place in an item. It changes all the time, so
    /// it is neither a revision nor undone.
    private static let sharedBodies = Migration(
        name: "shared bodies",
        sql: """
            CREATE TABLE bodies(
                id INTEGER PRIMARY KEY,
                item INTEGER NOT NULL REFERENCES items(id) ON DELETE CASCADE,
                text TEXT NOT NULL
            ) STRICT;
            CREATE INDEX bodies_by_item ON bodies(item);
            INSERT INTO bodies
            SELECT id, item, body FROM revisions r
            WHERE NOT EXISTS (SELECT 1 FROM revisions b
                WHERE b.item = r.item AND b.number = r.number - 1 AND b.body = r.body);

            CREATE TABLE sharing_revisions(
                id INTEGER PRIMARY KEY,
                item INTEGER NOT NULL REFERENCES items(id) ON DELETE CASCADE,
                number INTEGER NOT NULL,
                title TEXT NOT NULL,
                body INTEGER NOT NULL,
                metadata TEXT NOT NULL,
                tags TEXT NOT NULL,
                made INTEGER NOT NULL,
                made_by TEXT NOT NULL CHECK(made_by IN ('user', 'model', 'tool')),
                maker TEXT,
                conversation TEXT,
                carries_foreign_text INTEGER NOT NULL DEFAULT 0,
                is_conflict INTEGER NOT NULL DEFAULT 0,
                UNIQUE(item, number)
            ) STRICT;
            INSERT INTO sharing_revisions
            SELECT id, item, number, title,
                (SELECT b.id FROM revisions b
                    WHERE b.item = r.item AND b.number <= r.number
                        AND b.id IN (SELECT id FROM bodies)
                    ORDER BY b.number DESC LIMIT 1),
                metadata, tags, made, made_by, maker, conversation, carries_foreign_text,
                is_conflict
            FROM revisions r;
            DROP TABLE revisions;
            ALTER TABLE sharing_revisions RENAME TO revisions;

            CREATE VIRTUAL TABLE bodies_search USING fts5(
                body UNINDEXED, kind, text, tokenize = 'unicode61 remove_diacritics 2',
                columnsize = 0);
            INSERT INTO bodies_search(rowid, body, kind, text)
            SELECT s.rowid, r.body, s.kind, s.body FROM items_search s
            JOIN items i ON i.id = s.rowid
            JOIN revisions r ON r.item = i.id AND r.number = i.revision;
            CREATE VIRTUAL TABLE titles_search USING fts5(
                kind, title, tags, tokenize = 'unicode61 remove_diacritics 2', columnsize = 0);
            INSERT INTO titles_search(rowid, kind, title, tags)
            SELECT rowid, kind, title, tags FROM items_search;
            DROP TABLE items_search;
            ALTER TABLE titles_search RENAME TO items_search;

            CREATE TABLE item_places(
                item INTEGER PRIMARY KEY REFERENCES items(id) ON DELETE CASCADE,
                place INTEGER NOT NULL,
                changed INTEGER NOT NULL
            ) STRICT;
            """)

    /// The picture of an item, such as the cover of a book. It is large and seldom changes, so it
    /// is stored apart from the revisions and undo steps.
    private static let pictures = Migration(
        name: "pictures",
        sql: """
            CREATE TABLE item_pictures(
                item INTEGER PRIMARY KEY REFERENCES items(id) ON DELETE CASCADE,
                bytes BLOB NOT NULL,
                changed INTEGER NOT NULL
            ) STRICT;
            """)

    /// The log of tool calls: who allowed each one, and how it ended. The arguments are
    /// stored without keys and personal data, and shortened if long. `undo` holds the ids
    /// of the steps that undo it.
    private static let toolCalls = Migration(
        name: "tool calls",
        sql: """
            CREATE TABLE tool_calls(
                id INTEGER PRIMARY KEY,
                conversation INTEGER NOT NULL REFERENCES conversations(seq) ON DELETE CASCADE,
                made INTEGER NOT NULL,
                tool TEXT NOT NULL,
                class TEXT,
                arguments TEXT NOT NULL,
                approval TEXT NOT NULL,
                reason TEXT,
                outcome TEXT NOT NULL,
                duration INTEGER NOT NULL,
                bytes INTEGER NOT NULL,
                undo TEXT
            ) STRICT;
            CREATE INDEX tool_calls_by_conversation ON tool_calls(conversation);
            """)

    /// The ledger: one row for each request, written before it is sent. It names a conversation by
    /// its id, without a reference, because the row stays when the conversation is deleted. The
    /// columns of the response are NULL until it has ended.
    private static let sent = Migration(
        name: "sent",
        sql: """
            CREATE TABLE sent(
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                made INTEGER NOT NULL,
                host TEXT NOT NULL,
                purpose TEXT NOT NULL,
                content TEXT NOT NULL,
                provider TEXT,
                model TEXT,
                conversation TEXT,
                approval TEXT,
                bytes_out INTEGER NOT NULL,
                bytes_in INTEGER,
                status INTEGER,
                input_tokens INTEGER NOT NULL DEFAULT 0,
                cached_input_tokens INTEGER NOT NULL DEFAULT 0,
                cache_write_tokens INTEGER NOT NULL DEFAULT 0,
                output_tokens INTEGER NOT NULL DEFAULT 0,
                reasoning_tokens INTEGER NOT NULL DEFAULT 0
            ) STRICT;
            CREATE INDEX sent_by_time ON sent(made);
            CREATE INDEX sent_by_conversation ON sent(conversation, made);
            """)

    /// The id of the routine that a request was sent for.
    private static let sentRoutine = Migration(
        name: "sent for a routine", sql: "ALTER TABLE sent ADD COLUMN routine TEXT;")
}
