import AgentCore
import Base
import Sound

/// The parsed arguments of `transcribe`. Pure.
package struct TranscriptionRequest: Sendable, Equatable {
    package var paths: [String] = []
    package var format = TranscriptWriter.Format.text
    package var language: String?
    package var prompt: String?
    package var model: String?
    package var showsTimes = false
    package var wantsSpeakers = false
    /// Replaces stdout and the file beside the recording.
    package var output: String?
    package var isFresh = false
    /// Whether to save a file beside the recording.
    package var saves = true

    package init() {}

    package init(_ arguments: CommandArguments) throws(UsageError) {
        paths = arguments.plain.filter { !$0.isEmpty }
        if paths.contains("-") {
            throw UsageError(
                "A recording is read from a file, not from standard input.",
                hint: "Save it first: … > speech.ogg && chat transcribe speech.ogg")
        }
        if let name = arguments["--format"] {
            guard let format = Self.format(name) else {
                throw UsageError(
                    "There is no format \"\(name)\".", hint: "--format text, srt, vtt or json")
            }
            self.format = format
        }
        if let language = arguments["--language"] { self.language = try Self.language(language) }
        prompt = arguments["--prompt"].flatMap { $0.isEmpty ? nil : $0 }
        model = arguments["--model"].flatMap { $0.isEmpty ? nil : $0 }
        output = arguments["--output"].flatMap { $0.isEmpty ? nil : $0 }
        showsTimes = arguments.has("--timestamps")
        wantsSpeakers = arguments.has("--speakers")
        isFresh = arguments.has("--fresh")
        saves = !arguments.has("--no-save") && output == nil
        if output != nil, paths.count > 1 {
            throw UsageError(
                "--output takes one recording at a time.",
                hint: "Without it each transcript is written beside its recording.")
        }
        if showsTimes, format != .text {
            throw UsageError(
                "--timestamps is for text; \(format.rawValue) has times anyway.", hint: nil)
        }
    }

    /// Also accepts the format's usual file extension.
    private static func format(_ name: String) -> TranscriptWriter.Format? {
        let name = name.lowercased()
        return TranscriptWriter.Format.allCases.first {
            $0.rawValue == name || $0.fileExtension == name
        }
    }

    /// Parses the value of `--language`.
    package static func language(_ text: String) throws(UsageError) -> String {
        guard let code = TranscriptionOptions.languageCode(text) else {
            throw UsageError(
                "\"\(text)\" is not a language code.",
                hint: "Two letters, such as --language en or --language de")
        }
        return code
    }

    /// The options for the server.
    ///
    /// - Parameter offered: the times that a model can provide; they are
    ///   requested even if not needed, since they show where a paragraph ends.
    func options(
        _ settings: VoiceSettings.Transcription,
        offered: (_ model: String) -> TranscriptionOptions.Times
    ) -> TranscriptionOptions {
        let model = model ?? settings.model
        let times: TranscriptionOptions.Times
        switch format {
        case .json: times = offered(model)
        case .srt, .vtt: times = .segments
        case .text: times = showsTimes || offered(model) != .none ? .segments : .none
        }
        return TranscriptionOptions(
            model: model, language: language ?? settings.language,
            prompt: prompt ?? settings.prompt,
            times: times,
            wantsSpeakers: wantsSpeakers)
    }
}
