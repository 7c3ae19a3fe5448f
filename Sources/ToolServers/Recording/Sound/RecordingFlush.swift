import Dispatch
import Glibc
import Synchronization

/// Brings what was recorded to the disk every few seconds, for a machine that
/// loses its power. On a queue of its own: samples are taken meanwhile, however
/// long the disk needs.
final class RecordingFlush: Sendable {
    private struct State {
        var isRunning = false
        var last: Double?
        /// Told once by the system, so it is kept here.
        var failure: Int32?
    }

    /// Seconds of speech that may be lost with the power.
    static let interval = 3.0

    private let queue = DispatchQueue(label: "recording.flush")
    private let synchronize: @Sendable (Int32) -> Int32
    private let state = Mutex(State())

    /// - Parameter synchronize: blocks until the file is on the disk; gives
    ///   the `errno`, or 0.
    init(synchronize: @escaping @Sendable (Int32) -> Int32 = { fdatasync($0) == 0 ? 0 : errno }) {
        self.synchronize = synchronize
    }

    /// The `errno` of the one that failed.
    var failure: Int32? { state.withLock { $0.failure } }

    /// Begins one when it is time and the last has ended.
    ///
    /// - Parameter now: seconds on a clock that is not set back.
    func flush(_ descriptor: Int32, at now: Double) {
        let isDue = state.withLock { state in
            guard let last = state.last else {
                state.last = now
                return false
            }
            guard !state.isRunning, now - last >= Self.interval else { return false }
            (state.last, state.isRunning) = (now, true)
            return true
        }
        guard isDue else { return }
        // Its own, so that the recording may be closed at any time.
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        queue.async { [self] in
            let code = copy >= 0 ? synchronize(copy) : 0
            if copy >= 0 { close(copy) }
            state.withLock { state in
                state.isRunning = false
                // A file system that knows no such call is no fault.
                if code != 0, code != EINVAL, code != EROFS { state.failure = code }
            }
        }
    }
}
