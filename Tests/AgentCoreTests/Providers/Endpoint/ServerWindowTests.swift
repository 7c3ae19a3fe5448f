import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import Privacy

/// Servers that say in their own places how much a model reads, on a loopback port.
final class ServerWindowTests: XCTestCase {
    private func window(
        of model: String = "llama", _ answers: [String: JSONValue]
    ) async throws -> (window: ServerWindow?, asked: [String]) {
        let server = try LoopbackServer { request in
            answers[request.path].map { .json(200, $0) } ?? .json(404, ["error": "not found"])
        }
        defer { server.stop() }
        let transport = CurlTransport()
        defer { transport.shutDown() }
        let provider = HTTPProvider(
            endpoint: ProviderEndpoint(
                name: .local, format: .chat, base: try BaseURL(server.url("/v1"))),
            key: { nil }, person: { PersonalData() }, transport: transport,
            environment: ManualClock().environment)
        let window = try await provider.window(of: model)
        return (window, server.requests.map(\.path))
    }

    func testOllamaTellsOfALoadedModel() async throws {
        let (window, asked) = try await window([
            "/api/ps": ["models": [["name": "llama:latest", "context_length": 8192]]]
        ])
        XCTAssertEqual(window, ServerWindow(tokens: 8_192))
        XCTAssertEqual(asked, ["/api/ps"])
    }

    func testOllamaTellsTheParametersOfAModelThatIsNotLoaded() async throws {
        let parameters = "stop    \"<|eot|>\"\nnum_ctx                        16384"
        let (window, _) = try await window([
            "/api/ps": ["models": []],
            "/api/show": ["parameters": .string(parameters), "details": [:]],
        ])
        XCTAssertEqual(window, ServerWindow(tokens: 16_384))
    }

    func testOllamaStartsAModelWithFewTokensUnlessToldOtherwise() async throws {
        let (window, _) = try await window([
            "/api/ps": ["models": []], "/api/show": ["details": [:]],
        ])
        XCTAssertEqual(window, ServerWindow(tokens: 4_096, isUsual: true))
    }

    func testLlamaCppTellsItInItsProperties() async throws {
        let (window, asked) = try await window([
            "/props": ["default_generation_settings": ["n_ctx": 4096], "total_slots": 4]
        ])
        XCTAssertEqual(window, ServerWindow(tokens: 4_096))
        // Only Ollama is asked with a body.
        XCTAssertEqual(asked, ["/api/ps", "/props"])
    }

    func testLMStudioTellsItInItsOwnList() async throws {
        let (window, _) = try await window(
            [
                "/api/ps": ["error": "Unexpected endpoint"],
                "/api/v0/models": [
                    "data": [
                        ["id": "other", "loaded_context_length": 1024],
                        ["id": "llama", "loaded_context_length": 6144],
                    ]
                ],
            ])
        XCTAssertEqual(window, ServerWindow(tokens: 6_144))
    }

    func testAServerThatSaysNothingIsAskedOnce() async throws {
        let (window, asked) = try await window([:])
        XCTAssertNil(window)
        XCTAssertEqual(asked, ["/api/ps", "/props", "/api/v0/models"])
    }

    func testTheListOfLlamaCppHasItToo() throws {
        let list: JSONValue = [
            "data": [["id": "smollm2-135m", "owned_by": "llamacpp", "meta": ["n_ctx": 4096]]]
        ]
        XCTAssertEqual(
            ModelList.read(list), [ModelInfo(id: "smollm2-135m", maxInput: 4_096)])
    }
}
