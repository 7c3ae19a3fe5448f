import AgentCore

/// Makes an invocation of the words after a command's name: the verb, then
/// `--json` and `--yes`, which mean the same everywhere. Pure.
enum CommandLineWords {
    /// Without a verb the command's first one is meant.
    /// - Throws: `UsageError` naming the nearest verb.
    static func invocation(
        of command: Command, words: [String]
    ) throws(UsageError) -> CommandInvocation {
        // A command always has a verb; see `Command.verbs`.
        var verb = command.verbs.first?.name ?? ""
        var rest = words[...]
        let isVerb = command.verbs.contains { $0.name == rest.first }
        if let first = rest.first, !first.hasPrefix("-"), isVerb || !command.takesWordsWithoutVerb {
            guard isVerb else {
                let names = command.verbs.map(\.name)
                let nearest = NearestWord.find(first, among: names)
                throw UsageError(
                    "\(command.name) has no \"\(KeyText.shown(first))\".",
                    hint: nearest.map { "Did you mean chat \(command.name) \($0)?" }
                        ?? "It has \(names.joined(separator: ", ")).")
            }
            verb = first
            rest = rest.dropFirst()
        }
        var invocation = CommandInvocation(verb: verb, arguments: [])
        var isLiteral = false
        for word in rest {
            switch word {
            case "--" where !isLiteral:
                isLiteral = true
                invocation.arguments.append(word)
            case "--json" where !isLiteral: invocation.wantsJSON = true
            case "--yes" where !isLiteral: invocation.isConfirmed = true
            default: invocation.arguments.append(word)
            }
        }
        return invocation
    }
}
