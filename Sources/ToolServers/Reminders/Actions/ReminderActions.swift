import AgentCore
import FoundationEssentials
import ICalendar

/// What can be done with reminders: one function for each act, used by the
/// model's tools, the commands and plain messages alike. Every act is one step
/// of undo.
///
/// Which reminder is meant is `ReminderMatcher`'s business, the lines of the
/// file `ReminderEditor`'s, and the files belong to `CalendarStore`.
package struct ReminderActions: Sendable {
    package struct Listing: Sendable {
        package var reminders: [Reminder] = []
        package var problems: [CalendarStore.Problem] = []
    }

    package struct Completed: Sendable, Equatable {
        /// As it is now: done, or with its next due time.
        package var reminder: Reminder
        /// Of a repetition that goes on.
        package var nextDue: ItemTime?
        /// Parts of it that are not done, and stay so.
        package var openParts: [Reminder] = []
    }

    package let store: CalendarStore
    let context: @Sendable () -> DateContext
    let environment: Environment
    /// The folder new reminders go to.
    package let defaultList: String

    package static let titleLimit = 500
    package static let notesLimit = 20_000
    static let categoryLimit = 100
    static let listNameLimit = 100

    package init(
        store: CalendarStore, context: @escaping @Sendable () -> DateContext,
        environment: Environment, defaultList: String
    ) {
        self.store = store
        self.context = context
        self.environment = environment
        self.defaultList = defaultList
    }

    // MARK: - Seeing

    /// All reminders of all lists, in the order of lists and files.
    package func all(openOnly: Bool = false) async throws -> Listing {
        let files = try await store.files(
            CalendarStore.Selection(kind: "VTODO", openOnly: openOnly))
        let context = self.context()
        var listing = Listing(problems: files.problems)
        listing.reminders = files.files.flatMap {
            ReminderComponent.reminders(in: $0, context: context)
        }
        if openOnly { listing.reminders.removeAll(where: \.completed) }
        listing.problems += files.files.compactMap { CalendarStore.Problem.ofEnding($0) }
        return listing
    }

    // MARK: - Acts

    package func create(_ wanted: ReminderDraft) async throws -> Reminder {
        var draft = wanted
        draft.title = try title(draft.title)
        draft.categories = try categories(draft.categories)
        try check(notes: draft.notes, priority: draft.priority)
        if draft.recurrence != nil, draft.due == nil {
            throw Self.refusal("$.recurrence", "needs a due date to begin at")
        }
        let list = try await folder(ofList: draft.list ?? defaultList)
        let uid = environment.uuid()
        let context = self.context()
        let editor = ReminderEditor(context: context, uuid: environment.uuid)
        let file = try await store.create(
            editor.file(draft, uid: uid), uid: uid, in: list,
            step: step("created", draft.title, uid))
        // What was written is what is shown.
        guard
            let reminder = ReminderComponent.reminders(in: file, context: context).first
        else { throw ToolError.noMatch(query: draft.title) }
        return reminder
    }

    /// Marks it done; a repetition goes on with its next time, and a copy
    /// stays as the record.
    package func complete(_ reminder: Reminder) async throws -> Completed {
        let editor = ReminderEditor(context: context(), uuid: environment.uuid)
        let step = step("completed", reminder.title, reminder.uid)
        let (changed, copy) = try await change(reminder, step: step) { todo, calendar in
            do throws(RecurrenceError) {
                return try ReminderCompletion(editor).complete(&todo, in: &calendar)
            } catch {
                throw ToolError.failed(
                    """
                    "\(reminder.title)" repeats by a rule that cannot be followed \
                    (\(error.part.isEmpty ? error.reason.rawValue : error.part)); \
                    it was left alone
                    """)
            }
        }
        if let copy {
            // The series first: a crash in between loses the record of one
            // completion, and never the series.
            do {
                _ = try await store.create(
                    copy.file, uid: copy.uid, in: reminder.folder, copyOf: reminder.path,
                    step: step)
            } catch {
                // Half of an act is none. If even that cannot be undone, the
                // first fault is the one to tell.
                _ = try? await store.undo(step.id)
                throw error
            }
        }
        var result = Completed(reminder: changed, nextDue: copy?.nextDue)
        if copy == nil {
            result.openParts = try await parts(of: reminder.uid).filter { !$0.completed }
        }
        return result
    }

    /// Makes it open again. A completed time of a series becomes a reminder of
    /// its own; the series goes on as it is.
    package func reopen(_ reminder: Reminder) async throws -> Reminder {
        let editor = ReminderEditor(context: context(), uuid: environment.uuid)
        return try await change(
            reminder, step: step("reopened", reminder.title, reminder.uid)
        ) { todo, _ in editor.reopen(&todo) }.reminder
    }

    package func edit(_ reminder: Reminder, _ wanted: ReminderEdit) async throws -> Reminder {
        var edit = wanted
        if let title = edit.title { edit.title = try self.title(title) }
        if case .set(let list)? = edit.categories { edit.categories = .set(try categories(list)) }
        try check(notes: edit.notes?.value, priority: edit.priority?.value)
        if edit.recurrence?.value != nil,
            edit.due == .clear || (reminder.due == nil && edit.due == nil)
        {
            throw Self.refusal("$.recurrence", "needs a due date to begin at")
        }
        if case .set(let uid)? = edit.parent { try await checkParent(uid, of: reminder) }
        let step = step("changed", edit.title ?? reminder.title, reminder.uid)
        var result = reminder
        if edit.changesContent {
            let editor = ReminderEditor(context: context(), uuid: environment.uuid)
            result = try await change(reminder, step: step) { [edit] todo, calendar in
                editor.apply(edit, to: &todo, in: &calendar)
            }.reminder
        }
        if let list = edit.list {
            let folder = try await folder(ofList: list)
            if folder != reminder.folder { result = try await move(result, to: folder, step: step) }
        }
        return result
    }

    /// Moves the alert and not the due time.
    package func snooze(_ reminder: Reminder, until instant: Date) async throws -> Reminder {
        let editor = ReminderEditor(context: context(), uuid: environment.uuid)
        guard instant > editor.context.now else {
            throw ToolError.failed("that time is over; nothing was put off")
        }
        return try await change(
            reminder, step: step("snoozed", reminder.title, reminder.uid)
        ) { todo, calendar in editor.snooze(&todo, until: instant, in: calendar) }.reminder
    }

    /// Moves its file to the trash, byte for byte; out of a file that holds
    /// others too only its own lines are taken.
    /// - Returns: its parts, which stay.
    @discardableResult
    package func delete(_ reminder: Reminder) async throws -> [Reminder] {
        let parts = try await parts(of: reminder.uid)
        let step = step("deleted", reminder.title, reminder.uid)
        try await found(reminder) {
            let file = try await store.file(reminder.path)
            guard Self.isAlone(reminder, in: file.content) else {
                return try await store.remove(
                    uid: reminder.uid, recurrenceID: reminder.recurrenceID, from: reminder.path,
                    step: step)
            }
            try await store.delete(reminder.path, step: step) { file in
                // It may be another's by now.
                guard Self.holds(reminder, file), Self.isAlone(reminder, in: file) else {
                    throw ToolError.noMatch(query: reminder.title)
                }
            }
        }
        return parts
    }

    // MARK: - Parts of acts

    private func step(_ verb: String, _ title: String, _ uid: String) -> CalendarStore.Step {
        CalendarStore.Step(id: environment.uuid(), verb: verb, title: title, uid: uid)
    }

    /// Changes one VTODO, whatever others have written in between.
    private func change<Result: Sendable>(
        _ reminder: Reminder, step: CalendarStore.Step,
        _ edit: @escaping @Sendable (inout Component, inout Component) throws -> Result
    ) async throws -> (reminder: Reminder, result: Result) {
        let context = self.context()
        return try await found(reminder) {
            try await store.change(reminder.path, step: step) { file in
                let changed = try ReminderComponent.change(reminder, in: &file) { todo, calendar in
                    let result = try edit(&todo, &calendar)
                    let zones = ZoneResolver(
                        calendar: calendar, local: context.local, zones: context.zones)
                    var now = ReminderComponent.reminder(todo, zones: zones)
                    now.path = reminder.path
                    now.list = reminder.list
                    now.folder = reminder.folder
                    return (reminder: now, result: result)
                }
                guard let changed else { throw ToolError.noMatch(query: reminder.title) }
                return changed
            }
        }
    }

    /// A file that is gone is a reminder that is not there.
    private func found<Result>(
        _ reminder: Reminder, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch let error as VDirectoryError where error.reason == .notFound {
            throw ToolError.noMatch(query: reminder.title)
        }
    }

    /// To another list, under the name its file has. The copy first, so that
    /// no moment is without the reminder.
    private func move(
        _ reminder: Reminder, to folder: String, step: CalendarStore.Step
    ) async throws -> Reminder {
        let file = try await found(reminder) { try await store.file(reminder.path) }
        guard Self.holdsOneItem(file.content) else {
            throw ToolError.failed(
                "the file of \"\(reminder.title)\" holds other items too; it was left where it is")
        }
        let name = reminder.path.split(separator: "/").last.map(String.init) ?? reminder.uid
        let stem = name.hasSuffix(".ics") ? String(name.dropLast(4)) : name
        let copy = try await store.create(
            file.content, uid: stem, in: folder, copyOf: reminder.path, step: step)
        do {
            try await store.delete(reminder.path, step: step) { now in
                // Somebody changed it after it was copied.
                guard now == file.content else {
                    throw VDirectoryError(.conflict, path: reminder.path)
                }
            }
        } catch {
            try await store.delete(copy.path, step: step)
            throw error
        }
        var moved = reminder
        moved.path = copy.path
        moved.list = copy.collection.displayName
        moved.folder = copy.collection.name
        return moved
    }

    private func parts(of uid: String) async throws -> [Reminder] {
        guard !uid.isEmpty else { return [] }
        return try await all().reminders.filter { $0.parent == uid }
    }

    private func checkParent(_ uid: String, of reminder: Reminder) async throws {
        let parents = Dictionary(
            try await all().reminders.map { ($0.uid, $0.parent) },
            uniquingKeysWith: { first, _ in first })
        var next: String? = uid
        // Files of others may hold a circle of their own.
        for _ in 0...parents.count {
            guard let current = next else { return }
            if current == reminder.uid {
                throw Self.refusal("$.parent", "is a part of the reminder itself")
            }
            next = parents[current] ?? nil
        }
    }

    private static func holds(_ reminder: Reminder, _ file: Component) -> Bool {
        ReminderComponent.places(in: file).contains { $0.todo.itemID == reminder.uid }
    }

    /// A vdir file holds one item, but other programs put more into one.
    private static func holdsOneItem(_ file: Component) -> Bool {
        var uids: Set<String> = []
        for calendar in file.components("VCALENDAR") {
            for component in calendar.components() where component.name != "VTIMEZONE" {
                uids.insert(component.itemID)
            }
        }
        return uids.count <= 1
    }

    /// Whether nothing is left when it is taken out.
    private static func isAlone(_ reminder: Reminder, in file: Component) -> Bool {
        holdsOneItem(file)
            && (reminder.recurrenceID == nil || ReminderComponent.places(in: file).count <= 1)
    }
}
