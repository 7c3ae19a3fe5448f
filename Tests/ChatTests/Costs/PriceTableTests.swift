import AgentCore
import Base
import TestSupport
import XCTest

@testable import ChatKit

final class PriceTableTests: XCTestCase {
    private let table = PriceTable()

    private func text(
        _ usage: Usage, _ model: String, _ provider: ProviderName, _ table: PriceTable? = nil,
        isOneTurn: Bool = true
    ) -> String? {
        (table ?? self.table).cost(
            of: usage, model: model, provider: provider, isOneTurn: isOneTurn
        ).text
    }

    func testEachKindOfTokenHasItsPrice() {
        // Sonnet 5.5: 2 in, 0.10 cached, 2.50 written, 10 out.
        let usage = Usage(
            input: 1_204, cachedInput: 960, cacheWrite: 200, output: 96, reasoning: 40)
        // 44 × 2 + 960 × 0.1 + 200 × 2.5 + 96 × 10 = 1,644 millionths.
        XCTAssertEqual(
            table.cost(of: usage, model: "claude-sonnet-5-5", provider: .claude).money.micros,
            1_644)
        XCTAssertEqual(text(usage, "claude-sonnet-5-5", .claude), "$0.0016")
        XCTAssertEqual(
            text(Usage(input: 1_000_000, output: 1_000_000), "gpt-5.5", .openai, isOneTurn: false),
            "$35.00")
    }

    func testASearchOfTheWebCostsACent() {
        XCTAssertEqual(
            table.cost(
                of: Usage(input: 1_000_000, searches: 3), model: "claude-sonnet-5-5",
                provider: .claude
            ).money.micros, 2_030_000)
        // A server may report any number of them.
        XCTAssertNotNil(text(Usage(input: 1, searches: .max), "claude-sonnet-5-5", .claude))
        XCTAssertEqual(text(Usage(output: 3), "web_search", .openai), "$0.0300")
        XCTAssertNil(text(Usage(output: 3), "web_search", .local))
    }

    func testDatedNamesHaveThePriceOfTheirModelAndUnknownOnesNone() {
        let usage = Usage(input: 1_000_000)
        XCTAssertEqual(text(usage, "claude-haiku-4-5-20251001", .claude), "$1.00")
        XCTAssertNil(text(usage, "gpt-7-nova", .openai))
        XCTAssertNil(text(usage, "gpt-5.5-pro-x", .openai))
        // What runs here costs nothing we know of, whatever it is called.
        XCTAssertNil(text(usage, "gpt-6.2-sol", .local))
    }

    func testTheConfigurationComesFirstAndTheLongestPatternWins() {
        let table = PriceTable([
            "gpt-6.2-sol": .init(input: 1, output: 3),
            "gpt-*": .init(input: 7, output: 7),
            "gpt-6*": .init(input: 5, output: 5, cachedInput: 0.5),
            "local/*": .init(input: 0.5, output: 0),
        ])
        let usage = Usage(input: 1_000_000)
        XCTAssertEqual(text(usage, "gpt-6.2-sol", .openai, table), "$1.00")
        XCTAssertEqual(text(usage, "gpt-6-sol", .openai, table), "$5.00")
        XCTAssertEqual(text(usage, "gpt-4", .openai, table), "$7.00")
        XCTAssertEqual(text(usage, "qwen", .local, table), "$0.50")
        XCTAssertEqual(text(usage, "claude-opus-5-5", .claude, table), "$4.00")
        XCTAssertEqual(
            text(Usage(input: 1_000_000, cachedInput: 1_000_000), "gpt-6-sol", .openai, table),
            "$0.50")
    }

    func testALongPromptCostsAtLeastThatMuch() {
        let usage = Usage(input: 300_000)
        XCTAssertEqual(text(usage, "gpt-6.2-sol", .openai), "at least $0.60")
        // Of many turns together it cannot be told.
        XCTAssertEqual(text(usage, "gpt-6.2-sol", .openai, isOneTurn: false), "$0.60")
    }

    func testASumWithAnUnknownPriceIsAtLeastTheRest() {
        let known = table.cost(
            of: Usage(input: 1_000_000), model: "gpt-6.2-sol", provider: .openai)
        XCTAssertEqual((known + .unknown).text, "at least $2.00")
        XCTAssertEqual((known + Cost()).text, "$2.00")
        XCTAssertNil((Cost.unknown + .unknown).text)
        XCTAssertEqual((Cost.unknown + .unknown).json, .null)
        XCTAssertEqual(known.json, .number("2.000000"))
    }

    /// Servers report what they like.
    func testNoNumberOfTokensOverflows() {
        var random = SplitMix(seed: 7)
        let odd = [0, -1, 1, .max, .min, .max - 1, 1 << 40, 1_000]
        var sum = Cost()
        for _ in 0..<2_000 {
            func number() -> Int { odd.randomElement(using: &random) ?? 0 }
            let usage = Usage(
                input: number(), cachedInput: number(), cacheWrite: number(), output: number(),
                reasoning: number())
            let cost = table.cost(of: usage, model: "claude-fable-5-1", provider: .claude)
            XCTAssertGreaterThanOrEqual(cost.money, .zero)
            sum = sum + cost
            _ = TurnReport.usage(usage, seconds: 1, cost: cost)
            _ = UsageTable.lines(
                [UsageRow(name: "x", turns: number(), usage: usage, cost: cost)],
                total: nil, width: 40)
        }
        XCTAssertEqual(sum.money.micros, .max)
    }

    func testAmountsAreReadable() {
        let texts = [0, 1, 49, 50, 4_200, 99_949, 99_950, 420_000, 1_204_500_000].map {
            Money(micros: $0).text
        }
        XCTAssertEqual(
            texts,
            [
                "$0", "<$0.0001", "<$0.0001", "$0.0001", "$0.0042", "$0.0999", "$0.10", "$0.42",
                "$1,204.50",
            ])
        XCTAssertEqual(Money(dollars: -.infinity), .zero)
        XCTAssertEqual(Money(dollars: .nan), .zero)
        XCTAssertEqual(Money(micros: .max) + Money(micros: 1), Money(micros: .max))
    }

    /// A default without a price would show no money to most people.
    func testEveryModelOfTheCatalogHasAPriceOrIsListedHere() {
        let priced =
            (ModelCatalog.openAI.map { ($0.id, ProviderName.openai) }
            + ModelCatalog.claude.map { ($0.id, .claude) })
            .filter { table.price(of: $0.0, provider: $0.1) == nil }.map(\.0)
        XCTAssertEqual(priced, ["gpt-5.5-pro"])
    }
}
