import Synchronization
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base

/// Calls whose effect depends on their arguments and on what is there, in a turn.
final class AgentEffectTests: XCTestCase {
    /// The rig's write, which deletes what is called "old" and sends what is called "out".
    private func rig(_ answer: @escaping @Sendable (ApprovalRequest) -> Bool) -> AgentRig {
        var rig = AgentRig()
        rig.policy = ApprovalPolicy(isInteractive: true)
        rig.effects = { name, arguments in
            guard name == "note" else { return nil }
            switch arguments["title"] {
            case "old": return [CallEffect(.deletion, "wipe", arguments)]
            case "out": return [CallEffect(.sending, "mail", arguments)]
            default: return nil
            }
        }
        let timeline = rig.timeline
        rig.approver = Approver { request in
            let calls = request.items.map {
                "\($0.tool.name) \($0.arguments["title"]?.stringValue ?? "")"
            }
            timeline.note("asked \(calls.joined(separator: ", ")) \(request.confirmation)")
            return answer(request)
        }
        return rig
    }

    private func note(_ id: String, _ title: String) -> ToolCall {
        AgentRig.call(id, "note", "{\"title\":\"\(title)\"}")
    }

    private func shown(_ rig: AgentRig) -> [String] {
        rig.timeline.all.filter { $0.hasPrefix("asked") || $0.hasPrefix("run") }
    }

    func testAWriteThatDeletesIsAskedAboutAndRecordedAsADeletion() async throws {
        let rig = rig { _ in true }
        _ = try await rig.run(
            ScriptedProvider([.calls([note("1", "new"), note("2", "old")]), .text(["."])]))
        XCTAssertEqual(shown(rig), ["asked note old yes", "run note", "run note"])
        XCTAssertEqual(rig.timeline.calls.map(\.toolClass), [.write, .destroy])
    }

    func testWithoutATerminalItIsRefusedAndTheToolsThatWouldHaveToBeAllowedAreNamed() async throws {
        for allowed in [["note"], ["note", "wipe"]] {
            var rig = rig { _ in true }
            rig.policy = ApprovalPolicy(allowedTools: Set(allowed), isInteractive: false)
            let outcome = try await rig.run(
                ScriptedProvider([.calls([note("1", "old")]), .text(["."])]))
            XCTAssertEqual(rig.timeline.count("run"), allowed.count - 1)
            XCTAssertEqual(
                outcome.refusals.map(\.tool), allowed.count == 1 ? ["note", "wipe"] : [])
        }
    }

    func testADenyRuleForDeletionsHoldsForAWriteThatDeletes() async throws {
        var rig = rig { _ in true }
        rig.policy.rules.deny = ["wi*"].compactMap(ApprovalRule.init)
        _ = try await rig.run(
            ScriptedProvider([.calls([note("1", "old"), note("2", "new")]), .text(["."])]))
        XCTAssertEqual(shown(rig), ["run note"])
        XCTAssertEqual(rig.timeline.calls.map(\.approval), ["denied: rule", "policy"])
    }

    /// Whatever the tool: the fourth deletion shows the three before it.
    func testDeletionsByAnotherToolCount() async throws {
        let rig = rig { _ in true }
        _ = try await rig.run(
            ScriptedProvider([
                .calls([note("1", "old")]), .calls([note("2", "old")]),
                .calls([note("3", "old")]), .calls([AgentRig.call("4", "wipe")]), .text(["."]),
            ]))
        XCTAssertEqual(
            shown(rig).filter { $0.hasPrefix("asked") },
            ["asked note old yes", "asked note old yes", "asked note old yes"]
                + ["asked wipe a word(\"delete\")"])
    }

    /// `send` is no answer to a deletion, and `delete` none to what is sent.
    func testDeletionsAndSendingsOfOneReplyAreTwoQuestions() async throws {
        let rig = rig { $0.items.first?.tool.name == "mail" }
        _ = try await rig.run(
            ScriptedProvider([
                .calls([
                    AgentRig.call("1", "mail"), AgentRig.call("2", "wipe"), note("3", "out"),
                    AgentRig.call("4", "wipe", #"{"title":"b"}"#),
                ]), .text(["."]),
            ]))
        XCTAssertEqual(
            shown(rig),
            [
                "asked wipe a, wipe b word(\"delete\")", "asked mail a, note out word(\"send\")",
                "run mail", "run note",
            ])
        XCTAssertEqual(
            rig.timeline.calls.map(\.approval), ["y", "denied: user", "y", "denied: user"])
    }

    /// A call before it in the same reply has changed what is there.
    func testACallThatWouldDoSomethingElseByNowIsNotRun() async throws {
        var rig = rig { _ in true }
        let isThere = Mutex(false)
        rig.act = { name, _ in
            if name == "look" { isThere.withLock { $0 = true } }
            return ToolOutput(text: "done")
        }
        rig.effects = { name, arguments in
            guard name == "note" else { return nil }
            let kind: CallEffect.Kind = isThere.withLock { $0 } ? .deletion : .change
            return [CallEffect(kind, "note", arguments)]
        }
        let outcome = try await rig.run(
            ScriptedProvider([
                .calls([AgentRig.call("1", "look"), note("2", "a")]), .calls([note("3", "a")]),
                .text(["."]),
            ]))
        XCTAssertEqual(shown(rig), ["run look", "asked note a yes", "run note"])
        XCTAssertEqual(rig.timeline.calls.map(\.approval), ["policy", "denied: changed", "y"])
        XCTAssertEqual(outcome.refusals, [])
    }

    /// Another program has changed the folder while the question was open.
    func testACallThatWouldFindAnotherItemThanTheQuestionIsNotRun() async throws {
        let found = Mutex("the first")
        var rig = rig { _ in
            found.withLock { $0 = "the second" }
            return true
        }
        rig.look = { _ in .touches("milk", item: found.withLock { $0 }) }
        _ = try await rig.run(
            ScriptedProvider([
                .calls([AgentRig.call("1", "wipe")]), .calls([AgentRig.call("2", "wipe")]),
                .text(["."]),
            ]))
        XCTAssertEqual(rig.timeline.calls.map(\.approval), ["denied: changed", "y"])
    }
}
