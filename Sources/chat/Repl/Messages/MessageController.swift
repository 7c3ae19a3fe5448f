import AgentCore
import Base
import ChatKit
import Outside
import Persistence
import Sound
import TerminalKit

/// Sends a message: collects its files, draws the turn, and handles its outcome.
final class MessageController: ReplController {
    let context: ReplContext
    private let attachments: AttachmentController
    private let models: ModelController
    private let speech: SpeechController
    private let stories: StoryController
    private var titling: Task<Void, Never>?

    init(
        _ context: ReplContext, attachments: AttachmentController, models: ModelController,
        speech: SpeechController, stories: StoryController
    ) {
        self.context = context
        self.attachments = attachments
        self.models = models
        self.speech = speech
        self.stories = stories
    }

    /// Waits for background work.
    func end() async {
        titling?.cancel()
        await titling?.value
    }

    /// Puts dictated words into the line, or sends them; the conversation keeps them as a text
    /// file.
    func take(_ said: CommandOutput.Draft) async throws {
        let text = DraftedTranscript.fit(said.text)
        if text.isEmpty {
            await tell("No words were heard in it.", .warning)
            return
        }
        let kept = next.queue.keep(text, of: said.source)
        let line = LineDraft("", DraftedTranscript.part(text, of: said.source))
        guard said.sends else {
            next.draft = line
            await show([
                StyledLine(
                    "    Enter sends it · " + (line.isFolded ? "Tab unfolds it · " : "")
                        + "kept as \(kept) · /attach clear forgets that", .dim)
            ])
            return
        }
        try await send(text)
        // Not sent, as a notice said: the words are now only in the draft.
        if !next.queue.transcripts.isEmpty { next.draft = line }
    }

    /// Drops the transcripts that belonged to the discarded line.
    func dropTranscripts() async {
        let names = next.queue.dropTranscripts()
        if names.isEmpty { return }
        await tell("\(names.joined(separator: ", ")) will not go with the next message", .dim)
    }

    func send(_ text: String, replacing: Session.Replacement? = nil) async throws {
        try await send(OutgoingMessage(PlainMessage(text), replacing: replacing))
    }

    func send(_ message: OutgoingMessage) async throws {
        var message = message
        // Text that was not typed names no files.
        if !terminal.isTyped { message.typed = "" }
        do {
            try await sendOnce(message)
        } catch SessionError.overBudget {
            // The user has just answered the question about it.
            await tell("Not sent. Your message is in the history (Up).", .dim)
        } catch SessionError.notUsable(let choice, let missing, let instead) {
            try await offerSwitch(message, choice: choice, missing: missing, instead: instead)
        }
    }

    private func sendOnce(_ message: OutgoingMessage) async throws {
        guard let files = try await attachments.filesToSend(with: message) else { return }
        let screen = TurnScreen(
            options: await screenOptions, environment: services.environment,
            output: { [terminal] in await terminal.write($0) })
        question.use(screen)
        defer { question.use(nil) }
        await screen.showBelow(stories.status)
        await screen.begin()
        let session = session
        let isTyped = terminal.isTyped
        let listener = await speech.listener
        await listener?.begin()
        await session.answer(with: message.settings)
        let task = Task {
            try await session.send(
                message.plain, attachments: files, replacing: message.replacing,
                asksModel: message.asksModel, isTyped: isTyped
            ) {
                await screen.observe($0)
                await listener?.hear($0)
            }
        }
        let (external, turnTask) = (services.external, turnTask)
        turnTask.set {
            // While servers start, end only the wait.
            if external?.goOnWithout() == true { return turnTask.forgetStop() }
            task.cancel()
            // Stop reading aloud at once, not only when the turn has ended.
            if let listener { Task { await listener.stop() } }
        } onEnter: {
            // Stop only the reading; the answer continues.
            if let listener { Task { await listener.stop() } }
        }
        let result = await task.result
        let wasStopped = turnTask.isStopped
        turnTask.clear()
        if wasStopped { await listener?.stop() } else { await listener?.end() }
        await screen.finish()
        switch result {
        case .success(let answer):
            next.queue.clear()
            titling?.cancel()
            titling = Task { await session.giveTitle(after: answer) }
            await report(answer, screen: screen)
            if case .model(let outcome, _, _) = answer, outcome.isWithheld { try await takeBack() }
            await notify(seconds: await screen.elapsed)
        case .failure: break
        }
        if case .failure(let error) = result { throw error }
    }

    private var screenOptions: TurnScreen.Options {
        get async {
            TurnScreen.Options(
                style: style, canErase: canErase, formats: services.settings.markdown,
                thinking: await session.thinking, wrap: services.settings.wrap,
                size: { [terminal] in terminal.size })
        }
    }

