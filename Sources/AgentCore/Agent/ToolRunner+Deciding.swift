import Base
import Privacy

/// Decides on the calls of one reply before any of them runs: applies the rules, and asks the user
/// or refuses.
extension ToolRunner {
    /// The input of the policy for the calls of one reply.
    struct Gate {
        var policy: ApprovalPolicy
        /// The user's data, to recognise private data in a call; nil if the profile cannot be read.
        let person: PersonalData?
        var situation: ApprovalPolicy.Situation
        var deleted: [ApprovalRequest.Item] = []
        var offersTools: Bool
        var approver = Approver.refusing

        func verdict(on prepared: PreparedCall) -> ApprovalPolicy.Verdict {
            policy.verdict(
                on: offersTools ? prepared.tool : nil, arguments: prepared.arguments,
                effects: prepared.effects, isPrivate: isPrivate(prepared), in: situation)
        }

        /// Whether private data of the user would leave the machine. If the profile cannot be read,
        /// any data may be private.
        func isPrivate(_ prepared: PreparedCall) -> Bool {
            guard prepared.toolClass == .outward else { return false }
            guard let person else { return true }
            return ToolCallRecord.identifies(person, prepared.arguments)
        }
    }

    struct Plan: Sendable {
        enum Decision: Sendable {
            case run(PreparedCall, ApprovalGround)
            case ask(PreparedCall, canGrant: Bool)
            case refused(ApprovalRefusal)
            /// The preview showed, before any question, that the call cannot succeed.
            case failed(ToolOutput)
            case invalid(ToolError)
        }

        let call: ToolCall
        var decision: Decision
        /// The call that could have run, if there was one.
        var prepared: PreparedCall?
        /// The preview of the call's effects, as shown in the question.
        var preview: String?
        /// The id of the item that the question was about.
        var itemID: String?

        init(_ call: ToolCall, _ decision: Decision, _ prepared: PreparedCall? = nil) {
            self.call = call
            self.decision = decision
            self.prepared = prepared
        }

        var item: ApprovalRequest.Item? {
            prepared.map {
                ApprovalRequest.Item(
                    tool: $0.tool, arguments: $0.arguments, preview: preview,
                    effects: $0.effects)
            }
        }

        /// The item for later questions if the call deletes something.
        var deletion: ApprovalRequest.Item? {
            guard case .run(let prepared, _) = decision, prepared.effects.deletions > 0
            else { return nil }
            return item
        }

        /// The refusals mentioned at the end of the turn; without a terminal, one for each tool
        /// that would have to be allowed.
        var noted: [ToolRefusal] {
            guard case .refused(let refusal) = decision else { return [] }
            switch refusal {
            case .rule, .user: return [ToolRefusal(tool: call.name, why: refusal)]
            case .noTerminal:
                let others = Set(prepared?.effects.map(\.tool) ?? []).subtracting([call.name])
                return ([call.name] + others.sorted()).map { ToolRefusal(tool: $0, why: refusal) }
            case .held: return [ToolRefusal(tool: call.name, why: refusal, call: call)]
            case .unknownTool, .limit, .stopped, .changed: return []
            }
        }

        var isRead: Bool {
            if case .run(let prepared, _) = decision { prepared.toolClass == .read } else { false }
        }
    }

    typealias Preparation = Result<PreparedCall, ToolError>

    /// Validates the call and computes its effects, before any rule is applied.
    func prepare(_ call: ToolCall) async -> Preparation {
        switch registry.prepare(call) {
        case .success(let prepared): .success(await registry.withEffects(prepared))
        case .failure(let error): .failure(error)
        }
    }

    func plan(_ call: ToolCall, _ preparation: Preparation, _ gate: Gate) -> Plan {
        switch preparation {
        case .failure(let error):
            return Plan(call, gate.offersTools ? .invalid(error) : .refused(.unknownTool))
        case .success(let prepared):
            switch gate.verdict(on: prepared) {
            case .run(let ground): return Plan(call, .run(prepared, ground), prepared)
            case .ask(let canGrant): return Plan(call, .ask(prepared, canGrant: canGrant), prepared)
            case .refuse(.unknownTool): return Plan(call, .refused(.unknownTool))
            case .refuse(let why): return Plan(call, .refused(why), prepared)
            }
        }
    }

