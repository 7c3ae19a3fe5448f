import Base
import Glibc
import Sound

/// The progress of a job of several uploads, on disk: a folder with lines of
/// JSON, each flushed before the next upload begins, so that an interrupted job
/// loses no finished piece.
///
/// One process works on it at a time (flock(2), released by the kernel on `kill
/// -9`). Blocking; used on the job's own queue. The job defines the pieces.
///
///     {"file": "/home/…/meeting.wav", "bytes": …, "model": …, "server": …}
///     {"plan": [[start, end], …]}
///     {"piece": [start, end], "transcript": {…}}
///     {"split": [start, end], "into": [[start, end], [start, end]]}
///     {"limit": 12000000}                 what the server takes, as was learnt
final class TranscriptionJournal {
    /// The first line; also used in the list of unfinished jobs.
    struct Facts: Equatable {
        var file: String
        var bytes: Int
        var model: String
        var server: String
    }

    struct Content: Equatable {
        var facts: Facts?
        var plan: [AudioPiece] = []
        var limit: Int?
        var results: [(piece: AudioPiece, transcript: Transcript)] = []
        /// Pieces that were too large, and those uploaded in their place.
        var splits: [(piece: AudioPiece, into: [AudioPiece])] = []

        static func == (left: Content, right: Content) -> Bool {
            left.facts == right.facts && left.plan == right.plan && left.limit == right.limit
                && left.splits.elementsEqual(right.splits) { $0 == $1 }
                && left.results.elementsEqual(right.results) { $0 == $1 }
        }

        func transcript(of piece: AudioPiece) -> Transcript? {
            results.first { $0.piece == piece }?.transcript
        }

        func halves(of piece: AudioPiece) -> [AudioPiece]? {
            splits.first { $0.piece == piece }?.into
        }
    }

    static let name = "journal.jsonl"

    let folder: String
    private(set) var content: Content
    private let descriptor: Int32
    /// Length of the complete lines, in bytes.
    private var length: Int
    /// Whether writing to disk failed; the job then continues in memory.
    private(set) var hasFailed = false

    private init(folder: String, descriptor: Int32, content: Content, length: Int) {
        self.folder = folder
        self.descriptor = descriptor
        self.content = content
        self.length = length
    }

    deinit { close(descriptor) }

    /// The converted recording, if the job needs one.
    var soundPath: String { folder + "/sound.wav" }

    private static let attempts = 5

    /// Creates the job's folder or resumes an existing one.
    ///
    /// - Parameter fresh: discards the results of an earlier run.
    static func open(
        folder: String, facts: Facts, fresh: Bool
    ) throws(TranscriptionJobError) -> TranscriptionJournal {
        let path = folder + "/" + name
        // Listing the jobs holds each lock for a moment, and clearing them
        // removes folders.
        for attempt in 1...Self.attempts {
            do {
                try FileCall.makeFolder(folder)
            } catch {
                throw TranscriptionJobError(reason: .storage(error.code), path: folder)
            }
            let descriptor = Glibc.open(
                path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                // The folder was cleared in between.
                if errno == ENOENT, attempt < Self.attempts { continue }
                throw TranscriptionJobError(reason: .storage(errno), path: folder)
            }
            let answer = FileLock.take(descriptor, at: path)
            if answer != .ours { close(descriptor) }
            switch answer {
            case .ours: break
            case .stale: continue
            case .held:
                poll(nil, 0, 10)
                continue
            case .notRegular:
                throw TranscriptionJobError(reason: .storage(EINVAL), path: folder)
            case .failed(let code):
                throw TranscriptionJobError(reason: .storage(code), path: folder)
            }
            var (content, length) = fresh ? (Content(), 0) : read(descriptor)
            if content.facts == nil { (content, length) = (Content(), 0) }
            let journal = TranscriptionJournal(
                folder: folder, descriptor: descriptor, content: content, length: length)
            guard ftruncate(descriptor, off_t(length)) == 0 else {
                throw TranscriptionJobError(reason: .storage(errno), path: folder)
            }
            if content.facts == nil {
                if fresh { unlink(journal.soundPath) }
                guard journal.append(facts.json) else {
                    throw TranscriptionJobError(reason: .storage(ENOSPC), path: folder)
                }
                journal.content.facts = facts
            }
            return journal
        }
        throw TranscriptionJobError(reason: .busy, path: facts.file)
    }

    // MARK: - What is kept

    func keep(plan: [AudioPiece]) {
        content.plan = plan
        append(["plan": .array(plan.map(\.json))])
    }

    func keep(_ transcript: Transcript, of piece: AudioPiece) {
        content.results.append((piece, transcript))
        append(["piece": piece.json, "transcript": transcript.json])
    }

