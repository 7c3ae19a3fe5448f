import AgentCore
import Base

/// `chat man`: the manual page, to be read with `chat man | man -l -`.
package enum ManCommand {
    package static let noun = "man"

    package static func command(of others: [Command]) -> Command {
        let verb = Verb("show", "print it: chat man | man -l -")
        var command = Command(name: noun, summary: "the manual page, for man", verbs: [verb])
        let page = ManPage(commands: others + [command])
        command.verbs[0].run = { _ in
            CommandOutput(lines: page.text.split(separator: "\n").map { StyledLine(String($0)) })
        }
        return command
    }
}
