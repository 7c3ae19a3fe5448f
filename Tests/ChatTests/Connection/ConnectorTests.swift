import AgentCore
import TestSupport
import XCTest

@testable import ChatKit

final class ConnectorTests: XCTestCase {
    private func choice(
        _ variables: [String: String], _ flags: ProviderChoice.Selection = .init(),
        configuration: String? = nil, ollama: Bool = false
    ) async throws -> String {
        let rig = try ChatRig(variables: variables, configuration: configuration)
        if ollama { rig.transport.set("11434", RoutedTransport.local("")) }
        let choice = await rig.services.connector.choiceLooking(flags: flags, conversation: nil)
        return "\(choice.provider.rawValue)/\(choice.model ?? "-")"
    }

    func testWhoIsAsked() async throws {
        let both = ChatRig.claude.merging(ChatRig.openai) { first, _ in first }
        var found: [String] = []
        found.append(try await choice([:]))
        found.append(try await choice([:], ollama: true))
        found.append(try await choice(ChatRig.openai, ollama: true))
        found.append(try await choice(both))
        found.append(try await choice(both, ProviderChoice.Selection(provider: .openai)))
        found.append(try await choice(both, ProviderChoice.Selection(model: "openai/x")))
        found.append(try await choice(both, configuration: #"{"provider": "local"}"#))
        found.append(
            try await choice(both, configuration: #"{"claude": {"model": "claude-own"}}"#))
        found.append(try await choice(both.merging(["CHAT_MODEL": "gpt-x"]) { a, _ in a }))
        XCTAssertEqual(
            found,
            [
                "offline/-", "local/-", "openai/\(ProviderName.openai.facts.defaultModel ?? "")",
                "claude/\(ProviderName.claude.facts.defaultModel ?? "")",
                "openai/\(ProviderName.openai.facts.defaultModel ?? "")", "openai/x", "local/-",
                "claude/claude-own", "openai/gpt-x",
            ])
    }

    func testNothingIsAskedBeforeAMessage() async throws {
        let rig = try ChatRig()
        let known = await rig.services.connector.choice(flags: .init(), conversation: nil)
        XCTAssertNil(known)
        XCTAssertEqual(rig.transport.urls, [])
    }

    func testReadiness() async throws {
        func readiness(
            _ name: ProviderName, _ variables: [String: String], configuration: String? = nil
        ) async throws -> Readiness {
            try await ChatRig(variables: variables, configuration: configuration).services
                .connector.readiness(of: name)
        }
        let without = try await readiness(.claude, [:])
        XCTAssertEqual(without, .missing(.key))
        let with = try await readiness(.claude, ChatRig.claude)
        XCTAssertEqual(with, .ready)
        let server = try await readiness(.local, [:])
        XCTAssertEqual(server, .missing(.server))
        let configured = try await readiness(
            .local, [:], configuration: #"{"local": {"base_url": "http://127.0.0.1:9/v1"}}"#)
        XCTAssertEqual(configured, .ready, "a configured server says by itself that it is gone")
        let plain = try await readiness(
            .openai, ["OPENAI_BASE_URL": "http://example.com/v1", "OPENAI_API_KEY": "sk-x"])
        XCTAssertEqual(plain, .missing(.address("http://example.com/v1")))
        let allowed = try await readiness(
            .openai, ["OPENAI_BASE_URL": "http://example.com/v1", "OPENAI_API_KEY": "sk-x"],
            configuration: #"{"allow_http": ["example.com"]}"#)
        XCTAssertEqual(allowed, .ready)
        let offline = try await readiness(.offline, [:])
        XCTAssertEqual(offline, .ready)
    }

    func testAServerIsLookedForOnceForOneMessage() async throws {
        let rig = try ChatRig()
        let connector = rig.services.connector
        _ = await connector.choiceLooking(flags: .init(), conversation: nil)
        _ = await connector.readiness(of: .local)
        _ = await connector.alternative(to: .claude)
        XCTAssertEqual(rig.transport.urls.count, 1)
        rig.transport.set("11434", RoutedTransport.local(""))
        rig.clock.advance(by: .seconds(3))
        let later = await connector.readiness(of: .local)
        XCTAssertEqual(later, .ready)
        rig.clock.advance(by: .seconds(3))
        _ = await connector.readiness(of: .local)
        XCTAssertEqual(rig.transport.urls.count, 2)
        let first = try await connector.firstModel(of: .local)
        XCTAssertEqual(first, "llama")
    }
}
