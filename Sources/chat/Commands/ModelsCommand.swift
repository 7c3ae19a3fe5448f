import AgentCore

/// `chat models`: what can be asked, by provider.
struct ModelsCommand {
    let services: Services

    var command: Command {
        Command(
            name: "models", summary: "the models you can use",
            verbs: [
                Command.Verb(
                    "list", usage: "[openai|claude|local] [--json]",
                    summary: "as the servers list them now")
            ]
        ) { invocation in try await list(invocation) }
    }

    private func list(_ invocation: CommandInvocation) async throws -> CommandOutput {
        var names: [ProviderName] = [.claude, .openai, .local]
        if let word = invocation.arguments.first {
            guard let name = ProviderName(rawValue: word), name != .offline else {
                throw UsageError(
                    "There is no provider \"\(word)\".", hint: "Use openai, claude or local.")
            }
            names = [name]
        }
        var output = CommandOutput()
        var values: [JSONValue] = []
        for name in names {
            guard await services.connector.readiness(of: name) == .ready else {
                output.lines.append(StyledLine("\(name.rawValue): not connected", .dim))
                continue
            }
            var models: [ModelInfo]
            do {
                models = try await services.connector.models(of: name)
            } catch let error as ProviderError {
                output.notices.append(Diagnostic(error).what)
                output.outcome = .degraded
                // The built-in names are better than nothing.
                models = ModelCatalog.known(for: name)
            }
            output.lines.append(StyledLine(name.rawValue, .bold))
            for model in models {
                let standard = model.id == ModelCatalog.defaultModel(for: name)
                output.lines.append(
                    StyledLine([
                        StyledLine.Span("  \(model.id)", .accent),
                        StyledLine.Span(Self.details(model) + (standard ? " · default" : ""), .dim),
                    ]))
                values.append(
                    .compact([
                        "provider": .string(name.rawValue), "id": .string(model.id),
                        "name": model.displayName.map(JSONValue.string) ?? .null,
                        "maxInput": model.maxInput.map { JSONValue($0) } ?? .null,
                        "maxOutput": model.maxOutput.map { JSONValue($0) } ?? .null,
                    ]))
            }
        }
        if values.isEmpty, output.outcome == .done {
            output.notices.append(OfflineProvider.hint)
            output.outcome = .needsKeyOrNetwork
        }
        output.json = .array(values)
        return output
    }

    private static func details(_ model: ModelInfo) -> String {
        var details = model.displayName.map { "  \($0)" } ?? ""
        if let input = model.maxInput { details += " · reads \(Quantities.grouped(input)) tokens" }
        return details
    }
}
