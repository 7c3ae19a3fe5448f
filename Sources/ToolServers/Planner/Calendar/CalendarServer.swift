import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// The calendar as a capability: six tools for the model, a command for the
/// user, and the messages that need no model.
///
/// It has no rules of its own: `acts` declares the actions, `EventBook` reads and changes,
/// `ItemMatcher` chooses, `MessageJudge` reads plain messages, `ItemText` and the views
/// format.
package struct CalendarServer: ActServer {
    package static let noun = "calendar"
    package static let todayNoun = TodayCommand.name
    package var name: String { Self.noun }
    package let description = "Events in calendars that phones and other programs share."

    let store: CalendarStore
    let environment: Environment
    let judge: MessageJudge
    let referent: RecentReferent
    private let defaultCalendar: String
    private let reminderList: String
    private let alerts: AlertSettings
    private let makeContext: @Sendable () -> DateContext
    private let reader: @Sendable (String, DateContext) -> ParsedPhrase

    /// Does not access the disk. `context` supplies the time and place at each call; `parse` parses
    /// phrases.
    package init(
        store: CalendarStore, environment: Environment, defaultCalendar: String = "calendar",
        reminderList: String = "reminders", alerts: AlertSettings = AlertSettings(),
        context: @escaping @Sendable () -> DateContext,
        parse: @escaping @Sendable (String, DateContext) -> ParsedPhrase = {
            DateParser($1).parse($0)
        },
        judge: MessageJudge? = nil, referent: RecentReferent = RecentReferent()
    ) {
        self.judge = judge ?? MessageJudge(parse: parse)
        self.referent = referent
        self.store = store
        self.environment = environment
        self.defaultCalendar = defaultCalendar
        self.reminderList = reminderList
        self.alerts = alerts
        makeContext = context
        reader = parse
    }

    package var commands: [Command] {
        [
            Command(
                name: name, summary: "see, add and change events", verbs: verbs
            ).with(\.answersInLocalTime),
            TodayCommand(server: self).command.with(\.answersInLocalTime),
        ]
    }

    package let topic = """
        calendar* kalender* event* appointment* meeting* meet agenda* schedule* *termin* treffen* \
        besprechung* verabredung*
        """
    package func actContext() -> Moment { moment() }
    package func areUntrusted(_ paths: [String]) async -> Bool {
        await moment().items.areUntrusted(paths)
    }

    /// The context of one call, command or message: the time stays fixed until
    /// it is done.
    package struct Moment: PlannerContext {
        let server: CalendarServer
        let context: DateContext
        package let book: EventBook
        let text: ItemText
        let parse: @Sendable (String) -> ParsedPhrase

        var local: LocalTime { context.local }
        var fields: DateFieldParser { DateFieldParser(context: context, parse: parse) }
        var today: CivilDate { text.today }
        var items: ItemActions { book.items }
    }

    package func moment() -> Moment {
        let context = makeContext()
        return Moment(
            server: self, context: context,
            book: EventBook(
                items: ItemActions(store: store, environment: environment), alerts: alerts,
                context: context, defaultCalendar: defaultCalendar, reminderList: reminderList),
            text: ItemText(context),
            parse: { [reader] in reader($0, context) })
    }

    // MARK: - What commands and messages share

    /// The reminders due on those days, in order. Their files are read through
    /// the same store.
    func tasks(on days: ClosedRange<CivilDate>, _ moment: Moment) async throws -> [Reminder] {
        let window = moment.book.window(days)
        return try await store.files(
            CalendarStore.Selection(kind: "VTODO", openOnly: true, window: window)
        ) {
            Self.tasks(of: $0, on: days, moment)
        }.values.flatMap(\.self)
    }

    static func tasks(
        of file: CalendarStore.File, on days: ClosedRange<CivilDate>, _ moment: Moment
    ) -> [Reminder] {
        ReminderComponent.reminders(in: file, context: moment.context).filter { task in
            !task.completed
                && task.due.map { days.contains($0.day(in: moment.local)) } == true
        }
    }

    func agenda(
        _ days: ClosedRange<CivilDate>, _ moment: Moment, width: Int
    ) async throws -> CommandOutput {
        // Reads the files once for both: with many files, reading takes most of
        // the time.
        let window = moment.book.window(days)
        let files = try await store.files(
            CalendarStore.Selection(openOnly: true, window: window))
        var listing = moment.book.events(of: files.files, files.problems, in: window)
        listing.events = await moment.book.ringing(listing.events)
        let content = AgendaView.Content(
            events: listing.events,
            tasks: files.files.flatMap { Self.tasks(of: $0, on: days, moment) }, days: days)
        let view = AgendaView(
            text: moment.text, width: width,
            colors: CalendarColors(try await store.collections()))
        return CommandOutput(
            lines: view.lines(content), json: .array(listing.events.map(moment.text.json)),
            notices: Self.notices(listing.problems),
            sources: listing.events.map(\.path) + content.tasks.map(\.path))
    }

    static func notices(_ problems: [CalendarStore.Problem]) -> [String] {
        problems.map(\.sentence)
    }

    /// `✓ dentist · Fri 13 Mar 14:00–15:30 CET · rings 13:50 · /undo`, and any
    /// conflicts.
    func echo(_ done: EventBook.Done, _ verb: String?, _ moment: Moment) -> CommandOutput {
        referent.note([done.event.uid], at: moment.context.now)
        var line = "✓ " + (verb.map { "\($0): " } ?? "") + moment.text.line(done.event)
        if done.event.repeats, verb != nil, verb != "created" {
            switch done.scope {
            case .this: line += " · only this one"
            case .following: line += " · this and all that follow"
            case .all: line += " · all of them"
            }
        }
        if let ring = moment.text.ring(done.event), !done.isGone { line += " · " + ring }
        let silence = done.isGone ? nil : moment.text.silence(done.event)
        var lines = [
            StyledLine([
                .init(line, .success), .init(silence.map { " · " + $0 } ?? "", .warning),
                .init(" · /undo", .hint),
            ])
        ]
        lines += done.conflicts.prefix(5).map {
            StyledLine("  overlaps \($0.name) · \(moment.text.span($0))", .warning)
        }
        if verb == nil, !done.event.isRecurring,
            done.event.end.instant(in: moment.local) <= moment.context.now
        {
            lines.append(StyledLine("  that is in the past", .warning))
        }
        return CommandOutput(
            lines: lines, json: moment.text.json(done.event),
            sources: [done.event.path] + done.conflicts.prefix(5).map(\.path))
    }
}
