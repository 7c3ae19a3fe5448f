import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Outside
import Persistence
import Privacy
import Texts

/// One open conversation: its lock, its history, its model, and the routing of messages. Used by
/// the REPL and by one-shot mode; it draws nothing and asks no questions itself.
actor Session {
    /// The caller's choices.
    struct Options: Sendable {
        var kind: ConversationRecord.Kind
        var flags = ProviderChoice.Selection()
        /// Preferences from the command line for the conversation that is opened.
        var preferences = ConversationPreferences()
        var usesTools = true
        /// Whether a single answer may use the web; at the prompt the setting decides.
        var usesWeb = false
        var policy: ApprovalPolicy
        var approver: Approver
        /// Asks the user a question with choices and runs the picked one. Nil without a
        /// terminal.
        var choose: (@Sendable (CommandOutput) async throws -> CommandOutput)?
        /// Asks a yes-or-no question. Nil without a terminal.
        var confirm: (@Sendable (_ lines: [StyledLine], _ question: String) async -> Bool)?
        /// Asks whether a cap may be exceeded. Nil without a terminal.
        var confirmSpending: (@Sendable (Budget.Excess) async -> Bool)?
        var mayExceedBudget = false
        /// Whether the command line asks for the notes about the user in this single answer.
        var usesMemory = false
        /// See `ModelRequest.onSend`.
        var onSend: (@Sendable ([UInt8]) -> Void)?
    }

    /// The way in which a message was answered.
    enum Answer: Sendable {
        /// Answered by a tool server, without a model.
        case local(CommandOutput, Turn)
        /// The answer of a model (or the offline answer).
        case model(TurnOutcome, provider: ProviderName, model: String)
    }

    /// Maximum number of bytes read from the database for a request, about half a million
    /// tokens; a longer conversation is sent without its oldest turns, and a notice says
    /// so.
    static let historyLimitInBytes = 2_000_000

    let services: Services
    /// Caches the matches found in the texts of this session's requests.
    let redactionMemo = RedactionMemo()
    let store: ConversationStore
    private(set) var options: Options
    var record: ConversationRecord?
    /// Preferences of the open conversation; stored with its first message.
    var preferences = ConversationPreferences()
    /// Settings for the next message.
    var nextAnswer = AnswerSettings()
    /// Effects approved for the rest of the open conversation; not stored.
    var grants: Set<ApprovalPolicy.Grant> = []
    /// Whether the user has agreed to web searches in the open conversation.
    var hasAgreedToSearch = false
    /// External tools that the open conversation may be offered.
    var external = ExternalServers.Offer()
    /// Models whose retirement was reported.
    var saidEndings: Set<String> = []
    /// See `Usage.droppedReasoning`; for this run of the program.
    var droppedReasoning = 0
    /// Tools carried by the conversation's requests; nil until looked up.
    var offer: ToolOffer?
    /// The router of the last message.
    var router: ToolRouter?
    var budget: Budget
    private var lock: ConversationLock?
    var journal: ConversationJournal?
    /// The turns to send: the summary of the earlier part, if there is one, and the turns after it.
    var history: [Turn]?
    /// The turn being replaced by the one in progress; the model does not get it.
    var replaced: TurnID?
    var choice: ProviderChoice?
    /// Whether the model of a found server has been named, once per conversation.
    var hasNamedFound = false
    /// Whether the user was offered another provider in this turn and did not accept.
    var hasDeclined = false
    /// `instructions.md` as read for this conversation; nil until needed.
    var instructions: UserInstructions?
    /// The system text of this conversation's last request.
    var sentSystem: String?
    /// Measurements of the requests' length.
    var lengths = RequestLengths()
    /// Models whose server was asked for their window after an answer.
    var askedAgain: Set<String> = []
    /// Whether a conversation has been opened. A selection is valid only until then: it must not
    /// move another conversation, which has its own model, to another host.
    private var hasOpened = false
    let agent: Agent

    init(services: Services, options: Options) async throws {
        self.services = services
        self.options = options
        store = try services.store()
        budget = Budget(services.settings.budget)
        preferences = options.preferences
        agent = Agent(
            registry: services.alwaysOffered, environment: services.environment,
            log: { [log = services.log] in log.record($0) },
            // If the profile is unreadable, the log of calls contains no values.
            person: { try? await services.person() },
            describe: { [diagnostics = services.diagnostics] in diagnostics.describe($0).what })
        services.generator.attach(open: { [weak self] in try await self?.textGenerator() })
    }

    // MARK: - Opening

    enum Opening: Sendable, Equatable {
        case opened
        /// Another instance has it open.
        case busy
    }

    /// Starts a new conversation. Other instances see it from its first message on.
    func openNew() throws {
        hasOpened = true
        begin(nil, with: options.preferences, holding: nil)
        history = []
    }

    private func begin(
        _ found: ConversationRecord?, with preferences: ConversationPreferences,
        holding taken: ConversationLock?
    ) {
        (record, lock, self.preferences) = (found, taken, preferences)
        journal = found.map { store.journal(for: $0.id, in: options.kind) }
        (history, choice, hasNamedFound) = (nil, nil, false)
        (instructions, sentSystem) = (nil, nil)
        lengths = RequestLengths()
        (grants, hasAgreedToSearch) = ([], false)
        (external, offer) = (ExternalServers.Offer(), nil)
        budget.startConversation()
    }

    /// Continues a stored conversation, after closing turns left open by a dead instance.
    func open(_ found: ConversationRecord) async throws -> Opening {
        if record?.id == found.id { return .opened }
        guard
            let taken = try ConversationLock.acquire(
                folder: services.paths.locks, id: found.id)
        else { return .busy }
        // Another instance may have moved it to the trash in the meantime.
        guard let found = try await store.conversation(found.id), found.deleted == nil else {
            throw SessionError.noConversation(query: found.title)
        }
        try await store.recover(holding: taken)
        if hasOpened {
            options.flags = ProviderChoice.Selection()
            options.preferences = ConversationPreferences()
        }
        hasOpened = true
        begin(
            found, with: found.preferences.overlaid(with: options.preferences), holding: taken)
        return .opened
    }

    /// The last turns, for display.
    func lastTurns(_ count: Int) async throws -> [StoredTurn] {
        guard let record else { return [] }
        return try await store.turns(of: record.id, last: count)
    }

    /// The text of the newest answer, as the model wrote it; nil without an answer.
    func lastAnswer() async throws -> String? { try await lastAnswered()?.text }

    /// The newest answer with its turn, other than the notice that no model is connected.
    func lastAnswered() async throws -> (text: String, stored: StoredTurn)? {
        for stored in try await lastTurns(8).reversed() {
            let texts = stored.turn.messages.filter { $0.role == .assistant }.map(\.text)
                .filter {
                    !$0.isEmpty
                        && !(stored.turn.isLocal && $0.hasPrefix(Diagnostic.noModel.what))
                }
            if !texts.isEmpty { return (texts.joined(separator: "\n\n"), stored) }
        }
        return nil
    }

    // MARK: - Model

    /// The provider and model of the next message, as far as known without the network.
    func expectedChoice() async -> ProviderChoice? {
        if let choice { return choice }
        return await services.connector.choice(flags: options.flags, conversation: ownSelection)
    }

    /// Uses this model from now on; stored with the conversation.
    func setModel(_ selection: ProviderChoice.Selection) async throws -> ProviderChoice {
        let chosen = await choice(for: selection)
        options.flags = ProviderChoice.Selection(provider: chosen.provider, model: chosen.model)
        choice = chosen
        if let record, record.order != 0 {
            try await store.setModel(
                record.id, provider: chosen.provider, model: chosen.model ?? "")
        }
        return chosen
    }

    /// Resolves a selection of the user for this conversation.
    func choice(for selection: ProviderChoice.Selection) async -> ProviderChoice {
        await services.connector.choiceLooking(flags: selection, conversation: ownSelection)
    }

    /// Whether the conversation has anything to send to a model.
    var hasHistory: Bool { (record?.messages ?? 0) > 0 || !(history ?? []).isEmpty }

    private var ownSelection: ProviderChoice.Selection? {
        guard let record, record.provider != .offline else { return nil }
        return ProviderChoice.Selection(
            provider: record.provider, model: record.model.isEmpty ? nil : record.model)
    }

    // MARK: - Sending

    /// Saves the message, routes it, and has it answered.
    ///
    /// - Parameters:
    ///   - asksModel: whether only a model may answer it.
    ///   - isTyped: false if it came through a pipe and is untrusted.
    /// - Throws: `SessionError` and `CancellationError` before anything was saved or sent; errors
    ///   of the store. A turn that is stopped later is returned as an answer.
    func send(
        _ plain: PlainMessage, attachments: [Attachment] = [], asksModel: Bool = false,
        isTyped: Bool = true, observe: @escaping Agent.Observer
    ) async throws -> Answer {
        if let error = services.settings.refusal(of: .message) { throw error }
        let text = plain.text
        let message = message(text, attachments + (isTyped ? [] : [Attachment.piped(text)]))
        var judgements = IntentRouter.judge(plain, by: services.registry.servers)
        if !isTyped { judgements.removeAll { !mayBePiped($0.match) } }
        if judgements.contains(where: \.match.refersBack), try await modelSpokeLast() {
            for index in judgements.indices where judgements[index].match.refersBack {
                judgements[index].match.isComplete = false
            }
        }
        for server in services.registry.servers { server.endQuestion() }
        let route = IntentRouter(mode: services.settings.routing).route(judgements)
        // A message with files is sent to a model, however well its text is understood locally.
        let needsModel = !attachments.allSatisfy(\.isKeptOnly)
        var nearest: IntentRouter.Judgement?
        switch route {
        case .local(let names, let first):
            nearest = first
            if !needsModel, !asksModel, options.usesTools,
                let output = try await locally(
                    plain, by: names, mayAsk: false, isTyped: isTyped, observe)
            {
                return try await recordLocal(message, output)
            }
        case .model(let judgement): nearest = judgement
        }
        let choice = try await connect()
        if choice.provider == .offline {
            if needsModel { nearest = nil }
            if asksModel { throw SessionError.noModel(nearest: nearest) }
            // A server that is less certain than a model may still have to ask the user.
            if !needsModel, options.usesTools,
                let output = try await locally(
                    plain, by: IntentRouter.ranked(judgements), mayAsk: true, isTyped: isTyped,
                    observe)
            {
                return try await recordLocal(message, output)
            }
            if options.kind == .oneshot { throw SessionError.noModel(nearest: nearest) }
            return try await recordLocal(message, offlineAnswer(nearest))
        }
        let asked = AskedWords(
            text: text, isTyped: isTyped && !attachments.contains(where: \.isKeptOnly),
            hasUntrustedText: !isTyped || !attachments.isEmpty,
            suggested: Set(judgements.flatMap(\.match.suggestedTools)))
        return try await ask(choice, message, asked, observe: observe)
    }

    private func message(_ text: String, _ attachments: [Attachment]) -> Message {
        var parts = attachments.map(Part.attachment)
        parts.append(.text(text))
        parts.append(.text(SystemText.context(now: services.environment.now())))
        return Message(role: .user, parts: parts)
    }

    /// Sets the provider for this message and the rest of the conversation.
    func connect() async throws -> ProviderChoice {
        let chosen = try await usableChoice()
        if chosen.provider != .offline { choice = chosen }
        return chosen
    }

    /// The provider that can answer now, searched for if necessary.
    func usableChoice() async throws -> ProviderChoice {
        var chosen = try await readyChoice()
        if chosen.provider != .offline, chosen.model == nil {
            chosen.model = try await services.connector.firstModel(of: chosen.provider)
        }
        return chosen
    }

    /// Whether a model is available, as far as known without asking it.
    func hasModel() async -> Bool {
        // The reason does not matter here.
        guard let choice = try? await readyChoice() else { return false }
        return choice.provider != .offline
    }

    private func readyChoice() async throws -> ProviderChoice {
        if services.settings.routing == .local {
            return ProviderChoice(provider: .offline, model: nil, reason: .configuration)
        }
        let chosen: ProviderChoice
        if let choice, choice.provider != .offline {
            chosen = choice
        } else {
            chosen = await services.connector.choiceLooking(
                flags: options.flags, conversation: ownSelection)
        }
        if chosen.provider == .offline { return chosen }
        switch await services.connector.readiness(of: chosen.provider) {
        case .ready: break
        case .missing(let what):
            // A cancelled search has no result.
            try Task.checkCancellation()
            throw SessionError.notUsable(
                choice: chosen, missing: what,
                instead: await services.connector.alternative(to: chosen.provider))
        }
        return chosen
    }

    // MARK: - Storage

    func currentJournal(
        provider: ProviderName, model: String
    ) async throws -> ConversationJournal {
        if let journal { return journal }
        let draft = await store.newConversation(
            kind: options.kind, provider: provider, model: model, preferences: preferences)
        // Acquired before the first turn, so that no other instance mistakes our open turn for one
        // of a dead instance.
        lock = try ConversationLock.acquire(folder: services.paths.locks, id: draft.id)
        let made = store.journal(for: draft.id, in: options.kind)
        (record, journal) = (draft, made)
        return made
    }

    func refreshRecord() async {
        guard let id = record?.id else { return }
        // Only the banner's counts depend on it; the turn itself is saved.
        if let fresh = try? await store.conversation(id) { record = fresh }
    }
}
