import Base
import FoundationEssentials

/// Undoing: an item returns to the revision that was current before the step,
/// and into or out of the trash. No revisions are removed.
///
/// A step is undone only if all of its items are still as it left them; redoing
/// is the same with before and after exchanged.
extension LibraryStore {
    /// The steps in effect, the newest first; or the undone ones, the latest undo first.
    package func steps(undone: Bool, limit: Int) throws -> [LibraryStep] {
        let connection = try connection()
        let sql = undone ? LibrarySQL.undoneSteps : LibrarySQL.activeSteps
        return try connection.rows(sql, [.integer(Int64(limit))]) { (row) throws(SQLiteError) in
            try step(row, connection)
        }
    }

    /// nil if it is no longer kept.
    package func step(_ id: String) throws -> LibraryStep? {
        let connection = try connection()
        return try connection.first(LibrarySQL.step, [.text(id)]) { (row) throws(SQLiteError) in
            try step(row, connection)
        }
    }

    /// - Throws: `noStep`; `changedSince`, in which case nothing is undone.
    @discardableResult
    package func undo(_ id: String) throws -> LibraryStep { try move(id, isUndo: true) }

    /// Reverses an undo.
    /// - Throws: as `undo`.
    @discardableResult
    package func redo(_ id: String) throws -> LibraryStep { try move(id, isUndo: false) }

    private func move(_ id: String, isUndo: Bool) throws -> LibraryStep {
        let connection = try connection()
        let now = environment.now()
        var refusal: LibraryError?
        do {
            return try connection.transaction { () throws(SQLiteError) in
                let found = try connection.first(LibrarySQL.step, [.text(id)]) {
                    (row) throws(SQLiteError) in (row.integer("seq"), try step(row, connection))
                }
                guard let (number, step) = found, (step.undone == nil) == isUndo else {
                    refusal = LibraryError(.noStep)
                    throw takenBack
                }
                // Changes of the same item build on each other.
                for change in isUndo ? step.changes.reversed() : step.changes {
                    let goal = Goal(change, isUndo: isUndo)
                    let item = try connection.first(
                        LibrarySQL.item, [.integer(change.item.rawValue)], Self.item)
                    guard let item, item.revision == goal.revisionNow,
                        (item.trashed != nil) == goal.isTrashedNow
                    else {
                        refusal = LibraryError(.changedSince(change.item, title: change.title))
                        throw takenBack
                    }
                    if goal.revision != goal.revisionNow {
                        try connection.run(
                            LibrarySQL.setRevision,
                            [
                                .integer(item.id.rawValue), .integer(Int64(goal.revision)),
                                .date(now),
                            ])
                    }
                    try connection.run(
                        LibrarySQL.setTrashed,
                        [
                            .integer(item.id.rawValue),
                            goal.isTrashed ? .date(item.trashed ?? now) : .null,
                        ])
                    _ = try indexed(item.id, connection)
                }
                try connection.run(
                    LibrarySQL.setUndone, [.integer(number), isUndo ? .date(now) : .null])
                ownSteps.insert(id)
                return step
            }
        } catch {
            throw refusal ?? error
        }
    }

    /// Thrown to roll the transaction back; the refusal has the reason.
    private var takenBack: SQLiteError {
        SQLiteError(.interrupted, path: path, detail: "taken back")
    }

    /// The state an undo or redo expects of an item, and the one it produces.
    private struct Goal {
        var revisionNow: Int
        var isTrashedNow: Bool
        var revision: Int
        var isTrashed: Bool

        init(_ change: LibraryStep.Change, isUndo: Bool) {
            let before = (change.revisionBefore, change.wasTrashed)
            let after = (change.revisionAfter, change.isTrashed)
            (revisionNow, isTrashedNow) = isUndo ? after : before
            (revision, isTrashed) = isUndo ? before : after
            // Undoing a creation moves the item to the trash and keeps its contents.
            if change.revisionBefore == 0 {
                revisionNow = change.revisionAfter
                revision = change.revisionAfter
                isTrashedNow = isUndo ? change.isTrashed : true
                isTrashed = isUndo ? true : change.isTrashed
            }
        }
    }

    private func step(
        _ row: Statement, _ connection: Connection
    ) throws(SQLiteError) -> LibraryStep {
        let id = row.text("id")
        return LibraryStep(
            id: id, verb: row.text("verb"),
            changes: try connection.rows(LibrarySQL.changes, [.integer(row.integer("seq"))]) {
                row in
                LibraryStep.Change(
                    item: ItemID(rawValue: row.integer("item")),
                    kind: ItemKind(rawValue: row.text("kind")),
                    title: row.text("title"), revisionBefore: Int(row.integer("revision_before")),
                    revisionAfter: Int(row.integer("revision_after")),
                    wasTrashed: row.flag("was_trashed"),
                    isTrashed: row.flag("is_trashed"))
            },
            made: row.date("made"), undone: row.optionalDate("undone"), isOwn: ownSteps.contains(id)
        )
    }
}
