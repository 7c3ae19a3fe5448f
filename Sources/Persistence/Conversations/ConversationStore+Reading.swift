import AgentCore
import Base
import FoundationEssentials

/// Reads conversations as lists and their turns as pages. A cancelled task ends
/// a read at once, with `CancellationError`.
extension ConversationStore {
    /// The most recently used conversation of these kinds.
    package func latest(
        kinds: Set<ConversationRecord.Kind>
    ) async throws -> ConversationRecord? {
        try await connection.interruptible { () throws(SQLiteError) in
            if kinds.count == ConversationRecord.Kind.allCases.count {
                return try connection.first(ConversationSQL.latest, [], Self.row)?.record
            }
            guard let kind = kinds.first else { return nil }
            return try connection.first(
                ConversationSQL.latestOfKind, [.text(kind.rawValue)], Self.row)?.record
        }
    }

    /// The most recently used conversations first.
    ///
    /// - Parameter before: the `order` of the last one on the previous page.
    package func list(
        limit: Int, before: Int64? = nil
    ) async throws -> [ConversationRecord] {
        try await connection.interruptible { () throws(SQLiteError) in
            try connection.rows(
                ConversationSQL.list, [.integer(before ?? .max), .integer(Int64(limit))], Self.row
            ).map(\.record)
        }
    }

    /// The conversations that match an id, the start of one (four characters or more), or a title:
    /// only the best kind of match, the most recently used first. Matches part of a title in any
    /// letter case, and also the first words that another title replaced.
    package func find(_ query: String, limit: Int = 20) async throws -> [ConversationRecord] {
        try await connection.interruptible { () throws(SQLiteError) in
            let query = query.trimmingSpace()
            if query.isEmpty || limit <= 0 { return [] }
            let lowered = query.lowercased()
            if let exact = try row(of: lowered) { return [exact.record] }
            if lowered.utf8.count >= 4, lowered.utf8.allSatisfy(Self.isOfID) {
                let byID = try connection.rows(
                    ConversationSQL.withIDPrefix,
                    [.text(lowered), .text(lowered + "\u{10FFFF}"), .integer(Int64(limit))],
                    Self.row)
                if !byID.isEmpty {
                    return byID.map(\.record).sorted { $0.order > $1.order }
                }
            }
            let byTitle = try withTitle(containing: query, lowered: lowered, limit: limit)
            let exact = byTitle.filter { $0.title.lowercased() == lowered }
            return exact.isEmpty ? byTitle : exact
        }
    }

    private static func isOfID(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || byte &- 0x61 < 6 || byte == UInt8(ascii: "-")
    }

    private func withTitle(
        containing query: String, lowered: String, limit: Int
    ) throws(SQLiteError) -> [ConversationRecord] {
        if query.utf8.allSatisfy({ $0 < 0x80 }) {
            var pattern = "%"
            for character in query {
                if character == "%" || character == "_" || character == "\\" { pattern += "\\" }
                pattern.append(character)
            }
            return try connection.rows(
                ConversationSQL.withTitle, [.text(pattern + "%"), .integer(Int64(limit))],
                Self.row
            ).map(\.record)
        }
        // SQLite's LIKE ignores case for ASCII letters only.
        var found: [ConversationRecord] = []
        try connection.each(ConversationSQL.titles) { (statement) throws(SQLiteError) in
            if [statement.text("title"), statement.optionalText("first_words") ?? ""].contains(
                where: {
                    $0.lowercased().contains(lowered)
                })
            {
                found.append(try Self.row(statement).record)
            }
            return found.count < limit
        }
        return found
    }

    /// The newest turns, or the newest before a given one, oldest first. The cost depends on the
    /// result, not on the length of the conversation.
    ///
    /// - Parameter includingReplaced: whether to include replaced turns.
    package func turns(
        of id: String, last count: Int, before: TurnID? = nil, includingReplaced: Bool = false
    ) async throws -> [StoredTurn] {
        try await connection.interruptible { () throws(SQLiteError) in
            try newestTurns(
                of: id, before: before, limit: count, includingReplaced: includingReplaced
            ) { _ in true }
        }
    }

    /// All turns, read in pages so that other calls can run in between.
    package func allTurns(of id: String, includingReplaced: Bool) async throws -> [StoredTurn] {
        var pages: [[StoredTurn]] = []
        var before: TurnID?
        while true {
            let page = try await turns(
                of: id, last: 500, before: before, includingReplaced: includingReplaced)
            pages.append(page)
            guard page.count == 500, let oldest = page.first else { break }
            before = oldest.id
        }
        return pages.reversed().flatMap { $0 }
    }

    /// The turn after a given one, or the first: for conversations that need not fit into memory.
    package func turn(
        of id: String, after turn: TurnID?, includingReplaced: Bool
    ) async throws -> StoredTurn? {
        try await connection.interruptible { () throws(SQLiteError) in
            guard let conversation = try row(of: id)?.sequence,
                var stored = try connection.first(
                    ConversationSQL.turnAfter,
                    [
                        .integer(conversation), .integer(turn?.rawValue ?? .min),
                        .flag(includingReplaced),
                    ], Self.turn)
            else { return nil }
            _ = try loadMessages(into: &stored)
            return stored
        }
    }

