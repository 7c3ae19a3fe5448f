import AgentCore
import Base
import ChatKit
import Dispatch
import Glibc
import Stories
import Synchronization
import TerminalKit
import Texts

/// The composition root: the only place that names concrete types of every layer. Parses
/// the command line, assembles the services (`services(for:)`), and runs a front end.
struct App {
    let variables: [String: String]
    let environment: Environment

    static func run(_ arguments: [String]) -> ExitCode {
        // Fast path: skip all setup. If it fails, the normal path reports the error.
        if arguments.dropFirst() == ["--version"], Self.writeVersion() == 0 { return .ok }
        let variables = Self.variables()
        let app = App(variables: variables, environment: .system(variables: variables))
        return app.run(Array(arguments.dropFirst()))
    }

    /// Returns 0 or the `errno`.
    private static func writeVersion() -> Int32 {
        FileDescriptorText.write("chat \(HelpText.fullVersion)\n", to: 1)
    }

    private static func variables() -> [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let line = String(cString: text)
            if let equals = line.firstIndex(of: "=") {
                variables[String(line[..<equals])] = String(line[line.index(after: equals)...])
            }
            entry += 1
        }
        return variables
    }

    private func run(_ arguments: [String]) -> ExitCode {
        let parser = OptionParser(commands: Self.commandNames, stdinIsTerminal: isatty(0) == 1)
        do {
            let invocation = try parser.parse(arguments)
            if case .version = invocation {
                let output = StandardOutput(descriptor: 1)
                output.note(Self.writeVersion())
                return ended(.ok, output)
            }
            let services = try services(for: invocation)
            if let error = services.settings.error {
                guard worksWithDefaults(invocation, services) else { throw error }
                if !reportsConfiguration(invocation) { _ = tell(error) }
            }
            if invocation.touchesData, BackupEngine.isInterrupted(state: services.paths.stateFolder)
            {
                Self.finishRestore(services)
            }
            if needsStore(invocation, services) { services.openStore() }
            let code = Self.wait { await run(invocation, services) }
            return ended(code, services.output)
        } catch {
            return tell(error)
        }
    }

    /// A run whose output could not be written has failed, however well the rest went.
    private func ended(_ code: ExitCode, _ output: StandardOutput) -> ExitCode {
        do throws(OutputFailure) {
            try output.finish()
            return code
        } catch {
            let failure = tell(error)
            return code == .ok || code == .degraded ? failure : code
        }
    }

    /// Runs an asynchronous body from the program's first thread.
    private static func wait(_ body: @escaping @Sendable () async -> ExitCode) -> ExitCode {
        TaskThreads.install()
        let done = DispatchSemaphore(value: 0)
        let result = Mutex(ExitCode.failure)
        Task {
            let code = await body()
            result.withLock { $0 = code }
            done.signal()
        }
        done.wait()
        return result.withLock { $0 }
    }

    /// Finishes an interrupted restore.
    private static func finishRestore(_ services: Services) {
        _ = wait {
            let text: String
            do {
                guard let path = try await BackupEngine(services.backups).finishInterrupted()
                else { return .ok }
                text = "The interrupted restore of \(path) is now complete."
            } catch {
                let folder = BackupEngine.interruptedFolder(state: services.paths.stateFolder)
                text =
                    "An interrupted restore is not complete yet. "
                    + services.diagnostics.describe(error).what
                    + " chat will try again; to give up: rm -r \(folder)"
            }
            FileDescriptorText.write(HostileText.line("chat: \(text)") + "\n", to: 2)
            return .ok
        }
    }

    func tell(_ error: any Error) -> ExitCode {
        var style = Style(isTerminal: isatty(2) == 1, variables: variables)
        style.foldsLines = isatty(2) == 1
        let diagnostic = ErrorDescriber().describe(error)
        let bytes = diagnostic.shellLines.flatMap { style.bytes($0) }
        FileDescriptorText.write(String(decoding: bytes, as: UTF8.self), to: 2)
        return diagnostic.exit
    }

    /// Whether it works even with an invalid configuration.
    private func worksWithDefaults(_ invocation: Invocation, _ services: Services) -> Bool {
        switch invocation {
        case .version, .help: true
        case .repl, .oneShot: false
        case .command(let name, _, _):
            name == CompleteRequest.name
                || Self.commands(services)
                    .contains { $0.name == name && $0.worksWithoutConfiguration }
        }
    }

    /// Whether it reports configuration errors itself, or is read by a shell.
    private func reportsConfiguration(_ invocation: Invocation) -> Bool {
        guard case .command(let name, _, _) = invocation else { return false }
        return [ConfigCommand.noun, DoctorCommand.noun, CompleteRequest.name].contains(name)
    }

    /// Whether the conversations will be read or written.
    private func needsStore(_ invocation: Invocation, _ services: Services) -> Bool {
        switch invocation {
        case .version, .help: false
        case .repl, .oneShot: true
        case .command(let name, _, _):
            Self.commands(services).contains { $0.name == name && $0.usesConversations }
        }
    }

    /// The names of all commands, known before anything is assembled: tells commands from text.
    private static let commandNames =
        CommandGrammar.nouns
        + [
            BackupCommand.restoreNoun, CompletionCommand.noun, ManCommand.noun,
            CompleteRequest.name,
        ]

    static func grammar(_ invocation: Invocation) -> CommandGrammar {
        if case .repl = invocation { .prompt } else { .shell }
    }

    /// Whether a prompt on the same terminal as stderr is its only writer.
    static func ownsTerminal(_ invocation: Invocation) -> Bool {
        if case .repl = invocation { isatty(2) == 1 } else { false }
    }

    // MARK: - Front ends

    private func run(_ invocation: Invocation, _ services: Services) async -> ExitCode {
        let code: ExitCode
        switch invocation {
        case .version: code = .ok
        case .help(let topic):
            code = await CommandRunner(services: services)
                .help(topic, Self.commands(services))
        case .command(CompleteRequest.name, let typed, _):
            code = await CompleteRequest(services: services, commands: Self.commands(services))
                .answer(typed)
        case .command(let name, let arguments, _):
            let terminal = KeyPrompt(variables: variables)
            code = await CommandRunner(
                services: services, confirm: terminal.dependencies(services).confirm,
                askLine: { try await terminal.ask($0, isHidden: $1) },
                lend: terminal.editorDependencies(services).lend
            ).run(
                name, arguments,
                Self.commands(
                    services, terminal.dependencies(services), terminal.editorDependencies(services)
                ))
            await terminal.close()
        case .oneShot(let options):
            code = await OneShot(
                services: services, options: options, stdinIsTerminal: isatty(0) == 1,
                variables: variables, commands: { Self.commands(services) }
            ).run()
            await outlastStory(services)
        case .repl(let options): code = await runRepl(options, services)
        }
        if let refusal = services.log.refusal, !Self.ownsTerminal(invocation) {
            FileDescriptorText.write("chat: \(Diagnostic(of: refusal).what)\n", to: 2)
        }
        await services.close()
        return code
    }

    /// Waits for a story started by a tool to end, or for the next signal.
    private func outlastStory(_ services: Services) async {
        guard let player = services.stories?.player, let phase = player.state?.phase,
            phase != .ended
        else { return }
        EndSignals.call { Task { await player.stop() } }
        for problem in await player.outlast().problems {
            FileDescriptorText.write("chat: \(problem)\n", to: 2)
        }
    }
}

extension Invocation {
    /// Whether any of the user's data will be read or written.
    fileprivate var touchesData: Bool {
        switch self {
        case .version, .help: false
        case .repl, .oneShot: true
        case .command(let name, _, _): name != CompleteRequest.name
        }
    }
}
