import AgentCore
import Base
import FoundationEssentials
import Glibc
import Library
import Persistence

/// The files that writing tools have rewritten: reads them, replaces them, and
/// takes that back. What each held before is in a log of its own (`files.db` in
/// the state folder) with the tables of the calendars' log.
///
/// A file is written only when what it held has been noted.
package actor RewrittenFiles: QueuedActor {
    package nonisolated let executor = QueueExecutor(label: "chat.files")

    private let database: CalendarDatabase
    private let environment: Environment
    private var hasPruned = false
    /// Steps that this process made, undid or redid.
    private var ownSteps: Set<String> = []

    /// - Parameter folder: of the log; made with it, at the first use.
    package init(folder: String, environment: Environment) {
        self.environment = environment
        database = CalendarDatabase(folder: folder, name: "files.db", environment: environment)
    }

    package func read(_ path: String) throws -> WritingFile { try WritingFile(path) }

    /// Whatever a pipe holds up to its end.
    package func read(_ descriptor: Int32, shown: String) throws -> [UInt8] {
        do throws(WholeFile.Failure) {
            return try WholeFile.read(descriptor, limit: WritingFile.limit)
        } catch {
            throw WritingFileError(
                error == .tooLarge ? .tooLarge(WritingFile.limit + 1) : .file(.system(error.code)),
                shown)
        }
    }

    /// - Parameter verb: in the past tense, how lists of steps name it.
    /// - Throws: `WritingFileError`; the file is then as it was, or as another
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
            // A note of what did not happen is judged by the file, too.
            try? log().forget(change)
            throw error
        }
        ownSteps.insert(id)
        ToolCallContext.undoSteps?.note(id)
        // As above.
        try? log().finish(change)
    }

    /// Keeps an answer that was paid for and not taken.
    ///
    /// - Returns: the file; nil where it could not be written.
    package func keep(_ text: [UInt8], of name: String) -> String? {
        for folder in [FilePath.folder(of: database.path), answers] { _ = mkdir(folder, 0o700) }
        let path = "\(answers)/\(environment.uuid().prefix(8))-\(FilePath.name(name))"
        return WholeFile.create(text, at: path) == 0 ? path : nil
    }

    private var answers: String { FilePath.folder(of: database.path) + "/answers" }

    /// Answers that share a line with one of the texts go with them.
    private func forgetAnswers(sharing lines: Set<String>) {
        for name in FilePath.names(in: answers) ?? [] {
            let path = "\(answers)/\(name)"
            guard let text = try? WritingFile.read(path, shown: path),
                Self.lines(String(decoding: text, as: UTF8.self)).contains(where: lines.contains)
            else { continue }
            unlink(path)
        }
    }

    /// Lets go of what files held that share a line with one of the texts, which are
    /// deleted for good. Those changes cannot be undone any more.
    ///
    /// - Returns: false where another program was reading the log.
    package func forget(sharing texts: [String]) throws -> Bool {
        let lines = Set(texts.flatMap(Self.lines))
        if lines.isEmpty { return true }
        forgetAnswers(sharing: lines)
        guard access(database.path, F_OK) == 0 else { return true }
        return try log().erase { content in
            Self.lines(String(decoding: content, as: UTF8.self)).contains(where: lines.contains)
        }
    }

    /// Those that say something: a name does, "Experience" stands in many files.
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
        // A kill may have come between the file and the note.
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
        // Nothing was rewritten yet, and looking makes no file.
        guard access(database.path, F_OK) == 0 else { return [] }
        let log = try log()
        return try log.steps(undone: undone, limit: limit).compactMap { record in
            let (paths, isDone) = try log.outline(of: record)
            guard let path = paths.first else { return nil }
            // What a kill cut off may not have happened.
            if !isDone, !undone, try isUntouched(record) { return nil }
            return UndoStep(
                id: record.id, verb: record.verb, kind: "file", title: record.title,
                subject: path, made: record.made, undone: record.undone,
                paths: paths, isFromHere: ownSteps.contains(record.id))
        }
    }

    private func isUntouched(_ record: UndoLog.Step) throws -> Bool {
        guard let change = try log().changes(of: record).first else { return true }
        // One that cannot be read now is judged when it is undone.
        return (try? WritingFile.read(change.path, shown: change.path)) == change.before
    }

    package func undo(_ step: UndoStep) throws { try move(step, isUndo: true) }

    package func redo(_ step: UndoStep) throws { try move(step, isUndo: false) }

    package func comparisons(of step: UndoStep) throws -> [UndoComparison] {
        let change = try change(of: step)
        return [
            UndoComparison(
                name: change.path, before: change.before, after: change.after,
                // nil says that it is gone; so does, to the user, one that cannot be read.
                now: try? WritingFile.read(change.path, shown: change.path))
        ]
    }

    /// A file may hold text by others.
    package func isOwn(_ step: UndoStep) -> Bool { false }
}
