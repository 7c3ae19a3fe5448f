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
    ) -> Kept.Value {
        let outcome = TranscriptFile.save(
            Array(text.utf8), beside: recording, extension: format.fileExtension,
            temporary: ".transcript-\(id)")
        return switch outcome {
        case .written(let path): Kept.Value(written: path)
        case .sameAs(let path):
            Kept.Value(path: path, line: StyledLine("\(path) says the same already.", .dim))
        case .failed(let code):
            Kept.Value(
                notice: "Not kept beside \(recording): \(String(cString: strerror(code))).")
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
    struct Value: Sendable {
        var path: String?
        var line: StyledLine?
        /// Why it is not kept.
        var notice: String?

        init(path: String? = nil, line: StyledLine? = nil, notice: String? = nil) {
            self.path = path
            self.line = line
            self.notice = notice
        }

        init(written path: String) {
            self.init(
                path: path,
                line: StyledLine([.init("Written to ", .dim), .init(path, .dim, file: path)]))
        }
    }

    private let state = Mutex(Value())

    var value: Value { state.withLock { $0 } }

    func set(_ value: Value) { state.withLock { $0 = value } }
}
