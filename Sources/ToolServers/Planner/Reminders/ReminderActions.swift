import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// The actions on reminders: one function each, shared by the model's tools,
/// the commands and plain messages. Every action is one undo step.
///
/// `ItemMatcher` finds the reminder, `ItemEditor` edits the lines of the file,
/// and `ItemActions` is shared with events.
package struct ReminderActions: Sendable {
    package struct Listing: Sendable {
        package var reminders: [Reminder] = []
        package var problems: [CalendarStore.Problem] = []
    }

    package struct Completed: Sendable, Equatable {
        /// The current reminder: done, or with its next due time.
        package var reminder: Reminder
        /// The next due time of a recurring reminder that continues.
        package var nextDue: ItemTime?
        /// The open subtasks, which stay open.
        package var openParts: [Reminder] = []
    }

    let items: ItemActions
    let context: @Sendable () -> DateContext
    /// Default folder for new reminders.
    package let defaultList: String

    package var store: CalendarStore { items.store }
    private var editor: ItemEditor { items.editor(context()) }

    private static let listNameLimit = 100

    package init(
        store: CalendarStore, context: @escaping @Sendable () -> DateContext,
        environment: Environment, defaultList: String
    ) {
        items = ItemActions(
            store: store, environment: environment, shownNames: .lists(besides: defaultList))
        self.context = context
        self.defaultList = defaultList
    }

    // MARK: - Seeing

    /// All reminders of all lists, ordered by list and file.
    package func all(openOnly: Bool = false) async throws -> Listing {
        let context = self.context()
        let found = try await store.files(
            CalendarStore.Selection(kind: "VTODO", openOnly: openOnly)
        ) { file in
            var reminders = ReminderComponent.reminders(in: file, context: context)
            if openOnly { reminders.removeAll(where: \.completed) }
            return (
                reminders,
                [CalendarStore.Problem.ofEnding(file)].compactMap(\.self)
                    + CalendarStore.Problem.ofFile(file)
            )
        }
        var listing = Listing(problems: found.problems)
        listing.reminders = found.values.flatMap(\.0)
        listing.problems += found.values.flatMap(\.1)
        return listing
    }

    func parts(of reminder: Reminder) async throws -> [Reminder] {
        try await all().reminders.filter { $0.parent == reminder.uid && !reminder.uid.isEmpty }
    }

    // MARK: - Acts

    /// - Parameter step: the id of the step with which it is undone.
    package func create(_ wanted: ItemEdit, step: String? = nil) async throws -> Reminder {
        let draft = try items.checked(wanted, isNew: true)
        if draft.recurrence?.value != nil, draft.due == nil { throw Self.needsDue }
        let list = try await folder(ofList: draft.list ?? defaultList)
        let uid = items.environment.uuid()
        let title = draft.title ?? ""
        let file = try await store.create(
            editor.newReminder(draft, uid: uid), uid: uid, in: list,
            step: items.step("created", title, uid, in: step))
        // Shows exactly what was written.
        guard
            let reminder = ReminderComponent.reminders(in: file, context: context()).first
        else { throw ToolError.noMatch(query: title) }
        return reminder
    }

    private static let needsDue = ItemActions.refusal(
        "$.recurrence", "needs a due date to begin at")

    /// Marks it done; a recurring reminder continues with its next time, and a
    /// copy stays as the record.
    package func complete(_ reminder: Reminder) async throws -> Completed {
        let editor = self.editor
        let step = items.step("completed", reminder.title, reminder.uid)
        let (changed, copy) = try await change(reminder, step) { todo, calendar in
            do throws(RecurrenceError) {
                return try ReminderCompletion(editor).complete(&todo, in: calendar)
            } catch {
                throw ToolError.failed(
                    """
                    "\(reminder.title)" repeats by a rule that cannot be followed \
                    (\(error.part.isEmpty ? error.reason.rawValue : error.part)); \
                    it was left alone
                    """)
            }
        }
        guard let copy else {
            let open = try await parts(of: reminder).filter { !$0.completed }
            return Completed(reminder: changed, openParts: open)
        }
        // The series first: a crash in between loses the record of one
        // completion, and never the series.
        do {
            _ = try await store.create(
                copy.file, uid: copy.uid, in: reminder.folder, copyOf: reminder.path, step: step)
        } catch {
            // No half-done actions. If even that cannot be undone, the first
            // error is the one to report.
            _ = try? await store.undo(step.id)
            throw error
        }
        return Completed(reminder: changed, nextDue: copy.nextDue)
    }

    /// Reopens it. A completed occurrence of a series becomes a reminder of its
    /// own; the series is unchanged.
    package func reopen(_ reminder: Reminder) async throws -> Reminder {
        let editor = self.editor
        return try await change(
            reminder, items.step("reopened", reminder.title, reminder.uid)
        ) { todo, _ in editor.reopen(&todo) }.reminder
    }

    package func edit(_ reminder: Reminder, _ wanted: ItemEdit) async throws -> Reminder {
        let edit = try items.checked(wanted)
        if edit.recurrence?.value != nil,
            edit.due == .clear || (reminder.due == nil && edit.due == nil)
        {
            throw Self.needsDue
        }
        if case .set(let uid)? = edit.parent { try await checkParent(uid, of: reminder) }
        let step = items.step("changed", edit.title ?? reminder.title, reminder.uid)
        var result = reminder
        if edit.changesContent {
            let editor = self.editor
            result = try await change(reminder, step) { todo, calendar in
                editor.apply(edit, to: &todo, in: calendar)
            }.reminder
        }
        if let list = edit.list {
            let folder = try await folder(ofList: list)
            if folder != reminder.folder {
                result.fields.place(
                    in: try await items.move(result, at: result.path, to: folder, step: step))
            }
        }
        return result
    }

    /// Moves the alert but not the due time.
    package func snooze(_ reminder: Reminder, until instant: Date) async throws -> Reminder {
        let editor = self.editor
        guard instant > editor.context.now else {
            throw ToolError.failed("that time is over; nothing was put off")
        }
        return try await change(
            reminder, items.step("snoozed", reminder.title, reminder.uid)
        ) { todo, calendar in editor.snooze(&todo, until: instant, in: calendar) }.reminder
    }

    /// Moves its file to the trash, byte for byte; from a file with other items, removes only its
    /// own lines.
    /// - Returns: its subtasks, which stay.
    @discardableResult
    package func delete(_ reminder: Reminder) async throws -> [Reminder] {
        let parts = try await parts(of: reminder)
        let step = items.step("deleted", reminder.title, reminder.uid)
        try await items.found(reminder) {
            let file = try await store.file(reminder.path)
            guard Self.isAlone(reminder, in: file.content) else {
                return try await store.remove(
                    uid: reminder.uid, recurrenceID: reminder.recurrenceID, from: reminder.path,
                    step: step)
            }
            try await store.delete(reminder.path, step: step) { file in
                // The file may contain another item by now.
                guard file.itemIDs.contains(reminder.uid), Self.isAlone(reminder, in: file) else {
                    throw ToolError.noMatch(query: reminder.title)
                }
            }
        }
        return parts
    }

    // MARK: - Parts of acts

    /// Changes one VTODO, whatever other programs have written in between.
    private func change<Result: Sendable>(
        _ reminder: Reminder, _ step: CalendarStore.Step,
        _ edit: @escaping @Sendable (inout Component, Component) throws -> Result
    ) async throws -> (reminder: Reminder, result: Result) {
        let editor = self.editor
        return try await items.found(reminder) {
            try await store.change(reminder.path, step: step) { file in
                let changed = try ReminderComponent.change(reminder, in: &file, editor) {
                    todo, calendar in
                    let result = try edit(&todo, calendar)
                    var now = Reminder(todo, zones: editor.context.resolver(calendar))
                    (now.path, now.list, now.folder) =
                        (reminder.path, reminder.list, reminder.folder)
                    return (reminder: now, result: result)
                }
                guard let changed else { throw ToolError.noMatch(query: reminder.title) }
                return changed
            }
        }
    }

    private func checkParent(_ uid: String, of reminder: Reminder) async throws {
        let parents = Dictionary(
            try await all().reminders.map { ($0.uid, $0.parent) },
            uniquingKeysWith: { first, _ in first })
        var next: String? = uid
        // Files from elsewhere may contain a cycle.
        for _ in 0...parents.count {
            guard let current = next else { return }
            if current == reminder.uid {
                throw ItemActions.refusal("$.parent", "is a part of the reminder itself")
            }
            next = parents[current] ?? nil
        }
    }

    /// Whether the file would be empty without it.
    private static func isAlone(_ reminder: Reminder, in file: Component) -> Bool {
        file.itemIDs.count <= 1
            && (reminder.recurrenceID == nil || ReminderComponent.places(in: file).count <= 1)
    }

    /// The folder of a list; for a new list, its name itself.
    private func folder(ofList name: String) async throws -> String {
        let wanted = name.oneLine
        if let found = try await items.collection(named: wanted) { return found.name }
        // A folder name that every program accepts.
        let isName =
            !wanted.isEmpty && wanted.count <= Self.listNameLimit && !wanted.hasPrefix(".")
            && !wanted.hasSuffix(".tmp")
            && wanted.unicodeScalars.allSatisfy {
                $0.value >= 0x20 && $0 != "/" && $0.value != 0x7F
            }
        guard isName else {
            throw ItemActions.refusal(
                "$.list", "\"\(wanted.prefix(40))\" cannot be the name of a list")
        }
        return wanted
    }
}
