import AgentCore
import Base
import ChatKit

/// `chat models`: the available models, by provider.
package struct ModelsCommand {
    static let noun = ProgramNoun.models.rawValue
    let services: Services
    /// Columns of the output.
    var width = 80

    var command: Command {
        let names = services.connector.askable
        return Command(
            name: Self.noun, summary: "the models you can use", takesWordsWithoutVerb: true,
            verbs: [
                Verb(
                    "list", "as the servers list them; cached for a day",
                    [.oneOf(names.map(\.rawValue), isOptional: true)],
                    options: [.init("--refresh", "ask them again")],
                    json: "provider id name maxInput maxOutput inputPrice outputPrice"
                ) { arguments in
                    let name = arguments.plain.first.flatMap(ProviderName.init)
                    return try await list(
                        name.map { [$0] } ?? names, isFresh: arguments.has("--refresh"))
                }
            ])
    }

    private func list(_ names: [ProviderName], isFresh: Bool) async throws -> CommandOutput {
        let listings = await services.models.listings(of: names, isFresh: isFresh)
        var output = CommandOutput()
        for listing in listings where !listing.isConnected {
            output.lines.append(StyledLine("\(listing.provider.rawValue): not connected", .dim))
        }
        let choices = ModelChoices(listings, current: nil, prices: services.prices)
        output.lines += choices.lines(width: width)
        for listing in listings where listing.isConnected {
            if let problem = listing.problem {
                output.notices.append(problem)
                output.outcome = .degraded
            } else if case .cache(let age) = listing.source {
                output.lines.append(
                    StyledLine(
                        "  \(listing.provider.rawValue): the list is from \(ModelChoices.ago(age)); "
                            + "--refresh asks again", .dim))
            }
        }
        if choices.rows.isEmpty, output.outcome == .ok {
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
