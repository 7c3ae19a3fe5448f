import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// Reminders as a capability: tools for the model, a command for users, and the
/// messages that need no model.
///
/// It has no rules of its own: `acts` declares the actions, `ReminderActions` performs
/// them, `ItemMatcher` chooses, `MessageJudge` reads plain messages, and `ItemText`
/// formats.
package struct RemindersServer: ActServer, PlannerContext {
    package struct Options: Sendable, Equatable {
        /// Default folder for new reminders.
        package var defaultList = "reminders"
        /// The hour at which reminders due on a day ring; nil means never.
        package var allDayHour: Int?

        package init(defaultList: String = "reminders", allDayHour: Int? = nil) {
            self.defaultList = defaultList
            self.allDayHour = allDayHour
        }
    }

    package static let noun = "reminders"
    package var name: String { Self.noun }
    package let description = "Reminders with due dates, kept as iCalendar tasks."

    package let actions: ReminderActions
    let context: @Sendable () -> DateContext
    let options: Options
    let parse: @Sendable (String, DateContext) -> ParsedPhrase
    let judge: MessageJudge
    let referent: RecentReferent
    /// Returns when the future events with a title begin; provided by the calendar.
    package typealias EventStarts =
        @Sendable (String, CalendarStore, DateContext) async throws ->
        [ItemTime]
    let eventStarts: EventStarts

    /// Touches nothing on disk.
    package init(
        store: CalendarStore, context: @escaping @Sendable () -> DateContext,
        options: Options = Options(), environment: Environment,
        parse: @escaping @Sendable (String, DateContext) -> ParsedPhrase = {
            DateParser($1).parse($0)
        },
        judge: MessageJudge? = nil, referent: RecentReferent = RecentReferent(),
        eventStarts: @escaping EventStarts = { _, _, _ in [] }
    ) {
        actions = ReminderActions(
            store: store, context: context, environment: environment,
            defaultList: options.defaultList)
        self.context = context
        self.options = options
        self.parse = parse
        self.judge = judge ?? MessageJudge(parse: parse)
        self.referent = referent
        self.eventStarts = eventStarts
    }

    package var commands: [Command] {
        [
            Command(
                name: name, summary: "add, list and complete reminders",
                verbs: verbs
            ).with(\.answersInLocalTime)
        ]
    }

    package let topic = """
        remind* reminder* todo* to+do task* chore* errand* deadline* overdue due snooze* alarm* \
        erinner* aufgabe* erledig* fällig* einkaufsliste* einkaufszettel* list liste
        """

    var items: ItemActions { actions.items }
    var text: ItemText { words() }
    var fields: DateFieldParser {
        let context = self.context()
        return DateFieldParser(context: context) { [parse] in parse($0, context) }
    }

    func words(_ context: DateContext? = nil) -> ItemText {
        ItemText(context ?? self.context(), defaultList: options.defaultList)
    }

    // MARK: - What tools, commands and messages share

    /// The reminders an action may apply to.
    package enum Candidates: Sendable { case open, done, any }

    /// The one reminder meant by a title, a part of one or an id.
    /// - Throws: `ToolError.noMatch`, `.ambiguous`.
    package func find(_ query: String, _ candidates: Candidates) async throws -> Reminder {
        let all = try await actions.all().reminders
        let wanted = Self.narrowed(all, to: candidates) {
            !Reminder.named(query, in: $0).isEmpty
        }
        let found = Reminder.named(query, in: wanted)
        if found.isEmpty, let other = Reminder.named(query, in: all).first,
            Reminder.named(query, in: all).count == 1
        {
            throw ToolError.failed(
                "\"\(other.title)\" is \(other.completed ? "already done" : "not done")")
        }
        let (ids, words) = (ItemIDs(all), self.words())
        return try ItemMatcher.only(found, query: query) {
            words.candidate($0, id: ids.label($0))
        }
    }

    /// The records of a series have its title; the name means the open one, if
    /// there is one.
    static func narrowed(
        _ all: [Reminder], to candidates: Candidates, isThere: ([Reminder]) -> Bool
    ) -> [Reminder] {
        if candidates == .done { return all.filter(\.completed) }
        let open = all.filter { !$0.completed }
        return candidates == .open || isThere(open) ? open : all
    }

    // MARK: - Calls of the model

    package func actContext() -> RemindersServer { self }
    package func areUntrusted(_ paths: [String]) async -> Bool { await items.areUntrusted(paths) }

    /// Marks the answer as untrusted if the reminders named in the error are. If the
    /// reminders cannot be read, titles in it count as untrusted.
    package func answer(to error: ToolError, _ arguments: JSONObject) async -> ToolOutput? {
        guard error.mayQuoteOthers else { return nil }
        let query = arguments["title"]?.stringValue ?? ""
        var isUntrusted = true
        // Unreadable reminders count as untrusted.
        if let all = try? await actions.all().reminders {
            isUntrusted = await items.areUntrusted(Reminder.named(query, in: all))
        }
        return ToolOutput(text: error.modelText, isError: true, isUntrusted: isUntrusted)
    }

    // MARK: - One line about what was done

    /// ` · no time, so it will not ring`; empty if it rings or is over.
    func silence(_ reminder: Reminder) -> String {
        let isOver = reminder.completed || reminder.due.map(words().isPast) == true
        if isOver || !reminder.alarms.isEmpty { return "" }
        if reminder.isSilent { return " · will not ring" }
        let rings = reminder.due.map { !$0.isDate || options.allDayHour != nil } ?? false
        return rings ? "" : " · no time, so it will not ring"
    }

    static func count(_ parts: [Reminder]) -> String {
        parts.count == 1 ? "1 part" : "\(parts.count) parts"
    }

    func completed(_ done: ReminderActions.Completed) -> String {
        var text = "✓ done: \(done.reminder.name)"
        if let next = done.nextDue { text += " · next \(words().fullTime(next))" }
        if !done.openParts.isEmpty {
            text += " · \(Self.count(done.openParts)) still open"
        }
        return text
    }

    func deleted(_ reminder: Reminder, _ parts: [Reminder]) -> String {
        "✓ deleted: \(words().title(reminder)) (in the trash)"
            + (parts.isEmpty ? "" : " · \(Self.count(parts)) of it kept")
    }

    func snoozed(_ reminder: Reminder, until instant: Date) -> String {
        let words = self.words()
        return "✓ \(reminder.name) · snoozed to "
            + words.fullTime(ItemTime(instant, in: words.local))
    }
}
