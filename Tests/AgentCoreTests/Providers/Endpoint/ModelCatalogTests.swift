import XCTest

@testable import AgentCore

final class ModelCatalogTests: XCTestCase {
    func testWhichClaudeModelsThinkAdaptivelyAndTakeATemperature() {
        let rules: [(String, thinks: Bool, samples: Bool)] = [
            ("claude-sonnet-5-5", true, false), ("claude-opus-5", true, false),
            ("claude-fable-5-1", true, false), ("claude-haiku-5-5", true, false),
            ("claude-opus-4-8", true, false), ("claude-opus-4-7", true, false),
            ("claude-opus-4-6", true, true), ("claude-sonnet-4-6", true, true),
            ("claude-opus-4-5-20251101", false, true), ("claude-haiku-4-5", false, true),
            ("claude-haiku-4-5-20251001", false, true), ("claude-opus-4-20250514", false, true),
            ("claude-3-5-sonnet-20241022", false, true), ("qwen", false, true),
        ]
        for (model, thinks, samples) in rules {
            XCTAssertEqual(ModelCatalog.thinksAdaptively(model), thinks, model)
            XCTAssertEqual(ModelCatalog.acceptsSampling(model), samples, model)
        }
    }

    func testWhichOpenAIModelsReason() {
        for model in ["gpt-6.2-sol", "gpt-5", "gpt-5.4-mini", "o3", "o4-mini"] {
            XCTAssertTrue(ModelCatalog.isReasoningModel(model), model)
            XCTAssertFalse(ModelCatalog.acceptsSampling(model), model)
        }
        for model in ["gpt-4o", "gpt-4.1", "gpt-oss:20b", "gpt-5-chat-latest", "llama", "olmo"] {
            XCTAssertFalse(ModelCatalog.isReasoningModel(model), model)
        }
    }

    func testTheOutputLimitIsTheSmallestOfAll() {
        func limit(_ model: String, _ wanted: Int) -> Int {
            ModelCatalog.outputLimit(
                for: ModelRequest(model: model, system: "", turns: [], maxOutputTokens: wanted))
        }
        XCTAssertEqual(limit("claude-sonnet-5-5", 200_000), 32_000)
        XCTAssertEqual(limit("unknown", 500), 500)
        XCTAssertEqual(limit("unknown", 0), 1)
    }

    func testDefaultsAreKnownModels() {
        for provider in [ProviderName.claude, .openai] {
            let name = provider.facts.defaultModel
            XCTAssertEqual(ModelCatalog.known(for: provider).first?.id, name)
        }
        XCTAssertNil(ProviderName.local.facts.defaultModel)
        XCTAssertEqual(ModelCatalog.info("claude-haiku-4-5-20251001")?.maxOutput, 64_000)
        XCTAssertNil(ModelCatalog.info("claude-haiku"))
    }

    func testTheNearestNamesComeBestFirst() {
        let names = ModelCatalog.claude.map(\.id)
        XCTAssertEqual(
            ModelCatalog.nearest(to: "claude-sonet-5-5", in: names).first, "claude-sonnet-5-5")
        XCTAssertEqual(ModelCatalog.nearest(to: "zzz", in: names), [])
        XCTAssertEqual(
            ModelCatalog.nearest(to: "Claude-Opus-5", in: names, limit: 1), ["claude-opus-5"])
    }

    func testOnlyChatModelsOfAVendorsListAreOffered() {
        let list = [
            "gpt-6.2-sol", "gpt-4o-audio-preview", "gpt-realtime", "o3", "omni-moderation",
            "dall-e-3",
            "gpt-3.5-turbo-instruct", "text-embedding-3", "gpt-image-1", "whisper-1",
        ].map { ModelInfo(id: $0) }
        XCTAssertEqual(
            ModelCatalog.chatModels(of: list, provider: .openai).map(\.id), ["gpt-6.2-sol", "o3"])
    }
}
