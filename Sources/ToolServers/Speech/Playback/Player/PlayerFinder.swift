import AgentCore

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
    /// when there is none.
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
