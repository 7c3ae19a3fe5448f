import Base

/// The ways to request reasoning: the effort values that a model accepts, and the form of reasoning
/// that a Claude model expects.
///
/// These are hints, like everything here: if nothing is known, the setting is sent unchanged, and
/// `RequestAdjustments` learns from a refusal.
extension ModelCatalog {
    /// The thinking parameter of a request to Claude.
    package enum ClaudeThinking: Sendable, Equatable {
        /// No parameter: the model's default, which may be no reasoning.
        case unsaid
        case adaptive
        /// Models before 4.6 get a number of tokens.
        case enabled(budget: Int)
        case disabled
        /// No reasoning before the first words.
        case betweenTools
    }

    /// The efforts that a model accepts, the lowest first; empty for a model without such a
    /// parameter, nil if unknown.
    package static func efforts(of model: String, format: WireFormat) -> [Effort]? {
        if let version = claudeVersion(model) { return claudeEfforts(version) }
        guard isReasoningModel(model) else {
            return provider(ofModel: model) == nil ? nil : []
        }
        if model.hasPrefix("o") { return [.low, .medium, .high] }
        if model.contains("-pro") || model.contains("codex") { return nil }
        let words = model.dropFirst(4).split(separator: "-")
        let name = words.count > 1 ? String(words[1]) : ""
        let (major, minor) = gptVersion(model) ?? (0, 0)
        switch (major, minor) {
        case (5, 0): return [.minimal, .low, .medium, .high]
        case (5, 1): return [.none, .low, .medium, .high]
        case (5, 2...5): return [.none, .low, .medium, .high, .xhigh]
        case (5, _): return [.none, .low, .medium, .high, .xhigh, .max]
        default: break
        }
        let above: [Effort] =
            format == .chat
            ? [.low, .medium, .high, .xhigh] : [.low, .medium, .high, .xhigh, .max]
        let thinksAlways = name == "astra" || minor >= 2 || minor == 1 && name == "sol"
        return thinksAlways ? above : [.none] + above
    }

    /// The value to send for an effort: the nearest one that the model accepts, the lower of two;
    /// nil if it accepts none.
    package static func effort(
        _ wanted: Effort, for model: String, format: WireFormat
    ) -> Effort? {
        guard let taken = efforts(of: model, format: format) else { return wanted }
        let all = Effort.allCases
        func place(_ effort: Effort) -> Int { all.firstIndex(of: effort) ?? 0 }
        return taken.min {
            let (left, right) = (abs(place($0) - place(wanted)), abs(place($1) - place(wanted)))
            return (left, place($0)) < (right, place($1))
        }
    }

    /// Whether the effort changes the behaviour of such a model, by whatever parameter.
    package static func heedsEffort(_ model: String, format: WireFormat) -> Bool {
        if claudeVersion(model) != nil { return true }
        return efforts(of: model, format: format) != []
    }

    /// - Parameter outputLimit: the request's limit; a budget stays below it.
    package static func claudeThinking(
        _ model: String, effort: Effort?, display: ThinkingDisplay, outputLimit: Int
    ) -> ClaudeThinking {
        guard let version = claudeVersion(model) else { return .unsaid }
        if !thinksAdaptively(model) {
            guard let effort, effort > .none else { return .unsaid }
            let budget = min(budget(effort), outputLimit - 1_024)
            return budget >= 1_024 ? .enabled(budget: budget) : .unsaid
        }
        // 4.6 to 4.8 reason only on request.
        let isOffByDefault = version.major == 4
        if effort == Effort.none { return withoutThinking(version) }
        if isOffByDefault, display == .off, effort == nil { return .unsaid }
        return .adaptive
    }

    private static func withoutThinking(_ version: ClaudeVersion) -> ClaudeThinking {
        switch (version.family, version.major, version.minor) {
        case (_, 4, _): .unsaid
        case ("sonnet", 5, 5): .betweenTools
        case ("sonnet", 5, 0), ("opus", 5, 0), ("haiku", 5, _): .disabled
        // The reasoning of the others cannot be switched off.
        default: .adaptive
        }
    }

    private static func claudeEfforts(_ version: ClaudeVersion) -> [Effort] {
        switch (version.major, version.minor) {
        case (..<4, _): []
        case (4, ..<5): []
        case (4, 5): version.family == "opus" ? [.low, .medium, .high] : []
        case (4, 6): [.low, .medium, .high, .max]
        default: [.low, .medium, .high, .xhigh, .max]
        }
    }

    private static func budget(_ effort: Effort) -> Int {
        switch effort {
        case .none, .minimal: 1_024
        case .low: 2_048
        case .medium: 8_192
        case .high: 16_384
        case .xhigh, .max: 24_576
        }
    }
}

extension Effort: Comparable {
    /// Compares by strength.
    package static func < (left: Effort, right: Effort) -> Bool {
        let all = allCases
        return (all.firstIndex(of: left) ?? 0) < (all.firstIndex(of: right) ?? 0)
    }
}
