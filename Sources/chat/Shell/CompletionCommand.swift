import AgentCore

/// `chat completion bash|zsh|fish`: the script that a shell loads.
enum CompletionCommand {
    static let command = Command(
        name: "completion", summary: "completion for your shell",
        verbs: [
            .init("bash", summary: "for ~/.bashrc: source <(chat completion bash)"),
            .init("zsh", summary: "for ~/.zshrc, after compinit: source <(chat completion zsh)"),
            .init("fish", summary: "for config.fish: chat completion fish | source"),
        ]
    ) { invocation in
        guard let shell = CompletionScript(rawValue: invocation.verb) else {
            throw UsageError("There is no completion for \(invocation.verb).")
        }
        return CommandOutput(
            lines: shell.text.split(separator: "\n", omittingEmptySubsequences: false)
                .map { StyledLine(String($0)) })
    }
}
