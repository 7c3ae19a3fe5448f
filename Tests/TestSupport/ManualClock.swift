import Base
import Foundation
import Synchronization

/// Time, ids and randomness under the control of a test.
///
/// Time stands still until `advance`; whoever sleeps is recorded and wakes
/// when its time has come. Wall clock and uptime move together.
package final class ManualClock: Sendable {
    private struct Sleeper {
        let id: Int
        let wakesAt: Double
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var elapsed = 0.0
        var nextSleeper = 0
        var nextUUID = 0
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
        var durations: [Duration] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let start: Date
    private let random: Double
    private let variables: [String: String]
    private let state = Mutex(State())

    /// Starts at 2026-11-21 09:00 UTC unless told otherwise.
    package init(
        start: Date = Date(timeIntervalSince1970: 1_795_251_600), random: Double = 0.5,
        variables: [String: String] = [:]
    ) {
        self.start = start
        self.random = random
        self.variables = variables
    }

    package var environment: Base.Environment {
        Environment(
            now: { [self] in now },
            uptime: { [self] in state.withLock { 1_000 + $0.elapsed } },
            sleep: { [self] in try await sleep($0) },
            uuid: { [self] in nextUUID() },
            random: { [random] in random },
            variables: variables)
    }

    package var now: Date { start.addingTimeInterval(state.withLock { $0.elapsed }) }

    /// Every sleep that was asked for, in order, ended or not.
    package var sleeps: [Duration] { state.withLock { $0.durations } }

    package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Moves time on and wakes whose time has come, the earliest first.
    package func advance(by duration: Duration) {
        let awake = state.withLock { state in
            state.elapsed += duration.seconds
            let awake = state.sleepers.filter { $0.wakesAt <= state.elapsed }
            state.sleepers.removeAll { $0.wakesAt <= state.elapsed }
            return awake.sorted { ($0.wakesAt, $0.id) < ($1.wakesAt, $1.id) }
        }
        for sleeper in awake { sleeper.continuation.resume() }
    }

    /// Returns when at least `count` sleeps have been asked for since the
    /// start, so that a test knows that it may advance.
    package func waitForSleeps(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.durations.count < count { state.watchers.append((count, continuation)) }
                return state.durations.count >= count
            }
            if isThere { continuation.resume() }
        }
    }

    private func sleep(_ duration: Duration) async throws {
        let id = state.withLock { state in
            state.nextSleeper += 1
            return state.nextSleeper
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enter(id, duration, continuation)
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    private func enter(
        _ id: Int, _ duration: Duration, _ continuation: CheckedContinuation<Void, any Error>
    ) {
        let (isCancelled, isDue, watchers) = state.withLock { state in
            state.durations.append(duration)
            let count = state.durations.count
            let watchers = state.watchers.filter { $0.count <= count }
            state.watchers.removeAll { $0.count <= count }
            let isCancelled = state.cancelled.remove(id) != nil
            let isDue = duration <= .zero
            if !isCancelled, !isDue {
                state.sleepers.append(
                    Sleeper(
                        id: id, wakesAt: state.elapsed + duration.seconds,
                        continuation: continuation))
            }
            return (isCancelled, isDue, watchers)
        }
        if isCancelled {
            continuation.resume(throwing: CancellationError())
        } else if isDue {
            continuation.resume()
        }
        for watcher in watchers { watcher.continuation.resume() }
    }

    /// 00000000-0000-4000-8000-000000000001 and so on.
    private func nextUUID() -> String {
        let number = state.withLock { state in
            state.nextUUID += 1
            return state.nextUUID
        }
        let digits = String(number, radix: 16)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
            + digits
    }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
