import Base
import Glibc
import Synchronization

/// One run of espeak-ng while it is read. Dropping it ends the program. For one consumer.
final class EspeakRun: Sendable {
    private struct State {
        var wave = WaveStream()
        var gain: SampleGain?
        var isOver = false
    }

    private let program: EspeakProgram
    private let process: RunningProcess
    private let gain: Double
    private let state = Mutex(State())
    /// Gives the text to the program, which may read it slowly.
    private let writing: Task<Void, Never>

    /// - Throws: `SubprocessError`.
    init(
        _ program: EspeakProgram, _ arguments: [String], text: [UInt8], gain: Double
    ) throws {
        self.program = program
        self.gain = gain
        let process = try RunningProcess.start(
            program: program.path, arguments: arguments, environment: program.variables,
            writesInput: true, readsOutput: true)
        self.process = process
        writing = Task {
            // Unread text shows in the output and the status.
            _ = try? await process.write(text)
            process.closeInput()
        }
    }

    deinit { writing.cancel() }

    /// Reads the format and the first sound.
    func begin() async throws -> (format: PCMFormat, sound: [UInt8]) {
        while let sound = try await next() {
            if let format = state.withLock({ $0.wave.format }) { return (format, sound) }
        }
        throw SpeechError(
            reason: .programFailed(EspeakProgram.name, status: 0, message: "no sound"))
    }

    /// The next whole frames; nil at the end of a successful run.
    func next() async throws -> [UInt8]? {
        while true {
            if state.withLock({ $0.isOver }) { return nil }
            let bytes: [UInt8]?
            do {
                bytes = try await program.patiently { [process] in try await process.read() }
            } catch {
                // It hangs or is no longer needed: wait for its end.
                _ = await process.stop()
                throw error
            }
            guard let bytes else {
                state.withLock { $0.isOver = true }
                try await end()
                return nil
            }
            let sound = try state.withLock { state throws(SpeechError) in
                try take(bytes, &state)
            }
            if !sound.isEmpty { return sound }
        }
    }

    private func take(_ bytes: [UInt8], _ state: inout State) throws(SpeechError) -> [UInt8] {
        let samples: [UInt8]
        do {
            samples = try state.wave.feed(bytes)
        } catch {
            throw SpeechError(reason: .malformed)
        }
        guard let format = state.wave.format else { return [] }
        var gain = state.gain ?? SampleGain(self.gain, format: format)
        let sound = gain.take(samples)
        state.gain = gain
        return sound
    }

    /// Ends a process that has closed its output: waits for its end, or forces it.
    private func end() async throws {
        let environment = program.environment
        let status = await withTaskGroup(of: Subprocess.Result.Status?.self) { group in
            group.addTask { [process] in await process.status() }
            group.addTask { [process] in
                // Cancellation counts as the end.
                try? await environment.sleep(EspeakProgram.patience)
                process.signal(SIGKILL)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        try Task.checkCancellation()
        guard let status else { throw SpeechError(reason: .programHangs(EspeakProgram.name)) }
        try program.check(status, process.errorOutput)
    }
}
