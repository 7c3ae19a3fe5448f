import AgentCore

extension Approver {
    /// One that only says yes or no.
    package init(_ approves: @escaping @Sendable (ApprovalRequest) async -> Bool) {
        self.init { request -> ApprovalAnswer in
            await approves(request) ? .yes : .no(reason: nil)
        }
    }
}

extension ToolCallRecord {
    /// One that ran without a question.
    package static func ok(_ tool: String) -> ToolCallRecord {
        ToolCallRecord(
            tool: tool, toolClass: .read, approval: ApprovalGround.policy.rawValue,
            duration: .milliseconds(3), outcome: .ok)
    }
}

extension TurnJournal {
    /// The result of a call that ran without a question.
    package func recordResult(_ result: ToolResult, in turn: TurnID) async throws {
        try await recordResult(result, of: .ok(result.name), in: turn)
    }
}
