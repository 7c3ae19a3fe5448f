import AgentCore
import Base
import FoundationEssentials
import Glibc
import Library
import Persistence

/// The files that writing tools have rewritten: reads them, replaces them, and
/// undoes that. Their previous contents are in a separate log (`files.db` in
/// the state folder) with the same tables as the calendars' log.
///
/// A file is written only after its contents have been recorded.
package actor RewrittenFiles: QueuedActor {
    package nonisolated let executor = QueueExecutor(label: "chat.files")

    private let database: CalendarDatabase
    private let environment: Environment
    private var hasPruned = false
    /// Steps that this process made, undid or redid.
    private var ownSteps: Set<String> = []

    /// - Parameter folder: folder of the log; created with it, at the first use.
    package init(folder: String, environment: Environment) {
        self.environment = environment
        database = CalendarDatabase(folder: folder, name: "files.db", environment: environment)
    }

    package func read(_ path: String) throws -> WritingFile { try WritingFile(path) }

    /// Reads a pipe up to its end.
    package func read(_ descriptor: Int32, shown: String) throws -> [UInt8] {
        do throws(WholeFile.Failure) {
            return try WholeFile.read(descriptor, limit: WritingFile.limit)
        } catch {
            throw WritingFileError(
                error == .tooLarge ? .tooLarge(WritingFile.limit + 1) : .file(.system(error.code)),
                shown)
        }
    }

    /// - Parameter verb: in the past tense; name of the step in lists.
    /// - Throws: `WritingFileError`; the file is then unchanged, or as another
    ///   program left it.
    package func rewrite(_ file: WritingFile, to text: String, verb: String) throws {
        let new: [UInt8]
        do throws(TextEncoding.Missing) {
            new = try file.encoding.bytes(of: text)
        } catch {
            throw WritingFileError(
                .lacks(error.character, kept: keep(Array(text.utf8), of: file.path)), file.path)
        }
        if new == file.bytes { return }
        let id = environment.uuid()
        let change: Int64
        do throws(SQLiteError) {
            let log = try log()
            if !hasPruned {
                hasPruned = true
                try log.prune(now: environment.now())
            }
            change = try log.begin(
                id: id, verb: verb, title: FilePath.name(file.path), uid: file.realPath,
                now: environment.now(), path: file.realPath, before: file.bytes, after: new,
                trash: nil)
        } catch {
            throw WritingFileError(.notNoted(Diagnostic(of: error)), file.path)
        }
        do {
            try WritingFile.replace(
                file.realPath, shown: file.path, holding: file.bytes, with: new,
                temporary: temporary())
        } catch {
            // A record of a change that did not happen is also checked against
            // the file.
            try? log().forget(change)
            throw error
        }
        ownSteps.insert(id)
        ToolCallContext.undoSteps?.note(id)
        // As above.
        try? log().finish(change)
    }

    /// Saves an answer that was paid for but not used.
    ///
    /// - Returns: the path of the file; nil if it could not be written.
    package func keep(_ text: [UInt8], of name: String) -> String? {
        for folder in [FilePath.folder(of: database.path), answers] { _ = mkdir(folder, 0o700) }
        let path = "\(answers)/\(environment.uuid().prefix(8))-\(FilePath.name(name))"
        return WholeFile.create(text, at: path) == 0 ? path : nil
    }

    private var answers: String { FilePath.folder(of: database.path) + "/answers" }

    /// Removes saved answers that share a line with one of the texts.
    private func forgetAnswers(sharing lines: Set<String>) {
        for name in FilePath.names(in: answers) ?? [] {
            let path = "\(answers)/\(name)"
            guard let text = try? WritingFile.read(path, shown: path),  // An unreadable one stays.
                Self.lines(String(decoding: text, as: UTF8.self)).contains(where: lines.contains)
            else { continue }
            unlink(path)
        }
    }

    /// Deletes recorded contents that share a line with one of the texts, which are
    /// permanently deleted. Those changes can no longer be undone.
    ///
    /// - Returns: false if another program was reading the log.
    package func forget(sharing texts: [String]) throws -> Bool {
        let lines = Set(texts.flatMap(Self.lines))
        if lines.isEmpty { return true }
        forgetAnswers(sharing: lines)
        guard access(database.path, F_OK) == 0 else { return true }
        return try log().erase { content in
            Self.lines(String(decoding: content, as: UTF8.self)).contains(where: lines.contains)
        }
    }

    /// The significant lines: a name is one, while "Experience" occurs in many files.
    private static func lines(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingSpace() }.filter {
            $0.utf8.count >= 12
        }
    }

    private func temporary() -> String { ".chat-\(environment.uuid()).tmp" }

    private func log() throws(SQLiteError) -> UndoLog { UndoLog(try database.connection()) }

    private func change(of step: UndoStep) throws -> UndoLog.Change {
        guard let record = try log().step(step.id),
            let change = try log().changes(of: record).first
        else { throw WritingFileError(.gone, step.title) }
        return change
    }

    private func move(_ step: UndoStep, isUndo: Bool) throws {
        let change = try change(of: step)
        guard let record = try log().step(step.id), (record.undone == nil) == isUndo,
            let left = isUndo ? change.after : change.before,
            let goal = isUndo ? change.before : change.after
        else { throw WritingFileError(.changedSince, change.path) }
        let now: [UInt8]
        do throws(WritingFileError) {
            now = try WritingFile.read(change.path, shown: change.path)
        } catch {
            throw error.reason == .file(.system(ENOENT))
                ? WritingFileError(.gone, change.path) : error
        }
        // The process may have been killed between writing the file and the record.
        if now != goal {
            guard now == left else { throw WritingFileError(.changedSince, change.path) }
            try WritingFile.replace(
                change.path, shown: change.path, holding: left, with: goal,
                temporary: temporary())
        }
        try log().setUndone(isUndo ? environment.now() : nil, of: record)
        ownSteps.insert(step.id)
    }
}

extension RewrittenFiles: UndoSource {
    package func history(undone: Bool, limit: Int) throws -> [UndoStep] {
        // Nothing was rewritten yet, and reading must not create the file.
        guard access(database.path, F_OK) == 0 else { return [] }
        let log = try log()
        return try log.steps(undone: undone, limit: limit).compactMap { record in
            let (paths, isDone) = try log.outline(of: record)
            guard let path = paths.first else { return nil }
            // A change cut off by a kill may not have happened.
            if !isDone, !undone, try isUntouched(record) { return nil }
            return UndoStep(
                id: record.id, verb: record.verb, kind: "file", title: record.title,
                subject: path, made: record.made, undone: record.undone,
                paths: paths, isFromHere: ownSteps.contains(record.id))
        }
    }

    private func isUntouched(_ record: UndoLog.Step) throws -> Bool {
        guard let change = try log().changes(of: record).first else { return true }
        // A file that is unreadable now is checked when it is undone.
        return (try? WritingFile.read(change.path, shown: change.path)) == change.before
    }

    package func undo(_ step: UndoStep) throws { try move(step, isUndo: true) }

    package func redo(_ step: UndoStep) throws { try move(step, isUndo: false) }

    package func comparisons(of step: UndoStep) throws -> [UndoComparison] {
        let change = try change(of: step)
        return [
            UndoComparison(
                name: change.path, before: change.before, after: change.after,
                // nil means deleted; to the user, so does an unreadable file.
                now: try? WritingFile.read(change.path, shown: change.path))
        ]
    }

    /// A file may contain untrusted text.
    package func isOwn(_ step: UndoStep) -> Bool { false }
}
