import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// The actions on events, each declared once for the command and the model's tool.
///
/// `EventBook` changes events; `CalendarServer+Looking` has the views that only users see.
extension CalendarServer {
    package static let acts: [Act<Moment>] = [
        agenda, month, list, add, edit, delete, show, search, free, calendars,
    ]

    static let json = "uid title start end allDay calendar location notes recurring path …"

    // MARK: - Seeing

    private static let list = Act<Moment>(
        Verb("list", "events in a range of days, each occurrence", json: json),
        tool: Tool(
            name: "list_events", title: "List events",
            description: "Lists the events of a span of days in order.", toolClass: .read,
            cues: PlannerCues.times + """
                 plate agenda coming+up busy plans anything+between ansteht steht+an kommt+zu los
                """),
        span((750, "two years")) + [
            DaysField(
                "--calendar NAME", "only of that calendar", .calendar,
                model: .init("calendar", .string())
            ) { days, value, _ in days.calendar = value.name() },
            DaysField("--columns N", "the width; default: that of the window"),
        ]
    ) { call in
        let moment = call.context
        let wanted = try await call.read(into: Days())
        let days = wanted.range(usual: call.words == nil ? 1 : 30, moment)
        var found = try await moment.book.events(on: days)
        if let name = wanted.calendar {
            let names = try await moment.book.store.collections()
                .filter { $0.isNamed(name) }.map(\.name)
            if names.isEmpty, call.words != nil {
                throw UsageError(
                    "There is no calendar \"\(name)\".",
                    hint: "chat calendar calendars lists them.",
                    exit: .failure)
            }
            found.events.removeAll { !names.contains($0.folder) }
        }
        if call.words?.wantsJSON == true {
            found.events = await moment.book.ringing(found.events)
        }
        let view = try await moment.server.view(call.words, moment)
        return moment.listing(
            found,
            empty: "there are no events from \(days.lowerBound.isoText) to "
                + days.upperBound.isoText
        ) { [found] in view.lines(AgendaView.Content(events: found.events, days: days)) }
    }

    private static let search = Act<Moment>(
        Verb(
            "search", "search titles, places and notes", json: json, example: "dentist"),
        tool: Tool(
            name: "search_events", title: "Search events",
            description: "Finds events, past and to come, by words in them.", toolClass: .read,
            cues: "find* search* when which+day did+see last wann such* finde letzte* nochmal"),
        [
            DaysField(
                words: .phrase("WORDS", "a word", repeats: true),
                model: .init("query", .string(), isRequired: true))
        ]
    ) { call in try await call.context.search(call.text, hasRings: call.words != nil) }

    private static let free = Act<Moment>(
        Verb("free", "find free time", json: "start end"),
        tool: Tool(
            name: "find_free_time", title: "Find free time",
            description: "Lists the times without an event.", toolClass: .read,
            cues: """
                free slot* gap squeeze* available availability hour hours busy fit frei* lücke* \
                stunde* minuten zeit passt
                """),
        [
            DaysField(words: .phrase("DATE", isOptional: true)) { days, value, moment in
                let named = try value.read(moment.fields.days)
                (days.from, days.to) = (named.lowerBound, named.upperBound)
            }
        ] + span((92, "three months")) + [
            DaysField(
                "--duration 30m", "at least this long",
                model: .init(
                    "duration_minutes",
                    .integer(description: "At least; default 30", range: 1...1440))
            ) { days, value, _ in
                let length =
                    value.number.map { CalendarDuration(seconds: $0 * 60) }
                    ?? DurationParser.duration(of: value.text)
                guard let length, length.days == 0, length.seconds > 0 else {
                    throw value.refusal(
                        "\"\(value.text)\" is not a length of time; use 30m or 1h30m")
                }
                days.minimum = length.seconds
            },
            DaysField(
                "--between 9-17", "the hours to look at",
                model: .init("between", .string(description: "Default 9:00-17:00"))
            ) { days, value, _ in
                if !value.isTyped, value.isNone { return }
                guard let hours = DayHours(value.text) else {
                    throw value.refusal(
                        "\"\(value.text)\" is not a range of hours; use 9:00-17:00")
                }
                days.hours = hours
            },
        ]
    ) { call in
        let moment = call.context
        let wanted = try await call.read(into: Days())
        let days = wanted.range(usual: wanted.from == nil ? 7 : 1, moment)
        let answer = try await moment.free(days, wanted.hours, minimum: Double(wanted.minimum))
        let rows = answer.free.map { slot in
            let json: JSONValue = [
                "start": .string(moment.local.isoText(slot.lowerBound)),
                "end": .string(moment.local.isoText(slot.upperBound)),
            ]
            return Outcome.Row(json: { json }, told: { JSONWriter.string(json) })
        }
        return Outcome(
            rows,
            listing: .init(
                noun: "free time", empty: "there is no free time of that length",
                more: "ask for fewer days"), notices: notices(answer.problems)
        ) { FreeView(text: moment.text).lines(answer.free, days: days) }
    }

