import AgentCore
import Library
import Persistence
import Synchronization

/// The last message of the open conversation, if redaction refused to send it, as a change that
/// `/undo` reverts by removing the message. Undo steps do not contain its text, because their
/// output becomes part of the conversation.
package final class RefusedMessage: UndoSource {
    package typealias Find = @Sendable () async throws -> StoredTurn?
    package typealias TakeOut = @Sendable (TurnID) async throws -> Void

    private let conversation = Mutex<(find: Find, takeOut: TakeOut)?>(nil)

    package init() {}

    package func attach(find: @escaping Find, takeOut: @escaping TakeOut) {
        conversation.withLock { $0 = (find, takeOut) }
    }

    private var open: (find: Find, takeOut: TakeOut)? { conversation.withLock { $0 } }

    package func history(undone: Bool, limit: Int) async throws -> [UndoStep] {
        guard !undone, let turn = try await open?.find() else { return [] }
        return [
            UndoStep(
                id: Self.id(turn), verb: "refused", kind: "message,", title: "not sent",
                subject: Self.id(turn), made: turn.ended ?? turn.started, isFromHere: true)
        ]
    }

    private static func id(_ turn: StoredTurn) -> String { "refused-\(turn.id.rawValue)" }

    package func undo(_ step: UndoStep) async throws {
        guard let open, let turn = try await open.find(), Self.id(turn) == step.id else {
            throw ToolError.failed("the message is no longer the last one")
        }
        try await open.takeOut(turn.id)
    }

    package func redo(_ step: UndoStep) async throws {
        throw ToolError.failed("a message that was taken out does not come back")
    }

    package func comparisons(of step: UndoStep) async throws -> [UndoComparison] { [] }

    package func isOwn(_ step: UndoStep) async -> Bool { true }
}
