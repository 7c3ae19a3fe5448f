import AgentCore
import Base
import Persistence

/// Undoes changes of items. `LibraryStore` performs the undo.
package struct LibraryUndoSource: UndoSource {
    private let store: LibraryStore

    package init(_ store: LibraryStore) { self.store = store }

    package func history(undone: Bool, limit: Int) async throws -> [UndoStep] {
        try await store.steps(undone: undone, limit: limit).compactMap(Self.step)
    }

    package func undo(_ step: UndoStep) async throws { try await store.undo(step.id) }

    package func redo(_ step: UndoStep) async throws { try await store.redo(step.id) }

    package func comparisons(of step: UndoStep) async throws -> [UndoComparison] {
        guard let found = try await find(step) else { return [] }
        var comparisons: [UndoComparison] = []
        for change in found.changes {
            let now = try await store.item(change.item)
            let before = try await text(change.item, change.revisionBefore, change.wasTrashed)
            let after = try await text(change.item, change.revisionAfter, change.isTrashed)
            let current = now?.trashed == nil ? now.map(Self.text) : nil
            let isUndone = found.undone != nil
            comparisons.append(
                UndoComparison(
                    name: "\(change.item) \(change.title.oneLine)",
                    before: (isUndone ? after : before).map { Array($0.utf8) },
                    after: (isUndone ? before : after).map { Array($0.utf8) },
                    now: current.map { Array($0.utf8) }))
        }
        return comparisons
    }

    package func effects(of step: UndoStep) async throws -> [CallEffect] {
        guard let changes = try await find(step)?.changes else { return [] }
        var items: [ItemID] = []
        for change in changes where !items.contains(change.item) { items.append(change.item) }
        return items.flatMap { item -> [CallEffect] in
            let changes = changes.filter { $0.item == item }
            // `items` are the items of the changes.
            guard let first = changes.first, let last = changes.last else { return [] }
            let names = JSONObject([
                .init("item", [.string("\(item)"), .string(last.title)]),
                .init("note", .string("\(item)")),
            ])
            let subject = "\(step.id) \(item)"
            // Only the user changes prompts, so this belongs to no tool either.
            if first.kind == .prompt {
                return [
                    CallEffect(
                        .overwrite, UndoServer.tool, names, subject: subject,
                        outlastsConversation: true)
                ]
            }
            let isNote = first.kind == .memory
            return [
                CallEffect(
                    undoing: first.revisionBefore > 0 && !first.wasTrashed,
                    isThere: last.revisionAfter > 0 && !last.isTrashed, of: items.count,
                    tools: isNote
                        ? ("remember", "remember", "forget")
                        : ("library_save", "library_update", "library_trash"), names,
                    subject: subject, outlastsConversation: isNote)
            ]
        }
    }

    package func isOwn(_ step: UndoStep) async -> Bool {
        // An unreadable step is treated as untrusted.
        guard let found = try? await find(step) else { return false }
        for change in found.changes {  // So is an unreadable item.
            guard let item = try? await store.item(change.item), !item.hasUntrustedText else {
                return false
            }
            for number in [change.revisionBefore, change.revisionAfter] where number > 0 {
                // Either of the titles may be displayed; an unreadable one is untrusted.
                guard let revision = try? await store.revision(number, of: change.item),
                    !revision.origin.hasUntrustedText
                else { return false }
            }
        }
        return true
    }

    private func find(_ step: UndoStep) async throws -> LibraryStep? {
        try await store.step(step.id)
    }

    /// The text of a revision, for the difference; nil if the item did not exist then, or was in
    /// the trash.
    private func text(_ id: ItemID, _ number: Int, _ isTrashed: Bool) async throws -> String? {
        guard number > 0, !isTrashed, let revision = try await store.revision(number, of: id)
        else { return nil }
        return Self.text(title: revision.title, tags: revision.tags, body: revision.body)
    }

    private static func text(_ item: LibraryItem) -> String {
        text(title: item.title, tags: item.tags, body: item.body)
    }

    private static func text(title: String, tags: [String], body: String) -> String {
        "title: \(title.oneLine)\n"
            + (tags.isEmpty ? "" : "tags: \(tags.joined(separator: " "))\n") + body
    }

    /// The step as `/undo` lists it; nil if its items are permanently deleted.
    private static func step(_ step: LibraryStep) -> UndoStep? {
        var items: [LibraryStep.Change] = []
        for change in step.changes where !items.contains(where: { $0.item == change.item }) {
            items.append(change)
        }
        guard let first = items.first else { return nil }
        let isOne = items.count == 1
        return UndoStep(
            id: step.id, verb: step.verb,
            kind: isOne ? "\(first.kind) \(first.item)" : "\(items.count) items",
            title: items.map(\.title).joined(separator: ", "), subject: "\(first.item)",
            made: step.made, undone: step.undone, names: items.map { "\($0.item)" },
            isFromHere: step.isOwn)
    }
}
