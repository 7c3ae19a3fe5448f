import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials

/// `chat reminders …` and `/reminders …`: the words a person types, turned
/// into the calls the tools make, and the results as lines.
struct RemindersCommand: Sendable {
    let server: RemindersServer

    var command: Command {
        Command(
            name: server.name, summary: "add, list and complete reminders",
            verbs: [
                Verb(
                    "list", "open reminders, all of them or some",
                    [
                        .init(
                            "[today|tomorrow|week|overdue|upcoming|all]", "",
                            .oneOf(ReminderFilter.Span.allCases.map(\.rawValue)))
                    ],
                    options: [
                        .init("--list L", "only of that list", .list),
                        .init("--tag T", "only with that tag"),
                        .init("--all", "also those that are done"),
                    ], json: Self.json
                ) { try await list($0) },
                Verb(
                    "add", "a new reminder, with its time in the words or in --due",
                    [.phrase("WORDS…", "a title")],
                    options: Self.fields + [
                        .init("--from-done", "repeat from when it is completed"),
                        .init("--literal", "take no date out of the words"),
                    ], json: Self.json, example: "call mom tomorrow at 5pm"
                ) { try await add($0) },
                Verb("done", "mark one as done", Self.one, json: Self.json) { words in
                    let found = try await server.find(words.text, .open)
                    let done = try await server.actions.complete(found)
                    return one(server.completed(done), done.reminder)
                },
                Verb("reopen", "make one open again", Self.one, json: Self.json) {
                    words in
                    let found = try await server.find(words.text, .done)
                    let reminder = try await server.actions.reopen(found)
                    return one("✓ open again: \(server.words().title(reminder))", reminder)
                },
                Verb(
                    "edit", "change one; the value none clears a field", Self.one,
                    options: [.init("--title T", "another title")] + Self.fields,
                    json: Self.json, example: "buy milk --due \"friday at 10\""
                ) { try await edit($0) },
                Verb(
                    "snooze", "alert again later; due stays as it is", Self.one,
                    options: [
                        .init("--for 10m", "this long from now; also as the last word"),
                        .init("--until WHEN", "then; also in the words: until 5pm"),
                    ], json: Self.json, example: "buy milk 15m"
                ) { try await snooze($0) },
                Verb(
                    "delete", "move to the trash", [.init("TITLE|ID…", "a title or an id")],
                    options: [.init("--yes", "several, without asking")],
                    json: Self.json, example: "buy milk"
                ) { try await delete($0) },
                Verb(
                    "search", "search titles, notes and tags", [.phrase("WORDS…", "a word")],
                    json: Self.json, example: "milk"
                ) { try await search($0.text) },
                Verb(
                    "lists", "the lists and how much is in them",
                    json: "name title open overdue completed path"
                ) { _ in try await lists() },
                Verb(
                    "parse", "how words would be understood; stores nothing",
                    [.phrase("[WORDS…]")], options: ParseCommand.options,
                    json: "title start end rrule alarm tags priority and more",
                    example: "\"call mom tomorrow at 5pm\""
                ) {
                    try ParseCommand(
                        context: server.context(), parse: server.parse, judge: server.judge
                    ).run($0)
                },
            ])
    }

    private static let json =
        "uid title due overdue completed priority categories list notes recurrence alarm path …"
    private static let one = [Verb.Argument.phrase("TITLE|ID", "a title or an id")]

    // MARK: - Listing

    func search(_ query: String) async throws -> CommandOutput {
        let listing = try await server.actions.all()
        return output(
            ItemMatcher.search(query, in: listing.reminders), of: listing,
            empty: "No reminder has \"\(query)\" in its title, notes or tags.")
    }

    private func list(_ words: CommandArguments) async throws -> CommandOutput {
        var filter = ReminderFilter(
            words.has("--all") ? .all : .open, list: words["--list"], tag: words["--tag"])
        // The table has checked it.
        if let span = words.plain.first.flatMap(ReminderFilter.Span.init) { filter.span = span }
        return try await list(filter, hasJSON: words.wantsJSON)
    }

    /// - Parameter hasJSON: of ten thousand, what is not printed takes time as well.
    func list(
        _ filter: ReminderFilter, hasJSON: Bool = true
    ) async throws -> CommandOutput {
        let words = server.words()
        let listing = try await server.actions.all(openOnly: filter.isOpenOnly)
        let found = listing.reminders.filter { filter.allows($0, at: words) }
        var output = output(
            found, of: listing, empty: Self.empty(filter), hasJSON: hasJSON)
        if filter.span == .today, !filter.includesOverdue {
            let overdue = ReminderFilter(.overdue, list: filter.list, tag: filter.tag)
            let late = listing.reminders.filter {
                overdue.allows($0, at: words) && !filter.allows($0, at: words)
            }
            if !late.isEmpty {
                output.lines.append(
                    StyledLine(
                        "\(late.count) overdue from before: chat reminders list overdue", .hint))
            }
        }
        return output
    }

