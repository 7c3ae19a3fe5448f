import AgentCore
import ToolServers

/// What `say` is to read and how: its words as they were given. Pure.
struct SayOptions: Sendable, Equatable {
    static let usage =
        "[TEXT…] [--file FILE] [--voice V] [--rate 0-1] [--pitch 0.5-2] [--volume 0-1] "
        + "[--output FILE.wav] [--engine espeak|server]"

    /// Empty when it comes from elsewhere.
    var text: String
    var file: String?
    /// Where it is written instead of being heard.
    var output: String?
    /// A file that is there may be replaced.
    var replaces: Bool
    var engine: VoiceSettings.Speech.Engine?
    var voice: VoiceChoice

    /// - Parameter standard: the voice of the settings.
    init(_ words: [String], standard: VoiceChoice) throws(UsageError) {
        let arguments = try CommandArguments(
            words, verb: "say",
            options: [
                "--file", "--voice", "--rate", "--pitch", "--volume", "--output", "--engine",
            ], flags: ["--force"])
        text = arguments.text
        file = arguments["--file"]
        output = arguments["--output"]
        replaces = arguments.flags.contains("--force")
        voice = standard
        if let name = arguments["--voice"] { voice.identifier = name }
        voice.rate = try Self.number(arguments, "--rate", 0...1) ?? voice.rate
        voice.pitch = try Self.number(arguments, "--pitch", 0.5...2) ?? voice.pitch
        voice.volume = try Self.number(arguments, "--volume", 0...1) ?? voice.volume
        if let name = arguments["--engine"] {
            guard let engine = VoiceSettings.Speech.Engine(rawValue: name) else {
                throw UsageError(
                    "There is no engine \"\(name)\".", hint: "--engine espeak, or --engine server")
            }
            self.engine = engine
        }
        if file != nil, !text.isEmpty {
            throw UsageError(
                "Both a text and a file were given.", hint: "Leave one of them out.")
        }
        if file?.isEmpty ?? false || output?.isEmpty ?? false {
            throw UsageError("The name of the file is empty.")
        }
    }

    private static func number(
        _ arguments: CommandArguments, _ name: String, _ range: ClosedRange<Double>
    ) throws(UsageError) -> Double? {
        guard let text = arguments[name] else { return nil }
        guard let number = Double(text), range.contains(number) else {
            let low = range.lowerBound == 0.5 ? "0.5" : "0"
            throw UsageError(
                "\(name) is a number from \(low) to \(Int(range.upperBound)).",
                hint: "\(name) \(name == "--pitch" ? "1.2" : "0.5")")
        }
        return number
    }
}
