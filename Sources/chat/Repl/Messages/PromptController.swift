import AgentCore
import Base
import ChatKit
import Persistence
import TerminalKit
import Texts

/// Sends saved prompts as messages: `/prompt use NAME text`.
struct PromptController: ReplController {
    let context: ReplContext
    let messages: MessageController
    let models: ModelController
    let roles: RoleController

    /// `/p` alone: puts the picked prompt into the line, to be completed.
    func pick() async throws {
        let prompts = try await services.prompts.all()
        if canErase {
            let request = PickerRequest(
                heading: "Prompt", items: prompts.map { RoleController.item($0) })
            guard let name = await terminal.pick(request, services.environment) else { return }
            next.draft = LineDraft("/prompt use \(name) ")
            return
        }
        await show(
            RoleController.lines(prompts) + [
                StyledLine(
                    "  /prompt use NAME TEXT sends one · /prompt show NAME · /prompt new NAME", .dim
                )
            ])
    }

    /// - Parameters:
    ///   - rest: the text after the name.
    ///   - line: the whole line, to be corrected after an error.
    func say(_ name: String, _ rest: String, line: String) async throws {
        let prompt = try await services.prompts.required(name)
        await roles.showProblems(of: prompt)
        let call = try PromptCall(typed: rest, for: prompt)
        let hasFiles = next.queue.count > 0
        let text = try call.message(of: prompt, input: hasFiles ? SavedPrompt.files : nil)
        if let model = prompt.model, await !answers(model) { try await models.use(model) }
        var message = OutgoingMessage(PlainMessage(text))
        (message.typed, message.line, message.asksModel) = (rest, line, true)
        message.settings = prompt.answerSettings
        message.kept = prompt.untrustedText
        let first = ConversationTitle.make(from: text)
        await tell("\(prompt.name): \(HostileText.line(first))", .dim)
        try await messages.send(message)
    }

    /// Whether `name` is the current model, its provider, or both as `provider/name`.
    private func answers(_ name: String) async -> Bool {
        guard let choice = await session.expectedChoice() else { return false }
        let provider = choice.provider.rawValue
        let model = choice.model ?? ""
        return [model, provider, "\(provider)/\(model)"].contains(name)
    }
}

extension SavedPrompt {
    /// The input of a prompt that was given only files.
    static let files = "(the attached file)"
}

extension Prompt {
    /// The prompt's settings for the answer; the model is chosen separately.
    var answerSettings: AnswerSettings {
        AnswerSettings(
            effort: effort, temperature: temperature, maxOutputTokens: maxOutputTokens)
    }

    /// The prompt's text if it is untrusted, so that a message with it counts as untrusted.
    var untrustedText: [Attachment] {
        guard hasUntrustedText else { return [] }
        return [
            Attachment(
                name: "\(name).md", mediaType: "text/markdown", bytes: Array(text.utf8),
                isKeptOnly: true)
        ]
    }
}
