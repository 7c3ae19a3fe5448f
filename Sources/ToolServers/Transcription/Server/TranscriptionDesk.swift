import AgentCore
import Glibc
import Synchronization

/// The files of a transcription that are not its job's: opening the recording
/// and writing the transcript, on a queue of its own since the disk blocks.
actor TranscriptionDesk {
    private let executor = QueueExecutor(label: "chat.transcripts")

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    func open(_ path: String) throws -> AudioFile { try AudioFile(path) }

    /// Beside the recording: where it is, or why it is not.
    func save(
        _ text: String, beside recording: String, as format: TranscriptWriter.Format, id: String
    ) -> (path: String?, notice: String?) {
        let outcome = TranscriptFile.save(
            Array(text.utf8), beside: recording, extension: format.fileExtension,
            temporary: ".transcript-\(id)")
        return switch outcome {
        case .written(let path): (path, "Written to \(path)")
        case .sameAs(let path): (path, "\(path) says the same already.")
        case .failed:
            (nil, "Not kept beside \(recording): its folder cannot be written.")
        }
    }

    /// Before anything is sent for it.
    /// - Throws: `UsageError` for what cannot be written, or must not be.
    func check(_ output: String, replaces: Bool, of recording: String) throws(UsageError) {
        guard let obstacle = TranscriptFile.obstacle(output, of: recording) else { return }
        switch obstacle {
        case .recording:
            throw UsageError(
                "\(output) is the recording itself.", hint: "Give another name: --output FILE")
        case .noFile:
            throw UsageError(
                "\(output) is no file that can be replaced.",
                hint: "Without --output the words go to standard output.")
        case .file:
            if replaces { return }
            throw UsageError(
                "\(output) exists already.", hint: "Give another name, or --yes to replace it.")
        case .folder(let code):
            throw UsageError(
                "\(output) cannot be written: \(String(cString: strerror(code))).",
                hint: "The folder must be there.")
        }
    }

    /// To a file that was named: where it is, or why it is not. The words have
    /// been paid for, so that this is no error.
    func write(
        _ text: String, to path: String, replaces: Bool, like recording: String, id: String
    ) -> (path: String?, notice: String?) {
        let code = TranscriptFile.write(
            Array(text.utf8), to: path, replaces: replaces, temporary: ".transcript-\(id)",
            like: recording)
        if code == 0 { return (path, nil) }
        return (nil, "\(path) could not be written: \(String(cString: strerror(code))).")
    }

    func jobs(in folder: String) -> [TranscriptionJobFolder.Job] {
        TranscriptionJobFolder(path: folder).jobs()
    }

    func clear(_ folder: String) -> Int { TranscriptionJobFolder(path: folder).clear() }
}

/// Where a transcript was kept, told out of the closure that kept it.
final class Kept: Sendable {
    private let state = Mutex<(path: String?, notice: String?)>((nil, nil))

    var value: (path: String?, notice: String?) { state.withLock { $0 } }

    func set(_ value: (path: String?, notice: String?)) { state.withLock { $0 = value } }
}
