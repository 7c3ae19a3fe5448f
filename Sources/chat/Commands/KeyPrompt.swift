import AgentCore
import Glibc
import Synchronization
import TerminalKit

/// How `keys` reads a key and asks: hidden at the terminal, or from stdin.
/// The terminal is taken over only when a question is really asked.
final class KeyPrompt: Sendable {
    private let variables: [String: String]
    private let terminal = Mutex<TerminalSession?>(nil)

    init(variables: [String: String]) { self.variables = variables }

    func doors(_ services: Services) -> KeysCommand.Dependencies {
        KeysCommand.Dependencies(
            readSecret: { question in
                guard isatty(0) == 1, let terminal = self.session() else {
                    return String(
                        decoding: try InputFiles.read(0, path: "standard input"), as: UTF8.self)
                }
                return await Self.secret(question, terminal)
            },
            confirm: { question in
                guard isatty(0) == 1, let terminal = self.session() else { return false }
                return await terminal.ask("\(question) y or Enter for no: ", mode: .yes) == .yes
            },
            check: { try await KeyChecker(services: services).check($0, $1, $2) },
            origin: { services.settings.origin($0) })
    }

    /// The same in the REPL, whose terminal is already taken.
    static func doors(_ terminal: TerminalSession, _ services: Services) -> KeysCommand.Dependencies
    {
        KeysCommand.Dependencies(
            readSecret: { await secret($0, terminal) },
            confirm: { await terminal.ask("  \($0) y or Enter for no: ", mode: .yes) == .yes },
            check: { try await KeyChecker(services: services).check($0, $1, $2) },
            origin: { services.settings.origin($0) })
    }

    /// The terminal for `config edit`, in the shell.
    func editorDoors(_ services: Services) -> ConfigEditor.Doors {
        let style = services.style(isTerminal: isatty(2) == 1)
        return ConfigEditor.Doors(
            lend: { body in
                let session = self.terminal.withLock { $0 }
                await session?.release()
                await body()
                await session?.reclaim()
            },
            confirm: doors(services).confirm,
            show: { lines in
                await StandardOutput(descriptor: 2).write(lines.flatMap { style.bytes($0) })
            }, isChat: false)
    }

    /// The same in the REPL.
    static func editorDoors(
        _ terminal: TerminalSession, _ services: Services, _ style: Style
    ) -> ConfigEditor.Doors {
        ConfigEditor.Doors(
            lend: { body in
                await terminal.release()
                await body()
                await terminal.reclaim()
            },
            confirm: doors(terminal, services).confirm,
            show: { lines in await terminal.write(lines.flatMap { style.bytes($0) }) },
            isChat: true)
    }

    func close() async {
        if let session = terminal.withLock({ $0 }) { await session.close() }
    }

    private func session() -> TerminalSession? {
        terminal.withLock { terminal in
            if terminal == nil {
                var options = TerminalSession.Options()
                options.term = variables["TERM"] ?? "dumb"
                terminal = TerminalSession(options)
            }
            return terminal
        }
    }

    private static func secret(_ question: String, _ terminal: TerminalSession) async -> String? {
        guard case .text(let text) = await terminal.ask(question, mode: .hidden) else { return nil }
        return text
    }
}

extension KeysCommand.Dependencies {
    /// For help, where nothing is asked.
    static func unattended(_ services: Services) -> KeysCommand.Dependencies {
        KeysCommand.Dependencies(
            readSecret: { _ in nil }, confirm: { _ in false },
            check: { _, _, _ in .otherOrigin },
            origin: { services.settings.origin($0) })
    }
}

/// Asks the server about a key, in the terms of the `keys` command.
struct KeyChecker {
    let services: Services

    func check(
        _ name: ProviderName, _ origin: KeyOrigin, _ secret: Secret
    ) async throws -> KeyVerdict {
        let endpoint = try await services.connector.endpoint(name)
        // A stored key may belong to another address than today's.
        guard KeyOrigin(endpoint.base.origin) == origin else { return .otherOrigin }
        let check = KeyCheck(transport: services.transport, environment: services.environment)
        return try await check.verdict(on: secret.text, at: endpoint)
    }
}
