import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// Every tool with arguments as models send them, good and bad, through the
/// agent: each call gets an answer that says what to do, and one that was
/// refused has changed nothing.
final class ToolArgumentsTests: XCTestCase {
    private static let values = [
        #""""#, #""  ""#, "null", "5", "-1", "true", "[]", "{}", #""2026-13-45""#,
        #""2026-03-05""#, #""2026-03-05T10:00""#, #""2026-03-05T10:00:00+02:00""#,
        #""2026-03-05T10:00:00Z""#, #""tomorrow at 5""#, #""FREQ=NEVER""#,
        #""FREQ=DAILY;COUNT=0""#, #""call""#, #""no such thing""#, #""../../etc""#, #""none""#,
        "\"\(String(repeating: "x", count: 9000))\"", "1e99", "9223372036854775808",
    ]

    func testEveryArgumentIsAnsweredAndRefusalsChangeNothing() async throws {
        let rig = try await MessageRig.furnished()
        try rig.keep()
        let registry = ToolRegistry(servers: rig.servers)
        let good: [String: String] = [
            "title": #""call mom""#, "event": #""dentist""#, "query": #""call""#,
            "start": #""2026-03-12T10:00""#, "from": #""2026-03-05""#,
        ]
        let before = try await rig.items()
        let files = try rig.files()
        var refused = 0
        for tool in registry.tools {
            let properties = try XCTUnwrap(
                tool.inputSchema.json["properties"]?.objectValue, tool.name)
            let required = tool.inputSchema.json["required"]?.arrayValue ?? []
            for property in properties.members {
                for value in Self.values {
                    var arguments = Dictionary(
                        uniqueKeysWithValues: required.compactMap(\.stringValue).map {
                            ($0, good[$0] ?? #""2026-03-12""#)
                        })
                    arguments[property.name] = value
                    let text =
                        "{"
                        + arguments.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
                        .joined(separator: ",") + "}"
                    let result = try await call(tool.name, text, registry, rig)
                    XCTAssertFalse(result.text.isEmpty, "\(tool.name) \(text.prefix(200))")
                    XCTAssertLessThan(result.text.utf8.count, 20_000, "\(tool.name)")
                    let after = try rig.files() == files ? before : try await rig.items()
                    if result.isError {
                        refused += 1
                        XCTAssertEqual(after, before, "\(tool.name) \(text.prefix(200))")
                    }
                    if after != before { try rig.restore() }
                }
            }
        }
        XCTAssertGreaterThan(refused, 200)
    }

    private func call(
        _ name: String, _ arguments: String, _ registry: ToolRegistry, _ rig: MessageRig
    ) async throws -> ToolResult {
        let agent = Agent(registry: registry, environment: rig.folder.environment)
        let outcome = try await agent.respond(
            to: .user("do it"),
            in: Agent.Context(
                provider: ScriptedProvider([
                    .calls([ToolCall(id: "1", name: name, arguments: arguments)]),
                    .text(["Done."]),
                ]), model: "scripted", system: "", history: [], journal: SilentJournal(),
                approver: Approver { _ in true }, policy: ApprovalPolicy(isInteractive: true))
        ) { _ in }
        let results = outcome.turn.messages.flatMap(\.parts).compactMap { part -> ToolResult? in
            if case .toolResult(let result) = part { result } else { nil }
        }
        return try XCTUnwrap(results.first, "\(name) \(arguments.prefix(200))")
    }
}
