import AgentCore
import Base

/// Token prices by model: the configuration's, else the built-in list. A model in neither
/// has no price. Pure.
///
/// Built-in prices apply to requests to `openai` and `claude`; a local server's prices come
/// from the configuration.
package struct PriceTable: Sendable {
    /// Prices per million tokens.
    package struct Price: Sendable, Equatable {
        package var input: Money
        var cachedInput: Money
        var cacheWrite: Money
        package var output: Money
        /// Longer prompts than this many tokens cost more than this price.
        var longPrompt: Int?
        /// Whether it comes from the built-in list, not the configuration.
        var isBuiltIn = false
    }

    /// Represents the vendors' web search in the list of models: one output token is one search.
    package static let searchModel = "web_search"

    private let configured: [String: Settings.Price]

    package init(_ configured: [String: Settings.Price] = [:]) { self.configured = configured }

    package func price(of model: String, provider: ProviderName) -> Price? {
        let names = [model, "\(provider.rawValue)/\(model)"]
        if let exact = names.lazy.compactMap({ configured[$0] }).first { return Price(exact) }
        let pattern = configured.keys.filter { key in
            key.hasSuffix("*") && names.contains { $0.hasPrefix(key.dropLast()) }
        }.max { ($0.count, $0) < ($1.count, $1) }
        if let pattern, let price = configured[pattern] { return Price(price) }
        guard provider == .openai || provider == .claude else { return nil }
        return Self.builtIn[model] ?? ModelCatalog.info(model).flatMap { Self.builtIn[$0.id] }
    }

    /// - Parameter isOneTurn: whether a long prompt can be detected, which the sum of many turns
    ///   does not show.
    package func cost(
        of usage: Usage, model: String, provider: ProviderName, isOneTurn: Bool = false
    ) -> Cost {
        if usage.isEmpty { return Cost() }
        guard let price = price(of: model, provider: provider) else { return .unknown }
        // A server may report more cached tokens than input.
        let cached = min(usage.cachedInput, usage.input)
        let written = min(usage.cacheWrite, usage.input - cached)
        let plain = usage.input - cached - written
        // Tokens times millionths of a dollar per million tokens; dividing by a million gives
        // A price counts millionths of a dollar per million tokens.
        let parts = [
            (plain, price.input), (cached, price.cachedInput), (written, price.cacheWrite),
            // Thinking is part of the output.
            (max(usage.output, usage.reasoning), price.output),
        ]
        var sum = 0
        for (tokens, price) in parts {
            let (product, isLarge) = tokens.multipliedReportingOverflow(by: price.micros)
            let (next, isLarger) = sum.addingReportingOverflow(product)
            if isLarge || isLarger { return Cost(Money(micros: .max), isAtLeast: true) }
            sum = next
        }
        var micros = sum / 1_000_000 + (sum % 1_000_000 >= 500_000 ? 1 : 0)
        if usage.searches > 0, let search = self.price(of: Self.searchModel, provider: provider) {
            // A server may report any number.
            micros += min(usage.searches, 1_000_000) * (search.output.micros / 1_000_000)
        }
        return Cost(
            Money(micros: micros),
            isAtLeast: isOneTurn && price.longPrompt.map { usage.input > $0 } ?? false)
    }

    /// `$2 / $10`: input and output, for lists of models.
    func summary(of model: String, provider: ProviderName) -> String? {
        price(of: model, provider: provider).map { "\($0.input.short) / \($0.output.short)" }
    }
}

extension PriceTable.Price {
    fileprivate init(_ configured: Settings.Price) {
        let input = Money(dollars: configured.input)
        self.init(
            input: input, cachedInput: configured.cachedInput.map(Money.init(dollars:)) ?? input,
            cacheWrite: configured.cacheWrite.map(Money.init(dollars:)) ?? input,
            output: Money(dollars: configured.output))
    }
}

extension Money {
    /// The amount without trailing zeros: `$2`, `$0.1`, `$12.5`.
    fileprivate var short: String {
        if micros % 1_000_000 == 0 { return "$\(Quantities.grouped(micros / 1_000_000))" }
        var places = (micros % 1_000_000).padded(to: 6)
        while places.last == "0" { places.removeLast() }
        return "$\(Quantities.grouped(micros / 1_000_000)).\(places)"
    }
}
