import Synchronization

/// The sound of one utterance as it arrives from the engine, followed by its silence. It is
/// kept whole while it is near, so that going back to its start costs nothing.
struct UtteranceSound {
    enum Block: Equatable {
        case bytes([UInt8])
        /// The engine has not made it yet.
        case pending
        case end
    }

    /// Maximum bytes made ahead of playback: minutes of speech.
    static let aheadBytes = 4 << 20

    /// Nil until the engine has started.
    private(set) var format: PCMFormat?
    private(set) var isWhole = false
    private let pause: Double
    private var bytes: [UInt8] = []

    init(pause: Double) {
        self.pause = pause
    }

    mutating func begin(_ format: PCMFormat) { self.format = format }

    mutating func append(_ more: [UInt8]) { bytes += more }

    /// Marks the sound as complete. An incomplete frame at the end is not sound.
    mutating func finish() {
        isWhole = true
        if let format { bytes.removeLast(bytes.count % format.bytesPerFrame) }
    }

    /// Whether enough is made ahead for now.
    func isEnough(at offset: Int) -> Bool { bytes.count - offset >= Self.aheadBytes }

    func seconds(at offset: Int) -> Double {
        format?.seconds(ofBytes: min(offset, bytes.count)) ?? 0
    }

    /// A block of this length from there on, shorter where the sound is not made yet or
    /// silence begins.
    func block(at offset: Int, seconds: Double) -> Block {
        guard let format else { return isWhole ? .end : .pending }
        let most = max(format.bytesPerFrame, format.bytes(ofSeconds: seconds))
        let ready = bytes.count - bytes.count % format.bytesPerFrame
        if offset < ready {
            return .bytes(Array(bytes[offset..<min(offset + most, ready)]))
        }
        if !isWhole { return .pending }
        let left = ready + format.bytes(ofSeconds: pause) - offset
        return left > 0 ? .bytes([UInt8](repeating: 0, count: min(most, left))) : .end
    }
}

/// Signals a change to one waiting task. A signal without a waiter is kept, once.
final class PlaybackSignal: Sendable {
    private struct State {
        var isSet = false
        var waiter: CheckedContinuation<Void, any Error>?
    }

    private let state = Mutex(State())

    func notify() {
        let waiter = state.withLock { state in
            let waiter = state.waiter
            state.isSet = waiter == nil
            state.waiter = nil
            return waiter
        }
        waiter?.resume()
    }

    /// - Throws: `CancellationError`.
    func wait() async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                let isDone = state.withLock { state in
                    // The handler below may have run before and found no waiter.
                    if state.isSet || Task.isCancelled { return true }
                    state.waiter = continuation
                    return false
                }
                guard isDone else { return }
                state.withLock { $0.isSet = false }
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else {
                    continuation.resume()
                }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume(throwing: CancellationError())
        }
    }
}