    package func turnCount(of id: String, after turn: TurnID? = nil) async throws -> Int {
        try await connection.interruptible { () throws(SQLiteError) in
            try connection.first(
                ConversationSQL.turnCount, [.text(id), .integer(turn?.rawValue ?? .min)]
            ) { Int($0.integer(0)) } ?? 0
        }
    }

    func newestTurns(
        of id: String, after: TurnID?, withinBytes bytes: Int
    ) throws(SQLiteError) -> [StoredTurn] {
        var total = 0
        return try newestTurns(of: id, after: after, limit: Int.max) { size in
            let isFirst = total == 0
            total += max(size, 1)
            return isFirst || total <= bytes
        }
    }

    /// - Parameter accept: called with the size of each turn, the newest first; the page ends
    ///   before the first that it refuses.
    private func newestTurns(
        of id: String, before: TurnID? = nil, after: TurnID? = nil, limit: Int,
        includingReplaced: Bool = false, accept: (Int) -> Bool
    ) throws(SQLiteError) -> [StoredTurn] {
        guard let conversation = try row(of: id)?.sequence, limit > 0 else { return [] }
        var newestFirst: [StoredTurn] = []
        try connection.each(
            ConversationSQL.turns,
            [
                .integer(conversation), .integer(before?.rawValue ?? .max),
                .integer(Int64(limit)), .flag(includingReplaced),
                .integer(after?.rawValue ?? .min),
            ]
        ) { (statement) throws(SQLiteError) in
            var stored = Self.turn(statement)
            let size = try loadMessages(into: &stored)
            guard accept(size) else { return false }
            newestFirst.append(stored)
            return true
        }
        return newestFirst.reversed()
    }

    private static func turn(_ statement: Statement) -> StoredTurn {
        StoredTurn(
            id: TurnID(statement.integer("id")),
            turn: Turn(
                status: Turn.Status(rawValue: statement.text("status")) ?? .failed, messages: [],
                isLocal: statement.flag("is_local"), usage: usage(statement),
                carriesUntrustedText: statement.flag("carries_foreign_text")),
            provider: provider(statement.text("provider")), model: statement.text("model"),
            started: statement.date("started"),
            ended: statement.optionalDate("ended"), note: statement.optionalText("note"),
            isPartial: false, replaced: statement.optionalDate("replaced"))
    }

    /// - Returns: the size of its parts in bytes.
    private func loadMessages(into stored: inout StoredTurn) throws(SQLiteError) -> Int {
        let turn = stored.id.rawValue
        var messages: [Message] = []
        var times: [Date] = []
        var current: Int64?
        var size = 0
        var isPartial = false
        try connection.each(ConversationSQL.messages, [.integer(turn)]) {
            (statement) throws(SQLiteError) in
            let id = statement.integer("id")
            if id != current {
                current = id
                isPartial = statement.flag("is_partial")
                messages.append(
                    Message(
                        role: Role(rawValue: statement.text("role")) ?? .user, parts: [],
                        origin: Self.origin(statement)))
                times.append(statement.date("created"))
            }
            // A message without parts has a single row without a part.
            guard let kind = statement.optionalText("kind") else { return true }
            let part = PartCodec.Stored(
                kind: kind, body: statement.text("body"),
                bytes: statement.optionalBytes("bytes"))
            let decoded = PartCodec.decode(part)
            size += part.body.utf8.count + Self.weight(part.bytes ?? [], of: decoded)
            if let decoded {
                // Not empty: a message was appended above at the latest.
                messages[messages.count - 1].parts.append(decoded)
            }
            return true
        }
        if stored.turn.status == .open {
            // Another instance is answering; this is what it has saved so far.
            let parts = PartCodec.fold(try chunks(of: turn))
            if !parts.isEmpty {
                isPartial = true
                messages.append(Message(role: .assistant, parts: parts))
                times.append(stored.started)
            }
        }
        stored.turn.messages = messages
        stored.times = times
        stored.isPartial = isPartial
        return size
    }

    func chunks(of turn: Int64) throws(SQLiteError) -> [StreamedText] {
        try connection.rows(ConversationSQL.chunks, [.integer(turn)]) {
            StreamedText(
                kind: StreamedKind(rawValue: $0.text("kind")) ?? .text, text: $0.text("text"))
        }
    }

    private static func origin(_ statement: Statement) -> ModelOrigin? {
        guard let name = ProviderName(rawValue: statement.text("provider")),
            let format = WireFormat(rawValue: statement.text("format"))
        else { return nil }
        return ModelOrigin(provider: name, format: format, model: statement.text("model"))
    }

    /// The problems that SQLite finds in the file; empty if it is sound. Reads the whole file: runs
    /// on request, never at launch.
    package func problems() async throws -> [String] {
        try await connection.interruptible { () throws(SQLiteError) in
            try connection.rows("PRAGMA quick_check(5)", []) { $0.text(0) }
                .filter { $0 != "ok" }
        }
    }
}

extension ConversationStore {
    /// The size of a part's bytes for a page limited by size. Text counts fully. Pictures cost a
    /// model far less than their bytes; counted fully, one photo would displace all earlier
    /// messages. With a 24th, the pictures of a request with 2 MB of text stay below 48 MB.
    private static func weight(_ bytes: [UInt8], of part: Part?) -> Int {
        guard case .attachment(let file) = part, AttachmentContent.kind(of: file) != .text else {
            return bytes.count
        }
        return min(bytes.count, max(6_400, bytes.count / 24))
    }
}
