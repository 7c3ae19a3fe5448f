import AgentCore
import ToolServers

/// The settings of voice: as those who transcribe, record and speak take
/// them, and as they are listed.
extension Settings {
    var voice: VoiceSettings {
        var result = VoiceSettings()
        result.transcription = transcription.value
        result.recording = recording.value
        result.recording.command = recorder.value
        result.speech = speech.value
        result.speech.playerCommand = player.value
        result.speaksAnswers = speak.value == .on
        return result
    }

    /// A program and its arguments: the variable before the file.
    static func program(
        _ name: String, _ variables: [String: String], else configured: [String]?
    ) throws(ConfigurationError) -> Setting<[String]?> {
        guard let line = variables[name], !line.isEmpty else {
            return Setting(
                value: configured, source: configured == nil ? .standard : .configuration)
        }
        guard let words = ShellTokenizer.words(of: line), words.first?.isEmpty == false else {
            throw ConfigurationError(
                reason: .wrongVariable(name: name, accepted: "a program and its arguments"))
        }
        return Setting(value: words, source: .environment(name))
    }

    static func text(_ transcription: VoiceSettings.Transcription) -> String {
        "base_url \(transcription.baseURL ?? "OpenAI's"), model \(transcription.model), "
            + "language \(transcription.language ?? "automatic"), "
            + "prompt \(transcription.prompt == nil ? "none" : "set"), "
            + "limit_bytes \(transcription.limitInBytes)"
    }

    static func text(_ recording: VoiceSettings.Recording) -> String {
        "cap_minutes \(recording.capInMinutes), "
            + "stop_after_silence \(recording.stopAfterSilence.map { "\(plain($0)) s" } ?? "never")"
    }

    static func text(_ speech: VoiceSettings.Speech) -> String {
        "engine \(speech.engine.rawValue), base_url \(speech.baseURL ?? "OpenAI's"), "
            + "model \(speech.model), voice \(speech.voice ?? "automatic"), "
            + "rate \(plain(speech.rate)), pitch \(plain(speech.pitch)), "
            + "volume \(plain(speech.volume))"
    }

    static func text(program words: [String]?) -> String {
        words.map { $0.joined(separator: " ") } ?? "the first that is installed"
    }

    /// 60 for 60.0, 0.5 for 0.5.
    static func plain(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? "\(number)"
    }
}
