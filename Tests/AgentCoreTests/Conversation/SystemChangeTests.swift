import Foundation
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import Privacy

/// A system text that changes within a conversation.
final class SystemChangeTests: XCTestCase {
    private static let sonnet = "claude-sonnet-5-5"

    /// As they are stored when a role is taken before the second message.
    private func turns(isUntrusted: Bool = false) -> [Turn] {
        let first = Turn(
            status: .done,
            messages: [.user("one"), Message(role: .assistant, parts: [.text("1")])])
        var second = Message.user("two")
        second.parts += SystemChange.parts(to: "Rhyme.", from: "Be terse.", after: [first])
            .map(Part.text)
        return [
            first, Turn(status: .open, messages: [second], carriesUntrustedText: isUntrusted),
        ]
    }

    private func provider(
        _ name: ProviderName, _ format: WireFormat, _ base: String,
        _ transport: StubTransport = StubTransport([])
    ) throws -> HTTPProvider {
        HTTPProvider(
            endpoint: ProviderEndpoint(name: name, format: format, base: try BaseURL(base)),
            key: { "sk-secret" }, person: { PersonalData() }, transport: transport,
            environment: Environment(
                now: { Date(timeIntervalSince1970: 784_111_777) }, uptime: { 0 },
                sleep: { _ in }, uuid: { "u" }, random: { 0 }, variables: [:]))
    }

    private func claude(_ transport: StubTransport = StubTransport([])) throws -> HTTPProvider {
        try provider(.claude, .messages, "https://api.anthropic.com", transport)
    }

    private func request(_ model: String, _ system: String, _ turns: [Turn]) -> ModelRequest {
        ModelRequest(model: model, system: system, turns: turns)
    }

    private func body(_ provider: HTTPProvider, _ request: ModelRequest) async throws -> JSONValue {
        try JSONParser.parse(try await provider.body(of: request))
    }

    /// The roles of the messages, and all texts that are the system's.
    private func shape(_ body: JSONValue) -> [String] {
        let head =
            body["system"]?.arrayValue?.first?["text"]?.stringValue
            ?? body["instructions"]?.stringValue
        let entries = body["messages"]?.arrayValue ?? body["input"]?.arrayValue ?? []
        return (head.map { [$0] } ?? [])
            + entries.map { entry in
                let role = entry["role"]?.stringValue ?? ""
                guard ["system", "developer"].contains(role) else { return role }
                let text =
                    entry["content"]?.stringValue
                    ?? entry["content"]?.arrayValue?.first?["text"]?.stringValue
                return "\(role): \(text ?? "")"
            }
    }

    func testTheFirstTextStaysAndTheNewOneFollowsItsMessage() async throws {
        let claude = try await body(claude(), request(Self.sonnet, "Rhyme.", turns()))
        XCTAssertEqual(
            shape(claude), ["Be terse.", "user", "assistant", "user", "system: Rhyme."])
        XCTAssertEqual(ConversationValidator.violations(in: claude, format: .messages), [])
        let openAI = try provider(.openai, .responses, "https://api.openai.com/v1")
        for (model, head) in [
            ("gpt-6.2-sol", "developer: Be terse."), ("gpt-6.1-terra", "Be terse."),
        ] {
            let body = try await body(openAI, request(model, "Rhyme.", turns()))
            XCTAssertEqual(
                shape(body), [head, "user", "assistant", "user", "developer: Rhyme."], model)
            XCTAssertEqual(ConversationValidator.violations(in: body, format: .responses), [])
        }
    }

    func testElsewhereTheTextThatHoldsStandsAtTheHead() async throws {
        let head = ["Rhyme.", "user", "assistant", "user"]
        for model in ["claude-sonnet-5", "claude-opus-4-6", "claude-haiku-4-5"] {
            let body = try await body(claude(), request(model, "Rhyme.", turns()))
            XCTAssertEqual(shape(body), head, model)
        }
        let local = try provider(.local, .chat, "http://127.0.0.1:8080/v1")
        let chat = try await body(local, request("gpt-6.2-sol", "Rhyme.", turns()))
        XCTAssertEqual(shape(chat), ["system: Rhyme.", "user", "assistant", "user"])
        let gateway = try provider(.claude, .messages, "https://llm.example.org")
        let other = try await body(gateway, request(Self.sonnet, "Rhyme.", turns()))
        XCTAssertEqual(shape(other), head)
        // Not the text of a message that others may have written, nor one that has passed.
        let foreign = try await body(
            claude(), request(Self.sonnet, "Rhyme.", turns(isUntrusted: true)))
        XCTAssertEqual(shape(foreign), head)
        let passed = try await body(claude(), request(Self.sonnet, "Be brief.", turns()))
        XCTAssertEqual(shape(passed), ["Be brief.", "user", "assistant", "user"])
    }

    func testAServerThatRefusesItGetsItAtTheHead() async throws {
        let transport = StubTransport([
            .json(
                #"{"error":{"type":"invalid_request_error","message":"role 'system' is not supported on this model"}}"#,
                status: 400),
            .stream([WireScript.text(["ok"], format: .messages)]),
        ])
        let answer = try await claude(transport)
            .respond(to: request(Self.sonnet, "Rhyme.", turns())) { _ in }
        XCTAssertEqual(answer.message.text, "ok")
        let sent = try transport.requests.map { request -> JSONValue in
            guard case .bytes(let bytes) = request.body else { return .null }
            return try JSONParser.parse(bytes)
        }
        XCTAssertEqual(
            sent.map(shape),
            [
                ["Be terse.", "user", "assistant", "user", "system: Rhyme."],
                ["Rhyme.", "user", "assistant", "user"],
            ])
    }

    func testOnlyAChangeIsTold() {
        let first = Array(turns().prefix(1))
        XCTAssertEqual(SystemChange.parts(to: "A", from: "A", after: first), [])
        XCTAssertEqual(SystemChange.parts(to: "A", from: nil, after: first), [])
        XCTAssertEqual(SystemChange.parts(to: "A", from: "B", after: []), [])
        XCTAssertEqual(SystemChange.parts(to: "Rhyme.", from: "Rhyme.", after: turns()), [])
        XCTAssertEqual(
            SystemChange.parts(to: "Be terse.", from: "Rhyme.", after: turns()).map(\.text),
            ["Be terse."])
    }
}
