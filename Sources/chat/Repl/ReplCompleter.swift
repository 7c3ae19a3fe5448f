import AgentCore
import Synchronization

/// What Tab offers at the prompt: slash commands, their verbs, and the words
/// that a verb takes where they are few.
final class ReplCompleter: Sendable {
    private let commands = Mutex<[Command]>([])

    func set(_ commands: [Command]) { self.commands.withLock { $0 = commands } }

    func complete(_ before: String) -> Completion {
        guard before.hasPrefix("/") else { return .none }
        let commands = commands.withLock { $0 }
        let words = before.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        // `split` gives at least one word.
        let last = words[words.count - 1]
        let offered: [String] =
            switch words.count {
            case 1:
                (SlashCommand.allCases.map(\.rawValue) + commands.map(\.name)).map { "/" + $0 }
            case 2: Self.second(of: String(words[0].dropFirst()), commands)
            case 3 where words[0] == "/keys": KeyName.allCases.map(\.rawValue)
            default: []
            }
        let fitting = offered.filter { $0.hasPrefix(last) }.sorted()
        return Completion(replacing: last, candidates: fitting.map { Completion.Candidate($0) })
    }

    private static func second(of name: String, _ commands: [Command]) -> [String] {
        switch name {
        case "help":
            return (SlashCommand.allCases.map(\.rawValue) + commands.map(\.name))
        case "model":
            return ProviderName.allCases.flatMap { provider in
                ModelCatalog.known(for: provider).map(\.id)
            }
        default: return commands.first { $0.name == name }?.verbs.map(\.name) ?? []
        }
    }
}
