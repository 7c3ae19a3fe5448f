import AgentCore
import ToolServers

/// What records and speaks.
extension VoiceParts {
    /// Makes no folder and starts nothing before it records.
    func recorder() -> Recorder {
        Recorder(
            settings: settings.recording, variables: variables, folder: paths.recordings,
            environment: environment)
    }

    /// The engine of the settings: a server only where one was named.
    /// - Throws: `needsProgram`, `badAddress`.
    func speechEngine() throws(SpeechError) -> any SpeechEngine {
        switch (settings.speech.engine, settings.speech.baseURL) {
        case (.espeak, _), (.auto, nil):
            return try EspeakEngine(environment: environment, cache: voiceCache)
        case (.server, _), (.auto, .some):
            let base = try speechAddress()
            return ServerSpeechEngine(
                address: base, model: settings.speech.model, transport: transport,
                key: { try await self.speechKey(base) })
        }
    }

    /// What was found out about the voices of a version of espeak-ng; lost, it
    /// is found out again.
    private var voiceCache: EspeakVoiceCache {
        let folder = paths.stateFolder
        let path = folder + "/voices"
        let uuid = environment.uuid
        return EspeakVoiceCache(
            read: { SmallFile.read(path, limit: 1 << 20) },
            // Not kept, it is probed again.
            write: { _ = SmallFile.write($0, to: path, folder: folder, uuid: uuid()) })
    }
}
