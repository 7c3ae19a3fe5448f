import AgentCore
import Base
import FoundationEssentials

/// Token usage by model, by day, by conversation. A cancelled task ends a read
/// at once, with `CancellationError`.
extension ConversationStore {
    /// The usage of one conversation, by model.
    package func usage(of id: String) async throws -> [UsageTotal] {
        try await connection.interruptible { () throws(SQLiteError) in
            try connection.rows(UsageSQL.ofConversation, [.text(id)], Self.usageTotal)
        }
    }

    /// The usage of all conversations since a date, by model.
    package func usage(since: Date) async throws -> [UsageTotal] {
        let start = since.inMilliseconds
        return try await connection.interruptible { () throws(SQLiteError) in
            try connection.rows(UsageSQL.since, [.integer(start)], Self.usageTotal)
        }
    }

    /// The days with usage since a date, the latest first.
    package func usageByDay(since: Date, zone: LocalTime) async throws -> [UsageOfDay] {
        let start = since.inMilliseconds
        return try await connection.interruptible { () throws(SQLiteError) in
            var days: [UsageOfDay] = []
            try connection.each(UsageSQL.byQuarter, [.integer(start)]) {
                (row) throws(SQLiteError) in
                let moment = Date(milliseconds: max(row.integer("quarter") * 900_000, start))
                let day = zone.civil(at: moment).date
                let total = try Self.usageTotal(row)
                // The days still ascend if a clock change repeats an hour.
                guard let last = days.indices.last, days[last].day == day else {
                    days.append(UsageOfDay(day: day, totals: [total]))
                    return true
                }
                Self.add(total, to: &days[last].totals)
                return true
            }
            return days.reversed()
        }
    }

    /// The conversations with usage since a date, the most output first.
    package func usageByConversation(
        since: Date, limit: Int
    ) async throws -> [UsageOfConversation] {
        let start = since.inMilliseconds
        return try await connection.interruptible { () throws(SQLiteError) in
            var found: [UsageOfConversation] = []
            try connection.each(UsageSQL.byConversation, [.integer(start)]) {
                (row) throws(SQLiteError) in
                let id = row.text("id")
                let total = try Self.usageTotal(row)
                if let last = found.indices.last, found[last].id == id {
                    Self.add(total, to: &found[last].totals)
                } else {
                    found.append(
                        UsageOfConversation(id: id, title: row.text("title"), totals: [total]))
                }
                return true
            }
            func output(_ usage: UsageOfConversation) -> Int {
                usage.totals.reduce(Usage()) { $0 + $1.usage }.output
            }
            return Array(found.sorted { output($0) > output($1) }.prefix(limit))
        }
    }

    /// Counts the usage of a request that is not a turn.
    ///
    /// - Parameters:
    ///   - purpose: `title`, `summary`.
    ///   - id: the conversation it was made for; for a draft or nil it counts
    ///     only by day.
    package func count(
        _ usage: Usage, of purpose: String, by model: ModelOrigin, for id: String?
    ) throws(SQLiteError) {
        try connection.write(
            UsageSQL.insert,
            [
                .optional(id), .text(purpose), .text(model.provider.rawValue),
                .text(model.model), .integer(milliseconds()),
            ] + Self.columns(of: usage))
    }

    static func add(_ total: UsageTotal, to totals: inout [UsageTotal]) {
        let same = totals.firstIndex {
            $0.provider == total.provider && $0.model == total.model
        }
        guard let same else {
            totals.append(total)
            return
        }
        totals[same].turns += total.turns
        totals[same].usage = totals[same].usage + total.usage
    }

    private static func usageTotal(_ row: Statement) throws(SQLiteError) -> UsageTotal {
        UsageTotal(
            provider: provider(row.text("provider")), model: row.text("model"),
            turns: Int(row.integer("turns")),
            usage: usage(row))
    }

    // MARK: - Columns

    /// The five token columns, in the order of every table.
    static func usage(_ row: Statement) -> Usage {
        Usage(
            input: Int(row.integer("input_tokens")),
            cachedInput: Int(row.integer("cached_input_tokens")),
            cacheWrite: Int(row.integer("cache_write_tokens")),
            output: Int(row.integer("output_tokens")),
            reasoning: Int(row.integer("reasoning_tokens")))
    }

