/// A database as the first schema made it, with data in it: what a person has
/// who has used the program since then. Never changed.
enum SchemaOne {
    static let sql = """
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

        INSERT INTO conversations VALUES
            (1, '11111111-0000-4000-8000-000000000001', 'Trip to Oslo', 'repl', 'claude',
                'm1', 1000, 9000, 5, 3),
            (2, '22222222-0000-4000-8000-000000000002', 'One shot', 'oneshot', 'openai',
                'm2', 2000, 5000, 2, 2),
            (3, '33333333-0000-4000-8000-000000000003', 'Cut off', 'repl', 'local',
                'm3', 3000, 3500, 1, 4);
        INSERT INTO turns VALUES
            (1, 1, 'done', 0, 'claude', 'm1', 1000, 1500, 10, 4, 7, 2, NULL),
            (2, 2, 'done', 0, 'openai', 'm2', 2000, 5000, 20, 0, 3, 0, NULL),
            (3, 1, 'interrupted', 0, 'claude', 'm1', 8000, 9000, 1, 0, 1, 0, 'stopped'),
            (4, 3, 'open', 0, 'local', 'm3', 3000, NULL, 0, 0, 0, 0, NULL);
        INSERT INTO messages VALUES
            (1, 1, 1, 'user', NULL, NULL, NULL, 1000, 0),
            (2, 1, 2, 'assistant', 'claude', 'messages', 'm1', 1500, 0),
            (3, 1, 3, 'tool', NULL, NULL, NULL, 1500, 0),
            (4, 2, 1, 'user', NULL, NULL, NULL, 2000, 0),
            (5, 2, 2, 'assistant', 'openai', 'responses', 'm2', 5000, 0),
            (6, 3, 1, 'user', NULL, NULL, NULL, 8000, 0),
            (7, 3, 2, 'assistant', NULL, NULL, NULL, 9000, 1),
            (8, 4, 1, 'user', NULL, NULL, NULL, 3000, 0);
        INSERT INTO parts VALUES
            (1, 1, 1, 'text', '{"text":"what was the ferry called?"}', NULL),
            (2, 1, 2, 'text', '{"text":"It is Friday.","phase":"context"}', NULL),
            (3, 2, 1, 'thinking', '{"text":"hidden zebra"}', NULL),
            (4, 2, 2, 'text', '{"text":"The Color Line ferry."}', NULL),
            (5, 2, 3, 'tool_call', '{"id":"c","name":"list","arguments":"{}"}', NULL),
            (6, 3, 1, 'tool_result',
                '{"call_id":"c","name":"list","text":"a giraffe","is_error":false}', NULL),
            (7, 4, 1, 'attachment', '{"name":"a","media_type":"text/plain","size":2}', x'6869'),
            (8, 5, 1, 'text', '{"text":"fine"}', NULL),
            (9, 6, 1, 'text', '{"text":"and when?"}', NULL),
            (10, 7, 1, 'text', '{"text":"At 14"}', NULL),
            (11, 8, 1, 'text', '{"text":"hello local"}', NULL);
        INSERT INTO chunks VALUES (4, 1, 'text', 'I was say'), (4, 2, 'text', 'ing');
        PRAGMA application_id=1667785076;
        PRAGMA user_version=1;
        """
}
