import Synchronization
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import Privacy

/// What the user makes of a question: once, for the conversation, other arguments, a
/// no with a reason. And what the rules say before anything is asked.
final class AgentApprovalTests: XCTestCase {
    /// Gives the answers in their order, then no, and notes what was asked.
    private final class Answers: Sendable {
        private let rest: Mutex<[ApprovalAnswer]>
        private let asked = Mutex<[ApprovalRequest]>([])

        init(_ answers: [ApprovalAnswer]) { rest = Mutex(answers) }

        var approver: Approver {
            Approver { [self] request -> ApprovalAnswer in
                asked.withLock { $0.append(request) }
                return rest.withLock { $0.isEmpty ? .no(reason: nil) : $0.removeFirst() }
            }
        }
        var requests: [ApprovalRequest] { asked.withLock { $0 } }
    }

    private func rig(
        _ answers: Answers, rules: (deny: [String], ask: [String], allow: [String]) = ([], [], [])
    ) -> AgentRig {
        var rig = AgentRig()
        rig.policy = ApprovalPolicy(isInteractive: true)
        rig.policy.rules.deny = rules.deny.compactMap(ApprovalRule.init)
        rig.policy.rules.ask = rules.ask.compactMap(ApprovalRule.init)
        rig.policy.rules.allow = rules.allow.compactMap(ApprovalRule.init)
        rig.approver = answers.approver
        return rig
    }

    private func results(_ outcome: TurnOutcome) -> [String] {
        outcome.turn.messages.flatMap(\.parts).compactMap { part in
            if case .toolResult(let result) = part { result.text } else { nil }
        }
    }

