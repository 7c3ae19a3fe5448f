import AgentCore
import Base
import FoundationEssentials
import Glibc
import ICalendar
import Persistence
import Planner

/// Keeps the routines: their files in the data folder, and their pins, runs and undo steps in
/// `calendar.db`. It runs nothing. Above 400 lines because a file, its pin and its runs change in one
/// turn of this actor.
package actor RoutineBook: QueuedActor {
    package nonisolated let executor = QueueExecutor(label: "chat.routines")

    package struct Entry: Sendable, Equatable {
        package var routine: Routine
        /// Nil if the user has never approved it here.
        package var pin: RoutinePins.Pin?

        /// The reason why it does not run; nil if it does.
        package var pause: String? {
            guard let pin else { return "not approved on this machine" }
            if pin.digest != routine.digest { return "its file was changed by another program" }
            if routine.gates.contains(.command), pin.command == nil {
                return "its --when-command is not on this machine"
            }
            return pin.pause
        }

        package var isApproved: Bool { pin?.digest == routine.digest }
    }

    /// Runs to report, and routines that are due.
    package struct Agenda: Sendable {
        package var due: [Entry] = []
        package var next: Date?
        /// Runs that were interrupted or missed, as far as this process recorded it.
        package var news: [RoutineLog.Run] = []
    }

    package nonisolated let folder: String
    private let database: CalendarDatabase
    private let environment: Environment
    /// Names this process in its claims.
    private let owner: String
    private let isGone: @Sendable (String) -> Bool
    private var hasPruned = false
    private var ownSteps: Set<String> = []

    /// Maximum bytes of a routine's file, which has a few hundred: the text of a task is a message, and
    /// all files are read for each list and each wake-up.
    static let fileLimit = 64 << 10

    /// Nothing is opened before the first use.
    package init(
        folder: String, state: String, environment: Environment,
        owner: String = ProcessName.own,
        isGone: @escaping @Sendable (String) -> Bool = ProcessName.isGone
    ) {
        self.folder = folder
        database = CalendarDatabase(folder: state, environment: environment)
        self.environment = environment
        self.owner = owner
        self.isGone = isGone
    }

    package func close() { database.close() }

    private func pins() throws(SQLiteError) -> RoutinePins {
        RoutinePins(try database.connection())
    }

    package func log() throws(SQLiteError) -> RoutineLog {
        let log = RoutineLog(try database.connection())
        if !hasPruned {
            hasPruned = true
            try log.prune(now: environment.now())
        }
        return log
    }

    // MARK: - Reading

    /// All routines, by name. Files that are not routines are left out: see `damaged`.
    package func entries() throws -> [Entry] {
        let ids = try files()
        if ids.isEmpty { return [] }
        let pins = try pins().all()
        return ids.compactMap { id in
            read(id).map { Entry(routine: $0, pin: pins[$0.id]) }
        }.sorted {
            ($0.routine.name.lowercased(), $0.routine.id)
                < ($1.routine.name.lowercased(), $1.routine.id)
        }
    }

    /// The name of each routine by its id.
    package func names() throws -> [String: String] {
        Dictionary(
            try entries().map { ($0.routine.id, $0.routine.name) },
            uniquingKeysWith: { first, _ in first })
    }

    /// One sentence for each file that cannot be read as a routine; it stays as it is.
    package func damaged() throws(ToolError) -> [String] {
        try files().filter { read($0) == nil }.map {
            "\(path($0)) cannot be read as a routine; mend or remove it."
        }
    }

    private func path(_ id: String) -> String { "\(folder)/\(id).json" }

    /// The ids of the files there; none without the folder.
    private func files() throws(ToolError) -> [String] {
        let names = FilePath.names(in: folder)
        let code = errno
        if names == nil, code != ENOENT {
            throw .failed("The routines in \(folder) cannot be read: \(Diagnostic.system(code)).")
        }
        return (names ?? []).filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
    }

    private func read(_ id: String) -> Routine? {
        guard let bytes = try? WholeFile.read(path(id), limit: Self.fileLimit),  // Not a routine.
            let json = try? JSONParser.parse(String(decoding: bytes, as: UTF8.self)),
            let routine = Routine(json), routine.id == id
        else { return nil }
        return routine
    }

    /// The one of that id, that name, or a unique part of it.
    /// - Throws: `ToolError`.
    package func entry(_ query: String) throws -> Entry {
        let all = try entries()
        let wanted = query.lowercased()
        if let found = all.first(where: { $0.routine.id == query }) { return found }
        let named = all.filter { $0.routine.name.lowercased() == wanted }
        let found =
            named.isEmpty
            ? all.filter {
                $0.routine.name.lowercased().contains(wanted)
                    || wanted.count >= 4 && $0.routine.id.hasPrefix(wanted)
            } : named
        guard let first = found.first, !wanted.isEmpty else {
            throw ToolError.failed(
                all.isEmpty
                    ? "There are no routines yet."
                    : "There is no routine named \"\(query)\"; chat routine list shows them.")
        }
        if found.count > 1 {
            throw ToolError.ambiguous(
                query: query,
                candidates: found.map { "\($0.routine.name) (\($0.routine.id.prefix(8)))" })
        }
        return first
    }

    // MARK: - Changing

    /// Writes a routine that the user has approved, and pins it.
    ///
    /// - Parameter verb: in the past tense, for the undo.
    /// - Throws: `ToolError` for one that could not be read again.
    package func save(_ routine: Routine, command: String?, verb: String) throws {
        guard Self.text(routine).utf8.count <= Self.fileLimit else {
            throw ToolError.failed(
                "A routine may have \(Quantities.bytes(Self.fileLimit)) of text.")
        }
        let before = try entries().first { $0.routine.id == routine.id }
        var pin = RoutinePins.Pin(
            digest: routine.digest, since: environment.now(), command: command)
        // Another wording does not make a passed time due again, nor a seen page new.
        if let old = before?.pin, before?.routine.gates == routine.gates { pin.seen = old.seen }
        let step = step(
            verb, routine, before: before.map { Self.text($0.routine) }, after: Self.text(routine),
            commands: (before?.pin?.command, command))
        try put(step.after, pin, of: routine.id)
        try note(step)
    }

    package func delete(_ entry: Entry) throws {
        let step = step(
            "deleted", entry.routine, before: Self.text(entry.routine), after: nil,
            commands: (entry.pin?.command, nil))
        try put(nil, nil, of: entry.routine.id)
        try note(step)
    }

    /// - Parameter why: nil to let it run again, as the user approved it now.
    package func pause(_ entry: Entry, _ why: String?) throws {
        var pin = entry.pin ?? .init(digest: entry.routine.digest, since: environment.now())
        if why == nil { (pin.digest, pin.since) = (entry.routine.digest, environment.now()) }
        pin.pause = why
        try pins().set(pin, of: entry.routine.id)
    }

    /// Stores the state that a routine's gates found.
    package func setSeen(_ seen: String, of id: String) throws {
        guard var pin = try pins().all()[id], pin.seen != seen else { return }
        pin.seen = seen
        try pins().set(pin, of: id)
    }

    private static func text(_ routine: Routine) -> String {
        JSONWriter.pretty(routine.json) + "\n"
    }

    /// The pin first: a file without one does not run.
    private func put(_ text: String?, _ pin: RoutinePins.Pin?, of id: String) throws {
        try DatabaseFile.makeFolder(folder)
        if let text {
            try pins().set(pin, of: id)
            let code = WholeFile.replace(
                text.utf8, at: path(id), temporary: "\(folder)/.\(environment.uuid()).tmp")
            guard code == 0 else { throw SQLiteError.system("write", path: path(id), error: code) }
        } else {
            if unlink(path(id)) != 0, errno != ENOENT {
                throw SQLiteError.system("unlink", path: path(id))
            }
            try pins().set(nil, of: id)
        }
    }

    private func step(
        _ verb: String, _ routine: Routine, before: String?, after: String?,
        commands: (String?, String?)
    ) -> RoutinePins.Step {
        RoutinePins.Step(
            id: environment.uuid(), routine: routine.id, verb: verb, title: routine.name,
            made: environment.now(), before: before, after: after, commands: commands)
    }

    private func note(_ step: RoutinePins.Step) throws {
        try pins().note(step)
        ownSteps.insert(step.id)
        ToolCallContext.undoSteps?.note(step.id)
    }

    // MARK: - Undo

    package func steps(
        undone: Bool, limit: Int
    ) throws -> [(step: RoutinePins.Step, isFromHere: Bool)] {
        // Nothing was changed yet, and reading must not create the file.
        guard access(database.path, F_OK) == 0 else { return [] }
        return try pins().steps(undone: undone, limit: limit).map {
            ($0, ownSteps.contains($0.id))
        }
    }

    package func step(_ id: String) throws -> RoutinePins.Step? { try pins().step(id) }

    /// The present text of a routine's file; nil without one.
    package func current(_ id: String) -> String? {
        if let routine = read(id) { return Self.text(routine) }
        // A damaged file is one, so that an undo does not write over it. Absent: nil.
        return (try? WholeFile.read(path(id))).map { String(decoding: $0, as: UTF8.self) }
    }

    /// - Throws: `ToolError` if the file is not as the step left it.
    package func move(_ id: String, isUndo: Bool) throws {
        guard let step = try pins().step(id), (step.undone == nil) == isUndo,
            current(step.routine) == (isUndo ? step.after : step.before)
        else { throw ToolError.failed("The routine was changed since.") }
        let goal = isUndo ? step.before : step.after
        var pin: RoutinePins.Pin?
        // A step contains only what this program wrote.
        if let goal, let json = try? JSONParser.parse(goal), let routine = Routine(json) {
            pin = RoutinePins.Pin(
                digest: routine.digest, since: environment.now(),
                command: isUndo ? step.commands.before : step.commands.after)
        }
        try put(goal, pin, of: step.routine)
        try pins().setUndone(isUndo ? environment.now() : nil, of: id)
        ownSteps.insert(id)
    }

    // MARK: - Times

    /// The routines that are due now. Records times that were missed, and runs that were interrupted.
    package func agenda(in local: LocalTime) throws -> Agenda {
        var agenda = Agenda()
        let entries = try entries()
        if entries.isEmpty { return agenda }
        let (log, now) = (try log(), environment.now())
        try log.setFutureApart(now: now)
        agenda.news = try log.interrupt(now: now, isGone: isGone)
        for entry in entries where entry.pause == nil {
            let (plan, news) = try settle(entry, now, local)
            agenda.news += news
            if plan.due != nil { agenda.due.append(entry) }
            agenda.next = [agenda.next, plan.next].compactMap(\.self).min()
        }
        return agenda
    }

    private func settle(
        _ entry: Entry, _ now: Date, _ local: LocalTime
    ) throws -> (RoutinePlan, [RoutineLog.Run]) {
        let (log, id) = (try log(), entry.routine.id)
        var news: [RoutineLog.Run] = []
        // A clock that was ahead when it was approved must not silence it.
        let since = min(entry.pin?.since ?? now, now)
        if var pin = entry.pin, pin.since > now.addingTimeInterval(60) {
            pin.since = now
            try pins().set(pin, of: id)
        }
        while true {
            let last = try log.last(of: id, now: now)
            var plan = try RoutinePlan(
                entry.routine.schedule, since: since, last: last, now: now,
                catchUp: Double(entry.routine.catchUp), local: local)
            if let due = plan.due, !plan.isRetry, try log.run(id, due: due) != nil {
                plan.due = nil
            }
            if let last, last.state == .waiting, !plan.isRetry,
                !RoutinePlan.isWithinPatience(last, now) || !plan.missed.isEmpty
                    || plan.due != nil
            {
                if try log.end(
                    last, .failed, note: last.note, conversation: last.conversation,
                    held: last.held, now: now),
                    let failed = try log.run(id, due: last.due)
                {
                    news.append(failed)
                }
            }
            // A row for each stretch between two runs: if the clock is set back into one, all of
            // it is counted again.
            var hasMissed = false
            var stretch: [Date] = []
            for time in plan.missed.map(Optional.some) + [nil] {
                if let time, try log.run(id, due: time) == nil {
                    stretch.append(time)
                } else if let last = stretch.last {
                    hasMissed = try log.miss(id, last: last, times: stretch.count, now: now)
                    news += [try log.run(id, due: last)].compactMap(\.self)
                    stretch = []
                }
            }
            try log.rejoin(id, now: now)
            // A long absence is recorded in steps.
            if !hasMissed || plan.due != nil { return (plan, news) }
        }
    }

    /// Takes the due time of a routine on; nil without one, or if another process has it.
    package func claimDue(_ entry: Entry, in local: LocalTime) throws -> RoutineLog.Run? {
        guard entry.pause == nil else { return nil }
        let (log, now, id) = (try log(), environment.now(), entry.routine.id)
        guard let due = try settle(entry, now, local).0.due else { return nil }
        let isMine =
            try log.claim(id, due: due, owner: owner, now: now)
            || log.retry(id, due: due, owner: owner)
        return isMine ? try log.run(id, due: due) : nil
    }

    /// A run that the user starts now.
    package func claimNow(_ entry: Entry) throws -> RoutineLog.Run? {
        let (log, now) = (try log(), environment.now())
        guard
            try log.claim(
                entry.routine.id, due: now, isScheduled: false, owner: owner, now: now)
        else { return nil }
        return try log.run(entry.routine.id, due: now)
    }

    package func end(
        _ run: RoutineLog.Run, _ state: RoutineLog.State, note: String,
        conversation: String? = nil, digest: String? = nil, cost: Int = 0, held: String? = nil
    ) throws {
        try log().end(
            run, state, note: note, conversation: conversation, digest: digest, cost: cost,
            held: held, now: environment.now())
    }

    package func runs(of id: String?, limit: Int) throws -> [RoutineLog.Run] {
        try log().runs(of: id, limit: limit)
    }

    package func run(_ id: String, due: Date) throws -> RoutineLog.Run? {
        try log().run(id, due: due)
    }

    package func lastResult(of id: String) throws -> RoutineLog.Run? {
        try log().lastResult(of: id)
    }

    /// Millionths of a dollar.
    package func cost(of id: String, since: Date) throws -> Int {
        try log().cost(of: id, since: since)
    }

    /// Runs to report at a launch; nothing is created for it.
    package func takeNews() throws -> [RoutineLog.Run] {
        access(database.path, F_OK) == 0 ? try log().takeNews() : []
    }

    /// Whether a review has run since the user was last asked; from now on he was.
    package func takeReview() throws -> Bool {
        // Most users have none, and then nothing is opened.
        let reviews = try files().compactMap(read).filter(\.isReview)
        if reviews.isEmpty || access(database.path, F_OK) != 0 { return false }
        let log = try log()
        return try reviews.map { try log.takeReview(of: $0.id) }.contains(true)
    }

    package func held() throws -> [RoutineLog.Run] {
        access(database.path, F_OK) == 0 ? try log().held() : []
    }

    package func setHeld(_ held: String?, of run: RoutineLog.Run) throws {
        try log().setHeld(held, of: run)
    }
}
