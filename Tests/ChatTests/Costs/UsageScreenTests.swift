import AgentCore
import Base
import Persistence
import TestSupport
import XCTest

@testable import ChatKit

final class UsageScreenTests: XCTestCase {
    /// A real conversation: two models, one of them without a price.
    private func screen() async throws -> UsageScreen {
        let folder = try TemporaryFolder()
        let clock = ManualClock()
        let store = try ConversationStore(
            path: folder.path + "/chat.db", environment: clock.environment)
        let record = await store.newConversation(
            kind: .repl, provider: .claude, model: "claude-sonnet-5-5")
        let journal = store.journal(for: record.id, in: .repl)
        let words = [
            "How big is build/?", "旅行の計画を立ててください、できれば安く", "And without the caches?",
            String(repeating: "long ", count: 30),
        ]
        for (index, text) in words.enumerated() {
            if index == 3 {
                try await store.setModel(record.id, provider: .local, model: "qwen3:30b")
            }
            let id = try await journal.begin(user: .user(text), isLocal: false)
            try await journal.close(
                id, status: .done,
                usage: Usage(
                    input: 1_204 * (index + 1), cachedInput: index == 0 ? 0 : 960 * index,
                    cacheWrite: 200, output: 96 + index), note: nil)
        }
        let screen = UsageScreen(
            turns: try await store.turns(of: record.id, last: 20),
            models: try await store.usage(of: record.id), context: (38_412, 1_000_000),
            prices: PriceTable())
        await store.close()
        return screen
    }

    func testTheScreenFitsEightyAndFortyColumns() async throws {
        let screen = try await screen()
        for width in [80, 40] {
            let lines = screen.lines(width: width).map(\.text)
            for line in lines {
                XCTAssertLessThanOrEqual(DisplayWidth.of(line), width, line)
            }
            try GoldenFile.check(lines.joined(separator: "\n") + "\n", "usage-\(width).txt")
        }
    }

    func testNothingUsedIsSaid() {
        let screen = UsageScreen(turns: [], models: [], prices: PriceTable())
        XCTAssertEqual(screen.lines(width: 80).map(\.text), ["  Nothing has been used here yet."])
    }

    func testWhatUsedNothingMissesNoPrice() {
        let rows = [
            UsageRow(name: "unknown", turns: 1, usage: Usage(input: 1, output: 1), cost: Cost()),
            UsageRow(name: "failed", turns: 1, usage: Usage(), cost: Cost()),
        ]
        let lines = UsageTable.lines(rows, total: nil, width: 80).map(\.text)
        XCTAssertEqual(lines.map { $0.contains("no price") }, [true, false], "\(lines)")
    }

    func testTokensAreShortAndRight() {
        XCTAssertEqual(
            [0, 960, 1_204, 9_950, 38_412, 922_000, 999_600, 1_000_000, 1_050_000, 12_500_000]
                .map(Quantities.short),
            ["0", "960", "1.2k", "10k", "38k", "922k", "1M", "1M", "1.05M", "12.5M"])
    }
}
