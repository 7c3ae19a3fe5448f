import Base

/// A program that plays raw samples from its standard input, and its arguments for a format.
///
/// Pure: whether it is installed is `PlayerFinder`'s. All of them are asked to
/// hold little themselves, so that a pause is heard soon.
package struct PlayerProgram: Sendable, Equatable {
    /// A name to look up in PATH, or an absolute path.
    package var name: String
    /// `{rate}` and `{channels}` stand for the format's, `{layout}` for the
    /// channels in the words of FFmpeg.
    private var template: [String]
    /// Only those whose `--help` names this option can do it.
    package private(set) var neededOption: String?

    /// The user's own command.
    package init?(command: [String]) {
        guard let name = command.first, !name.isEmpty else { return nil }
        self.init(name, Array(command.dropFirst()))
    }

    private init(_ name: String, _ template: [String], neededOption: String? = nil) {
        self.name = name
        self.template = template
        self.neededOption = neededOption
    }

    package func arguments(for format: PCMFormat) -> [String] {
        let layouts = [1: "mono", 2: "stereo"]
        let values = [
            "{rate}": String(format.rate), "{channels}": String(format.channels),
            "{layout}": layouts[format.channels] ?? "\(format.channels)c",
        ]
        return template.map { word in
            values.reduce(word) { $0.replacing($1.key, with: $1.value) }
        }
    }

    /// The user's own command alone, where there is one. Otherwise what is
    /// known to work, those first that share the sound card with other programs.
    package static func candidates(command: [String]?) -> [PlayerProgram] {
        command.flatMap(PlayerProgram.init(command:)).map { [$0] } ?? known
    }

    package static let known = [
        // Up to PipeWire 1.0 (Debian 12 has 0.3.65) standard input is given to
        // libsndfile, which needs a header; `--raw` came later.
        PlayerProgram(
            "pw-play",
            [
                "--raw", "--rate={rate}", "--channels={channels}", "--format=s16",
                "--latency=100ms", "-",
            ], neededOption: "--raw"),
        PlayerProgram(
            "paplay",
            [
                "--raw", "--rate={rate}", "--channels={channels}", "--format=s16le",
                "--latency-msec=100", "--client-name=chat",
            ]),
        PlayerProgram(
            "aplay",
            [
                "-q", "-t", "raw", "-f", "S16_LE", "-r", "{rate}", "-c", "{channels}",
                "--buffer-time=150000", "-",
            ]),
        PlayerProgram(
            "play",
            [
                "-q", "--buffer", "2048", "-t", "raw", "-r", "{rate}", "-e", "signed-integer",
                "-b", "16", "-L", "-c", "{channels}", "-",
            ]),
        // `-ac` is gone in FFmpeg 7; the layout is understood since 5.1.
        PlayerProgram(
            "ffplay",
            [
                "-nodisp", "-autoexit", "-nostats", "-loglevel", "error", "-fflags", "nobuffer",
                "-probesize", "32", "-f", "s16le", "-sample_rate", "{rate}", "-ch_layout",
                "{layout}", "-i", "-",
            ]),
        PlayerProgram(
            "mpv",
            [
                "--no-config", "--no-terminal", "--no-video", "--cache=no", "--audio-buffer=0.1",
                "--demuxer=rawaudio", "--demuxer-rawaudio-format=s16le",
                "--demuxer-rawaudio-rate={rate}", "--demuxer-rawaudio-channels={channels}", "-",
            ]),
    ]

    /// Variables by which a player finds its sound server or card.
    package static let variables: Set<String> = [
        "PULSE_SERVER", "PULSE_COOKIE", "PULSE_RUNTIME_PATH", "PULSE_SINK", "PIPEWIRE_REMOTE",
        "PIPEWIRE_RUNTIME_DIR", "ALSA_CARD", "ALSA_CONFIG_PATH", "AUDIODEV", "AUDIODRIVER",
        "SDL_AUDIODRIVER", "XDG_CONFIG_HOME",
    ]
}

/// Which of the players are installed and can do what we need of them. Plays
/// nothing.
package struct PlayerFinder: Sendable {
    /// A player and where it is.
    package struct Found: Sendable, Equatable {
        package var player: PlayerProgram
        package var path: String
    }

    private let candidates: [PlayerProgram]
    private let variables: [String: String]

    package init(command: [String]?, variables: [String: String]) {
        candidates = PlayerProgram.candidates(command: command)
        self.variables = variables
    }

    /// The names of all that would do.
    package var names: [String] { candidates.map(\.name) }

    /// What a player gets to see.
    package var environment: [String: String] {
        Subprocess.baseEnvironment(from: variables, adding: PlayerProgram.variables)
    }

    /// The first that will do from that candidate on, and which one it is; nil
    /// without one.
    package func find(
        from first: Int = 0
    ) async throws -> (found: Found, index: Int)? {
        for (index, player) in candidates.enumerated().dropFirst(first) {
            let path: String
            do {
                path = try Subprocess.find(player.name, in: variables)
            } catch { continue }
            if let option = player.neededOption {
                guard try await helpNames(option, path) else { continue }
            }
            return (Found(player: player, path: path), index)
        }
        return nil
    }

    private func helpNames(_ option: String, _ path: String) async throws -> Bool {
        do {
            let result = try await Subprocess(
                program: path, arguments: ["--help"], environment: environment,
                limits: .init(time: .seconds(1), grace: .milliseconds(100), outputBytes: 64 << 10)
            ).run()
            let help = String(decoding: result.output + result.errorOutput, as: UTF8.self)
            return help.contains(option)
        } catch is SubprocessError {
            return false
        }
    }
}
