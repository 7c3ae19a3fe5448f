import Synchronization

/// Turns the bytes of a request that have left into progress of its sound,
/// and orders what two threads report: nothing of the upload is reported after the
/// answer has begun.
final class SentSound: Sendable {
    private struct State {
        var sent = 0
        var isClosed = false
    }

    private let sound: Range<Int>
    private let tell: @Sendable (TranscriptionProgress) -> Void
    private let state = Mutex(State())

    /// - Parameter sound: where it stands in the body of the request.
    init(sound: Range<Int>, tell: @escaping @Sendable (TranscriptionProgress) -> Void) {
        self.sound = sound
        self.tell = tell
    }

    /// Bytes of sound that have left.
    var sent: Int { state.withLock { $0.sent } }

    /// On the transport's thread.
    func note(bytesOfBody bytes: Int) {
        let sent = min(max(bytes - sound.lowerBound, 0), sound.count)
        state.withLock { state in
            guard sent != state.sent else { return }
            state.sent = sent
            // Told under the lock: the reader's words come after it.
            guard !state.isClosed else { return }
            tell(.sent(bytes: sent, of: sound.count))
            if sent == sound.count { tell(.waiting) }
        }
    }

    /// The answer has begun.
    func close() { state.withLock { $0.isClosed = true } }
}
