import AgentCore
import Base
import Glibc
import Persistence
import Synchronization

/// What the next letter is made from unless something else is said: `letter.json` in
/// the state folder, ids, revisions and settings alone. What a letter was to stress
/// is in the user's words: it is not kept there, and is read from the letter that the
/// inputs were put back from.
package actor LetterCurrentInputs: QueuedActor {
    package struct Value: Sendable, Equatable {
        package var resume: LetterDraft.Source?
        package var job: LetterDraft.Source?
        package var settings = LetterSettings()
        /// The letter that `use` put back.
        package var letter: ItemID?
    }

    // A file is read and replaced on a queue of its own.
    package nonisolated let executor = QueueExecutor(label: "chat.letter-inputs")

    package nonisolated let path: String
    private nonisolated let used = Mutex(false)
    /// A letter was made, or begun, in this run.
    package nonisolated var areUsed: Bool { used.withLock { $0 } }
    private let uuid: @Sendable () -> String

    /// Of a file that is larger nothing is ours.
    private static let limit = 64 << 10

    package init(path: String, uuid: @escaping @Sendable () -> String) {
        self.path = path
        self.uuid = uuid
    }

    /// Nil where there is no file, or one that is not ours: it only saves typing.
    package func read() -> Value? {
        // Why it cannot be read is of no interest then.
        guard let bytes = try? WholeFile.read(path, limit: Self.limit),
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
