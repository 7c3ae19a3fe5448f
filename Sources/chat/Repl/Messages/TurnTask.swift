import Synchronization

/// Lets the terminal's Ctrl-C stop the running turn, from any thread. A Ctrl-C between
/// Enter and the start of the turn stops it as well.
final class TurnTask: Sendable {
    private struct State {
        var cancel: (@Sendable () -> Void)?
        var onEnter: (@Sendable () -> Void)?
        var onEnd: (@Sendable () -> Void)?
        var isStopped = false
    }

    private let state = Mutex(State())

    /// Called at the prompt: an earlier request to stop is obsolete.
    func forgetStop() { state.withLock { $0.isStopped = false } }

    /// - Parameters:
    ///   - onEnter: called when the user presses Enter during the turn.
    ///   - onEnd: called instead of `action` when the program has to end.
    func set(
        _ action: @escaping @Sendable () -> Void, onEnter: (@Sendable () -> Void)? = nil,
        onEnd: (@Sendable () -> Void)? = nil
    ) {
        let isStopped = state.withLock { state in
            (state.cancel, state.onEnter, state.onEnd) = (action, onEnter, onEnd)
            return state.isStopped
        }
        if isStopped { action() }
    }

    func clear() {
        state.withLock { state in
            (state.cancel, state.onEnter, state.onEnd) = (nil, nil, nil)
        }
    }

    /// Stops the turn because the program has to end.
    func end() {
        let action = state.withLock { state in
            state.isStopped = true
            return state.onEnd ?? state.cancel
        }
        action?()
    }

    func enter() { state.withLock { $0.onEnter }?() }

    /// Whether a stop was requested since the last prompt.
    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// - Returns: false if nothing was running.
    @discardableResult
    func stop() -> Bool {
        let action = state.withLock { state in
            state.isStopped = true
            return state.cancel
        }
        guard let action else { return false }
        action()
        return true
    }
}
