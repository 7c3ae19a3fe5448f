import AgentCore
import FoundationEssentials
import ICalendar

/// `chat undo …` and `/undo …`: which step is meant, and what is printed.
///
/// The steps and the files are `CalendarStore`'s business.
struct UndoCommand: Sendable {
    let store: CalendarStore
    let environment: Environment

    /// Not said: `chat undo buy milk`.
    static let defaultVerb = "step"
    /// More than are kept by their number alone.
    private static let limit = 2_000
    private static let listed = 20

    var command: Command {
        let item = [Verb.Argument.phrase("[TITLE|NUMBER|FILE]")]
        return Command(
            name: UndoServer.noun, summary: "take back changes of reminders and events",
            takesWordsWithoutVerb: true,
            verbs: [
                Verb(
                    Self.defaultVerb, "the latest change, or the latest of that item", item,
                    json: "undone next"
                ) { try await step($0.text, verb: Self.defaultVerb) },
                Verb(
                    "list", "what can be undone and redone",
                    options: [.init("--all", "not only the latest")],
                    json: "id verb title uid made undone paths"
                ) { try await list(isWhole: $0.has("--all")) },
                Verb(
                    "show", "what it changed, beside what is there now", item, json: "step files"
                ) { try await step($0.text, verb: "show") },
                Verb(
                    "redo", "take back the latest undo, or that", [.phrase("[TITLE|FILE]")],
                    json: "redone"
                ) { try await step($0.text, verb: "redo") },
            ])
    }

    func step(_ query: String, verb: String) async throws -> CommandOutput {
        let isRedo = verb == "redo"
        let past = try await store.history(undone: isRedo, limit: Self.limit)
        guard !past.isEmpty else {
            return CommandOutput(
                lines: [StyledLine("Nothing to \(isRedo ? "redo" : "undo").", .dim)],
                json: ["undone": .null, "next": .null], outcome: .failure)
        }
        let candidates = UndoMatcher.match(query, in: past)
        guard let found = candidates.first else {
            throw ToolError.failed(
                "no change of \"\(query)\" can be \(isRedo ? "redone" : "undone"); "
                    + "\"chat undo list\" shows them")
        }
        if candidates.count > 1 { return ask(query, candidates, verb: verb) }
        if verb == "show" { return try await show(found) }
        return isRedo ? try await redo(found) : try await undo(found)
    }

    // MARK: - Doing

    private func undo(_ past: CalendarStore.PastStep) async throws -> CommandOutput {
        try await store.undo(past.step.id)
        let next = try await store.history(undone: false, limit: 1).first
        var lines = [StyledLine("✓ undone: \(Self.words(past.step))", .success)]
        if let next {
            lines.append(StyledLine("  next: \(Self.words(next.step)) · \(time(next.made))", .dim))
        }
        return CommandOutput(
            lines: lines, json: ["undone": json(past), "next": next.map(json) ?? .null],
            sources: past.paths + (next?.paths ?? []))
    }

    private func redo(_ past: CalendarStore.PastStep) async throws -> CommandOutput {
        try await store.redo(past.step.id)
        return CommandOutput(
            lines: [StyledLine("✓ redone: \(Self.words(past.step))", .success)],
            json: ["redone": json(past)],
            sources: past.paths)
    }

    private func ask(
        _ query: String, _ candidates: [CalendarStore.PastStep], verb: String
    ) -> CommandOutput {
        var output = CommandOutput(
            lines: [StyledLine("Several changes fit \"\(query)\":", .warning)],
            json: .array(candidates.map(json)), outcome: .refused)
        output.choices = candidates.map { past in
            CommandOutput.Choice(
                "\(Self.words(past.step)) · \(time(past.made))",
                command: ["undo", verb, past.step.id])
        }
        return output
    }

    // MARK: - Showing

    private func list(isWhole: Bool) async throws -> CommandOutput {
        let limit = isWhole ? Self.limit : Self.listed
        let active = try await store.history(undone: false, limit: limit + 1)
        let undone = try await store.history(undone: true, limit: isWhole ? limit : 5)
        var lines: [StyledLine] = []
        if active.isEmpty { lines.append(StyledLine("Nothing to undo.", .dim)) }
        let shown = Array(active.prefix(limit))
        func row(_ number: String, _ past: CalendarStore.PastStep) -> [StyledLine.Span] {
            [
                .init(number, .accent), .init(time(past.made), .dim),
                .init(Self.words(past.step)),
            ]
        }
        let rows = StyledLine.table(
            shown.enumerated().map { index, past in
                let number = "\(index + 1)"
                return row(String(repeating: " ", count: max(1, 4 - number.count)) + number, past)
            } + undone.map { row("    ", $0) }, columns: 2)
        lines += rows.prefix(shown.count)
        if active.count > limit {
            lines.append(StyledLine("      … and more: chat undo list --all", .hint))
        }
        if !undone.isEmpty {
            lines.append(StyledLine("Undone (chat undo redo takes the latest back)", .hint))
            lines += rows.dropFirst(shown.count)
        }
        return CommandOutput(
            lines: lines, json: .array((shown + undone).map(json)))
    }

