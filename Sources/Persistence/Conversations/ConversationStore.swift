import AgentCore
import Base
import FoundationEssentials

/// The conversations in one SQLite file: their records, and their turns in pages.
///
/// Several instances of the program may use the same file. Deciding who may
/// continue a conversation, and what goes into a request, is not done here.
/// Reading is in `ConversationStore+Reading`; journals save the turns.
package actor ConversationStore: QueuedActor {
    package nonisolated let path: String
    package nonisolated let executor = QueueExecutor(label: "chat.store")

    let connection: Connection
    nonisolated let environment: Environment
    /// Conversations without a message, which have no row yet.
    var drafts: [String: ConversationRecord] = [:]
    /// Turns that journals of this store have begun and not closed.
    var liveTurns: Set<Int64> = []

    /// Opens the file, creating it (0600) and its folder (0700) if they do not exist. Takes
    /// milliseconds and may wait for another instance that migrates; so it is called once, at
    /// launch, where waiting is acceptable.
    ///
    /// - Throws: `SQLiteError`; `corrupt`, `notADatabase` and `otherDatabase` leave everything
    ///   unchanged.
    package init(path: String, environment: Environment) throws(SQLiteError) {
        try self.init(path: path, environment: environment, busyTimeoutInMilliseconds: 5_000)
    }

    init(
        path: String, environment: Environment, busyTimeoutInMilliseconds: Int32,
        migrator: Migrator = Migrator()
    ) throws(SQLiteError) {
        connection = try migrator.open(
            path, busyTimeoutInMilliseconds: busyTimeoutInMilliseconds, now: environment.now())
        self.path = connection.path
        self.environment = environment
    }

    /// Checkpoints the log into the file and closes it. Nothing is lost without this call, since
    /// the next launch reads the log. No call may follow.
    package func close() {
        connection.close()
    }

    /// Whether the file can be read but not written.
    package var isReadOnly: Bool { connection.isReadOnly }

    // MARK: - Conversations

    /// Begins a conversation as a draft: it is stored with its first message, from which on other
    /// instances see it.
    package func newConversation(
        kind: ConversationRecord.Kind, provider: ProviderName, model: String,
        preferences: ConversationPreferences = ConversationPreferences()
    ) -> ConversationRecord {
        let now = environment.now()
        let draft = ConversationRecord(
            id: environment.uuid(), title: "", kind: kind, provider: provider, model: model,
            created: now, updated: now, messages: 0, order: 0, preferences: preferences)
        drafts[draft.id] = draft
        return draft
    }

    package func conversation(_ id: String) throws(SQLiteError) -> ConversationRecord? {
        if let row = try row(of: id) { return row.record }
        return drafts[id]
    }

    /// - Throws: `notFound`, and errors of writing.
    package func rename(_ id: String, to title: String) throws(SQLiteError) {
        if drafts[id] != nil, try row(of: id) == nil {
            drafts[id]?.title = title
            return
        }
        let count = try connection.write(ConversationSQL.rename, [.text(id), .text(title)])
        if count == 0 { throw notFound(id) }
    }

    /// Replaces the first words as the title.
    ///
    /// - Returns: false if the title has changed in the meantime, for example by the user.
    package func entitle(
        _ id: String, _ title: String, inPlaceOf firstWords: String
    ) throws(SQLiteError) -> Bool {
        try connection.write(
            ConversationSQL.entitle, [.text(id), .text(title), .text(firstWords)]) > 0
    }

    /// Records which model answered a turn, if not the one it began with.
    package func setModel(
        ofTurn turn: TurnID, provider: ProviderName, model: String
    ) throws(SQLiteError) {
        try connection.write(
            ConversationSQL.setTurnModel,
            [.integer(turn.rawValue), .text(provider.rawValue), .text(model)])
    }

    /// Sets the model for the next turns.
    ///
    /// - Throws: `notFound`, and errors of writing.
    package func setModel(
        _ id: String, provider: ProviderName, model: String
    ) throws(SQLiteError) {
        if drafts[id] != nil {
            drafts[id]?.provider = provider
            drafts[id]?.model = model
            if try row(of: id) == nil { return }
        }
        let count = try connection.write(
            ConversationSQL.setModel, [.text(id), .text(provider.rawValue), .text(model)])
        if count == 0 { throw notFound(id) }
    }

    /// Stores all preferences as given.
    ///
    /// - Throws: `notFound`, and errors of writing.
    package func setPreferences(
        _ id: String, _ preferences: ConversationPreferences
    ) throws(SQLiteError) {
        if drafts[id] != nil {
            drafts[id]?.preferences = preferences
            if try row(of: id) == nil { return }
        }
        let count = try connection.write(
            ConversationSQL.setPreferences,
            [
                .text(id), .optional(preferences.role), .optional(preferences.system),
                .optional(preferences.effort?.rawValue),
                .optional(preferences.thinking?.rawValue), .flag(preferences.redacts),
            ])
        if count == 0 { throw notFound(id) }
    }

    // MARK: - Rows

    struct Row {
        var sequence: Int64
        var record: ConversationRecord
    }

    func row(of id: String) throws(SQLiteError) -> Row? {
        try connection.first(ConversationSQL.find, [.text(id)], Self.row)
    }

    static func row(_ statement: Statement) throws(SQLiteError) -> Row {
        Row(
            sequence: statement.integer("seq"),
            record: ConversationRecord(
                id: statement.text("id"), title: statement.text("title"),
                kind: ConversationRecord.Kind(rawValue: statement.text("kind")) ?? .repl,
                provider: provider(statement.text("provider")), model: statement.text("model"),
                created: statement.date("created"), updated: statement.date("updated"),
                messages: Int(statement.integer("messages")), order: statement.integer("last_turn"),
                preferences: preferences(statement),
                forkedFrom: statement.optionalText("forked_from"),
                deleted: statement.optionalDate("deleted")))
    }

    /// Values unknown to this version count as not set.
    private static func preferences(_ statement: Statement) -> ConversationPreferences {
        ConversationPreferences(
            role: statement.optionalText("role"), system: statement.optionalText("system"),
            effort: statement.optionalText("effort").flatMap(Effort.init(rawValue:)),
            thinking: statement.optionalText("thinking").flatMap(ThinkingDisplay.init(rawValue:)),
            redacts: statement.optionalInteger("redacts").map { $0 != 0 })
    }

    /// A name unknown to this version is read as `offline`, so that nothing is sent anywhere by
    /// mistake.
    static func provider(_ name: String) -> ProviderName {
        ProviderName(rawValue: name) ?? .offline
    }

    func milliseconds() -> Int64 { environment.now().inMilliseconds }

    func notFound(_ id: String) -> SQLiteError {
        SQLiteError(.notFound, path: path, detail: "no conversation \(id)")
    }
}
