import AgentCore
import Base
import ChatKit
import Glibc

/// `chat config`: every setting with its source, and whether the file is usable.
/// `ConfigCommand+Setting` changes a setting, `ConfigEditor` edits the file.
package struct ConfigCommand {
    static let noun = ProgramNoun.config.rawValue
    let services: Services
    let editor: ConfigEditor.Dependencies

    var command: Command {
        Command(
            name: Self.noun, summary: "every setting and where it comes from",
            verbs: [
                Verb(
                    "show", "all of them, or one",
                    [.init("NAME", "a setting", .setting, isOptional: true)],
                    json: "name value source"
                ) { try await show($0.plain.first) },
                Verb(
                    "get", "the value of one, alone", [.init("NAME", "a setting", .setting)],
                    json: "name value source", example: "model"
                ) { arguments in
                    var output = try await show(arguments.plain[0])
                    let rows = services.settings.listing(of: arguments.plain[0])
                    if let row = rows.first(where: { $0.name == arguments.plain[0] }) {
                        output.lines = [StyledLine(row.value)]
                    }
                    return output
                },
            ] + setting + [
                Verb("edit", "in your editor; checked before it is saved") { _ in
                    try await ConfigEditor(services: services, dependencies: editor).edit()
                },
                Verb(
                    "validate", "check the file; errors have line and column",
                    [.init("FILE", "a file", .file, isOptional: true)]
                ) { try validate($0.plain.first) },
                Verb("path", "where the file is", json: "path") { _ in
                    CommandOutput(
                        lines: [StyledLine(services.paths.configuration)],
                        json: ["path": .string(services.paths.configuration)])
                },
            ])
    }

    private func show(_ name: String?) async throws -> CommandOutput {
        var rows = services.settings.listing
        if let name {
            rows = services.settings.listing(of: name)
            if rows.isEmpty {
                let nearest = NearestWord.find(name, among: Settings.table.names.map(\.text))
                throw UsageError(
                    "There is no setting \"\(name)\".",
                    hint: nearest.map { "Did you mean \($0)?" } ?? "chat config show lists them.")
            }
        }
        let lines = StyledLine.table(
            rows.map { name, value, source in
                [.init(name, .accent), .init(value), .init("  (\(source.description))", .dim)]
            }, columns: 1, indent: "  ")
        let json = rows.map { name, value, source -> JSONValue in
            [
                "name": .string(name), "value": .string(value),
                "source": .string(source.description),
            ]
        }
        var output = CommandOutput(
            lines: [StyledLine(services.paths.configuration, .dim)] + lines, json: .array(json),
            notices: services.settings.brokenLines + services.settings.warnings)
        if !services.settings.broken.isEmpty { output.outcome = .degraded }
        let instructions = await InstructionsFile(services.paths).read()
        if name == nil { output.remarks = [instructions.line(services.paths)] }
        if let error = services.settings.error {
            output.notices.append(
                services.diagnostics.describe(error).what + " The defaults are shown.")
            output.outcome = .degraded
        }
        return output
    }

    private func validate(_ file: String?) throws -> CommandOutput {
        let path = file ?? services.paths.configuration
        guard access(path, F_OK) == 0 else {
            if file == nil {
                return CommandOutput(
                    lines: [StyledLine("\(path) does not exist: using the defaults.", .dim)])
            }
            throw ConfigurationError(reason: .unreadable(errno), file: path)
        }
        var output = Self.check(path)
        if file == nil { output.notices += services.unknownRules }
        return output
    }

    /// The errors of a file, with their lines.
    static func check(_ path: String) -> CommandOutput {
        do {
            let configuration = try Settings.load(path)
            if !configuration.broken.isEmpty {
                return CommandOutput(
                    lines: configuration.broken.flatMap { lines(of: $0.error, path) },
                    notices: configuration.warnings, outcome: .usage)
            }
            let count = configuration.warnings.count
            let line =
                count == 0
                ? StyledLine("✓ \(path) can be used.", .success)
                : StyledLine("\(path) can be used, with \(Quantities.count(count, "doubt")).")
            return CommandOutput(lines: [line], notices: configuration.warnings)
        } catch {
            return CommandOutput(lines: lines(of: error, path), outcome: .usage)
        }
    }

    /// The sentence, and the line of the file with a mark below the position.
    private static func lines(of error: ConfigurationError, _ path: String) -> [StyledLine] {
        var lines = [StyledLine("✗ \(Diagnostic(of: error).what)", .failure)]
        guard let number = error.line, let text = line(number, of: path) else { return lines }
        let label = "  \(number) │ "
        lines.append(StyledLine([.init(label, .dim), .init(text)]))
        let before = String(
            decoding: text.utf8.prefix(max(0, (error.column ?? 1) - 1)), as: UTF8.self)
        let margin = DisplayWidth.of(label) + DisplayWidth.of(before)
        lines.append(StyledLine(String(repeating: " ", count: margin) + "^", .failure))
        return lines
    }

    /// One line of the file without tabs, so that a mark can be placed below it.
    private static func line(_ number: Int, of path: String) -> String? {
        // Only for display: a file deleted meanwhile is shown without the line.
        guard let bytes = try? Settings.bytes(of: path) else { return nil }
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard number >= 1, number <= lines.count else { return nil }
        let text = String(decoding: lines[number - 1], as: UTF8.self)
        let flat = text.map { $0 == "\t" ? " " : $0 == "\r" ? Character(" ") : $0 }
        return String(flat.prefix(200))
    }
}
