import AgentCore
import Base
import DateLanguage
import FoundationEssentials
import ICalendar
import Persistence

/// Making, changing and approving routines, and reporting the results of their runs.
extension RoutineServer {
    /// The routine of a draft as it would be saved, its likely cost, and why it could not run.
    func drafted(
        _ draft: RoutineDraft, editing old: RoutineBook.Entry?
    ) async throws -> (entry: RoutineBook.Entry, cost: String, problem: Diagnostic?) {
        let (routine, price) = try await draft.routine(for: self, editing: old?.routine)
        var pin = RoutinePins.Pin(digest: routine.digest, since: dependencies.environment.now())
        pin.command = draft.command ?? old?.pin?.command
        return (
            RoutineBook.Entry(routine: routine, pin: pin),
            RoutineDraft.cost(routine, price, dependencies.dates()),
            await dependencies.obstacle(routine)
        )
    }

    /// - Parameter words: the words as typed, used to ask with `--ask`.
    func save(
        _ draft: RoutineDraft, editing old: RoutineBook.Entry?, asking words: CommandArguments?
    ) async throws -> Outcome {
        let (entry, cost, problem) = try await drafted(draft, editing: old)
        if let problem { throw RoutineRefusal(diagnostic: problem) }
        let text = text
        let details = text.details(entry, cost: cost)
        if let words, words.has("--ask") {
            await words.interaction.show(details)
            guard await words.interaction.confirm(nil, "Make this routine?") else {
                return Outcome(
                    CommandOutput(
                        lines: [StyledLine("Nothing was made.", .dim)], outcome: .refused))
            }
        }
        try await book.save(
            entry.routine, command: entry.pin?.command, verb: old == nil ? "created" : "edited")
        let saved = try await book.entry(entry.routine.id)
        let notices =
            await dependencies.isWatched()
            ? []
            : [
                "Nothing runs it while no chat is open. This line changes that:  "
                    + "chat alerts install"
            ]
        let json = text.json(saved, last: nil)
        // A rule that takes too long was refused before.
        let next = (try? saved.routine.next(1, after: text.now, in: text.local))?.first
        let told =
            "✓ \(saved.routine.name) · \(saved.routine.times(in: text.local))"
            + (next.map { " · next \(text.time($0))" } ?? "")
        let hasAsked = words?.has("--ask") == true
        return Outcome(
            [Outcome.Row(json: { json }, told: { told })], told: told, notices: notices
        ) {
            [StyledLine([.init(told, .success), .init(" · chat undo", .hint)])]
                + (hasAsked ? [] : Array(details.dropFirst()))
        }
    }

    /// Lets it run again. One that is not as the user approved it is shown first.
    func approve(_ entry: RoutineBook.Entry, _ arguments: CommandArguments?) async throws {
        if entry.routine.gates.contains(.command), entry.pin?.command == nil {
            throw ToolError.failed(
                "Its --when-command is not on this machine. "
                    + "Give it again: chat routine edit \(entry.routine.name) --when-command LINE")
        }
        if let problem = await dependencies.obstacle(entry.routine) {
            throw RoutineRefusal(diagnostic: problem)
        }
        if !entry.isApproved, arguments?.has("--yes") != true {
            await arguments?.interaction.show(text.details(entry, cost: nil))
            let isAgreed = await arguments?.interaction.confirm(
                "It is not as you approved it on this machine.", "Let it run like this?")
            guard isAgreed == true else {
                throw RoutineRefusal(
                    diagnostic: Diagnostic(
                        "\(entry.routine.name) stays paused.",
                        todo: "chat routine show \(entry.routine.name), then resume it with --yes",
                        exit: .refused, namesCommands: true))
            }
        }
        try await book.pause(entry, nil)
    }

    func told(_ id: String, _ line: String) async throws -> Outcome {
        let json = text.json(try await book.entry(id), last: nil)
        return Outcome([Outcome.Row(json: { json }, told: { line })]) {
            [StyledLine(line, .success)]
        }
    }

    // MARK: - Results

