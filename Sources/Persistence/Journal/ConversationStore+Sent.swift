import AgentCore
import Base
import FoundationEssentials

/// One row of the ledger of sent requests.
package struct SentRow: Sendable, Equatable {
    package var id: Int64
    package var made: Date
    package var host: String
    package var outgoing: Outgoing
    /// The title of its conversation, if that still exists.
    package var title: String?
    /// Bytes of the body.
    package var bytesOut: Int
    /// Nil while the response arrives, and where the program ended meanwhile.
    package var answer: SentAnswer?
}

/// Selects rows of the ledger.
package struct SentFilter: Sendable, Equatable {
    package var since: Date?
    /// The whole name, or the part after a dot; at any port unless one is given: `openai.com`
    /// matches `api.openai.com` and `openai.com:8080`.
    package var host: String?
    /// Limits the rows to requests for the last turn of this conversation, and later ones.
    package var lastTurnOf: String?
    package var limit: Int

    package init(
        since: Date? = nil, host: String? = nil, lastTurnOf: String? = nil, limit: Int
    ) {
        (self.since, self.host, self.lastTurnOf) = (since, host, lastTurnOf)
        self.limit = limit
    }
}

/// The requests to one host in one month, with their cost by model.
package struct SentTotal: Sendable, Equatable {
    package var host: String
    /// The first day of the month.
    package var month: CivilDate
    package var requests = 0
    package var bytesOut = 0
    package var bytesIn = 0
    package var usage: [UsageTotal] = []
}

/// The ledger of sent requests: written by the transport before each request; afterwards only the
/// response is added. It is kept when a conversation is deleted.
extension ConversationStore {
    /// Writes the row of a request, and the responses to earlier ones.
    ///
    /// - Returns: its number, once it is on disk.
    package func recordSending(
        _ outgoing: Outgoing, host: String, bytes: Int, closing answers: [(Int64, SentAnswer)] = []
    ) throws(SQLiteError) -> Int64 {
        try connection.transaction { () throws(SQLiteError) in
            try finish(answers)
            try connection.run(
                SentSQL.insert,
                [
                    .integer(milliseconds()), .text(host), .text(outgoing.purpose.rawValue),
                    .text(JSONWriter.string(.array(outgoing.content.map(JSONValue.string)))),
                    .optional(outgoing.provider?.rawValue), .optional(outgoing.model),
                    .optional(outgoing.conversation), .optional(outgoing.approval),
                    .optional(outgoing.routine), .integer(Int64(bytes)),
                ])
            return connection.lastInsertedRow
        }
    }

    /// Writes responses. A crash of the machine may lose them, but never the rows.
    package func recordAnswers(_ answers: [(Int64, SentAnswer)]) throws(SQLiteError) {
        try connection.transaction(.normal) { () throws(SQLiteError) in try finish(answers) }
    }

    private func finish(_ answers: [(Int64, SentAnswer)]) throws(SQLiteError) {
        for (row, answer) in answers {
            if answer.status == nil { try connection.run(SentSQL.dropSilent, [.integer(row)]) }
            try connection.run(
                SentSQL.close,
                [
                    .integer(row), .integer(Int64(answer.bytes)),
                    answer.status.map { .integer(Int64($0)) } ?? .null,
                ] + Self.columns(of: answer.usage))
        }
    }

    /// The newest first.
    package func sent(_ filter: SentFilter) async throws -> [SentRow] {
        try await connection.interruptible { () throws(SQLiteError) in
            try connection.rows(
                SentSQL.list,
                [
                    .integer(filter.since?.inMilliseconds ?? 0), .optional(filter.host),
                    .optional(filter.lastTurnOf), .integer(Int64(filter.limit)),
                ], Self.sentRow)
        }
    }

    package func sent(_ id: Int64) throws(SQLiteError) -> SentRow? {
        try connection.first(SentSQL.one, [.integer(id)], Self.sentRow)
    }

