import AgentCore
import Glibc

/// One run of a program that converts: the samples it writes to its standard
/// output become a WAV file of ours. Since it writes to us, it ends when we do,
/// also by SIGKILL; and a full disk is seen as one.
///
/// What its end means is `AudioConverter`'s.
actor ConversionRun {
    private let process: RunningProcess
    private let file: WaveRecording
    /// Writing to a disk may block.
    private let executor = QueueExecutor(label: "conversion")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

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
