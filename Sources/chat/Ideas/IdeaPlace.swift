import AgentCore
import Glibc
import TerminalKit
import ToolServers

/// Where ideas are shown and decided on: the prompt of a chat, a terminal of
/// the shell, a pipe. Plain values and closures, made in one place for each.
struct IdeaPlace: Sendable {
    /// Nil where there is no cursor.
    var openPanel: @Sendable () async -> TerminalPanel?
    var size: @Sendable () -> ScreenSize
    /// Where an idea is written that is not in a panel.
    var writer: @Sendable () -> IdeaWriter
    /// What is said beside it: stderr in the shell.
    var say: @Sendable ([StyledLine]) async -> Void
    /// The next line; nil at the end of the input.
    /// - Throws: `CancellationError` for Ctrl-C.
    var readLine: @Sendable (_ prompt: String) async throws -> String?
    /// The answer to a question in the middle; nil for none.
    /// - Throws: `CancellationError` for Ctrl-C.
    var ask: @Sendable (_ question: String) async throws -> String?
    /// A user reads and types here.
    var isInteractive: Bool
    /// At the prompt of a chat.
    var isChat: Bool
    var edit: @Sendable (_ text: String) async -> EditedText
    var copy: @Sendable (_ text: String) async throws -> [StyledLine]
    /// Runs a command of the program: noun, verb, arguments.
    var run: @Sendable (_ words: [String]) async throws -> CommandOutput
    var describe: @Sendable (any Error) -> Diagnostic
    /// Opens the menu of writing tools on a text: the words that were accepted,
    /// or nil. Nil where there is none.
    var rewrite: (@Sendable (_ text: String) async throws -> String?)?

    /// The keys that do something here.
    var keys: [IdeaLoop.Key] {
        IdeaLoop.Key.allCases.filter { key in
            switch key {
            case .write: rewrite != nil
            case .save, .discard, .edit, .converse, .remind, .undo, .prompt, .tone, .copy, .help,
                .quit:
                true
            }
        }
    }

    /// Asks what kind of ideas is wanted, the first time.
    /// - Throws: `IdeaError.noPrompt` where there is no one to ask, or no answer.
    func firstPrompt(_ book: IdeaBook) async throws -> String {
        if let prompt = try await book.memory.read().prompt { return prompt }
        guard isInteractive else { throw IdeaError(.noPrompt) }
        await say(
            [
                StyledLine("  What kind of ideas do you want? Say it in your own words:", .bold),
                StyledLine("  the prompt is kept, and p changes it at any time.", .dim),
            ] + Self.examples.map { StyledLine("    \($0)", .dim) })
        let answer = try await ask("  Idea prompt: ") ?? ""
        if answer.allSatisfy(\.isWhitespace) { throw IdeaError(.noPrompt) }
        try await book.setPrompt(answer)
        return answer
    }

    static let examples = [
        "One app idea, one sentence",
        "A birthday present under 30 euros for someone who cooks",
        "The first line of a short story that takes place on a ferry",
    ]
}

extension IdeaPlace {
    /// At the prompt of a chat.
    static func prompt(_ terminal: TerminalSession, _ services: Services, _ style: Style) -> Self {
        let term = services.variables["TERM"] ?? "dumb"
        let canErase = terminal.isInteractive && term != "dumb"
        return IdeaPlace(
            openPanel: { await terminal.openPanel() }, size: { terminal.size },
            writer: {
                IdeaWriter(
                    screen: TurnScreen(
                        options: TurnScreen.Options(
                            style: style, canErase: canErase,
                            formats: services.settings.markdown, thinking: .off,
                            size: { terminal.size }),
                        environment: services.environment,
                        output: { await terminal.write($0) }),
                    isPiped: false, style: style, output: { _ in })
            },
            say: { await terminal.write($0.flatMap { style.bytes($0) }) },
            readLine: { try await read(terminal, $0) }, ask: { try await ask(terminal, $0) },
            isInteractive: terminal.isInteractive, isChat: true,
            edit: { await edit($0, terminal, services) },
            copy: {
                try await TerminalClipboard(terminal, services, canErase).copy($0, "the idea")
            },
            run: { try await run($0, services) },
            describe: { services.diagnostics.describe($0) },
            rewrite: rewriting(terminal, services, style))
    }

    private static func rewriting(
        _ terminal: TerminalSession, _ services: Services, _ style: Style
    ) -> (@Sendable (String) async throws -> String?)? {
        services.writing.map { writing in
            { @Sendable text in await writing.rewritten(text, services, terminal, style) }
        }
    }