    func keep(split piece: AudioPiece, into halves: [AudioPiece]) {
        content.splits.append((piece, halves))
        append(["split": piece.json, "into": .array(halves.map(\.json))])
    }

    func keep(limit: Int) {
        content.limit = limit
        append(["limit": JSONValue(limit)])
    }

    /// Removes the finished job.
    func remove() { Self.remove(folder) }

    /// Removes a job's folder, which contains nothing but these files.
    static func remove(_ folder: String) {
        for file in ["sound.wav", "sound.wav.part", name] { unlink(folder + "/" + file) }
        rmdir(folder)
    }

    /// Appends a line, which is on disk when it returns. A partly written line
    /// is removed, so that later ones can be read.
    @discardableResult
    private func append(_ line: JSONValue) -> Bool {
        let bytes = JSONWriter.bytes(line) + [UInt8(ascii: "\n")]
        guard WholeFile.write(bytes, to: descriptor, at: length) == 0, fsync(descriptor) == 0 else {
            hasFailed = true
            ftruncate(descriptor, off_t(length))
            return false
        }
        length += bytes.count
        return true
    }

    // MARK: - Reading

    /// The complete lines up to the first unreadable one.
    static func read(_ descriptor: Int32) -> (Content, length: Int) {
        var content = Content()
        var length = 0
        lseek(descriptor, 0, SEEK_SET)
        // A transcript of days has some megabytes; an unreadable one counts as empty.
        let bytes = (try? WholeFile.read(descriptor, limit: 256 << 20)) ?? []
        var start = 0
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            // Only the parser's failure matters, not its reason.
            guard let line = try? JSONParser.parse(Array(bytes[start..<end])), content.add(line)
            else {
                break
            }
            start = end + 1
            length = start
        }
        return (content, length)
    }
}

extension TranscriptionJournal.Facts {
    var json: JSONValue {
        [
            "file": .string(file), "bytes": JSONValue(bytes), "model": .string(model),
            "server": .string(server),
        ]
    }

    init?(json: JSONValue) {
        guard let file = json["file"]?.stringValue, let bytes = json["bytes"]?.integerValue,
            let model = json["model"]?.stringValue, let server = json["server"]?.stringValue
        else { return nil }
        self.init(file: file, bytes: bytes, model: model, server: server)
    }
}

extension TranscriptionJournal.Content {
    /// - Returns: false if we did not write the line.
    fileprivate mutating func add(_ line: JSONValue) -> Bool {
        if facts == nil {
            facts = TranscriptionJournal.Facts(json: line)
            return facts != nil
        }
        if let pieces = line["plan"]?.arrayValue {
            plan = pieces.compactMap { AudioPiece(json: $0) }
            return plan.count == pieces.count && !plan.isEmpty
        }
        if let json = line["transcript"] {
            guard let piece = line["piece"].flatMap({ AudioPiece(json: $0) }),
                let transcript = Transcript(json: json)
            else { return false }
            results.append((piece, transcript))
            return true
        }
        if let json = line["split"] {
            let halves = (line["into"]?.arrayValue ?? []).compactMap { AudioPiece(json: $0) }
            guard let piece = AudioPiece(json: json), Self.are(halves, of: piece) else {
                return false
            }
            splits.append((piece, halves))
            return true
        }
        guard let limit = line["limit"]?.integerValue, limit > 0 else { return false }
        self.limit = limit
        return true
    }

    /// Each is a part of the piece, so that splitting terminates.
    private static func are(_ halves: [AudioPiece], of piece: AudioPiece) -> Bool {
        guard halves.count == 2, let first = halves.first, let second = halves.last else {
            return false
        }
        return first.start == piece.start && first.end == second.start && second.end == piece.end
    }
}

/// The reason why a job of several uploads cannot be stored on disk.
package struct TranscriptionJobError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// Another process is working on the same recording.
        case busy
        /// The folder for unfinished jobs cannot be written; the `errno`.
        case storage(Int32)
    }

    package var reason: Reason
    /// The recording for `busy`, else the folder.
    package var path: String
}

extension TranscriptionJobError: DescribedError {
    package var diagnostic: Diagnostic {
        switch reason {
        case .busy:
            return Diagnostic(
                "\(path) is being transcribed by another chat.",
                todo: "Wait until that has finished; its pieces are kept.")
        case .storage(let code):
            return Diagnostic(
                "Pieces cannot be saved in \(path): \(Diagnostic.system(code)).",
                todo: [ENOSPC, EDQUOT].contains(code)
                    ? "Make room there, then run it again."
                    : "You need permission to write in that folder.")
        }
    }
}
