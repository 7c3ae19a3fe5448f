import AgentCore
import Base

/// `chat completion bash|zsh|fish`: the script that a shell loads.
package enum CompletionCommand {
    package static let noun = "completion"
    package static let command = Command(
        name: noun, summary: "completion for your shell",
        verbs: [
            verb(.bash, "for ~/.bashrc: source <(chat completion bash)"),
            verb(.zsh, "for ~/.zshrc, after compinit: source <(chat completion zsh)"),
            verb(.fish, "for config.fish: chat completion fish | source"),
        ])

    private static func verb(_ shell: CompletionScript, _ summary: String) -> Verb {
        Verb(shell.rawValue, summary) { _ in
            CommandOutput(
                lines: shell.text.split(separator: "\n", omittingEmptySubsequences: false)
                    .map { StyledLine(String($0)) })
        }
    }
}