    /// In the shell: ideas on stdout, everything else on stderr.
    static func shell(_ shell: ShellPanel, _ services: Services) -> Self {
        let isTerminal = isatty(1) == 1
        let style = services.style(isTerminal: isatty(2) == 1)
        let term = services.variables["TERM"] ?? "dumb"
        let canErase = isTerminal && term != "dumb" && !term.isEmpty
        let terminal = shell.terminal
        let write: @Sendable ([UInt8]) async -> Void = { bytes in
            // The terminal has one writer.
            if isTerminal, let terminal {
                await terminal.write(bytes)
            } else {
                await services.output.write(bytes)
            }
        }
        return IdeaPlace(
            openPanel: { await shell.openPanel() },
            size: { terminal?.size ?? ScreenSize.of(1) },
            writer: { IdeaWriter(services, isTerminal: isTerminal, canErase: canErase, write) },
            say: { lines in
                let bytes = lines.flatMap { style.bytes($0) }
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
            edit: { text in
                guard let terminal else { return .failed("there is no terminal for an editor") }
                return await edit(text, terminal, services)
            },
            copy: { text in
                guard let terminal else { throw IdeaError(.needsTerminal("y")) }
                return try await TerminalClipboard(terminal, services, canErase)
                    .copy(text, "the idea")
            },
            run: { try await run($0, services) },
            describe: { services.diagnostics.describe($0) },
            rewrite: terminal.flatMap { terminal in
                guard terminal.isInteractive else { return nil }
                return rewriting(terminal, services, services.style(isTerminal: true))
            })
    }

    private static func read(
        _ terminal: TerminalSession, _ prompt: String
    ) async throws -> String? {
        switch await terminal.readLine(prompt: terminal.isInteractive ? prompt : "") {
        case .line(let line), .edit(let line), .dictate(let line): return line
        case .writing(let selection): return selection.whole
        case .interrupted: throw CancellationError()
        case .endOfInput: return nil
        }
    }

    private static func ask(
        _ terminal: TerminalSession, _ question: String
    ) async throws -> String? {
        // In a pipe the next line is the answer; its end is none.
        terminal.isInteractive
            ? try await terminal.askLine(question, isHidden: false) : try await read(terminal, "")
    }

    private static func edit(
        _ text: String, _ terminal: TerminalSession, _ services: Services
    ) async -> EditedText {
        await ExternalEditor.forCommands(services) { body in
            await terminal.release()
            await body()
            await terminal.reclaim()
        }(text, "idea.md")
    }

    private static func run(
        _ words: [String], _ services: Services
    ) async throws -> CommandOutput {
        guard
            let command = services.registry.servers.flatMap(\.commands)
                .first(where: { $0.name == words.first })
        else { throw ToolError.failed("\(words.first ?? "") is not available here") }
        return try await command.run(Array(words.dropFirst()))
    }
}

/// Writes an idea as it arrives: drawn on a terminal that can, with a quiet
/// sign of waiting that is erased; as it comes into a pipe and onto others.
actor IdeaWriter {
    private let screen: TurnScreen?
    private var renderer: TurnRenderer
    private let output: @Sendable ([UInt8]) async -> Void

    /// - Parameter screen: nil for a pipe.
    init(
        screen: TurnScreen?, isPiped: Bool, style: Style,
        output: @escaping @Sendable ([UInt8]) async -> Void
    ) {
        self.screen = screen
        self.output = output
        renderer = TurnRenderer(style: style, showsThinking: false, isForPipe: isPiped)
    }

    /// For stdout of the shell.
    init(
        _ services: Services, isTerminal: Bool, canErase: Bool,
        _ output: @escaping @Sendable ([UInt8]) async -> Void
    ) {
        let style = services.style(isTerminal: isTerminal)
        let screen =
            isTerminal
            ? TurnScreen(
                options: TurnScreen.Options(
                    style: style, canErase: canErase, formats: services.settings.markdown,
                    thinking: .off, size: { ScreenSize.of(1) }),
                environment: services.environment, output: output) : nil
        self.init(screen: screen, isPiped: !isTerminal, style: style, output: output)
    }

    func begin() async { await screen?.begin() }

    func write(_ piece: String) async {
        if let screen { return await screen.observe(.text(piece)) }
        await output(renderer.render(.text(piece)).flatMap(\.bytes))
    }

    /// Closes its line; what stood for waiting is gone.
    func end() async {
        if let screen { return await screen.finish() }
        await output(renderer.finish().flatMap(\.bytes))
    }
}
