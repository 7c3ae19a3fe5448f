import AgentCore

/// What was chosen for one conversation and is kept with it. Nil is what the
/// configuration says.
package struct ConversationPreferences: Sendable, Equatable {
    /// The name of a role of the configuration.
    package var role: String?
    /// A system text that was given for this conversation.
    package var system: String?
    package var effort: Effort?
    package var thinking: ThinkingDisplay?

    package init(
        role: String? = nil, system: String? = nil, effort: Effort? = nil,
        thinking: ThinkingDisplay? = nil
    ) {
        self.role = role
        self.system = system
        self.effort = effort
        self.thinking = thinking
    }
}
