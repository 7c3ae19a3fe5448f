import FoundationEssentials

/// Runs the tool calls of one reply: prepares them, asks where the rules want
/// it, runs what may run, and gives every call a result.
///
/// Calls keep the order of the reply, but reads that stand next to each other
/// run at the same time. It decides nothing about the turn.
package struct ToolRunner: Sendable {
    /// What a round starts from and what it leaves.
    package struct Round: Sendable {
        package var hasForeignText: Bool
        package var writesApproved: Bool
        /// What was deleted since the user's message.
        package var deleted: [ApprovalRequest.Item]
        /// One for each call, in the order of the calls.
        package var results: [ToolResult] = []
        package var deniedTools: [String] = []
        /// Calls that could run, whether or not the user let them.
        package var validCalls = 0

        package init(
            hasForeignText: Bool, writesApproved: Bool, deleted: [ApprovalRequest.Item] = []
        ) {
            self.hasForeignText = hasForeignText
            self.writesApproved = writesApproved
            self.deleted = deleted
        }
    }

    /// A longer result is cut, and says so: it would crowd out everything
    /// else the model can read.
    package static let resultLimitInBytes = 64 * 1024

    private let registry: ToolRegistry
    private let environment: Environment
    private let log: @Sendable (ToolCallRecord) -> Void
    /// Says a fault of the machine in words for the user.
    private let describe: @Sendable (any Error) -> String

    package init(
        registry: ToolRegistry, environment: Environment,
        log: @escaping @Sendable (ToolCallRecord) -> Void,
        describe: @escaping @Sendable (any Error) -> String
    ) {
        self.registry = registry
        self.environment = environment
        self.log = log
        self.describe = describe
    }

    /// - Parameters:
    ///   - admitted: how many of the calls the turn's limits let through.
    ///   - save: called with each result as soon as it is known.
    /// - Throws: only what `save` throws.
    package func run(
        _ calls: [ToolCall], admitted: Int, round: inout Round, context: Agent.Context,
        observe: @escaping Agent.Observer,
        save: @escaping @Sendable (ToolResult) async throws -> Void
    ) async throws {
        var plans = calls.enumerated().map { index, call in
            index < admitted ? plan(call, round: round, context: context) : Plan(call, .overLimit)
        }
        await settleQuestions(&plans, round: &round, context: context)

        var results = [ToolResult?](repeating: nil, count: plans.count)
        var next = 0
        while next < plans.count {
            // Neighbouring reads depend on nothing between them.
            var end = next + 1
            if plans[next].isRead {
                while end < plans.count, plans[end].isRead { end += 1 }
            }
            let batch = Array(plans[next..<end])
            let caller = ToolCaller(model: context.model, conversation: context.cacheKey)
            let outcomes = await ToolCallContext.$hasForeignText.withValue(round.hasForeignText) {
                await ToolCallContext.$caller.withValue(caller) {
                    await runTogether(batch, observe: observe)
                }
            }
            for (offset, outcome) in outcomes.enumerated() {
                if outcome.result.isForeign { round.hasForeignText = true }
                if outcome.isValid { round.validCalls += 1 }
                if let item = batch[offset].item, item.tool.toolClass == .destroy,
                    !outcome.result.isError
                {
                    round.deleted.append(item)
                }
                results[next + offset] = outcome.result
                try await save(outcome.result)
            }
            next = end
        }
        round.results = results.compactMap { $0 }
    }

    // MARK: - Deciding

    private struct Plan: Sendable {
        enum Decision: Sendable {
            case run(PreparedCall)
            case ask(PreparedCall)
            case denied(PreparedCall)
            /// It was found out before a question that it cannot succeed.
            case failed(PreparedCall, ToolOutput)
            case invalid(ToolError)
            case overLimit
        }

        let call: ToolCall
        var decision: Decision
        /// As it stood in the question.
        var item: ApprovalRequest.Item?

        init(_ call: ToolCall, _ decision: Decision) {
            self.call = call
            self.decision = decision
        }

        /// The call that could have run; nil where there was none.
        var prepared: PreparedCall? {
            switch decision {
            case .run(let call), .ask(let call), .denied(let call), .failed(let call, _): call
            case .invalid, .overLimit: nil
            }
        }

        var isRead: Bool {
            if case .run(let prepared) = decision {
                prepared.tool.toolClass == .read
            } else {
                false
            }
        }
    }

    private func plan(_ call: ToolCall, round: Round, context: Agent.Context) -> Plan {
        guard context.offersTools else {
            return Plan(call, .invalid(.toolNotFound(name: call.name)))
        }
        switch registry.prepare(call) {
        case .failure(let error): return Plan(call, .invalid(error))
        case .success(let prepared):
            let verdict = context.policy.verdict(
                on: prepared.tool.name, toolClass: prepared.tool.toolClass,
                hasForeignText: round.hasForeignText, writesApproved: round.writesApproved)
            switch verdict {
            case .run: return Plan(call, .run(prepared))
            case .ask: return Plan(call, .ask(prepared))
            case .deny: return Plan(call, .denied(prepared))
            }
        }
    }

    /// Puts all questions of the reply as one, and turns its answer into
    /// decisions.
    private func settleQuestions(
        _ plans: inout [Plan], round: inout Round, context: Agent.Context
    ) async {
        var asked: [(index: Int, prepared: PreparedCall)] = []
        for (index, plan) in plans.enumerated() {
            switch plan.decision {
            case .ask(let prepared): asked.append((index, prepared))
            case .denied(let prepared):
                // What cannot succeed needs no permission.
                if case .fails(let output)? = await preview(prepared) {
                    plans[index].decision = .failed(prepared, output)
                } else {
                    round.deniedTools.append(prepared.tool.name)
                }
            case .run, .failed, .invalid, .overLimit: break
            }
        }
        var items: [ApprovalRequest.Item] = []
        for (index, prepared) in asked {
            switch await preview(prepared) ?? .touches(nil) {
            case .fails(let output): plans[index].decision = .failed(prepared, output)
            case .touches(let words):
                let item = ApprovalRequest.Item(
                    tool: prepared.tool, arguments: prepared.arguments, preview: words)
                plans[index].item = item
                items.append(item)
            }
        }
        guard !items.isEmpty else { return }
        // A user who has stopped the turn is not asked any more.
        if Task.isCancelled { return }
        let isApproved = await context.approver.approves(
            ApprovalRequest(items: items, deletedBefore: round.deleted))
        for (index, prepared) in asked where plans[index].item != nil {
            plans[index].decision = isApproved ? .run(prepared) : .denied(prepared)
            if isApproved, prepared.tool.toolClass == .write { round.writesApproved = true }
            if !isApproved { round.deniedTools.append(prepared.tool.name) }
        }
    }

    private func preview(_ prepared: PreparedCall) async -> CallPreview? {
        await registry.server(ofTool: prepared.tool.name)?.preview(
            of: prepared.tool.name, arguments: prepared.arguments)
    }

    // MARK: - Running

    private struct Outcome: Sendable {
        var result: ToolResult
        /// The call could have run: a no of the user is not the model's mistake.
        var isValid: Bool
    }

    private func runTogether(_ plans: [Plan], observe: @escaping Agent.Observer) async -> [Outcome]
    {
        if plans.count == 1 { return [await carryOut(plans[0], observe: observe)] }
        return await withTaskGroup(of: (Int, Outcome).self) { group in
            for (index, plan) in plans.enumerated() {
                group.addTask { (index, await carryOut(plan, observe: observe)) }
            }
            var outcomes: [(Int, Outcome)] = []
            for await outcome in group { outcomes.append(outcome) }
            return outcomes.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func carryOut(_ plan: Plan, observe: @escaping Agent.Observer) async -> Outcome {
        let start = environment.uptime()
        let call = plan.call
        let prepared = plan.prepared
        await observe(.toolRunning(call, toolClass: prepared?.tool.toolClass))
        let output: ToolOutput
        let outcome: ToolCallRecord.Outcome
        switch plan.decision {
        case .run(let prepared):
            (output, outcome) = await execute(prepared, observe: observe)
        case .ask:
            // Stopped before the question was put.
            (output, outcome) = (Self.stopped, .interrupted)
        case .denied(let prepared):
            let error = ToolError.permissionDenied(tool: prepared.tool.name)
            (output, outcome) = (ToolOutput(error), .denied)
        case .failed(_, let answer):
            (output, outcome) = (answer, .error)
        case .invalid(let error):
            (output, outcome) = (ToolOutput(error), .invalid)
        case .overLimit:
            (output, outcome) = (
                ToolOutput(
                    text: "Not run: too many tool calls for one message.", isError: true), .denied
            )
        }
        let duration = Duration.seconds(environment.uptime() - start)
        log(
            ToolCallRecord(
                tool: call.name, argumentNames: prepared?.arguments.names ?? [],
                duration: duration, outcome: outcome))
        let result = ToolResult(
            callID: call.id, name: call.name, text: Self.bounded(output.text),
            isError: output.isError, isForeign: output.isForeign)
        await observe(.toolFinished(result, summary: output.summary, duration: duration))
        return Outcome(result: result, isValid: prepared != nil)
    }

    private func execute(
        _ prepared: PreparedCall, observe: @escaping Agent.Observer
    ) async -> (ToolOutput, ToolCallRecord.Outcome) {
        let interrupted = ToolOutput(
            text: "Stopped by the user before it finished; it is not known whether it ran.",
            isError: true)
        guard !Task.isCancelled else {
            return (Self.stopped, .interrupted)
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
            // The facts of a machine fault are for the user; the model only
            // has to know that nothing came of it.
            return (
                ToolOutput(
                    text: "The tool failed on this machine.",
                    summary: "✗ \(prepared.tool.name): \(describe(error))", isError: true), .error
            )
        }
    }

    private static let stopped = ToolOutput(text: "Not run: the user stopped it.", isError: true)

    /// Cuts between two code points, and says so in the text itself. Not
    /// between graphemes: a foreign text can be one grapheme of any length.
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
