import Base
import Synchronization

/// Passes data between the owner of a panel and the terminal's thread: the latest picture
/// one way, keys the other. Bounded both ways. It draws nothing.
final class PanelMailbox: Sendable {
    typealias Picture =
        @Sendable (ScreenSize) -> (lines: [StyledLine], cursor: (row: Int, column: Int))

    private struct State {
        var picture: Picture?
        /// Whether the thread was notified and has not fetched yet.
        var isAnnounced = false
        var keys: [PanelKey] = []
        /// Whether typing is for the next prompt; only Esc and Ctrl-C are the owner's.
        var passesTyping = false
        /// Keys typed before that, and not fetched.
        var passed: [PanelKey] = []
        var waiting: CheckedContinuation<PanelKey?, Never>?
        /// Whether the owner has closed it.
        var isClosing = false
        /// Whether it has been removed from the screen.
        var isOver = false
        var closers: [CheckedContinuation<Void, Never>] = []
    }

    /// Maximum number of keys not fetched yet.
    private static let limit = 64
    private let wake: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameter wake: notifies the terminal's thread.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    // MARK: Called by the owner

    func show(_ picture: @escaping Picture) {
        let announces = state.withLock { state in
            guard !state.isClosing, !state.isOver else { return false }
            state.picture = picture
            defer { state.isAnnounced = true }
            return !state.isAnnounced
        }
        if announces { wake() }
    }

    /// One call at a time: an earlier one gets nil.
    func nextKey() async -> PanelKey? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (earlier, key, isDone) = state.withLock {
                    state -> (CheckedContinuation<PanelKey?, Never>?, PanelKey?, Bool) in
                    let earlier = state.waiting
                    state.waiting = nil
                    if !state.keys.isEmpty { return (earlier, state.keys.removeFirst(), true) }
                    if state.isClosing || state.isOver || Task.isCancelled {
                        return (earlier, nil, true)
                    }
                    state.waiting = continuation
                    return (earlier, nil, false)
                }
                earlier?.resume(returning: nil)
                if isDone { continuation.resume(returning: key) }
            }
        } onCancel: {
            takeWaiting()?.resume(returning: nil)
        }
    }

    func passTyping(_ isOn: Bool) {
        state.withLock { state in
            state.passesTyping = isOn
            guard isOn else { return }
            let isOwn = { (key: PanelKey) in key == .escape || key == .interrupt }
            state.passed += state.keys.filter { !isOwn($0) }
            state.keys.removeAll { !isOwn($0) }
        }
    }

    /// Requests the end, without waiting for it.
    func requestClose() {
        let waiting = state.withLock { state in
            state.isClosing = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: nil)
        wake()
    }

    /// Closes the panel and returns when the screen is as it was.
    func close() async {
        requestClose()
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.closers.append(continuation) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }

    private func takeWaiting() -> CheckedContinuation<PanelKey?, Never>? {
        state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
    }

    // MARK: Called by the terminal's thread

    var isClosing: Bool { state.withLock { $0.isClosing } }
    var hasNews: Bool { state.withLock { $0.isAnnounced } }

    /// Whether keys are for the next prompt, and those typed before.
    func takePassed() -> (passesTyping: Bool, keys: [PanelKey]) {
        state.withLock { state in
            defer { state.passed = [] }
            return (state.passesTyping, state.passed)
        }
    }

    /// The latest picture, which counts as fetched.
    func takePicture() -> Picture? {
        state.withLock { state in
            state.isAnnounced = false
            return state.picture
        }
    }

    /// Delivers a key; the buffer always has room for Ctrl-C.
    func deliver(_ key: PanelKey) {
        let waiting = state.withLock { state -> CheckedContinuation<PanelKey?, Never>? in
            if let waiting = state.waiting {
                state.waiting = nil
                return waiting
            }
            if state.keys.count < Self.limit {
                state.keys.append(key)
            } else if key == .interrupt {
                state.keys[Self.limit - 1] = key
            }
            return nil
        }
        waiting?.resume(returning: key)
    }

    /// Called when the panel has been removed from the screen.
    ///
    /// - Parameter late: called before the owner continues, if a Ctrl-C was not fetched.
    /// - Returns: the other keys that were not fetched.
    func finish(_ late: () -> Void) -> [PanelKey] {
        let (waiting, closers, keys) = state.withLock { state in
            state.isOver = true
            defer { (state.waiting, state.closers, state.keys) = (nil, [], []) }
            return (state.waiting, state.closers, state.keys)
        }
        if keys.contains(.interrupt) { late() }
        waiting?.resume(returning: nil)
        for closer in closers { closer.resume() }
        return keys.filter { $0 != .interrupt }
    }
}
