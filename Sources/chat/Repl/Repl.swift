import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Persistence
import Sound
import Stories
import TerminalKit
import Texts

/// The chat at the prompt: reads lines, runs slash commands, sends messages,
/// and shows what comes back.
///
/// It owns the order of things on the screen. What a message does is
/// `Session`'s; what is typed and written is `TerminalSession`'s.
final class Repl {
    let services: Services
    let commands: [Command]
    let terminal: TerminalSession
    let style: Style
    let session: Session
    let canErase: Bool
    let options: ReplOptions
    /// The system's temporary state: the last Ctrl-C was on an empty line.
    private var wasInterrupted = false
    private var isLeaving = false
    /// A blank line sets what comes next apart.
    private var hasTurnEnded = true
    /// What stands in the line of the next prompt.
    var draft: LineDraft = ""
    private var refreshing: Task<Void, Never>?
    var titling: Task<Void, Never>?
    /// What the next message is sent instead of.
    var amended: Session.Replacement?
    let turnTask: TurnTask
    let question: TurnAsker
    let alerts: ReplAlerts?
    /// Files for the next message.
    var queue = AttachmentQueue()
    /// Answers are read aloud, in this session.
    var speaks: Bool
    let answerVoice: AnswerVoice
    /// Done each time before a prompt opens, beside it.
    var onPrompt: (@Sendable () async -> Void)?

    init(
        services: Services, commands: [Command], terminal: TerminalSession, style: Style,
        canErase: Bool, options: ReplOptions, turnTask: TurnTask, asker: TurnAsker? = nil,
        alerts: ReplAlerts? = nil
    ) async throws {
        self.services = services
        self.commands = commands
        self.canErase = canErase
        self.terminal = terminal
        self.style = style
        self.options = options
        self.turnTask = turnTask
        question =
            asker
            ?? TurnAsker(
                terminal: terminal,
                edit: ExternalEditor.forCommands(services) { await terminal.lend($0) })
        self.alerts = alerts
        speaks = services.voice.settings.speaksAnswers
        answerVoice = AnswerVoice(
            voice: services.voice.voiceChoice,
            phrases: services.voice.phrases(services.voice.voiceChoice),
            environment: services.environment,
            make: { [voice = services.voice] in voice.speaker(try voice.speechEngine(), as: .answer)
            },
            onProblem: { [diagnostics = services.diagnostics, question] error in
                let lines =
                    error is AnswerVoice.TooLong
                    ? [StyledLine("  Too long to be read aloud to the end.", .warning)]
                    : diagnostics.describe(error).lines
                // Not into the middle of the answer.
                if await !question.show(lines) {
                    await terminal.write(lines.flatMap { style.bytes($0) })
                }
            })
        session = try await Session(
            services: services,
            options: Session.Options(
                kind: .repl,
                flags: ProviderChoice.Selection(
                    provider: options.global.provider,
                    model: try await services.model(for: options.global)),
                preferences: try await services.preferences(options.global, system: options.system),
                usesTools: options.usesTools,
                policy: ApprovalPolicy(isInteractive: true), approver: question.approver,
                choose: { [question, commands] output in
                    let answer = await question.pick(output)
                    guard case .choice(let index) = answer else {
                        return CommandOutput(lines: [ChoiceList.declined(answer)])
                    }
                    return try await Self.run(output.choices[index], commands)
                }, confirm: { [question] in await question.confirms($0, $1) },
                confirmSpending: { [question] excess in await question.confirm(excess) }))
        services.refused.attach(
            find: { [session] in try await session.refusedTurn() },
            takeOut: { [session] in try await session.takeOut($0) })
        services.writing?.answer.attach { [session] in try await session.lastAnswer() }
    }

    /// Runs until the user leaves.
    func run() async -> ExitCode {
        do {
            try await openFirst()
        } catch {
            await show(services.diagnostics.describe(error))
            // A message would start one: to be said before it is typed.
            if error is SessionError { await showNew() }
        }
        for line in services.settings.brokenLines { await tell("! \(line)", .warning) }
        await showRescued()
        await showRefusedFiles()
        await openFirstFolders()
        let ringing = alerts.map { alerts in Task { await alerts.run() } }
        let listening = services.stories?.player.map { watch($0) }
        let greeting = Task { [services, terminal, style] in
            if services.settings.refusal(of: .ringing) != nil { return }
            await TodayLine(services: services, terminal: terminal, style: style).show()
        }
        let indexing = Task { [services] in await SearchIndexing(services: services).run() }
        await readLines()
        await answerVoice.stop()
        await services.stories?.player?.stop()
        listening?.cancel()
        ringing?.cancel()
        indexing.cancel()
        greeting.cancel()
        titling?.cancel()
        await listening?.value
        await ringing?.value
        await refreshing?.value
        await indexing.value
        await greeting.value
        await titling?.value
        return .ok
    }

