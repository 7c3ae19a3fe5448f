import AgentCore
import FoundationEssentials

/// `chat reminders …` and `/reminders …`: the words a person types, turned
/// into the calls the tools make, and the results as lines.
struct RemindersCommand: Sendable {
    let server: RemindersServer

    var command: Command {
        Command(
            name: server.name, summary: "keep, see and finish reminders",
            verbs: [
                .init("list", usage: "[--all]", summary: "open reminders; --all with those done"),
                .init(
                    "add", usage: "TITLE… [--due ISO] [--notes TEXT] [--priority 1-9]",
                    summary: "a new reminder, with an alert when --due has a time"),
                .init("done", usage: "TITLE|ID", summary: "mark one as done"),
                .init("delete", usage: "TITLE|ID", summary: "move one to the trash"),
                .init("search", usage: "WORDS…", summary: "find in titles and notes"),
            ],
            run: { try await run($0) })
    }

    func run(_ call: CommandInvocation) async throws -> CommandOutput {
        switch call.verb {
        case "list":
            let words = try Words(call.arguments, verb: "list", flags: ["--all"])
            if let extra = words.plain.first {
                throw UsageError(
                    "list takes no \"\(extra)\"", hint: "chat reminders search \(extra)")
            }
            return try await list(includingDone: words.flags.contains("--all"))
        case "add": return try await add(call.arguments)
        case "done":
            let done = try await server.complete(try reference(call.arguments, verb: "done"))
            return one("✓ done: \(ReminderText.name(done))", done)
        case "delete":
            let gone = try await server.delete(try reference(call.arguments, verb: "delete"))
            return one("✓ deleted: \(server.words().title(gone)) (in the trash)", gone)
        case "search":
            let query = try reference(call.arguments, verb: "search")
            let listing = try await server.store.all()
            return output(
                ReminderMatcher.search(query, in: listing.reminders), of: listing,
                empty: "Nothing has \"\(query)\" in its title or notes.")
        default:
            throw UsageError(
                "reminders has no verb \"\(call.verb)\"",
                hint: "chat reminders list|add|done|delete|search")
        }
    }

    func list(includingDone: Bool) async throws -> CommandOutput {
        let listing = try await server.store.all()
        return output(
            listing.reminders.filter { includingDone || !$0.completed }, of: listing,
            empty: includingDone ? "No reminders." : "No open reminders.")
    }

    private func add(_ arguments: [String]) async throws -> CommandOutput {
        let words = try Words(
            arguments, verb: "add", options: ["--due", "--notes", "--priority"])
        guard words.plain.contains(where: { !$0.allSatisfy(\.isWhitespace) }) else {
            throw UsageError(
                "add needs a title", hint: "chat reminders add call mom --due 2026-11-22T09:00")
        }
        var draft = Reminder.Draft(title: words.plain.joined(separator: " "))
        draft.notes = words.options["--notes"]
        if let text = words.options["--due"] {
            do throws(RemindersServer.DueProblem) {
                draft.due = try RemindersServer.due(text)
            } catch {
                throw UsageError("--due \(error.sentence)")
            }
            if draft.due == nil { throw UsageError("--due is empty; use \(ISO8601.accepted)") }
        }
        if let text = words.options["--priority"] {
            guard let priority = Int(text), (1...9).contains(priority) else {
                throw UsageError(
                    "--priority \"\(text)\" is not a number from 1 to 9",
                    hint: "1 is the highest, 9 the lowest")
            }
            draft.priority = priority
        }
        let reminder: Reminder
        do {
            reminder = try await server.create(draft)
        } catch ToolError.invalidArguments(let violations) {
            throw UsageError(
                violations.map { "\($0.path.dropFirst(2)) \($0.problem)" }.joined(separator: "; "))
        }
        return one(server.words().created(reminder), reminder)
    }

    private func one(_ text: String, _ reminder: Reminder) -> CommandOutput {
        CommandOutput(
            lines: [StyledLine(text, .success)], json: server.words().json(reminder))
    }

    private func reference(_ arguments: [String], verb: String) throws -> String {
        let text = try Words(arguments, verb: verb).plain.joined(separator: " ")
        guard !text.allSatisfy(\.isWhitespace) else {
            throw UsageError(
                verb == "search" ? "search needs a word" : "\(verb) needs a title or an id",
                hint: "chat reminders \(verb) \(verb == "search" ? "milk" : "buy milk")")
        }
        return text
    }

    private func output(
        _ reminders: [Reminder], of listing: ReminderStore.Listing, empty: String
    ) -> CommandOutput {
        let words = server.words()
        let list = ReminderListing(
            reminders, text: words, ids: ReminderMatcher.shortIDs(listing.reminders))
        return CommandOutput(
            lines: reminders.isEmpty ? [StyledLine(empty, .dim)] : list.lines,
            json: .array(list.reminders.map(words.json)),
            notices: listing.problems.map { "cannot read \($0.path): \($0.reason)" })
    }

    /// The words after a verb, options apart. `--` ends the options.
    struct Words {
        var plain: [String] = []
        var options: [String: String] = [:]
        var flags: Set<String> = []

        init(
            _ arguments: [String], verb: String, options names: Set<String> = [],
            flags flagNames: Set<String> = []
        ) throws(UsageError) {
            var rest = arguments[...]
            while let word = rest.popFirst() {
                if word == "--" {
                    plain += rest
                    return
                }
                guard word.hasPrefix("--") else {
                    plain.append(word)
                    continue
                }
                let parts = word.split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                // `split` gives one part at least.
                let name = String(parts[0])
                if flagNames.contains(name), parts.count == 1 {
                    flags.insert(name)
                } else if names.contains(name) {
                    guard options[name] == nil else { throw UsageError("\(name) is given twice") }
                    if parts.count == 2 {
                        options[name] = String(parts[1])
                    } else if let value = rest.popFirst() {
                        options[name] = value
                    } else {
                        throw UsageError("\(name) needs a value")
                    }
                } else {
                    let known = names.union(flagNames).sorted().joined(separator: ", ")
                    throw UsageError(
                        "\(verb) has no option \(name)",
                        hint: known.isEmpty ? nil : "options: \(known)")
                }
            }
        }
    }
}
