import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Persistence
import Texts

/// How the open conversation is answered: its system text, role, effort and
/// thinking, kept with it; and the money it may spend.
extension Session {
    var effort: Effort? { preferences.effort ?? services.settings.effort }
    /// Personal data is kept out of what is sent.
    var redacts: Bool { preferences.redacts ?? services.settings.redact }
    var thinking: ThinkingDisplay { preferences.thinking ?? services.settings.thinking }
    var system: String { preferences.system ?? SystemText.standard }

    /// Another system text would follow what was said, and the prompt cache hold.
    var appendsSystem: Bool {
        get async {
            guard sentSystem != nil, !redacts, await !hasForeignInstructions,
                let choice = await expectedChoice(), let model = choice.model,
                let endpoint = try? await services.connector.endpoint(choice.provider)
            else { return false }
            return endpoint.isVendor && ModelCatalog.takesLaterSystem(model, endpoint.format)
        }
    }

    /// A role's own temperature, as long as the role is there.
    var temperature: Double? {
        get async { await role?.temperature ?? services.settings.temperature }
    }

    /// The role as it is now; nil if it is gone or cannot be read: then only the
    /// conversation's own text is left.
    var role: Prompt? {
        get async {
            guard let name = preferences.role else { return nil }
            return try? await services.prompts.prompt(name)
        }
    }

    /// Others may have written the role. One that is gone cannot be judged, and
    /// the conversation still has its text.
    var hasForeignInstructions: Bool {
        get async {
            guard preferences.role != nil else { return false }
            return await role?.hasForeignText ?? true
        }
    }

    /// Changes them for this conversation, which keeps them from its first
    /// message on.
    func change(_ change: @Sendable (inout ConversationPreferences) -> Void) async throws {
        change(&preferences)
        if record != nil { try await savePreferences() }
    }

    /// Writes what was changed since the record was read.
    func savePreferences() async throws {
        guard let record, record.preferences != preferences else { return }
        try await store.setPreferences(record.id, preferences)
        self.record?.preferences = preferences
    }

    /// The longest answer: the model's limit, or less if a prompt or the role asks for
    /// less.
    func outputLimit(for model: String) async -> Int {
        let own = nextAnswer.maxOutputTokens
        let asked = if let own { own } else { await role?.maxOutputTokens }
        return min(services.settings.maxTokens(for: model), asked ?? .max)
    }

    /// How the next message is answered, if a prompt says so; until it is set again.
    func answer(with settings: AnswerSettings) { nextAnswer = settings }

    // MARK: - Money

    /// - Throws: `SessionError.overBudget` when a cap is passed and the user does
    ///   not allow more, or may not be asked.
    func checkBudget(
        _ choice: ProviderChoice, history: [Turn], mayAsk: Bool = true
    ) async throws {
        let periods = budget.periods
        if periods.isEmpty || options.mayExceedBudget { return }
        let prices = services.prices
        var spent: [Budget.Period: Money] = [:]
        for period in periods { spent[period] = try await self.spent(in: period, prices) }
        let estimate = Budget.estimate(
            history, model: choice.model ?? "", provider: choice.provider, prices)
        guard let excess = budget.excess(spent: spent, estimate: estimate) else { return }
        guard mayAsk, let mayGoOn = options.confirmSpending, await mayGoOn(excess) else {
            throw SessionError.overBudget(excess)
        }
        try Task.checkCancellation()
        budget.allow(excess)
    }

    private func spent(in period: Budget.Period, _ prices: PriceTable) async throws -> Money {
        let zone = LocalTime()
        let today = zone.civil(at: services.environment.now()).date
        let totals: [UsageTotal]
        switch period {
        case .conversation:
            guard let record else { return .zero }
            totals = try await store.usage(of: record.id)
        case .day: totals = try await store.usage(since: zone.start(of: today))
        case .month:
            totals = try await store.usage(since: zone.start(of: today.adding(days: 1 - today.day)))
        }
        return UsageRow.sum("", of: UsageRow.byModel(totals, prices)).cost.money
    }
}

/// What a prompt says about the one answer it asks for. Nil is the
/// conversation's own.
struct AnswerSettings: Sendable, Equatable {
    var effort: Effort?
    var temperature: Double?
    var maxOutputTokens: Int?
}

extension ConversationPreferences {
    /// With what was said besides taking its place.
    func overlaid(with others: ConversationPreferences) -> ConversationPreferences {
        var result = self
        // A text without a role is no longer that role's.
        if others.system != nil { (result.role, result.system) = (others.role, others.system) }
        result.effort = others.effort ?? effort
        result.thinking = others.thinking ?? thinking
        result.redacts = others.redacts ?? redacts
        return result
    }
}

extension Services {
    /// What the command line says about how to answer.
    /// - Throws: `UsageError` for a role that is not there, `SQLiteError`.
    func preferences(
        _ options: GlobalOptions, system: String?
    ) async throws -> ConversationPreferences {
        var preferences = ConversationPreferences(
            effort: options.effort, thinking: options.thinking,
            redacts: options.redacts ? true : nil)
        if let name = options.role {
            let role = try await prompts.required(name)
            (preferences.role, preferences.system) = (role.name, role.system)
            preferences.effort = options.effort ?? role.effort
        }
        // The text given for this run takes precedence over a role.
        if let system { (preferences.role, preferences.system) = (nil, system) }
        return preferences
    }

    /// The model of the command line, else the one its role asks for.
    func model(for options: GlobalOptions) async throws -> String? {
        if let model = options.model { return model }
        guard let role = options.role else { return nil }
        return try await prompts.prompt(role)?.model
    }
}
