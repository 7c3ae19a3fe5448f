import AgentCore
import Base
import DateLanguage
import ICalendar
import Transcription

/// The parsed arguments of `record`. Pure.
package struct RecordOptions: Sendable, Equatable {
    package static let noun = "record"

    /// Seconds after which recording stops by itself.
    package var limit: Double?
    /// File for the recording.
    package var output: String?
    package var transcribes = true
    package var keeps = false
    var language: String?
    /// Format of the shell's output.
    var format = TranscriptWriter.Format.text

    /// The arguments of `transcribe`: no file is written beside the recording.
    package func transcribing(_ path: String) -> [String] {
        ["file", path, "--no-save", "--format", format.rawValue]
            + (language.map { ["--language", $0] } ?? [])
    }

    package static let table = Verb(
        "start", "record and print the words",
        options: [
            .init("--for 5m", "stop by itself after this long"),
            .init("--output FILE.wav", "save the recording there", .file),
            .init("--no-transcribe", "only record"),
            .init("--language L", "what is spoken, such as en or de"),
            .init(
                "--format", oneOf: TranscriptWriter.Format.allCases.map(\.rawValue),
                "the format of what is printed"),
            .init("--keep", "keep the recording after it is transcribed"),
        ], json: "text recording, or path seconds", example: "--for 90s")

    /// - Throws: `UsageError`.
    package init(_ arguments: [String]) throws(UsageError) {
        try self.init(CommandArguments(arguments, of: Self.table, name: Self.noun))
    }

    package init(_ arguments: CommandArguments) throws(UsageError) {
        if let text = arguments["--for"] {
            guard let length = DurationParser.duration(of: text, bare: .second),
                length.days > 0 || length.seconds > 0
            else {
                throw UsageError(
                    "\"\(text)\" is not a length of time.", hint: "record --for 90s, 5m, 1h")
            }
            limit = Double(length.nominalSeconds)
        }
        output = arguments["--output"]
        if let text = arguments["--language"] { language = try TranscriptionRequest.language(text) }
        format = try arguments.choice("--format") ?? .text
        transcribes = !arguments.has("--no-transcribe")
        keeps = arguments.has("--keep")
        if let output, !output.lowercased().hasSuffix(".wav") {
            throw UsageError(
                "Recordings are WAV files; \"\(output)\" must end in .wav.",
                hint: "record --output \(output).wav")
        }
    }
}
