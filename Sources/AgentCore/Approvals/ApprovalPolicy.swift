import Base

/// Decides which of the model's tool calls run, which need the user's keystroke, and
/// which are refused. Pure, and the only place that decides it; asking is `Approver`.
///
/// | class   | trusted context | untrusted text in the context | no terminal |
/// |---------|-----------------|-------------------------------|-------------|
/// | read    | runs            | runs                          | runs        |
/// | write   | runs            | asks                          | refused*    |
/// | destroy | asks            | asks                          | refused*    |
/// | outward | asks            | asks                          | refused*    |
///
/// `*` unless the tool was named with `--allow`; write runs without a terminal while
/// the context is trusted.
///
/// The class is that of each effect of the call, and the worst verdict holds. The user's
/// rules come before the table, deny before ask before allow. They are about the tool that
/// is called and about the tool of each effect: one of them is enough for deny and ask,
/// allow and `--allow` need all of them. The user's permission, by a rule or for the
/// conversation, replaces the answer to a question; never for destroy and outward while
/// untrusted text is in the context, never for personal data that would leave, and never
/// from the fourth deletion after one message on. After untrusted text nothing replaces the
/// answer about a write that is sent with later conversations. A tool that is not offered
/// is refused.
///
/// A routine reads; what it may write and where it may send was named when it was made; it
/// never deletes; after untrusted text it only reads. Everything else is held back for the user.
package struct ApprovalPolicy: Sendable {
    /// Tools named with `--allow`, for runs without a terminal.
    package var allowedTools: Set<String>
    /// Whether the user can be asked.
    package var isInteractive: Bool
    package var rules: ApprovalRules
    /// Effects approved for the rest of the conversation.
    package var grants: Set<Grant> = []
    /// The calls that the running routine may make in addition to reading; nil outside of routines.
    package var routine: [ApprovalRule]?

    package init(
        allowedTools: Set<String> = [], isInteractive: Bool,
        rules: ApprovalRules = ApprovalRules()
    ) {
        self.allowedTools = allowedTools
        self.isInteractive = isInteractive
        self.rules = rules
    }

    /// One effect of one tool, allowed for a conversation.
    package struct Grant: Sendable, Hashable {
        package var tool: String
        package var kind: CallEffect.Kind
        /// The tool whose rules apply to the effect.
        package var effect: String

        package init(_ tool: String, _ effect: CallEffect) {
            self.tool = tool
            (kind, self.effect) = (effect.kind, effect.tool)
        }
    }

    /// The events since the user's message.
    package struct Situation: Sendable, Equatable {
        /// Whether untrusted text, written by neither us nor the user, is in the context.
        package var hasUntrustedText = false
        /// Number of deletions by the model, including those this reply requests.
        package var deletions = 0

        package init(hasUntrustedText: Bool = false, deletions: Int = 0) {
            self.hasUntrustedText = hasUntrustedText
            self.deletions = deletions
        }
    }

    package enum Verdict: Sendable, Equatable {
        case run(ApprovalGround)
        /// - Parameter canGrant: whether the user may answer for the whole conversation.
        case ask(canGrant: Bool)
        case refuse(ApprovalRefusal)
    }

    /// - Parameters:
    ///   - tool: the called tool; nil if it is not offered.
    ///   - effects: the effects of the call; nil if they follow from the tool's class.
    ///   - isPrivate: whether the arguments contain a key or data that identifies the user.
    package func verdict(
        on tool: Tool?, arguments: JSONObject, effects: [CallEffect]? = nil,
        isPrivate: Bool = false, in situation: Situation
    ) -> Verdict {
        guard let tool else { return .refuse(.unknownTool) }
        let own = CallEffect(tool, arguments)
        let effects = effects ?? [own]
        let ruled = ([own] + effects).map { rules.ruling(on: $0.tool, arguments: $0.arguments) }
        if ruled.contains(.deny) { return .refuse(.rule) }
        if let routine {
            let mayRun = effects.allSatisfy { effect in
                switch effect.kind.toolClass {
                case .read: true
                case .destroy: false
                case .write, .outward:
                    !situation.hasUntrustedText && !isPrivate && !ruled.contains(.ask)
                        && [own, effect].allSatisfy { call in
                            routine.contains { $0.covers(call.tool, call.arguments) }
                        }
                }
            }
            return mayRun ? .run(.routine) : .refuse(.held)
        }
        let isLasting =
            situation.hasUntrustedText && effects.contains(where: \.outlastsConversation)
        // `--allow` is an answer given in advance by the user who wrote the message.
        let names = [tool.name] + effects.map(\.tool)
        if !isInteractive, !isLasting, allowedTools.isSuperset(of: names) { return .run(.option) }
        if ruled.contains(.ask) { return question(canGrant: false) }
        let isAllowed = ruled.allSatisfy { $0 == .allow }
        var ground = ApprovalGround.policy
        var (asks, canGrant) = (false, true)
        for effect in effects {
            guard let canBeLifted = canBeLifted(effect, isPrivate, situation) else { continue }
            if canBeLifted, isAllowed {
                ground = .rule
            } else if canBeLifted, grants.contains(Grant(tool.name, effect)) {
                ground = .conversation
            } else {
                (asks, canGrant) = (true, canGrant && canBeLifted)
            }
        }
        return asks ? question(canGrant: canGrant) : .run(ground)
    }

    /// Whether an earlier permission may replace the user's answer; nil if such an effect needs no
    /// question.
    private func canBeLifted(
        _ effect: CallEffect, _ isPrivate: Bool, _ situation: Situation
    ) -> Bool? {
        switch effect.kind.toolClass {
        case .read: nil
        case .write: situation.hasUntrustedText ? !effect.outlastsConversation : nil
        case .destroy:
            !situation.hasUntrustedText && situation.deletions <= ApprovalRequest.separateDeletions
        case .outward: !situation.hasUntrustedText && !isPrivate
        }
    }

    private func question(canGrant: Bool) -> Verdict {
        isInteractive ? .ask(canGrant: canGrant) : .refuse(.noTerminal)
    }
}

