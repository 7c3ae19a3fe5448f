import AgentCore
import FoundationEssentials
import Persistence

/// Which model answers, how it thinks, and what it has cost.
extension Repl {
    func changeModel(_ words: [String]) async throws {
        guard let name = words.first else {
            let choice = await session.expectedChoice()
            let model = choice?.model ?? "its first model"
            let provider = choice?.provider.rawValue ?? "not known yet"
            await show([
                StyledLine("  \(model) · \(provider)"),
                StyledLine("  /model NAME or provider/NAME changes it · /models lists them", .dim),
            ])
            return
        }
        let before = await session.expectedChoice()?.provider
        let choice = try await stoppable { [session] in
            // A provider's name alone means its own model.
            try await session.setModel(
                ProviderName(rawValue: name).map { ProviderChoice.Wish(provider: $0) }
                    ?? ProviderChoice.Wish(model: name))
        }
        var lines = [
            StyledLine(
                "  \(choice.model ?? "its first model") · \(choice.provider.rawValue)", .success)
        ]
        if await session.hasHistory, before != choice.provider, choice.provider != .offline {
            let host = await services.connector.host(of: choice.provider)
            lines.append(
                StyledLine(
                    "  The whole conversation goes to \(host) with the next message.", .warning))
        }
        await show(lines)
    }

    func usageLines() async throws -> [StyledLine] {
        guard let record = await session.record else {
            return [StyledLine("  Nothing was used here yet.", .dim)]
        }
        let totals = try await services.store().usage(of: record.id)
        if totals.isEmpty { return [StyledLine("  Nothing was used here yet.", .dim)] }
        return UsageTable.lines(totals)
    }

    func changeThinking(_ words: [String]) async throws {
        throw UsageError("This command is being built.")
    }

    func changeEffort(_ words: [String]) async throws {
        throw UsageError("This command is being built.")
    }

    func changeRole(_ words: [String]) async throws {
        throw UsageError("This command is being built.")
    }
}
