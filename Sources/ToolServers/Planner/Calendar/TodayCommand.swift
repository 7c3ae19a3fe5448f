import AgentCore
import Base
import CalendarFiles
import ICalendar

/// `chat today` and `/today`: the events of the day, reminders due, and overdue ones; with
/// `--line` in one line, for a status bar.
package struct TodayCommand: Sendable {
    let server: CalendarServer

    static let name = "today"

    var command: Command {
        Command(
            name: Self.name, summary: "the events of the day, and what is due",
            verbs: [
                Verb(
                    "show", "the events of today, what is due, and what is overdue",
                    options: [
                        .init("--line", "in one line, for a status bar; nothing on a free day")
                    ], json: "date events due overdue"
                ) { try await show($0, server.moment()) }
            ])
    }

    private func show(
        _ arguments: CommandArguments, _ moment: CalendarServer.Moment
    ) async throws -> CommandOutput {
        let (today, notices) = try await server.today(moment)
        var output = CommandOutput(
            json: today.json(moment.text), notices: notices,
            sources: today.events.map(\.path) + (today.due + today.overdue).map(\.path))
        if arguments.has("--line") {
            output.lines = today.line(moment.text).map { [StyledLine($0)] } ?? []
            return output
        }
        let view = try await server.view(arguments, moment)
        let days = today.date...today.date
        output.lines = view.lines(
            AgendaView.Content(
                events: today.events,
                tasks: (today.overdue + today.due).filter {
                    $0.due?.day(in: moment.local) == today.date
                }, days: days))
        let earlier = today.overdue.filter { $0.due?.day(in: moment.local) != today.date }
        if !earlier.isEmpty {
            output.lines += [StyledLine(""), StyledLine("Overdue from before", .failure)]
            output.lines += earlier.prefix(Self.shownOverdue).map {
                StyledLine("  ☐ " + moment.text.title($0))
            }
            if earlier.count > Self.shownOverdue {
                output.lines.append(
                    StyledLine(
                        "  and \(earlier.count - Self.shownOverdue) more: chat reminders list overdue",
                        .hint))
            }
        }
        return output
    }

    private static let shownOverdue = 10
}

/// The contents of one day. Pure.
package struct Today: Sendable {
    package var date: CivilDate
    /// Including past ones, in order.
    package var events: [Event]
    /// Open reminders that are due later today, in order.
    package var due: [Reminder]
    /// Open reminders whose time has passed, today or before.
    package var overdue: [Reminder]

    /// `today: dentist 15:00 · 2 due · 1 overdue`; nil if nothing is left of the day.
    package func line(_ text: ItemText) -> String? {
        let left = events.filter { $0.isAllDay || $0.end.instant(in: text.local) > text.now }
        var parts = left.prefix(Self.namedEvents).map { event in
            event.isAllDay || event.days(in: text.local).lowerBound < date
                ? event.name
                : "\(event.name) \(text.clock(event.start.instant(in: text.local)))"
        }
        if left.count > Self.namedEvents {
            parts.append("\(left.count - Self.namedEvents) more")
        }
        if !due.isEmpty { parts.append("\(due.count) due") }
        if !overdue.isEmpty { parts.append("\(overdue.count) overdue") }
        guard !parts.isEmpty else { return nil }
        return "today: " + parts.map(\.oneLine).joined(separator: " · ")
    }

    private static let namedEvents = 3

    func json(_ text: ItemText) -> JSONValue {
        [
            "date": .string(date.isoText), "events": .array(events.map(text.json)),
            "due": .array(due.map(text.json)), "overdue": .array(overdue.map(text.json)),
        ]
    }
}

extension CalendarServer {
    /// The contents of the day of `moment`, and the problems reading it.
    func today(_ moment: Moment) async throws -> (Today, notices: [String]) {
        let days = moment.today...moment.today
        let window = moment.book.window(days)
        // Everything overdue counts, however old. One reading for both, as in `agenda`.
        let found = try await store.files(
            CalendarStore.Selection(openOnly: true, window: window, includesOverdue: true)
        ) { file in
            (
                events: file.content.eventIDs.isEmpty ? nil : file,
                tasks: Self.tasks(of: file, on: CivilDate(dayNumber: 0)...moment.today, moment)
            )
        }
        let listing = moment.book.events(
            of: found.values.compactMap(\.events), found.problems, in: window)
        let tasks = found.values.flatMap(\.tasks)
        let overdue = tasks.filter { $0.due.map(moment.text.isPast) == true }
        return (
            Today(
                date: moment.today,
                events: listing.events.filter { days.overlaps($0.days(in: moment.local)) },
                due: tasks.filter { $0.due.map(moment.text.isPast) != true }, overdue: overdue),
            Self.notices(listing.problems)
        )
    }

    /// The line for the first launch of a day.
    ///
    /// - Parameter shown: the day it was last shown, as `2026-11-23`.
    /// - Returns: nil if that is today or later; `line` is nil on a free day.
    package func glance(
        after shown: String?
    ) async throws -> (day: String, line: String?)? {
        let moment = moment()
        let day = moment.today.isoText
        if let shown, shown >= day { return nil }
        return (day, try await today(moment).0.line(moment.text))
    }
}
