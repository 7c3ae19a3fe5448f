import AgentCore
import Base
import ChatKit
import TerminalKit

/// Copies to the clipboard at a terminal: asks if necessary, copies, and reports the result.
struct TerminalClipboard: Sendable {
    private let terminal: TerminalSession
    private let services: Services
    /// Whether the terminal understands control sequences.
    private let canErase: Bool

    init(_ terminal: TerminalSession, _ services: Services, _ canErase: Bool) {
        self.terminal = terminal
        self.services = services
        self.canErase = canErase
    }

    /// - Parameter what: "the answer".
    /// - Throws: `UsageError` if there is no clipboard.
    func copy(_ text: String, _ what: String) async throws -> [StyledLine] {
        let clipboard = Clipboard(
            choice: services.settings.clipboard, variables: services.variables,
            answerPath: services.paths.clipboard)
        let bytes = Array(text.utf8)
        let size = Quantities.count(bytes.count, "byte")
        switch try clipboard.way(for: bytes.count) {
        case .program(let name, let path, let arguments):
            try await clipboard.run(path, arguments, bytes)
            return [StyledLine("  ✓ \(what), \(size), by \(name)", .success)]
        case .terminal(let asks):
            guard canErase else { throw UsageError("This terminal has no clipboard for programs.") }
            if asks, let refusal = await refusal(clipboard, "\(what), \(size)") { return [refusal] }
            await terminal.write(Clipboard.sequence(bytes))
            return [
                StyledLine("  \(what), \(size), was handed to the terminal", .success),
                StyledLine(
                    services.variables["TMUX"] == nil
                        ? "    If it is not there, the terminal does not allow it."
                        : "    tmux passes it on with: set -g set-clipboard on", .dim),
            ]
        }
    }

    /// Asks the user for permission; nil if it was given.
    private func refusal(_ clipboard: Clipboard, _ what: String) async -> StyledLine? {
        let answer = await terminal.ask(
            "  Hand \(what), to the terminal's clipboard, now and from now on? "
                + "y, or Enter for not now: ",
            mode: .yes)
        if answer == .yes {
            clipboard.rememberYes()
            return nil
        }
        return StyledLine("  Not copied. /config set clipboard off ends the question.", .dim)
    }
}
