import AgentCore
import FoundationEssentials
import ICalendar

/// `chat reminders …` and `/reminders …`: the words a person types, turned
/// into the calls the tools make, and the results as lines.
struct RemindersCommand: Sendable {
    let server: RemindersServer

    var command: Command {
        Command(
            name: server.name, summary: "keep, see and finish reminders",
            verbs: [
                .init(
                    "list",
                    usage: "[today|tomorrow|week|overdue|upcoming|all] [--list L] [--tag T]",
                    summary: "open reminders, all of them or some"),
                .init(
                    "add", usage: "WORDS… [--due WHEN] [--repeat RULE] [--alarm 15m] …",
                    summary: "a new reminder: add call mom tomorrow at 5pm",
                    flags: [
                        "--list L", "--tag T", "--notes TEXT", "--priority high|medium|low|none",
                        "--parent TITLE", "--from-done", "--literal",
                    ]),
                .init("done", usage: "TITLE|ID", summary: "mark one as done"),
                .init("reopen", usage: "TITLE|ID", summary: "make one open again"),
                .init(
                    "edit", usage: "TITLE|ID --title T --due WHEN …",
                    summary: "change one; none clears a field",
                    flags: [
                        "--repeat RULE", "--alarm 15m", "--list L", "--tag T", "--notes TEXT",
                        "--priority high|medium|low|none", "--literal",
                    ]),
                .init(
                    "snooze", usage: "TITLE|ID [10m|until WHEN]",
                    summary: "alert again later; due stays as it is"),
                .init("delete", usage: "TITLE|ID…", summary: "move to the trash"),
                .init("search", usage: "WORDS…", summary: "find in titles, notes and tags"),
                .init("lists", summary: "the lists and how much is in them"),
                .init(
                    "parse", usage: "WORDS… [--now ISO] [--tz ZONE] [--locale en_GB] [--file PATH]",
                    summary: "how words would be understood; stores nothing"),
            ],
            run: { try await run($0) })
    }

    func run(_ call: CommandInvocation) async throws -> CommandOutput {
        do {
            switch call.verb {
            case "list": return try await list(call.arguments)
            case "add": return try await add(call.arguments)
            case "done":
                let query = try reference(call.arguments, verb: "done")
                let done = try await server.actions.complete(server.find(query, .open))
                return one(server.completed(done), done.reminder)
            case "reopen":
                let query = try reference(call.arguments, verb: "reopen")
                let reminder = try await server.actions.reopen(server.find(query, .done))
                return one("✓ open again: \(server.words().title(reminder))", reminder)
            case "edit": return try await edit(call.arguments)
            case "snooze": return try await snooze(call.arguments)
            case "delete": return try await delete(call)
            case "search":
                return try await search(try reference(call.arguments, verb: "search"))
            case "lists": return try await lists()
            case "parse":
                return try ParseCommand(
                    context: server.context(), parse: server.parse, judge: server.judge
                )
                .run(call.arguments)
            default:
                throw UsageError(
                    "reminders has no verb \"\(call.verb)\"",
                    hint: "chat reminders list|add|done|edit|snooze|delete|search")
            }
        } catch ToolError.invalidArguments(let violations) {
            throw UsageError(
                violations.map { "\($0.path.dropFirst(2)) \($0.problem)" }.joined(separator: "; "))
        }
    }

    // MARK: - Listing

    func search(_ query: String) async throws -> CommandOutput {
        let listing = try await server.actions.all()
        return output(
            ItemMatcher.search(query, in: listing.reminders), of: listing,
            empty: "Nothing has \"\(query)\" in its title, notes or tags.")
    }

    private func list(_ arguments: [String]) async throws -> CommandOutput {
        let words = try CommandArguments(
            arguments, verb: "list", options: ["--list", "--tag"], flags: ["--all"])
        var filter = ReminderFilter(words.flags.contains("--all") ? .all : .open)
        if let word = words.plain.first {
            guard words.plain.count == 1, let span = ReminderFilter.Span(rawValue: word) else {
                let spans = ReminderFilter.Span.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError(
                    "list takes no \"\(words.plain.joined(separator: " "))\"",
                    hint: "it takes \(spans); chat reminders search finds words")
            }
            filter.span = span
        }
        filter.list = words["--list"]
        filter.tag = words["--tag"]
        return try await list(filter)
    }

