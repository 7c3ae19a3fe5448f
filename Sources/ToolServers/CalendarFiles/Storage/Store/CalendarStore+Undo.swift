import AgentCore
import Base
import FoundationEssentials
import ICalendar
import Persistence

/// Undoing: every change is recorded before its file changes, and a step is
/// undone only if all of its files are still as it left them.
///
///     file holds              then it is
///     what the step left      put back to what was there before
///     what was there before   left (a kill came between two files of an undo)
///     anything else           a reason to undo nothing
///
/// Redoing is the same with before and after exchanged. `UndoLog` stores the
/// records. A reminder is written even if its record cannot be.
extension CalendarStore {
    /// A step with further facts, for lists.
    package struct PastStep: Sendable, Equatable {
        package var step: Step
        package var made: Date
        /// nil if it is in effect.
        package var undone: Date?
        /// The paths in the order of their first change.
        package var paths: [String]
        /// The order of the steps.
        var number: Int64
        /// Whether it changed a reminder rather than an event.
        package var isReminder: Bool
        /// Whether this process made, undid or redid it.
        package var isFromHere: Bool
    }

    /// The steps that can be undone, the newest first.
    package func steps(limit: Int) throws -> [Step] {
        try history(undone: false, limit: limit).map(\.step)
    }

    /// The steps in effect, the newest first; or the undone ones, the latest undo first.
    package func history(undone: Bool, limit: Int) throws -> [PastStep] {
        guard let log = try undoLog() else { return [] }
        return try log.steps(undone: undone, limit: limit).compactMap { record in
            let changes = try log.changes(of: record).filter { undone || happened($0) }
            if changes.isEmpty { return nil }
            var paths: [String] = []
            for change in changes where !paths.contains(change.path) { paths.append(change.path) }
            return PastStep(
                step: Self.step(record), made: record.made, undone: record.undone, paths: paths,
                number: record.number, isReminder: changes.contains(where: Self.isOfReminder),
                isFromHere: ownSteps.contains(record.id))
        }
    }

    /// Undoes one step and restores every file it changed.
    /// - Returns: the undone step.
    /// - Throws: `ToolError.failed` if another program has changed one of the
    ///   files since: then nothing is undone.
    @discardableResult
    package func undo(_ id: String) throws -> Step { try move(id, isUndo: true) }

    /// Redoes a step and restores every file as the step had left it.
    /// - Throws: as `undo`.
    @discardableResult
    package func redo(_ id: String) throws -> Step { try move(id, isUndo: false) }

    /// The changes of a step to a file, and the file's current contents, for
    /// the user to compare.
    package struct Comparison: Sendable, Equatable {
        package var path: String
        /// nil bytes: no file.
        package var before: [UInt8]?
        package var after: [UInt8]?
        package var now: [UInt8]?
    }

    package func comparisons(of id: String) throws -> [Comparison] {
        guard let log = try undoLog(), let record = try log.step(id) else { return [] }
        return targets(try log.changes(of: record), isUndo: true).map { target in
            var now: [UInt8]?
            if case .file(let item) = state(of: target.path) { now = item.bytes }
            return Comparison(path: target.path, before: target.goal, after: target.left, now: now)
        }
    }

    /// The reason why the latest action cannot be undone; returned once, to be shown with its
    /// result.
    package func takeUndoFailure() -> SQLiteError? {
        defer { undoFailure = nil }
        return undoFailure
    }

    // MARK: - Noting

    /// - Returns: nil if nothing could be recorded.
    func begin(
        _ step: Step, path: String, before: [UInt8]?, after: [UInt8]?, trash: String? = nil,
        copyOf original: String? = nil, newEvents: [String] = []
    ) -> Int64? {
        do throws(SQLiteError) {
            guard let log = try undoLog() else { return nil }
            let now = environment.now()
            if !hasPruned {
                hasPruned = true
                try log.prune(now: now)
            }
            // A changed untrusted text still contains untrusted parts.
            var isUsers = !ToolCallContext.hasUntrustedText
            if isUsers, let before {
                isUsers = try log.isOwn(before)
            } else if isUsers, let original {
                isUsers = try isOwn(original, log)
            }
            // A part of someone else's series, split into a file of its own,
            // remains someone else's.
            var isOurs = original == nil || isUsers
            if !isOurs { isOurs = try log.isOwnEvent(step.uid) }
            ownSteps.insert(step.id)
            ToolCallContext.undoSteps?.note(step.id)
            return try log.begin(
                id: step.id, verb: step.verb, title: step.title, uid: step.uid, now: now,
                path: path, before: before, after: after, trash: trash, isOwn: isUsers,
                newEvents: isOurs ? newEvents : [])
        } catch {
            undoFailure = error
            return nil
        }
    }

