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

    /// - Throws: `UsageError` where there is such a file, `ToolError`.
    func write(
        _ text: String, to path: String, replaces: Bool, like recording: String, id: String
    ) throws {
        let code = TranscriptFile.write(
            Array(text.utf8), to: path, replaces: replaces, temporary: ".transcript-\(id)",
            like: recording)
        if code == 0 { return }
        if code == EEXIST {
            throw UsageError(
                "\(path) exists already.", hint: "Give another name, or --yes to replace it.")
        }
        throw OpenFile.Failure(reason: .system(code), path: path)
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