    func list(_ filter: ReminderFilter) async throws -> CommandOutput {
        let words = server.words()
        let listing = try await server.actions.all(openOnly: filter.isOpenOnly)
        let found = listing.reminders.filter { filter.allows($0, at: words) }
        var output = output(found, of: listing, empty: Self.empty(filter))
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
        let width = rows.map { DisplayWidth.of($0.collection.displayName) }.max() ?? 0
        let lines = rows.map { row in
            var spans: [StyledLine.Span] = [
                .init(DisplayWidth.pad(row.collection.displayName, to: width), .accent),
                .init("  \(row.open) open"),
            ]
            if row.overdue > 0 { spans.append(.init("  \(row.overdue) overdue", .failure)) }
            if row.done > 0 { spans.append(.init("  \(row.done) done", .dim)) }
            if row.collection.displayName != row.collection.name {
                spans.append(.init("  \(row.collection.name)", .dim))
            }
            return StyledLine(spans)
        }
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

    private func delete(_ call: CommandInvocation) async throws -> CommandOutput {
        let words = try CommandArguments(call.arguments, verb: "delete")
        guard !words.isBlank else { throw needsReference("delete") }
        // Words make one title, unless each of them is the id of one.
        let all = try await server.actions.all().reminders
        let byID = words.plain.compactMap { word -> Reminder? in
            let found = Reminder.named(word, in: all)
            guard word.count >= 8, found.count == 1,
                SearchText.folded(found[0].uid).hasPrefix(SearchText.folded(word))
            else { return nil }
            return found[0]
        }
        guard words.plain.count > 1, byID.count == words.plain.count else {
            let reminder = try await server.find(words.text, .any)
            return one(
                server.deleted(reminder, try await server.actions.delete(reminder)), reminder)
        }
        guard call.isConfirmed else {
            let names = byID.map { StyledLine("  \(server.words().title($0))") }
            return CommandOutput(
                lines: [StyledLine("These \(byID.count) would go to the trash:")] + names
                    + [StyledLine("Nothing was deleted; with --yes they are.", .warning)],
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

    private func snooze(_ arguments: [String]) async throws -> CommandOutput {
        let words = try CommandArguments(
            arguments, verb: "snooze", options: ["--for", "--until"])
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
        guard !query.allSatisfy(\.isWhitespace) else { throw needsReference("snooze") }
        guard let until = server.fields.later(phrase ?? "10m") else {
            throw UsageError(
                "\"\(phrase ?? "")\" is no time to wait", hint: "chat reminders snooze \(query) 15m"
            )
        }
        let reminder = try await server.actions.snooze(server.find(query, .open), until: until)
        return one(server.snoozed(reminder, until: until), reminder)
    }

    // MARK: - Output

    func one(_ text: String, _ reminder: Reminder) -> CommandOutput {
        CommandOutput(
            lines: [StyledLine(text, .success)],
            json: server.words().json(reminder))
    }

    func reference(_ arguments: [String], verb: String) throws -> String {
        let words = try CommandArguments(arguments, verb: verb)
        guard !words.isBlank else { throw needsReference(verb) }
        return words.text
    }

    func needsReference(_ verb: String) -> UsageError {
        UsageError(
            verb == "search" ? "search needs a word" : "\(verb) needs a title or an id",
            hint: "chat reminders \(verb) \(verb == "search" ? "milk" : "buy milk")")
    }

    private func output(
        _ reminders: [Reminder], of listing: ReminderActions.Listing, empty: String
    ) -> CommandOutput {
        let words = server.words()
        let list = ReminderListing(
            reminders, text: words, ids: ItemMatcher.shortIDs(listing.reminders.map(\.uid)))
        return CommandOutput(
            lines: reminders.isEmpty ? [StyledLine(empty, .dim)] : list.lines,
            json: .array(list.reminders.map(words.json)),
            notices: Self.notices(listing)
                + list.reminders.flatMap(\.itemProblems).map(\.sentence))
    }
}
