import AgentCore
import Base
import FoundationEssentials
import Persistence
import Planner

/// Starts routines when they are due, beside the alerts: in an open chat, in `chat alerts run` and
/// in cron's minute. Each runs in a separate process, so that this one stays small; the claim there
/// decides which process runs it.
package actor RoutineClock {
    private let book: RoutineBook
    private let local: @Sendable () -> LocalTime
    /// Runs a routine for its due time and returns at its end.
    private let start: @Sendable (_ id: String) async -> Void
    private let note: @Sendable (String) -> Void
    /// Whether the user sees what is delivered.
    private let isChat: Bool
    private var running: [String: Task<Void, Never>] = [:]
    private var lastProblem = ""

    /// Maximum number of runs; more wait for the next minute.
    private static let limit = 3
    /// Number of latest runs that are read: one that is made up for sorts after one started by
    /// hand.
    private static let looked = 10

    package init(
        book: RoutineBook, isChat: Bool, local: @escaping @Sendable () -> LocalTime,
        note: @escaping @Sendable (String) -> Void,
        start: @escaping @Sendable (_ id: String) async -> Void
    ) {
        (self.book, self.isChat, self.local) = (book, isChat, local)
        (self.note, self.start) = (note, start)
    }

    package nonisolated var work: TimedWork {
        TimedWork(
            folder: book.folder, start: { await self.tick($0) }, finish: { await self.finish() })
    }

    /// - Returns: when to look again.
    private func tick(_ deliver: @escaping TimedWork.Deliver) async -> Date? {
        do {
            let agenda = try await book.agenda(in: local())
            let names = agenda.news.isEmpty ? [:] : try await book.names()
            for run in agenda.news { await report(run, names, deliver) }
            for entry in agenda.due {
                let (id, name) = (entry.routine.id, entry.routine.name)
                guard running[id] == nil, running.count < Self.limit else { continue }
                running[id] = Task { await self.run(id, name, deliver) }
            }
            lastProblem = ""
            return agenda.next
        } catch {
            let problem = "routines: \(Diagnostic(of: error).what)"
            if problem != lastProblem { note(problem) }
            lastProblem = problem
            return nil
        }
    }

    private func run(_ id: String, _ name: String, _ deliver: TimedWork.Deliver) async {
        // Read before it starts: a claim of another process is not ours to report.
        // If it cannot be read, the run is reported at the next launch.
        let before = (try? await book.runs(of: id, limit: Self.looked)) ?? []
        await start(id)
        running[id] = nil
        guard
            // A run that cannot be read now is reported at the next launch.
            let run = try? await book.runs(of: id, limit: Self.looked).first(where: { run in
                // A run that had already started belongs to another process.
                !before.contains { $0 == run || $0.due == run.due && $0.state == .running }
            })
        else { return }
        await report(run, [id: name], deliver)
    }

    private func finish() async {
        for task in running.values { await task.value }
    }

    private func report(
        _ run: RoutineLog.Run, _ names: [String: String], _ deliver: TimedWork.Deliver
    ) async {
        guard let name = names[run.routine],
            let text = RoutineText.news(run, local: local())
        else { return }
        note("routine \(run.routine.prefix(8)): \(run.state.rawValue)")
        await deliver(.note(title: name, text: text))
        // Failing to mark it repeats one line at the next launch.
        if isChat { _ = try? await book.takeNews() }
    }
}