    static func columns(of usage: Usage) -> [SQLiteValue] {
        [usage.input, usage.cachedInput, usage.cacheWrite, usage.output, usage.reasoning]
            .map { .integer(bounded($0)) }
    }

    /// Upper bound for numbers reported by servers; a sum over nine million such turns still fits
    /// 64 bits, where SQLite's `sum` would fail.
    private static func bounded(_ tokens: Int) -> Int64 { Int64(min(tokens, 1_000_000_000_000)) }
}

/// The usage of one model. Summaries, titles and other requests that are not turns count only with
/// their tokens; copied turns do not count, replaced ones do.
package struct UsageTotal: Sendable, Equatable {
    package var provider: ProviderName
    package var model: String
    package var turns: Int
    package var usage: Usage
}

/// The usage of one day, by model.
package struct UsageOfDay: Sendable, Equatable {
    package var day: CivilDate
    package var totals: [UsageTotal]
}

/// The usage of one conversation, by model.
package struct UsageOfConversation: Sendable, Equatable {
    package var id: String
    package var title: String
    package var totals: [UsageTotal]
}

/// The statements for sums of usage. Each reads the index by time or by conversation and the rows
/// of turns, summaries and generations it refers to, never messages.
enum UsageSQL {
    static let tokenSums = """
        sum(input_tokens) AS input_tokens, sum(cached_input_tokens) AS cached_input_tokens,
            sum(cache_write_tokens) AS cache_write_tokens, sum(output_tokens) AS output_tokens,
            sum(reasoning_tokens) AS reasoning_tokens
        """
    private static let sums = "provider, model, sum(turns) AS turns, \(tokenSums)"
    private static let tokens = "provider, model, \(ConversationSQL.tokens)"
    /// Turns that asked a model here, and other requests.
    ///
    /// - Parameters: given the name of the time column, return the limiting
    ///   condition of each table and further columns.
    private static func used(
        where limit: (_ time: String) -> String, and more: (_ time: String) -> String = { _ in "" }
    ) -> String {
        func of(_ table: String, turns: Int, time: String, and: String = "") -> String {
            "SELECT \(turns) AS turns, \(tokens)\(more(time)) FROM \(table) "
                + "WHERE \(limit(time))\(and)"
        }
        return [
            of("turns", turns: 1, time: "started", and: " AND is_local = 0 AND is_copy = 0"),
            of("summaries", turns: 0, time: "created"),
            of("generations", turns: 0, time: "created"),
        ].joined(separator: " UNION ALL ")
    }

    static let insert: SQL = """
        INSERT INTO generations(conversation, purpose, provider, model, created, \(ConversationSQL.tokens))
        VALUES ((SELECT seq FROM conversations WHERE id = ?1), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
        """

    static let ofConversation: SQL = """
        SELECT \(sums)
        FROM (\(used { _ in "conversation = (SELECT seq FROM conversations WHERE id = ?1)" }))
        GROUP BY provider, model ORDER BY provider, model
        """
    static let since: SQL = """
        SELECT \(sums) FROM (\(used { "\($0) >= ?1" }))
        GROUP BY provider, model ORDER BY provider, model
        """
    /// Groups by quarter-hours, of which the days of every zone consist.
    static let byQuarter: SQL = """
        SELECT \(sums), quarter
        FROM (\(used(where: { "\($0) >= ?1" }, and: { ", \($0) / 900000 AS quarter" })))
        GROUP BY quarter, provider, model ORDER BY quarter, provider, model
        """
    /// The plus makes SQLite use the index by time.
    static let byConversation: SQL = """
        SELECT \(sums), conversation,
            (SELECT id FROM conversations WHERE seq = conversation) AS id,
            (SELECT title FROM conversations WHERE seq = conversation) AS title
        FROM (\(used(where: { "\($0) >= ?1 AND +conversation IS NOT NULL" }, and: { _ in ", conversation" })))
        GROUP BY conversation, provider, model ORDER BY conversation, provider, model
        """
}
