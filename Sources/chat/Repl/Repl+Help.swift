import AgentCore
import Base
import ChatKit
import TerminalKit

/// `/help`, and the error for an unknown command.
extension Repl {
    var helpText: HelpText {
        HelpText(commands: commands.all, columns: min(80, terminal.size.columns - 1))
    }

    func help(_ topic: [String]) async throws {
        let help = helpText
        guard let word = topic.first else { return await show(help.everyday()) }
        if topic == [HelpText.moreTopic] { return await show(help.more(.prompt)) }
        let name = word.hasPrefix("/") ? String(word.dropFirst()) : word
        let typed = SlashCommand.words(of: name) + topic.dropFirst()
        // The prompt's own command hides another of the same name, here as when it is run.
        if let (command, _) = SlashCommand.named(in: typed) {
            await show(help.page(command))
        } else if let page = help.page(typed, prefix: "/") {
            await show(page)
        } else if let found = HelpSearch(commands: commands.all, grammar: .prompt)
            .lines(topic, help: help)
        {
            await show(found)
        } else {
            throw unknown(name)
        }
    }

    func unknown(_ name: String) -> UsageError {
        let known = SlashCommand.listed.map(\.rawValue) + commands.all.map(\.name)
        let meant = CommandGrammar.prompt.meant(by: name, among: known)
        return UsageError(
            "There is no command /\(name).",
            hint: meant.map { "Did you mean \($0)?" } ?? "/help lists them.")
    }
}
