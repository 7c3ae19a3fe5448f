import Synchronization

/// Runs the searches of one picker away from the terminal's thread: only the latest query,
/// earlier ones are cancelled. `serve` is its one task; results wait here until that thread
/// fetches them.
final class PickerSearch: Sendable {
    struct Result: Sendable {
        var number: Int
        /// Nil if it failed.
        var items: [PickerItem]?
    }

    private struct State {
        var wanted: (number: Int, query: String)?
        var isOver = false
        var waiting: CheckedContinuation<Void, Never>?
        var cancel: (@Sendable () -> Void)?
        var results: [Result] = []
    }

    private let search: PickerRequest.Search
    private let wake: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameter wake: notifies the terminal's thread of a result.
    init(_ search: @escaping PickerRequest.Search, wake: @escaping @Sendable () -> Void) {
        self.search = search
        self.wake = wake
    }

    // MARK: Called by the terminal's thread

    func ask(_ query: String, number: Int) {
        let (waiting, cancel) = state.withLock { state in
            state.wanted = (number, query)
            defer { (state.waiting, state.cancel) = (nil, nil) }
            return (state.waiting, state.cancel)
        }
        cancel?()
        waiting?.resume()
    }

    func takeResults() -> [Result] {
        state.withLock { state in
            defer { state.results = [] }
            return state.results
        }
    }

    // MARK: Called by the task

    /// Runs until `finish`.
    func serve() async {
        await withDiscardingTaskGroup { group in
            while let (number, query) = await next() {
                let task = Task { [search] in try await search(query) }
                let isWanted = state.withLock { state in
                    guard !state.isOver, state.wanted == nil else { return false }
                    state.cancel = { task.cancel() }
                    return true
                }
                if !isWanted { task.cancel() }
                // Not awaited here: one that ignores its cancellation must not delay the
                // next.
                group.addTask { await self.deliver(await task.result, number) }
            }
        }
    }

    func finish() {
        let (waiting, cancel) = state.withLock { state in
            state.isOver = true
            defer { (state.waiting, state.cancel) = (nil, nil) }
            return (state.waiting, state.cancel)
        }
        cancel?()
        waiting?.resume()
    }

    private func deliver(_ result: Swift.Result<[PickerItem], any Error>, _ number: Int) async {
        let items: [PickerItem]?
        switch result {
        case .success(let found): items = found
        case .failure(let error) where error is CancellationError: return
        case .failure: items = nil
        }
        state.withLock { $0.results.append(Result(number: number, items: items)) }
        wake()
    }

    private func next() async -> (Int, String)? {
        while true {
            let (isOver, wanted) = state.withLock { state in
                defer { state.wanted = nil }
                return (state.isOver, state.wanted)
            }
            if isOver { return nil }
            if let wanted { return (wanted.number, wanted.query) }
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    if state.isOver || state.wanted != nil { return true }
                    state.waiting = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        }
    }
}
