import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// The output of the actions on events.
extension CalendarServer.Moment {
    func listing(
        _ found: EventBook.Listing, empty: String, lines: @escaping @Sendable () -> [StyledLine]
    ) -> Outcome {
        listing(
            found.events, ItemIDs(found.events), empty: empty, more: "ask for fewer days",
            found.problems, lines: lines)
    }

    func search(_ query: String, hasRings: Bool) async throws -> Outcome {
        var found = try await book.search(query)
        if hasRings { found.events = await book.ringing(found.events) }
        return listing(
            found, empty: "no event has these words in its title, place or notes"
        ) { [found] in
            if found.events.isEmpty {
                let text = "No event has \"\(query)\" in its title, place or notes."
                return [StyledLine(text, .dim)]
            }
            let ids = ItemIDs(found.events)
            return StyledLine.table(
                found.events.map { event in
                    let isOver = event.end.instant(in: local) <= context.now
                    return [
                        .init(ids[event], .dim),
                        .init(text.line(event), isOver ? .dim : .plain),
                    ]
                }, columns: 1, indent: "  ")
        }
    }

    /// The result of an action, with conflicts.
    ///
    /// - Parameter isTyped: whether a command was typed, whose user knows what
    ///   was done.
    func shown(_ all: [EventBook.Done], _ verb: String, isTyped: Bool = false) -> Outcome {
        let shown = all.map { server.echo($0, isTyped ? nil : verb, self) }
        let told = all.flatMap { done in
            let isPast =
                !done.event.isRecurring && done.event.end.instant(in: local) <= context.now
            return ["\(verb) " + row(done.event).told()]
                + done.conflicts.prefix(5).map { "overlaps " + row($0).told() }
                + (isPast ? ["it is in the past"] : [])
        }
        return Outcome(
            all.map { row($0.event) }, told: told.joined(separator: "\n"),
            sources: shown.flatMap { $0.sources ?? [] }
        ) { shown.flatMap(\.lines) }
    }
}

extension CalendarServer {
    /// Asks which occurrences to change.
    static func scopes(
        toBe done: String, _ event: Event, arguments: [String], verb: String, _ moment: Moment
    ) -> CommandOutput {
        var output = CommandOutput(
            lines: [StyledLine("\(event.name) repeats. Which are to be \(done)?")])
        let shown =
            event.start.isDate
            ? event.start.day(in: moment.local).isoText : event.start.isoText(in: moment.local)
        let command = ["calendar", verb] + arguments
        output.choices = [
            .init(
                "only \(moment.text.span(event))", command: command + ["--this", shown]),
            .init(
                "this and all that follow", command: command + ["--following", shown]),
            .init("all of them", command: command + ["--all"]),
        ]
        return output
    }
}

extension CalendarServer.Moment {
    struct FreeAnswer: Sendable {
        var free: [Range<Date>]
        var busy: [Event]
        var problems: [CalendarStore.Problem]
    }

    /// The free times within those hours, and the events that take the others.
    /// Past time is not free.
    func free(
        _ days: ClosedRange<CivilDate>, _ hours: DayHours, minimum: Double
    ) async throws -> FreeAnswer {
        let windows = FreeTime.windows(days, hours, in: local)
        let from = windows.first?.lowerBound ?? context.now
        let to = windows.last?.upperBound ?? from
        let listing = try await book.events(in: from..<max(from, to))
        let busy = listing.events.filter { event in
            event.isBusy && windows.contains { event.touches($0, in: local) }
        }
        return FreeAnswer(
            free: FreeTime.free(
                in: windows, busy: FreeTime.busy(busy, in: local),
                after: FreeTime.nextQuarter(after: context.now), minimum: minimum),
            busy: busy, problems: listing.problems)
    }
}

extension CalendarServer.Moment {
    /// The local day on which an occurrence is found.
    func day(of event: Event) -> String { event.start.day(in: local).isoText }

    /// A reading as the command that creates an event from it.
    func choice(_ reading: ParsedPhrase) -> CommandOutput.Choice? {
        guard let draft = ItemEdit(event: reading, in: context), let title = draft.title,
            let start = draft.start, let end = draft.end
        else { return nil }
        var command = ["calendar", "add", title, "--start", start.isoText(in: local)]
        if start.isDate {
            let last = end.civilDate.adding(days: -1)
            if last > start.civilDate { command += ["--end", last.isoText] }
        } else {
            command += ["--end", end.isoText(in: local)]
        }
        if let rule = draft.recurrence?.value { command += ["--repeat", rule.text] }
        if let alarm = draft.alarm { command += ["--alarm", alarm.value?.text ?? "none"] }
        if let calendar = draft.list { command += ["--calendar", calendar] }
        return .init(
            text.line(Event(uid: "", title: title, start: start, end: end)), command: command)
    }
}