    // MARK: - Changing

    private static let add = Act<Moment>(
        Verb(
            "add", "a new event, with its time in the words or in --start", json: json,
            example: "dentist next friday 2-3:30pm"),
        tool: Tool(
            name: "create_event", title: "Create an event",
            description: "Creates one event and names those it overlaps. Invites no one.",
            toolClass: .write, isAddition: true,
            cues: PlannerCues.times + """
                 meet* lunch dinner breakfast coffee birthday* anniversary holiday* vacation* trip \
                visit* block book from+to put+it mittagessen abendessen geburtstag* urlaub* reise \
                besuch* trag* eintragen vom+bis
                """),
        [
            DraftField(
                words: .phrase("WORDS", "words", repeats: true),
                model: .init("title", .string(), isRequired: true))
        ] + draftFields(isNew: true)
    ) { call in
        let moment = call.context
        var drafts = [ItemEdit(title: call.text)]
        if let words = call.words, words["--start"] == nil {
            let reading = moment.parse(words.text)
            guard reading.start == nil || reading.hasOwnTitle else {
                throw UsageError(
                    "calendar add needs a title beside the time.",
                    hint: "chat calendar add dentist \(words.text)")
            }
            drafts = reading.occasions.compactMap { ItemEdit(event: $0, in: moment.context) }
            guard reading.start != nil, !drafts.isEmpty else {
                throw UsageError(
                    "calendar add needs a day or a time.",
                    hint: "chat calendar add \(words.text) --start \(moment.context.example)")
            }
            let question = ReadingQuestion(reading: reading, isEvent: true, text: moment.text)
            guard question.isCertain else { return Outcome(question.output(as: moment.choice)) }
        }
        var made: [EventBook.Done] = []
        for draft in drafts {
            let draft = try await call.read(into: PlannerDraft(new: draft))
            made.append(try await moment.book.create(draft.edit))
        }
        return moment.shown(made, "created", isTyped: call.words != nil)
    }

    private static let edit = Act<Moment>(
        Verb(
            "edit", "change one; if it repeats, say which occurrences", json: json,
            example: "dentist --start 16:00"),
        tool: Tool(
            name: "edit_event", title: "Change an event",
            description: "Changes what is given of one event. A new start moves the end.",
            toolClass: .write,
            cues: PlannerCues.changes + """
                 back finish* start* begin* end ends longer shorter hour* minute* at+# um+# place \
                ort im
                """),
        occurrence.map { $0.declared() } + [.title("title")] + draftFields(isNew: false),
        touched: { call in
            let target = try await target(call)
            let isOver = try await leavesNothing(call, target)
            return try touched(
                call, target, isOver ? " (nothing of it would be left to come)" : "")
        },
        // In another calendar it is an addition, and with no future occurrence as good as a
        // deletion.
        effects: { call, arguments in
            var effects: [CallEffect] = []
            if arguments["calendar"]?.stringValue.map(DateFieldParser.isNone) == false {
                effects.append(CallEffect(.addition, "create_event", arguments))
            }
            // A problem that cannot be detected here, such as no matching event, fails in
            // the call.
            if (try? await leavesNothing(call, target(call))) == true {
                effects.append(CallEffect(.overwrite, "delete_event", arguments))
            }
            return effects
        }
    ) { call in
        let moment = call.context
        let (series, event, scope) = try await target(call)
        let edit = try await call.read(into: PlannerDraft(changing: event.start)).edit
        try call.refuseEmpty(edit, "calendar edit dentist --start 16:00")
        guard let scope else { return try which("changed", event, verb: "edit", call) }
        let done = try await moment.book.edit(event, of: series, edit, scope: scope)
        return moment.shown([done], "changed")
    }

