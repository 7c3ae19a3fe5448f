import Base

/// A program that plays raw samples from its standard input, with its arguments for a
/// format.
///
/// Pure: `PlayerFinder` checks whether it is installed. All players are asked to buffer
/// little, so that a pause is heard soon.
package struct PlayerProgram: Sendable, Equatable {
    /// A name to look up in PATH, or an absolute path.
    package var name: String
    /// `{rate}` and `{channels}` stand for the format's, `{layout}` for FFmpeg's name of
    /// the channel layout.
    private var template: [String]
    /// An option that `--help` must list for the program to qualify.
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

    /// The user's own command alone, if there is one. Otherwise players known to work, first those
    /// that share the sound card with other programs.
    package static func candidates(command: [String]?) -> [PlayerProgram] {
        command.flatMap(PlayerProgram.init(command:)).map { [$0] } ?? known
    }

    package static let known = [
        // Up to PipeWire 1.0 (Debian 12 has 0.3.65) standard input goes to libsndfile,
        // which needs a header; `--raw` came later.
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
        // FFmpeg 7 removed `-ac`; the layout is supported since 5.1.
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

    /// Environment variables with which a player finds its sound server or card.
    package static let variables: Set<String> = [
        "PULSE_SERVER", "PULSE_COOKIE", "PULSE_RUNTIME_PATH", "PULSE_SINK", "PIPEWIRE_REMOTE",
        "PIPEWIRE_RUNTIME_DIR", "ALSA_CARD", "ALSA_CONFIG_PATH", "AUDIODEV", "AUDIODRIVER",
        "SDL_AUDIODRIVER", "XDG_CONFIG_HOME",
    ]
}

/// Finds the installed players with the needed options. Plays nothing.
package struct PlayerFinder: Sendable {
    /// A player and its path.
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

    /// The names of all suitable players.
    package var names: [String] { candidates.map(\.name) }

    /// The environment of a player.
    package var environment: [String: String] {
        Subprocess.baseEnvironment(from: variables, adding: PlayerProgram.variables)
    }

    /// The first suitable player from that candidate on, with its index; nil if there is
    /// none.
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
