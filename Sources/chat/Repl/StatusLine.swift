import AgentCore
import Persistence
import TerminalKit

/// Keeps the line below the prompt up to date: it is rebuilt in the background each
/// time a prompt opens, since part of it is read from the store.
struct StatusLine: Sendable {
    let terminal: TerminalSession
    let session: Session
    let style: Style
    /// Names of the folders the model may look into, as the user opened them.
    var folders: @Sendable () async -> [String] = { [] }

    /// Turns among which the last request is looked for.
    private static let turnLimit = 8

    func show() async {
        let status = await current()
        terminal.setStatus({ [style] in status.line(columns: $0, style) }, of: .conversation)
    }

    /// What cannot be read is left out: this line shows no errors.
    func current() async -> ConversationStatus {
        var status = ConversationStatus()
        status.redacts = await session.redacts
        status.folders = await folders()
        let choice = await session.expectedChoice()
        if let choice, choice.provider != .offline {
            status.model = choice.model ?? choice.provider.facts.displayName
        }
        guard let id = await session.record?.id else { return status }
        if let turns = try? await session.lastTurns(Self.turnLimit) {
            let asked = choice.flatMap { choice in choice.model.map { ($0, choice.provider) } }
            status.context = await session.context(after: turns, for: asked)
        }
        if let totals = try? await session.store.usage(of: id) {
            let prices = session.services.prices
            status.cost = UsageRow.sum("", of: UsageRow.byModel(totals, prices)).cost
        }
        return status
    }
}
