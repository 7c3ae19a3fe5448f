import AgentCore
import Base
import ChatKit
import Glibc
import TerminalKit

/// Runs a command in the shell: its lines go to stdout, notices to stderr, and the outcome
/// becomes the exit code.
struct CommandRunner {
    let services: Services
    /// Asks at the terminal; false without a terminal.
    var confirm: @Sendable (_ question: String) async -> Bool = { _ in false }
    /// `Interaction.ask`.
    var askLine: @Sendable (_ question: String, _ isHidden: Bool) async throws -> String? = {
        _, _ in nil
    }
    /// Lends the terminal to the user's editor while the body runs.
    var lend: @Sendable (_ body: @Sendable () async -> Void) async -> Void = { await $0() }

    func run(_ name: String, _ typed: [String], _ commands: [Command]) async -> ExitCode {
        guard let command = commands.first(where: { $0.name == name }) else { return .usage }
        if typed.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            return await help([name] + typed.filter { !$0.hasPrefix("-") }, commands)
        }
        let screen = ProgressScreen(
            services.progressLine, services.glyphs,
            silence: SilenceWatch(services.environment), catchesSignals: true,
            ask: { [confirm] warning, question in
                if let warning {
                    FileDescriptorText.write(HostileText.line(warning) + "\n", to: 2)
                }
                return await confirm(question)
            }, askLine: askLine,
            say: { lines in await write(lines, to: 2) })
        do {
            let (verb, arguments) = try command.read(typed)
            let edit = ExternalEditor.forCommands(services, lend: lend)
            let done = try await screen.run(isChat: false) { interaction in
                var arguments = arguments
                arguments.interaction = interaction
                arguments.interaction.edit = edit
                arguments.interaction.write = { await write($0) }
                return try await verb.run(arguments)
            }
            var output = ChoiceList.unattended(done)
            if command.answersInLocalTime, let notice = TimeZoneNotice.text(LocalTime()) {
                output.notices.append(notice)
            }
            await write(output, asJSON: arguments.wantsJSON)
            return output.outcome
        } catch {
            await write(screen.kept, to: 2)
            let diagnostic = services.diagnostics.describe(error)
            await write(diagnostic.shellLines, to: 2)
            return diagnostic.exit
        }
    }

    /// - Parameter topic: a command and perhaps one of its verbs; further words are ignored.
    func help(_ topic: [String], _ commands: [Command]) async -> ExitCode {
        let help = HelpText(
            commands: commands, columns: min(80, WindowWidth.columns(of: 1).map { $0 - 1 } ?? 80))
        guard let noun = topic.first else {
            await write(help.overview(), to: 1)
            return .ok
        }
        if [HelpText.optionsTopic, HelpText.moreTopic].contains(noun) {
            await write(noun == HelpText.moreTopic ? help.more(.shell) : help.options(), to: 1)
            return .ok
        }
        guard
            let page = help.page(topic, prefix: "chat ")
                ?? HelpSearch(commands: commands, grammar: .shell).lines(topic, help: help)
        else {
            let meant = CommandGrammar.shell.meant(by: noun, among: commands.map(\.name))
            let hint = meant.map { "Did you mean \($0)?" } ?? "chat --help lists them."
            await write(
                [StyledLine("chat: There is no command \"\(noun)\". \(hint)", .failure)], to: 2)
            return .usage
        }
        await write(page, to: 1)
        return .ok
    }

    private func write(_ output: CommandOutput, asJSON: Bool) async {
        if let document = output.document {
            await write(document)
        } else if asJSON, let json = output.json {
            await services.output.write(Array((JSONWriter.pretty(json) + "\n").utf8))
        } else {
            // A question that could not be asked is not a result.
            let descriptor: Int32 = output.outcome == .usage ? 2 : 1
            await write(CommandGrammar.shell.lines(output.lines), to: descriptor)
        }
        await write(CommandGrammar.shell.asides(output), to: 2)
    }

    /// A terminal gets visible escapes for control characters.
    @discardableResult
    private func write(_ document: [UInt8]) async -> Bool {
        await services.output.write(
            isatty(1) == 1
                ? Array(HostileText.text(String(decoding: document, as: UTF8.self)).utf8) : document
        )
    }

    private func write(_ lines: [StyledLine], to descriptor: Int32) async {
        let style = services.style(isTerminal: isatty(descriptor) == 1)
        let output = descriptor == 1 ? services.output : StandardOutput(descriptor: descriptor)
        await output.write(lines.flatMap { style.bytes($0) })
    }
}
