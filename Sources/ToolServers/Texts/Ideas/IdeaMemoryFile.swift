import Base
import Glibc

/// Reads and writes `ideas.json` in the data folder: read on demand, replaced
/// whole, so that concurrent programs see one state or the other. Simultaneous
/// changes are serialised by a lock.
package actor IdeaMemoryFile: QueuedActor {
    package nonisolated let executor = QueueExecutor(label: "ideas")

    package nonisolated let path: String
    private let environment: Environment

    /// Maximum bytes of the file. Larger ones are ignored; we never write them.
    private static let limit = 1 << 20

    package init(path: String, environment: Environment) {
        self.path = path
        self.environment = environment
    }

    /// Empty if there is no file.
    /// - Throws: `IdeaError` if it cannot be read; it is left unchanged.
    package func read() throws(IdeaError) -> IdeaMemory {
        let bytes: [UInt8]
        do throws(WholeFile.Failure) {
            bytes = try WholeFile.read(path, limit: Self.limit)
        } catch {
            if error.code == ENOENT { return IdeaMemory() }
            throw IdeaError(.unreadable(path, error.why(limit: Self.limit)))
        }
        do {
            return try IdeaMemory(json: bytes)
        } catch {
            throw IdeaError(.unreadable(path, "it is not the JSON that was written there"))
        }
    }

    /// Reads, changes and writes, with no other program in between.
    package func change(_ body: @Sendable (inout IdeaMemory) -> Void) throws(IdeaError) {
        let lock = PrivateFolder.lock(FilePath.folder(of: path))
        guard lock >= 0 else { throw IdeaError(.unwritable(path, Diagnostic.system(-lock))) }
        defer { close(lock) }
        var memory = try read()
        let before = memory
        body(&memory)
        if memory == before { return }
        let code = WholeFile.replace(
            memory.json, at: path, temporary: "\(path).\(environment.uuid()).tmp")
        guard code == 0 else { throw IdeaError(.unwritable(path, Diagnostic.system(code))) }
    }
}
