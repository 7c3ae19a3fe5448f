import Base
import Glibc

/// The folder of unfinished jobs: lists and clears them. Blocking.
struct TranscriptionJobFolder: Sendable {
    let path: String

    struct Job: Equatable {
        var facts: TranscriptionJournal.Facts
        var done: Int
        var of: Int
        /// Time of the last line, in seconds since 1970.
        var changed: Double
        /// Whether a process is working on it.
        var isRunning: Bool
        var folder: String
    }

    private static let daysKept = 14.0

    func folder(of key: TranscriptionJobKey) -> String { path + "/" + key.text }

    /// The latest first.
    func jobs() -> [Job] {
        names().compactMap { name in
            let folder = path + "/" + name
            return look(folder) { descriptor, isOurs, status in
                let content = TranscriptionJournal.read(descriptor).0
                guard let facts = content.facts else { return nil }
                return Job(
                    facts: facts, done: content.results.count,
                    // Each split added one.
                    of: max(content.plan.count + content.splits.count, content.results.count),
                    changed: Double(status.st_mtim.tv_sec), isRunning: !isOurs, folder: folder)
            }
        }.sorted { ($0.changed, $0.folder) > ($1.changed, $1.folder) }
    }

    /// Removes all jobs that no process is working on.
    /// - Returns: the number removed.
    func clear() -> Int {
        var count = 0
        for name in names() {
            let folder = path + "/" + name
            let isRemoved = look(folder) { _, isOurs, _ -> Bool in
                if isOurs { TranscriptionJournal.remove(folder) }
                return isOurs
            }
            if isRemoved == true { count += 1 }
        }
        return count
    }

    /// Removes jobs untouched for two weeks: they contain the spoken words.
    func prune(now: Double) {
        for name in names() {
            let folder = path + "/" + name
            _ = look(folder) { _, isOurs, status -> Bool in
                let age = now - Double(status.st_mtim.tv_sec)
                if isOurs, age > Self.daysKept * 86_400 { TranscriptionJournal.remove(folder) }
                return true
            }
        }
    }

    /// Opens a job's journal, with the lock if it is free, while `body` runs.
    private func look<Value>(
        _ folder: String, _ body: (_ descriptor: Int32, _ isOurs: Bool, stat) -> Value?
    ) -> Value? {
        let path = folder + "/" + TranscriptionJournal.name
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return body(descriptor, FileLock.take(descriptor, at: path) == .ours, status)
    }

    /// The names of the job folders, readable or not.
    func names() -> [String] {
        (FilePath.names(in: path) ?? []).filter { name in
            name.utf8.count == 32
                && name.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
        }.sorted()
    }
}
