import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Persistence
import Planner
import Routines
import Sound
import Stories
import TerminalKit
import Texts

/// The chat at the prompt: reads lines, and passes each to its controller.
///
/// Decides the order of output on the screen. `Session` handles messages; `TerminalSession` handles
/// input and output.
final class Repl: ReplController {
    let context: ReplContext
    let commands: CapabilityCommands
    let conversations: ConversationController
    let models: ModelController
    let roles: RoleController
    let redaction: RedactionController
    let messages: MessageController
    let prompts: PromptController
    let answers: AnswerController
    let attachments: AttachmentController
    let folders: FolderController
    let drafts: DraftController
    let dictation: DictationController
    let speech: SpeechController
    let stories: StoryController
    let alerts: ReplAlerts?
    /// Whether the last input was Ctrl-C on an empty line.
    private var wasInterrupted = false
    private var isLeaving = false
    /// Whether a blank line is due before the next output.
    private var hasTurnEnded = true
    private var refreshing: Task<Void, Never>?
    /// Runs in the background each time a prompt opens.
    var onPrompt: (@Sendable () async -> Void)?

    init(_ context: ReplContext, commands all: [Command], alerts: ReplAlerts? = nil) {
        self.context = context
        self.alerts = alerts
        commands = CapabilityCommands(context: context, all: all)
        answers = AnswerController(context: context)
        models = ModelController(context: context)
        roles = RoleController(context: context, models: models)
        redaction = RedactionController(context: context)
        conversations = ConversationController(
            context: context, commands: commands, answers: answers, roles: roles)
        attachments = AttachmentController(context: context)
        folders = FolderController(context: context)
        speech = SpeechController(context, commands: commands, answers: answers)
        stories = StoryController(context: context, commands: commands, speech: speech)
        drafts = DraftController(context: context)
        dictation = DictationController(context: context, commands: commands)
        messages = MessageController(
            context, attachments: attachments, models: models, speech: speech, stories: stories)
        prompts = PromptController(
            context: context, messages: messages, models: models, roles: roles)
    }

    /// Runs until the user leaves.
    ///
    /// - Throws: what kept the conversation from being opened for piped lines, which were meant for it.
    func run() async throws -> ExitCode {
        do {
            try await conversations.openFirst()
        } catch {
            if error is SessionError, !terminal.isInteractive { throw error }
            await show(services.diagnostics.describe(error))
            // A message would start one: say so before it is typed.
            if error is SessionError { await conversations.showNew() }
        }
        for line in services.settings.brokenLines { await tell("! \(line)", .warning) }
        await dictation.showRescued()
        await showRefusedFiles()
        await folders.openFirst()
        let ringing = alerts.map { alerts in Task { await alerts.run() } }
        let listening = services.stories?.player.map { stories.watch($0) }
        let greeting = Task { [services, terminal, style] in
            if services.settings.refusal(of: .ringing) != nil { return }
            await TodayLine(services: services, terminal: terminal, style: style).show()
        }
        let indexing = Task { [services] in await SearchIndexing(services: services).run() }
        await review()
        await readLines()
        await speech.answerVoice.stop()
        await services.stories?.player?.stop()
        listening?.cancel()
        ringing?.cancel()
        indexing.cancel()
        greeting.cancel()
        await messages.end()
        await listening?.value
        await ringing?.value
        await refreshing?.value
        await indexing.value
        await greeting.value
        return .ok
    }

    /// Asks about each due item after a review has run.
    private func review() async {
        guard terminal.isInteractive, let command = commands.named(RemindersServer.noun) else {
            return
        }
        do {
            if try await services.routines?.takeReview() == true {
                _ = try await commands.run(command, ["review"])
            }
        } catch { await show(services.diagnostics.describe(error)) }
    }

    private func readLines() async {
        while !isLeaving {
            refreshWords()
            await showTitle()
            let kept = next.draft
            next.draft = ""
            if hasTurnEnded, terminal.isInteractive { await terminal.write([0x0A]) }
            hasTurnEnded = false
            switch await terminal.readLine(
                prompt: style.text(await promptLine), draft: kept,
                offersWriting: services.writing != nil, takesClipboard: true)
            {
            case .endOfInput:
                isLeaving = true
            case .edit(let text): await drafts.edit(text)
            case .dictate(let text): await dictation.dictate(text)
            case .paste(let before, let after): await attachments.paste(before, after)
            case .writing(let selection): await drafts.write(selection)
            case .interrupted(let typed):
                let hadText = !typed.isEmpty
                if await speech.answerVoice.isSpeaking {
                    // Ctrl-C was meant for the speech, not the line.
                    await speech.answerVoice.stop()
                    next.draft = LineDraft(restored: typed)
                    wasInterrupted = false
                    continue
                }
                if !hadText, wasInterrupted {
                    isLeaving = true
                } else if !hadText {
                    await tell("Ctrl-C again or Ctrl-D leaves", .dim)
                }
                if hadText { await messages.dropTranscripts() }
                wasInterrupted = !hadText
                next.replaces = nil
                continue
            case .line(let line):
                await speech.answerVoice.stop()
                await handle(line)
                hasTurnEnded = !line.trimmingSpace().isEmpty
            }
            wasInterrupted = false
        }
    }

    /// Starts one refresh at a time; the prompt does not wait for it.
    private func refreshWords() {
        guard let onPrompt else { return }
        let before = refreshing
        refreshing = Task {
            await before?.value
            await onPrompt()
        }
    }

    private func handle(_ line: String) async {
        let replaced = next.replaces
        next.replaces = nil
        if await drafts.takeKeys(outOf: line) { return }
        do {
            if terminal.isTyped {
                switch try await attachments.attachDropped(line) {
                case .message: break
                case .attached, .declined: return
                case .command(let typed): return try await run(typed)
                }
            }
            if let (name, rest) = PromptCall.parts(ofLine: line) {
                return try await prompts.say(name, rest, line: line)
            }
            switch try ReplLine.parse(line) {
            case .empty: break
            case .message(let text):
                let message = PlainMessage(text)
                if replaced == nil, terminal.isTyped, try await runNamed(message) { return }
                try await messages.send(OutgoingMessage(message, replacing: replaced))
            case .command(let name, let arguments): try await run(name, arguments)
            }
        } catch {
            await show(services.diagnostics.describe(error, isMessage: !line.hasPrefix("/")))
        }
    }

    /// Runs the command that a message names, if the message contains nothing else.
    ///
    /// - Returns: false for any other message.
    private func runNamed(_ message: PlainMessage) async throws -> Bool {
        guard services.settings.routing != .model else { return false }
        let found = services.registry.servers.lazy.compactMap { $0.command(for: message) }
        guard let typed = found.first else { return false }
        try await run(typed)
        return true
    }

    /// - Parameter typed: a command and its arguments.
    private func run(_ typed: [String]) async throws {
        guard let name = typed.first else { return }
        try await runCommand(name, Array(typed.dropFirst()))
    }

    /// Reports, once, which of our files cannot be used; everything else works without them.
    private func showRefusedFiles() async {
        let refused = [services.paths.history, services.paths.log].compactMap(PrivateFile.refusal)
        await show(
            refused.map { StyledLine("  \(Diagnostic(of: $0).what)", .warning) })
    }

    /// Sets the window's title, if configured: by default the title is left to other programs.
    private func showTitle() async {
        guard services.settings.title, terminal.isInteractive else { return }
        terminal.setTitle(await session.record.map { "chat · \($0.title)" } ?? "chat")
    }

    func leave() { isLeaving = true }
}
