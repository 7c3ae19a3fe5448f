import XCTest

@testable import AgentCore

final class ProviderChoiceTests: XCTestCase {
    private typealias Selection = ProviderChoice.Selection

    private func choose(
        _ flags: Selection = Selection(), conversation: Selection? = nil,
        configuration: Selection = Selection(),
        keys: Set<ProviderName> = [],
        ollama: ProviderChoice.Ollama = .unknown, listed: [ProviderName: [String]] = [:]
    ) -> String {
        var inputs = ProviderChoice.Inputs()
        inputs.flags = flags
        inputs.conversation = conversation
        inputs.configuration = configuration
        inputs.keys = keys
        inputs.ollama = ollama
        inputs.listed = listed
        switch ProviderChoice.choose(inputs) {
        case .needsOllama: return "look for Ollama"
        case .chosen(let choice):
            return "\(choice.provider) \(choice.model ?? "-") \(choice.reason)"
        }
    }

    func testKeysDecideWhereNothingIsSaid() {
        XCTAssertEqual(choose(keys: [.claude]), "claude claude-sonnet-5-5 key")
        XCTAssertEqual(choose(keys: [.openai]), "openai gpt-6.2-sol key")
        XCTAssertEqual(choose(keys: [.claude, .openai]), "claude claude-sonnet-5-5 key")
    }

    func testWithoutKeysAnOllamaIsLookedForOnlyWhenNeeded() {
        XCTAssertEqual(choose(), "look for Ollama")
        XCTAssertEqual(choose(ollama: .answers), "local - ollama")
        XCTAssertEqual(choose(ollama: .silent), "offline - nothing")
        XCTAssertEqual(choose(Selection(provider: .offline)), "offline - flag")
    }

    func testFlagsWinOverTheConversationAndThatOverTheConfiguration() {
        let conversation = Selection(provider: .local, model: "qwen")
        let configuration = Selection(provider: .openai, model: "gpt-6-luna")
        XCTAssertEqual(
            choose(
                Selection(provider: .claude), conversation: conversation,
                configuration: configuration),
            "claude claude-sonnet-5-5 flag")
        XCTAssertEqual(
            choose(conversation: conversation, configuration: configuration, keys: [.claude]),
            "local qwen conversation")
        XCTAssertEqual(
            choose(configuration: configuration, keys: [.claude]),
            "openai gpt-6-luna configuration")
        XCTAssertEqual(
            choose(configuration: Selection(model: "claude-opus-5-5"), keys: [.openai]),
            "claude claude-opus-5-5 configuration")
    }

    func testAProviderAloneTakesTheModelThatWasUsedWithIt() {
        XCTAssertEqual(
            choose(
                Selection(provider: .openai),
                conversation: Selection(provider: .claude, model: "x"),
                configuration: Selection(provider: .openai, model: "gpt-6-luna")),
            "openai gpt-6-luna flag")
    }

    func testAModelMayNameItsProvider() {
        XCTAssertEqual(choose(Selection(model: "openai/gpt-9")), "openai gpt-9 flag")
        XCTAssertEqual(choose(Selection(model: "local/org/name:7b")), "local org/name:7b flag")
        XCTAssertEqual(
            choose(Selection(provider: .local, model: "local/qwen")), "local qwen flag")
        XCTAssertEqual(
            choose(Selection(provider: .local, model: "openai/gpt-oss")),
            "local openai/gpt-oss flag")
    }

    func testAListedNameStaysWithTheProviderThatListsIt() {
        XCTAssertEqual(
            choose(
                Selection(model: "claude-like"),
                conversation: Selection(provider: .local, model: "a"),
                listed: [.local: ["claude-like"]]), "local claude-like flag")
        XCTAssertEqual(
            choose(Selection(model: "qwen"), keys: [.claude], listed: [.local: ["qwen"]]),
            "local qwen flag")
    }

    func testAKnownBeginningTellsTheProvider() {
        XCTAssertEqual(
            choose(Selection(model: "claude-future"), keys: [.openai]), "claude claude-future flag")
        XCTAssertEqual(choose(Selection(model: "gpt-9"), keys: [.claude]), "openai gpt-9 flag")
        XCTAssertEqual(choose(Selection(model: "o9-mini"), keys: [.claude]), "openai o9-mini flag")
    }

    func testAnyOtherNameIsForTheProviderInUse() {
        XCTAssertEqual(choose(Selection(model: "new"), keys: [.claude]), "claude new flag")
        XCTAssertEqual(
            choose(Selection(model: "gpt-oss:20b"), ollama: .answers), "local gpt-oss:20b flag")
        XCTAssertEqual(choose(Selection(model: "new")), "look for Ollama")
        XCTAssertEqual(choose(Selection(model: "new"), ollama: .silent), "local new flag")
        XCTAssertEqual(
            choose(
                Selection(model: "anthropic/claude-x"), configuration: Selection(provider: .local)),
            "local anthropic/claude-x flag")
    }
}
