import Base

/// A recording program and the arguments that make it write plain samples to standard
/// output until it is stopped.
///
/// Only the command line: it neither looks for a program nor starts one.
package struct RecorderProgram: Sendable, Equatable {
    /// Name to look up: `arecord`, or the first word of the user's own command.
    package var name: String
    package var arguments: [String]
    /// The sound server that it uses; nil for a card or an unknown program.
    package var server: Server?

    package enum Server: String, Sendable {
        case pipeWire = "PipeWire"
        case pulseAudio = "PulseAudio"

        /// The server's sockets for this user, most likely first; nil if the variables
        /// point elsewhere.
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

    /// The programs to try, best first; only the user's own if there is one.
    package static func candidates(
        own: [String]? = nil, _ format: PCMFormat = .dictation
    ) -> [RecorderProgram] {
        if let own, let name = own.first {
            return [RecorderProgram(name: name, arguments: Array(own.dropFirst()))]
        }
        let rate = String(format.rate)
        let channels = String(format.channels)
        // ffmpeg buffers 32 KiB before it writes, unless told otherwise.
        let ffmpegOutput = [
            "-ac", channels, "-ar", rate, "-flush_packets", "1", "-f", "s16le", "pipe:1",
        ]
        let ffmpegInput = ["-nostdin", "-hide_banner", "-loglevel", "error"]
        return [
            // Plain samples up to 1.2, later with an AU header; older versions do not know
            // `--raw` (see `RecorderStream`).
            RecorderProgram(
                name: "pw-record",
                arguments: ["--rate", rate, "--channels", channels, "--format", "s16", "-"],
                server: .pipeWire),
            // Without a latency setting the server may send two seconds at a time.
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
            // A buffer of 64 ms in the dictation format, for the meter.
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

    /// The names of `candidates` without the user's own, without duplicates.
    package static let knownNames = ["pw-record", "parecord", "arecord", "rec", "ffmpeg"]

    /// The environment variables with which a recorder finds the sound server or the card,
    /// besides those of every child process. None of it is secret: PULSE_COOKIE is a path.
    package static func environment(from variables: [String: String]) -> [String: String] {
        let extra = variables.keys.filter { name in
            families.contains { name.hasPrefix($0) } || singles.contains(name)
        }
        return Subprocess.baseEnvironment(from: variables, adding: Set(extra))
    }

    private static let families = ["PULSE_", "PIPEWIRE_", "ALSA_"]
    /// The last two are sox's.
    private static let singles: Set<String> = ["XDG_CONFIG_HOME", "AUDIODRIVER", "AUDIODEV"]

    /// The line of its error output that gives the reason, without the library's messages
    /// before it (ALSA prints eight lines).
    package static func lastWords(of errorOutput: [UInt8]) -> String {
        let lines = String(decoding: errorOutput, as: UTF8.self).split(whereSeparator: \.isNewline)
        let line = lines.last { !$0.allSatisfy(\.isWhitespace) } ?? ""
        return String(line.prefix(300))
    }
}
