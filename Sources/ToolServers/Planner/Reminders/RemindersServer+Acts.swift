import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// The actions on reminders, each declared once for the command and the model's tool.
///
/// `ReminderActions` changes reminders.
extension RemindersServer {
    package static let acts: [Act<RemindersServer>] = [
        list, add, done, reopen, edit, snooze, delete, search, lists, review, parse,
    ]

    static let json =
        "uid title due overdue completed priority categories list notes recurrence alarm path …"
    private static let title = JSONSchema.Property(
        "title", .string(description: "Title, unique part of it, or id"), isRequired: true)

    // MARK: - Seeing

    private static let list = Act<RemindersServer>(
        Verb("list", "open reminders, all of them or some", json: json),
        tool: Tool(
            name: "list_reminders", title: "List reminders",
            description: "Lists reminders by due date; open ones without a filter.",
            toolClass: .read,
            cues: PlannerCues.times + """
                 overdue behind plate open pending left need shop* buy tagged offen* ansteh* \
                ansteht steht+an muss+noch kaufen
                """),
        [
            ActField("--all", "also those that are done") { query, _, _ in query.span = .all },
            ActField(
                words: .oneOf(ReminderQuery.Span.allCases.map(\.rawValue), isOptional: true),
                model: .init(
                    "filter", .string(choices: ReminderQuery.Span.allCases.map(\.rawValue)))
            ) { query, value, _ in
                query.span = ReminderQuery.Span(rawValue: value.text) ?? query.span
            },
            ActField("--list L", "only of that list", .list, model: .init("list", .string())) {
                query, value, _ in query.list = value.name()
            },
            ActField("--tag T", "only with that tag", model: .init("tag", .string())) {
                query, value, _ in query.tag = value.name()
            },
        ]
    ) { call in
        try await call.context.list(
            call.read(into: ReminderQuery()), mustExist: call.words != nil)
    }

    private static let search = Act<RemindersServer>(
        Verb("search", "search titles, notes and tags", json: json, example: "milk"),
        tool: Tool(
            name: "search_reminders", title: "Search reminders",
            description: "Finds reminders, open or done, by words in title, notes or tags.",
            toolClass: .read,
            cues: "find* search* look*+for when+suppose* when+need did+write such* finde wann wo"),
        [
            ActField<String, RemindersServer>(
                words: .phrase("WORDS", "a word", repeats: true),
                model: .init("query", .string(), isRequired: true))
        ]
    ) { call in try await call.context.search(call.text) }

    private static let lists = Act<RemindersServer>(
        Verb(
            "lists", "the lists and how much is in them",
            json: "name title open overdue completed path")
    ) { _, server in try await server.lists() }

    private static let parse = Act<RemindersServer>(
        Verb(
            "parse", "how words would be understood; stores nothing",
            [.phrase("WORDS", isOptional: true, repeats: true)], options: ParseCommand.options,
            json: "title start end rrule alarm tags priority and more",
            example: "\"call mom tomorrow at 5pm\"")
    ) { words, server in
        try ParseCommand(context: server.context(), parse: server.parse, judge: server.judge)
            .run(words)
    }

    // MARK: - Making

    private static let add = Act<RemindersServer>(
        Verb(
            "add", "a new reminder, with its time in the words or in --due", json: json,
            example: "call mom tomorrow at 5pm"),
        tool: Tool(
            name: "create_reminder", title: "Create a reminder",
            description: "Creates one reminder; alerts at the time of due_date.",
            toolClass: .write, isAddition: true,
            cues: PlannerCues.times + """
                 remind* nudge* poke* ping bug forget* miss alarm* wake* buy pick+up put+list \
                add+list erinner* bescheid vergess* weck* kaufen einkaufen besorgen abholen \
                schreib*+liste setz*+liste
                """),
        [
            DraftField(
                words: .phrase("WORDS", "a title", repeats: true),
                model: .init("title", .string(), isRequired: true))
        ] + draftFields(isNew: true) + [
            DraftField("--from-done", "repeat from when it is completed") { draft, _, _ in
                draft.repeatsFromCompletion = true
            },
            DraftField("--literal", "take no date out of the words"),
        ]
    ) { call in
        let server = call.context
        var drafts = [ItemEdit(title: call.text)]
        // If a date is given as an option, the words are not searched for one.
        if let words = call.words, !words.has("--literal"), words["--due"] == nil {
            let context = server.context()
            let reading = server.parse(words.text, context)
            if let question = ReminderQuestion(
                reading, phrase: words.text, words: server.words(context))
            {
                return Outcome(question.output(options: words))
            }
            drafts = reading.occasions.map { ItemEdit(reminder: $0, in: context) }
        }
        var made: [Reminder] = []
        for draft in drafts {
            let draft = try await call.read(into: PlannerDraft(new: draft))
            made.append(try await server.actions.create(draft.edit))
        }
        server.judge.endQuestion(isMade: true)
        return server.shown("created", made)
    }

