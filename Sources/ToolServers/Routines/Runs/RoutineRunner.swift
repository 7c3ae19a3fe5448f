import AgentCore
import Base
import FoundationEssentials
import ICalendar
import Persistence

/// Carries out one claimed run of a routine: the gates, the budget, the question to the model, and
/// the use of its answer. `RoutinePlan` decides what is due.
package struct RoutineRunner: Sendable {
    /// The model's answer.
    package struct Answer: Sendable {
        package var text: String
        package var conversation: String?
        /// Cost in millionths of a dollar.
        package var cost = 0
        package var held: [HeldCall] = []
        /// The reason why there is no complete answer.
        package var failure: Failure?

        package init(
            text: String, conversation: String?, cost: Int = 0, held: [HeldCall] = [],
            failure: Failure? = nil
        ) {
            (self.text, self.conversation, self.cost) = (text, conversation, cost)
            (self.held, self.failure) = (held, failure)
        }
    }

    package struct Failure: Error, Sendable, Equatable {
        package var text: String
        /// Whether nothing was done, so that it can be asked again.
        package var canRetry = false
        /// Whether its budget for a run was reached.
        package var isOverBudget = false

        package init(_ text: String, canRetry: Bool = false, isOverBudget: Bool = false) {
            (self.text, self.canRetry, self.isOverBudget) = (text, canRetry, isOverBudget)
        }
    }

    package struct Dependencies: Sendable {
        package var book: RoutineBook
        package var gates: RoutineGates
        package var environment: Environment
        package var local: @Sendable () -> LocalTime
        /// The reason why its model cannot be asked from here; nil if it can.
        package var obstacle: @Sendable (Routine) async -> String?
        /// Asks the model, in a separate conversation.
        package var ask:
            @Sendable (Routine, [Attachment], _ title: String, _ limit: Money) async -> Answer

        package init(
            book: RoutineBook, gates: RoutineGates, environment: Environment,
            local: @escaping @Sendable () -> LocalTime,
            obstacle: @escaping @Sendable (Routine) async -> String?,
            ask: @escaping @Sendable (Routine, [Attachment], String, Money) async -> Answer
        ) {
            (self.book, self.gates, self.environment) = (book, gates, environment)
            (self.local, self.obstacle, self.ask) = (local, obstacle, ask)
        }
    }

    private let dependencies: Dependencies
    private var book: RoutineBook { dependencies.book }

    package init(_ dependencies: Dependencies) { self.dependencies = dependencies }

    /// Runs it for its due time, or now if the user wants it; then no gate holds it back.
    ///
    /// - Returns: nil if it is not due, or another process runs it.
    package func run(_ entry: RoutineBook.Entry, isDue: Bool) async throws -> RoutineLog.Run? {
        let claimed =
            isDue
            ? try await book.claimDue(entry, in: dependencies.local())
            : try await book.claimNow(entry)
        guard let run = claimed else { return nil }
        do {
            try await carryOut(entry, run, isDue: isDue)
        } catch {
            // Nothing else closes it.
            let reason = (error as? Failure) ?? Failure(Diagnostic(of: error).what, canRetry: true)
            try await fail(entry, run, reason)
        }
        return try await book.run(run.routine, due: run.due)
    }

    private func carryOut(
        _ entry: RoutineBook.Entry, _ run: RoutineLog.Run, isDue: Bool
    ) async throws {
        let routine = entry.routine
        let spent = try await book.cost(of: routine.id, since: monthStart)
        let left = routine.monthBudget - Double(spent) / 1_000_000
        if left <= 0 {
            throw Failure("its budget for the month is spent", isOverBudget: true)
        }
        let look = try await dependencies.gates.look(entry)
        if isDue, let shut = look.shut {
            try await book.setSeen(look.seen, of: routine.id)
            return try await book.end(run, .shut, note: shut)
        }
        if let obstacle = await dependencies.obstacle(routine) {
            throw Failure(obstacle, canRetry: true)
        }
        let day = dependencies.local().civil(at: run.due)
        let today = dependencies.local().civil(at: dependencies.environment.now()).date
        let title = "\(routine.name) · \(day.date.text(asOf: today)) \(day.clockText)"
        let answer = await dependencies.ask(
            routine, look.found, title, Money(dollars: min(left, routine.runBudget)))
        if let failure = answer.failure {
            return try await fail(entry, run, failure, after: answer)
        }
        let digest = SHA256.hex(SHA256.digest(Array(answer.text.utf8)))
        let last = try await book.lastResult(of: routine.id)
        let isSame = routine.isUnlessSame && last?.digest == digest && answer.held.isEmpty
        var note = Self.firstSentence(answer.text)
        if !isSame, let problem = append(answer.text, titled: title, for: routine) {
            note += " (\(problem))"
        }
        try await book.setSeen(look.seen, of: routine.id)
        try await book.end(
            run, isSame ? .same : .done, note: note, conversation: answer.conversation,
            digest: digest, cost: answer.cost, held: HeldCall.text(answer.held))
        if Double(answer.cost) > routine.runBudget * 1_000_000 {
            try await book.pause(entry, "its last run was above its budget")
        }
    }

    private func fail(
        _ entry: RoutineBook.Entry, _ run: RoutineLog.Run, _ failure: Failure,
        after answer: Answer? = nil
    ) async throws {
        let waits =
            failure.canRetry && run.isScheduled
            && RoutinePlan.isWithinPatience(
                run, dependencies.environment.now().addingTimeInterval(RoutinePlan.pause))
        if failure.isOverBudget { try await book.pause(entry, failure.text) }
        try await book.end(
            run, waits ? .waiting : .failed, note: failure.text,
            conversation: answer?.conversation, cost: answer?.cost ?? 0,
            held: HeldCall.text(answer?.held ?? []))
    }

    private var monthStart: Date {
        let local = dependencies.local()
        let today = local.civil(at: dependencies.environment.now()).date
        return local.start(of: today.adding(days: 1 - today.day))
    }

    /// - Returns: the problem, if it could not be appended.
    private func append(_ text: String, titled title: String, for routine: Routine) -> String? {
        guard let path = routine.file else { return nil }
        let code = WholeFile.append("## \(title)\n\n\(text)\n\n".utf8, to: path)
        return code == 0 ? nil : "not appended to \(path): \(Diagnostic.system(code))"
    }

    /// The first sentence as plain text, for a notification.
    package static func firstSentence(_ text: String) -> String {
        let line =
            text.split(whereSeparator: \.isNewline).map { line in
                line.filter { !"*_`#>".contains($0) }.trimmingSpace()
            }.first { line in line.contains(where: \.isLetter) } ?? ""
        var end = line.endIndex
        var index = line.startIndex
        while index < line.endIndex {
            let next = line.index(after: index)
            if ".!?".contains(line[index]), next < line.endIndex, line[next] == " ",
                line.distance(from: line.startIndex, to: index) > 12
            {
                end = next
                break
            }
            index = next
        }
        let sentence = String(line[..<end])
        return sentence.count > 200 ? String(sentence.prefix(199)) + "…" : sentence
    }
}

/// A call that a routine wanted to make and was not allowed to.
package struct HeldCall: Sendable, Equatable {
    package var tool: String
    package var arguments: String

    package init(tool: String, arguments: String) {
        (self.tool, self.arguments) = (tool, arguments)
    }

    /// Nil for none.
    static func text(_ calls: [HeldCall]) -> String? {
        if calls.isEmpty { return nil }
        return JSONWriter.string(
            .array(
                calls.map { ["tool": .string($0.tool), "arguments": .string($0.arguments)] }))
    }

    static func read(_ text: String?) -> [HeldCall] {
        // Written by us; one that is damaged cannot be offered.
        let calls = (try? JSONParser.parse(text ?? ""))?.arrayValue ?? []
        return calls.compactMap { call in
            guard let tool = call["tool"]?.stringValue,
                let arguments = call["arguments"]?.stringValue
            else { return nil }
            return HeldCall(tool: tool, arguments: arguments)
        }
    }
}