    private func show(_ past: CalendarStore.PastStep) async throws -> CommandOutput {
        var lines = [StyledLine("\(Self.words(past.step)) · \(time(past.made))", .bold)]
        var objects: [JSONValue] = []
        for file in try await store.comparisons(of: past.step.id) {
            lines.append(StyledLine("  \(file.path)", .accent))
            let state: String
            let difference: [StyledLine]
            if file.now == file.after {
                state = "has not changed since; undo will do this:"
                difference = Self.difference(file.now, file.before)
            } else if file.now == file.before {
                state = "is as it was before"
                difference = []
            } else {
                state = file.now == nil ? "is gone" : "was changed since, so:"
                difference = file.now == nil ? [] : Self.difference(file.after, file.now)
            }
            lines.append(StyledLine("  \(state)", .dim))
            lines += difference
            objects.append([
                "path": .string(file.path), "before": Self.text(file.before),
                "after": Self.text(file.after), "now": Self.text(file.now),
            ])
        }
        return CommandOutput(
            lines: lines, json: ["step": json(past), "files": .array(objects)])
    }

    /// The lines that only one of the two has, in their order.
    private static func difference(_ old: [UInt8]?, _ new: [UInt8]?) -> [StyledLine] {
        func lines(_ bytes: [UInt8]?) -> [String] {
            (bytes ?? []).split(separator: 0x0A).map { line in
                String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
            }
        }
        let (before, after) = (lines(old), lines(new))
        func only(_ lines: [String], notIn others: [String], _ sign: String) -> [StyledLine] {
            var counts: [String: Int] = [:]
            for line in others { counts[line, default: 0] += 1 }
            return lines.filter { line in
                counts[line, default: 0] -= 1
                return counts[line, default: 0] < 0
            }.map { StyledLine("    \(sign) \($0)", sign == "+" ? .success : .failure) }
        }
        return only(before, notIn: after, "-") + only(after, notIn: before, "+")
    }

    // MARK: - Words

    static func words(_ step: CalendarStore.Step) -> String {
        let title = TextValue.oneLine(step.title)
        return "\(step.verb) \(title.isEmpty ? "(no title)" : title)"
    }

    /// `09:00` today, else `Fri 20 Nov 09:00`.
    private func time(_ instant: Date) -> String {
        let local = LocalTime()
        let now = environment.now()
        let civil = local.civil(at: instant)
        if civil.date == local.civil(at: now).date { return civil.clockText }
        return ItemText(now: now, local: local).day(civil.date) + " " + civil.clockText
    }

    private func json(_ past: CalendarStore.PastStep) -> JSONValue {
        let local = LocalTime()
        return [
            "id": .string(past.step.id), "verb": .string(past.step.verb),
            "title": .string(past.step.title), "uid": .string(past.step.uid),
            "made": .string(local.isoText(past.made)),
            "undone": past.undone.map { .string(local.isoText($0)) } ?? .null,
            "paths": .array(past.paths.map { .string($0) }),
        ]
    }

    private static func text(_ bytes: [UInt8]?) -> JSONValue {
        bytes.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null
    }
}

/// Finds the steps that a number, an id, a file or a title means. Pure.
///
/// Of several steps of one item the newest is meant: the older ones cannot be
/// undone before it. Steps of several items are never chosen among.
enum UndoMatcher {
    /// - Parameters:
    ///   - query: empty for the newest.
    ///   - steps: the newest first, as listed.
    /// - Returns: none, the one that is meant, or those that may be.
    static func match(
        _ query: String, in steps: [CalendarStore.PastStep]
    ) -> [CalendarStore.PastStep] {
        if query.isEmpty { return Array(steps.prefix(1)) }
        if let step = steps.first(where: { $0.step.id == query }) { return [step] }
        if let number = Int(query), steps.indices.contains(number - 1) {
            return [steps[number - 1]]
        }
        if let step = steps.first(where: { $0.paths.contains { Self.is($0, query) } }) {
            return [step]
        }
        let wanted = SearchText.folded(query)
        if wanted.isEmpty { return [] }
        let tests: [(CalendarStore.Step) -> Bool] = [
            { SearchText.folded($0.uid) == wanted },
            { SearchText.folded($0.title) == wanted },
            { SearchText.folded("\($0.verb) \($0.title)") == wanted },
            { SearchText.folded($0.title).contains(wanted) },
            { wanted.utf8.count >= 4 && SearchText.folded($0.uid).hasPrefix(wanted) },
        ]
        for test in tests {
            var uids: Set<String> = []
            let found = steps.filter { test($0.step) && uids.insert($0.step.uid).inserted }
            if !found.isEmpty { return found }
        }
        return []
    }

    /// A whole path, or the end of one that starts with a folder's or the
    /// file's name.
    private static func `is`(_ path: String, _ query: String) -> Bool {
        guard query.hasSuffix(".ics") else { return false }
        let wanted = query.hasPrefix("./") ? String(query.dropFirst(2)) : query
        return path == wanted || (!wanted.hasPrefix("/") && path.hasSuffix("/" + wanted))
    }
}
