import AgentCore
import ChatKit

/// Prepares what is sent to a model: files that it supports, and in a redacted conversation
/// nothing that identifies the user. Every request (an answer, a title, a summary, a text
/// for a tool server, another provider after a failure) gets its provider here.
extension Session {
    /// The provider for this conversation.
    func provider(_ name: ProviderName) async throws -> any Provider {
        let provider = try await services.connector.provider(name)
        return redacts
            ? RedactingProvider(provider, person: services.person, memo: redactionMemo) : provider
    }

    /// Refuses a picture, PDF or recording, since nothing can be redacted in it.
    ///
    /// - Throws: `SessionError.cannotRedact`; nothing was saved or sent.
    func refuseUnredactable(_ message: Message) throws {
        guard redacts else { return }
        for case .attachment(let file) in message.parts
        where !file.isKeptOnly && AttachmentContent.kind(of: file) != .text {
            throw SessionError.cannotRedact(file: file.name)
        }
    }

    /// The files in a form the model supports; an unknown model is looked up.
    func prepare(
        _ files: [InputFiles.Loaded], _ global: GlobalOptions
    ) async throws -> [AttachmentLoader.Prepared] {
        let flags = ProviderChoice.Selection(provider: global.provider, model: global.model)
        var choice = await expectedChoice()
        if choice == nil {
            choice = await services.connector.choiceLooking(flags: flags, conversation: nil)
        }
        return try await AttachmentLoader(services).prepare(
            files, for: AttachmentLoader.target(of: choice, services))
    }
}