    /// A grant and a rule are for what the tool does, not for what is the user's own.
    func testPersonalDataAndKeysLeaveOnlyAfterAQuestion() async throws {
        let key = "sk-ant-api03-" + String(repeating: "aB3x", count: 12)
        for (title, person, questions) in [
            ("hello", PersonalData([.init(.name, "Ida Lindqvist")]), 1),
            ("from Ida Lindqvist", PersonalData([.init(.name, "Ida Lindqvist")]), 2),
            ("to kim@example.org", PersonalData([.init(.name, "Ida Lindqvist")]), 1),
            (key, PersonalData(), 2), ("hello", nil, 2),
        ] {
            let answers = Answers([.always, .yes])
            var rig = rig(answers)
            rig.person = person
            _ = try await rig.run(
                ScriptedProvider([
                    .calls([AgentRig.call("1", "mail")]),
                    .calls([AgentRig.call("2", "mail", "{\"title\":\"\(title)\"}")]),
                    .text(["."]),
                ]))
            XCTAssertEqual(answers.requests.count, questions, title)
            XCTAssertEqual(answers.requests.last?.isPrivate, questions == 2, title)
            XCTAssertEqual(answers.requests.last?.canGrant, questions == 1, title)
        }
        var rig = rig(Answers([]), rules: ([], [], ["mail"]))
        rig.policy.isInteractive = false
        rig.person = PersonalData([.init(.name, "Ida Lindqvist")])
        let outcome = try await rig.run(
            ScriptedProvider([
                .calls([AgentRig.call("1", "mail")]),
                .calls([AgentRig.call("2", "mail", #"{"title":"a","tags":["ida lindqvist"]}"#)]),
                .text(["."]),
            ]))
        XCTAssertEqual(outcome.refusals, [ToolRefusal(tool: "mail", why: .noTerminal)])
        XCTAssertEqual(rig.timeline.count("run mail"), 1)
    }

    func testTheReasonForANoIsToldToTheModelAndRecorded() async throws {
        let answers = Answers([.no(reason: "not that one"), .no(reason: nil)])
        let rig = rig(answers)
        let outcome = try await rig.run(
            ScriptedProvider([
                .calls([AgentRig.call("1", "wipe")]), .calls([AgentRig.call("2", "wipe")]),
                .text(["."]),
            ]))
        XCTAssertEqual(
            results(outcome),
            [
                "The user did not allow wipe, and said: not that one",
                "The user did not allow wipe.",
            ])
        XCTAssertEqual(rig.timeline.calls.map(\.approval), ["denied: user", "denied: user"])
        XCTAssertEqual(rig.timeline.calls.map(\.reason), ["not that one", nil])
        XCTAssertEqual(rig.timeline.calls.map(\.outcome), [.denied, .denied])
        XCTAssertEqual(rig.timeline.count("run"), 0)
    }

    func testAlwaysHoldsForTheToolUntilTextOfOthersComes() async throws {
        let answers = Answers([.always])
        let rig = rig(answers)
        let outcome = try await rig.run(
            ScriptedProvider([
                .calls([AgentRig.call("1", "mail")]),
                .calls([AgentRig.call("2", "mail", #"{"title":"b"}"#)]),
                .calls([AgentRig.call("3", "browse")]),
                .calls([AgentRig.call("4", "mail", #"{"title":"c"}"#)]), .text(["."]),
            ]))
        XCTAssertEqual(answers.requests.map(\.canGrant), [true, false])
        XCTAssertEqual(answers.requests.map(\.hasUntrustedText), [false, true])
        XCTAssertEqual(rig.timeline.calls.map(\.approval), ["a", "a", "policy", "denied: user"])
        XCTAssertEqual(rig.timeline.count("run mail"), 2)
        XCTAssertEqual(outcome.grants.map(\.tool), ["mail"])
        XCTAssertEqual(outcome.refusals, [ToolRefusal(tool: "mail", why: .user(reason: nil))])
    }

    /// An approver that says more than it was asked changes nothing.
    func testAlwaysIsOneYesWhereItMayNotHold() async throws {
        let answers = Answers([.always, .always])
        let rig = rig(answers, rules: ([], ["mail"], ["mail"]))
        let outcome = try await rig.run(
            ScriptedProvider([
                .calls([AgentRig.call("1", "mail")]),
                .calls([AgentRig.call("2", "mail", #"{"title":"b"}"#)]), .text(["."]),
            ]))
        XCTAssertEqual(answers.requests.count, 2)
        XCTAssertEqual(outcome.grants, [])
        XCTAssertEqual(rig.timeline.calls.map(\.approval), ["y", "y"])
    }

    func testEditedArgumentsAreCheckedAskedAgainAndToldToTheModel() async throws {
        let answers = Answers([
            .edited("{\"title\":"), .edited(#"{"name":"b"}"#), .edited(#"{"title":"gone"}"#),
            .edited(#"{"title":"b"}"#), .yes,
        ])
        var rig = rig(answers)
        rig.look = { arguments in
            let title = arguments["title"]?.stringValue ?? ""
            return title == "gone"
                ? .fails(ToolOutput(.noMatch(query: title))) : .touches("the \(title)")
        }
        rig.act = { _, arguments in
            ToolOutput(text: "wiped \(arguments["title"]?.stringValue ?? "")")
        }
        let outcome = try await rig.run(
            ScriptedProvider([.calls([AgentRig.call("1", "wipe")]), .text(["."])]))
        XCTAssertEqual(
            answers.requests.map { $0.items.compactMap(\.preview) },
            [["the a"], ["the a"], ["the a"], ["the a"], ["the b"]])
        XCTAssertEqual(
            answers.requests.map { $0.draft?.text },
            [nil, "{\"title\":", #"{"name":"b"}"#, #"{"title":"gone"}"#, nil])
        XCTAssertEqual(answers.requests.map(\.isEdited), [false, false, false, false, true])
        XCTAssertEqual(answers.requests[3].draft?.problem, "Nothing matches \"gone\".")
        XCTAssertEqual(
            results(outcome), ["The user changed the arguments to {\"title\":\"b\"}\nwiped b"])
        XCTAssertEqual(rig.timeline.calls.map(\.approval), ["e"])
        XCTAssertEqual(rig.timeline.calls.map(\.arguments), [JSONObject([.init("title", "b")])])
    }

    /// What the user wrote is his own, and yet a rule of his may be wiser.
    func testEditingIsNoWayAroundADenyRule() async throws {
        let answers = Answers([.edited(#"{"title":"secret plans"}"#), .no(reason: nil)])
        let rig = rig(answers, rules: (["mail(title: *secret*)"], [], []))
        _ = try await rig.run(
            ScriptedProvider([.calls([AgentRig.call("1", "mail")]), .text(["."])]))
        XCTAssertEqual(
            answers.requests.map { $0.draft?.problem },
            [nil, "A rule of yours forbids this call."])
        XCTAssertEqual(rig.timeline.count("run"), 0)
    }

    func testRulesDenyAskAndAllow() async throws {
        let answers = Answers([.yes])
        let rig = rig(answers, rules: (["mail"], ["look"], ["wipe(title: a)"]))
        let outcome = try await rig.run(
            ScriptedProvider([
                .calls([
                    AgentRig.call("1", "mail"), AgentRig.call("2", "look"),
                    AgentRig.call("3", "wipe"),
                ]), .text(["."]),
            ]))
        XCTAssertEqual(answers.requests.map { $0.items.map(\.tool.name) }, [["look"]])
        XCTAssertEqual(
            rig.timeline.calls.map { "\($0.tool) \($0.approval)" },
            ["mail denied: rule", "look y", "wipe rule"])
        XCTAssertEqual(
            results(outcome)[0],
            "Not run: a rule of the user's configuration forbids this call of mail.")
    }

    /// From the fourth deletion on an allow rule is no answer; those of one reply are
    /// one question.
    func testAnAllowRuleEndsAtTheFourthDeletion() async throws {
        let answers = Answers([])
        let rig = rig(answers, rules: ([], [], ["wipe"]))
        func wipe(_ title: String) -> ToolCall {
            AgentRig.call(title, "wipe", "{\"title\":\"\(title)\"}")
        }
        _ = try await rig.run(
            ScriptedProvider([
                .calls([wipe("a"), wipe("b")]), .calls([wipe("c"), wipe("d")]), .text(["."]),
            ]))
        XCTAssertEqual(rig.timeline.count("run wipe"), 2)
        XCTAssertEqual(answers.requests.map { $0.items.count }, [2])
        XCTAssertEqual(answers.requests.map { $0.deletedBefore.count }, [2])
        XCTAssertEqual(answers.requests.map(\.confirmation), [.word("delete")])
    }

    func testWhatWasNotOfferedIsRefusedAndRecorded() async throws {
        let answers = Answers([])
        var rig = rig(answers, rules: ([], [], ["*"]))
        _ = try await rig.run(
            ScriptedProvider([.calls([AgentRig.call("1", "wipe_all")]), .text(["."])]))
        rig.offersTools = false
        _ = try await rig.run(
            ScriptedProvider([.calls([AgentRig.call("1", "wipe")]), .text(["."])]))
        XCTAssertEqual(
            rig.timeline.calls.map(\.approval), ["denied: unknown tool", "denied: unknown tool"])
        XCTAssertEqual(rig.timeline.calls.map(\.outcome), [.invalid, .invalid])
        XCTAssertEqual(rig.timeline.count("run"), 0)
        XCTAssertEqual(answers.requests.count, 0)
    }
}
