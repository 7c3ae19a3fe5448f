import AgentCore
import Base
import Sound
import Synchronization

/// Assembles speech output from the settings.
extension VoiceAssembly {
    /// - Parameters:
    ///   - engine: used instead of the configured one.
    ///   - readsOn: for long texts; see `EspeakEngine`.
    /// - Throws: `SpeechError`: a missing program, an unusable address.
    package func speechEngine(
        _ engine: VoiceSettings.Speech.Engine? = nil, readsOn: Bool = false
    ) throws(SpeechError) -> any SpeechEngine {
        var wanted = settings.speech
        wanted.engine = engine ?? wanted.engine
        switch SpeechEngineChoice(wanted, hasEspeak: EspeakEngine.isInstalled(variables)) {
        case .espeak:
            return try EspeakEngine(
                environment: environment, cache: voiceCache, readsOn: readsOn)
        case .server:
            let (access, address) = (speechAccess, try speechAddress())
            return ServerSpeechEngine(
                address: address, model: wanted.model, transport: transport
            ) {
                if let key = try await access.key(address) { return key }
                if !access.isVendor(address) { return nil }
                throw SpeechError(reason: .noKey, host: address.authority)
            }
        case .piper:
            return try PiperEngine(
                folder: wanted.models.map { FilePath.expanding($0, home: paths.home) },
                variables: variables)
        case .needsProgram(let names): throw SpeechError(reason: .needsProgram(names))
        }
    }

    /// The remote server that gets the text to read; nil if the text stays on this machine.
    package func speechHost(_ engine: VoiceSettings.Speech.Engine? = nil) -> String? {
        var wanted = settings.speech
        wanted.engine = engine ?? wanted.engine
        let choice = SpeechEngineChoice(wanted, hasEspeak: EspeakEngine.isInstalled(variables))
        // Nothing is sent to an unusable address.
        guard case .server = choice, let address = try? speechAddress(), !address.isLoopback
        else { return nil }
        return address.authority
    }

    private func speechAddress() throws(SpeechError) -> BaseURL {
        do throws(BaseURL.Problem) {
            return try speechAccess.address()
        } catch {
            throw SpeechError(reason: .badAddress(speechAccess.text))
        }
    }

    /// Reads aloud on this machine's sound card when nothing else is playing.
    package func speaker(_ engine: any SpeechEngine, as use: SoundUse) -> Speaker {
        Speaker(engine: engine, sink: sink(as: use))
    }

    /// This machine's sound card when nothing else is playing.
    func sink(as use: SoundUse) -> any AudioSink {
        OwnedSink(
            PlayerSink(command: settings.speech.playerCommand, environment: environment),
            of: sound, as: use)
    }

    /// The configured voice.
    package var voiceChoice: VoiceChoice {
        let speech = settings.speech
        return VoiceChoice(
            identifier: speech.voice, rate: speech.rate, pitch: speech.pitch,
            volume: speech.volume)
    }

    /// The parts of reading aloud that the program needs.
    package var speech: Capability {
        Capability(
            completions: [
                .voice: { [self] in
                    await offeredVoices().map { CompletionWord($0.identifier, $0.name) }
                }
            ])
    }

    /// The voices that can be offered without trying each of them; looked up once. Empty
    /// without an engine.
    private func offeredVoices() async -> [SpeechVoice] {
        if let offered = offered.withLock({ $0 }) { return offered }
        // The error is reported when text is to be read.
        let engine = try? speechEngine()  // So is that of the voices.
        let voices = (try? await engine?.likelyVoices()) ?? []
        offered.withLock { $0 = voices }
        return voices
    }

    /// The spoken replacements for code and tables.
    package func phrases(_ voice: VoiceChoice) -> SpokenPhrases {
        SpokenPhrases(voice: voice.identifier, variables: variables)
    }

    private var voiceCache: EspeakVoiceCache {
        let (path, uuid) = (paths.voices, environment.uuid)
        return EspeakVoiceCache(
            // An unreadable file is an empty cache.
            read: { try? WholeFile.read(path, limit: 1 << 20) },
            // Without the file the voices are tried again next time.
            write: { PrivateFile.replace($0, at: path, uuid: uuid()) })
    }
}
