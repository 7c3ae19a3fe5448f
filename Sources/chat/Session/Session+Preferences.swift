import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Persistence
import Texts

/// Settings for answers in the open conversation, stored with it (system text, role,
/// effort, thinking), and its budget.
extension Session {
    var effort: Effort? { preferences.effort ?? services.settings.effort }
    /// Whether personal data is removed from requests.
    var redacts: Bool { preferences.redacts ?? services.settings.redact }
    var thinking: ThinkingDisplay { preferences.thinking ?? services.settings.thinking }
    var system: String { preferences.system ?? SystemText.standard }

    /// Whether another system text would follow the conversation, so that the prompt cache holds.
    var appendsSystem: Bool {
        get async {
            guard sentSystem != nil, !redacts, await !hasUntrustedInstructions,
                let (model, format) = await vendorModel
            else { return false }
            return ModelCatalog.takesLaterSystem(model, format)
        }
    }

    /// The model that would answer and its wire format; nil unless the vendor's own server runs it.
    var vendorModel: (name: String, format: WireFormat)? {
        get async {
            guard let choice = await expectedChoice(), let model = choice.model,
                // An unusable address is not the vendor's.
                let endpoint = try? await services.connector.endpoint(choice.provider),
                endpoint.isVendor
            else { return nil }
            return (model, endpoint.format)
        }
    }

    /// The role's temperature if the role exists, else the configured one.
    var temperature: Double? {
        get async { await role?.temperature ?? services.settings.temperature }
    }

    /// The current text of the role; nil if it was deleted or is unreadable: then only the
    /// conversation's own text is left.
    var role: Prompt? {
        get async {
            guard let name = preferences.role else { return nil }
            // An unreadable role counts as deleted.
            return try? await services.prompts.prompt(name)
        }
    }

    /// Whether the role may contain untrusted text. A deleted role cannot be checked and counts as
    /// untrusted: the conversation still has its text.
    var hasUntrustedInstructions: Bool {
        get async {
            guard preferences.role != nil else { return false }
            return await role?.hasUntrustedText ?? true
        }
    }

    /// Changes the preferences, which are stored with the first message.
    func change(_ change: @Sendable (inout ConversationPreferences) -> Void) async throws {
        change(&preferences)
        if record != nil { try await savePreferences() }
    }

    /// Stores preferences changed since the record was read.
    func savePreferences() async throws {
        guard let record, record.preferences != preferences else { return }
        try await store.setPreferences(record.id, preferences)
        self.record?.preferences = preferences
    }

    /// Maximum output tokens: the model's limit, or less if a prompt or the role sets less.
    func outputLimit(for model: String) async -> Int {
        let own = nextAnswer.maxOutputTokens
        let asked = if let own { own } else { await role?.maxOutputTokens }
        return min(services.settings.maxTokens(for: model), asked ?? .max)
    }

    /// Sets how messages are answered, if a prompt says so, until the next call.
    func answer(with settings: AnswerSettings) { nextAnswer = settings }

    // MARK: - Money

    /// - Throws: `SessionError.overBudget` when a cap is exceeded and the user does not
    ///   allow it, or may not be asked.
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

/// A prompt's settings for its own answer. Nil means the conversation's setting.
struct AnswerSettings: Sendable, Equatable {
    var effort: Effort?
    var temperature: Double?
    var maxOutputTokens: Int?
}

extension ConversationPreferences {
    /// A copy in which the given values replace the present ones.
    func overlaid(with others: ConversationPreferences) -> ConversationPreferences {
        var result = self
        // A text without a role no longer belongs to that role.
        if others.system != nil { (result.role, result.system) = (others.role, others.system) }
        result.effort = others.effort ?? effort
        result.thinking = others.thinking ?? thinking
        result.redacts = others.redacts ?? redacts
        return result
    }
}

extension Services {
    /// The preferences given on the command line.
    /// - Throws: `UsageError` for an unknown role, `SQLiteError`.
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

    /// The model of the command line, or else of its role.
    func model(for options: GlobalOptions) async throws -> String? {
        if let model = options.model { return model }
        guard let role = options.role else { return nil }
        return try await prompts.prompt(role)?.model
    }
}
