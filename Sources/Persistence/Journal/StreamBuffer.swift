import AgentCore
import Synchronization

/// Streamed text that is not in the database yet, in order.
///
/// Only a buffer: `ConversationJournal` decides when to write, and the store writes, emptying it on
/// its own queue.
final class StreamBuffer: Sendable {
    struct Piece: Sendable, Equatable {
        var turn: TurnID
        var streamed: StreamedText
    }

    private struct State {
        var pieces: [Piece] = []
        var bytes = 0
    }

    private let state = Mutex(State())

    /// - Returns: the number of bytes waiting, including this text.
    func append(_ text: String, kind: StreamedKind, to turn: TurnID) -> Int {
        state.withLock { state in
            state.bytes += text.utf8.count
            let last = state.pieces.count - 1
            // `last` is an index of the array or -1.
            if last >= 0, state.pieces[last].turn == turn,
                state.pieces[last].streamed.kind == kind
            {
                state.pieces[last].streamed.text += text
            } else {
                state.pieces.append(
                    Piece(turn: turn, streamed: StreamedText(kind: kind, text: text)))
            }
            return state.bytes
        }
    }

    func take() -> [Piece] {
        state.withLock { state in
            let pieces = state.pieces
            state = State()
            return pieces
        }
    }

    /// Puts text back after a failed write, before any that has arrived since.
    func putBack(_ pieces: [Piece]) {
        state.withLock { state in
            state.pieces = pieces + state.pieces
            state.bytes = state.pieces.reduce(0) { $0 + $1.streamed.text.utf8.count }
        }
    }

    /// Drops the text of a turn, which a complete message has replaced.
    func drop(_ turn: TurnID) {
        state.withLock { state in
            state.pieces.removeAll { $0.turn == turn }
            state.bytes = state.pieces.reduce(0) { $0 + $1.streamed.text.utf8.count }
        }
    }
}
