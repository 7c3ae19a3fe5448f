import Base
import Glibc

/// Writes sound to a player's standard input, at playback speed.
///
/// If a player cannot start (no sound server, no card), the next installed one gets the
/// first sound again. If it later ends, hangs or stops reading, that is an error. None
/// outlives `stop`, nor this object.
package actor PlayerSink: AudioSink {
    private struct Running {
        var name: String
        var index: Int
        var format: PCMFormat
        var process: RunningProcess
        /// Sound to repeat for the next player; nil once this one is known to work.
        var given: [UInt8]?
    }

    /// Time limits without progress.
    package struct Patience: Sendable {
        /// Limit until the player is known to work: Bluetooth headphones need seconds to wake.
        package var first: Duration = .seconds(6)
        /// Limit for a player that stops reading, and for the end after the last sound. Including
        /// the grace period at its end, a hang is detected within two seconds.
        package var later: Duration = .milliseconds(1700)
    }

    /// A player that has read this many seconds has opened its sound card: with the pace
    /// limit it has run for most of that time.
    private static let proof = 1.0
    /// A slower device is shown as waking.
    private static let waking = Duration.seconds(1)

    private let finder: PlayerFinder
    private let environment: Environment
    private let patience: Patience
    private var onEvent: (@Sendable (AudioSinkEvent) async -> Void)?
    private var running: Running?
    /// Players that failed to start since the last success or stop.
    private var failed: [ProgramAttempt] = []
    /// The last player started: its options are not looked up twice.
    private var found: (found: PlayerFinder.Found, index: Int)?
    private var pace = PlaybackPace()
    /// Index to search from: after those that could not play.
    private var firstCandidate = 0
    /// A player whose end `stop` has not seen yet.
    private var ending: RunningProcess?
    /// Counts the stops, so that a waiting call notices.
    private var stops = 0

    package init(
        command: [String]?, environment: Environment, patience: Patience = Patience()
    ) {
        finder = PlayerFinder(command: command, variables: environment.variables)
        self.environment = environment
        self.patience = patience
    }

    package func observe(_ onEvent: @escaping @Sendable (AudioSinkEvent) async -> Void) {
        self.onEvent = onEvent
    }

    package func begin(_ format: PCMFormat) async throws {
        if running?.format == format { return }
        try await finish()
        failed = []
        try await start(format, after: nil)
    }

    package func write(_ bytes: [UInt8]) async throws {
        guard let format = running?.format else { throw CancellationError() }
        let part = max(format.bytesPerFrame, format.bytes(ofSeconds: 0.02))
        var rest = bytes[...]
        while !rest.isEmpty {
            let block = Array(rest.prefix(part))
            rest = rest.dropFirst(part)
            let seconds = format.seconds(ofBytes: block.count)
            let wait = pace.wait(for: seconds, at: environment.uptime())
            if wait > 0 { try await environment.sleep(.seconds(wait)) }
            let before = environment.uptime()
            try await give(block)
            let now = environment.uptime()
            // It was full a moment ago, and none of that was heard yet.
            if now - before > 0.05 { pace.filled(pipeSeconds(format), at: now) }
            pace.gave(seconds, at: now)
        }
    }

    package func finish() async throws {
        guard let current = running else { return }
        let before = stops
        current.process.closeInput()
        let left = Duration.seconds(pace.left(at: environment.uptime()))
        let end = try await within(left + patience(with: current), of: current) {
            await current.process.status()
        }
        try assertGoesOn(before)
        running = nil
        guard end == .exited(0) else {
            if try await startNext(current, end) { return try await finish() }
            throw failure(of: current, end)
        }
        // It has played, so it comes first next time.
        firstCandidate = current.index
        failed = []
    }

    package func stop() async {
        stops += 1
        failed = []
        guard let current = running else {
            // Another call is stopping it: wait, so that no player is left after this one.
            _ = await ending?.status()
            return
        }
        (running, ending) = (nil, current.process)
        pace = PlaybackPace()
        _ = await current.process.stop(grace: .milliseconds(60))
        if ending === current.process { ending = nil }
    }

    // MARK: -

    private func give(_ block: [UInt8]) async throws {
        let before = stops
        guard let current = running else { throw CancellationError() }
        let isTaken = try await within(patience(with: current), of: current) {
            try await current.process.write(block)
        }
        try assertGoesOn(before)
        if !isTaken {
            let end = await current.process.stop()
            try assertGoesOn(before)
            running = nil
            guard try await startNext(current, end) else { throw failure(of: current, end) }
            return try await give(block)
        }
        guard let given = current.given else { return }
        let isProved = current.format.seconds(ofBytes: given.count) > Self.proof
        running?.given = isProved ? nil : given + block
        if isProved { failed = [] }
    }

    private func patience(with current: Running) -> Duration {
        current.given == nil ? patience.later : patience.first
    }

    /// Size of the pipe to it: small, so that a player that starts late is noticed, yet a
    /// pause is heard soon. The system counts in pages, and in powers of two.
    private static func pipeBytes(_ format: PCMFormat) -> Int {
        var bytes = 4096
        while bytes < format.bytes(ofSeconds: 0.05) { bytes *= 2 }
        return bytes
    }

    private func pipeSeconds(_ format: PCMFormat) -> Double {
        format.seconds(ofBytes: Self.pipeBytes(format))
    }

    /// - Throws: `CancellationError` if `stop` was called while we waited.
    private func assertGoesOn(_ before: Int) throws {
        if stops != before { throw CancellationError() }
    }

    /// Starts the first suitable player, repeating the sound given to a failed one.
    private func start(_ format: PCMFormat, after failed: Running?) async throws {
        let before = stops
        let first = failed.map { $0.index + 1 } ?? firstCandidate
        var known = found
        if known.map({ $0.index < first }) ?? true { known = try await finder.find(from: first) }
        guard let (found, index) = known else {
            throw SpeechError(reason: .needsProgram(finder.names))
        }
        try assertGoesOn(before)
        self.found = (found, index)
        let process: RunningProcess
        do {
            process = try RunningProcess.start(
                program: found.path, arguments: found.player.arguments(for: format),
                environment: finder.environment, writesInput: true,
                pipeBytes: Self.pipeBytes(format))
        } catch {
            self.found = nil
            throw SpeechError(reason: .programFailed(found.player.name, status: -1, message: ""))
        }
        pace = PlaybackPace()
        running = Running(
            name: found.player.name, index: index, format: format, process: process, given: [])
        if let given = failed?.given { try await write(given) }
    }

    /// Starts another player in place of one that never played, and returns whether it
    /// could.
    private func startNext(
        _ failed: Running, _ end: Subprocess.Result.Status
    ) async throws -> Bool {
        guard failed.given != nil else { return false }
        let (status, message) = lastWords(of: failed, end)
        self.failed.append(
            ProgramAttempt(program: failed.name, status: status, message: message))
        do {
            try await start(failed.format, after: failed)
        } catch let error as SpeechError {
            // No player is left: report the first failure.
            if case .needsProgram = error.reason {
                // A card may be plugged in by the next time.
                (firstCandidate, found) = (0, nil)
                return false
            }
            throw error
        }
        firstCandidate = failed.index + 1
        return true
    }

    private enum Progress<Value: Sendable>: Sendable {
        case done(Value)
        case waking, late
    }

    /// The result of the work; a player that takes too long is ended.
    private func within<Value: Sendable>(
        _ limit: Duration, of current: Running,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let (process, sleep) = (current.process, environment.sleep)
        let onEvent = current.given == nil ? nil : onEvent
        let result = try await withThrowingTaskGroup(
            of: Progress<Value>.self, returning: Value?.self
        ) { group in
            group.addTask { .done(try await work()) }
            group.addTask {
                try await sleep(limit)
                return .late
            }
            if onEvent != nil, limit > Self.waking {
                group.addTask {
                    try await sleep(Self.waking)
                    return .waking
                }
            }
            defer { group.cancelAll() }
            var isWaking = false
            do {
                while let progress = try await group.next() {
                    switch progress {
                    case .done(let value):
                        if isWaking { await onEvent?(.waking(false)) }
                        return value
                    case .waking:
                        isWaking = true
                        await onEvent?(.waking(true))
                        continue
                    case .late: break
                    }
                    break
                }
            } catch {
                // Only the end itself stops waiting for the end, not cancellation.
                // Cancelled sound is not heard any further anyway.
                process.signal(SIGKILL)
                if isWaking { await onEvent?(.waking(false)) }
                throw error
            }
            if isWaking { await onEvent?(.waking(false)) }
            _ = await process.stop()
            return nil
        }
        if let result { return result }
        running = nil
        throw SpeechError(reason: .programHangs(current.name), attempts: failed)
    }

    private func failure(
        of player: Running, _ end: Subprocess.Result.Status
    ) -> SpeechError {
        let (status, message) = lastWords(of: player, end)
        // A player that has played is not a failed attempt: its message is all there is.
        let attempts = player.given == nil ? [] : failed
        return SpeechError(
            reason: .programFailed(player.name, status: status, message: message),
            attempts: attempts)
    }

    private func lastWords(
        of player: Running, _ end: Subprocess.Result.Status
    ) -> (status: Int32, message: String) {
        let status: Int32 =
            switch end {
            case .exited(let status): status
            // As in a shell.
            case .signalled(let signal): 128 + signal
            }
        let lines = String(decoding: player.process.errorOutput, as: UTF8.self)
            .split(whereSeparator: \.isNewline)
        let message = lines.suffix(2).joined(separator: " ").prefix(200)
        return (status, String(message))
    }
}

/// Tracks how far ahead of playback we are, and how long to wait before giving more sound
/// to a player that would read any amount of it.
///
/// Sound given at `now` is heard from `now` on, or after the sound given before it. Pure:
/// the caller reads the clock.
struct PlaybackPace {
    /// Maximum seconds of sound under way. A pause is heard after that time, and less than
    /// a fifth of a second feels immediate. Half as much would cause gaps: PipeWire takes
    /// 85 ms at a time, and on a busy machine a block comes 50 ms late.
    static let limit = 0.16

    /// Time when all given sound has been heard, on the clock of `Environment.uptime`.
    private(set) var heardAt = 0.0

    /// Seconds to wait before this much can be given.
    func wait(for seconds: Double, at now: Double) -> Double {
        max(0, heardAt + seconds - now - Self.limit)
    }

    mutating func gave(_ seconds: Double, at now: Double) {
        heardAt = max(heardAt, now) + seconds
    }

    /// The player has read nothing for a while: the content of its pipe is still to be
    /// heard.
    mutating func filled(_ seconds: Double, at now: Double) {
        heardAt = max(heardAt, now + seconds)
    }

    /// Seconds until everything is heard.
    func left(at now: Double) -> Double { max(0, heardAt - now) }
}
