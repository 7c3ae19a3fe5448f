import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// One call of a calendar tool: reads its arguments, carries it out, and reports the result to the
/// model. The schemas are in `CalendarServer+Tools`.
struct CalendarToolCall: Sendable {
    let arguments: ItemArguments
    let moment: CalendarServer.Moment

    init(arguments: JSONObject, moment: CalendarServer.Moment) {
        self.arguments = ItemArguments(arguments: arguments, fields: moment.fields)
        self.moment = moment
    }

    private func refusal(_ name: String, _ problem: String) -> ToolError {
        ItemActions.refusal("$.\(name)", problem)
    }

    private func span() throws -> TimeSpan {
        guard let start = try arguments.time("start") else {
            throw refusal("start", "must say when")
        }
        let isAllDay = arguments.flag("all_day")
        guard
            let span = TimeSpan.new(
                start, try arguments.time("end"), isAllDay: isAllDay, context: moment.context)
        else { throw refusal("end", "must be a day where start is one, and a time where it is") }
        return span
    }

    /// All but when it is.
    private func fields() throws -> ItemEdit {
        var edit = ItemEdit(title: arguments.words("title"))
        edit.location = arguments.change("location")
        edit.notes = arguments.change("notes")
        edit.list = arguments.text("calendar")
        edit.recurrence = try arguments.rule("repeat")
        edit.alarm = arguments.alarm("alarm_minutes")
        return edit
    }

    func create() async throws -> ToolOutput {
        let span = try span()
        var draft = try fields()
        (draft.start, draft.end) = (span.start, span.end)
        let done = try await moment.book.create(draft)
        return await told("created", done)
    }

    private func told(_ verb: String, _ done: EventBook.Done) async -> ToolOutput {
        var text =
            "\(verb) " + moment.text.modelLine(done.event, id: String(done.event.uid.prefix(8)))
        for event in done.conflicts.prefix(5) {
            text +=
                "\noverlaps " + moment.text.modelLine(event, id: String(event.uid.prefix(8)))
        }
        let isPast =
            !done.event.isRecurring
            && done.event.end.instant(in: moment.local) <= moment.context.now
        if isPast { text += "\nit is in the past" }
        return ToolOutput(
            text: text,
            summary: "✓ \(verb): \(moment.text.line(done.event))"
                + ((moment.text.ring(done.event) ?? moment.text.silence(done.event))
                    .map { " · " + $0 } ?? "") + " · /undo",
            isForeign: await moment.book.items.areForeign([done.event] + done.conflicts.prefix(5)))
    }

    func list() async throws -> ToolOutput {
        guard let from = try arguments.time("from")?.day(in: moment.local) else {
            throw refusal("from", "must be a day")
        }
        let to = try arguments.time("to")?.day(in: moment.local) ?? from
        guard to >= from else { throw refusal("to", "must not be before from") }
        guard to.dayNumber - from.dayNumber <= 750 else {
            throw refusal("to", "must be within two years of from")
        }
        var listing = try await moment.book.events(on: from...to)
        if let calendar = arguments.text("calendar") {
            let names = try await moment.book.store.collections()
                .filter { $0.isNamed(calendar) }.map(\.name)
            listing.events.removeAll { !names.contains($0.folder) }
        }
        return await output(
            listing, empty: "there are no events from \(from.isoText) to \(to.isoText)")
    }

    func search() async throws -> ToolOutput {
        await output(
            try await moment.book.search(arguments.words("query") ?? ""),
            empty: "no event has these words in its title, place or notes")
    }

    private func output(_ listing: EventBook.Listing, empty: String) async -> ToolOutput {
        let ids = ItemIDs(listing.events)
        return await moment.book.items.listing(
            listing.events, "event", empty: empty, more: "ask for fewer days", listing.problems
        ) { moment.text.modelLine($0, id: ids[$0]) }
    }

    // MARK: - One event

    func target() async throws -> (series: EventSeries, event: Event) {
        try await moment.book.find(
            arguments.words("event") ?? "", at: try arguments.time("date"))
    }

