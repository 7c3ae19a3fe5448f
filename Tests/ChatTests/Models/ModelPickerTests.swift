import AgentCore
import Base
import TestSupport
import XCTest

@testable import ChatKit
@testable import TerminalKit

/// The list of `/model` as it stands below the prompt.
final class ModelPickerTests: XCTestCase {
    func testTheListFitsEightyAndFortyColumns() throws {
        let listings: [ModelDirectory.Listing] = [
            .init(provider: .claude, models: Array(ModelCatalog.claude.prefix(4)), source: .live),
            .init(
                provider: .openai, models: Array(ModelCatalog.openAI.suffix(2)), source: .live),
            .init(
                provider: .local,
                models: [
                    ModelInfo(id: "qwen3:30b-a3b-instruct-2507-q4_K_M", maxInput: 262_144),
                    ModelInfo(id: "模型\u{1B}[31m", displayName: "a name of its own"),
                ], source: .live),
        ]
        let choices = ModelChoices(
            listings,
            current: ProviderChoice(provider: .openai, model: "gpt-5.5", reason: .conversation),
            prices: PriceTable())
        for width in [80, 40] {
            let lines = PickerState(choices.request)
                .lines(on: ScreenSize(columns: width, rows: 24))
                .map { HostileText.line($0.text) }
            for line in lines { XCTAssertLessThanOrEqual(DisplayWidth.of(line), width, line) }
            try GoldenFile.check(lines.joined(separator: "\n") + "\n", "model-picker-\(width).txt")
        }
    }
}
