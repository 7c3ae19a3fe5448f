import Glibc

/// State machine of one attempt to record with one program.
///
///     starting ── samples ─→ recording ── stop, cap, silence ─→ stopping
///        │                      │                                  │ SIGINT …
///        │ end: the next        │ end                              │ SIGTERM, SIGKILL
///        ▼ program is tried     ▼                                  ▼ end
///       done                   done                               done
///
/// Pure: the caller writes the file, signals the program and keeps time.
struct RecordingStateMachine {
    enum Outcome: Equatable {
        case recorded(Recording.Ending)
        /// The user cancelled; the recording is removed.
        case cancelled
        /// The task was cancelled; the recording is kept.
        case interrupted
        case failed(RecordingError.Reason)
        /// No samples arrived; another program may do better.
        case unusable(RecordingError.Attempt)
    }

    enum Action: Equatable {
        /// Append this many of the received bytes.
        case append(Int)
        case signal(Int32)
        /// Stop waiting for its end.
        case abandon
    }

    private enum Stopping: Equatable {
        case asked(Recording.Ending)
        case cancelled, interrupted
        case failed(RecordingError.Reason)
        case unreadable, withoutServer
    }

    private enum State: Equatable {
        case starting
        case recording
        case stopping(Stopping)
        case done
    }

    /// A healthy recorder sends sound within this time.
    static let silentAfter = 2.0
    /// Shorter limit for a recorder whose sound server does not answer.
    static let silentAfterWithoutServer = 0.3
    /// A sound card may hang and recover; the user sees it meanwhile.
    static let stalledAfter = 10.0
    /// Maximum time counted between two ticks: if the whole program was stopped (Ctrl-Z),
    /// the recorder did not fall silent.
    static let longestTick = 0.2
    /// Seconds from SIGINT to SIGTERM, SIGKILL and giving up.
    private static let patience = (term: 1.0, kill: 1.5, abandon: 2.5)

    private let program: String
    private let capInBytes: Int
    private let stopAfterSilence: Double?
    private let missing: RecorderProgram.Server?
    private var state = State.starting
    /// Bytes of samples in the file.
    private(set) var bytes: Int
    /// Seconds since the last sample, or since the stop.
    private var waited = 0.0
    private var lastTick: Double?
    private var hardest: Int32 = 0

    /// - Parameters:
    ///   - stopAfterSilence: seconds; nil for never.
    ///   - missing: the sound server that the program needs but that does not answer.
    init(
        program: String, capInBytes: Int, stopAfterSilence: Double? = nil,
        missing: RecorderProgram.Server? = nil
    ) {
        self.missing = missing
        self.program = program
        self.capInBytes = capInBytes
        self.stopAfterSilence = stopAfterSilence
        bytes = 0
    }

    /// Whether the recorder has sent sound and now sends none.
    var isStalled: Bool { state == .recording && waited >= Self.silentAfter }

    mutating func received(_ count: Int) -> [Action] {
        switch state {
        case .done, .stopping(.cancelled), .stopping(.unreadable), .stopping(.withoutServer),
            .stopping(.failed(.file)):
            return []
        case .starting, .recording, .stopping:
            break
        }
        let taken = min(count, capInBytes - bytes)
        bytes += taken
        var actions: [Action] = taken > 0 ? [.append(taken)] : []
        if state == .starting, taken > 0 { state = .recording }
        if state == .recording {
            waited = 0
            if bytes >= capInBytes { actions += stopping(.asked(.cap), SIGINT) }
        }
        return actions
    }

    /// Handles a header that cannot be read.
    mutating func receivedUnreadable() -> [Action] {
        state == .starting ? stopping(.unreadable, SIGKILL) : []
    }

