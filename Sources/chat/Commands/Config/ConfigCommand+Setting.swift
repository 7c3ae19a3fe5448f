import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Glibc

/// `chat config set NAME VALUE` and `unset NAME`: changes one setting in the file, keeping its
/// comments and order.
extension ConfigCommand {
    static let settingNames = Verb.Kind.examples(Settings.table.names.map(\.text))

    var setting: [Verb] {
        [
            Verb(
                "set", "give a setting a value, in the file",
                [
                    .init("NAME", "a setting", Self.settingNames),
                    .phrase("VALUE", "a value", .settingValue),
                ], json: "name before value source", example: "thinking full"
            ) { arguments in
                try await change(arguments.plain[0]) { old, file in
                    try ConfigChange(
                        setting: arguments.plain[0], to: Array(arguments.plain.dropFirst()),
                        in: old,
                        file: file)
                }
            },
            Verb(
                "unset", "take a setting out of the file: its default is used",
                [.init("NAME", "a setting", Self.settingNames)],
                json: "name before value source", example: "thinking"
            ) { arguments in
                try await change(arguments.plain[0]) { old, file in
                    try ConfigChange(unsetting: arguments.plain[0], in: old, file: file)
                }
            },
        ]
    }

    private func change(
        _ name: String, _ make: (_ old: [UInt8]?, _ file: String) throws -> ConfigChange?
    ) async throws -> CommandOutput {
        // Many users keep this file in another folder and link to it.
        let path = FilePath.real(services.paths.configuration) ?? services.paths.configuration
        let old = try Settings.bytes(of: path)
        guard let change = try make(old, services.paths.shortened(path)) else {
            return CommandOutput(
                lines: [StyledLine("\(name) is not set in config.json.", .dim)],
                json: ["name": .string(name), "before": .null, "value": .null, "source": .null])
        }
        // Another program may have written the file since.
        guard try Settings.bytes(of: path) == old else {
            throw ToolError.failed("\(path) was changed by another program; nothing was written")
        }
        let code = PrivateFile.replace(
            change.bytes, at: path, uuid: services.environment.uuid())
        if code != 0 { throw FileFailure(path: path, code: code) }
        return try report(
            change, before: old.map { try Settings.parse($0, file: path, changed: "") })
    }

    // MARK: - Output

    private func report(_ change: ConfigChange, before: Settings?) throws -> CommandOutput {
        let name = change.name
        let now = change.settings.applying(
            flags: services.settings.flags, variables: services.variables, paths: services.paths)
        let old = Self.shown(change.before, of: name, in: before ?? Settings())
        let new = Self.shown(change.after, of: name, in: change.settings)
        var output = CommandOutput(
            lines: [
                StyledLine([
                    .init("✓ \(name): ", .success), .init("\(old) → ", .dim), .init(new),
                ])
            ],
            json: [
                "name": .string(name), "before": change.before ?? .null,
                "value": change.after ?? .null,
                "source": .string(now.source(of: name).description),
            ], notices: change.settings.brokenLines + change.settings.warnings)
        switch now.source(of: name) {
        case .environment(let variable):
            output.notices.append("\(variable) is set and comes before config.json here.")
        case .flag(let flag):
            output.notices.append("\(flag) was given and comes before config.json in this run.")
        case .configuration, .standard: break
        }
        guard editor.isChat else { return output }
        if Settings.isLive(name) { services.live.set(now) }
        output.remarks = [
            StyledLine(
                Settings.isLive(name)
                    ? "It takes effect now." : "It takes effect at the next launch.", .dim)
        ]
        return output
    }

    /// The value as in the list; a setting that is not listed is shown as in the file.
    private static func shown(
        _ value: JSONValue?, of name: String, in settings: Settings
    ) -> String {
        let listed = settings.listing(of: name).first { $0.name == name && !$0.value.isEmpty }?
            .value
        guard let value else {
            return listed.map { $0 == "not set" ? $0 : "\($0) (default)" } ?? "not set"
        }
        if name.hasSuffix("key_command") { return "set" }
        return listed ?? JSON5Editor.inline(value)
    }
}

extension Settings {
    /// The flags of the command line, so that they can be applied again.
    var flags: Flags {
        var flags = Flags()
        if case .flag = source(of: "provider") { flags.provider = provider }
        if case .flag = source(of: "model") { flags.model = model }
        return flags
    }
}
