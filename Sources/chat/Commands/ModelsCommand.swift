import AgentCore

/// `chat models`: what can be asked, by provider.
struct ModelsCommand {
    let services: Services
    /// Of what it is written to.
    var width = 80

    var command: Command {
        var command = Command(
            name: "models", summary: "the models you can use",
            verbs: [
                Command.Verb(
                    "list", usage: "[openai|claude|local] [--refresh] [--json]",
                    summary: "as the servers list them; kept for a day, --refresh asks again")
            ]
        ) { invocation in try await list(invocation) }
        // `chat models claude`
        command.takesWordsWithoutVerb = true
        return command
    }

    private func list(_ invocation: CommandInvocation) async throws -> CommandOutput {
        var names: [ProviderName] = [.claude, .openai, .local]
        var isFresh = false
        for word in invocation.arguments {
            if word == "--refresh" {
                isFresh = true
            } else if let name = ProviderName(rawValue: word), name != .offline {
                names = [name]
            } else {
                throw UsageError(
                    "There is no provider \"\(KeyShape.shown(word))\".",
                    hint: "Use openai, claude or local, and --refresh.")
            }
        }
        let listings = await services.models.listings(of: names, isFresh: isFresh)
        var output = CommandOutput()
        for listing in listings where !listing.isConnected {
            output.lines.append(StyledLine("\(listing.provider.rawValue): not connected", .dim))
        }
        let choices = ModelChoices(listings, current: nil, prices: services.prices)
        output.lines += choices.lines(width: width)
        for listing in listings where listing.isConnected {
            if let trouble = listing.trouble {
                output.notices.append(trouble)
                output.outcome = .degraded
            } else if case .cache(let age) = listing.source {
                output.lines.append(
                    StyledLine(
                        "  \(listing.provider.rawValue): the list of \(ModelChoices.ago(age)); "
                            + "--refresh asks again", .dim))
            }
        }
        if choices.rows.isEmpty, output.outcome == .done {
            let said = services.diagnostics.describe(SessionError.noModel(nearest: nil))
            output.notices += [said.what, said.todo].compactMap(\.self)
            output.outcome = .needsKeyOrNetwork
        }
        output.json = .array(listings.flatMap(json))
        return output
    }

    private func json(_ listing: ModelDirectory.Listing) -> [JSONValue] {
        listing.models.map { model in
            let price = services.prices.price(of: model.id, provider: listing.provider)
            return .compact([
                "provider": .string(listing.provider.rawValue), "id": .string(model.id),
                "name": model.displayName.map(JSONValue.string) ?? .null,
                "maxInput": model.maxInput.map { JSONValue($0) } ?? .null,
                "maxOutput": model.maxOutput.map { JSONValue($0) } ?? .null,
                "inputPrice": price?.input.json ?? .null,
                "outputPrice": price?.output.json ?? .null,
            ])
        }
    }
}
