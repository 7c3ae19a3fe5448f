import AgentCore
import Base
import Persistence

/// Usage under one name (a model, a day, a conversation or a turn), with its cost as far as
/// prices are known. Pure.
package struct UsageRow: Sendable, Equatable {
    package var name: String
    /// An id or a date for JSON, if the name is not enough.
    package var id: String?
    var turns: Int
    package var usage: Usage
    package var cost: Cost

    /// One row per model.
    package static func byModel(_ totals: [UsageTotal], _ prices: PriceTable) -> [UsageRow] {
        totals.map { total in
            let full = "\(total.provider.rawValue)/\(total.model)"
            // A vendor's model needs no provider before its name.
            let isKnown = ModelCatalog.provider(ofModel: total.model) == total.provider
            return UsageRow(
                name: isKnown ? total.model : full, id: full, turns: total.turns,
                usage: total.usage,
                cost: prices.cost(of: total.usage, model: total.model, provider: total.provider))
        }
    }

    /// The sum of all rows.
    package static func sum(_ name: String, id: String? = nil, of rows: [UsageRow]) -> UsageRow {
        rows.reduce(into: UsageRow(name: name, id: id, turns: 0, usage: Usage(), cost: Cost())) {
            let (turns, overflow) = $0.turns.addingReportingOverflow($1.turns)
            $0.turns = overflow ? .max : turns
            $0.usage = $0.usage + $1.usage
            $0.cost = $0.cost + $1.cost
        }
    }

    /// The share of input tokens read from the provider's cache; nil without input.
    var cachedPercent: Int? {
        if usage.input == 0 { return nil }
        return Int(
            (Double(min(usage.cachedInput, usage.input)) / Double(usage.input) * 100).rounded())
    }
}

extension Usage {
    package var json: JSONValue {
        [
            "input": JSONValue(input), "cachedInput": JSONValue(cachedInput),
            "output": JSONValue(output), "reasoning": JSONValue(reasoning),
        ]
    }
}
