/// The life of one turn as a value: an event in, an action out. No I/O, no
/// clock; `Agent` performs the actions.
///
/// | state    | event                     | next     | action              |
/// |----------|---------------------------|----------|---------------------|
/// | ready    | start                     | asking   | ask                 |
/// | asking   | completed, wants tools    | tools    | run the calls       |
/// | asking   | completed, paused         | asking   | record, ask again   |
/// | asking   | completed otherwise       | finished | finish              |
/// | asking   | failed, may be tried again| waiting  | wait                |
/// | asking   | failed, context too long  | makingRoom | make room, once   |
/// | asking   | failed otherwise          | movingOn | move on, once       |
/// | makingRoom, movingOn | done          | asking   | ask                 |
/// | makingRoom, movingOn | not done      | finished | finish failed       |
/// | waiting  | waited                    | asking   | ask                 |
/// | tools    | round finished            | asking   | ask                 |
/// | tools    | round passed a limit      | finished | finish interrupted  |
/// | any      | cancelled                 | finished | finish interrupted  |
package struct TurnStateMachine: Sendable {
    package enum Action: Sendable, Equatable {
        case ask
        /// Wait that many seconds, then report `waited`.
        case wait(seconds: Double, error: ProviderError, attempt: Int)
        /// Save the message, run its calls, then report `roundFinished`.
        case run(Message, calls: [ToolCall])
        /// The conversation is too long for the model: summarize as much as possible, then report
        /// `madeRoom`.
        case makeRoom(ProviderError)
        /// No part of the answer has arrived and retrying is useless: see whether another provider
        /// may answer, then report `movedOn`.
        case moveOn(ProviderError)
        /// Save the message and ask again.
        case recordAndAsk(Message)
        /// Save the message, if any, and close the turn.
        case finish(Turn.Status, Message?, note: Note?)
    }

    /// The reason why a turn ended without a complete answer.
    package enum Note: Sendable, Equatable {
        case failed(ProviderError)
        case limit(LoopGuard.Limit)
        case cancelled
        case emptyAnswer
    }

    private enum State: Sendable, Equatable {
        case ready, asking, waiting, makingRoom, movingOn, tools, finished
    }

    private var state = State.ready
    /// Number of requests sent for the current answer.
    private var attempt = 0
    /// Whether any part of the current answer has been shown.
    private var hasShown = false
    private var loop = LoopGuard()
    private var canMakeRoom: Bool
    private var canMoveOn: Bool

    /// - Parameters: whether a compactor and another provider are available. Each
    ///   is asked once in a turn.
    package init(canMakeRoom: Bool = false, canMoveOn: Bool = false) {
        self.canMakeRoom = canMakeRoom
        self.canMoveOn = canMoveOn
    }

    package mutating func start() -> Action {
        state = .asking
        return ask()
    }

    private mutating func ask() -> Action {
        state = .asking
        attempt += 1
        hasShown = false
        return .ask
    }

    /// Text, reasoning or the start of a call has been shown to the user.
    package mutating func shown() {
        hasShown = true
    }

    package mutating func completed(_ completion: ModelAnswer) -> Action {
        attempt = 0
        var message = completion.message
        switch completion.stop {
        case .pause:
            if let limit = loop.pause() {
                return finish(.interrupted, message, .limit(limit))
            }
            attempt = 1
            hasShown = false
            return .recordAndAsk(message)
        case .maxTokens, .contextWindow:
            message.dropToolCalls()
            return finish(.truncated, message, nil)
        case .refusal, .contentFilter:
            message.dropToolCalls()
            return finish(.refused, message, nil)
        case .end, .toolUse, .stopSequence, .unknown:
            // Servers name the stop reason differently; a call is a call. If two calls of a reply
            // have the same id, the first one runs.
            var ids: Set<String> = []
            let calls = message.toolCalls.filter { ids.insert($0.id).inserted }
            if !calls.isEmpty {
                state = .tools
                return .run(message, calls: calls)
            }
            let isEmpty = message.text.allSatisfy(\.isWhitespace)
            return finish(.done, message, isEmpty ? .emptyAnswer : nil)
        }
    }

    /// - Parameter retryAfter: the delay chosen by `RetryPolicy`, in seconds; nil to not
    ///   retry.
    package mutating func failed(_ error: ProviderError, retryAfter: Double?) -> Action {
        guard state == .asking, !hasShown else {
            return finish(.failed, nil, .failed(error))
        }
        if let seconds = retryAfter {
            state = .waiting
            return .wait(seconds: seconds, error: error, attempt: attempt)
        }
        if error.reason == .contextTooLong {
            guard canMakeRoom else { return finish(.failed, nil, .failed(error)) }
            canMakeRoom = false
            state = .makingRoom
            return .makeRoom(error)
        }
        guard canMoveOn else { return finish(.failed, nil, .failed(error)) }
        canMoveOn = false
        state = .movingOn
        return .moveOn(error)
    }

    /// - Parameter error: the error of the request that may be sent again.
    package mutating func madeRoom(_ isDone: Bool, after error: ProviderError) -> Action {
        isDone ? ask() : finish(.failed, nil, .failed(error))
    }

    package mutating func movedOn(_ isDone: Bool, after error: ProviderError) -> Action {
        guard isDone else { return finish(.failed, nil, .failed(error)) }
        // The attempts were those of the other provider.
        attempt = 0
        return ask()
    }

    /// Number of attempts, for the retry policy.
    package var attempts: Int { attempt }
    package var hasShownAnything: Bool { hasShown }

    package mutating func waited() -> Action {
        ask()
    }

    /// The number of the round's calls that may run; the rest exceed a limit and the turn
    /// ends after this round.
    package mutating func admit(_ calls: [ToolCall]) -> (admitted: Int, limit: LoopGuard.Limit?) {
        for (index, call) in calls.enumerated() {
            if let limit = loop.admit(call) { return (index, limit) }
        }
        return (calls.count, nil)
    }

    /// - Parameters:
    ///   - valid: number of calls of the round that could run.
    ///   - limit: the limit reported by `admit`.
    package mutating func roundFinished(valid: Int, limit: LoopGuard.Limit?) -> Action {
        if let limit = limit ?? loop.finishRound(valid: valid) {
            return finish(.interrupted, nil, .limit(limit))
        }
        attempt = 0
        return ask()
    }

    package mutating func cancelled() -> Action {
        finish(.interrupted, nil, .cancelled)
    }

    private mutating func finish(_ status: Turn.Status, _ message: Message?, _ note: Note?)
        -> Action
    {
        state = .finished
        return .finish(status, message, note: note)
    }
}

extension Message {
    /// Removes calls that will never run: a stored call needs a result.
    fileprivate mutating func dropToolCalls() {
        parts.removeAll { part in
            if case .toolCall = part { true } else { false }
        }
    }
}

extension TurnStateMachine.Note {
    /// The note of a turn that redaction refused. No later request contains the turn, redacted or
    /// not; only the user can send its message again.
    package static let withheld = "withheld"

    /// The word stored with the turn.
    package var word: String {
        switch self {
        case .failed(let error) where error.isLeak: Self.withheld
        case .failed(let error):
            "failed: \(error.code?.text ?? error.status.map(String.init) ?? "network")"
        case .limit: "limit"
        case .cancelled: "cancelled"
        case .emptyAnswer: "empty"
        }
    }
}
