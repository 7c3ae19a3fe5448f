import AgentCore
import Base
import ChatKit
import Persistence
import TerminalKit

/// Keeps the line below the prompt up to date: it is rebuilt in the background each
/// time a prompt opens, since part of it is read from the store.
struct StatusLine: Sendable {
    let terminal: TerminalSession
    let session: Session
    let style: Style
    /// Names of the open folders, as the user opened them.
    var folders: @Sendable () async -> [String] = { [] }

    /// Number of turns searched for the last request.
    private static let turnLimit = 8

    func show() async {
        let status = await current()
        terminal.setStatus({ [style] in status.line(columns: $0, style) }, of: .conversation)
    }

    /// Unreadable values are left out: this line shows no errors.
    func current() async -> ConversationStatus {
        var status = ConversationStatus()
        status.redacts = await session.redacts
        status.folders = await folders()
        let choice = await session.expectedChoice()
        if let choice, choice.provider != .offline {
            status.model = choice.model ?? choice.provider.facts.displayName
        }
        guard let id = await session.record?.id else { return status }
        // Without the store, leave these values out.
        if let turns = try? await session.lastTurns(Self.turnLimit) {
            let asked = choice.flatMap { choice in choice.model.map { ($0, choice.provider) } }
            status.context = await session.context(after: turns, for: asked)
        }
        // The same for the cost.
        if let totals = try? await session.store.usage(of: id) {
            let prices = session.services.prices
            status.cost = UsageRow.sum("", of: UsageRow.byModel(totals, prices)).cost
        }
        return status
    }
}

/// The state of the open conversation, as the one dim line below the prompt. Pure; values
/// that are missing take no room.
///
///     claude-sonnet-5-5 · 12 % of its context · $0.42 · notes, src · redact
struct ConversationStatus: Sendable {
    /// The model's name; nil if no model answers.
    var model: String?
    /// Tokens of the last request, and the model's limit.
    var context: (filled: Int, window: Int?)?
    var cost = Cost()
    /// Names of the open folders.
    var folders: [String] = []
    var redacts = false

    /// Minimum number of characters of a model's name shown on a narrow line.
    private static let leastModel = 16

    /// The line, at most `columns` wide, less the last one, where a terminal would wrap.
    func line(columns: Int, _ style: Style) -> StyledLine {
        let width = columns - 1
        let name = style.shown(model ?? "no model")
        // From the longest form to the shortest; the model's name is cut first.
        let forms = [parts(folders: .names), parts(folders: .count), parts(folders: .none)]
            .map { $0.map { style.shown($0) } }
        func room(_ parts: [String]) -> Int {
            width - 2 - parts.reduce(0) { $0 + DisplayWidth.of($1) + 3 }
        }
        let least = min(DisplayWidth.of(name), Self.leastModel)
        let chosen = forms.first { room($0) >= least } ?? []
        let text = ([style.cut(name, to: max(1, room(chosen)))] + chosen).joined(separator: " · ")
        return StyledLine("  " + text, .dim)
    }

    private enum Folders { case names, count, none }

    private func parts(folders form: Folders) -> [String] {
        var parts: [String] = []
        if let share { parts.append("\(share) of its context") }
        if cost.money > .zero, let text = cost.text { parts.append(text) }
        switch form {
        case _ where folders.isEmpty: break
        case .names: parts.append(folders.joined(separator: ", "))
        case .count: parts.append(Quantities.count(folders.count, "folder"))
        case .none: break
        }
        if redacts { parts.append("redact") }
        return parts
    }

    private var share: String? {
        guard let context, context.filled > 0, let window = context.window, window > 0 else {
            return nil
        }
        let percent = (Double(context.filled) / Double(window) * 100).rounded()
        return percent < 1 ? "<1 %" : "\(Int(min(percent, 100))) %"
    }
}

/// How full the model's window is, for `/usage` and the line below the prompt.
extension Session {
    /// Tokens the model read and wrote with the last request, and its limit; nil before the
    /// first request.
    ///
    /// - Parameter model: the model whose window counts; nil for the one that was asked.
    func context(
        after turns: [StoredTurn], for model: (name: String, provider: ProviderName)? = nil
    ) async -> (filled: Int, window: Int?)? {
        guard let last = turns.last(where: { !$0.turn.usage.isEmpty }) else { return nil }
        let filled = lengths.reported?.tokens ?? UsageScreen.filled(by: last)
        let (name, provider) = (model?.name ?? last.model, model?.provider ?? last.provider)
        var window = await services.connector.window(of: name, at: provider)
        if window == nil { window = await services.models.window(of: name, provider: provider) }
        return (filled, window)
    }
}
