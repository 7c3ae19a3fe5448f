import AgentCore
import Base
import CalendarFiles

/// Undoes changes of reminders and events. `CalendarStore` performs the undo.
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

    /// A file that was moved has the same name in two folders, and counts once.
    package func effects(of step: UndoStep) async throws -> [CallEffect] {
        var files: [(name: String, folder: String, before: [UInt8]?, after: [UInt8]?)] = []
        for file in try await store.comparisons(of: step.id) {
            let name = FilePath.name(file.path)
            let folder = FilePath.name(FilePath.folder(of: file.path))
            guard let index = files.firstIndex(where: { $0.name == name }) else {
                files.append((name, folder, file.before, file.after))
                continue
            }
            if file.before != nil { files[index].folder = folder }
            files[index].before = files[index].before ?? file.before
            files[index].after = files[index].after ?? file.after
        }
        return files.map { file in
            let found = [file.before, file.after].compactMap(\.self)
                .compactMap(CalendarStore.title)
            let titles = JSONValue.array((found.isEmpty ? [step.title] : found).map { .string($0) })
            return CallEffect(
                undoing: file.before != nil, isThere: file.after != nil, of: files.count,
                tools: ("create_\(step.kind)", "edit_\(step.kind)", "delete_\(step.kind)"),
                JSONObject([
                    .init("title", titles), .init("event", titles),
                    .init("list", .string(file.folder)), .init("calendar", .string(file.folder)),
                ]), subject: "\(step.id) \(file.name)")
        }
    }

    package func isOwn(_ step: UndoStep) async -> Bool { await store.areOwn(step.paths) }
}
