import AgentCore
import Base
import ChatKit
import TerminalKit

/// The commands of capabilities at the prompt: the same functions as in the shell, but with
/// progress, questions and an editor.
struct CapabilityCommands: ReplController {
    let context: ReplContext
    let all: [Command]

    func named(_ name: String) -> Command? { all.first { $0.name == name } }

    /// Runs a command and shows its output.
    ///
    /// - Returns: a draft for the input line, if any.
    func run(_ command: Command, _ typed: [String]) async throws -> CommandOutput.Draft? {
        let edit = editor
        let (verb, arguments) = try command.read(typed)
        guard
            let done = try await showingProgress({ interaction in
                var arguments = arguments
                arguments.interaction = interaction
                arguments.interaction.edit = edit
                return try await verb.run(arguments)
            })
        else { return nil }
        let output = try await chosen(from: done, edit)
        if arguments.wantsJSON, let json = output.json {
            await show(document: JSONWriter.pretty(json))
            await showAsides(of: output)
        } else if let document = output.document {
            await show(document: String(decoding: document, as: UTF8.self))
            await showAsides(of: output)
        } else {
            await show(output)
        }
        return output.draft
    }

    /// Runs a quick command that asks nothing.
    func run(_ noun: String, arguments: [String]) async throws {
        guard let command = named(noun) else { return }
        await show(try await stoppable { try await command.run(arguments) })
    }

    func show(_ output: CommandOutput) async {
        await show(CommandGrammar.prompt.answer(output.lines))
        await showAsides(of: output)
    }

    /// Shows remarks and notices beside the actual output.
    private func showAsides(of output: CommandOutput) async {
        await show(CommandGrammar.prompt.asides(output).map(\.indented))
    }

    /// The user's editor.
    var editor: @Sendable (_ text: String, _ name: String) async -> EditedText {
        ExternalEditor.forCommands(services) { [terminal] body in await terminal.lend(body) }
    }

    /// Runs the choice that was picked from a list.
    static func run(
        _ choice: CommandOutput.Choice, _ commands: [Command],
        _ interaction: Interaction = Interaction()
    ) async throws -> CommandOutput {
        guard let command = commands.first(where: { $0.name == choice.command.first }) else {
            preconditionFailure("a choice names no command: \(choice.command)")
        }
        return try await command.run(Array(choice.command.dropFirst()), interaction)
    }

    /// Runs a long operation: shows its progress, and Esc or Ctrl-C stops it. Nil if it ended
    /// without a result but kept something, which is reported.
    private func showingProgress<Value: Sendable>(
        _ body: @escaping @Sendable (Interaction) async throws -> Value
    ) async throws -> Value? {
        let screen = ProgressScreen(
            terminal, style, silence: SilenceWatch(services.environment))
        do {
            return try await stoppable { try await screen.run(isChat: true, body) }
        } catch {
            let kept = await screen.kept
            if kept.isEmpty { throw error }
            await show(services.diagnostics.describe(error))
            await show(
                CommandGrammar.prompt.lines(kept.map { StyledLine([.init("    ")] + $0.spans) }))
            return nil
        }
    }

    /// The output, or that of the choice picked by the user, which may in turn ask again.
    private func chosen(
        from output: CommandOutput,
        _ edit: @escaping @Sendable (_ text: String, _ name: String) async -> EditedText
    ) async throws -> CommandOutput {
        var interaction = Interaction()
        interaction.isChat = true
        interaction.edit = edit
        var output = output
        while !output.choices.isEmpty {
            await show(ChoiceList.lines(output))
            let labels = output.choices.map(\.label)
            let answer = await terminal.ask(
                ChoiceList.prompt(labels.count), mode: .choice(labels))
            guard case .choice(let index) = answer else {
                return CommandOutput(lines: [ChoiceList.declined(answer).indented])
            }
            output = try await stoppable { [all, interaction, choice = output.choices[index]] in
                try await Self.run(choice, all, interaction)
            }
        }
        return output
    }
}
