import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// The output of the actions on reminders, and actions on several at once.
extension RemindersServer {
    /// One line for the user, and a different text for the model.
    func acted(_ line: String, _ told: String, _ reminder: Reminder) -> Outcome {
        Outcome([row(reminder)], told: told) { [StyledLine(line, .success)] }
    }

    /// The created or changed reminders in their current state.
    func shown(_ verb: String, _ reminders: [Reminder]) -> Outcome {
        let text = self.text
        let rows = reminders.map { row($0) }
        let isPast = verb == "created" && reminders.contains { $0.due.map(text.isPast) == true }
        return Outcome(
            rows,
            told: rows.map { "\(verb) \($0.told())" }.joined(separator: "\n")
                + (isPast ? "; the due date is in the past" : "")
        ) {
            reminders.map { reminder in
                let silence = self.silence(reminder)
                return StyledLine(
                    [.init("✓ \(text.full(reminder))", .success)]
                        + (silence.isEmpty ? [] : [.init(silence, .warning)]))
            }
        }
    }

    // MARK: - Listings

    /// - Parameter mustExist: whether a list without that name is an error.
    func list(_ query: ReminderQuery, mustExist: Bool = false) async throws -> Outcome {
        if mustExist, let name = query.list,
            try await !actions.store.collections().contains(where: { $0.isNamed(name) })
        {
            throw UsageError(
                "There is no list \"\(name)\".", hint: "chat reminders lists shows them.",
                exit: .failure)
        }
        let text = self.text
        let all = try await actions.all(openOnly: query.isOpenOnly)
        var late = 0
        if query.span == .today, !query.includesOverdue {
            var overdue = query
            overdue.span = .overdue
            late = all.reminders.count {
                overdue.allows($0, at: text) && !query.allows($0, at: text)
            }
        }
        let told =
            switch query {
            case ReminderQuery(): "there are no open reminders"
            case ReminderQuery(.all): "there are no reminders"
            default: "there are no such reminders"
            }
        return listing(
            all.reminders.filter { query.allows($0, at: text) }, of: all,
            empty: Self.empty(query), told: told,
            hint: late == 0 ? nil : "\(late) overdue from before: chat reminders list overdue")
    }

    func search(_ query: String) async throws -> Outcome {
        let all = try await actions.all()
        return listing(
            ItemMatcher.search(query, in: all.reminders), of: all,
            empty: "No reminder has \"\(query)\" in its title, notes or tags.",
            told: "no reminder has these words in its title, notes or tags")
    }

    private func listing(
        _ found: [Reminder], of all: ReminderActions.Listing, empty: String, told: String,
        hint: String? = nil
    ) -> Outcome {
        let ids = ItemIDs(all.reminders)
        let list = ReminderListing(found, text: text, ids: ids)
        let (shown, parents) = (list.reminders, Set(found.compactMap(\.parent)))
        let wholes = all.reminders.filter { parents.contains($0.uid) }
        return listing(
            shown, ids, named: Dictionary(grouping: wholes, by: \.uid),
            parent: \.parent, empty: told, more: "search_reminders finds them",
            all.problems, of: shown.flatMap(\.itemProblems)
        ) {
            (found.isEmpty ? [StyledLine(empty, .dim)] : list.lines)
                + (hint.map { [StyledLine($0, .hint)] } ?? [])
        }
    }

    private static func empty(_ query: ReminderQuery) -> String {
        let place =
            (query.tag.map { " with #\($0.hasPrefix("#") ? String($0.dropFirst()) : $0)" } ?? "")
            + (query.list.map { " in \"\($0)\"" } ?? "")
        switch query.span {
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

    func lists() async throws -> CommandOutput {
        let listing = try await actions.all()
        let words = self.words()
        var lines: [[StyledLine.Span]] = []
        var objects: [JSONValue] = []
        for collection in try await actions.store.collections() {
            let own = listing.reminders.filter { $0.folder == collection.name }
            let open = own.filter { !$0.completed }
            let late = open.count { $0.due.map(words.isPast) == true }
            let done = own.count - open.count
            var spans: [StyledLine.Span] = [
                .init(collection.displayName, .accent), .init("\(open.count) open"),
            ]
            if late > 0 { spans.append(.init("  \(late) overdue", .failure)) }
            if done > 0 { spans.append(.init("  \(done) done", .dim)) }
            if collection.displayName != collection.name {
                spans.append(.init("  \(collection.name)", .dim))
            }
            lines.append(spans)
            objects.append([
                "name": .string(collection.name), "title": .string(collection.displayName),
                "open": JSONValue(open.count), "overdue": JSONValue(late),
                "completed": JSONValue(done), "path": .string(collection.path),
            ])
        }
        return CommandOutput(
            lines: lines.isEmpty
                ? [StyledLine("No lists yet.", .dim)] : StyledLine.table(lines, columns: 1),
            json: .array(objects), notices: listing.problems.map(\.sentence))
    }

    // MARK: - Several

    /// The reminders whose ids were typed; nil unless there are several words, each
    /// of them an id: otherwise the words form one title.
    func namedByID(_ words: [String]) async throws -> [Reminder]? {
        guard words.count > 1 else { return nil }
        let all = try await actions.all().reminders
        let ids = ItemIDs(all)
        let named = words.compactMap { word -> Reminder? in
            let found = Reminder.named(word, in: all)
            guard word.count >= 8, found.count == 1,
                SearchText.folded(ids.full(found[0])).hasPrefix(SearchText.folded(word))
            else { return nil }
            return found[0]
        }
        return named.count == words.count ? named : nil
    }

    func delete(_ reminders: [Reminder], isConfirmed: Bool) async throws -> Outcome {
        guard isConfirmed else {
            return Outcome(
                CommandOutput(
                    lines: [StyledLine("These \(reminders.count) would go to the trash:")]
                        + reminders.map { StyledLine("  \(text.title($0))") }
                        + [StyledLine("Nothing was deleted; --yes deletes them.", .warning)],
                    outcome: .refused))
        }
        var lines: [StyledLine] = []
        for reminder in reminders {
            let parts = try await actions.delete(reminder)
            lines.append(StyledLine(deleted(reminder, parts), .success))
        }
        return Outcome(reminders.map { row($0) }) { [lines] in lines }
    }
}
