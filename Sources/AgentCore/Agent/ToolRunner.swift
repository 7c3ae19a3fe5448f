import Base
import FoundationEssentials
import Privacy

/// Runs the tool calls of one reply: prepares them, asks if the rules require it, runs those that
/// are allowed, and gives every call a result.
///
/// Calls keep the order of the reply, but neighbouring reads run at the same time. Decisions about
/// the turn are made elsewhere.
package struct ToolRunner: Sendable {
    /// The initial state of a round, and its results.
    package struct Round: Sendable {
        package var hasUntrustedText: Bool
        /// Items deleted since the user's message.
        package var deleted: [ApprovalRequest.Item] = []
        /// Effects approved for the rest of the conversation.
        package var grants: Set<ApprovalPolicy.Grant> = []
        /// One for each call, in the order of the calls.
        package var results: [ToolResult] = []
        package var refusals: [ToolRefusal] = []
        /// Tools that join the offer.
        package var offers: [String] = []
        /// Number of calls that could have run, whether or not the user allowed them.
        package var validCalls = 0
    }

    /// Maximum size of a result. A longer one is cut and marked: it would displace everything else
    /// the model can read.
    package static let resultLimitInBytes = 64 * 1024

    private(set) var registry: ToolRegistry
    private let environment: Environment
    private let log: @Sendable (ToolCallRecord) -> Void
    private let person: @Sendable () async -> PersonalData?
    /// Policy for calls made outside a turn (MCP hosts).
    private let hostPolicy: ApprovalPolicy
    /// Turns a system error into text for the user.
    private let describe: @Sendable (any Error) -> String

    /// - Parameters:
    ///   - person: the user's data, to recognise it in calls; nil if the profile cannot be read.
    ///   - hostPolicy: tools that the user has allowed a calling program to use.
    package init(
        registry: ToolRegistry, environment: Environment,
        log: @escaping @Sendable (ToolCallRecord) -> Void,
        person: @escaping @Sendable () async -> PersonalData?,
        hostPolicy: ApprovalPolicy = ApprovalPolicy(isInteractive: false),
        describe: @escaping @Sendable (any Error) -> String
    ) {
        self.registry = registry
        self.environment = environment
        self.log = log
        self.person = person
        self.hostPolicy = hostPolicy
        self.describe = describe
    }

    /// A copy using `registry`.
    func with(_ registry: ToolRegistry) -> ToolRunner {
        var runner = self
        runner.registry = registry
        return runner
    }

    /// - Parameters:
    ///   - admitted: number of calls within the turn's limits.
    ///   - save: called with each result as soon as it is known.
    /// - Throws: only errors thrown by `save`.
    package func run(
        _ calls: [ToolCall], admitted: Int, round: inout Round, context: Agent.Context,
        observe: @escaping Agent.Observer,
        save: @escaping @Sendable (ToolResult, ToolCallRecord) async throws -> Void
    ) async throws {
        var preparations: [Preparation] = []
        for call in calls.prefix(admitted) { preparations.append(await prepare(call)) }
        let deletions = preparations.reduce(ApprovalRequest.deletions(round.deleted)) { sum, each in
            // A call that could not be prepared deletes nothing.
            sum + ((try? each.get())?.effects.deletions ?? 0)
        }
        let person = await person()
        var gate = Gate(
            policy: context.policy, person: person,
            situation: .init(hasUntrustedText: round.hasUntrustedText, deletions: deletions),
            deleted: round.deleted, offersTools: context.offersTools, approver: context.approver)
        gate.policy.grants = round.grants
        var plans = calls.enumerated().map { index, call in
            index < admitted
                ? plan(call, preparations[index], gate) : Plan(call, .refused(.limit))
        }
        await settleQuestions(&plans, gate: &gate)
        round.grants = gate.policy.grants
        round.refusals += plans.flatMap(\.noted)

        var results = [ToolResult?](repeating: nil, count: plans.count)
        var next = 0
        while next < plans.count {
            // Neighbouring reads do not depend on each other.
            var end = next + 1
            if plans[next].isRead {
                while end < plans.count, plans[end].isRead { end += 1 }
            }
            let batch = Array(plans[next..<end])
            let caller = ToolCaller(model: context.model, conversation: context.cacheKey)
            let outcomes = await ToolCallContext.$hasUntrustedText.withValue(round.hasUntrustedText)
            {
                await ToolCallContext.$caller.withValue(caller) {
                    await runTogether(batch, person: person, observe: observe)
                }
            }
            for (offset, outcome) in outcomes.enumerated() {
                if outcome.result.isUntrusted { round.hasUntrustedText = true }
                round.offers += outcome.offers
                if outcome.isValid { round.validCalls += 1 }
                if let item = batch[offset].deletion, !outcome.result.isError {
                    round.deleted.append(item)
                }
                results[next + offset] = outcome.result
                log(outcome.record)
                try await save(outcome.result, outcome.record)
            }
            next = end
        }
        round.results = results.compactMap { $0 }
    }

    /// Runs a call of a program that the user has allowed to use the tool, such as the host of our
    /// MCP server. No question is asked here; the host asks its own user. We do not know what its
    /// model has read, so the stores treat its input as untrusted text.
    package func run(
        _ call: ToolCall, as caller: ToolCaller, observe: @escaping Agent.Observer
    ) async -> ToolResult {
        let person = await person()
        let plan = plan(
            call, await prepare(call),
            Gate(policy: hostPolicy, person: person, situation: .init(), offersTools: true))
        let outcome = await ToolCallContext.$hasUntrustedText.withValue(true) {
            await ToolCallContext.$caller.withValue(caller) {
                await carryOut(plan, person, observe: observe)
            }
        }
        log(outcome.record)
        return outcome.result
    }

    // MARK: - Running

    private struct Outcome: Sendable {
        var result: ToolResult
        var record: ToolCallRecord
        var offers: [String]
        /// Whether the call could have run: a call refused by the user is not the model's mistake.
        var isValid: Bool
    }

    private func runTogether(
        _ plans: [Plan], person: PersonalData?, observe: @escaping Agent.Observer
    ) async -> [Outcome] {
        if plans.count == 1 { return [await carryOut(plans[0], person, observe: observe)] }
        return await withTaskGroup(of: (Int, Outcome).self) { group in
            for (index, plan) in plans.enumerated() {
                group.addTask { (index, await carryOut(plan, person, observe: observe)) }
            }
            var outcomes: [(Int, Outcome)] = []
            for await outcome in group { outcomes.append(outcome) }
            return outcomes.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func carryOut(
        _ plan: Plan, _ person: PersonalData?, observe: @escaping Agent.Observer
    ) async -> Outcome {
        let start = environment.uptime()
        let call = plan.call
        let prepared = plan.prepared
        await observe(.toolRunning(call, toolClass: prepared?.toolClass))
        var output: ToolOutput
        let outcome: ToolCallRecord.Outcome
        let approval: String
        var reason: String?
        let steps = UndoStepNotes()
        switch await current(plan) {
        case .run(let prepared, let ground):
            (output, outcome) = await ToolCallContext.$undoSteps.withValue(steps) {
                await ToolCallContext.$approval.withValue(ground.rawValue) {
                    await execute(prepared, observe: observe)
                }
            }
            approval = ground.rawValue
            if ground == .edited {
                let arguments = JSONWriter.string(.object(prepared.arguments))
                output.text =
                    "The user changed the arguments to \(arguments)\n" + output.text
            }
        case .ask:
            // Stopped before the question was asked.
            (output, outcome) = (Self.refused(call, .stopped), .interrupted)
            approval = Self.word(.stopped)
        case .refused(let why):
            output = Self.refused(call, why)
            outcome = why == .unknownTool ? .invalid : .denied
            approval = Self.word(why)
            if case .user(let words) = why { reason = words }
        case .failed(let answer):
            // A call that can have no effect needed no approval.
            (output, outcome, approval) = (answer, .error, ApprovalGround.policy.rawValue)
        case .invalid(let error):
            (output, outcome) = (ToolOutput(error), .invalid)
            if case .toolNotFound = error {
                approval = Self.word(.unknownTool)
                if registry.tool(named: FindTools.toolName) != nil {
                    output.text += " \(FindTools.toolName) gives you others."
                }
            } else {
                approval = "denied: invalid"
            }
        }
        let duration = Duration.seconds(environment.uptime() - start)
        let result = ToolResult(
            callID: call.id, name: call.name, text: Self.bounded(output.text),
            isError: output.isError, isUntrusted: output.isUntrusted, pictures: output.pictures)
        var record = ToolCallRecord(
            tool: call.name, toolClass: prepared?.toolClass, approval: approval,
            duration: duration, outcome: outcome)
        if let arguments = prepared?.arguments {
            record.arguments =
                person.map { ToolCallRecord.redacted(arguments, for: $0) }
                ?? JSONObject(arguments.names.map { .init($0, "…") })
        }
        record.reason = person.flatMap { person in
            reason.map { ToolCallRecord.redacted($0, for: person) }
        }
        record.resultBytes = result.text.utf8.count
        record.undoSteps = steps.all
        await observe(.toolFinished(result, summary: output.summary, duration: duration))
        return Outcome(
            result: result, record: record, offers: output.offers, isValid: prepared != nil)
    }

    private static func refused(_ call: ToolCall, _ why: ApprovalRefusal) -> ToolOutput {
        ToolOutput(text: why.modelText(tool: call.name), isError: true)
    }

    private static func word(_ why: ApprovalRefusal) -> String { "denied: " + why.word }

    private func execute(
        _ prepared: PreparedCall, observe: @escaping Agent.Observer
    ) async -> (ToolOutput, ToolCallRecord.Outcome) {
        let interrupted = ToolOutput(
            text: "Stopped by the user before it finished; it is not known whether it ran.",
            isError: true)
        guard !Task.isCancelled else {
            return (Self.refused(prepared.call, .stopped), .interrupted)
        }
        // `prepare` found the tool, so a server owns it.
        guard let server = registry.server(ofTool: prepared.tool.name) else {
            let error = ToolError.toolNotFound(name: prepared.tool.name)
            return (ToolOutput(error), .invalid)
        }
        do {
            let output = try await Emitter.shown {
                await observe(.toolProgress($0, callID: prepared.call.id))
            } _: { emit in
                try await server.callTool(
                    prepared.tool.name, arguments: prepared.arguments, emit: emit)
            }
            return (output, output.isError ? .error : .ok)
        } catch is CancellationError {
            return (interrupted, .interrupted)
        } catch let error as ToolError {
            return (ToolOutput(error), .error)
        } catch {
            // The details of a system failure are for the user; the model only needs to know that
            // the call failed.
            return (
                ToolOutput(
                    text: "The tool failed on this machine.",
                    summary: "✗ \(prepared.tool.name): \(describe(error))", isError: true), .error
            )
        }
    }

    /// Cuts between two code points, and marks the cut in the text itself. Not between
    /// graphemes: an untrusted text can be one grapheme of any length.
    package static func bounded(_ text: String) -> String {
        let bytes = text.utf8
        guard bytes.count > resultLimitInBytes else { return text }
        var end = bytes.index(bytes.startIndex, offsetBy: resultLimitInBytes)
        var shown = resultLimitInBytes
        // 10xxxxxx continues a code point (RFC 3629 §3).
        while shown > 0, bytes[end] & 0xC0 == 0x80 {
            end = bytes.index(before: end)
            shown -= 1
        }
        return text[..<end] + "\n[cut: \(bytes.count) bytes, the first \(shown) are shown]"
    }
}
