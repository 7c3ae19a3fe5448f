import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Glibc

/// `chat config edit`: opens the configuration in the user's editor. The result is checked before
/// it replaces the file, so that a mistake never makes the file unusable.
struct ConfigEditor: Sendable {
    /// Functions of the terminal that the editor needs.
    struct Dependencies: Sendable {
        /// Lends the terminal to the editor while the body runs.
        var lend: @Sendable (_ body: @Sendable () async -> Void) async -> Void
        /// A question with No as the default; No without a terminal.
        var confirm: @Sendable (String) async -> Bool
        /// Shows lines before the question.
        var show: @Sendable ([StyledLine]) async -> Void
        /// Whether it runs in a chat, where new settings apply at the next launch.
        var isChat: Bool

        /// Dependencies without a user, as for help pages.
        static let unattended = Dependencies(
            lend: { await $0() }, confirm: { _ in false }, show: { _ in }, isChat: false)
    }

    let services: Services
    let dependencies: Dependencies

    func edit() async throws -> CommandOutput {
        // Many users keep this file in another folder and link to it.
        let path = FilePath.real(services.paths.configuration) ?? services.paths.configuration
        let old = try Settings.bytes(of: path)
        let before = old.map { String(decoding: $0, as: UTF8.self) } ?? template
        var text = before.hasSuffix("\n") ? String(before.dropLast()) : before
        let editor = ExternalEditor(
            variables: services.variables, folder: services.paths.stateFolder,
            name: "config-\(getpid()).json")
        while true {
            switch await editor.edit(text, lend: dependencies.lend) {
            case .edited(let new): text = new
            case .unchanged:
                return CommandOutput(lines: [StyledLine("Nothing changed.", .dim)])
            case let other: throw ToolError.failed(other.sentence)
            }
            let bytes = Array((text + "\n").utf8)
            do {
                let configuration = try Settings.parse(bytes, file: path)
                // The file may have been changed by another program meanwhile.
                guard try Settings.bytes(of: path) == old else {
                    return try keep(bytes, beside: path)
                }
                try ExportCommand.write(bytes, to: path, replaces: true)
                let hint = dependencies.isChat ? " It takes effect at the next launch." : ""
                return CommandOutput(
                    lines: [StyledLine("✓ \(path) is changed.\(hint)", .success)],
                    notices: configuration.warnings)
            } catch let error as ConfigurationError {
                await dependencies.show([StyledLine("✗ \(Diagnostic(of: error).what)", .failure)])
                guard await dependencies.confirm("Edit it again?")
                else {
                    return try keep(bytes, beside: path)
                }
            }
        }
    }

    /// Keeps a rejected text instead of discarding it.
    private func keep(_ bytes: [UInt8], beside path: String) throws -> CommandOutput {
        let rejected = path + ".rejected"
        try ExportCommand.write(bytes, to: rejected, replaces: true)
        return CommandOutput(
            lines: [
                StyledLine("\(path) is unchanged.", .warning),
                StyledLine("What you wrote is in \(rejected)", .dim),
            ], outcome: .refused)
    }

    /// The contents of a new file: every setting, commented out.
    private var template: String {
        let width = 28
        let lines = services.settings.listing.map { name, value, _ in
            "    // \(DisplayWidth.pad(name, to: width))\(value)"
        }
        return """
            {
                // Settings and what they are now; docs: the manual's page on configuration.
                // For example:  "thinking": "full",  "budget": { "day": 2.50 },

            \(lines.joined(separator: "\n"))
            }

            """
    }
}