    /// - Parameters:
    ///   - now: seconds on a clock that is not set back.
    ///   - level: the level of the samples so far.
    mutating func tick(_ now: Double, _ level: RecordingLevel) -> [Action] {
        waited += min(max(0, now - (lastTick ?? now)), Self.longestTick)
        lastTick = now
        // Tolerance for rounding: ten ticks of 50 ms are half a second.
        let waited = waited + 0.001
        switch state {
        case .starting:
            if missing != nil, waited >= Self.silentAfterWithoutServer {
                return stopping(.withoutServer, SIGKILL)
            }
            if waited >= Self.silentAfter {
                return stopping(.failed(.programSilent(program)), SIGKILL)
            }
        case .recording:
            if waited >= Self.stalledAfter {
                return stopping(.failed(.programSilent(program)), SIGKILL)
            }
            // Allow a longer pause before speech has begun.
            if let limit = stopAfterSilence,
                level.silence >= (level.hasHeard ? limit : max(10, 3 * limit))
            {
                return stopping(.asked(.silence), SIGINT)
            }
        case .stopping(let reason):
            // Hurry if the program is shutting down.
            let pace = reason == .interrupted ? 0.2 : 1.0
            if waited >= Self.patience.abandon * pace { return [.abandon] }
            if waited >= Self.patience.kill * pace { return harder(SIGKILL) }
            if waited >= Self.patience.term * pace { return harder(SIGTERM) }
        case .done:
            break
        }
        return []
    }

    mutating func stop() -> [Action] {
        switch state {
        case .starting, .recording: stopping(.asked(.stop), SIGINT)
        case .stopping, .done: []
        }
    }

    mutating func cancel() -> [Action] { state == .done ? [] : stopping(.cancelled, SIGKILL) }

    mutating func interrupt() -> [Action] {
        switch state {
        case .starting, .recording, .stopping(.asked): stopping(.interrupted, SIGINT)
        case .stopping, .done: []
        }
    }

    /// The file accepted only part of the appended bytes.
    mutating func fileFailed(_ code: Int32, bytes: Int) -> [Action] {
        self.bytes = bytes
        switch state {
        case .stopping(.cancelled), .done: return []
        case .starting, .recording, .stopping: return stopping(.failed(.file(code)), SIGKILL)
        }
    }

    /// The program has ended and all its output was received.
    ///
    /// - Parameter message: its last error message.
    mutating func ended(status: Int32, message: String) -> Outcome {
        defer { state = .done }
        switch state {
        case .starting:
            return .unusable(attempt(status, message))
        case .recording, .done:
            if status == 0 { return .recorded(.recorder) }
            return .failed(.programFailed(program, status: status, message: message))
        case .stopping(.asked(let ending)):
            return bytes > 0 ? .recorded(ending) : .failed(.nothingRecorded)
        case .stopping(.cancelled):
            return .cancelled
        case .stopping(.interrupted):
            return .interrupted
        case .stopping(.failed(let reason)):
            return .failed(reason)
        case .stopping(.withoutServer):
            let server = missing.map(\.rawValue) ?? "sound server"
            return .unusable(attempt(status, "could not connect to \(server)"))
        case .stopping(.unreadable):
            return .unusable(attempt(0, "not 16-bit PCM"))
        }
    }

    private mutating func stopping(_ reason: Stopping, _ signal: Int32) -> [Action] {
        state = .stopping(reason)
        waited = 0
        hardest = 0
        return harder(signal)
    }

    /// Sends each signal only once.
    private mutating func harder(_ signal: Int32) -> [Action] {
        let isNew = Self.hardness(signal) > Self.hardness(hardest)
        if isNew { hardest = signal }
        return isNew ? [.signal(signal)] : []
    }

    private static func hardness(_ signal: Int32) -> Int {
        [SIGINT, SIGTERM, SIGKILL].firstIndex(of: signal).map { $0 + 1 } ?? 0
    }

    private func attempt(_ status: Int32, _ message: String) -> RecordingError.Attempt {
        RecordingError.Attempt(program: program, status: status, message: message)
    }
}
