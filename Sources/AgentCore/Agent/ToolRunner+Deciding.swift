import Base
import Privacy

/// What becomes of the calls of one reply before any of them runs: the rules, the questions
/// to the user, and what is refused.
extension ToolRunner {
    /// The input of the policy for the calls of one reply.
    struct Gate {
        var policy: ApprovalPolicy
        /// nil where it is not known who the user is.
        let person: PersonalData?
        var situation: ApprovalPolicy.Situation
        var deleted: [ApprovalRequest.Item] = []
        var offersTools: Bool
        var approver = Approver.refusing

        func verdict(on prepared: PreparedCall) -> ApprovalPolicy.Verdict {
            policy.verdict(
                on: offersTools ? prepared.tool : nil, arguments: prepared.arguments,
                isPrivate: isPrivate(prepared), in: situation)
        }

        /// Whether private data of the user would leave the machine. If the profile
        /// cannot be read, it may be anything.
        func isPrivate(_ prepared: PreparedCall) -> Bool {
            guard prepared.tool.toolClass == .outward else { return false }
            guard let person else { return true }
            return ToolCallRecord.identifies(person, prepared.arguments)
        }
    }

    struct Plan: Sendable {
        enum Decision: Sendable {
            case run(PreparedCall, ApprovalGround)
            case ask(PreparedCall, canGrant: Bool)
            case refused(ApprovalRefusal)
            /// The preview showed, before any question, that it cannot succeed.
            case failed(ToolOutput)
            case invalid(ToolError)
        }

        let call: ToolCall
        var decision: Decision
        /// The call that could have run, if there was one.
        var prepared: PreparedCall?
        /// What the question showed that it would touch.
        var preview: String?

        init(_ call: ToolCall, _ decision: Decision, _ prepared: PreparedCall? = nil) {
            self.call = call
            self.decision = decision
            self.prepared = prepared
        }

        var item: ApprovalRequest.Item? {
            prepared.map {
                ApprovalRequest.Item(tool: $0.tool, arguments: $0.arguments, preview: preview)
            }
        }

        /// What it deletes, for later questions.
        var deletion: ApprovalRequest.Item? {
            guard case .run(let prepared, _) = decision, prepared.tool.toolClass == .destroy
            else { return nil }
            return item
        }

        /// A refusal that the end of the turn mentions.
        var noted: ToolRefusal? {
            guard case .refused(let refusal) = decision else { return nil }
            switch refusal {
            case .rule, .noTerminal, .user: return ToolRefusal(tool: call.name, why: refusal)
            case .unknownTool, .limit, .stopped: return nil
            }
        }

        var isRead: Bool {
            if case .run(let prepared, _) = decision {
                prepared.tool.toolClass == .read
            } else {
                false
            }
        }
    }

    func plan(_ call: ToolCall, _ gate: Gate) -> Plan {
        switch registry.prepare(call) {
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

    /// Asks all questions of the reply as one, and turns the answer into decisions.
    func settleQuestions(_ plans: inout [Plan], gate: inout Gate) async {
        var asked: [Int] = []
        var canGrant = true
        for index in plans.indices {
            guard let prepared = plans[index].prepared else { continue }
            switch plans[index].decision {
            case .ask(_, let isGrantable):
                switch await preview(prepared) {
                case .fails(let output): plans[index].decision = .failed(output)
                case .touches(let words):
                    plans[index].preview = words
                    canGrant = canGrant && isGrantable
                    asked.append(index)
                }
            case .refused(.noTerminal):
                // What cannot succeed needs no permission.
                if case .fails(let output) = await preview(prepared) {
                    plans[index].decision = .failed(output)
                }
            case .run, .refused, .failed, .invalid: break
            }
        }
        // A user who has stopped the turn is not asked any more.
        guard !asked.isEmpty, !Task.isCancelled else { return }
        var request = ApprovalRequest(
            items: asked.compactMap { plans[$0].item }, deletedBefore: gate.deleted,
            canGrant: canGrant, hasForeignText: gate.situation.hasForeignText)
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
                    if isAlways { gate.policy.grants.insert(prepared.tool.name) }
                    if prepared.tool.toolClass == .write { gate.situation.writesApproved = true }
                    plans[index].decision = .run(
                        prepared,
                        request.isEdited ? .edited : isAlways ? .conversation : .user)
                case .no(let reason): plans[index].decision = .refused(.user(reason: reason))
                // Of several calls none was meant.
                case .edited: plans[index].decision = .refused(.user(reason: nil))
                }
            }
            return
        }
    }

    /// Arguments of the user's in place of the model's, checked as those were. The
    /// question is put again: about what will run now, or with what is wrong.
    private func take(
        _ text: String, for plan: inout Plan, request: inout ApprovalRequest, gate: Gate
    ) async {
        var call = plan.call
        call.arguments = text
        var problem: String?
        switch registry.prepare(call) {
        case .failure(let error): problem = error.diagnostic.what
        case .success(let edited):
            if case .refuse = gate.verdict(on: edited) {
                problem = "A rule of yours forbids this call."
                break
            }
            switch await preview(edited) {
            case .fails(let output): problem = output.text
            case .touches(let words):
                (plan.prepared, plan.preview) = (edited, words)
                plan.decision = .ask(edited, canGrant: request.canGrant)
                request.items = plan.item.map { [$0] } ?? []
                request.isPrivate = gate.isPrivate(edited)
                (request.isEdited, request.draft) = (true, nil)
            }
        }
        if let problem { request.draft = .init(text: text, problem: problem) }
    }

    private func preview(_ prepared: PreparedCall) async -> CallPreview {
        await registry.server(ofTool: prepared.tool.name)?.preview(
            of: prepared.tool.name, arguments: prepared.arguments) ?? .touches(nil)
    }
}
