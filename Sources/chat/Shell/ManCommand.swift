import AgentCore

/// `chat man`: the manual page, to be read with `chat man | man -l -`.
enum ManCommand {
    static func command(of others: [Command]) -> Command {
        var command = Command(
            name: "man", summary: "the manual page, for man",
            verbs: [.init("show", summary: "print it: chat man | man -l -")]
        ) { _ in CommandOutput() }
        let all = others + [command]
        command.run = { _ in
            CommandOutput(
                lines: ManPage(commands: all).text.split(separator: "\n")
                    .map { StyledLine(String($0)) })
        }
        return command
    }
}
