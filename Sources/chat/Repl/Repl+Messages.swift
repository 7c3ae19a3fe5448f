import AgentCore
import Base
import ChatKit
import Outside
import TerminalKit

/// A message on its way: with its files, through the turn that is drawn, to how it ended.
extension Repl {
    func send(_ text: String, replacing: Session.Replacement? = nil) async throws {
        try await send(OutgoingMessage(text, replacing: replacing))
    }

    func send(_ message: OutgoingMessage) async throws {
        var message = message
        // Words that nobody typed name no files.
        if !terminal.isTyped { message.typed = "" }
        do {
            try await sendOnce(message)
        } catch SessionError.overBudget {
            // It was asked, and answered.
            await tell("Not sent. Your message is in the history (Up).", .dim)
        } catch SessionError.notUsable(let choice, let missing, let instead) {
            try await offerSwitch(message, choice: choice, missing: missing, instead: instead)
        }
    }

    private func sendOnce(_ message: OutgoingMessage) async throws {
        guard let files = try await filesToSend(with: message) else { return }
        var options = turnScreenOptions
        options.thinking = await session.thinking
        let screen = TurnScreen(
            options: options, environment: services.environment,
            output: { [terminal] in await terminal.write($0) })
        question.use(screen)
        defer { question.use(nil) }
        await screen.showBelow(storyStatus)
        await screen.begin()
        let session = session
        let isTyped = terminal.isTyped
        // A redacted answer has the originals in it by now: no server gets it.
        let staysHere = await !session.redacts || services.voice.speechHost() == nil
        let listener = speaks && staysHere ? answerVoice : nil
        await listener?.begin()
        await session.answer(with: message.settings)
        let task = Task {
            try await session.send(
                message.text, attachments: files, replacing: message.replacing,
                asksModel: message.asksModel, isTyped: isTyped
            ) {
                await screen.observe($0)
                await listener?.hear($0)
            }
        }
        let (external, turnTask) = (services.external, turnTask)
        turnTask.set {
            // While servers start it is the wait that ends.
            if external?.goOnWithout() == true { return turnTask.forgetStop() }
            task.cancel()
            // Silence does not wait for the turn's last words.
            if let listener { Task { await listener.stop() } }
        } onEnter: {
            // Silence; the answer goes on.
            if let listener { Task { await listener.stop() } }
        }
        let result = await task.result
        let wasStopped = turnTask.isStopped
        turnTask.clear()
        if wasStopped { await listener?.stop() } else { await listener?.end() }
        await screen.finish()
        switch result {
        case .success(let answer):
            queue.clear()
            titling?.cancel()
            titling = Task { await session.giveTitle(after: answer) }
            await report(answer, screen: screen)
            if case .model(let outcome, _, _) = answer, outcome.isWithheld { try await takeBack() }
            await notify(seconds: await screen.elapsed)
        case .failure: break
        }
        if case .failure(let error) = result { throw error }
    }

    /// A message that was refused stands in the line again; what is made of it replaces it.
    private func takeBack() async throws {
        try await amend()
        await tell(
            "It is back in the line. As it was it is not sent later either; "
                + "/undo takes it out.", .dim)
    }

    private func report(_ answer: Session.Answer, screen: TurnScreen) async {
        switch answer {
        case .local(let output, _):
            let lines = output.lines.map(\.indented)
            await screen.show(CommandGrammar.prompt.lines(lines) + asides(of: output))
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
                    // With nothing shown the question has been put already.
                    if outcome.hasPartialAnswer {
                        offer = try await stoppable { [services] in
                            await services.otherWay(after: error, than: provider)
                        }
                    }
                } catch {
                    // Stopped: the failure is shown without what would explain it.
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

    /// The conversation's provider cannot be asked now. Nothing goes to
    /// another host before the user has said so.
    private func offerSwitch(
        _ message: OutgoingMessage, choice: ProviderChoice,
        missing: Readiness.Missing, instead: ProviderName?
    ) async throws {
        if case .approval = missing,
            let access = await services.keyRing.access(of: choice.provider)
        {
            guard await terminal.ask("  \(access.question) y or Enter for no: ", mode: .yes) == .yes
            else {
                await tell("Not sent. Your message is in the history (Up).", .dim)
                return
            }
            try await services.keyRing.approve(access)
            try await sendOnce(message)
            return
        }
        guard let instead else {
            let error = SessionError.notUsable(choice: choice, missing: missing, instead: nil)
            await show(services.diagnostics.describe(error))
            await tell("  Up brings your message back.", .dim)
            return
        }
        await show(
            services.diagnostics.describe(
                SessionError.notUsable(choice: choice, missing: missing, instead: nil)))
        let host = await services.connector.host(of: instead)
        let everything = await session.hasHistory ? " The whole conversation goes to \(host)." : ""
        let answer = await terminal.ask(
            "  Go on with \(instead.facts.title)?\(everything) y or Enter for no: ",
            mode: .yes)
        guard answer == .yes else {
            await tell("Not sent. Your message is in the history (Up).", .dim)
            return
        }
        _ = try await session.setModel(ProviderChoice.Selection(provider: instead))
        try await sendOnce(message)
    }
}

/// A message on its way from the prompt, and how it is to be answered. A value.
struct OutgoingMessage {
    /// What is sent.
    var text: String
    /// What the user wrote of it: only there `@` names a file.
    var typed: String
    /// The line that says it again, for when it comes back.
    var line: String
    /// What it is sent instead of.
    var replacing: Session.Replacement?
    var settings = AnswerSettings()
    /// Only a model answers it.
    var asksModel = false
    /// Kept with it and not sent: the text by others that it contains.
    var kept: [Attachment] = []

    init(_ text: String, replacing: Session.Replacement? = nil) {
        self.text = text
        typed = text
        line = text
        self.replacing = replacing
    }
}
