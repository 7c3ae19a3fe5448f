import AgentCore

/// `chat config`: every setting with the place it comes from.
struct ConfigCommand {
    let services: Services

    var command: Command {
        Command(
            name: "config", summary: "every setting and where it comes from",
            verbs: [Command.Verb("show", usage: "[--json]", summary: "all of them")]
        ) { _ in show() }
    }

    private func show() -> CommandOutput {
        let rows = services.settings.listing
        let width = rows.map(\.name.count).max() ?? 0
        var lines = [StyledLine(services.paths.configuration, .dim)]
        lines += rows.map { name, value, source in
            let gap = String(repeating: " ", count: width - name.count + 2)
            return StyledLine([
                StyledLine.Span("  \(name)", .accent), StyledLine.Span("\(gap)\(value)"),
                StyledLine.Span("  (\(source.description))", .dim),
            ])
        }
        let json = rows.map { name, value, source -> JSONValue in
            [
                "name": .string(name), "value": .string(value),
                "source": .string(source.description),
            ]
        }
        return CommandOutput(
            lines: lines, json: .array(json), notices: services.configuration.warnings)
    }
}
