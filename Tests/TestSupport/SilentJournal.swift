import AgentCore
import Base

/// Keeps nothing: for dialogues of which nothing that is saved matters.
package struct SilentJournal: TurnJournal {
    package init() {}
    package func begin(
        user: Message, isLocal: Bool, carriesUntrustedText: Bool
    ) async throws -> TurnID {
        TurnID(1)
    }
    package func append(_ text: String, kind: StreamedKind, to turn: TurnID) async throws {}
    package func record(_ message: Message, in turn: TurnID) async throws {}
    package func recordResult(
        _ result: ToolResult, of call: ToolCallRecord, in turn: TurnID
    ) async throws {}
    package func close(
        _ turn: TurnID, status: Turn.Status, usage: Usage, note: String?
    ) async throws {}
}
