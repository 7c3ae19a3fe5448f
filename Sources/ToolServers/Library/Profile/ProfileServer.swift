import AgentCore
import Base
import Privacy

/// The profile as a capability: commands for the user, and for the model one tool
/// that says which fields are set. No tool returns a value.
package struct ProfileServer: ToolServer {
    package struct Dependencies: Sendable {
        package var file: ProfileFile
        /// Reads the personal details in a résumé file.
        package var entries: @Sendable (_ path: String) async throws -> [PersonalData.Entry]
        /// Reads all of standard input.
        package var readInput: @Sendable (_ limit: Int) async throws -> [UInt8]
        /// Shortens a path for display: `~/…`.
        package var shortened: @Sendable (_ path: String) -> String = { $0 }

        package init(
            file: ProfileFile,
            entries: @escaping @Sendable (_ path: String) async throws -> [PersonalData.Entry],
            readInput: @escaping @Sendable (_ limit: Int) async throws -> [UInt8] = { _ in [] }
        ) {
            self.file = file
            self.entries = entries
            self.readInput = readInput
        }
    }

    package static let noun = "profile"
    package var name: String { Self.noun }
    package let description = "Keeps who you are, for letters; models never get it."

    private let dependencies: Dependencies

    package init(_ dependencies: Dependencies) { self.dependencies = dependencies }

    package var commands: [Command] { [ProfileCommand(dependencies: dependencies).command] }

    package func listTools() -> [Tool] {
        [
            Tool(
                name: "profile_status", title: "Which contact details are set",
                description:
                    "Which of the user's contact details are set for letters; never their values.",
                inputSchema: .object([]), toolClass: .read,
                cues: """
                    profile profil my+address my+phone my+email my+name my+contact details \
                    meine+adresse meine+anschrift telefonnummer* kontaktdaten hinterlegt meine+mail \
                    letterhead* briefkopf know+about+me missing+about+me lack+about+me
                    """)
        ]
    }

    package func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        guard name == "profile_status" else { throw ToolError.toolNotFound(name: name) }
        let profile = try await dependencies.file.read()
        let status = JSONObject(
            Profile.Field.allCases.map {
                JSONObject.Member($0.rawValue, .bool(profile.first($0) != nil))
            })
        return ToolOutput(
            text: JSONWriter.string(.object(status)), summary: profile.isEmpty ? "empty" : "")
    }
}
