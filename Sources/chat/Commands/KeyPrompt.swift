import AgentCore
import Base
import ChatKit
import Glibc
import Synchronization
import TerminalKit

/// Asks the questions of shell commands: for a key (hidden at the terminal, or from stdin), a line,
/// or a yes. The terminal is opened only for an actual question.
final class KeyPrompt: Sendable {
    private let variables: [String: String]
    private let terminal = Mutex<TerminalSession?>(nil)
    private let isInterrupted = Flag()

    /// Set on the terminal's thread.
    private final class Flag: Sendable {
        private let isUp = Atomic(false)

        func raise() { isUp.store(true, ordering: .relaxed) }
        var isRaised: Bool { isUp.load(ordering: .relaxed) }
    }

    init(variables: [String: String]) { self.variables = variables }

    func dependencies(_ services: Services) -> KeysCommand.Dependencies {
        KeysCommand.Dependencies(
            readSecret: { question in
                guard isatty(0) == 1, self.session() != nil else {
                    return String(
                        decoding: try InputFiles.read(0, path: "standard input"), as: UTF8.self)
                }
                return try await self.ask(question, isHidden: true)
            },
            confirm: { question in
                guard isatty(0) == 1, let terminal = self.session() else { return false }
                return await terminal.ask("\(question) y or Enter for no: ", mode: .yes) == .yes
            },
            check: { try await KeyChecker(services: services).check($0, $1, $2) },
            origin: { services.settings.origin($0) },
            providers: ProviderName.named + services.settings.ownNames)
    }

    /// The dependencies in the REPL, whose terminal is already in use.
    static func dependencies(_ terminal: TerminalSession, _ services: Services)
        -> KeysCommand.Dependencies
    {
        KeysCommand.Dependencies(
            readSecret: { try await terminal.askLine($0, isHidden: true) },
            confirm: { await terminal.ask("  \($0) y or Enter for no: ", mode: .yes) == .yes },
            check: { try await KeyChecker(services: services).check($0, $1, $2) },
            origin: { services.settings.origin($0) },
            providers: ProviderName.named + services.settings.ownNames)
    }

    /// The dependencies of `config edit` in the shell.
    func editorDependencies(_ services: Services) -> ConfigEditor.Dependencies {
        let style = services.style(isTerminal: isatty(2) == 1)
        return ConfigEditor.Dependencies(
            lend: { body in
                let session = self.terminal.withLock { $0 }
                await session?.release()
                await body()
                await session?.reclaim()
            },
            confirm: dependencies(services).confirm,
            show: { lines in
                await StandardOutput(descriptor: 2).write(lines.flatMap { style.bytes($0) })
            }, isChat: false)
    }

    /// The dependencies of `config edit` in the REPL.
    static func editorDependencies(
        _ terminal: TerminalSession, _ services: Services, _ style: Style
    ) -> ConfigEditor.Dependencies {
        ConfigEditor.Dependencies(
            lend: { await terminal.lend($0) },
            confirm: dependencies(terminal, services).confirm,
            show: { lines in await terminal.write(lines.flatMap { style.bytes($0) }) },
            isChat: true)
    }

    /// Asks for a line; nil without a terminal, and for Ctrl-D.
    /// - Throws: `CancellationError` for Ctrl-C and a signal to leave.
    func ask(_ question: String, isHidden: Bool) async throws -> String? {
        guard isatty(0) == 1, let terminal = session() else { return nil }
        let line = try await terminal.askLine(question, isHidden: isHidden)
        if line == nil, isInterrupted.isRaised { throw CancellationError() }
        return line
    }

    func close() async {
        if let session = terminal.withLock({ $0 }) { await session.close() }
    }

    private func session() -> TerminalSession? {
        terminal.withLock { terminal in
            if terminal == nil {
                var options = TerminalSession.Options()
                options.term = variables["TERM"] ?? "dumb"
                // Printed results may go to a file; a question goes to the terminal the
                // user sees.
                options.output = isatty(1) == 1 ? 1 : 2
                options.onInterrupt = { [isInterrupted] in isInterrupted.raise() }
                options.onTerminate = { [isInterrupted] _ in isInterrupted.raise() }
                terminal = TerminalSession(options)
            }
            return terminal
        }
    }
}

extension KeysCommand.Dependencies {
    /// Dependencies for help pages, which ask nothing.
    static func unattended(_ services: Services) -> KeysCommand.Dependencies {
        KeysCommand.Dependencies(
            readSecret: { _ in nil }, confirm: { _ in false },
            check: { _, _, _ in .otherOrigin },
            origin: { services.settings.origin($0) },
            providers: ProviderName.named + services.settings.ownNames)
    }
}

/// Checks a key with its server, for the `keys` command.
struct KeyChecker {
    let services: Services

    func check(
        _ name: ProviderName, _ origin: KeyOrigin, _ secret: Secret
    ) async throws -> KeyVerdict {
        let endpoint = try await services.connector.endpoint(name)
        // A stored key may belong to another address than the current one.
        guard KeyOrigin(endpoint.base.origin) == origin else { return .otherOrigin }
        let check = KeyCheck(transport: services.transport, environment: services.environment)
        let verdict = try await check.verdict(on: secret.text, at: endpoint)
        if case .valid(let all) = verdict {
            let models = try await services.connector.noted(all, of: name)
            await services.models.keep([(name, models)])
        }
        return verdict
    }
}
