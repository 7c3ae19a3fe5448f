import TestSupport
import XCTest

@testable import AgentCore
@testable import Base

/// Turns in which the vendor searches the web.
final class AgentWebSearchTests: XCTestCase {
    private let origin = ModelOrigin(provider: .claude, format: .messages, model: "scripted")

    private func searched(_ query: String, then calls: [ToolCall]) -> ScriptedProvider.Step {
        ScriptedProvider.Step(
            batches: [[.webSearch(query)], [.text("Found.")]],
            result: .success(
                ModelAnswer(
                    message: Message(
                        role: .assistant,
                        parts: [
                            .opaque([
                                "type": "server_tool_use", "id": "s1", "name": "web_search",
                                "input": ["query": .string(query)],
                            ]),
                            .opaque(["type": "web_search_tool_result", "tool_use_id": "s1"]),
                            .text("Found."),
                        ] + calls.map(Part.toolCall), origin: origin),
                    stop: calls.isEmpty ? .end : .toolUse,
                    usage: Usage(input: 10, output: 5, searches: 1))))
    }

    func testAWriteInTheSameReplyAsASearchAsks() async throws {
        for foreign in [true, false] {
            var rig = AgentRig()
            rig.policy = ApprovalPolicy(isInteractive: true)
            rig.approver = Approver { [timeline = rig.timeline] request in
                timeline.note("asked \(request.hasUntrustedText)")
                return false
            }
            let call = AgentRig.call("1", "note", #"{"title":"a"}"#)
            let provider = ScriptedProvider([
                foreign ? searched("ferry", then: [call]) : .calls([call]), .text(["Done."]),
            ])
            let outcome = try await rig.run(provider)
            XCTAssertEqual(rig.timeline.count("asked true"), foreign ? 1 : 0)
            XCTAssertEqual(rig.timeline.count("run"), foreign ? 0 : 1)
            XCTAssertEqual(outcome.turn.hasUntrustedText, foreign)
            XCTAssertEqual(outcome.turn.usage.searches, foreign ? 1 : 0)
        }
    }

    func testSearchesAreShownInTheirPlace() async throws {
        let rig = AgentRig()
        let timeline = rig.timeline
        _ = try await rig.run(ScriptedProvider([searched("ferry", then: [])])) { event in
            switch event {
            case .webSearch(let query): timeline.note("shown \(query)")
            case .text(let text): timeline.note("shown \(text)")
            default: break
            }
        }
        XCTAssertEqual(
            timeline.all.filter { $0.hasPrefix("shown") }, ["shown ferry", "shown Found."])
    }

    func testASearchThatIsInterruptedLeavesTextOfOthersBehind() async throws {
        let rig = AgentRig()
        var step = searched("ferry", then: [])
        step.result = .failure(
            ProviderError(reason: .brokenStream, provider: .claude, host: "scripted.test"))
        let outcome = try await rig.run(ScriptedProvider([step]))
        XCTAssertEqual(outcome.status, .failed)
        XCTAssertTrue(outcome.turn.hasUntrustedText)
        XCTAssertEqual(outcome.turn.messages.last?.text, "Found.")
        // On disk too.
        XCTAssertEqual(rig.timeline.count("record assistant Found."), 1)
    }
}
