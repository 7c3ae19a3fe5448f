import Base

/// The environment of a screen: a chat's prompt, a shell's terminal, or a pipe. Plain values and
/// closures, each made in one place.
package struct PanelPlace: Sendable {
    /// Nil without a cursor.
    package var openPanel: @Sendable () async -> TerminalPanel?
    package var size: @Sendable () -> ScreenSize
    /// Shows lines beside the output: on stderr in the shell.
    package var say: @Sendable ([StyledLine]) async -> Void
    /// Reads the next line; nil at the end of the input.
    /// - Throws: `CancellationError` for Ctrl-C.
    package var readLine: @Sendable (_ prompt: String) async throws -> String?
    /// Asks a question while the screen is open; nil without an answer.
    /// - Throws: `CancellationError` for Ctrl-C.
    package var ask: @Sendable (_ question: String) async throws -> String?
    /// Whether a user reads the output and types the input.
    package var isInteractive: Bool
    /// Whether this is a chat's prompt.
    package var isChat: Bool
    package var describe: @Sendable (any Error) -> Diagnostic

    /// - Parameters:
    ///   - terminal: if nil, no keys are read and no questions asked.
    ///   - size: used without a terminal.
    ///   - say: on a terminal, its own output.
    package init(
        _ terminal: TerminalSession?, isChat: Bool, size: ScreenSize = ScreenSize(),
        say: @escaping @Sendable ([StyledLine]) async -> Void,
        describe: @escaping @Sendable (any Error) -> Diagnostic = { Diagnostic(of: $0) }
    ) {
        openPanel = { await terminal?.openPanel() }
        self.size = { terminal?.size ?? size }
        self.say = say
        readLine = { try await terminal?.typedLine($0) }
        ask = { question in
            guard let terminal else { return nil }
            // In a pipe the next line is the answer; its end is not one.
            return terminal.isInteractive
                ? try await terminal.askLine(question, isHidden: false)
                : try await terminal.typedLine("")
        }
        isInteractive = terminal?.isInteractive ?? false
        self.isChat = isChat
        self.describe = describe
    }

    /// The place at a chat's prompt.
    package init(
        _ terminal: TerminalSession, _ style: Style,
        describe: @escaping @Sendable (any Error) -> Diagnostic = { Diagnostic(of: $0) }
    ) {
        self.init(
            terminal, isChat: true,
            say: { await terminal.write($0.flatMap { style.bytes($0) }) }, describe: describe)
    }
}

extension TerminalSession {
    /// - Throws: `CancellationError` for Ctrl-C.
    fileprivate func typedLine(_ prompt: String) async throws -> String? {
        switch await readLine(prompt: isInteractive ? prompt : "") {
        case .line(let line), .edit(let line), .dictate(let line): return line
        case .paste(let before, let after): return before + after
        case .writing(let selection): return selection.whole
        case .interrupted: throw CancellationError()
        case .endOfInput: return nil
        }
    }

    /// Asks for a line in the middle of a command; it is stored in no history. Nil without a user
    /// to ask, and for Ctrl-D.
    /// - Throws: `CancellationError` for Ctrl-C, if `onInterrupt` cancels the task.
    package func askLine(_ question: String, isHidden: Bool) async throws -> String? {
        guard case .text(let text) = await ask(question, mode: isHidden ? .hidden : .line)
        else {
            try Task.checkCancellation()
            return nil
        }
        return text
    }
}
