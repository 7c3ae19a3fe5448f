import Base
import FoundationEssentials
import Glibc

/// Copies the database into a backup, in one consistent state, and merges such a copy into
/// the existing one.
///
/// Other instances may use the file meanwhile. The other files of a backup are
/// handled elsewhere; `DatabaseMerge` decides the outcome of a merge.
package actor BackupDatabase: QueuedActor {
    /// The counts and the schema version of a copy.
    package struct Contents: Sendable, Equatable {
        package var schema: Int
        package var conversations: Int
        package var items: Int

        package init(schema: Int, conversations: Int, items: Int) {
            self.schema = schema
            self.conversations = conversations
            self.items = items
        }
    }

    package nonisolated let executor = QueueExecutor(label: "chat.backup")

    private let path: String
    private let locks: String
    private let environment: Environment

    /// - Parameters:
    ///   - path: path of `chat.db`, which need not exist.
    ///   - locks: folder with the lock files of open conversations.
    package init(path: String, locks: String, environment: Environment) {
        self.path = path
        self.locks = locks
        self.environment = environment
    }

    /// Writes one consistent state as a separate database into a new private file, without
    /// permanently deleted data (free pages).
    ///
    /// - Returns: nil if there is no database.
    /// - Throws: `SQLiteError`; `CancellationError`, with the file partly written.
    package func snapshot(to target: String) async throws -> Contents? {
        guard isThere else { return nil }
        let connection = try open(path)
        defer { connection.close() }
        guard try DatabaseFile.create(target) else {
            throw SQLiteError.system("create", path: target, error: EEXIST)
        }
        try await connection.interruptible { () throws(SQLiteError) in
            try connection.run(MergeSQL.snapshot, [.text(target)])
        }
        return try contents(connection)
    }

    /// Prepares a copy from a backup: migrates it to the current schema and reads it once
    /// completely.
    ///
    /// - Throws: `newerSchema`, `otherDatabase`, `notADatabase`, `corrupt`.
    package func prepare(_ copy: String) throws -> Contents {
        let connection = try open(copy)
        defer { connection.close() }
        let answer = try connection.first(MergeSQL.check) { $0.text(0) }
        guard answer == "ok" else {
            throw SQLiteError(.corrupt, path: copy, detail: answer ?? "no answer")
        }
        return try contents(connection)
    }

    /// The report `merge` would return. Writes nothing.
    package func difference(from copy: String) throws -> MergeReport {
        let theirs = try open(copy)
        defer { theirs.close() }
        let ours = isThere ? try open(path) : nil
        defer { ours?.close() }
        return try DatabaseMerge(ours: ours, theirs: theirs, locks: locks).plan().report
    }

    /// Adds conversations and items that are missing or older here, in one transaction.
    ///
    /// - Parameters:
    ///   - copy: a copy that `prepare` has processed.
    ///   - alongside: runs last before the commit; if it throws, nothing is merged.
    ///   - undo: runs if the commit fails after `alongside`.
    package func merge(
        from copy: String, alongside: @Sendable () throws -> Void, undo: @Sendable () -> Void
    ) throws -> MergeReport {
        let theirs = try open(copy)
        let ours: Connection
        do {
            ours = try open(path)
        } catch {
            theirs.close()
            throw error
        }
        defer {
            ours.close()
            theirs.close()
        }
        try ours.run(MergeSQL.attach, [.text(theirs.path)])
        // The body of a transaction can only throw `SQLiteError`; other errors
        // are stored here.
        var failure: (any Error)?
        var isAlongside = false
        do {
            return try ours.transaction { () throws(SQLiteError) in
                let merge = DatabaseMerge(ours: ours, theirs: theirs, locks: locks)
                let report = try merge.apply(try merge.plan())
                do {
                    try alongside()
                    isAlongside = true
                } catch {
                    failure = error
                    throw SQLiteError(.interrupted, path: path, detail: "taken back")
                }
                return report
            }
        } catch {
            if isAlongside { undo() }
            throw failure ?? error
        }
    }

    private var isThere: Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    private func open(_ path: String) throws(SQLiteError) -> Connection {
        try Migrator().open(path, busyTimeoutInMilliseconds: 5_000, now: environment.now())
    }

    private func contents(_ connection: Connection) throws(SQLiteError) -> Contents {
        try connection.first(MergeSQL.contents) { row in
            Contents(
                schema: Int(row.integer("schema")),
                conversations: Int(row.integer("conversations")), items: Int(row.integer("items")))
        } ?? Contents(schema: 0, conversations: 0, items: 0)
    }
}
