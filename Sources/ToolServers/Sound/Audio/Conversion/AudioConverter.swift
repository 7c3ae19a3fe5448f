import Base
import Glibc

/// Turns any file of sound into a WAV that can be cut up and sent, 16 kHz mono
/// of 16 bits, with ffmpeg or sox, whichever is installed.
///
/// The program gets the file's kind by name, so that no name and no content makes
/// it anything else (a playlist, a script that opens other files), and the file
/// has passed `AudioFile` before. It runs with a limit on time; what it
/// gives becomes a private file, at its place only when it is whole.
package struct AudioConverter: Sendable {
    package var variables: [String: String]
    /// Bytes of one upload: for the error that names what is missing.
    package var limitInBytes: Int
    /// What a conversion may take beside what its length makes it take.
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

    /// Writes the file's sound to `path`, in a folder that is there. What is
    /// at that path already is replaced.
    ///
    /// - Parameter onProgress: seconds written, of all where that is known;
    ///   some calls a second, from another thread.
    /// - Throws: `AudioError` (`needsProgram`, `conversionFailed`, `tooLong`,
    ///   `file`), `CancellationError`. Nothing is left at `path` then.
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
        // The name could mean another file by now than the one that was
        // looked at; the program opens it by name.
        try check(file)
        let partial = path + ".part"
        // What an earlier run left may be a link by now.
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
            // Not installed, or not to be run: the next one is asked.
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
            // Built without that format: as good as not installed.
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

    /// Tells how far it came, four times a second, until it is cancelled.
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

    /// The slowest machine decodes twenty times as fast as one listens; where
    /// the length is unknown, some thousand bytes are a second.
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

    /// A program that says it has done its work may have written nothing.
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

    /// The last line of what it said is nearest to the cause; foreign text.
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

/// One run of a program that converts: the samples it writes to its standard
/// output become a WAV file of ours. Since it writes to us, it ends when we do,
/// also by SIGKILL; and a full disk is seen as one.
///
/// What its end means is `AudioConverter`'s.
actor ConversionRun: QueuedActor {
    private let process: RunningProcess
    private let file: WaveRecording
    /// Writing to a disk may block.
    nonisolated let executor = QueueExecutor(label: "conversion")

    /// - Parameter path: of a file that is not there yet.
    /// - Throws: `SubprocessError`, `WaveRecording.Failure`.
    init(
        _ program: String, _ arguments: [String], variables: [String: String], into path: String
    ) throws {
        file = try WaveRecording(creating: path, .dictation)
        process = try RunningProcess.start(
            program: program, arguments: arguments,
            environment: Subprocess.baseEnvironment(from: variables), readsOutput: true)
    }

    /// Of sound that is in the file.
    var seconds: Double { PCMFormat.dictation.seconds(ofBytes: file.bytes) }

    /// Returns when the program has ended and all it gave is in the file.
    /// Cancelled, it ends the program first.
    /// - Throws: `WaveRecording.Failure`, `CancellationError`.
    func run() async throws -> (status: Subprocess.Result.Status, errorOutput: [UInt8]) {
        let size = PCMFormat.dictation.bytesPerFrame
        // The first part of a frame.
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
        // It has closed its output, and may hang nevertheless.
        let status = await withTaskCancellationHandler {
            await process.status()
        } onCancel: {
            process.signal(SIGKILL)
        }
        try Task.checkCancellation()
        return (status, process.errorOutput)
    }
}
