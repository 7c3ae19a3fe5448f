import XCTest

@testable import AgentCore
@testable import Base

/// Effort, thinking and temperature as each model takes them.
final class RequestThinkingTests: XCTestCase {
    private func request(
        _ model: String, effort: Effort? = nil, thinking: ThinkingDisplay = .summary,
        temperature: Double? = nil, tools: [Tool] = []
    ) -> ModelRequest {
        ModelRequest(
            model: model, system: "", turns: [], tools: tools, temperature: temperature,
            effort: effort, thinking: thinking, cacheKey: "k1")
    }

    private func claude(
        _ model: String, _ effort: Effort? = nil, _ thinking: ThinkingDisplay = .summary
    ) -> String {
        let body = ClaudeRequest.body(
            request(model, effort: effort, thinking: thinking), messages: [.user("a")])
        return ["thinking", "output_config"].compactMap { body[$0].map(JSONWriter.string) }
            .joined(separator: " ")
    }

    private func responses(
        _ model: String, _ effort: Effort? = nil, _ thinking: ThinkingDisplay = .summary
    ) -> String {
        let body = OpenAIResponsesRequest.body(
            request(model, effort: effort, thinking: thinking), messages: [.user("a")],
            isVendor: true)
        return body["reasoning"].map(JSONWriter.string) ?? ""
    }