    private func readLines() async {
        while !isLeaving {
            refreshWords()
            await showTitle()
            let kept = draft
            draft = ""
            if hasTurnEnded, terminal.isInteractive { await terminal.write([0x0A]) }
            hasTurnEnded = false
            switch await terminal.readLine(
                prompt: style.text(await promptLine), draft: kept,
                offersWriting: services.writing != nil, takesClipboard: true)
            {
            case .endOfInput:
                isLeaving = true
            case .edit(let text): await editDraft(text)
            case .dictate(let text): await dictate(text)
            case .paste(let before, let after): await paste(before, after)
            case .writing(let selection): await write(selection)
            case .interrupted(let typed):
                let hadText = !typed.isEmpty
                if await answerVoice.isSpeaking {
                    // That is what Ctrl-C was meant for, not the line.
                    await answerVoice.stop()
                    draft = LineDraft(restored: typed)
                    wasInterrupted = false
                    continue
                }
                if !hadText, wasInterrupted {
                    isLeaving = true
                } else if !hadText {
                    await tell("Ctrl-C again or Ctrl-D leaves", .dim)
                }
                if hadText { await dropTranscripts() }
                wasInterrupted = !hadText
                amended = nil
                continue
            case .line(let line):
                await answerVoice.stop()
                await handle(line)
                hasTurnEnded = !line.trimmingSpace().isEmpty
            }
            wasInterrupted = false
        }
    }

    /// One at a time; the prompt does not wait for it.
    private func refreshWords() {
        guard let onPrompt else { return }
        let before = refreshing
        refreshing = Task {
            await before?.value
            await onPrompt()
        }
    }

    /// The prompt before the line: it shows when the conversation is redacted.
    var promptLine: StyledLine {
        get async {
            let mark = StyledLine.Span("> ", .accent)
            return StyledLine(await session.redacts ? [.init("redact ", .dim), mark] : [mark])
        }
    }

    private func handle(_ line: String) async {
        let replaced = amended
        amended = nil
        if await takeKeys(outOf: line) { return }
        do {
            if terminal.isTyped, try await attachDropped(line) { return }
            if let (name, rest) = PromptCall.parts(ofLine: line) {
                return try await say(name, rest, line: line)
            }
            switch try ReplLine.parse(line) {
            case .empty: break
            case .message(let text):
                if replaced == nil, terminal.isTyped, try await runNamed(text) { return }
                try await send(text, replacing: replaced)
            case .command(let name, let words): try await run(name, words)
            }
        } catch {
            await show(services.diagnostics.describe(error))
        }
    }

    /// A command that was picked instead of typed.
    static func run(
        _ choice: CommandOutput.Choice, _ commands: [Command],
        _ interaction: Interaction = Interaction()
    ) async throws -> CommandOutput {
        guard let command = commands.first(where: { $0.name == choice.command.first }) else {
            preconditionFailure("a choice names no command: \(choice.command)")
        }
        return try await command.run(Array(choice.command.dropFirst()), interaction)
    }

    /// Runs what may take long so that Ctrl-C stops it.
    ///
    /// - Parameter note: shown once it has taken half a second.
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

    // MARK: - Output

    func show(_ lines: [StyledLine]) async {
        await terminal.write(lines.flatMap { style.bytes($0) })
    }

    /// One remark, indented.
    func tell(_ text: String, _ style: StyledLine.Style = .plain) async {
        await show([StyledLine("  " + text, style)])
    }

    func show(_ diagnostic: Diagnostic) async { await show(diagnostic.lines) }

    /// A document as it is.
    func show(document text: String) async {
        let text = HostileText.text(text)
        await terminal.write(text.hasSuffix("\n") ? text : text + "\n")
    }

    func leave() { isLeaving = true }
}