    private static let delete = Act<Moment>(
        Verb("delete", "move one to the trash", json: json, example: "dentist"),
        tool: Tool(
            name: "delete_event", title: "Delete an event",
            description: "Moves one event to the trash, or takes out what scope says.",
            toolClass: .destroy,
            cues: PlannerCues.removals + """
                 called+off skip* off take+out fällt+aus ausgefallen entfällt absag* abgesagt aus
                """),
        occurrence.map { $0.declared() } as [DraftField],
        touched: { try await touched($0, target($0)) }
    ) { call in
        let moment = call.context
        let (series, event, scope) = try await target(call)
        guard let scope else { return try which("deleted", event, verb: "delete", call) }
        let done = try await moment.book.delete(event, of: series, scope: scope)
        var outcome = moment.shown([done], "deleted")
        let what =
            switch (series.isRecurring, done.scope) {
            case (false, _): "moved to the trash"
            case (true, .this): "only this one is gone"
            case (true, .following): "this one and all that follow are gone"
            case (true, .all): "all of them moved to the trash"
            }
        outcome.told = "deleted \(JSONWriter.string(.string(event.title))): \(what)"
        return outcome
    }

    // MARK: - The event that is meant

    private typealias Call = ActCall<PlannerDraft, Moment>
    /// The scope is nil if the event repeats and no scope was given.
    private typealias Target = (series: EventSeries, event: Event, scope: EventScope?)

    /// Found again for the effects, the question and the run: the user may take minutes to answer,
    /// and what is then changed must be the event as it is in its file then. `ToolRunner` compares
    /// the id, so that no other one is changed than was shown.
    private static func target(_ call: Call) async throws -> Target {
        let wanted = try await call.read(occurrence, into: Occurrence())
        let (series, event) = try await call.context.book.find(call.text, at: wanted.date)
        return (series, event, series.isRecurring ? wanted.scope : .all)
    }

    /// Asks the user for the scope, or tells the model to ask.
    private static func which(
        _ done: String, _ event: Event, verb: String, _ call: Call
    ) throws -> Outcome {
        guard let words = call.words else {
            throw ItemActions.refusal(
                "$.scope",
                "is needed, since the event repeats: this (with date), following or all; "
                    + "ask the user which is meant")
        }
        return Outcome(
            scopes(toBe: done, event, arguments: words.typed, verb: verb, call.context))
    }

    private static func touched(
        _ call: Call, _ target: Target, _ remark: String = ""
    ) throws -> CallPreview {
        let (series, event, scope) = target
        var text = "\(event.name) · \(call.context.text.span(event))\(remark)"
        if series.isRecurring {
            switch scope {
            case .this: text += ", only this one"
            case .following: text += " and all that follow"
            case .all: text = "\(event.name): every one of them"
            case nil: text = try which("", event, verb: "", call).told ?? text
            }
        }
        return .touches(text, item: series.uid)
    }

    /// Whether a current or future event would be left without a future time, or only with
    /// one too far away to be seen.
    private static func leavesNothing(_ call: Call, _ target: Target) async throws -> Bool {
        let moment = call.context
        let (series, event, scope) = target
        let change = try await call.read(into: PlannerDraft(changing: event.start)).edit
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
        guard let scope else { return false }
        let first = scope == .all ? series.main.start : event.start
        return try RecurrenceSet(start: first, rules: [rule.bounded(like: first, in: local)])
            .next(after: now, in: local) == nil
    }
}