    private static let edit = one(
        Verb(
            "edit", "change one; the value none clears a field", json: json,
            example: "buy milk --due \"friday at 10\""), .open,
        tool: Tool(
            name: "edit_reminder", title: "Change a reminder",
            description: "Changes what is given of one reminder; \"none\" clears a field.",
            toolClass: .write,
            cues: PlannerCues.changes + """
                 priority prioritise* prioritize* weekday* only every priorität* wichtig* werktag* \
                alle jeden
                """),
        [.title("new_title")] + draftFields(isNew: false),
        // Moved into another list it is an addition there. It cannot be moved into the
        // past.
        effects: { _, arguments in
            arguments["list"] == nil
                ? [] : [CallEffect(.addition, "create_reminder", arguments)]
        }
    ) { call, reminder in
        let edit = try await call.read(into: PlannerDraft(changing: reminder.due)).edit
        try call.refuseEmpty(edit, "reminders edit \(call.text) --due \"friday at 10\"")
        return call.context.shown("changed", [try await call.context.actions.edit(reminder, edit)])
    }

    // MARK: - Acts on one

    private static let done = one(
        Verb("done", "mark one as done", json: json), .open,
        tool: Tool(
            name: "complete_reminder", title: "Complete a reminder",
            description: "Marks one reminder done; a repeating one moves to its next time.",
            toolClass: .write,
            cues: """
                done paid bought finished finally sent called complete* tick* check*+off cross*+off \
                mark* abhak* abgehakt erledigt fertig bezahlt gekauft geschafft überwiesen
                """)
    ) { call, reminder in
        let (server, done) = (call.context, try await call.context.actions.complete(reminder))
        var told = "completed \(reminder.quoted)"
        if let next = done.nextDue {
            told += "; it repeats, next \(next.isoText(in: server.text.local))"
        }
        if !done.openParts.isEmpty { told += "; \(count(done.openParts)) of it still open" }
        return server.acted(server.completed(done), told, done.reminder)
    }

    private static let reopen = one(
        Verb("reopen", "make one open again", json: json), .done,
        tool: Tool(
            name: "reopen_reminder", title: "Reopen a reminder",
            description: "Makes one completed reminder open again.", toolClass: .write,
            cues: """
                reopen* back+open again+open untick* uncheck* never not+done wieder+offen \
                doch+nicht doch+noch
                """)
    ) { call, reminder in
        let open = try await call.context.actions.reopen(reminder)
        return call.context.acted(
            "✓ open again: \(call.context.text.title(open))", "reopened \(reminder.quoted)", open)
    }

    private static let delete = Act<RemindersServer>(
        Verb("delete", "move to the trash", json: json, example: "buy milk"),
        tool: Tool(
            name: "delete_reminder", title: "Delete a reminder",
            description: "Moves one reminder to the trash. Done ones are completed instead.",
            toolClass: .destroy,
            cues: PlannerCues.removals + """
                 stop+bug* stop+remind* stop+nag* anymore longer nicht+mehr
                """),
        [
            DraftField(words: .init("TITLE|ID", "a title or an id", repeats: true), model: title),
            DraftField("--yes", "several, without asking"),
        ],
        touched: { call in
            let reminder = try await call.context.find(call.text, .any)
            let parts = try await call.context.actions.parts(of: reminder)
            return .touches(
                call.context.text.title(reminder)
                    + (reminder.recurrence == nil ? "" : " (all its repetitions)")
                    + (parts.isEmpty ? "" : " (\(count(parts)) kept)"), item: reminder.uid)
        }
    ) { call in
        let server = call.context
        if let words = call.words, let named = try await server.namedByID(words.plain) {
            return try await server.delete(named, isConfirmed: words.isConfirmed)
        }
        let reminder = try await server.find(call.text, .any)
        let parts = try await server.actions.delete(reminder)
        return server.acted(
            server.deleted(reminder, parts),
            "moved \(reminder.quoted) to the trash"
                + (parts.isEmpty ? "" : "; \(count(parts)) of it kept"), reminder)
    }

