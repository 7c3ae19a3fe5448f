import AgentCore

/// A conversation that tells no model who the user is. Every request for it (for an answer, a
/// title, a summary, a text for a tool server, to another provider after a failure) is made here.
extension Session {
    /// The provider that is asked for this conversation.
    func provider(_ name: ProviderName) async throws -> any Provider {
        let provider = try await services.connector.provider(name)
        return redacts ? RedactingProvider(provider, person: services.person) : provider
    }

    /// In a picture, a PDF or a recording nothing can be found and taken out.
    ///
    /// - Throws: `SessionError.cannotRedact`; nothing was saved or sent.
    func refuseUnredactable(_ message: Message) throws {
        guard redacts else { return }
        for case .attachment(let file) in message.parts
        where !file.isKeptOnly && AttachmentContent.kind(of: file) != .text {
            throw SessionError.cannotRedact(file: file.name)
        }
    }
}
