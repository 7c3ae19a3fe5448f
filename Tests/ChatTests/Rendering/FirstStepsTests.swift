import AgentCore
import Base
import TestSupport
import XCTest

@testable import ChatKit

/// The first screen, and what it finds on this machine.
final class FirstStepsTests: XCTestCase {
    private func lines(
        _ server: Connector.LocalServer? = nil, isConnected: Bool = false, columns: Int = 80
    ) -> [String] {
        FirstSteps.lines(isConnected: isConnected, server: server, columns: columns).map(\.text)
    }

    func testWithoutAKeyThereAreThreeWaysAndOneThingToType() {
        XCTAssertEqual(
            lines(),
            [
                "  type this     remind me to call mom tomorrow at 9",
                "  a key         /keys set claude, or openai; then ask anything",
                "  this machine  no server answers; from ollama.com: ollama pull llama3.2",
                "  no model      reminders, calendar, search and reading aloud need none",
            ])
        XCTAssertEqual(
            lines(.init(host: "127.0.0.1:1234", model: "qwen"), columns: 100)[2],
            "  this machine  qwen answers: /config set local.base_url http://127.0.0.1:1234/v1")
        XCTAssertEqual(
            lines(.init(host: "127.0.0.1:11434"), columns: 100)[2],
            "  this machine  127.0.0.1:11434 answers, but has no model yet: ollama pull llama3.2")
        for columns in [20, 40, 60] {
            for line in lines(columns: columns) { XCTAssertLessThan(line.count, columns, line) }
        }
    }

    func testALocalModelIsNamedWithItsWindowAndAQuestionThatFits() {
        let small = Connector.LocalServer(host: "127.0.0.1:11434", model: "llama", window: 4_096)
        XCTAssertEqual(
            lines(small, isConnected: true),
            [
                "  this machine  llama at 127.0.0.1:11434, which reads 4,096 tokens",
                "  ask           explain the tides in three sentences",
                "  or type       remind me to call mom tomorrow at 9",
            ])
        let large = Connector.LocalServer(host: "h", model: "llama", window: 32_768)
        XCTAssertEqual(lines(large, isConnected: true)[1], "  ask           what can you do here?")
        XCTAssertEqual(
            lines(isConnected: true),
            [
                "  ask      what can you do here?",
                "  or type  remind me to call mom tomorrow at 9",
            ])
    }

    func testTheServerOfThisMachineIsLookedForAtTheUsualPorts() async throws {
        func found(
            at host: String, _ variables: [String: String] = [:]
        ) async throws -> (Connector.LocalServer?, [String]) {
            let rig = try ChatRig(variables: variables)
            rig.transport.set(host, RoutedTransport.local(""))
            return (await rig.services.connector.localServer(), rig.transport.urls)
        }
        var (server, urls) = try await found(at: "127.0.0.1:11434/v1")
        XCTAssertEqual(server, .init(host: "127.0.0.1:11434", model: "llama"))
        XCTAssertEqual(urls.first, "http://127.0.0.1:11434/v1/models")
        (server, urls) = try await found(at: ":8080")
        XCTAssertEqual(server, .init(host: "127.0.0.1:8080", model: "llama"))
        XCTAssertEqual(urls.count, 3)
        // Where an address is set, no other is asked.
        (server, urls) = try await found(at: ":8080", ["OLLAMA_HOST": "127.0.0.1:1"])
        XCTAssertNil(server)
        XCTAssertEqual(urls, ["http://127.0.0.1:1/v1/models"])
    }
}
