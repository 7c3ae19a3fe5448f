/// Which engine speaks, from what the person wants and what there is. Pure.
///
/// A server is asked only when it was named: text is not sent to anybody
/// because a program is missing.
package enum SpeechEngineChoice: Sendable, Equatable {
    case espeak
    case server
    /// One of these has to be installed.
    case needsProgram([String])

    /// - Parameter hasEspeak: it is in the `PATH`.
    package init(_ settings: VoiceSettings.Speech, hasEspeak: Bool) {
        switch (settings.engine, settings.baseURL) {
        case (.server, _), (.auto, _?): self = .server
        case (.espeak, _), (.auto, nil):
            self = hasEspeak ? .espeak : .needsProgram([EspeakProgram.name])
        }
    }
}
