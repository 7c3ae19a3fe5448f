import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Persistence
import TerminalKit

/// Controls which model answers and how it reasons, and shows its cost.
struct ModelController: ReplController {
    let context: ReplContext

    /// `/model [NAME]`
    func change(to name: String?) async throws {
        guard let name else {
            try await pickModel()
            return
        }
        let selection = selection(name)
        if try await isUnlisted(selection) {
            guard await confirms("Use it all the same?") else {
                return await tell("The model is as it was.", .dim)
            }
        }
        try await use(selection)
    }

    /// A provider's name alone selects its default model.
    func use(_ name: String) async throws {
        try await use(selection(name))
    }

    private func selection(_ name: String) -> ProviderChoice.Selection {
        (services.connector.askable + [.offline]).first { $0.rawValue == name }.map {
            ProviderChoice.Selection(provider: $0)
        } ?? ProviderChoice.Selection(model: name)
    }

    /// Switches the conversation to another model, and says what that changes.
    func use(_ selection: ProviderChoice.Selection) async throws {
        let before = await session.expectedChoice()?.provider
        let wanted = await session.choice(for: selection)
        if case .missing(let what) = await services.connector.readiness(of: wanted.provider) {
            throw SessionError.notUsable(choice: wanted, missing: what, instead: nil)
        }
        let choice = try await stoppable { [session] in try await session.setModel(selection) }
        var lines = [
            StyledLine(
                "  \(choice.model ?? "its first model") · \(choice.provider.rawValue)"
                    + (await window(of: choice)), .success)
        ]
        if await session.hasHistory, before != choice.provider, choice.provider != .offline {
            let host = await services.connector.host(of: choice.provider)
            lines.append(
                StyledLine(
                    "  The whole conversation goes to \(host) with the next message.", .warning))
        }
        await show(lines)
    }

    /// Whether the provider's list lacks this model; if so, says it. If the list cannot be fetched,
    /// any name is accepted.
    private func isUnlisted(_ selection: ProviderChoice.Selection) async throws -> Bool {
        guard selection.model != nil, terminal.isInteractive else { return false }
        let (choice, listing) = try await stoppable(saying: "fetching the list") {
            [services, session] in
            let choice = await session.choice(for: selection)
            return (choice, await services.models.listings(of: [choice.provider]).first)
        }
        guard let model = choice.model, let listing, listing.lacks(model) else { return false }
        let nearest = NearestWord.find(model, among: listing.models.map(\.id))
        await tell(
            "! \(choice.provider.rawValue) does not list \(HostileText.line(model))."
                + (nearest.map { " Did you mean \($0)?" } ?? ""), .warning)
        return true
    }

    private func pickModel() async throws {
        let current = await session.expectedChoice()
        let all = try await stoppable(saying: "fetching the lists") { [services] in
            await services.models.listings()
        }
        // Providers without a key cannot be chosen.
        let listings = all.filter(\.isConnected)
        if listings.isEmpty { throw SessionError.noModel(nearest: nil) }
        let choices = ModelChoices(listings, current: current, prices: services.prices)
        await show(choices.notes.map { StyledLine("  \($0)", .dim) })
        if canErase, !choices.rows.isEmpty {
            guard let id = await terminal.pick(choices.request, services.environment) else {
                return
            }
            try await use(ProviderChoice.Selection(model: id))
            return
        }
        let model = current?.model ?? "its first model"
        let provider = current?.provider.rawValue ?? "not known yet"
        let reads = if let current { await window(of: current) } else { "" }
        await show(
            choices.lines(width: windowWidth) + [
                StyledLine("  now: \(model) · \(provider)\(reads)"),
                StyledLine("  /model NAME or provider/NAME changes it", .dim),
            ])
    }

    /// ` · reads 4,096 tokens`, for a local model whose server reports it.
    private func window(of choice: ProviderChoice) async -> String {
        guard let model = choice.model, await services.connector.isLocal(choice.provider)
        else { return "" }
        await services.connector.askWindow(of: model, at: choice.provider)
        let window = await services.connector.window(of: model, at: choice.provider)
        return window.map { " · reads \(Quantities.grouped($0)) tokens" } ?? ""
    }