    private static func empty(_ filter: ReminderFilter) -> String {
        let place =
            (filter.tag.map { " with #\($0.hasPrefix("#") ? String($0.dropFirst()) : $0)" } ?? "")
            + (filter.list.map { " in \"\($0)\"" } ?? "")
        switch filter.span {
        case .open: return "No open reminders\(place)."
        case .today: return "Nothing is due today\(place)."
        case .tomorrow: return "Nothing is due tomorrow\(place)."
        case .week: return "Nothing is due this week\(place)."
        case .overdue: return "Nothing is overdue\(place)."
        case .upcoming: return "Nothing is coming up\(place)."
        case .completed: return "Nothing is done yet\(place)."
        case .all: return "No reminders\(place)."
        }
    }

    private func lists() async throws -> CommandOutput {
        let listing = try await server.actions.all()
        let words = server.words()
        let rows = try await server.actions.store.collections().map { collection in
            let own = listing.reminders.filter { $0.folder == collection.name }
            let open = own.filter { !$0.completed }
            return (
                collection: collection, open: open.count, done: own.count - open.count,
                overdue: open.filter { $0.due.map(words.isPast) == true }.count
            )
        }
        let lines = StyledLine.table(
            rows.map { row in
                var spans: [StyledLine.Span] = [
                    .init(row.collection.displayName, .accent), .init("\(row.open) open"),
                ]
                if row.overdue > 0 { spans.append(.init("  \(row.overdue) overdue", .failure)) }
                if row.done > 0 { spans.append(.init("  \(row.done) done", .dim)) }
                if row.collection.displayName != row.collection.name {
                    spans.append(.init("  \(row.collection.name)", .dim))
                }
                return spans
            }, columns: 1)
        return CommandOutput(
            lines: lines.isEmpty ? [StyledLine("No lists yet.", .dim)] : lines,
            json: .array(
                rows.map { row in
                    [
                        "name": .string(row.collection.name),
                        "title": .string(row.collection.displayName),
                        "open": JSONValue(row.open), "overdue": JSONValue(row.overdue),
                        "completed": JSONValue(row.done), "path": .string(row.collection.path),
                    ]
                }), notices: Self.notices(listing))
    }

    private static func notices(_ listing: ReminderActions.Listing) -> [String] {
        listing.problems.map(\.sentence)
    }

    // MARK: - Acts on one or several

    private func delete(_ words: CommandArguments) async throws -> CommandOutput {
        // Words make one title, unless each of them is the id of one.
        let all = try await server.actions.all().reminders
        let ids = ItemIDs(all)
        let byID = words.plain.compactMap { word -> Reminder? in
            let found = Reminder.named(word, in: all)
            guard word.count >= 8, found.count == 1,
                SearchText.folded(ids.full(found[0])).hasPrefix(SearchText.folded(word))
            else { return nil }
            return found[0]
        }
        guard words.plain.count > 1, byID.count == words.plain.count else {
            let reminder = try await server.find(words.text, .any)
            return one(
                server.deleted(reminder, try await server.actions.delete(reminder)), reminder)
        }
        guard words.isConfirmed else {
            let names = byID.map { StyledLine("  \(server.words().title($0))") }
            return CommandOutput(
                lines: [StyledLine("These \(byID.count) would go to the trash:")] + names
                    + [StyledLine("Nothing was deleted; --yes deletes them.", .warning)],
                outcome: .refused)
        }
        var lines: [StyledLine] = []
        for reminder in byID {
            let parts = try await server.actions.delete(reminder)
            lines.append(StyledLine(server.deleted(reminder, parts), .success))
        }
        return CommandOutput(
            lines: lines, json: .array(byID.map(server.words().json)))
    }

    private func snooze(_ words: CommandArguments) async throws -> CommandOutput {
        var plain = words.plain
        var phrase = words["--for"] ?? words["--until"]
        if phrase == nil,
            let place = plain.lastIndex(where: { ["for", "until", "till"].contains($0) }),
            place > 0, place + 1 < plain.count
        {
            phrase = plain[(place + 1)...].joined(separator: " ")
            plain = Array(plain[..<place])
        }
        if phrase == nil, plain.count > 1, let last = plain.last,
            DurationParser.duration(of: last, bare: nil) != nil
        {
            phrase = plain.removeLast()
        }
        let query = plain.joined(separator: " ")
        guard let until = server.fields.later(phrase ?? "10m") else {
            throw UsageError(
                "\"\(phrase ?? "")\" is not a length of time",
                hint: "chat reminders snooze \(query) 15m"
            )
        }
        let reminder = try await server.actions.snooze(server.find(query, .open), until: until)
        return one(server.snoozed(reminder, until: until), reminder)
    }

    // MARK: - Output

    func one(_ text: String, _ reminder: Reminder, _ silence: String = "") -> CommandOutput {
        CommandOutput(
            lines: [
                StyledLine(
                    [.init(text, .success)] + (silence.isEmpty ? [] : [.init(silence, .warning)]))
            ],
            json: server.words().json(reminder))
    }

    private func output(
        _ reminders: [Reminder], of listing: ReminderActions.Listing, empty: String,
        hasJSON: Bool = true
    ) -> CommandOutput {
        let words = server.words()
        let list = ReminderListing(
            reminders, text: words, ids: ItemIDs(listing.reminders))
        return CommandOutput(
            lines: reminders.isEmpty ? [StyledLine(empty, .dim)] : list.lines,
            json: hasJSON ? .array(list.reminders.map(words.json)) : nil,
            notices: Self.notices(listing)
                + list.reminders.flatMap(\.itemProblems).map(\.sentence))
    }
}
