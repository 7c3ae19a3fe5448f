import AgentCore
import Base
import ChatKit
import Glibc
import Synchronization
import TerminalKit

/// Assembles the prompt: the terminal with its calls to the session, and the commands typed
/// there.
extension App {
    func runRepl(_ options: ReplOptions, _ services: Services) async -> ExitCode {
        let turnTask = TurnTask()
        let completer = ReplCompleter(
            home: services.paths.home, style: services.style(isTerminal: isatty(1) == 1))
        var terminalOptions = TerminalSession.Options()
        terminalOptions.term = variables["TERM"] ?? "dumb"
        terminalOptions.keys = services.settings.keys
        terminalOptions.escapeTime = services.settings.escapeTime
        let place = HistoryPlace(environment: environment)
        terminalOptions.history = InputHistory(
            path: services.paths.history, place: { place.now },
            isPersonal: { [path = services.paths.profile] in
                PrivateInput.holdsValue($0, ofProfile: path)
            })
        let draft = DraftFile(path: services.paths.draft)
        terminalOptions.takeDraft = { draft.take() }
        terminalOptions.keepDraft = { draft.save($0) }
        terminalOptions.completer = { before, _ in completer.complete(before) }
        if services.settings.completesWhileTyping {
            terminalOptions.lister = { completer.list($0, $1) }
        }
        terminalOptions.tracksFocus = services.settings.notify != .off
        terminalOptions.style = services.style(isTerminal: isatty(0) == 1 && isatty(1) == 1)
        let live = LiveScreen()
        terminalOptions.onTyping = { live.typed($0) }
        terminalOptions.onInterrupt = { turnTask.stop() }
        terminalOptions.onPrompt = { turnTask.forgetStop() }
        terminalOptions.onEnter = { turnTask.enter() }
        let leaving = Leaving()
        terminalOptions.onTerminate = { number in
            leaving.note(number)
            turnTask.end()
        }
        guard let terminal = TerminalSession(terminalOptions) else {
            FileDescriptorText.write("chat: could not start a thread.\n", to: 2)
            return .failure
        }
        completer.folders.onChange { [weak terminal] in terminal?.refreshCompletions() }
        let style = services.style(isTerminal: terminal.isInteractive)
        do {
            let asker = TurnAsker(
                terminal: terminal, live: live,
                edit: ExternalEditor.forCommands(services) { await terminal.lend($0) })
            let mayRing = services.settings.refusal(of: .ringing) == nil
            let alerts = terminal.isInteractive && mayRing ? services.alerts : nil
            let ringing = alerts.map { alerts in
                ReplAlerts(
                    parts: alerts, log: services.log, terminal: terminal,
                    sound: services.voice.sound, variables: variables
                ) { lines in
                    if await !asker.show(lines) {
                        await terminal.write(lines.flatMap { style.bytes($0) })
                    }
                }
            }
            let commands = SlashCommand.atPrompt(
                Self.commands(
                    services, KeyPrompt.dependencies(terminal, services),
                    KeyPrompt.editorDependencies(terminal, services, style), chat: ringing,
                    ideas: .prompt(terminal, services, style)))
            completer.set(commands)
            let context = try await ReplContext(
                services: services, commands: commands, terminal: terminal, style: style,
                canErase: terminal.isInteractive && variables.hasCursor,
                options: options, turnTask: turnTask, asker: asker)
            let repl = Repl(context, commands: commands, alerts: ringing)
            repl.onPrompt = { [session = repl.session] in
                place.set(await session.record)
                completer.set(await CompletionFacts.load(.chat, services))
            }
            let code = try await repl.run()
            await terminal.close()
            services.output.note(terminal.outputFailure)
            return leaving.exitCode ?? code
        } catch {
            await terminal.close()
            return tell(error)
        }
    }
}

/// The signal, if any, that has asked the program to leave.
private final class Leaving: Sendable {
    private let number = Atomic<Int32>(0)

    func note(_ signal: Int32) { number.store(signal, ordering: .relaxed) }

    var exitCode: ExitCode? { number.load(ordering: .relaxed) == 0 ? nil : .interrupted }
}