    /// `/usage`
    func usageLines() async throws -> [StyledLine] {
        guard let record = await session.record else {
            return [StyledLine("  Nothing has been used here yet.", .dim)]
        }
        let store = try services.store()
        let turns = try await store.turns(of: record.id, last: UsageScreen.turnLimit * 2)
        var screen = UsageScreen(
            turns: turns, models: try await store.usage(of: record.id), prices: services.prices,
            hasOwnPrices: !services.settings.prices.isEmpty)
        screen.context = await session.context(after: turns)
        screen.droppedReasoning = await session.droppedReasoning
        screen.joinings = try await session.toolJoinings()
        return screen.lines(width: windowWidth)
    }

    // MARK: - Thinking

    func changeThinking(to word: String?) async throws {
        // The command table accepts no other word.
        guard let display = word.flatMap(ThinkingDisplay.init(rawValue:)) else {
            let accepted = ThinkingDisplay.allCases.map(\.rawValue)
            let now = await session.thinking
            await show([
                StyledLine("  thinking: \(now.rawValue)"),
                StyledLine(
                    "  \(accepted.joined(separator: ", ")) · /thinking WORD changes it", .dim),
            ])
            return
        }
        try await session.change { $0.thinking = display }
        let meaning =
            switch display {
            case .off: "not asked for and not shown"
            case .summary: "a line that says how long it took"
            case .full: "all of it, dimmed"
            }
        await tell("thinking: \(display.rawValue), \(meaning)", .success)
    }

    func changeEffort(to word: String?) async throws {
        let choice = await session.expectedChoice()
        let format = choice.map { services.settings.format(of: $0.provider) } ?? .none
        let taken = Self.efforts(choice, format)
        guard let word else {
            let now = await session.effort?.rawValue ?? "the model's own"
            var lines = [StyledLine("  effort: \(now)")]
            if let taken, let model = choice?.model {
                lines.append(StyledLine("  \(model) takes \(taken)", .dim))
            }
            lines.append(
                StyledLine("  /effort LEVEL changes it · auto leaves it to the model", .dim))
            await show(lines)
            return
        }
        if word == "auto" {
            try await session.change { $0.effort = nil }
            let now = await session.effort?.rawValue ?? "the model's own"
            await tell("effort: \(now)", .success)
            return
        }
        guard let effort = Effort(rawValue: word) else {
            let all = Effort.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError(
                "There is no effort \"\(KeyShape.shown(word))\".", hint: "Use \(all), or auto.")
        }
        try await session.change { $0.effort = effort }
        await tell("effort: \(effort.rawValue)", .success)
        if let choice, let note = Self.note(on: effort, choice, format) {
            await tell("\(note)", .dim)
        }
    }

    /// The levels that the model supports; nil if unknown.
    static func efforts(_ choice: ProviderChoice?, _ format: WireFormat) -> String? {
        guard let choice, let model = choice.model,
            let efforts = ModelCatalog.efforts(of: model, format: format),
            !efforts.isEmpty
        else { return nil }
        return efforts.map(\.rawValue).joined(separator: ", ")
    }

    /// A note on how an unsupported effort is handled.
    static func note(
        on effort: Effort, _ choice: ProviderChoice, _ format: WireFormat
    ) -> String? {
        guard let model = choice.model else { return nil }
        if !ModelCatalog.heedsEffort(model, format: format) {
            return "\(model) has no such setting; it is left out."
        }
        // Claude turns thinking off with another parameter.
        if effort == Effort.none, choice.provider == .claude {
            let thinking = ModelCatalog.claudeThinking(
                model, effort: effort, display: .summary, outputLimit: .max)
            return thinking == .adaptive ? "\(model) always thinks; low is used." : nil
        }
        guard let sent = ModelCatalog.effort(effort, for: model, format: format), sent != effort
        else { return nil }
        return "\(model) does not take \(effort.rawValue); \(sent.rawValue) is used instead."
    }
}
