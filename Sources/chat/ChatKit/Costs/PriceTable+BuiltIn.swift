import Base

/// The vendors' list prices on one day: standard service, short prompts, caches of the
/// shortest life. Models not on a vendor's list are missing.
extension PriceTable {
    /// The day the list was compared with the vendors' pages.
    static let builtInDate = "2026-11-21"

    /// Dollars per million tokens, as the vendors write them.
    private struct Row {
        var names: [String]
        var input: Double
        var cached: Double
        var write: Double
        var output: Double
        var longPrompt: Int?
    }

    private static let rows: [Row] = [
        // https://platform.claude.com/docs/en/about-claude/pricing
        Row(names: ["claude-fable-5-2"], input: 8, cached: 0.2, write: 10, output: 40),
        Row(
            names: ["claude-fable-5-1", "claude-mythos-5-1"], input: 10, cached: 0.25, write: 12.5,
            output: 50),
        Row(
            names: ["claude-fable-5", "claude-mythos-5"], input: 10, cached: 1, write: 12.5,
            output: 50),
        Row(names: ["claude-opus-5-5"], input: 4, cached: 0.2, write: 5, output: 20),
        Row(
            names: [
                "claude-opus-5", "claude-opus-4-8", "claude-opus-4-7", "claude-opus-4-6",
                "claude-opus-4-5",
            ], input: 5, cached: 0.5, write: 6.25, output: 25),
        Row(names: ["claude-sonnet-5-5"], input: 2, cached: 0.1, write: 2.5, output: 10),
        Row(names: ["claude-sonnet-5"], input: 2, cached: 0.2, write: 2.5, output: 10),
        Row(
            names: ["claude-sonnet-4-6", "claude-sonnet-4-5"], input: 3, cached: 0.3, write: 3.75,
            output: 15),
        Row(
            names: ["claude-haiku-5-5"], input: 0.1, cached: 0.01, write: 0.125, output: 0.5,
            longPrompt: 100_000),
        Row(names: ["claude-haiku-4-5"], input: 1, cached: 0.1, write: 1.25, output: 5),
        // https://developers.openai.com/api/docs/models; cache writes cost 1.25 times the input
        // from 5.6 on, and nothing extra before.
        Row(
            names: ["gpt-6.2-sol", "gpt-6.1-sol"], input: 2, cached: 0.1, write: 2.5, output: 10,
            longPrompt: 272_000),
        Row(
            names: ["gpt-6.2-astra"], input: 8, cached: 0.4, write: 10, output: 40,
            longPrompt: 272_000),
        Row(
            names: ["gpt-6.1-terra"], input: 1, cached: 0.05, write: 1.25, output: 5,
            longPrompt: 272_000),
        Row(
            names: ["gpt-6-sol"], input: 2, cached: 0.2, write: 2.5, output: 10,
            longPrompt: 272_000),
        Row(
            names: ["gpt-6-luna"], input: 0.1, cached: 0.01, write: 0.125, output: 0.5,
            longPrompt: 272_000),
        Row(
            names: ["gpt-6-astra"], input: 10, cached: 1, write: 12.5, output: 50,
            longPrompt: 272_000),
        // The regular price: the promised lower one ended on the day of this list.
        Row(
            names: ["gpt-5.6-sol", "gpt-5.6"], input: 5, cached: 0.5, write: 6.25, output: 30,
            longPrompt: 272_000),
        Row(
            names: ["gpt-5.6-terra"], input: 2, cached: 0.2, write: 2.5, output: 12,
            longPrompt: 272_000),
        Row(
            names: ["gpt-5.6-luna"], input: 0.2, cached: 0.02, write: 0.25, output: 1.2,
            longPrompt: 272_000),
        Row(
            names: ["gpt-5.5"], input: 5, cached: 0.5, write: 5, output: 30, longPrompt: 272_000),
        // $10 per thousand searches, at both vendors.
        Row(names: [searchModel], input: 0, cached: 0, write: 0, output: 10_000),
    ]

    static let builtIn: [String: Price] = {
        var prices: [String: Price] = [:]
        for row in rows {
            for name in row.names {
                prices[name] = Price(
                    input: Money(dollars: row.input), cachedInput: Money(dollars: row.cached),
                    cacheWrite: Money(dollars: row.write), output: Money(dollars: row.output),
                    longPrompt: row.longPrompt, isBuiltIn: true)
            }
        }
        return prices
    }()

    /// The source of the prices, shown below a list of costs.
    package static func note(_ costs: [Cost], isConfigured: Bool) -> StyledLine {
        if !costs.contains(where: \.hasPriced) {
            return StyledLine("  No price is known for these models; see \"prices\".", .dim)
        }
        let own = isConfigured ? "config.json, else " : ""
        return StyledLine("  Prices: \(own)built-in list of \(builtInDate)", .dim)
    }
}

/// OpenAI's prices per minute of sound, for models that have one. Pure.
///
/// Other models are billed per token or have no known price; another server has its own prices.
struct AudioPrices: Sendable {
    /// <https://openai.com/api/pricing>, "estimated cost" per minute.
    private static let perMinute = [
        "whisper-1": Money(micros: 6_000), "gpt-4o-transcribe": Money(micros: 6_000),
        "gpt-4o-mini-transcribe": Money(micros: 3_000), "gpt-transcribe": Money(micros: 4_500),
    ]

    /// The approximate cost of the sound; nil if unknown.
    func transcription(_ model: String, seconds: Double) -> Money? {
        guard let price = Self.perMinute[model], seconds > 0, seconds.isFinite else { return nil }
        return Money(dollars: Double(price.micros) / 1_000_000 * seconds / 60)
    }
}
