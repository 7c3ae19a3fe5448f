import AgentCore
import Base
import ChatKit
import Persistence
import TerminalKit

/// State shared by the controllers of the prompt: the open conversation, the terminal, and
/// the next message.
struct ReplContext {
    let services: Services
    let session: Session
    let terminal: TerminalSession
    let style: Style
    /// Whether the terminal understands control sequences.
    let canErase: Bool
    let options: ReplOptions
    let turnTask: TurnTask
    let question: TurnAsker
    let next = NextMessage()
}

extension ReplContext {
    /// Starts with a session that has no conversation open yet.
    init(
        services: Services, commands: [Command], terminal: TerminalSession, style: Style,
        canErase: Bool, options: ReplOptions, turnTask: TurnTask, asker: TurnAsker
    ) async throws {
        let session = try await Session(
            services: services,
            options: Session.Options(
                kind: .repl,
                flags: ProviderChoice.Selection(
                    provider: options.global.provider,
                    model: try await services.model(for: options.global)),
                preferences: try await services.preferences(options.global, system: options.system),
                usesTools: options.usesTools,
                policy: ApprovalPolicy(isInteractive: true), approver: asker.approver,
                choose: { output in
                    let answer = await asker.pick(output)
                    guard case .choice(let index) = answer else {
                        return CommandOutput(lines: [ChoiceList.declined(answer)])
                    }
                    return try await CapabilityCommands.run(output.choices[index], commands)
                }, confirm: { await asker.confirms($0, $1) },
                confirmSpending: { await asker.confirm($0) }))
        services.refused.attach(
            find: { try await session.refusedTurn() },
            takeOut: { try await session.takeOut($0) })
        services.writing?.answer.attach { try await session.lastAnswer() }
        self.init(
            services: services, session: session, terminal: terminal, style: style,
            canErase: canErase, options: options, turnTask: turnTask, question: asker)
    }
}

/// The next message, except for the text in the terminal's line.
final class NextMessage {
    /// Draft for the next prompt.
    var draft: LineDraft = ""
    /// The message that the next one replaces.
    var replaces: Session.Replacement?
    /// Files to send with it.
    var queue = AttachmentQueue()
}

/// Handles one group of slash commands and keys at the prompt.
protocol ReplController {
    var context: ReplContext { get }
}

extension ReplController {
    var services: Services { context.services }
    var session: Session { context.session }
    var terminal: TerminalSession { context.terminal }
    var style: Style { context.style }
    var canErase: Bool { context.canErase }
    var options: ReplOptions { context.options }
    var turnTask: TurnTask { context.turnTask }
    var question: TurnAsker { context.question }
    var next: NextMessage { context.next }

    var windowWidth: Int { WindowWidth.columns(of: 1) ?? 80 }

    /// The text before the input line; it shows whether the conversation is redacted.
    var promptLine: StyledLine {
        get async {
            let mark = StyledLine.Span("> ", .accent)
            return StyledLine(await session.redacts ? [.init("redact ", .dim), mark] : [mark])
        }
    }

    func show(_ lines: [StyledLine]) async {
        await terminal.write(lines.flatMap { style.bytes($0) })
    }

    func show(_ diagnostic: Diagnostic) async { await show(diagnostic.lines) }

    /// One remark, indented.
    func tell(_ text: String, _ style: StyledLine.Style = .plain) async {
        await show([StyledLine("  " + text, style)])
    }

    /// Shows a document unformatted.
    func show(document text: String) async {
        let text = HostileText.text(text)
        await terminal.write(text.hasSuffix("\n") ? text : text + "\n")
    }

    /// Asks a question answered with one key; Enter means no.
    ///
    /// - Parameter question: without the hint which keys to press.
    func confirms(_ question: String) async -> Bool {
        await terminal.ask("  \(question) y or Enter for no: ", mode: .yes) == .yes
    }

    /// Runs a long operation that Ctrl-C can stop.
    ///
    /// - Parameter note: shown after half a second.
    func stoppable<Value: Sendable>(
        saying note: String? = nil, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let waiting = note.map { note in
            Task { [terminal, style, sleep = services.environment.sleep] in
                try await sleep(.milliseconds(500))
                await terminal.write(style.bytes(StyledLine("  \(note) … · Ctrl-C stops", .dim)))
            }
        }
        defer { waiting?.cancel() }
        let task = Task { try await body() }
        turnTask.set { task.cancel() }
        defer { turnTask.clear() }
        return try await task.value
    }
}
