import AgentCore
import FoundationEssentials

/// Reminders as a capability: five tools for the model, a command for the
/// person, and the messages that need no model.
///
/// It has no rules of its own: files are `ReminderStore`, choosing
/// `ReminderMatcher`, plain words `ReminderIntent`, wording `ReminderText`.
package struct RemindersServer: ToolServer {
    package let name = "reminders"
    package let description = "Reminders with due dates, kept as iCalendar tasks"

    let store: ReminderStore
    let environment: Environment

    /// Touches nothing on disk. `root` is the folder of the calendars, `trash`
    /// the folder into which deleted reminders go.
    package init(root: String, trash: String, environment: Environment) {
        store = ReminderStore(root: root, trash: trash, environment: environment)
        self.environment = environment
    }

    package var commands: [Command] { [RemindersCommand(server: self).command] }

    package func listTools() -> [Tool] { Self.tools }

    /// More reminders than this are not listed for the model, but counted.
    private static let listLimit = 200
    static let titleLimit = 500
    static let notesLimit = 20_000

    private static let reference =
        "The title, a part of it that only one reminder has, or the id from a list"

    private static let tools = [
        Tool(
            name: "create_reminder", title: "Create a reminder",
            description: """
                Creates one reminder. With a time in due_date it alerts the user then. Give \
                due_date only when the user named a day or time.
                """,
            inputSchema: .object([
                .init("title", .string(description: "What to be reminded of"), isRequired: true),
                .init(
                    "due_date",
                    .string(
                        description: """
                            ISO 8601: 2026-11-22 for a day, 2026-11-22T09:00 for the user's local \
                            time, or with an offset such as 2026-11-22T09:00:00+01:00
                            """)),
                .init("notes", .string(description: "Details, only if the user gave some")),
                .init(
                    "priority",
                    .integer(description: "1 is the highest, 5 medium, 9 the lowest", range: 1...9)),
            ]), toolClass: .write),
        Tool(
            name: "list_reminders", title: "List reminders",
            description: "Lists the open reminders, one JSON object in each line, by due date.",
            inputSchema: .object([
                .init("include_completed", .boolean(description: "Also those that are done"))
            ]), toolClass: .read),
        Tool(
            name: "complete_reminder", title: "Complete a reminder",
            description: "Marks one open reminder as done.",
            inputSchema: .object([
                .init("title", .string(description: reference), isRequired: true)
            ]), toolClass: .write),
        Tool(
            name: "delete_reminder", title: "Delete a reminder",
            description: "Moves one reminder to the trash. To mark it done use complete_reminder.",
            inputSchema: .object([
                .init("title", .string(description: reference), isRequired: true)
            ]), toolClass: .destroy),
        Tool(
            name: "search_reminders", title: "Search reminders",
            description: "Finds reminders, open or done, by words in their title or notes.",
            inputSchema: .object([
                .init("query", .string(description: "The words to look for"), isRequired: true)
            ]), toolClass: .read),
    ]

    package func callTool(_ name: String, arguments: JSONObject) async throws -> ToolOutput {
        func text(_ name: String) -> String? { arguments[name]?.stringValue }
        switch name {
        case "create_reminder":
            let due: Reminder.Due?
            do throws(DueProblem) {
                due = try text("due_date").map(Self.due) ?? nil
            } catch {
                throw ToolError.invalidArguments([
                    .init(path: "$.due_date", problem: error.sentence)
                ])
            }
            let reminder = try await create(
                Reminder.Draft(
                    title: text("title") ?? "", due: due, notes: text("notes"),
                    priority: arguments["priority"]?.integerValue))
            let words = self.words()
            return ToolOutput(
                text: "created "
                    + words.modelLine(reminder, id: String(reminder.uid.prefix(8)))
                    + (reminder.due.map(words.isPast) == true
                        ? "; the due date is in the past" : ""),
                summary: words.created(reminder))
        case "list_reminders":
            let listing = try await store.all()
            let wantsDone = arguments["include_completed"]?.boolValue ?? false
            return output(
                listing.reminders.filter { wantsDone || !$0.completed }, of: listing,
                empty: wantsDone ? "there are no reminders" : "there are no open reminders")
        case "search_reminders":
            let listing = try await store.all()
            return output(
                ReminderMatcher.search(text("query") ?? "", in: listing.reminders), of: listing,
                empty: "no reminder has these words in its title or notes")
        case "complete_reminder":
            let reminder: Reminder
            do {
                reminder = try await complete(text("title") ?? "")
            } catch let error as ToolError {
                return try await refusal(error, naming: text("title") ?? "")
            }
            return ToolOutput(
                text: "completed \(JSONWriter.string(.string(reminder.title)))",
                summary: "✓ done: \(ReminderText.name(reminder))", isForeign: !reminder.isOurs)
        case "delete_reminder":
            let reminder: Reminder
            do {
                reminder = try await delete(text("title") ?? "")
            } catch let error as ToolError {
                return try await refusal(error, naming: text("title") ?? "")
            }
            return ToolOutput(
                text: "moved \(JSONWriter.string(.string(reminder.title))) to the trash",
                summary: "✓ deleted: \(words().title(reminder)) (in the trash)",
                isForeign: !reminder.isOurs)
        default: throw ToolError.toolNotFound(name: name)
        }
    }

    /// The error as an answer: its words may hold titles that somebody else
    /// wrote.
    private func refusal(_ error: ToolError, naming query: String) async throws -> ToolOutput {
        let named: [Reminder] =
            switch ReminderMatcher.match(query, in: try await store.all().reminders) {
            case .none: []
            case .one(let reminder): [reminder]
            case .several(let found): found
            }
        if named.allSatisfy(\.isOurs) { throw error }
        return ToolOutput(text: error.modelText, isError: true, isForeign: true)
    }

    func words() -> ReminderText { ReminderText(now: environment.now()) }

    // MARK: - What tools, commands and messages share

    func create(_ draft: Reminder.Draft) async throws -> Reminder {
        var draft = draft
        draft.title = TextValue.oneLine(draft.title)
        func refuse(_ path: String, _ problem: String) -> ToolError {
            .invalidArguments([.init(path: path, problem: problem)])
        }
        if draft.title.isEmpty { throw refuse("$.title", "must say what to be reminded of") }
        if draft.title.count > Self.titleLimit {
            throw refuse("$.title", "must have at most \(Self.titleLimit) characters")
        }
        if let notes = draft.notes, notes.count > Self.notesLimit {
            throw refuse("$.notes", "must have at most \(Self.notesLimit) characters")
        }
        if let priority = draft.priority, !(1...9).contains(priority) {
            throw refuse("$.priority", "must be from 1 to 9")
        }
        return try await store.create(draft)
    }

    func complete(_ query: String) async throws -> Reminder {
        let all = try await store.all().reminders
        let open = all.filter { !$0.completed }
        do {
            return try await store.complete(one(query, among: open, ids: all))
        } catch ToolError.noMatch {
            if case .one(let done) = ReminderMatcher.match(query, in: all), done.completed {
                throw ToolError.failed("\"\(done.title)\" is already done")
            }
            throw ToolError.noMatch(query: query)
        }
    }

    func delete(_ query: String) async throws -> Reminder {
        let all = try await store.all().reminders
        let reminder = try one(query, among: all, ids: all)
        _ = try await store.delete(reminder)
        return reminder
    }

    private func one(
        _ query: String, among reminders: [Reminder], ids all: [Reminder]
    ) throws -> Reminder {
        switch ReminderMatcher.match(query, in: reminders) {
        case .one(let reminder): return reminder
        case .none: throw ToolError.noMatch(query: query)
        case .several(let found):
            let ids = ReminderMatcher.shortIDs(all)
            let words = self.words()
            throw ToolError.ambiguous(
                query: query,
                candidates: found.prefix(10).map { words.candidate($0, id: ids[$0.uid] ?? $0.uid) })
        }
    }

    /// Words that are no due date; says which would be.
    struct DueProblem: Error, Equatable {
        var text: String
        var reason: ISO8601.Failure.Reason

        var sentence: String {
            let why =
                switch reason {
                case .noSuchDate: "names a day the calendar does not have"
                case .noSuchTime: "names a time the clock does not have"
                case .noSuchOffset: "has an offset from UTC that cannot be read"
                case .notADate, .trailingText: "is no date that can be read"
                }
            return "\"\(text.prefix(60))\" \(why); use \(ISO8601.accepted)"
        }
    }

    /// nil for an empty text, which models write for "none".
    static func due(_ text: String) throws(DueProblem) -> Reminder.Due? {
        if text.allSatisfy({ $0 == " " }) { return nil }
        do throws(ISO8601.Failure) {
            switch try ISO8601.parse(text) {
            case .date(let date): return .date(date)
            case .local(let civil): return .instant(LocalTime().instant(of: civil))
            case .instant(let instant): return .instant(instant)
            }
        } catch {
            throw DueProblem(text: text, reason: error.reason)
        }
    }

    private func output(
        _ reminders: [Reminder], of listing: ReminderStore.Listing, empty: String
    ) -> ToolOutput {
        let words = self.words()
        let ids = ReminderMatcher.shortIDs(listing.reminders)
        let ordered = ReminderListing(reminders, text: words, ids: ids).reminders
        var lines = ordered.prefix(Self.listLimit).map {
            words.modelLine($0, id: ids[$0.uid] ?? $0.uid)
        }
        if lines.isEmpty { lines = [empty] }
        if ordered.count > Self.listLimit {
            lines.append("and \(ordered.count - Self.listLimit) more; search_reminders finds them")
        }
        if !listing.problems.isEmpty {
            lines.append("\(listing.problems.count) files could not be read")
        }
        return ToolOutput(
            text: lines.joined(separator: "\n"),
            summary: ordered.count == 1 ? "1 reminder" : "\(ordered.count) reminders",
            // Whoever can put a file there could speak to the model in it.
            isForeign: ordered.contains { !$0.isOurs })
    }

    // MARK: - Plain messages

    package func canHandle(message: String) -> IntentMatch { ReminderIntent.judge(message).match }

    package func handle(message: String) async throws -> CommandOutput? {
        switch ReminderIntent.judge(message).action {
        case nil: return nil
        case .list:
            return try await RemindersCommand(server: self).list(includingDone: false)
        case .create(let title):
            let reminder = try await create(Reminder.Draft(title: title))
            return CommandOutput(
                lines: [StyledLine(words().created(reminder), .success)],
                json: words().json(reminder))
        case .complete(let title):
            // Only an exact title is sure enough to act on without a question.
            let wanted = SearchText.folded(title)
            let found = try await store.all().reminders.filter {
                !$0.completed && SearchText.folded($0.title) == wanted
            }
            guard found.count == 1, found[0].recurrence == nil else { return nil }
            let done = try await store.complete(found[0])
            return CommandOutput(
                lines: [StyledLine("✓ done: \(done.title)", .success)], json: words().json(done))
        }
    }
}