    /// Asks about the calls of the reply in one question, and about those that send something in
    /// another; turns the answers into decisions.
    func settleQuestions(_ plans: inout [Plan], gate: inout Gate) async {
        var (asked, sending): ([Int], [Int]) = ([], [])
        for index in plans.indices {
            guard let prepared = plans[index].prepared else { continue }
            switch plans[index].decision {
            case .ask:
                switch await preview(prepared) {
                case .fails(let output): plans[index].decision = .failed(output)
                case .touches(let words, let item):
                    (plans[index].preview, plans[index].itemID) = (words, item)
                    if prepared.toolClass == .outward {
                        sending.append(index)
                    } else {
                        asked.append(index)
                    }
                }
            case .refused(.noTerminal), .refused(.held):
                // A call that cannot succeed needs no permission.
                if case .fails(let output) = await preview(prepared) {
                    plans[index].decision = .failed(output)
                }
            case .run, .refused, .failed, .invalid: break
            }
        }
        await ask(about: asked, of: &plans, gate: &gate)
        await ask(about: sending, of: &plans, gate: &gate)
    }

    private func ask(about asked: [Int], of plans: inout [Plan], gate: inout Gate) async {
        // A user who has stopped the turn must not be asked.
        guard !asked.isEmpty, !Task.isCancelled else { return }
        let canGrant = asked.allSatisfy {
            if case .ask(_, let canGrant) = plans[$0].decision { canGrant } else { false }
        }
        var request = ApprovalRequest(
            items: asked.compactMap { plans[$0].item }, deletedBefore: gate.deleted,
            canGrant: canGrant, hasUntrustedText: gate.situation.hasUntrustedText)
        request.isPrivate = asked.contains { plans[$0].prepared.map(gate.isPrivate) ?? false }
        while true {
            let answer = await gate.approver.ask(request)
            if case .edited(let text) = answer, asked.count == 1 {
                await take(text, for: &plans[asked[0]], request: &request, gate: gate)
                if Task.isCancelled { return }
                continue
            }
            for index in asked {
                guard let prepared = plans[index].prepared else { continue }
                switch answer {
                case .yes, .always:
                    let isAlways = answer == .always && request.canGrant
                    if isAlways {
                        gate.policy.grants.formUnion(
                            prepared.effects.map { .init(prepared.tool.name, $0) })
                    }
                    plans[index].decision = .run(
                        prepared,
                        request.isEdited ? .edited : isAlways ? .conversation : .user)
                case .no(let reason): plans[index].decision = .refused(.user(reason: reason))
                // An edit of several calls applies to none of them.
                case .edited: plans[index].decision = .refused(.user(reason: nil))
                }
            }
            return
        }
    }

    /// Replaces the model's arguments with the user's, after the same checks. Then asks again:
    /// about the new call, or with the problem found.
    private func take(
        _ text: String, for plan: inout Plan, request: inout ApprovalRequest, gate: Gate
    ) async {
        var call = plan.call
        call.arguments = text
        var problem: String?
        switch await prepare(call) {
        case .failure(let error): problem = error.diagnostic.what
        case .success(let edited):
            let verdict = gate.verdict(on: edited)
            if case .refuse = verdict {
                problem = "A rule of yours forbids this call."
                break
            }
            switch await preview(edited) {
            case .fails(let output): problem = output.text
            case .touches(let words, let item):
                (plan.prepared, plan.preview, plan.itemID) = (edited, words, item)
                let canGrant = request.canGrant && verdict == .ask(canGrant: true)
                plan.decision = .ask(edited, canGrant: canGrant)
                request = ApprovalRequest(
                    items: plan.item.map { [$0] } ?? [], deletedBefore: gate.deleted,
                    canGrant: canGrant, hasUntrustedText: request.hasUntrustedText)
                request.isPrivate = gate.isPrivate(edited)
                request.isEdited = true
            }
        }
        if let problem { request.draft = .init(text: text, problem: problem) }
    }

    /// The decision, if the call still has the effects it was made for: an earlier call of the same
    /// reply, or another program while the question was open, may have changed them.
    func current(_ plan: Plan) async -> Plan.Decision {
        guard case .run(let prepared, _) = plan.decision else { return plan.decision }
        var isSame = await registry.withEffects(prepared).effects == prepared.effects
        if isSame, let item = plan.itemID, case .touches(_, let found) = await preview(prepared) {
            isSame = found == item
        }
        return isSame ? plan.decision : .refused(.changed)
    }

    private func preview(_ prepared: PreparedCall) async -> CallPreview {
        await registry.server(ofTool: prepared.tool.name)?.preview(
            of: prepared.tool.name, arguments: prepared.arguments) ?? .touches(nil)
    }
}
