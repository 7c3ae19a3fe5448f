import Base

/// The reason why an operation on an item failed. The item is unchanged.
package struct LibraryError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case notFound(ItemID)
        case inTrash(ItemID)
        case notInTrash(ItemID)
        case noRevision(ItemID, Int)
        /// No such step, or it is already undone (when redoing, not undone).
        case noStep
        /// Undoing would lose later changes.
        case changedSince(ItemID, title: String)
    }

    package var reason: Reason

    package init(_ reason: Reason) { self.reason = reason }
}

extension LibraryError: DescribedError {
    package var diagnostic: Diagnostic { sentence.namingCommands }

    private var sentence: Diagnostic {
        switch reason {
        case .notFound(let id):
            Diagnostic(
                "There is no item \(id).", todo: "chat library list shows what there is.")
        case .inTrash(let id):
            Diagnostic(
                "\(id) is in the trash.", todo: "chat library restore \(id) brings it back.")
        case .notInTrash(let id): Diagnostic("\(id) is not in the trash.")
        case .noRevision(let id, let number):
            Diagnostic(
                "\(id) has no revision \(number).",
                todo: "chat library history \(id) lists them.")
        case .noStep: Diagnostic("That change can no longer be undone or redone.")
        case .changedSince(let id, let title):
            Diagnostic(
                "Not undone: \(id) \"\(title)\" has changed since.",
                todo: "chat library history \(id) shows its revisions; "
                    + "chat library restore \(id) --revision N goes back to one.")
        }
    }
}
