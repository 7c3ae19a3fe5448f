import AgentCore

/// Which engine speaks, from what the person wants and what there is. Pure.
///
/// A server is asked only when it was named: text is not sent to anybody
/// because a program is missing.
package enum SpeechEngineChoice: Sendable, Equatable {
    case espeak
    /// With its `/v1`.
    case server(BaseURL)
    /// One of these has to be installed.
    case needsProgram([String])
    /// The address cannot be used, in the person's spelling.
    case badAddress(String)

    /// - Parameters:
    ///   - hasEspeak: it is in the `PATH`.
    ///   - openAI: where `engine = server` goes that names no address.
    package init(_ settings: VoiceSettings.Speech, hasEspeak: Bool, openAI: BaseURL) {
        switch (settings.engine, settings.baseURL) {
        case (.server, nil): self = .server(openAI)
        case (.server, let text?), (.auto, let text?):
            do {
                self = .server(try BaseURL(text))
            } catch {
                self = .badAddress(text)
            }
        case (.espeak, _), (.auto, nil):
            self = hasEspeak ? .espeak : .needsProgram([EspeakProgram.name])
        }
    }
}
