import AgentCore
import ToolServers

/// The words after `record`. Pure.
struct RecordOptions: Sendable, Equatable {
    /// Seconds after which it ends by itself.
    var limit: Double?
    /// Where the recording is kept.
    var output: String?
    var transcribes = true
    var keeps = false
    var language: String?
    /// Of what the shell prints.
    var format = TranscriptWriter.Format.text

    /// For the transcription: nothing is written beside the recording.
    func request(title: String) -> TranscriptionRequest {
        var request = TranscriptionRequest()
        request.title = title
        request.format = format
        request.language = language
        request.saves = false
        return request
    }

    static let usage =
        "[--for 5m] [--output FILE.wav] [--no-transcribe] [--language L] [--format F] [--keep]"

    /// - Throws: `UsageError`.
    init(_ words: [String]) throws(UsageError) {
        var rest = words[...]
        func value(_ name: String, _ example: String) throws(UsageError) -> String {
            guard let value = rest.popFirst(), !value.isEmpty else {
                throw UsageError("\(name) needs a value.", hint: "record \(name) \(example)")
            }
            return value
        }
        while let word = rest.popFirst() {
            switch word {
            case "--for":
                let text = try value(word, "5m")
                guard let length = DurationParser.duration(of: text, bare: .second),
                    length.days > 0 || length.seconds > 0
                else {
                    throw UsageError(
                        "\"\(text)\" is no length of time.", hint: "record --for 90s, 5m, 1h")
                }
                limit = Double(length.days * 86_400 + length.seconds)
            case "--output": output = try value(word, "memo.wav")
            case "--language":
                language = try TranscriptionRequest.language(try value(word, "en"))
            case "--format":
                let name = try value(word, "srt")
                guard let format = TranscriptWriter.Format(rawValue: name) else {
                    throw UsageError(
                        "There is no format \"\(name)\".", hint: "--format text, srt, vtt or json")
                }
                self.format = format
            case "--no-transcribe": transcribes = false
            case "--keep": keeps = true
            default:
                throw UsageError(
                    "record does not know \"\(word)\".", hint: "record \(Self.usage)")
            }
        }
        if let output, !output.lowercased().hasSuffix(".wav") {
            throw UsageError(
                "A recording is a WAV file; \"\(output)\" does not say so.",
                hint: "record --output \(output).wav")
        }
    }
}
