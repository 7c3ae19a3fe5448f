import AgentCore
import FoundationEssentials
import Persistence

/// `chat usage`: the tokens of the last days, by model.
struct UsageCommand {
    let services: Services

    var command: Command {
        Command(
            name: "usage", summary: "tokens used, by model",
            verbs: [
                Command.Verb("show", usage: "[--days N] [--json]", summary: "of the last 30 days")
            ]
        ) { invocation in try await show(invocation) }
    }

    private func show(_ invocation: CommandInvocation) async throws -> CommandOutput {
        var days = 30
        var words = WordReader(invocation.arguments)
        while let word = words.next() {
            guard word == "--days" else { throw UsageError("usage does not know \"\(word)\".") }
            guard let number = Int(try words.value(of: word)), (1...36_500).contains(number) else {
                throw UsageError("--days needs a number above 0.")
            }
            days = number
        }
        let since = services.environment.now().addingTimeInterval(-86_400 * Double(days))
        let totals = try await services.store().usage(since: since)
        let lines =
            totals.isEmpty
            ? [StyledLine("Nothing was used in the last \(Quantities.count(days, "day")).", .dim)]
            : UsageTable.lines(totals)
        return CommandOutput(lines: lines, json: UsageTable.json(totals))
    }
}