    func scope(_ series: EventSeries) throws -> EventScope {
        guard series.isRecurring else { return .all }
        guard let scope = arguments.text("scope").flatMap(EventScope.init) else {
            throw refusal(
                "scope",
                "is needed, since the event repeats: this (with date), following or all; "
                    + "ask the user which is meant")
        }
        return scope
    }

    /// What the event is to be, for a call that changes it.
    private func change(of event: Event) throws -> ItemEdit {
        var change = try fields()
        let isAllDay = arguments.flag("all_day")
        if let start = try arguments.time("start") {
            change.start = start.moving(event.start, isAllDay: isAllDay, in: moment.local)
        }
        if let end = try arguments.time("end") {
            guard
                let end = TimeSpan.end(
                    end, after: change.start ?? event.start, context: moment.context)
            else {
                throw refusal("end", "must be a day where start is one, and a time where it is")
            }
            change.end = end
        }
        return change
    }

    /// Whether an event that is not over would have no time to come, or only one that is
    /// too far away to be seen.
    func leavesNothing() async throws -> Bool {
        let (series, event) = try await target()
        let change = try change(of: event)
        let (local, now) = (moment.local, moment.context.now)
        if change.start != nil || change.end != nil, event.end.instant(in: local) > now {
            let start = change.start ?? event.start
            let end =
                change.end ?? ItemShift(from: event.start, to: start, local: local).moved(event.end)
            if end.instant(in: local) <= now || start.civilDate.year > moment.today.year + 50 {
                return true
            }
        }
        guard let recurrence = change.recurrence, series.isRecurring,
            try series.next(after: now) != nil
        else { return false }
        guard let rule = recurrence.value else { return true }
        let first = try scope(series) == .all ? series.main.start : event.start
        return try RecurrenceSet(start: first, rules: [rule.bounded(like: first, in: local)])
            .next(after: now, in: local) == nil
    }

    func edit() async throws -> ToolOutput {
        let (series, event) = try await target()
        let change = try change(of: event)
        guard !change.isEmpty else {
            throw ToolError.failed("Nothing to change was given.")
        }
        let done = try await moment.book.edit(event, of: series, change, scope: try scope(series))
        return await told("changed", done)
    }

    func delete() async throws -> ToolOutput {
        let (series, event) = try await target()
        let done = try await moment.book.delete(event, of: series, scope: try scope(series))
        let what =
            switch (series.isRecurring, done.scope) {
            case (false, _): "moved to the trash"
            case (true, .this): "only this one is gone"
            case (true, .following): "this one and all that follow are gone"
            case (true, .all): "all of them moved to the trash"
            }
        return ToolOutput(
            text: "deleted \(JSONWriter.string(.string(event.title))): \(what)",
            summary: "✓ deleted: \(moment.text.line(event)) (\(what)) · /undo",
            isForeign: await moment.book.items.areForeign([event]))
    }

    // MARK: - Free time

    func findFreeTime() async throws -> ToolOutput {
        guard let from = try arguments.time("from")?.day(in: moment.local) else {
            throw refusal("from", "must be a day")
        }
        let to = try arguments.time("to")?.day(in: moment.local) ?? from
        guard to >= from, to.dayNumber - from.dayNumber <= 92 else {
            throw refusal("to", "must be within three months of from")
        }
        var hours = DayHours.working
        if let text = arguments.text("between") {
            guard let given = DayHours(text) else {
                throw refusal("between", "must be hours such as 9:00-17:00")
            }
            hours = given
        }
        let minutes = arguments.integer("duration_minutes") ?? 30
        let answer = try await moment.free(from...to, hours, minimum: Double(minutes) * 60)
        let lines = answer.free.map { slot in
            JSONWriter.string([
                "start": .string(moment.local.isoText(slot.lowerBound)),
                "end": .string(moment.local.isoText(slot.upperBound)),
            ])
        }
        return ToolOutput(
            text: lines.isEmpty
                ? "there is no free time of that length" : lines.joined(separator: "\n"),
            summary: lines.count == 1 ? "1 free time" : "\(lines.count) free times")
    }
}

extension CalendarServer.Moment {
    struct FreeAnswer: Sendable {
        var free: [Range<Date>]
        var busy: [Event]
        var problems: [CalendarStore.Problem]
    }

    /// The free pieces of those hours, and what takes the others. Time that is
    /// over is not free.
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
