import AgentCore
import FoundationEssentials
import ICalendar

/// Reminders as a capability: tools for the model, a command for the person,
/// and the messages that need no model.
///
/// It has no rules of its own: acts are `ReminderActions`, choosing
/// `ReminderMatcher`, plain words `MessageJudge`, wording `ReminderText`.
package struct RemindersServer: ToolServer {
    package struct Options: Sendable, Equatable {
        /// The folder new reminders go to.
        package var defaultList = "reminders"
        /// At which hour a day without a time alerts; nil for never.
        package var dayAlarmHour: Int?

        package init(defaultList: String = "reminders", dayAlarmHour: Int? = nil) {
            self.defaultList = defaultList
            self.dayAlarmHour = dayAlarmHour
        }
    }

    package let name = "reminders"
    package let description = "Reminders with due dates, kept as iCalendar tasks"

    let actions: ReminderActions
    let context: @Sendable () -> DateContext
    let options: Options
    let parse: @Sendable (String, DateContext) -> Reading
    let judge: MessageJudge
    let referent: RecentReferent

    /// Touches nothing on disk.
    package init(
        store: CalendarStore, context: @escaping @Sendable () -> DateContext,
        options: Options = Options(), environment: Environment,
        parse: @escaping @Sendable (String, DateContext) -> Reading = {
            DateParser($1).parse($0)
        },
        judge: MessageJudge? = nil, referent: RecentReferent = RecentReferent()
    ) {
        actions = ReminderActions(
            store: store, context: context, environment: environment,
            defaultList: options.defaultList)
        self.context = context
        self.options = options
        self.parse = parse
        self.judge = judge ?? MessageJudge(parse: parse)
        self.referent = referent
    }

    package var commands: [Command] { [RemindersCommand(server: self).command] }

    package func listTools() -> [Tool] { ReminderTools.all }

    var when: WhenWords { WhenWords(context: context(), parse: parse) }

    func words(_ context: DateContext? = nil) -> ReminderText {
        ReminderText(context ?? self.context(), defaultList: options.defaultList)
    }

    // MARK: - What tools, commands and messages share

    /// The draft with the alarm that a day without a time is to have.
    func create(_ draft: ReminderDraft) async throws -> Reminder {
        var draft = draft
        if let hour = options.dayAlarmHour, draft.alarm == nil, draft.due?.isDate == true {
            draft.alarm = CalendarDuration(seconds: hour * 3600)
        }
        return try await actions.create(draft)
    }

    /// The one reminder that a title, a part of one or an id means.
    /// - Throws: `ToolError.noMatch`, `.ambiguous`.
    func one(_ query: String, among reminders: [Reminder], ids all: [Reminder]) throws -> Reminder {
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

    /// Which of the reminders an act is about.
    enum Candidates: Sendable { case open, done, any }

    func find(_ query: String, _ candidates: Candidates) async throws -> Reminder {
        let all = try await actions.all().reminders
        let wanted =
            switch candidates {
            case .open: all.filter { !$0.completed }
            case .done: all.filter(\.completed)
            case .any: Self.openFirst(all, query)
            }
        do {
            return try one(query, among: wanted, ids: all)
        } catch ToolError.noMatch {
            if candidates != .any, case .one(let other) = ReminderMatcher.match(query, in: all) {
                throw ToolError.failed(
                    "\"\(other.title)\" is \(other.completed ? "already done" : "not done")")
            }
            throw ToolError.noMatch(query: query)
        }
    }

    /// The records of a series have its title; whoever names it means what is
    /// open.
    private static func openFirst(_ all: [Reminder], _ query: String) -> [Reminder] {
        let open = all.filter { !$0.completed }
        if case .none = ReminderMatcher.match(query, in: open) { return all }
        return open
    }

    /// The UID of the reminder that another is to be a part of.
    func parent(_ query: String) async throws -> String {
        try await find(query, .any).uid
    }
}
