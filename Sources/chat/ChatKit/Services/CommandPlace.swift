import Base
import Glibc
import TerminalKit

/// Where a command of several questions runs: the prompt of a chat, a terminal of the
/// shell, a pipe. Plain values and closures, made in one place for each.
package struct CommandPlace: Sendable {
    /// Nil where there is no cursor.
    package var openPanel: @Sendable () async -> TerminalPanel?
    package var size: @Sendable () -> ScreenSize
    /// What is said beside the output: stderr in the shell.
    package var say: @Sendable ([StyledLine]) async -> Void
    /// The next line; nil at the end of the input.
    /// - Throws: `CancellationError` for Ctrl-C.
    package var readLine: @Sendable (_ prompt: String) async throws -> String?
    /// The answer to a question in the middle; nil for none.
    /// - Throws: `CancellationError` for Ctrl-C.
    package var ask: @Sendable (_ question: String) async throws -> String?
    /// A user reads and types here.
    package var isInteractive: Bool
    /// At the prompt of a chat.
    package var isChat: Bool
    package var describe: @Sendable (any Error) -> Diagnostic

    /// At the prompt of a chat.
    package static func prompt(_ terminal: TerminalSession, _ services: Services, _ style: Style)
        -> Self
    {
        CommandPlace(
            openPanel: { await terminal.openPanel() }, size: { terminal.size },
            say: { await terminal.write($0.flatMap { style.bytes($0) }) },
            readLine: { try await read(terminal, $0) }, ask: { try await ask(terminal, $0) },
            isInteractive: terminal.isInteractive, isChat: true,
            describe: { services.diagnostics.describe($0) })
    }

    /// In the shell.
    package static func shell(_ shell: ShellPanel, _ services: Services) -> Self {
        let style = services.style(isTerminal: isatty(2) == 1)
        let terminal = shell.terminal
        return CommandPlace(
            openPanel: { await shell.openPanel() },
            size: { terminal?.size ?? ScreenSize.of(1) },
            say: { lines in
                let bytes = lines.flatMap { style.bytes($0) }
                // The terminal has one writer.
                if let terminal, isatty(2) == 1 {
                    await terminal.write(bytes)
                } else {
                    await StandardOutput(descriptor: 2).write(bytes)
                }
            },
            readLine: { question in
                guard let terminal else { return nil }
                return try await read(terminal, question)
            },
            ask: { question in
                guard let terminal else { return nil }
                return try await ask(terminal, question)
            },
            isInteractive: terminal?.isInteractive ?? false, isChat: false,
            describe: { services.diagnostics.describe($0) })
    }

    private static func read(
        _ terminal: TerminalSession, _ prompt: String
    ) async throws -> String? {
        switch await terminal.readLine(prompt: terminal.isInteractive ? prompt : "") {
        case .line(let line), .edit(let line), .dictate(let line): return line
        case .paste(let before, let after): return before + after
        case .writing(let selection): return selection.whole
        case .interrupted: throw CancellationError()
        case .endOfInput: return nil
        }
    }

    private static func ask(
        _ terminal: TerminalSession, _ question: String
    ) async throws -> String? {
        // In a pipe the next line is the answer, and its end is not an answer.
        terminal.isInteractive
            ? try await terminal.askLine(question, isHidden: false) : try await read(terminal, "")
    }
}

extension TerminalSession {
    /// Asks for a line in the middle of a command; it is kept in no history. Nil
    /// where no one can be asked, and for Ctrl-D.
    /// - Throws: `CancellationError` for Ctrl-C, where `onInterrupt` cancels the task.
    package func askLine(_ question: String, isHidden: Bool) async throws -> String? {
        guard case .text(let text) = await ask(question, mode: isHidden ? .hidden : .line)
        else {
            try Task.checkCancellation()
            return nil
        }
        return text
    }
}
