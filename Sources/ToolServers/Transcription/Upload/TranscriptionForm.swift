import AgentCore
import Sound

/// The form of one upload (`POST …/audio/transcriptions`). Pure.
///
/// The text fields precede the sound, so that a server can refuse before it has
/// read it. The name of the file never leaves the machine: the sound is named
/// after its kind.
struct TranscriptionForm: Sendable {
    let parts: [MultipartBody.Part]
    /// The text fields by name, without list brackets.
    let texts: [String: String]
    let streams: Bool

    /// - Throws: `notOffered`, before anything is sent.
    init(
        _ upload: TranscriptionUpload,
        adjustments: TranscriptionAdjustments = TranscriptionAdjustments(), host: String = ""
    ) throws(TranscriptionError) {
        let options = upload.options
        let model = TranscriptionModel(options.model)
        if let what = model.refusal(of: options) {
            throw TranscriptionError(
                reason: .notOffered(what: what, model: options.model), host: host)
        }
        var fields = [("model", options.model)]
        let format = adjustments.format(Self.format(for: options, model))
        if let format { fields.append(("response_format", format)) }
        if let language = options.language, !language.isEmpty {
            fields.append(("language", language))
        }
        if let prompt = options.prompt, !prompt.isEmpty, model.takesPrompt,
            adjustments.sends("prompt")
        {
            fields.append(("prompt", prompt))
        }
        // `verbose_json` returns segments without being asked.
        if options.times == .words, format == "verbose_json",
            adjustments.sends("timestamp_granularities")
        {
            fields.append(("timestamp_granularities[]", "word"))
            fields.append(("timestamp_granularities[]", "segment"))
        }
        if model.needsChunkingStrategy, adjustments.sends("chunking_strategy") {
            fields.append(("chunking_strategy", "auto"))
        }
        streams = model.streams && adjustments.sends("stream")
        if streams { fields.append(("stream", "true")) }

        texts = Dictionary(
            fields.map { name, text in (String(name.prefix { $0 != "[" }), text) },
            uniquingKeysWith: { first, _ in first })
        parts =
            fields.map { MultipartBody.Part(name: $0.0, text: $0.1) } + [
                MultipartBody.Part(
                    name: "file", filename: "audio." + upload.kind.fileExtension,
                    contentType: upload.kind.mediaType, content: upload.audio)
            ]
    }

    private static func format(
        for options: TranscriptionOptions, _ model: TranscriptionModel
    ) -> String {
        switch model.family {
        case .whisper: options.times == .none ? "json" : "verbose_json"
        case .transcribe: "json"
        case .diarize: "diarized_json"
        }
    }
}
