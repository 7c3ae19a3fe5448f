import AgentCore
import Base
import ChatKit
import Glibc
import TerminalKit
import Texts

/// The place where ideas are shown and decided, with the actions available there.
@dynamicMemberLookup
struct IdeaPlace: Sendable {
    var place: PanelPlace
    /// Makes a writer that shows an idea outside a panel.
    var writer: @Sendable () -> IdeaWriter
    var edit: @Sendable (_ text: String) async -> EditedText
    var copy: @Sendable (_ text: String) async throws -> [StyledLine]
    /// Runs a command of the program: noun, verb, arguments.
    var run: @Sendable (_ arguments: [String]) async throws -> CommandOutput
    /// Makes the watch that reports silence during generation.
    var silence: @Sendable () -> SilenceWatch
    var usesUnicode = true
    /// Opens the menu of writing tools for a text: returns the accepted text, or nil if none was
    /// accepted. Nil if there is no menu.
    var rewrite: (@Sendable (_ text: String) async throws -> String?)?

    subscript<Value>(dynamicMember path: KeyPath<PanelPlace, Value>) -> Value {
        place[keyPath: path]
    }

    /// The keys that work here.
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

    /// Asks the first time which kind of ideas the user wants.
    /// - Throws: `IdeaError.noPrompt` without a user to ask, or without an answer.
    func firstPrompt(_ book: IdeaBook) async throws -> String {
        if let prompt = try await book.memory.read().prompt { return prompt }
        guard place.isInteractive else { throw IdeaError(.noPrompt) }
        await place.say(
            [
                StyledLine("  What kind of ideas do you want? Say it in your own words:", .bold),
                StyledLine("  the prompt is kept, and p changes it at any time.", .dim),
            ] + Self.examples.map { StyledLine("    \($0)", .dim) })
        let answer = try await place.ask("  Idea prompt: ") ?? ""
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
    /// The place at a chat's prompt.
    static func prompt(_ terminal: TerminalSession, _ services: Services, _ style: Style) -> Self {
        let canErase = terminal.isInteractive && services.variables.hasCursor
        return IdeaPlace(
            place: PanelPlace(
                terminal, style, describe: { services.diagnostics.describe($0) }),
            writer: {
                IdeaWriter(
                    screen: TurnScreen(
                        options: TurnScreen.Options(
                            style: style, canErase: canErase,
                            formats: services.settings.markdown, thinking: .off,
                            wrap: services.settings.wrap, size: { terminal.size }),
                        environment: services.environment,
                        output: { await terminal.write($0) }),
                    isPiped: false, style: style, output: { _ in })
            },
            edit: { await edit($0, terminal, services) },
            copy: {
                try await TerminalClipboard(terminal, services, canErase).copy($0, "the idea")
            },
            run: { try await run($0, services) },
            silence: { SilenceWatch(services.environment) }, usesUnicode: style.usesUnicode,
            rewrite: rewriting(terminal, services, style))
    }

    private static func rewriting(
        _ terminal: TerminalSession, _ services: Services, _ style: Style
    ) -> (@Sendable (String) async throws -> String?)? {
        services.writing.map { writing in
            { @Sendable text in await writing.rewritten(text, services, on: terminal, style: style)
            }
        }
    }

    /// The place in the shell: ideas on stdout, everything else on stderr.
    static func shell(_ shell: ShellPanel, _ services: Services) -> Self {
        let isTerminal = isatty(1) == 1
        let canErase = isTerminal && services.variables.hasCursor
        let terminal = shell.terminal
        let write: @Sendable ([UInt8]) async -> Void = { bytes in
            // The terminal has a single writer.
            if isTerminal, let terminal {
                await terminal.write(bytes)
            } else {
                await services.output.write(bytes)
            }
        }
        return IdeaPlace(
            place: shell.place(services),
            writer: { IdeaWriter(services, isTerminal: isTerminal, canErase: canErase, write) },
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
            silence: { SilenceWatch(services.environment) },
            usesUnicode: services.style(isTerminal: isTerminal).usesUnicode,
            rewrite: terminal.flatMap { terminal in
                guard terminal.isInteractive else { return nil }
                return rewriting(terminal, services, services.style(isTerminal: true))
            })
    }

    private static func edit(
        _ text: String, _ terminal: TerminalSession, _ services: Services
    ) async -> EditedText {
        await ExternalEditor.forCommands(services) { await terminal.lend($0) }(text, "idea.md")
    }

    private static func run(
        _ arguments: [String], _ services: Services
    ) async throws -> CommandOutput {
        guard
            let command = services.registry.servers.flatMap(\.commands)
                .first(where: { $0.name == arguments.first })
        else { throw ToolError.failed("\(arguments.first ?? "") is not available here") }
        return try await command.run(Array(arguments.dropFirst()))
    }
}

/// Shows an idea as it arrives: formatted on a capable terminal, with a waiting sign that is
/// erased; unformatted in a pipe and on other terminals.
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

    /// A writer to the shell's stdout.
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
                    thinking: .off, wrap: services.settings.wrap, size: { ScreenSize.of(1) }),
                environment: services.environment, output: output) : nil
        self.init(screen: screen, isPiped: !isTerminal, style: style, output: output)
    }

    func begin() async { await screen?.begin() }

    func write(_ piece: String) async {
        if let screen { return await screen.observe(.text(piece)) }
        await output(renderer.render(.text(piece)).flatMap(\.bytes))
    }

    /// Ends its line and removes the waiting sign.
    func end() async {
        if let screen { return await screen.finish() }
        await output(renderer.finish().flatMap(\.bytes))
    }
}