    /// Puts a refused message back into the line; the edited one replaces it.
    private func takeBack() async throws {
        try await amend()
        await tell(
            "It is back in the line. As it was it is not sent later either; "
                + "/undo takes it out.", .dim)
    }

    // MARK: - The last message

    /// `/retry [MODEL]`
    func retry(with model: String?) async throws {
        guard let last = try await session.lastMessage(isAgain: true) else {
            throw UsageError.nothingSaid
        }
        if let model { try await models.use(model) }
        if last.turn.isWithheld, await session.redacts {
            await tell("It would be refused again: change it first.", .warning)
            return try await amend()
        }
        if last.turn.turn.isLocal {
            await tell("It was answered without a model; what was done stays (/undo).", .warning)
        }
        let files = last.attachments.map(\.name)
        let what = files.isEmpty ? last.text : last.text + " · " + files.joined(separator: ", ")
        await tell("again: \(ConversationTitle.make(from: what))", .dim)
        try await send(last.text, replacing: last)
    }

    /// `/amend`
    func amend() async throws {
        guard let last = try await session.lastMessage(isAgain: false) else {
            throw UsageError.nothingSaid
        }
        let files = last.attachments.map(\.name)
        if !files.isEmpty {
            await show([StyledLine("  with \(files.joined(separator: ", "))", .dim)])
        }
        if last.turn.turn.isLocal {
            await tell("What was done for it stays; /undo takes it back.", .warning)
        }
        next.replaces = last
        next.draft = LineDraft(last.text)
    }

    private func report(_ answer: Session.Answer, screen: TurnScreen) async {
        switch answer {
        case .local(let output, _):
            let grammar = CommandGrammar.prompt
            await screen.show(
                grammar.lines(output.lines.map(\.indented))
                    + grammar.asides(output).map(\.indented))
        case .model(let outcome, let provider, let model):
            let seconds = await screen.elapsed
            var facts = FailureFacts()
            var offer: StyledLine?
            if case .failed(let error) = outcome.note {
                let connector = services.connector
                do {
                    facts = try await stoppable {
                        await connector.facts(about: error, model: model)
                    }
                    // If nothing was shown, the user has already been asked.
                    if outcome.hasPartialAnswer {
                        offer = try await stoppable { [services] in
                            await services.otherWay(after: error, than: provider)
                        }
                    }
                } catch {
                    // Stopped: show the failure without an explanation.
                }
                facts.isAtPrompt = true
                facts.isTold = await session.hasDeclined
            }
            let cost = services.prices.cost(
                of: outcome.turn.usage, model: model, provider: provider, isOneTurn: true)
            await screen.show(
                TurnReport.lines(outcome, seconds: seconds, facts: facts, cost: cost))
            if let offer { await screen.show([offer]) }
        }
    }

    /// The conversation's provider cannot be reached. Nothing is sent to another host unless the
    /// user agrees.
    private func offerSwitch(
        _ message: OutgoingMessage, choice: ProviderChoice,
        missing: Readiness.Missing, instead: ProviderName?
    ) async throws {
        if case .approval = missing,
            let access = await services.keyRing.access(of: choice.provider)
        {
            guard await confirms(access.question) else {
                await tell("Not sent. Your message is in the history (Up).", .dim)
                return
            }
            try await services.keyRing.approve(access)
            try await sendOnce(message)
            return
        }
        let error = SessionError.notUsable(choice: choice, missing: missing, instead: nil)
        await show(services.diagnostics.describe(error))
        guard let instead else {
            await tell("  Up brings your message back.", .dim)
            return
        }
        let host = await services.connector.host(of: instead)
        let everything = await session.hasHistory ? " The whole conversation goes to \(host)." : ""
        guard await confirms("Go on with \(instead.facts.title)?\(everything)") else {
            await tell("Not sent. Your message is in the history (Up).", .dim)
            return
        }
        _ = try await session.setModel(ProviderChoice.Selection(provider: instead))
        try await sendOnce(message)
    }

    private func notify(seconds: Double) async {
        let notifier = AnswerNotifier(
            way: services.settings.notify, variables: services.variables)
        guard terminal.isInteractive,
            notifier.isDue(seconds: seconds, isFocused: terminal.isFocused)
        else { return }
        let title = await session.record?.title ?? ""
        let bytes = notifier.bytes(title: title)
        if notifier.way == .bell {
            await services.voice.sound.ring { [terminal] in await terminal.write(bytes) }
        } else {
            await terminal.write(bytes)
        }
        await notifier.tellDesktop(title: title)
    }
}
