import CalendarFiles

/// The changes of reminders and events. How they are taken back is
/// `CalendarStore`'s business.
package struct CalendarUndoSource: UndoSource {
    private let store: CalendarStore

    package init(_ store: CalendarStore) { self.store = store }

    package func history(undone: Bool, limit: Int) async throws -> [UndoStep] {
        try await store.history(undone: undone, limit: limit).map { past in
            UndoStep(
                id: past.step.id, verb: past.step.verb,
                kind: past.isReminder ? "reminder" : "event", title: past.step.title,
                subject: past.step.uid, made: past.made, undone: past.undone, paths: past.paths,
                isFromHere: past.isFromHere)
        }
    }

    package func undo(_ step: UndoStep) async throws { try await store.undo(step.id) }

    package func redo(_ step: UndoStep) async throws { try await store.redo(step.id) }

    package func comparisons(of step: UndoStep) async throws -> [UndoComparison] {
        try await store.comparisons(of: step.id).map {
            UndoComparison(name: $0.path, before: $0.before, after: $0.after, now: $0.now)
        }
    }

    package func isOwn(_ step: UndoStep) async -> Bool { await store.areOwn(step.paths) }
}