    /// A run with the text of its answer.
    func result(_ run: RoutineLog.Run, _ entry: RoutineBook.Entry) async throws -> Outcome {
        var answer: String?
        if let conversation = run.conversation, [.done, .same].contains(run.state) {
            answer = try await dependencies.answer(conversation)
        }
        var members = text.json(run).objectValue?.members ?? []
        members.insert(.init("name", .string(entry.routine.name)), at: 0)
        members.append(.init("text", .string(answer ?? "")))
        let json = JSONValue.object(JSONObject(members))
        var output = CommandOutput(json: json)
        output.quotesOthers = true
        switch run.state {
        case .done, .same:
            let text = answer ?? run.note
            output.lines =
                dependencies.formatted(text)
                ?? text.split(separator: "\n", omittingEmptySubsequences: false).map {
                    StyledLine(String($0))
                }
        case .shut:
            output.notices = ["\(entry.routine.name) was not needed: \(run.note)"]
        case .running, .waiting, .failed, .interrupted, .missed:
            output.notices = [
                "\(entry.routine.name) \(RoutineText.news(run, local: text.local) ?? run.note)"
            ]
            output.outcome = .failure
        }
        let held = HeldCall.read(run.held).count
        if held > 0 {
            output.notices.append(
                "\(Quantities.count(held, "call")) held back: chat routine held")
            if output.outcome == .ok { output.outcome = .degraded }
        }
        return Outcome(output)
    }

    /// Shows the calls that were held back, and makes those that the user agrees to.
    func settleHeld(_ name: String, _ words: CommandArguments?) async throws -> Outcome {
        let one = name.isEmpty ? nil : try await book.entry(name).routine.id
        let names = try await book.names()
        var (json, lines): ([JSONValue], [StyledLine]) = ([], [])
        for run in try await book.held() where one == nil || run.routine == one {
            let name = names[run.routine] ?? "(deleted)"
            var left: [HeldCall] = []
            for call in HeldCall.read(run.held) {
                json.append([
                    "name": .string(name), "tool": .string(call.tool),
                    // A model's arguments that are not JSON are shown unchanged.
                    "arguments": (try? JSONParser.parse(call.arguments)) ?? .string(call.arguments),
                ])
                if words?.has("--drop") == true { continue }
                let line = "\(name): \(call.tool) \(call.arguments)"
                let isAgreed =
                    words?.wantsJSON == true
                    ? nil
                    : await words?.interaction.confirm(line, "Do it now?")
                if isAgreed == true {
                    let output = await dependencies.call(call)
                    let text = output.summary ?? output.text.oneLine
                    lines.append(StyledLine(text, output.isError ? .failure : .plain))
                } else {
                    left.append(call)
                    lines.append(StyledLine(line))
                }
            }
            try await book.setHeld(
                left.isEmpty ? nil : HeldCall.text(left), of: run)
        }
        if lines.isEmpty {
            lines = [
                StyledLine(json.isEmpty ? "Nothing was held back." : "They are forgotten.", .dim)
            ]
        } else if lines.count < json.count || words?.interaction.isChat == false {
            lines.append(StyledLine("chat routine held --drop forgets them", .hint))
        }
        var output = CommandOutput(lines: lines, json: .array(json))
        output.quotesOthers = true
        return Outcome(output)
    }

    /// Whether routines, or one for that provider and host, could run from this process.
    func readiness(_ name: String, provider: String?, host: String?) async throws -> Outcome {
        var asked: [(name: String, provider: String, host: String)] = []
        if let provider {
            asked = [(provider, provider, host ?? "")]
        } else {
            let entries =
                name.isEmpty ? try await book.entries() : [try await book.entry(name)]
            asked = entries.map { ($0.routine.name, $0.routine.provider, $0.routine.host) }
        }
        var (json, lines): ([JSONValue], [StyledLine]) = ([], [])
        var outcome = ExitCode.ok
        for each in asked {
            let problem = await dependencies.here(each.provider, each.host)
            json.append([
                "name": .string(each.name), "ready": .bool(problem == nil),
                "problem": problem.map { .string($0.what) } ?? .null,
                "fix": problem?.todo.map { .string($0) } ?? .null,
            ])
            lines.append(
                StyledLine([
                    .init(problem == nil ? "✓ " : "✗ ", problem == nil ? .success : .failure),
                    .init(each.name),
                    .init(" · \(problem?.what ?? "can run")", .dim),
                ]))
            if let todo = problem?.todo { lines.append(StyledLine("  \(todo)", .hint)) }
            if problem != nil { outcome = .needsKeyOrNetwork }
        }
        if lines.isEmpty { lines = [StyledLine("There are no routines yet.", .dim)] }
        return Outcome(CommandOutput(lines: lines, json: .array(json), outcome: outcome))
    }

    /// `3h`, `90m`, `1 day`; nil for another text, and for more than 31 days.
    static func seconds(_ text: String) -> Int? {
        guard let length = DurationParser.duration(of: text, bare: nil) else { return nil }
        let seconds = length.nominalSeconds
        return (0...31 * 86_400).contains(seconds) ? seconds : nil
    }
}

/// A routine that could not run is not made.
struct RoutineRefusal: Error, DescribedError {
    var diagnostic: Diagnostic
}