    /// The totals by month, the newest first, and host.
    package func sentTotals(since: Date, zone: LocalTime) async throws -> [SentTotal] {
        let start = since.inMilliseconds
        return try await connection.interruptible { () throws(SQLiteError) in
            var totals: [SentTotal] = []
            try connection.each(SentSQL.totals, [.integer(start)]) { (row) throws(SQLiteError) in
                // Quarter-hours, of which the months of every zone consist.
                let day = zone.civil(
                    at: Date(milliseconds: max(row.integer("quarter") * 900_000, start))
                )
                .date
                let month = day.adding(days: 1 - day.day)
                let host = row.text("host")
                let place =
                    totals.firstIndex { $0.host == host && $0.month == month } ?? totals.endIndex
                if place == totals.endIndex {
                    totals.append(SentTotal(host: host, month: month))
                }
                totals[place].requests += Int(row.integer("requests"))
                totals[place].bytesOut += Int(row.integer("bytes_out"))
                totals[place].bytesIn += Int(row.integer("bytes_in"))
                let usage = Self.usage(row)
                if !usage.isEmpty {
                    Self.add(
                        UsageTotal(
                            provider: Self.provider(row.text("provider")), model: row.text("model"),
                            turns: 0, usage: usage), to: &totals[place].usage)
                }
                return true
            }
            return totals
        }
    }

    private static func sentRow(_ row: Statement) throws(SQLiteError) -> SentRow {
        // We wrote this row; damaged content is left out.
        let content = (try? JSONParser.parse(row.text("content")))?.arrayValue ?? []
        var outgoing = Outgoing(
            Outgoing.Purpose(rawValue: row.text("purpose")), content.compactMap(\.stringValue),
            provider: row.optionalText("provider").map(provider), model: row.optionalText("model"))
        (outgoing.conversation, outgoing.approval) = (
            row.optionalText("conversation"), row.optionalText("approval")
        )
        outgoing.routine = row.optionalText("routine")
        let answer = row.optionalInteger("bytes_in").map {
            SentAnswer(
                status: row.optionalInteger("status").map { Int($0) }, bytes: Int($0),
                usage: usage(row))
        }
        return SentRow(
            id: row.integer("id"), made: row.date("made"), host: row.text("host"),
            outgoing: outgoing,
            title: row.optionalText("title"), bytesOut: Int(row.integer("bytes_out")),
            answer: answer)
    }
}

enum SentSQL {
    static let insert: SQL = """
        INSERT INTO sent(made, host, purpose, content, provider, model, conversation, approval,
            routine, bytes_out) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    /// Drops rows of a search for a local model server that reached no server.
    static let dropSilent: SQL = """
        DELETE FROM sent
        WHERE id = ?1 AND purpose = 'models' AND bytes_out = 0 AND host LIKE '127.0.0.1:%'
        """
    static let close: SQL = """
        UPDATE sent SET bytes_in = ?2, status = ?3, input_tokens = ?4, cached_input_tokens = ?5,
            cache_write_tokens = ?6, output_tokens = ?7, reasoning_tokens = ?8 WHERE id = ?1
        """

    private static let rows = """
        SELECT s.id, s.made, s.host, s.purpose, s.content, s.provider, s.model, s.conversation,
            s.approval, c.title, s.bytes_out, s.bytes_in, s.status, s.input_tokens,
            s.cached_input_tokens, s.cache_write_tokens, s.output_tokens, s.reasoning_tokens, s.routine
        FROM sent s LEFT JOIN conversations c ON c.id = s.conversation AND c.deleted IS NULL
        """
    static let list: SQL = """
        \(rows) WHERE s.made >= ?1
            AND (?2 IS NULL OR instr('.' || s.host || ':', '.' || ?2 || ':') > 0)
            AND (?3 IS NULL OR s.conversation = ?3 AND s.made >= (
                SELECT max(t.started) FROM turns t JOIN conversations o ON o.seq = t.conversation
                WHERE o.id = ?3 AND t.is_local = 0))
        ORDER BY s.id DESC LIMIT ?4
        """
    /// Removes the content of the rows of an erased conversation; the rows stay.
    static let forget: SQL =
        "UPDATE sent SET content = '[]', conversation = NULL WHERE conversation = ?1"
    static let rowsOf: SQL = "SELECT id FROM sent WHERE conversation IS ?1"
    static let one: SQL = "\(rows) WHERE s.id = ?1"
    static let totals: SQL = """
        SELECT coalesce(provider, '') AS provider, coalesce(model, '') AS model,
            \(UsageSQL.tokenSums), host, count(*) AS requests, sum(bytes_out) AS bytes_out,
            sum(coalesce(bytes_in, 0)) AS bytes_in, made / 900000 AS quarter
        FROM sent WHERE made >= ?1 GROUP BY quarter, host, sent.provider, sent.model
        ORDER BY quarter DESC, host
        """
}
