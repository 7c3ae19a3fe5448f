import AgentCore
import Base
import Sound

/// The parsed arguments of `say`. Pure.
package struct SayOptions: Sendable, Equatable {
    package static let noun = "say"
    package static let engine = Verb.Option(
        "--engine", oneOf: VoiceSettings.Speech.Engine.allCases.map(\.rawValue), "what reads it")

    package static let table = Verb(
        "aloud", "read it, or write the sound to a file",
        [.phrase("TEXT", isOptional: true, repeats: true)],
        options: [
            .init("--file FILE", "read that instead of TEXT", .file),
            .init("-o, --output FILE.wav", "write the sound to it", .file),
            .init("--force", "replace an existing file"),
            .init("--voice V", "the voice, as chat say voices lists it", .voice),
            .init("--rate 0-1", "how fast"), .init("--pitch 0.5-2", "how high"),
            .init("--volume 0-1", "how loud"), engine,
        ], example: "Good morning")

    /// The options of `/say`, which neither reads nor writes a file.
    static let spoken = table.options.filter {
        Set(["--file", "--output", "--force"]).isDisjoint(with: $0.names)
    }

    /// Empty if it comes from another source.
    package var text: String
    package var file: String?
    /// File to write instead of playing.
    package var output: String?
    /// Whether an existing file may be replaced.
    package var replaces: Bool
    package var engine: VoiceSettings.Speech.Engine?
    package var voice: VoiceChoice

    init(_ arguments: [String], standard: VoiceChoice) throws(UsageError) {
        try self.init(
            CommandArguments(arguments, of: Self.table, name: Self.noun), standard: standard)
    }

    /// - Parameter standard: the configured voice.
    package init(_ arguments: CommandArguments, standard: VoiceChoice) throws(UsageError) {
        text = arguments.text
        file = arguments["--file"]
        output = arguments["--output"]
        replaces = arguments.has("--force")
        voice = standard
        if let name = arguments["--voice"] { voice.identifier = name }
        voice.rate = try Self.number(arguments, "--rate", 0...1) ?? voice.rate
        voice.pitch = try Self.number(arguments, "--pitch", 0.5...2) ?? voice.pitch
        voice.volume = try Self.number(arguments, "--volume", 0...1) ?? voice.volume
        engine = try arguments.choice("--engine")
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
