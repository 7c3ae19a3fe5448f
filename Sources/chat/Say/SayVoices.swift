import AgentCore
import TerminalKit
import ToolServers

/// Voices as lines and as JSON. Pure.
enum SayVoices {
    static func output(_ voices: [SpeechVoice], of engine: String) -> CommandOutput {
        let width = min(28, voices.map { DisplayWidth.of($0.identifier) }.max() ?? 0)
        var lines = voices.map { voice in
            // A server may call its voices by any words.
            let name = voice.name == voice.identifier ? "" : voice.name
            return StyledLine([
                StyledLine.Span(DisplayWidth.pad(HostileText.line(voice.identifier), to: width)),
                StyledLine.Span("  " + DisplayWidth.pad(voice.gender?.rawValue ?? "", to: 7), .dim),
                StyledLine.Span(" " + HostileText.line(name), .dim),
            ])
        }
        if voices.isEmpty { lines = [StyledLine("\(engine) lists no voices like that.", .dim)] }
        return CommandOutput(
            lines: lines,
            json: .array(
                voices.map { voice in
                    .compact([
                        "id": .string(voice.identifier), "name": .string(voice.name),
                        "language": .string(voice.language),
                        "gender": voice.gender.map { .string($0.rawValue) },
                    ])
                }))
    }
}