    func finish(_ change: Int64?) {
        guard let change else { return }
        // If the record cannot be completed, the file is examined later.
        try? undoLog()?.finish(change)
    }

    func forget(_ change: Int64?) {
        guard let change else { return }
        // If the record cannot be removed, it is examined later.
        try? undoLog()?.forget(change)
    }

    func undoLog() throws(SQLiteError) -> UndoLog? {
        guard let database else { return nil }
        return UndoLog(try database.connection())
    }

    // MARK: - Moving back and forth

    /// A file and the two states between which it is moved. nil: no file.
    private struct Target {
        var path: String
        /// The state left by the step (when redoing, by its undo).
        var left: [UInt8]?
        var goal: [UInt8]?
        var trash: String?
        var change: Int64
    }

    enum State {
        case missing
        case file(VDirectory.Item)
        case unreadable
    }

    private func move(_ id: String, isUndo: Bool) throws -> Step {
        guard let log = try undoLog(), let record = try log.step(id) else {
            throw ToolError.failed("there is no such step to \(isUndo ? "undo" : "redo")")
        }
        let step = Self.step(record)
        guard (record.undone == nil) == isUndo else {
            throw ToolError.failed(
                isUndo
                    ? "\(Self.words(step)) was undone already"
                    : "\(Self.words(step)) is in effect already")
        }
        let all = try log.changes(of: record)
        let changes = all.filter { !isUndo || happened($0) }
        guard !changes.isEmpty else { throw ToolError.failed("there is nothing to undo") }
        let targets = targets(changes, isUndo: isUndo)
        var pending: [(Target, VDirectory.Item?)] = []
        for target in targets {
            try checkPlace(target.path)
            let current = state(of: target.path)
            switch current {
            case .missing where target.left == nil: pending.append((target, nil))
            case .file(let item) where item.bytes == target.left: pending.append((target, item))
            case .missing where target.goal == nil: break
            case .file(let item) where item.bytes == target.goal: break
            default: throw refusal(record, target.path, current, isUndo: isUndo)
            }
        }
        var moved: [Target] = []
        do {
            for (target, item) in pending {
                try put(target, over: item, log)
                moved.append(target)
            }
        } catch {
            // All or nothing: moved files are moved back. If that fails too, the next
            // undo finds some files moved already and continues.
            for target in moved.reversed() {
                let back = Target(
                    path: target.path, left: target.goal, goal: target.left,
                    trash: target.trash, change: target.change)
                let item: VDirectory.Item? =
                    if case .file(let item) = state(of: target.path) { item } else { nil }
                // The first error is thrown below.
                try? put(back, over: item, log)
            }
            let reasons: [FileCallError.Reason] = [.conflict, .exists, .notFound]
            if let error = error as? FileCallError, reasons.contains(error.reason) {
                throw refusal(record, error.path, state(of: error.path), isUndo: isUndo)
            }
            throw error
        }
        // Redoing must not apply a change that a kill prevented.
        for change in all where !changes.contains(change) { try log.forget(change.id) }
        try log.setUndone(isUndo ? environment.now() : nil, of: record)
        ownSteps.insert(id)
        return step
    }

    /// A file contains either reminders or events (RFC 4791, 4.1).
    private static func isOfReminder(_ change: UndoLog.Change) -> Bool {
        [change.after, change.before].contains { bytes in
            bytes.map { $0.firstRange(of: "BEGIN:VTODO".utf8) != nil } ?? false
        }
    }

