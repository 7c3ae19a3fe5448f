import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// The calendar as a capability: six tools for the model, a command for the
/// person, and the messages that need no model.
///
/// It has no rules of its own: reading and changing is `EventBook`, choosing
/// `ItemMatcher`, plain words `MessageJudge`, wording `ItemText` and the views.
package struct CalendarServer: ToolServer {
    package static let noun = "calendar"
    package static let todayNoun = TodayCommand.name
    package var name: String { Self.noun }
    package let description = "Events in calendars that phones and other programs share"

    let store: CalendarStore
    let environment: Environment
    let judge: MessageJudge
    let referent: RecentReferent
    private let defaultCalendar: String
    private let reminderList: String
    private let alerts: AlertSettings
    private let makeContext: @Sendable () -> DateContext
    private let reader: @Sendable (String, DateContext) -> ParsedPhrase

    /// Touches nothing on disk. `context` says when and where it is, each time
    /// it is asked; `parse` reads phrases.
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
        [CalendarCommand(server: self).command, TodayCommand(server: self).command]
            .map { $0.with(\.answersInLocalTime) }
    }

    package var topic: String { Self.subject }
    package func listTools() -> [Tool] { Self.tools }

    /// What one call, command or message works with: the moment stays the same
    /// until it is done.
    package struct Moment: Sendable {
        let context: DateContext
        package let book: EventBook
        let text: ItemText
        let parse: @Sendable (String) -> ParsedPhrase

        var local: LocalTime { context.local }
        var fields: DateFieldParser { DateFieldParser(context: context, parse: parse) }
        var today: CivilDate { text.today }
    }

    package func moment() -> Moment {
        let context = makeContext()
        return Moment(
            context: context,
            book: EventBook(
                items: ItemActions(store: store, environment: environment), alerts: alerts,
                context: context, defaultCalendar: defaultCalendar, reminderList: reminderList),
            text: ItemText(context),
            parse: { [reader] in reader($0, context) })
    }

    // MARK: - Tools

    package func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        let moment = moment()
        let call = CalendarToolCall(arguments: arguments, moment: moment)
        switch name {
        case "create_event": return try await call.create()
        case "list_events": return try await call.list()
        case "edit_event": return try await call.edit()
        case "delete_event": return try await call.delete()
        case "search_events": return try await call.search()
        case "find_free_time": return try await call.findFreeTime()
        default: throw ToolError.toolNotFound(name: name)
        }
    }

    /// An event that is moved into another calendar is new there, and one of which nothing is
    /// left to come is as good as deleted.
    package func effects(of name: String, arguments: JSONObject) async -> [CallEffect]? {
        guard name == "edit_event", let tool = Self.tools.first(where: { $0.name == name }) else {
            return nil
        }
        var effects = [CallEffect(tool, arguments)]
        let call = CalendarToolCall(arguments: arguments, moment: moment())
        if call.arguments.text("calendar") != nil {
            effects.append(CallEffect(.addition, "create_event", arguments))
        }
        // What cannot be told here, because no event is found for example, fails in the call.
        if (try? await call.leavesNothing()) == true {
            effects.append(CallEffect(.overwrite, "delete_event", arguments))
        }
        return effects
    }

    package func preview(of name: String, arguments: JSONObject) async -> CallPreview {
        guard name == "delete_event" || name == "edit_event",
            arguments["event"]?.stringValue != nil
        else { return .touches(nil) }
        let moment = moment()
        do {
            let call = CalendarToolCall(arguments: arguments, moment: moment)
            let (series, event) = try await call.target()
            var text = "\(event.name) · \(moment.text.span(event))"
            if name == "edit_event", try await call.leavesNothing() {
                text += " (nothing of it would be left to come)"
            }
            guard series.isRecurring else { return .touches(text) }
            switch try call.scope(series) {
            case .this: return .touches("\(text), only this one")
            case .following: return .touches("\(text) and all that follow")
            case .all: return .touches("\(event.name): every one of them")
            }
        } catch let error as ToolError {
            return .fails(ToolOutput(error))
        } catch {
            // The call itself will say what is wrong with the folder.
            return .touches(nil)
        }
    }

    // MARK: - What commands and messages share

    /// The reminders that fall due on those days, in order. Their files are
    /// read through the same store.
    func tasks(on days: ClosedRange<CivilDate>, _ moment: Moment) async throws -> [Reminder] {
        let window = moment.book.window(days)
        return try await store.files(
            CalendarStore.Selection(kind: "VTODO", openOnly: true, window: window)
        ) {
            Self.tasks(of: $0, on: days, moment)
        }.values.flatMap(\.self)
    }

    private static func tasks(
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
        // One look at the files for both: with many it is what takes the time.
        let window = moment.book.window(days)
        let files = try await store.files(
            CalendarStore.Selection(openOnly: true, window: window))
        var listing = moment.book.events(of: files, in: window)
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

    /// `✓ dentist · Fri 13 Mar 14:00–15:30 CET · rings 13:50 · /undo`, and what
    /// it collides with.
    func echo(_ done: EventBook.Done, _ verb: String?, _ moment: Moment) -> CommandOutput {
        referent.note([done.event.uid], at: moment.context.now)
        var line = "✓ " + (verb.map { "\($0): " } ?? "") + moment.text.line(done.event)
        if done.event.repeats, verb != nil {
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