    func testClaudeIsToldWhatToShowAndHowHardToTry() {
        let shown = #"{"type":"adaptive","display":"summarized"}"#
        let hidden = #"{"type":"adaptive","display":"omitted"}"#
        XCTAssertEqual(claude("claude-sonnet-5-5"), shown)
        XCTAssertEqual(claude("claude-sonnet-5-5", nil, .full), shown)
        XCTAssertEqual(claude("claude-sonnet-5-5", nil, .off), hidden)
        XCTAssertEqual(claude("claude-opus-5-5", .max), shown + #" {"effort":"max"}"#)
        XCTAssertEqual(claude("claude-opus-5-5", .minimal), shown + #" {"effort":"low"}"#)
        // 4.6 knows no xhigh; 4.6 to 4.8 do not think unless they are told to.
        XCTAssertEqual(claude("claude-opus-4-6", .xhigh), shown + #" {"effort":"high"}"#)
        XCTAssertEqual(claude("claude-opus-4-8", nil, .off), "")
    }

    func testNoEffortKeepsClaudeFromThinkingWhereThatIsAllowed() {
        XCTAssertEqual(claude("claude-sonnet-5-5", Effort.none), #"{"type":"between_tools"}"#)
        for model in ["claude-opus-5", "claude-sonnet-5", "claude-haiku-5-5"] {
            XCTAssertEqual(claude(model, Effort.none), #"{"type":"disabled"}"#, model)
        }
        XCTAssertEqual(claude("claude-opus-4-8", Effort.none), "")
        for model in ["claude-opus-5-5", "claude-fable-5-1", "claude-mythos-5"] {
            XCTAssertEqual(
                claude(model, Effort.none),
                #"{"type":"adaptive","display":"summarized"} {"effort":"low"}"#, model)
        }
    }

    func testOlderClaudeModelsGetABudgetBelowTheirLimit() {
        XCTAssertEqual(claude("claude-haiku-4-5"), "")
        XCTAssertEqual(
            claude("claude-haiku-4-5", .medium), #"{"type":"enabled","budget_tokens":8192}"#)
        XCTAssertEqual(
            claude("claude-opus-4-5-20251101", .high),
            #"{"type":"enabled","budget_tokens":16384} {"effort":"high"}"#)
        var small = request("claude-haiku-4-5", effort: .high)
        small.maxOutputTokens = 3_000
        XCTAssertEqual(
            ClaudeRequest.body(small, messages: [])["thinking"],
            ["type": "enabled", "budget_tokens": 1_976])
        small.maxOutputTokens = 2_000
        XCTAssertNil(ClaudeRequest.body(small, messages: [])["thinking"])
    }

    func testResponsesGetsEffortAndASummaryUnlessThinkingIsOff() {
        XCTAssertEqual(responses("gpt-6.2-sol"), #"{"summary":"auto"}"#)
        XCTAssertEqual(responses("gpt-6.2-sol", .high), #"{"effort":"high","summary":"auto"}"#)
        XCTAssertEqual(responses("gpt-6.2-sol", .high, .off), #"{"effort":"high"}"#)
        XCTAssertEqual(responses("gpt-6.2-sol", nil, .off), "")
        XCTAssertEqual(
            responses("gpt-6.2-sol", Effort.none), #"{"effort":"low","summary":"auto"}"#)
        XCTAssertEqual(responses("gpt-6-luna", Effort.none), #"{"effort":"none"}"#)
        XCTAssertEqual(responses("gpt-5.1", .max, .off), #"{"effort":"high"}"#)
        // Nothing is known of it: said as it was wished.
        XCTAssertEqual(responses("gpt-5.5-pro", .xhigh, .off), #"{"effort":"xhigh"}"#)
        XCTAssertEqual(responses("gpt-4o", .high), "")
    }

    func testChatGetsAnEffortOnlyWhenOneIsWished() {
        func effort(_ model: String, _ effort: Effort?, vendor: Bool, tools: Bool = false)
            -> String?
        {
            OpenAIChatRequest.body(
                request(model, effort: effort, tools: tools ? [RequestHistoryTests.tool] : []),
                messages: [.user("a")], isVendor: vendor)["reasoning_effort"]?.stringValue
        }
        XCTAssertNil(effort("qwen", nil, vendor: false))
        XCTAssertEqual(effort("qwen", .high, vendor: false), "high")
        XCTAssertNil(effort("gpt-4o", .high, vendor: true))
        XCTAssertEqual(effort("gpt-6.2-sol", .max, vendor: true), "xhigh")
        // There, OpenAI's models take tools only without reasoning.
        XCTAssertEqual(effort("gpt-6-luna", .high, vendor: true, tools: true), "none")
        XCTAssertEqual(effort("gpt-6-luna", nil, vendor: true, tools: true), "none")
    }

    /// Over every model of the catalog and every effort: sampling goes only
    /// where it is taken, and no effort is a word the model refuses.
    func testNoModelOfTheCatalogIsSentWhatItRefuses() throws {
        let efforts: [Effort?] = [nil] + Effort.allCases
        for model in ModelCatalog.claude.map(\.id) {
            let isOld = ["-4-5", "-4-6"].contains(where: model.hasSuffix)
            for effort in efforts {
                let body = ClaudeRequest.body(
                    request(model, effort: effort, temperature: 0.5), messages: [])
                XCTAssertEqual(body["temperature"] != nil, isOld, model)
                XCTAssertFalse(body["temperature"] != nil && body["thinking"] != nil, model)
                let word = body["output_config"]?["effort"]?.stringValue
                XCTAssertFalse(["none", "minimal"].contains(word), model)
                XCTAssertNotEqual(
                    ClaudeRequest.body(request(model, effort: effort), messages: [])["thinking"]?[
                        "type"] == "enabled",
                    ModelCatalog.thinksAdaptively(model) || effort == nil
                        || effort == Effort.none, "\(model) \(String(describing: effort))")
            }
        }
        for model in ModelCatalog.openAI.map(\.id) {
            for effort in efforts {
                let request = request(model, effort: effort, temperature: 0.5)
                let bodies = [
                    OpenAIResponsesRequest.body(request, messages: [], isVendor: true),
                    OpenAIChatRequest.body(request, messages: [], isVendor: true),
                ]
                for (body, format) in zip(bodies, [WireFormat.responses, .chat]) {
                    let sent =
                        body["reasoning"]?["effort"]?.stringValue
                        ?? body["reasoning_effort"]?.stringValue
                    if body["temperature"] != nil { XCTAssertEqual(sent, "none", model) }
                    guard let sent else { continue }
                    if let taken = ModelCatalog.efforts(of: model, format: format) {
                        XCTAssertTrue(taken.map(\.rawValue).contains(sent), "\(model) \(sent)")
                    }
                }
            }
        }
        XCTAssertEqual(
            ["gpt-6.2-astra", "gpt-6.2-sol", "gpt-6.1-sol", "gpt-6-astra"].filter {
                ModelCatalog.efforts(of: $0, format: .responses)?.contains(.none) != false
            }, [])
    }

    func testTheCacheKeyGoesToOpenAIAlone() {
        let request = request("gpt-6.2-sol")
        func key(_ body: JSONValue) -> String? { body["prompt_cache_key"]?.stringValue }
        XCTAssertEqual(
            key(OpenAIResponsesRequest.body(request, messages: [], isVendor: true)), "k1")
        XCTAssertEqual(key(OpenAIChatRequest.body(request, messages: [], isVendor: true)), "k1")
        XCTAssertNil(key(OpenAIResponsesRequest.body(request, messages: [], isVendor: false)))
        XCTAssertNil(key(OpenAIChatRequest.body(request, messages: [], isVendor: false)))
    }

    func testARefusedWishIsLeftOutAndNamed() {
        func ignored(
            _ message: String, _ parameter: String?, _ body: JSONValue, _ format: WireFormat
        ) -> Set<IgnoredParameter> {
            var adjustments = RequestAdjustments()
            let error = ProviderError(
                reason: .badRequest, provider: .openai, host: "h", status: 400,
                message: ServerText(message, hiding: nil),
                parameter: ServerText(parameter, hiding: nil))
            XCTAssertTrue(adjustments.learn(from: error, body: body, format: format), message)
            return adjustments.ignored(of: request("m", effort: .high, temperature: 1))
        }
        XCTAssertEqual(
            ignored(
                "Unsupported value: 'high'", "reasoning.effort",
                ["reasoning": ["effort": "high"]], .responses), [.effort])
        XCTAssertEqual(
            ignored(
                #""llama3" does not support thinking"#, nil, ["reasoning_effort": "high"], .chat),
            [.effort])
        XCTAssertEqual(
            ignored(
                "This model does not support the effort parameter.", nil,
                ["output_config": ["effort": "high"]], .messages), [.effort])
        XCTAssertEqual(ignored("no", "temperature", ["temperature": 1], .chat), [.temperature])
        XCTAssertEqual(
            ignored(
                "no", "reasoning.summary", ["reasoning": ["summary": "auto"]], .responses), [])
    }
}
