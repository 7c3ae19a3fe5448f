import Base

/// A program that records, and the words that make it write plain samples to
/// its standard output until it is stopped.
///
/// Only the words: it looks for no program and starts none.
package struct RecorderProgram: Sendable, Equatable {
    /// As it is looked up: `arecord`, or the first word of the user's own command.
    package var name: String
    package var arguments: [String]
    /// The one that it gets its sound from; nil for a card, or for one that we
    /// do not know.
    package var server: Server?

    package enum Server: String, Sendable {
        case pipeWire = "PipeWire"
        case pulseAudio = "PulseAudio"

        /// Where it listens for this user, the likeliest first; nil where the
        /// variables lead elsewhere.
        package func sockets(_ variables: [String: String]) -> [String]? {
            func folder(_ name: String) -> String? {
                (variables[name] ?? variables["XDG_RUNTIME_DIR"]).flatMap {
                    $0.hasPrefix("/") ? $0 : nil
                }
            }
            switch self {
            case .pipeWire:
                guard variables["PIPEWIRE_REMOTE"] == nil,
                    let own = folder("PIPEWIRE_RUNTIME_DIR")
                else { return nil }
                return [own + "/pipewire-0", "/run/pipewire/pipewire-0"]
            case .pulseAudio:
                guard variables["PULSE_SERVER"] == nil, variables["PULSE_RUNTIME_PATH"] == nil,
                    let own = folder("XDG_RUNTIME_DIR")
                else { return nil }
                return [own + "/pulse/native", "/run/pulse/native"]
            }
        }
    }

    /// What is tried, the best first; the user's own program alone when
    /// there is one.
    package static func candidates(
        own: [String]? = nil, _ format: PCMFormat = .dictation
    ) -> [RecorderProgram] {
        if let own, let name = own.first {
            return [RecorderProgram(name: name, arguments: Array(own.dropFirst()))]
        }
        let rate = String(format.rate)
        let channels = String(format.channels)
        // ffmpeg waits for 32 KiB before it writes, unless told otherwise.
        let ffmpegOutput = [
            "-ac", channels, "-ar", rate, "-flush_packets", "1", "-f", "s16le", "pipe:1",
        ]
        let ffmpegInput = ["-nostdin", "-hide_banner", "-loglevel", "error"]
        return [
            // Plain samples up to 1.2, an AU header before them later; `--raw`
            // is unknown to the older ones (see `RecorderStream`).
            RecorderProgram(
                name: "pw-record",
                arguments: ["--rate", rate, "--channels", channels, "--format", "s16", "-"],
                server: .pipeWire),
            // Without a latency the server may send two seconds at a time.
            RecorderProgram(
                name: "parecord",
                arguments: [
                    "--raw", "--rate=" + rate, "--channels=" + channels, "--format=s16le",
                    "--latency-msec=50", "--client-name=chat",
                ], server: .pulseAudio),
            RecorderProgram(
                name: "arecord",
                arguments: [
                    "-q", "-t", "raw", "-f", "S16_LE", "-r", rate, "-c", channels, "-",
                ]),
            // A buffer of 64 ms at the format of dictation, for the meter.
            RecorderProgram(
                name: "rec",
                arguments: [
                    "-q", "--buffer", "2048", "-t", "raw", "-e", "signed-integer", "-b", "16",
                    "-L", "-r", rate, "-c", channels, "-",
                ]),
            RecorderProgram(
                name: "ffmpeg",
                arguments: ffmpegInput + [
                    "-f", "pulse", "-sample_rate", rate, "-channels", channels,
                    "-fragment_size", String(format.bytes(ofSeconds: 0.05)), "-i", "default",
                ] + ffmpegOutput, server: .pulseAudio),
            RecorderProgram(
                name: "ffmpeg",
                arguments: ffmpegInput + ["-f", "alsa", "-i", "default"] + ffmpegOutput),
        ]
    }

    /// The names of `candidates` without one of the user's own, each once.
    package static let knownNames = ["pw-record", "parecord", "arecord", "rec", "ffmpeg"]

    /// What a recorder needs to find the sound server or the card, besides
    /// what every child of ours gets. None of it is a secret: PULSE_COOKIE is
    /// a path.
    package static func environment(from variables: [String: String]) -> [String: String] {
        let extra = variables.keys.filter { name in
            families.contains { name.hasPrefix($0) } || singles.contains(name)
        }
        return Subprocess.baseEnvironment(from: variables, adding: Set(extra))
    }

    private static let families = ["PULSE_", "PIPEWIRE_", "ALSA_"]
    /// The last two are sox's.
    private static let singles: Set<String> = ["XDG_CONFIG_HOME", "AUDIODRIVER", "AUDIODEV"]

    /// Its own last words, to be shown: the line that says why, without the
    /// library's complaints before it (ALSA says eight lines).
    package static func lastWords(of errorOutput: [UInt8]) -> String {
        let lines = String(decoding: errorOutput, as: UTF8.self).split(whereSeparator: \.isNewline)
        let line = lines.last { !$0.allSatisfy(\.isWhitespace) } ?? ""
        return String(line.prefix(300))
    }
}
