/// Progress of a running turn, in order, for display.
package enum AgentEvent: Sendable, Equatable {
    /// The message has been saved; the model is being asked.
    case waiting(provider: ProviderName, model: String)
    /// Without a key or a configured choice, a local server was found and is being asked.
    case found(model: String, host: String)
    case text(String)
    case refusal(String)
    case thinking(String)
    case toolCallStarted(name: String)
    /// The vendor has searched the web for this text, or opened this page.
    case webSearch(String)
    case toolRunning(ToolCall, toolClass: ToolClass?)
    /// Progress of a running call; nil when there is no more progress to show. A message answered
    /// locally has no call, and an empty id.
    case toolProgress(ToolProgress?, callID: String)
    case toolFinished(ToolResult, summary: String?, duration: Duration)
    /// Nothing was shown yet; the request will be sent again after `delay` seconds.
    case retrying(ProviderError, attempt: Int, of: Int, delay: Double)
    /// One request of the turn is complete.
    case answered(stop: StopReason, usage: Usage)
    /// The conversation fills the model's window and is being shortened.
    case compaction(CompactionEvent)
    /// A notice for the user besides the answer; it may quote untrusted text.
    case notice(String)
    /// The provider failed; another one is used from here on without asking.
    case movedOn(to: ProviderName, model: String, host: String, after: ProviderError)

    init(_ event: ProviderEvent) {
        self =
            switch event {
            case .text(let text): .text(text)
            case .refusal(let text): .refusal(text)
            case .thinking(let text): .thinking(text)
            case .toolCallStarted(let name): .toolCallStarted(name: name)
            case .webSearch(let query): .webSearch(query)
            }
    }
}

/// The end of a turn. Its text is in the journal and has been shown.
package struct TurnOutcome: Sendable {
    package var status: Turn.Status
    package var turn: Turn
    /// The reason why it ended without a complete answer.
    package var note: TurnStateMachine.Note?
    /// Calls the user or the rules did not allow.
    package var refusals: [ToolRefusal] = []
    /// Effects approved for the rest of the conversation.
    package var grants: Set<ApprovalPolicy.Grant> = []
    /// The tools of the request that would come next.
    package var offer: ToolOffer?
    /// Whether the user has agreed to web searches.
    package var searchesWeb = false
    package var stop: StopReason?
    package var requestID: ServerText?
    /// Parameters that the server turned out to reject, reported once.
    package var ignored: Set<IgnoredParameter> = []
    package var id: TurnID?
    /// Usage of the turn's last request.
    package var lastUsage: Usage?
    /// The other provider that answered, if the first one failed.
    package var movedOn: ModelOrigin?
    /// An act that no call of the turn did, although the answer claims it or the message orders it.
    package var undone: UndoneAct?

    /// Whether redaction refused to send it.
    package var isWithheld: Bool {
        if case .failed(let error) = note { error.isLeak } else { false }
    }

    /// Whether part of an answer arrived before the turn ended.
    package var hasPartialAnswer: Bool {
        status != .done
            && turn.messages.last.map { $0.role == .assistant && !$0.text.isEmpty }
                ?? false
    }
}

extension TurnOutcome {
    package init(status: Turn.Status, turn: Turn, stop: StopReason?) {
        self.init(status: status, turn: turn, note: nil, stop: stop)
    }
}
