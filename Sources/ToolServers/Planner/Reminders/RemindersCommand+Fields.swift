import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials

/// `add` and `edit`: a reminder from words and options, and the changes of one.
extension RemindersCommand {
    static let fields: [Verb.Option] = [
        .init("--due WHEN", "in words, or as 2026-11-22T09:00"),
        .init("--repeat RULE", "such as every other tuesday, or FREQ=WEEKLY;BYDAY=TU"),
        .init("--alarm 15m", "alert this long before it is due"),
        .init("--list L", "the list to put it in", .list),
        .init("--tag T", "may be given several times", repeats: true),
        .init(
            "--priority LEVEL", "high, medium, low or 1 to 9; 1 is the highest",
            .examples(["high", "medium", "low", "none"])),
        .init("--parent TITLE", "the reminder it is part of"),
        .init("--notes TEXT", "more about it"),
    ]

    // MARK: - add

    func add(_ words: CommandArguments) async throws -> CommandOutput {
        var drafts = [ItemEdit(title: words.text)]
        // A date given as an option is not looked for in the words.
        if !words.has("--literal"), words["--due"] == nil {
            let context = server.context()
            let reading = server.parse(words.text, context)
            if let question = ReminderQuestion(
                reading, phrase: words.text, words: server.words(context))
            {
                return question.output(options: words)
            }
            drafts = reading.occasions.map { ItemEdit(reminder: $0, in: context) }
        }
        var output = CommandOutput()
        var objects: [JSONValue] = []
        for var draft in drafts {
            try await fill(&draft, from: words)
            let reminder = try await server.actions.create(draft)
            let added = one(
                "✓ \(server.words().full(reminder))", reminder, server.silence(reminder))
            output.lines += added.lines
            objects += [added.json].compactMap { $0 }
        }
        output.json = objects.count == 1 ? objects[0] : .array(objects)
        return output
    }

    private func fill(_ draft: inout ItemEdit, from words: CommandArguments) async throws {
        if let text = words["--due"] {
            draft.due = .set(
                try value("--due") { () throws(DateFieldParser.Problem) in
                    try server.fields.due(text)
                })
        }
        if let text = words["--repeat"] {
            let repetition = try value("--repeat") { () throws(DateFieldParser.Problem) in
                try server.fields.repetition(text)
            }
            draft.recurrence = .set(repetition.rule)
            draft.repeatsFromCompletion = repetition.isFromCompletion
            if draft.due == nil { draft.due = repetition.start.map { .set($0) } }
            if draft.due == nil {
                throw UsageError(
                    "--repeat needs a first time", hint: "--due 2026-11-22T09:00, or in the words")
            }
        }
        if words.has("--from-done") { draft.repeatsFromCompletion = true }
        if let text = words["--alarm"] {
            let due = draft.due?.value
            draft.alarm = try change(text, "--alarm") { text throws(DateFieldParser.Problem) in
                try server.fields.alarm(text, for: due)
            }
            if draft.due == nil, draft.alarm != .clear {
                throw UsageError("--alarm needs a due time")
            }
        }
        if let text = words["--priority"] { draft.priority = .set(try priority(text)) }
        if let list = words["--list"] { draft.list = list }
        draft.categories = .set((draft.categories?.value ?? []) + words.values("--tag"))
        if let notes = words["--notes"] { draft.notes = .set(notes) }
        if let query = words["--parent"] {
            draft.parent = .set(try await server.parent(query))
        }
    }

    // MARK: - edit

    func edit(_ words: CommandArguments) async throws -> CommandOutput {
        let reminder = try await server.find(words.text, .open)
        var edit = ItemEdit()
        edit.title = words["--title"]
        if let text = words["--due"] {
            edit.due = try change(text, "--due") { text throws(DateFieldParser.Problem) in
                try server.fields.due(text)
            }
        }
        if let text = words["--repeat"] {
            edit.recurrence = try change(text, "--repeat") { text throws(DateFieldParser.Problem) in
                try server.fields.repetition(text).rule
            }
        }
        if let text = words["--alarm"] {
            let due = edit.due == nil ? reminder.due : edit.due?.value
            edit.alarm = try change(text, "--alarm") { text throws(DateFieldParser.Problem) in
                try server.fields.alarm(text, for: due)
            }
        }
        if let text = words["--priority"] {
            edit.priority = DateFieldParser.isNone(text) ? .clear : .set(try priority(text))
        }
        let tags = words.values("--tag")
        if !tags.isEmpty {
            edit.categories = tags.allSatisfy(DateFieldParser.isNone) ? .clear : .set(tags)
        }
        if let notes = words["--notes"] {
            edit.notes = DateFieldParser.isNone(notes) ? .clear : .set(notes)
        }
        if let query = words["--parent"] {
            if DateFieldParser.isNone(query) {
                edit.parent = .clear
            } else {
                edit.parent = .set(try await server.parent(query))
            }
        }
        edit.list = words["--list"]
        guard !edit.isEmpty else {
            throw UsageError(
                "edit needs something to change",
                hint: "chat reminders edit \(words.text) --due \"friday at 10\"")
        }
        let changed = try await server.actions.edit(reminder, edit)
        return one("✓ \(server.words().full(changed))", changed, server.silence(changed))
    }

    // MARK: - Values

    private func value<Value>(
        _ name: String, _ read: () throws(DateFieldParser.Problem) -> Value
    ) throws -> Value {
        do throws(DateFieldParser.Problem) {
            return try read()
        } catch {
            throw UsageError("\(name): \(error.sentence)")
        }
    }

    private func change<Value>(
        _ text: String, _ name: String, _ read: (String) throws(DateFieldParser.Problem) -> Value
    ) throws -> ItemEdit.Change<Value> {
        if DateFieldParser.isNone(text) { return .clear }
        return .set(try value(name) { () throws(DateFieldParser.Problem) in try read(text) })
    }

    private func priority(_ text: String) throws -> Int {
        switch text.lowercased() {
        case "high", "p1", "!!!": return 1
        case "medium", "p2", "!!": return 5
        case "low", "p3", "!": return 9
        default:
            guard let priority = Int(text), (1...9).contains(priority) else {
                throw UsageError(
                    "--priority \"\(text)\" is not high, medium, low or a number from 1 to 9",
                    hint: "1 is the highest, 9 the lowest")
            }
            return priority
        }
    }
}
