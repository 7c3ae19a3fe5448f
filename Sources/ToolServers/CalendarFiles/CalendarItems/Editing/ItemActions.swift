import AgentCore
import Base
import DateLanguage
import FoundationEssentials
import ICalendar

/// Shared parts of the actions on reminders and events: validation of fields,
/// lookup of a list's folder, the undo step, and moving to another list.
///
/// The actions themselves are `ReminderActions` and `EventBook`; the files
/// belong to `CalendarStore`.
package struct ItemActions: Sendable {
    package let store: CalendarStore
    package let environment: Environment
    /// The parts of list names shown with an item.
    package let shownNames: CalendarStore.ShownNames

    package init(
        store: CalendarStore, environment: Environment,
        shownNames: CalendarStore.ShownNames = .folders
    ) {
        self.store = store
        self.environment = environment
        self.shownNames = shownNames
    }

    /// Maximum characters: a title is one line of a list, notes are ten pages, and every listing reads
    /// both. Counted as code points, since one letter may have any number of marks.
    package static let titleLimit = 500
    package static let notesLimit = 20_000
    private static let categoryLimit = 100

    package static func refusal(_ path: String, _ problem: String) -> ToolError {
        .invalidArguments([.init(path: path, problem: problem)])
    }

    /// The edit, validated and normalised for writing.
    /// - Throws: `ToolError.invalidArguments`.
    package func checked(_ wanted: ItemEdit, isNew: Bool = false) throws -> ItemEdit {
        var edit = wanted
        edit.title = edit.title.map(\.oneLine) ?? (isNew ? "" : nil)
        if edit.title?.isEmpty == true { throw Self.refusal("$.title", "must not be empty") }
        if let title = edit.title, title.unicodeScalars.count > Self.titleLimit {
            throw Self.refusal("$.title", "must have at most \(Self.titleLimit) characters")
        }
        if let notes = edit.notes?.value, notes.unicodeScalars.count > Self.notesLimit {
            throw Self.refusal("$.notes", "must have at most \(Self.notesLimit) characters")
        }
        if let priority = edit.priority?.value, !(1...9).contains(priority) {
            throw Self.refusal("$.priority", "must be from 1 to 9")
        }
        if case .set(let texts)? = edit.categories {
            edit.categories = .set(try categories(texts))
        }
        return edit
    }

    /// Categories without `#` and duplicates.
    private func categories(_ texts: [String]) throws -> [String] {
        var result: [String] = []
        for text in texts {
            let tag = String(text.oneLine.drop { $0 == "#" })
            if tag.unicodeScalars.count > Self.categoryLimit
                || result.count >= Self.categoryLimit
            {
                throw Self.refusal(
                    "$.tags",
                    "may be \(Self.categoryLimit) of at most \(Self.categoryLimit) characters each")
            }
            if !tag.isEmpty, !result.contains(tag) { result.append(tag) }
        }
        return result
    }

    package func editor(_ context: DateContext) -> ItemEditor {
        ItemEditor(context: context, uuid: environment.uuid)
    }

    /// - Parameter id: of the step that it is part of.
    package func step(
        _ verb: String, _ title: String, _ uid: String, in id: String? = nil
    ) -> CalendarStore.Step {
        CalendarStore.Step(id: id ?? environment.uuid(), verb: verb, title: title, uid: uid)
    }

    /// The list or calendar with that folder name or display name, ignoring case.
    package func collection(named name: String) async throws -> CalendarStore.Collection? {
        let all = try await store.collections()
        return all.first { $0.name == name } ?? all.first { $0.isNamed(name) }
    }

    /// Whether untrusted text could reach the model through these items: another person can
    /// put a file there, or name its list.
    package func areUntrusted(_ items: [some CalendarItem]) async -> Bool {
        await areUntrusted(items.map(\.path))
    }

    package func areUntrusted(_ paths: [String]) async -> Bool {
        !(await store.areOwn(paths, showing: shownNames))
    }

    /// Treats a missing file as a missing item.
    package func found<Result>(
        _ item: some CalendarItem, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch let error as FileCallError where error.reason == .notFound {
            throw ToolError.noMatch(query: item.title)
        }
    }

    /// Moves an item to another folder, keeping its file name. It is copied
    /// first, so that it never disappears.
    package func move(
        _ item: some CalendarItem, at path: String, to folder: String, step: CalendarStore.Step
    ) async throws -> CalendarStore.File {
        let file = try await found(item) { try await store.file(path) }
        guard file.collection.name != folder else { return file }
        guard file.content.itemIDs.count <= 1 else {
            throw ToolError.failed(
                "the file of \"\(item.title)\" contains other items too; it was not moved")
        }
        let copy = try await store.create(
            file.content, uid: FilePath.stem(path), in: folder, copyOf: path, step: step)
        do {
            try await store.delete(path, step: step) { now in
                // Changed after it was copied: keep both, so that nothing is lost.
                guard now == file.content else { throw FileCallError(.conflict, path: path) }
            }
        } catch {
            try await store.delete(copy.path, step: step)
            throw error
        }
        return copy
    }
}
