import Base
import StoryKit

/// The user's settings for transcribing, recording and speaking.
package struct VoiceSettings: Sendable, Equatable {
    package struct Transcription: Sendable, Equatable {
        /// Includes `/v1`; nil for OpenAI's own address (or OPENAI_BASE_URL).
        package var baseURL: String?
        /// Program and arguments that print the key for that server.
        package var keyCommand: [String]?
        package var model = "whisper-1"
        package var language: String?
        package var prompt: String?
        /// Maximum bytes of sound in one upload. 25 MB is OpenAI's limit (their guide), and
        /// decimal is the stricter of its two documented readings.
        package var limitInBytes = 25_000_000
        /// Save transcripts as items of the library.
        package var keepsItems = true
    }

    package struct Recording: Sendable, Equatable {
        /// Program and arguments that write raw 16 kHz mono samples to stdout; nil for the
        /// first installed recorder.
        package var command: [String]?
        package var capInMinutes = 60
        /// Seconds of silence after which recording stops by itself; nil for never.
        package var stopAfterSilence: Double?
    }

    package struct Speech: Sendable, Equatable {
        package enum Engine: String, Sendable, CaseIterable { case auto, espeak, piper, server }

        package var engine = Engine.auto
        package var baseURL: String?
        /// The command that prints the key, as for transcription.
        package var keyCommand: [String]?
        package var model = "gpt-4o-mini-tts"
        /// Folder with piper's models.
        package var models: String?
        package var voice: String?
        package var rate = 0.3
        package var pitch = 1.0
        package var volume = 0.5
        /// Program and arguments that play raw samples from stdin; nil for the first
        /// installed player.
        package var playerCommand: [String]?
    }

    package var transcription = Transcription()
    package var recording = Recording()
    package var speech = Speech()
    /// Reading styles for stories, besides the built-in ones.
    package var presets: [String: VoicePreset] = [:]
    /// Read answers aloud as they arrive.
    package var speaksAnswers = false

    package init() {}
}

extension VoiceSettings {
    /// Text shown for an address or a program that is not set.
    package static let vendor = "OpenAI's"
    fileprivate static let installed = "the first that is installed"
}

extension VoiceSettings.Recording {
    /// The settings in `config.json`.
    package static let settings = SettingTable<VoiceSettings.Recording>(
        "an object such as { \"cap_minutes\": 60 }",
        [
            .init(
                "command", \.command, .program("arecord"), .widens, none: VoiceSettings.installed,
                isOwn: true),
            .init("cap_minutes", \.capInMinutes, .whole(1...1_440), .plain),
            .init(
                "stop_after_silence", \.stopAfterSilence, .number(0.5...600, unit: " s"), .plain,
                none: "never"),
        ])
}

extension VoiceSettings.Speech {
    /// The settings in `config.json`.
    package static let settings = SettingTable<VoiceSettings.Speech>(
        "an object such as { \"voice\": \"en-gb+f3\" }",
        [
            .init("engine", \.engine, .word, .widens(if: { $0 == .server })),
            .init("base_url", \.baseURL, .url, .widens, none: VoiceSettings.vendor),
            .init(silent: "key_command", \.keyCommand, .program("pass"), .widens),
            .init("model", \.model, .text, .plain),
            .init("models", \.models, .folder, .widens, none: "none"),
            .init("voice", \.voice, .text, .plain, none: "automatic"),
            .init("rate", \.rate, .number(0...1), .plain),
            .init("pitch", \.pitch, .number(0.5...2), .plain),
            .init("volume", \.volume, .number(0...1), .plain),
            .init(
                "player", \.playerCommand, .program("aplay"), .widens,
                none: VoiceSettings.installed,
                isOwn: true),
        ])
}
