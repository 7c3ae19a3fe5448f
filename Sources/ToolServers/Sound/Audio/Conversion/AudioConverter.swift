import Base
import Glibc

/// Converts any sound file to a WAV that can be divided and uploaded, 16 kHz mono of 16
/// bits, with ffmpeg or sox, whichever is installed.
///
/// The program is given the format explicitly, so that no name and no content makes it
/// anything else (a playlist, a script that opens other files), and `AudioFile` has checked
/// the file before. It runs with a time limit; its output becomes a private file, moved
/// into place only when complete.
package struct AudioConverter: Sendable {
    package var variables: [String: String]
    /// Upload limit in bytes, for the error that names missing programs.
    package var limitInBytes: Int
    /// Time allowed for a conversion in addition to that for its length.
    var patience: Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    package init(
        variables: [String: String], limitInBytes: Int = 25_000_000,
        patience: Duration = .seconds(60),
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        }
    ) {
        self.variables = variables
        self.limitInBytes = limitInBytes
        self.patience = patience
        self.sleep = sleep
    }

    /// Writes the file's sound to `path`, in an existing folder. A file at that path is
    /// replaced.
    ///
    /// - Parameter onProgress: seconds written and, if known, the total; called some times
    ///   a second from another thread.
    /// - Throws: `AudioError` (`needsProgram`, `conversionFailed`, `tooLong`, `file`),
    ///   `CancellationError`. Nothing is left at `path` in that case.
    package func wave(
        of file: AudioFile, into path: String,
        onProgress: @escaping @Sendable (_ done: Double, _ all: Double?) -> Void = { _, _ in }
    ) async throws -> AudioFile {
        try Task.checkCancellation()
        if let duration = file.duration, duration > Double(AudioCuts.longestSeconds) {
            throw AudioError(reason: .tooLong(duration), path: file.path)
        }
        guard let command = command(for: file) else {
            throw missing(ConversionCommand.programs(for: file), file)
        }
        // The program opens the file by name, which could mean another file by now than the
        // one that was inspected.
        try check(file)
        let partial = path + ".part"
        // The leftover of an earlier run may be a link by now.
        unlink(partial)
        do {
            try await run(command, file, into: partial, onProgress)
            try check(file)
            try verify(partial, command, file)
            guard rename(partial, path) == 0 else {
                throw AudioError(reason: .file(.system(errno)), path: path)
            }
            return try AudioFile(path)
        } catch {
            unlink(partial)
            throw error
        }
    }

    private func command(for file: AudioFile) -> ConversionCommand? {
        for name in ConversionCommand.programs(for: file) {
            // Not installed or not executable: try the next one.
            guard let program = try? Subprocess.find(name, in: variables) else { continue }
            return ConversionCommand(name: name, program: program)
        }
        return nil
    }

    private func run(
        _ command: ConversionCommand, _ file: AudioFile, into path: String,
        _ onProgress: @escaping @Sendable (Double, Double?) -> Void
    ) async throws {
        do {
            let run = try ConversionRun(
                command.program, command.arguments(file, input: Self.absolute(file.path)),
                variables: variables, into: path)
            let (status, words) = try await withThrowingTaskGroup(
                of: (Subprocess.Result.Status, [UInt8])?.self
            ) { group in
                group.addTask { try await run.run() }
                group.addTask {
                    try await report(run, file, onProgress)
                    return nil
                }
                group.addTask { [limit = limit(file)] in
                    try await Task.sleep(for: limit)
                    return nil
                }
                defer { group.cancelAll() }
                guard let first = try await group.next(), let ended = first else {
                    throw SubprocessError(reason: .timedOut, program: command.program)
                }
                return ended
            }
            guard status != .exited(0) else { return }
            let message = Self.message(status, words)
            // Built without that format: treat it as not installed.
            if command.name == "sox", message.contains("no handler for") {
                throw missing(["ffmpeg"], file)
            }
            throw failure(command, message, file)
        } catch let error as WaveRecording.Failure {
            throw AudioError(reason: .file(.system(error.code)), path: path)
        } catch let error as SubprocessError {
            let words =
                switch error.reason {
                case .timedOut: "it did not finish in time"
                case .notFound, .notExecutable, .couldNotStart: "it could not be started"
                }
            throw failure(command, words, file)
        }
    }

    /// Reports progress four times a second until cancelled.
    private func report(
        _ run: ConversionRun, _ file: AudioFile, _ onProgress: (Double, Double?) -> Void
    ) async throws {
        while true {
            try await sleep(.milliseconds(250))
            try Task.checkCancellation()
            let seconds = await run.seconds
            onProgress(min(seconds, file.duration ?? seconds), file.duration)
        }
    }

    /// The time limit. The slowest machine decodes at twenty times the speed of listening;
    /// if the length is unknown, assume some thousand bytes a second.
    private func limit(_ file: AudioFile) -> Duration {
        patience + .seconds((file.duration ?? Double(file.bytes) / 2_000) / 20)
    }

    // MARK: Files

    private func check(_ file: AudioFile) throws(AudioError) {
        do {
            try file.file.checkUnchanged()
        } catch {
            throw AudioError(reason: .file(error.reason), path: file.path)
        }
    }

    /// A program may report success without writing anything.
    private func verify(
        _ path: String, _ command: ConversionCommand, _ file: AudioFile
    ) throws(AudioError) {
        let wave: WaveHeader?
        do {
            wave = try AudioFile(path).wave
        } catch {
            throw failure(command, "it wrote no sound", file)
        }
        guard let wave, wave.frames > 0, wave.isCuttable else {
            throw failure(command, "it wrote no sound", file)
        }
        guard wave.duration <= Double(AudioCuts.longestSeconds) else {
            throw AudioError(reason: .tooLong(wave.duration), path: file.path)
        }
    }

    private func missing(_ programs: [String], _ file: AudioFile) -> AudioError {
        AudioError(
            reason: .needsProgram(programs, bytes: file.bytes, limit: limitInBytes),
            path: file.path)
    }

    private func failure(
        _ command: ConversionCommand, _ message: String, _ file: AudioFile
    ) -> AudioError {
        AudioError(
            reason: .conversionFailed(program: command.name, message: message), path: file.path)
    }

    /// The last line of its error output is closest to the cause; untrusted text.
    private static func message(_ status: Subprocess.Result.Status, _ words: [UInt8]) -> String {
        if let last = words.split(separator: UInt8(ascii: "\n")).last {
            return String(String(decoding: last, as: UTF8.self).prefix(300))
        }
        return switch status {
        case .exited(let code): "exit status \(code)"
        case .signalled(let number): "ended by signal \(number)"
        }
    }

    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }
}

