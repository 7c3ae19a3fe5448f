import AgentCore
import Base
import Synchronization

/// Saves the turns of one conversation, in the order and with the guarantees of `TurnJournal`.
///
/// Streamed text is buffered and written as chunk rows: after 4 KB, and at the latest 200 ms after
/// the first unsaved byte, even if the model has become silent. A token costs one lock and no call
/// on the store's queue. One turn runs at a time.
package final class ConversationJournal: TurnJournal {
    private static let limitInBytes = 4_096
    /// Delay before a write, below the promised 250 ms to leave time for it.
    private static let delay = Duration.milliseconds(200)

    private let store: ConversationStore
    private let conversation: String
    private let kind: ConversationRecord.Kind
    private let buffer = StreamBuffer()
    /// The turn that the first new turn replaces.
    private let replaced: Mutex<TurnID?>

    private struct Timer {
        var task: Task<Void, Never>?
        /// Whether the timer's last write failed; the next call tries again and reports it.
        var hasFailed = false
    }

    private let timer = Mutex(Timer())

    init(
        store: ConversationStore, conversation: String, kind: ConversationRecord.Kind,
        replacing turn: TurnID? = nil
    ) {
        replaced = Mutex(turn)
        self.store = store
        self.conversation = conversation
        self.kind = kind
    }

    deinit { timer.withLock { $0.task?.cancel() } }

    package func begin(
        user: Message, isLocal: Bool, carriesUntrustedText: Bool
    ) async throws -> TurnID {
        let turn = try await store.begin(
            user, isLocal: isLocal, carriesUntrustedText: carriesUntrustedText, in: conversation,
            kind: kind, replacing: replaced.withLock { $0 })
        replaced.withLock { $0 = nil }
        return turn
    }

    package func append(_ text: String, kind: StreamedKind, to turn: TurnID) async throws {
        if text.isEmpty { return }
        let bytes = buffer.append(text, kind: kind, to: turn)
        let mustWrite = timer.withLock { timer in
            if bytes >= Self.limitInBytes || timer.hasFailed {
                timer.hasFailed = false
                return true
            }
            if timer.task == nil { timer.task = startTimer() }
            return false
        }
        if mustWrite { try await store.flush(buffer) }
    }

    /// Schedules one write. If text arrives while a timer is already running, it fires early for
    /// that text, never late.
    private func startTimer() -> Task<Void, Never> {
        Task { [weak self, environment = store.environment] in
            do {
                try await environment.sleep(Self.delay)
            } catch {
                // Cancelled: the cancelling caller writes the rest.
                return
            }
            await self?.timerFired()
        }
    }

    private func timerFired() async {
        // Cleared first, so that text that arrives during the write gets its own timer.
        timer.withLock { $0.task = nil }
        do {
            try await store.flush(buffer)
        } catch {
            // The text is in the buffer again, and there is no caller to report to.
            timer.withLock { $0.hasFailed = true }
        }
    }

    /// The scheduled write, for a caller that waits for it.
    var pendingWrite: Task<Void, Never>? { timer.withLock { $0.task } }

    /// Stops the timer and waits for a write in progress.
    private func stopTimer() async {
        let task = timer.withLock { timer in
            let task = timer.task
            timer.task = nil
            timer.hasFailed = false
            return task
        }
        task?.cancel()
        await task?.value
    }

    package func record(_ message: Message, in turn: TurnID) async throws {
        try await store.record(message, in: turn, replacing: buffer)
    }

    package func recordResult(
        _ result: ToolResult, of call: ToolCallRecord, in turn: TurnID
    ) async throws {
        try await store.recordResult(result, of: call, in: turn)
    }

    package func close(
        _ turn: TurnID, status: Turn.Status, usage: Usage, note: String?
    ) async throws {
        await stopTimer()
        try await store.closeTurn(
            turn, status: status, usage: usage, note: note, buffer: buffer)
    }
}