    /// One per file: a step that changed a file twice is undone to the state
    /// before the first change.
    private func targets(_ changes: [UndoLog.Change], isUndo: Bool) -> [Target] {
        var targets: [Target] = []
        for change in changes {
            if let index = targets.firstIndex(where: { $0.path == change.path }) {
                targets[index].left = change.after
                targets[index].trash = change.trash ?? targets[index].trash
                targets[index].change = change.id
            } else {
                targets.append(
                    Target(
                        path: change.path, left: change.after, goal: change.before,
                        trash: change.trash, change: change.id))
            }
        }
        if isUndo { return targets }
        return targets.map {
            Target(
                path: $0.path, left: $0.goal, goal: $0.left, trash: $0.trash, change: $0.change)
        }
    }

    private func put(_ target: Target, over item: VDirectory.Item?, _ log: UndoLog) throws {
        let (folder, name) = Self.split(target.path)
        let directory = directory(folder)
        switch (item, target.goal) {
        case (let item?, let goal?):
            try directory.update(name, to: goal, expecting: item.etag)
        case (let item?, nil):
            let id = environment.uuid()
            try log.setTrash(id, of: target.change)
            _ = try directory.delete(name, expecting: item.etag, id: id)
        case (nil, let goal?):
            if let id = target.trash, let (entry, bytes) = trash.entry(id), bytes == goal,
                entry.path == target.path
            {
                try trash.restore(entry)
            } else {
                // The trash was emptied, or contains something else by now.
                _ = try directory.create(goal, uid: String(name.dropLast(4)))
            }
        case (nil, nil): break
        }
    }

    /// Whether a change that may have been cut off by a kill has happened: yes,
    /// unless the file is as it was before.
    private func happened(_ change: UndoLog.Change) -> Bool {
        if change.isDone { return true }
        switch state(of: change.path) {
        case .missing: return change.before != nil
        case .file(let item): return item.bytes != change.before
        case .unreadable: return true
        }
    }

    func state(of path: String) -> State {
        let (folder, name) = Self.split(path)
        do throws(FileCallError) {
            return .file(try directory(folder).item(name))
        } catch {
            return error.reason == .notFound ? .missing : .unreadable
        }
    }

    /// The roots may have changed since the step was recorded, and nothing may be written outside
    /// of them.
    private func checkPlace(_ path: String) throws {
        let isInside = roots.contains { root in
            guard path.hasPrefix(root + "/") else { return false }
            let parts = path.dropFirst(root.count + 1).split(
                separator: "/", omittingEmptySubsequences: false)
            return parts.count <= 3 && parts.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") }
        }
        guard isInside else {
            throw ToolError.failed(
                "\(path) is no longer in a calendar folder; nothing was changed")
        }
    }

    // MARK: - Words

    /// A later step that changed the file is the likely cause, so name it as
    /// the way out.
    private func refusal(
        _ record: UndoLog.Step, _ path: String, _ state: State, isUndo: Bool
    ) -> ToolError {
        let word = isUndo ? "undone" : "redone"
        // The refusal is valid even if the cause is unknown.
        let later = try? history(undone: false, limit: 100).first { past in
            past.paths.contains(path) && past.number > record.number
        }
        if isUndo, let later {
            return ToolError.failed(
                "nothing was undone: \(Self.words(later.step)) came after it; undo that first")
        }
        let what: String
        switch state {
        case .missing: what = "is gone"
        case .unreadable: what = "cannot be read now"
        case .file(let item):
            let title = Self.title(of: item.bytes)
            what =
                title == nil || title == record.title
                ? "has since been changed by another program"
                : "has changed since and now contains \"\(title ?? "")\""
        }
        return ToolError.failed("nothing was \(word): \(path) \(what)")
    }

    /// `created "call mom"`.
    private static func words(_ step: Step) -> String { "\(step.verb) \"\(step.title)\"" }

    /// The title of the first item that has one.
    package static func title(of bytes: [UInt8]) -> String? {
        // An unreadable file has no known title.
        guard let content = try? CalendarParser.parse(bytes) else { return nil }
        for calendar in content.components("VCALENDAR") {
            for item in calendar.components() where item.isItem && item.first("SUMMARY") != nil {
                return item.title
            }
        }
        return nil
    }

    private static func step(_ record: UndoLog.Step) -> Step {
        Step(id: record.id, verb: record.verb, title: record.title, uid: record.uid)
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return ("", path) }
        return (String(path[..<slash]), String(path[path.index(after: slash)...]))
    }
}
