import Synchronization
import TerminalKit

/// The screen of the running turn, for updates of the typed line from another thread.
final class LiveScreen: Sendable {
    private struct State {
        var screen: TurnScreen?
        var typed = TypeAhead()
    }

    private let state = Mutex(State())

    var current: TurnScreen? { state.withLock { $0.screen } }

    /// Sets the screen; nil at the end of the turn.
    func use(_ screen: TurnScreen?) {
        let isTyped = state.withLock { state in
            state.screen = screen
            return screen != nil && !state.typed.isEmpty
        }
        if isTyped { tell() }
    }

    func typed(_ typed: TypeAhead) {
        state.withLock { $0.typed = typed }
        tell()
    }

    /// Each update reads the current state, so the order of updates does not matter.
    private func tell() {
        Task { [self] in
            let (screen, typed) = state.withLock { ($0.screen, $0.typed) }
            await screen?.typing(queued: typed.queued, draft: typed.draft)
        }
    }
}
