import AgentCore
import Base
import Glibc
import Sound
import Synchronization

/// Opens recordings and writes transcripts, on a queue of its own since the
/// disk blocks. The job handles its own files.
actor TranscriptFiles: QueuedActor {
    nonisolated let executor = QueueExecutor(label: "chat.transcripts")

    func open(_ path: String) throws -> AudioFile { try AudioFile(path) }

    /// Saves the transcript beside the recording: the path, or why it was not saved.
    func save(
        _ text: String, beside recording: String, as format: TranscriptWriter.Format, id: String
    ) -> Kept.Value {
        let outcome = TranscriptFile.save(
            Array(text.utf8), beside: recording, extension: format.fileExtension,
            temporary: ".transcript-\(id)")
        return switch outcome {
        case .written(let path): Kept.Value(written: path)
        case .sameAs(let path):
            Kept.Value(path: path, line: StyledLine("\(path) already has this text.", .dim))
        case .failed(let code):
            Kept.Value(
                notice: "Not saved next to \(recording): \(Diagnostic.system(code)).")
        }
    }

    /// Checks the output before anything is sent.
    /// - Throws: `UsageError` if it cannot or must not be written.
    func check(_ output: String, replaces: Bool, of recording: String) throws(UsageError) {
        guard let obstacle = TranscriptFile.obstacle(output, of: recording) else { return }
        switch obstacle {
        case .recording:
            throw UsageError(
                "\(output) is the recording itself.", hint: "Give another name: --output FILE")
        case .noFile:
            throw UsageError(
                "\(output) is not a file that can be replaced.",
                hint: "Without --output the words go to standard output.")
        case .file:
            if replaces { return }
            throw UsageError(
                "\(output) already exists.", hint: "Give another name, or --yes to replace it.")
        case .folder(let code):
            throw UsageError(
                "\(output) cannot be written: \(Diagnostic.system(code)).",
                hint: "The folder must be there.")
        }
    }

    /// Writes to a named file: the path, or why it was not saved. The words
    /// have been paid for, so that this is not an error.
    func write(
        _ text: String, to path: String, replaces: Bool, like recording: String, id: String
    ) -> Kept.Value {
        let code = TranscriptFile.write(
            Array(text.utf8), to: path, replaces: replaces, temporary: ".transcript-\(id)",
            like: recording)
        if code == 0 { return Kept.Value(written: path) }
        return Kept.Value(
            notice: "\(path) could not be written: \(Diagnostic.system(code)).")
    }

    func jobs(in folder: String) -> [TranscriptionJobFolder.Job] {
        TranscriptionJobFolder(path: folder).jobs()
    }

    func jobCount(in folder: String) -> Int { TranscriptionJobFolder(path: folder).names().count }

    func clear(_ folder: String) -> Int { TranscriptionJobFolder(path: folder).clear() }
}

/// The place where a transcript was saved, returned from the closure that saved it.
final class Kept: Sendable {
    struct Value: Sendable {
        var path: String?
        var line: StyledLine?
        /// The reason why it is not saved.
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
