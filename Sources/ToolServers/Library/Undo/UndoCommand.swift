import AgentCore
import Base
import CalendarFiles
import FoundationEssentials
import Glibc

/// `chat undo …` and `/undo …`: finds the step meant, and prints the result.
///
/// The sources provide the steps and their changes.
package struct UndoCommand: Sendable {
    let history: UndoHistory
    let environment: Environment
    /// Columns of the terminal, to which lists are cut; nil in a pipe.
    let width: @Sendable () -> Int?

    package init(
        _ history: UndoHistory, environment: Environment,
        width: @escaping @Sendable () -> Int? = { nil }
    ) {
        self.history = history
        self.environment = environment
        self.width = width
    }

    /// Omitted by users: `chat undo buy milk`.
    package static let defaultVerb = "step"
    /// Maximum number of steps, more than can be identified by number alone.
    private static let limit = 2_000
    private static let listed = 20

    var command: Command {
        let item = [
            Verb.Argument.phrase("ITEM|NUMBER|FILE", "an item", .item, .file, isOptional: true)
        ]
        return Command(
            name: UndoServer.noun,
            summary: "undo changes to reminders, events and files",
            takesWordsWithoutVerb: true,
            verbs: [
                Verb(
                    Self.defaultVerb, "undo the latest change, or the latest to that item", item,
                    json: "undone next"
                ) { try await step($0.text, verb: Self.defaultVerb) },
                Verb(
                    "list", "what can be undone and redone",
                    options: [.init("--all", "not only the latest")],
                    json: "id verb kind title uid made undone paths"
                ) { try await list(isWhole: $0.has("--all")) },
                Verb(
                    "show", "what it changed, beside the text as it is now", item,
                    json: "step files"
                ) { try await step($0.text, verb: "show") },
                Verb(
                    "redo", "redo the latest undone change, or that of one item",
                    [.phrase("ITEM|FILE", isOptional: true)],
                    json: "redone"
                ) { try await step($0.text, verb: "redo") },
            ])
    }

    /// The steps that the arguments may mean; the user chooses if there are several.
    /// - Returns: nil if there is nothing to undo, or to redo.
    func candidates(_ query: String, isRedo: Bool) async throws -> [UndoHistory.Entry]? {
        // A named step can be found without the other sources.
        var failure: (any Error)?
        let past = try await history.entries(
            undone: isRedo, limit: Self.limit,
            failures: query.isEmpty || Int(query) != nil ? nil : { failure = $0 })
        if past.isEmpty, let failure { throw failure }
        if past.isEmpty { return nil }
        let folder = FilePath.workingFolder()
        let candidates = UndoMatcher.match(
            query, in: past.map(\.step), folder: folder,
            file: Self.file(query, from: folder)
        ).map { past[$0] }
        if !candidates.isEmpty { return candidates }
        throw failure
            ?? ToolError.failed(
                "No change of \"\(query)\" can be \(isRedo ? "redone" : "undone"); "
                    + "chat undo list shows them.")
    }

    package func step(_ query: String, verb: String) async throws -> CommandOutput {
        let isRedo = verb == "redo"
        guard let candidates = try await candidates(query, isRedo: isRedo),
            let found = candidates.first
        else {
            return CommandOutput(
                lines: [StyledLine("Nothing to \(isRedo ? "redo" : "undo").", .dim)],
                json: ["undone": .null, "next": .null], outcome: .failure)
        }
        if candidates.count > 1 { return ask(query, candidates, verb: verb) }
        if verb == "show" { return try await show(found) }
        return isRedo ? try await redo(found) : try await undo(found)
    }

    /// The file that a path refers to, through links, or nil.
    private static func file(_ query: String, from folder: String) -> String? {
        query.isEmpty ? nil : FilePath.real(query.hasPrefix("/") ? query : "\(folder)/\(query)")
    }

    // MARK: - Doing

    private func undo(_ past: UndoHistory.Entry) async throws -> CommandOutput {
        // Checked before: an undone step can no longer be judged.
        var isOwn = await history.isOwn(past)
        try await history.undo(past)
        // The undo is done, whatever can be read now.
        let next = try? await history.entries(undone: false, limit: 1).first
        var lines = [StyledLine("✓ undone: \(Self.words(past.step))", .success)]
        if let next {
            let time = time(next.step.made)
            lines.append(StyledLine("  next: \(Self.words(next.step)) · \(time)", .dim))
            if isOwn { isOwn = await history.isOwn(next) }
        }
        var output = CommandOutput(
            lines: lines,
            json: ["undone": json(past.step), "next": next.map { json($0.step) } ?? .null],
            sources: [])
        output.quotesOthers = !isOwn
        return output
    }

    private func redo(_ past: UndoHistory.Entry) async throws -> CommandOutput {
        let isOwn = await history.isOwn(past)
        try await history.redo(past)
        var output = CommandOutput(
            lines: [StyledLine("✓ redone: \(Self.words(past.step))", .success)],
            json: ["redone": json(past.step)], sources: [])
        output.quotesOthers = !isOwn
        return output
    }

    private func ask(
        _ query: String, _ candidates: [UndoHistory.Entry], verb: String
    ) -> CommandOutput {
        var output = CommandOutput(
            lines: [StyledLine("Several changes fit \"\(query)\":", .warning)],
            json: .array(candidates.map { json($0.step) }), outcome: .refused)
        output.choices = candidates.map { past in
            CommandOutput.Choice(
                "\(Self.words(past.step)) · \(time(past.step.made))",
                command: ["undo", verb, past.step.id])
        }
        return output
    }

    // MARK: - Showing

    private func list(isWhole: Bool) async throws -> CommandOutput {
        let limit = isWhole ? Self.limit : Self.listed
        var notices: [String] = []
        let active = try await history.entries(undone: false, limit: limit + 1) {
            notices.append("Some changes are missing here. \(Diagnostic(of: $0).what)")
        }.map(\.step)
        let undone = try await history.entries(undone: true, limit: isWhole ? limit : 5) { _ in
            // Reported above.
        }.map(\.step)
        var lines: [StyledLine] = []
        if active.isEmpty { lines.append(StyledLine("Nothing to undo.", .dim)) }
        let shown = Array(active.prefix(limit))
        // Beside the number and the time; the last column of a terminal stays free.
        let times = (shown + undone).map { DisplayWidth.of(time($0.made)) }.max() ?? 0
        let room = width().map { max(8, $0 - times - 9) }
        func row(_ number: String, _ step: UndoStep) -> [StyledLine.Span] {
            let words = Self.words(step)
            return [
                .init(number, .accent), .init(time(step.made), .dim),
                .init(room.map { DisplayWidth.cut(words, to: $0) } ?? words),
            ]
        }
        let rows = StyledLine.table(
            shown.enumerated().map { index, step in
                let number = "\(index + 1)"
                return row(String(repeating: " ", count: max(1, 4 - number.count)) + number, step)
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
            lines: lines, json: .array((shown + undone).map(json)), notices: notices,
            outcome: notices.isEmpty ? .ok : .degraded)
    }

    private func show(_ past: UndoHistory.Entry) async throws -> CommandOutput {
        let step = past.step
        var lines = [StyledLine("\(Self.words(step)) · \(time(step.made))", .bold)]
        var objects: [JSONValue] = []
        for file in try await history.comparisons(of: past) {
            lines.append(StyledLine("  \(file.name.oneLine)", .accent))
            let state: String
            let difference: [StyledLine]
            if file.now == file.after {
                state = "has not changed since; undo will do this:"
                difference = Self.difference(file.now, file.before)
            } else if file.now == file.before {
                state = "is the same as before"
                difference = []
            } else {
                state = file.now == nil ? "is gone" : "has changed since, as follows:"
                difference = file.now == nil ? [] : Self.difference(file.after, file.now)
            }
            lines.append(StyledLine("  \(state)", .dim))
            lines += difference
            objects.append([
                "path": .string(file.name), "before": Self.text(file.before),
                "after": Self.text(file.after), "now": Self.text(file.now),
            ])
        }
        return CommandOutput(
            lines: lines, json: ["step": json(step), "files": .array(objects)])
    }

    /// The lines that are in only one of the two, in their order.
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

    /// `created reminder call mom`.
    static func words(_ step: UndoStep) -> String {
        let title = step.title.oneLine
        return "\(step.verb) \(step.kind) \(title.isEmpty ? "(no title)" : title)"
    }

    /// `09:00` today, else `Fri 20 Nov 09:00`.
    private func time(_ instant: Date) -> String {
        let local = LocalTime()
        let now = environment.now()
        let civil = local.civil(at: instant)
        if civil.date == local.civil(at: now).date { return civil.clockText }
        return ItemText(now: now, local: local).day(civil.date) + " " + civil.clockText
    }

    private func json(_ step: UndoStep) -> JSONValue {
        let local = LocalTime()
        return [
            "id": .string(step.id), "verb": .string(step.verb), "kind": .string(step.kind),
            "title": .string(step.title), "uid": .string(step.subject),
            "made": .string(local.isoText(step.made)),
            "undone": step.undone.map { .string(local.isoText($0)) } ?? .null,
            "paths": .array(step.paths.map { .string($0) }),
        ]
    }

    private static func text(_ bytes: [UInt8]?) -> JSONValue {
        bytes.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null
    }
}