/// The reason why a call was allowed; the raw values are those of `chat tools log`.
package enum ApprovalGround: String, Sendable {
    /// The class of the call needs no question here.
    case policy
    /// A rule of the configuration.
    case rule
    /// `--allow` on the command line.
    case option = "--allow"
    /// Named when the routine was made.
    case routine
    /// The user approved this call.
    case user = "y"
    /// The user allowed this tool's effect for the whole conversation.
    case conversation = "a"
    /// The user changed the arguments, and approved the result.
    case edited = "e"
}

/// The reason why a call was refused.
package enum ApprovalRefusal: Sendable, Equatable {
    case unknownTool
    /// A rule of the configuration.
    case rule
    /// There was no user to ask.
    case noTerminal
    /// - Parameter reason: the text typed instead of an answer.
    case user(reason: String?)
    /// The model made too many calls for one message.
    case limit
    /// The turn was stopped before the question was asked.
    case stopped
    /// The effects of the call have changed since the decision.
    case changed
    /// A routine may not do it without the user, who is offered the call later.
    case held

    /// A word or two for the kind of refusal, for the log.
    package var word: String {
        switch self {
        case .unknownTool: "unknown tool"
        case .rule: "rule"
        case .noTerminal: "no terminal"
        case .user: "user"
        case .limit: "limit"
        case .stopped: "stopped"
        case .changed: "changed"
        case .held: "held back"
        }
    }

    /// The text for the model. A reason is quoted in the user's own words.
    package func modelText(tool: String) -> String {
        switch self {
        case .unknownTool: ToolError.toolNotFound(name: tool).modelText
        case .rule: "Not run: a rule of the user's configuration forbids this call of \(tool)."
        case .noTerminal:
            "Not run: \(tool) needs the user's approval, and the user cannot be asked here."
        case .user(nil): "The user did not allow \(tool)."
        case .user(let reason?): "The user did not allow \(tool), and said: \(reason)"
        case .limit: "Not run: too many tool calls for one message."
        case .stopped: "Not run: the user stopped it."
        case .changed:
            "Not run: another call has changed what \(tool) would do now. Call it again if it is "
                + "still wanted."
        case .held:
            "Not run: a routine may not do this by itself. It is held back, and the user is "
                + "offered it at the next prompt. Say so, and do not try again."
        }
    }
}

/// A call that was refused, for the end of the turn.
package struct ToolRefusal: Sendable, Equatable {
    package var tool: String
    package var why: ApprovalRefusal
    /// The call, if it was held back.
    package var call: ToolCall?

    package init(tool: String, why: ApprovalRefusal, call: ToolCall? = nil) {
        (self.tool, self.why, self.call) = (tool, why, call)
    }
}
