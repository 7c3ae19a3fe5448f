import AgentCore
import Persistence

/// How full the model's window is, for `/usage` and the line below the prompt.
extension Session {
    /// Tokens the model read and wrote with the last request, and how many it
    /// can; nil before the first.
    ///
    /// - Parameter model: whose window it is; nil for the one that was asked.
    func context(
        after turns: [StoredTurn], for model: (name: String, provider: ProviderName)? = nil
    ) async -> (filled: Int, window: Int?)? {
        guard let last = turns.last(where: { !$0.turn.usage.isEmpty }) else { return nil }
        let filled = lengths.reported?.tokens ?? UsageScreen.filled(by: last)
        let window = await services.models.window(
            of: model?.name ?? last.model, provider: model?.provider ?? last.provider)
        return (filled, window)
    }
}
