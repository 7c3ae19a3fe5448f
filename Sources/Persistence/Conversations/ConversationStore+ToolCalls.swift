import AgentCore
import Base
import FoundationEssentials

/// One row of the log of tool calls.
package struct LoggedToolCall: Sendable, Equatable {
    package var made: Date
    /// The id of its conversation.
    package var conversation: String
    package var title: String
    package var call: ToolCallRecord
}

/// The log of tool calls: written with each result, read by `chat tools log`. Calls are
/// deleted with their conversation, and hidden while it is in the trash.
extension ConversationStore {
    /// Maximum number of rows kept; older ones are dropped.
    static let toolCallLimit: Int64 = 10_000
    /// Maximum length, in code points, of a tool name made up by a model.
    private static let nameLength = 64

    /// The newest first.
    ///
    /// - Parameter conversation: limits the result to this conversation.
    package func toolCalls(
        limit: Int, of conversation: String? = nil
    ) async throws -> [LoggedToolCall] {
        try await connection.interruptible { () throws(SQLiteError) in
            try connection.rows(
                ToolCallSQL.list, [.integer(Int64(limit)), .optional(conversation)], Self.toolCall)
        }
    }

    /// Runs inside the transaction that saves the result.
    func insert(_ call: ToolCallRecord, in turn: TurnID, now: Int64) throws(SQLiteError) {
        let name = KeyShape.redacted(String(call.tool.unicodeScalars.prefix(Self.nameLength)))
        try connection.run(
            ToolCallSQL.insert,
            [
                .integer(turn.rawValue), .integer(now), .text(name),
                .optional(call.toolClass?.rawValue),
                .text(JSONWriter.string(.object(call.arguments))), .text(call.approval),
                .optional(call.reason), .text(call.outcome.rawValue),
                .integer(Int64(call.duration / .milliseconds(1))),
                .integer(Int64(call.resultBytes)),
                .optional(call.undoSteps.isEmpty ? nil : call.undoSteps.joined(separator: " ")),
            ])
        try connection.run(ToolCallSQL.drop, [.integer(Self.toolCallLimit)])
    }

    private static func toolCall(_ row: Statement) throws(SQLiteError) -> LoggedToolCall {
        var call = ToolCallRecord(
            tool: row.text("tool"),
            toolClass: row.optionalText("class").flatMap(ToolClass.init(rawValue:)),
            approval: row.text("approval"), duration: .milliseconds(row.integer("duration")),
            // An outcome unknown to this version.
            outcome: ToolCallRecord.Outcome(rawValue: row.text("outcome")) ?? .error)
        // We wrote this row; damaged arguments are left out.
        call.arguments = (try? JSONParser.parse(row.text("arguments")))?.objectValue ?? JSONObject()
        call.reason = row.optionalText("reason")
        call.resultBytes = Int(row.integer("bytes"))
        call.undoSteps = row.optionalText("undo")?.split(separator: " ").map(String.init) ?? []
        return LoggedToolCall(
            made: row.date("made"), conversation: row.text("id"), title: row.text("title"),
            call: call)
    }
}

private enum ToolCallSQL {
    static let insert: SQL = """
        INSERT INTO tool_calls(conversation, made, tool, class, arguments, approval, reason,
            outcome, duration, bytes, undo)
        SELECT conversation, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 FROM turns WHERE id = ?1
        """
    static let drop: SQL =
        "DELETE FROM tool_calls WHERE id <= (SELECT max(id) FROM tool_calls) - ?1"
    static let list: SQL = """
        SELECT l.made, c.id, c.title, l.tool, l.class, l.arguments, l.approval, l.reason,
            l.outcome, l.duration, l.bytes, l.undo
        FROM tool_calls l JOIN conversations c ON c.seq = l.conversation
        WHERE c.deleted IS NULL AND (?2 IS NULL OR c.id = ?2) ORDER BY l.id DESC LIMIT ?1
        """
}