    /// An action on the single reminder that the words refer to. It is found for the question and
    /// again for the run: the user may take minutes to answer, and what is then changed must be the
    /// reminder as it is in its file then. `ToolRunner` compares the id, so that no other one is
    /// changed than was shown.
    private static func one(
        _ verb: Verb, _ candidates: Candidates, tool: Tool, _ fields: [DraftField] = [],
        effects:
            @escaping @Sendable (ActCall<PlannerDraft, RemindersServer>, JSONObject) async ->
            [CallEffect] = { _, _ in [] },
        run:
            @escaping @Sendable (ActCall<PlannerDraft, RemindersServer>, Reminder) async throws ->
            Outcome
    ) -> Act<RemindersServer> {
        Act(
            verb, tool: tool,
            [DraftField(words: .phrase("TITLE|ID", "a title or an id"), model: title)] + fields,
            touched: { try await touched($0, candidates) },
            effects: effects,
            run: { try await run($0, $0.context.find($0.text, candidates)) })
    }

    private static func touched<Input>(
        _ call: ActCall<Input, RemindersServer>, _ candidates: Candidates
    ) async throws -> CallPreview {
        let reminder = try await call.context.find(call.text, candidates)
        return .touches(call.context.text.title(reminder), item: reminder.uid)
    }

    // MARK: - Alerting again

    /// A duration, or an end time.
    private struct Later {
        var minutes: Int?
        var phrase: String?
        var until: Date?
    }

    /// A year and a day, in minutes.
    private static let longestSnooze = 527_040

    private static let snooze = Act<RemindersServer>(
        Verb(
            "snooze", "alert again later; due stays as it is", json: json, example: "buy milk 15m"),
        tool: Tool(
            name: "snooze_reminder", title: "Snooze a reminder",
            description:
                "Alerts again about one reminder after minutes, or at until. Its due date stays.",
            toolClass: .write,
            cues: """
                snooze* again+in again+minute* again+hour again+ask again+ring not+now later \
                nochmal noch+mal später klingel* schlummer* gleich
                """),
        [
            ActField<Later, RemindersServer>(
                words: .phrase("TITLE|ID", "a title or an id"), model: title),
            ActField(
                "--for 10m", "this long from now; also as the last word",
                model: .init(
                    "minutes", .integer(description: "From now", range: 1...longestSnooze))
            ) { later, value, _ in (later.minutes, later.phrase) = (value.number, value.text) },
            ActField(
                "--until WHEN", "then; also in the words: until 5pm",
                model: .init("until", .string(description: "Day or time"))
            ) { later, value, server in
                if value.isTyped {
                    later.phrase = later.phrase ?? value.text
                } else if !value.isNone {
                    later.until = server.fields.morning(try value.read(server.fields.iso))
                }
            },
        ],
        touched: { try await touched($0, .open) }
    ) { call in
        let server = call.context
        let later = try await call.read(into: Later())
        var query = call.text
        let until: Date
        if let words = call.words {
            let phrase: String?
            (query, phrase) = split(words.plain, given: later.phrase, server.fields)
            guard let then = server.fields.later(phrase ?? "10m") else {
                throw UsageError(
                    "\"\(phrase ?? "")\" is not a length of time",
                    hint: "chat reminders snooze \(query) 15m")
            }
            until = then
        } else {
            let now = server.context().now
            switch (later.minutes, later.until) {
            case (let minutes?, nil): until = now.addingTimeInterval(Double(minutes) * 60)
            case (nil, let then?):
                until = then
                guard then > now, then <= now.addingTimeInterval(Double(longestSnooze) * 60) else {
                    throw ItemActions.refusal("$.until", "must be within a year from now")
                }
            default:
                throw ItemActions.refusal("$.minutes", "or until must be given, and not both")
            }
        }
        let reminder = try await server.find(query, .open)
        let snoozed = try await server.actions.snooze(reminder, until: until)
        return server.acted(
            server.snoozed(snoozed, until: until),
            "snoozed \(reminder.quoted) until \(server.text.local.isoText(until))", snoozed)
    }

    /// The title and the duration: "buy milk for an hour", "buy milk half an hour", "buy milk
    /// tomorrow".
    private static func split(
        _ words: [String], given: String?, _ fields: DateFieldParser
    ) -> (String, String?) {
        var (plain, phrase) = (words, given)
        if phrase == nil,
            let place = plain.lastIndex(where: { ["for", "until", "till"].contains($0) }),
            place > 0, place + 1 < plain.count
        {
            phrase = plain[(place + 1)...].joined(separator: " ")
            plain = Array(plain[..<place])
        }
        if phrase == nil, plain.count > 1 {
            let ends = (1..<plain.count).map { plain[$0...].joined(separator: " ") }
            let place =
                ends.firstIndex { DurationParser.duration(of: $0, bare: nil) != nil }
                ?? ends.firstIndex { fields.later($0) != nil }
            if let place {
                phrase = ends[place]
                plain = Array(plain[...place])
            }
        }
        return (plain.joined(separator: " "), phrase)
    }
}

extension Reminder {
    /// The title in quotation marks, for the model.
    fileprivate var quoted: String { JSONWriter.string(.string(fields.title)) }
}