/// One run of a conversion program: the samples on its standard output become our WAV file.
/// Because it writes to us, it ends when we do, also by SIGKILL; and a full disk is
/// reported as one.
///
/// `AudioConverter` interprets how it ends.
actor ConversionRun: QueuedActor {
    private let process: RunningProcess
    private let file: WaveRecording
    /// Writing to a disk may block.
    nonisolated let executor = QueueExecutor(label: "conversion")

    /// - Parameter path: a path where no file exists yet.
    /// - Throws: `SubprocessError`, `WaveRecording.Failure`.
    init(
        _ program: String, _ arguments: [String], variables: [String: String], into path: String
    ) throws {
        file = try WaveRecording(creating: path, .dictation)
        process = try RunningProcess.start(
            program: program, arguments: arguments,
            environment: Subprocess.baseEnvironment(from: variables), readsOutput: true)
    }

    /// Seconds of sound in the file.
    var seconds: Double { PCMFormat.dictation.seconds(ofBytes: file.bytes) }

    /// Returns when the program has ended and all its output is in the file. If cancelled,
    /// it ends the program first.
    /// - Throws: `WaveRecording.Failure`, `CancellationError`.
    func run() async throws -> (status: Subprocess.Result.Status, errorOutput: [UInt8]) {
        let size = PCMFormat.dictation.bytesPerFrame
        // The start of an incomplete frame.
        var rest: [UInt8] = []
        do {
            while let bytes = try await process.read() {
                let samples = rest.isEmpty ? bytes : rest + bytes
                let whole = samples.count / size * size
                try file.append(samples[..<whole])
                rest = Array(samples[whole...])
            }
        } catch {
            _ = await process.stop()
            throw error
        }
        // It has closed its output, but may still hang.
        let status = await withTaskCancellationHandler {
            await process.status()
        } onCancel: {
            process.signal(SIGKILL)
        }
        try Task.checkCancellation()
        return (status, process.errorOutput)
    }
}
