import AgentCore
import FoundationEssentials
import ICalendar

/// One call of a calendar tool: its arguments read, done, and told to the
/// model. The schemas are in `CalendarServer+Tools`.
struct CalendarToolCall: Sendable {
    let arguments: JSONObject
    let moment: CalendarServer.Moment

    private static let listLimit = 200

    private func text(_ name: String) -> String? {
        arguments[name]?.stringValue.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    }

    private func value<Value>(
        _ name: String, _ read: (DateFieldParser, String) throws(DateFieldParser.Problem) -> Value
    ) throws -> Value? {
        guard let text = text(name) else { return nil }
        do throws(DateFieldParser.Problem) {
            return try read(moment.fields, text)
        } catch {
            throw refusal(name, error.sentence)
        }
    }

    private func time(_ name: String) throws -> DateField? {
        try value(name) { fields, text throws(DateFieldParser.Problem) in try fields.time(text) }
    }

    private func refusal(_ name: String, _ problem: String) -> ToolError {
        ItemActions.refusal("$.\(name)", problem)
    }

    /// "none" clears it.
    private func rule() throws -> ItemEdit.Change<RecurrenceRule>? {
        try value("repeat") { fields, text throws(DateFieldParser.Problem) in
            DateFieldParser.isNone(text) ? .clear : .set(try fields.rule(text))
        }
    }

    /// -1 is none.
    private var alarm: ItemEdit.Change<CalendarDuration>? {
        arguments["alarm_minutes"]?.integerValue.map {
            $0 < 0 ? .clear : .set(CalendarDuration(seconds: -60 * $0))
        }
    }

    private func span() throws -> TimeSpan {
        guard let start = try time("start") else { throw refusal("start", "must say when") }
        let isAllDay = arguments["all_day"]?.boolValue ?? false
        guard
            let span = TimeSpan.new(
                start, try time("end"), isAllDay: isAllDay, context: moment.context)
        else { throw refusal("end", "must be a day where start is one, and a time where it is") }
        return span
    }

    func create() async throws -> ToolOutput {
        let span = try span()
        var draft = ItemEdit(title: text("title") ?? "", start: span.start, end: span.end)
        draft.location = text("location").map { .set($0) }
        draft.notes = text("notes").map { .set($0) }
        draft.list = text("calendar")
        draft.recurrence = try rule()
        draft.alarm = alarm
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
            summary: "✓ \(verb): \(moment.text.line(done.event)) · /undo",
            isForeign: await moment.book.items.areForeign([done.event] + done.conflicts.prefix(5)))
    }

    func list() async throws -> ToolOutput {
        guard let from = try time("from")?.day(in: moment.local) else {
            throw refusal("from", "must be a day")
        }
        let to = try time("to")?.day(in: moment.local) ?? from
        guard to >= from else { throw refusal("to", "must not be before from") }
        guard to.dayNumber - from.dayNumber <= 750 else {
            throw refusal("to", "must be within two years of from")
        }
        var listing = try await moment.book.events(on: from...to)
        if let calendar = text("calendar") {
            let wanted = SearchText.folded(calendar)
            listing.events.removeAll { SearchText.folded($0.folder) != wanted }
        }
        return await output(
            listing, empty: "there are no events from \(from.isoText) to \(to.isoText)")
    }

    func search() async throws -> ToolOutput {
        await output(
            try await moment.book.search(text("query") ?? ""),
            empty: "no event has these words in its title, place or notes")
    }

    private func output(_ listing: EventBook.Listing, empty: String) async -> ToolOutput {
        let ids = ItemMatcher.shortIDs(listing.events.map(\.uid))
        var lines = listing.events.prefix(Self.listLimit).map {
            moment.text.modelLine($0, id: ids[$0.uid] ?? $0.uid)
        }
        if lines.isEmpty { lines = [empty] }
        if listing.events.count > Self.listLimit {
            lines.append("and \(listing.events.count - Self.listLimit) more; ask for fewer days")
        }
        let unread = listing.problems.filter { $0.title == nil }.count
        if unread > 0 { lines.append("\(unread) files could not be read") }
        let count = listing.events.count
        return ToolOutput(
            text: lines.joined(separator: "\n"),
            summary: count == 1 ? "1 event" : "\(count) events",
            isForeign: await moment.book.items.areForeign(
                Array(listing.events.prefix(Self.listLimit))))
    }

    // MARK: - One event

    func target() async throws -> (series: EventSeries, event: Event) {
        try await moment.book.find(
            text("event") ?? "", at: try time("date"))
    }

    func scope(_ series: EventSeries) throws -> EventScope {
        guard series.isRecurring else { return .all }
        guard let scope = text("scope").flatMap(EventScope.init) else {
            throw refusal(
                "scope",
                "is needed, since the event repeats: this (with date), following or all; "
                    + "ask the user which is meant")
        }
        return scope
    }

    func edit() async throws -> ToolOutput {
        let (series, event) = try await target()
        var change = ItemEdit()
        change.title = text("title")
        change.location = (arguments["location"]?.stringValue).map { .set($0) }
        change.notes = (arguments["notes"]?.stringValue).map { .set($0) }
        change.list = text("calendar")
        let isAllDay = arguments["all_day"]?.boolValue ?? false
        if let start = try time("start") {
            change.start = TimeSpan.moved(
                event, to: start, isAllDay: isAllDay, local: moment.local)
        }
        if let end = try time("end") {
            guard
                let end = TimeSpan.end(
                    end, after: change.start ?? event.start, context: moment.context)
            else {
                throw refusal("end", "must be a day where start is one, and a time where it is")
            }
            change.end = end
        }
        change.recurrence = try rule()
        change.alarm = alarm
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
        guard let from = try time("from")?.day(in: moment.local) else {
            throw refusal("from", "must be a day")
        }
        let to = try time("to")?.day(in: moment.local) ?? from
        guard to >= from, to.dayNumber - from.dayNumber <= 92 else {
            throw refusal("to", "must be within three months of from")
        }
        var hours = FreeTime.Hours.working
        if let text = text("between") {
            guard let given = FreeTime.Hours(text) else {
                throw refusal("between", "must be hours such as 9:00-17:00")
            }
            hours = given
        }
        let minutes = arguments["duration_minutes"]?.integerValue ?? 30
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

extension FreeTime.Hours {
    /// `9:00-17:00`, `9-17`.
    package init?(_ text: String) {
        let parts = text.split { $0 == "-" || $0 == "–" }.map { $0.filter { $0 != " " } }
        func minutes(_ text: String) -> Int? {
            let fields = text.split(separator: ":", omittingEmptySubsequences: false)
            guard (1...2).contains(fields.count), let hour = Int(fields[0]),
                let minute = fields.count == 2 ? Int(fields[1]) : 0, (0...59).contains(minute),
                hour >= 0, hour * 60 + minute <= 24 * 60
            else { return nil }
            return hour * 60 + minute
        }
        guard parts.count == 2, let from = minutes(parts[0]), let to = minutes(parts[1]),
            from != to, from < 24 * 60
        else { return nil }
        self.init(from: from, to: to)
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
        _ days: ClosedRange<CivilDate>, _ hours: FreeTime.Hours, minimum: Double
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
