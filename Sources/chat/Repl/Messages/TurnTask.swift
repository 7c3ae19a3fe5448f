import Synchronization

/// Lets the terminal's Ctrl-C stop the turn that is running, from whatever
/// thread it comes. One that comes after Enter and before the turn is known
/// stops it as well.
final class TurnTask: Sendable {
    private struct State {
        var cancel: (@Sendable () -> Void)?
        var onEnter: (@Sendable () -> Void)?
        var onEnd: (@Sendable () -> Void)?
        var isStopped = false
    }

    private let state = Mutex(State())

    /// At the prompt: a stop from before was for something that is over.
    func forgetStop() { state.withLock { $0.isStopped = false } }

    /// - Parameters:
    ///   - onEnter: what Enter does to it.
    ///   - onEnd: when the program was told to end, instead of `action`.
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

    /// The program was told to end.
    func end() {
        let action = state.withLock { state in
            state.isStopped = true
            return state.onEnd ?? state.cancel
        }
        action?()
    }

    func enter() { state.withLock { $0.onEnter }?() }

    /// Since the last prompt.
    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// - Returns: false when nothing was running.
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
