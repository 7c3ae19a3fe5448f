import AgentCore
import Base
import FoundationEssentials
import ICalendar
import Persistence

/// Routines and their runs in words: lines for the screen, JSON, and reports. Pure.
package struct RoutineText: Sendable {
    let local: LocalTime
    let now: Date

    package init(local: LocalTime, now: Date) { (self.local, self.now) = (local, now) }

    private var today: CivilDate { local.civil(at: now).date }

    /// `Mon 30 Nov 07:30`, `today 07:30`.
    func time(_ date: Date) -> String {
        let civil = local.civil(at: date)
        return (civil.date.nearName(asOf: today) ?? civil.date.text(asOf: today))
            + " \(civil.clockText)"
    }

    private func next(_ entry: RoutineBook.Entry, _ count: Int) -> [Date] {
        // A rule that takes too long has no next time to show.
        (try? entry.routine.next(count, after: now, in: local)) ?? []
    }

    // MARK: - Lists

    func line(_ entry: RoutineBook.Entry, last: RoutineLog.Run?) -> [StyledLine.Span] {
        let next = next(entry, 1).first.map { "next \(time($0))" } ?? "no further times"
        return [
            .init(entry.routine.name, .bold), .init(entry.routine.times(in: local)),
            entry.pause.map { .init("paused: \($0)", .warning) } ?? .init(next, .dim),
            .init(last.map { "last \(time($0.due)): \(word($0))" } ?? "", .dim),
        ]
    }

    func json(_ entry: RoutineBook.Entry, last: RoutineLog.Run?) -> JSONValue {
        let routine = entry.routine
        return [
            "id": .string(routine.id), "name": .string(routine.name),
            "request": .string(routine.prompt),
            "times": .string(routine.times(in: local)),
            "next": entry.pause == nil
                ? next(entry, 1).first.map { .string(local.isoText($0)) } ?? .null : .null,
            "paused": entry.pause.map(JSONValue.string) ?? .null,
            "when": .array(gates(entry).map(JSONValue.string)),
            "provider": .string(routine.provider), "model": .string(routine.model),
            "host": .string(routine.host), "tools": .array(routine.tools.map(JSONValue.string)),
            "runBudget": JSONValue(routine.runBudget),
            "monthBudget": JSONValue(routine.monthBudget),
            "review": .bool(routine.isReview),
            "to": routine.file.map(JSONValue.string) ?? .null,
            "last": last.map(json) ?? .null,
        ]
    }

    private func gates(_ entry: RoutineBook.Entry) -> [String] {
        let routine = entry.routine
        let gates = routine.gates.map { gate in
            switch gate {
            case .due: "something is due or on today"
            case .changed(let what): "\(what) has changed"
            case .command: "this succeeds: \(entry.pin?.command ?? "(missing)")"
            }
        }
        return gates + (routine.isUnlessSame ? ["there is something new"] : [])
    }

    /// All the details that the user approves.
    ///
    /// - Parameter cost: the likely cost of a run.
    func details(_ entry: RoutineBook.Entry, cost: String?) -> [StyledLine] {
        let routine = entry.routine
        let next = next(entry, 3).map(time).joined(separator: " · ")
        let hours = routine.catchUp % 3_600 == 0
        let catchUp = hours ? "\(routine.catchUp / 3_600) h" : "\(routine.catchUp / 60) min"
        let rows: [(String, String)] = [
            ("request", routine.prompt), ("times", routine.times(in: local)),
            ("next", next.isEmpty ? "no further times" : next),
            ("only when", gates(entry).joined(separator: "; ")),
            ("model", "\(routine.provider)/\(routine.model) at \(routine.host)"),
            ("may", (["read"] + routine.tools).joined(separator: ", ")),
            ("review", routine.isReview ? "asks at the launch after it about what is due" : ""),
            ("cost", cost ?? Self.budget(routine)),
            ("late", "made up for within \(catchUp)"), ("also to", routine.file ?? ""),
            ("paused", entry.pause ?? ""),
        ]
        return [StyledLine(routine.name, .bold)]
            + StyledLine.table(
                rows.filter { !$0.1.isEmpty }.map { [.init($0.0, .dim), .init($0.1)] },
                columns: 1, indent: "  ")
    }

    static func budget(_ routine: Routine) -> String {
        "pauses above \(Money(dollars: routine.runBudget).text) a run or "
            + "\(Money(dollars: routine.monthBudget).text) a month"
    }

    // MARK: - Runs

    private func word(_ run: RoutineLog.Run) -> String {
        switch run.state {
        case .running: "running"
        case .done: "done"
        case .same: "nothing new"
        case .shut: "not needed"
        case .waiting: "failed, is tried again"
        case .failed: "failed"
        case .interrupted: "interrupted"
        case .missed: run.times == 1 ? "missed" : "missed \(run.times) times"
        }
    }

    func line(_ run: RoutineLog.Run, name: String) -> [StyledLine.Span] {
        let isBad = [.failed, .interrupted, .missed, .waiting].contains(run.state)
        return [
            .init(time(run.due), .dim), .init(name, .bold),
            .init(word(run), isBad ? .warning : .plain), .init(run.note, .dim),
        ]
    }

    func json(_ run: RoutineLog.Run) -> JSONValue {
        [
            "due": .string(local.isoText(run.due)), "state": .string(run.state.rawValue),
            "times": JSONValue(run.times), "scheduled": .bool(run.isScheduled),
            "started": .string(local.isoText(run.claimed)),
            "ended": run.ended.map { .string(local.isoText($0)) } ?? .null,
            "note": .string(run.note),
            "conversation": run.conversation.map(JSONValue.string) ?? .null,
            "cost": JSONValue(Double(run.cost) / 1_000_000),
            "held": JSONValue(HeldCall.read(run.held).count),
        ]
    }

    /// The text of a notification; nil if there is nothing to report.
    static func news(_ run: RoutineLog.Run, local: LocalTime) -> String? {
        switch run.state {
        case .running, .waiting, .shut, .same: return nil
        case .done:
            let held = HeldCall.read(run.held).count
            return held == 0 ? run.note : "\(run.note) (\(held) held back)"
        case .failed: return "did not run: \(run.note)"
        case .interrupted: return "was interrupted: \(run.note)"
        case .missed:
            let clock = local.civil(at: run.due).clockText
            return (run.times == 1 ? "was missed" : "was missed \(run.times) times")
                + ", last at \(clock): nothing ran it then"
        }
    }

    /// The lines for a launch.
    package static func launch(
        _ runs: [RoutineLog.Run], names: [String: String], local: LocalTime
    ) -> [StyledLine] {
        let known = runs.filter { names[$0.routine] != nil }
        func named(_ run: RoutineLog.Run) -> String { names[run.routine] ?? "" }
        var lines: [StyledLine] = []
        let done = known.filter { $0.state == .done }
        if !done.isEmpty {
            var shown: [String] = []
            for run in done where !shown.contains(named(run)) { shown.append(named(run)) }
            lines.append(
                StyledLine([
                    .init(
                        "\(Quantities.count(done.count, "routine")) ran: "
                            + shown.prefix(5).joined(separator: ", ")
                            + (shown.count > 5 ? ", …" : "")), .init(" · /routine log", .hint),
                ]))
        }
        for run in known.filter({ $0.state != .done }).suffix(5) {
            lines.append(
                StyledLine([
                    .init("\(named(run)) \(news(run, local: local) ?? "")", .warning),
                    .init(" · /routine log", .hint),
                ]))
        }
        // A review that ends in a question waits for its answer.
        for run in done where run.note.hasSuffix("?") {
            guard let id = run.conversation else { continue }
            lines.append(
                StyledLine([
                    .init("\(named(run)) asks: \(run.note)"),
                    .init(" · /resume \(id.prefix(8)) answers", .hint),
                ]))
        }
        return lines
    }
}
