import Base
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// The destination of one recording's samples: its file, its meter and its state machine,
/// on a queue of their own because the disk may be slow.
///
/// It neither starts nor signals programs; it returns the actions to perform.
actor RecordingSession: QueuedActor {
    nonisolated let executor = QueueExecutor(label: "recording")

    private let asked: PCMFormat
    private let settings: VoiceSettings.Recording
    private let environment: Environment
    private var file: WaveRecording?
    private var stream: RecorderStream
    private var meter: LevelMeter
    private var machine: RecordingStateMachine
    private let flush: RecordingFlush
    private var hasFailed = false

    init(
        _ format: PCMFormat, _ settings: VoiceSettings.Recording, environment: Environment,
        flush: RecordingFlush = RecordingFlush()
    ) {
        self.flush = flush
        asked = format
        self.settings = settings
        self.environment = environment
        stream = RecorderStream(format)
        meter = LevelMeter(format)
        machine = RecordingStateMachine(program: "", capInBytes: 0)
    }

    /// Called before recording begins, so that a full or missing disk is reported at once.
    func createFile(
        in folder: RecordingsFolder, place: LocalTime
    ) throws(WaveRecording.Failure) {
        file = try folder.create(at: environment.now(), in: place, asked)
    }

    /// Starts a new attempt, discarding the state of the previous one.
    ///
    /// - Parameter missing: the sound server that the program needs.
    func begin(_ program: String, missing: RecorderProgram.Server? = nil) {
        stream = RecorderStream(asked)
        meter = LevelMeter(asked)
        machine = RecordingStateMachine(
            program: program, capInBytes: capInBytes(asked),
            stopAfterSilence: settings.stopAfterSilence, missing: missing)
    }

    func received(_ bytes: [UInt8]) -> [RecordingStateMachine.Action] {
        guard let file else { return [] }
        let samples: [UInt8]
        do {
            samples = try stream.samples(in: bytes)
        } catch {
            return machine.receivedUnreadable()
        }
        if samples.isEmpty { return [] }
        var actions: [RecordingStateMachine.Action] = []
        do {
            if machine.bytes == 0, stream.format != asked {
                try file.change(to: stream.format)
                meter = LevelMeter(stream.format)
            }
            for action in machine.received(samples.count) {
                if case .append(let count) = action {
                    let taken = samples.prefix(count)
                    try file.append(taken)
                    meter.add(taken)
                } else {
                    actions.append(action)
                }
            }
        } catch {
            actions += machine.fileFailed(error.code, bytes: file.bytes)
        }
        return actions
    }

    func tick() -> (actions: [RecordingStateMachine.Action], level: RecordingLevel) {
        let now = environment.uptime()
        var actions = machine.tick(now, meter.level)
        if let file, file.bytes > 0 { flush.flush(file.descriptor, at: now) }
        if let code = flush.failure, let file, !hasFailed {
            hasFailed = true
            actions += machine.fileFailed(code, bytes: file.bytes)
        }
        var level = meter.level
        level.elapsed = stream.format.seconds(ofBytes: machine.bytes)
        level.isStalled = machine.isStalled
        return (actions, level)
    }

    func asked(for request: RecordingStop.Request) -> [RecordingStateMachine.Action] {
        switch request {
        case .stop: machine.stop()
        case .interrupt: machine.interrupt()
        case .cancel: machine.cancel()
        }
    }

    /// - Throws: the error that ended it, or `CancellationError`. The file is kept if it contains
    ///   sound, unless the user cancelled.
    /// - Returns: nil if another program should be tried.
    func ended(
        _ program: String, status: Int32, message: String
    ) throws -> (recording: Recording?, attempt: RecordingError.Attempt?) {
        let outcome = machine.ended(status: status, message: message)
        if case .unusable(let attempt) = outcome { return (nil, attempt) }
        let path = close(keeping: outcome != .cancelled)
        switch outcome {
        case .cancelled, .interrupted:
            throw CancellationError()
        case .failed(let reason):
            throw RecordingError(reason: reason, file: path.kept)
        case .recorded(let ending):
            guard let kept = path.kept else { throw RecordingError(reason: .nothingRecorded) }
            if let code = path.failure { throw RecordingError(reason: .file(code), file: kept) }
            let recording = Recording(
                path: kept, format: stream.format,
                duration: stream.format.seconds(ofBytes: machine.bytes),
                wasSilent: !meter.level.hasHeard, endedBy: ending, program: program)
            return (recording, nil)
        case .unusable(let attempt):
            return (nil, attempt)
        }
    }

    /// Removes the empty file.
    func discard() { _ = close(keeping: false) }

    private func close(keeping keeps: Bool) -> (kept: String?, failure: Int32?) {
        guard let file else { return (nil, nil) }
        self.file = nil
        guard keeps, file.bytes > 0 else {
            file.remove()
            return (nil, nil)
        }
        do {
            try file.synchronize()
            return (file.path, nil)
        } catch {
            return (file.path, error.code)
        }
    }

    private func capInBytes(_ format: PCMFormat) -> Int {
        let seconds = Double(min(max(1, settings.capInMinutes), 100_000)) * 60
        let most = WaveRecording.mostBytes / format.bytesPerFrame * format.bytesPerFrame
        return min(format.bytes(ofSeconds: seconds), most)
    }
}

/// Syncs the recording to disk every few seconds, against a power failure. On a separate queue, so
/// that samples are accepted meanwhile, however long the disk takes.
final class RecordingFlush: Sendable {
    private struct State {
        var isRunning = false
        var last: Double?
        /// The system reports it only once, so it is stored here.
        var failure: Int32?
    }

    /// Seconds of speech that a power failure may lose.
    static let interval = 3.0

    private let queue = DispatchQueue(label: "recording.flush")
    private let synchronize: @Sendable (Int32) -> Int32
    private let state = Mutex(State())

    /// - Parameter synchronize: blocks until the file is on disk; returns the `errno`, or
    ///   0.
    init(synchronize: @escaping @Sendable (Int32) -> Int32 = { fdatasync($0) == 0 ? 0 : errno }) {
        self.synchronize = synchronize
    }

    /// The `errno` of a failed sync.
    var failure: Int32? { state.withLock { $0.failure } }

    /// Starts a sync if it is due and the previous one has ended.
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
        // A duplicate, so that the recording may be closed at any time.
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        queue.async { [self] in
            let code = copy >= 0 ? synchronize(copy) : 0
            if copy >= 0 { close(copy) }
            state.withLock { state in
                state.isRunning = false
                // A file system without this call is not an error.
                if code != 0, code != EINVAL, code != EROFS { state.failure = code }
            }
        }
    }
}
