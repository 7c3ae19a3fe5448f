import AgentCore
import Base
import CalendarFiles
import ChatKit
import Persistence

/// Messages that are answered here, without a model.
extension Session {
    /// Whether "it" may refer to the model's latest answer in the stored conversation: no alarm or
    /// local answer has followed. A turn that failed without text does not count.
    func modelSpokeLast() async throws -> Bool {
        let answered = try await lastTurns(8).last { stored in
            stored.id != replaced && stored.turn.messages.contains { $0.role == .assistant }
        }
        guard let answered, !answered.turn.isLocal else { return false }
        return await services.alerts?.hasActed(since: answered) != true
    }

    /// Whether a message that was not typed may be carried out locally: not one that deletes,
    /// sends, undoes, or stores data for later conversations.
    func mayBePiped(_ match: IntentMatch) -> Bool {
        !match.refersBack
            && match.suggestedTools.allSatisfy { name in
                guard let tool = services.registry.tool(named: name) else { return true }
                return !tool.toolClass.deletesOrSends && !tool.outlastsConversation
            }
    }

    /// The first non-nil server answer.
    /// - Parameter isTyped: if false, the text it stores is not marked as the user's own.
    func locally(
        _ message: PlainMessage, by names: [String], mayAsk: Bool, isTyped: Bool,
        _ observe: @escaping Agent.Observer
    ) async throws -> CommandOutput? {
        for name in names {
            guard let server = services.registry.servers.first(where: { $0.name == name }) else {
                continue
            }
            let answer = try await Emitter.shown {
                await observe(.toolProgress($0, callID: ""))
            } _: { emit in
                try await ToolCallContext.$hasUntrustedText.withValue(!isTyped) {
                    try await server.handle(message: message, mayAsk: mayAsk, emit: emit)
                }
            }
            guard let output = answer else { continue }
            if output.choices.isEmpty { return output }
            return try await options.choose?(output) ?? ChoiceList.unattended(output)
        }
        return nil
    }

    func offlineAnswer(_ nearest: IntentRouter.Judgement?) -> CommandOutput {
        let said = services.diagnostics.describe(SessionError.noModel(nearest: nearest))
        let todo = said.todo ?? ""
        guard let match = nearest?.match, match.fallbackMessage != nil else {
            return CommandOutput(
                lines: [StyledLine("\(said.what) \(todo)", .dim)], outcome: .needsKeyOrNetwork,
                sources: [])
        }
        let lines = [StyledLine(said.what, .warning), StyledLine(todo, .dim)]
        // The message was understood: a model would not find anything of that name either.
        return match.isComplete
            ? CommandOutput(lines: [lines[0]], outcome: .refused, sources: [])
            : CommandOutput(lines: lines, outcome: .needsKeyOrNetwork, sources: [])
    }

    func recordLocal(_ message: Message, _ output: CommandOutput) async throws -> Answer {
        let answer = output.lines.map(\.text).joined(separator: "\n")
        var message = message
        message.parts.insert(contentsOf: output.kept.map(Part.attachment), at: 0)
        let quotesUntrustedText = await !services.shared.calendars.areOwn(output.quotedFiles)
        do {
            let journal = try await currentJournal(provider: .offline, model: "")
            let turn = try await agent.recordLocalTurn(
                message: message, answer: answer, quotesUntrustedText: quotesUntrustedText,
                journal: journal)
            remember(turn)
            await refreshRecord()
            return .local(output, turn)
        } catch {
            // The action was done: showing only the failure would make the user repeat it.
            var output = output
            output.notices.append(
                "Done, but not saved in the conversation: "
                    + services.diagnostics.describe(error).what)
            if output.outcome == .ok { output.outcome = .degraded }
            let reply = Message(role: .assistant, parts: [.text(answer)])
            return .local(
                output,
                Turn(
                    status: .done, messages: [message, reply], isLocal: true,
                    carriesUntrustedText: quotesUntrustedText))
        }
    }
}

extension Attachment {
    /// Piped text as an attachment: it is sent as the message, and kept as untrusted text.
    static func piped(_ text: String) -> Attachment {
        Attachment(
            name: "stdin", mediaType: "text/plain", bytes: Array(text.utf8), isKeptOnly: true)
    }
}
