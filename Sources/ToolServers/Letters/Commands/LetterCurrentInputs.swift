import AgentCore
import Base
import Glibc
import Persistence
import Synchronization

/// The default inputs of the next letter: `letter.json` in the state folder, with ids,
/// revisions and settings only. The emphasis is the user's own text, so it is not stored
/// there but read from the letter from which the inputs were restored.
package actor LetterCurrentInputs: QueuedActor {
    package struct Value: Sendable, Equatable {
        package var resume: LetterDraft.Source?
        package var job: LetterDraft.Source?
        package var settings = LetterSettings()
        /// The letter from which `use` restored the inputs.
        package var letter: ItemID?
    }

    // The file is read and replaced on a separate queue.
    package nonisolated let executor = QueueExecutor(label: "chat.letter-inputs")

    package nonisolated let path: String
    private nonisolated let used = Mutex(false)
    /// Whether a letter was written or begun in this run.
    package nonisolated var areUsed: Bool { used.withLock { $0 } }
    private let uuid: @Sendable () -> String

    /// Maximum bytes of the file. Larger ones are ignored; we never write them.
    private static let limit = 64 << 10

    package init(path: String, uuid: @escaping @Sendable () -> String) {
        self.path = path
        self.uuid = uuid
    }

    /// Nil if there is no file, or if it is not ours: the file only saves typing.
    package func read() -> Value? {
        guard let bytes = try? WholeFile.read(path, limit: Self.limit),  // Absent or damaged: nil.
            let object = (try? JSONParser.parse(bytes))?.objectValue
        else { return nil }
        return Value(
            resume: LetterDraft.Source(json: object["resume"]),
            job: LetterDraft.Source(json: object["job"]), settings: LetterSettings(object),
            letter: object["letter"]?.stringValue.flatMap { ItemID($0) })
    }

    /// - Throws: `ToolError.failed` with the reason.
    package func write(_ value: Value) throws {
        used.withLock { $0 = true }
        var object = JSONObject([
            .init("letter", value.letter.map { .string("\($0)") } ?? .null),
            .init("resume", value.resume?.json ?? .null), .init("job", value.job?.json ?? .null),
        ])
        object.members += value.settings.members.filter { $0.name != "emphasis" }
        let bytes = Array((JSONWriter.pretty(.object(object)) + "\n").utf8)
        var code = PrivateFolder.make(FilePath.folder(of: path))
        if code == 0 {
            code = WholeFile.replace(bytes, at: path, temporary: "\(path).\(uuid()).tmp")
        }
        guard code == 0 else {
            throw ToolError.failed("\(path): \(String(cString: strerror(code)))")
        }
    }
}
