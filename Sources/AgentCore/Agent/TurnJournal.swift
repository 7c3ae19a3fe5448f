/// Saves a turn. The agent awaits it if the order matters; the store behind it decides how.
///
/// Order of calls for one turn: `begin`, then any number of `append`,
/// `record` and `recordResult`, then `close` once.
package protocol TurnJournal: Sendable {
    /// Saves the user's message. When it returns, a crash of the program cannot lose it, and a
    /// local turn is on disk (fsync). Other messages reach the disk with the ledger row of the
    /// request (`SendLedger`), before anything is sent.
    ///
    /// - Parameter carriesUntrustedText: see `Turn.carriesUntrustedText`.
    func begin(
        user: Message, isLocal: Bool, carriesUntrustedText: Bool
    ) async throws -> TurnID

    /// Adds streamed text to the current answer; may lag by 250 ms or 4 KB.
    /// - Throws: if the text could not be written. It is not lost: it is kept and written with a
    ///   later call.
    func append(_ text: String, kind: StreamedKind, to turn: TurnID) async throws

    /// Saves a complete message and drops the streamed text it replaces. An
    /// assistant message with tool calls is on disk before a tool runs.
    func record(_ message: Message, in turn: TurnID) async throws

    /// Saves one tool result as soon as it is known, together with who approved the call and how it
    /// ended.
    func recordResult(
        _ result: ToolResult, of call: ToolCallRecord, in turn: TurnID
    ) async throws

    /// Ends the turn, on disk when it returns. Streamed text that no message
    /// replaced is kept as a partial answer.
    func close(_ turn: TurnID, status: Turn.Status, usage: Usage, note: String?) async throws
}

extension TurnJournal {
    package func begin(user: Message, isLocal: Bool) async throws -> TurnID {
        try await begin(user: user, isLocal: isLocal, carriesUntrustedText: false)
    }
}

package struct TurnID: Sendable, Hashable {
    package var rawValue: Int64
    package init(_ rawValue: Int64) { self.rawValue = rawValue }
}

package enum StreamedKind: String, Sendable {
    case text, thinking, refusal
}
