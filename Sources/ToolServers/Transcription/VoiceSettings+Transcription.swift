import Base
import Sound

/// The transcription settings in `config.json`.
extension VoiceSettings.Transcription {
    package static let settings = SettingTable<VoiceSettings.Transcription>(
        "an object such as { \"model\": \"whisper-1\" }",
        [
            .init("base_url", \.baseURL, .url, .widens, none: VoiceSettings.vendor),
            .init(silent: "key_command", \.keyCommand, .program("pass"), .widens),
            .init("model", \.model, .text, .plain),
            .init("language", \.language, .language, .plain, none: "automatic"),
            .init("prompt", \.prompt, .text, .plain, none: "none", isSecret: true),
            // Less is half a minute of sound, cut mid-sentence; no request can
            // carry more.
            .init("limit_bytes", \.limitInBytes, .whole(1_000_000...2_000_000_000), .plain),
            .init("keep", \.keepsItems, .flag, .plain),
        ])
}

extension SettingKind<String> {
    fileprivate static var language: Self {
        Self("a code of two or three letters, such as \"en\"") {
            $0.stringValue.flatMap(TranscriptionOptions.languageCode)
        }
    }
}
