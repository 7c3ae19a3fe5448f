import AgentCore
import FoundationEssentials

/// A conversation that comes from a file: of another installation, or of
/// another program. A value; which file it was is not known here.
package struct ImportedConversation: Sendable, Equatable {
    /// What its file calls it; nil gets a new one. Anything that is no
    /// lower-case UUID gets a new one too.
    package var id: String?
    /// Empty is made from the first message.
    package var title: String
    package var kind: ConversationRecord.Kind
    package var provider: ProviderName
    package var model: String
    package var created: Date
    package var updated: Date
    package var preferences: ConversationPreferences
    /// Oldest first. Their ids are of no interest; one that is open comes in
    /// as interrupted.
    package var turns: [StoredTurn]

    package init(
        id: String? = nil, title: String, kind: ConversationRecord.Kind = .repl,
        provider: ProviderName, model: String, created: Date, updated: Date,
        preferences: ConversationPreferences = ConversationPreferences(), turns: [StoredTurn]
    ) {
        self.id = id
        self.title = title
        self.kind = kind
        self.provider = provider
        self.model = model
        self.created = created
        self.updated = updated
        self.preferences = preferences
        self.turns = turns
    }
}

/// What became of an imported conversation.
package enum ImportOutcome: Sendable, Equatable {
    case stored(ConversationRecord)
    /// Its id was there already: it was stored beside that one.
    case copied(ConversationRecord)
    /// Its id was there already, perhaps in the trash: nothing was changed.
    case skipped(ConversationRecord)
    /// It holds no message.
    case empty
}
