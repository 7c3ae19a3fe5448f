import Synchronization
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base

final class AgentTests: XCTestCase {
    private func call(_ id: String, _ name: String) -> ToolCall { AgentRig.call(id, name) }

    func testEachStepIsSavedBeforeTheNextBegins() async throws {
        let rig = AgentRig()
        let outcome = try await rig.run(
            ScriptedProvider([
                .calls([call("1", "look"), call("2", "note")], text: "Let me see."),
                .text(["It is ", "done."]),
            ]))
        XCTAssertEqual(
            rig.timeline.all,
            [
                "begin Hello", "request", "append text Let me see.",
                "record assistant Let me see.[1,2]", "run look", "result 1 ok", "run note",
                "result 2 ok", "request", "append text It is ", "append text done.",
                "record assistant It is done.[]", "close done",
            ])
        XCTAssertEqual(outcome.status, .done)
        XCTAssertEqual(outcome.turn.messages.map(\.role), [.user, .assistant, .tool, .assistant])
        XCTAssertEqual(outcome.turn.usage, Usage(input: 20, output: 10))
        XCTAssertEqual(AgentRig.violations(after: [outcome.turn]), [])
    }

    func testWhatHappensIsShownInOrder() async throws {
        let rig = AgentRig()
        _ = try await rig.run(
            ScriptedProvider([.calls([call("1", "look")]), .text(["A", "B"])]))
        let origin = (ProviderName.claude, "scripted")
        XCTAssertEqual(
            rig.events.all,
            [
                .waiting(provider: origin.0, model: origin.1), .toolCallStarted(name: "look"),
                .answered(stop: .toolUse, usage: Usage(input: 10, output: 5)),
                .toolRunning(call("1", "look"), toolClass: .read),
                .toolFinished(
                    ToolResult(callID: "1", name: "look", text: "done look"), summary: nil,
                    duration: .zero),
                .waiting(provider: origin.0, model: origin.1), .text("A"), .text("B"),
                .answered(stop: .end, usage: Usage(input: 10, output: 5)),
            ])
    }

    func testHowFarAToolIsIsShownWhileItRunsAndTakenAway() async throws {
        var rig = AgentRig()
        let half = ToolProgress(activity: "Looking", title: "half")
        rig.progress = half
        _ = try await rig.run(ScriptedProvider([.calls([call("1", "look")]), .text(["A"])]))
        XCTAssertEqual(
            Array(rig.events.all[3...6]),
            [
                .toolRunning(call("1", "look"), toolClass: .read),
                .toolProgress(half, callID: "1"), .toolProgress(nil, callID: "1"),
                .toolFinished(
                    ToolResult(callID: "1", name: "look", text: "done look"), summary: nil,
                    duration: .zero),
            ])
    }

    func testTheModelIsToldWhatCameBeforeAndTheResults() async throws {
        var rig = AgentRig()
        rig.history = [
            Turn(
                status: .done,
                messages: [.user("Earlier"), Message(role: .assistant, parts: [.text("Yes.")])])
        ]
        let provider = ScriptedProvider([.calls([call("1", "look")]), .text(["Done."])])
        _ = try await rig.run(provider)
        XCTAssertEqual(provider.requests.map { $0.turns.count }, [2, 2])
        XCTAssertEqual(provider.requests[0].turns[1].messages, [.user("Hello")])
        XCTAssertEqual(
            provider.requests[1].turns[1].messages.last,
            Message(
                role: .tool,
                parts: [.toolResult(ToolResult(callID: "1", name: "look", text: "done look"))]))
        XCTAssertEqual(provider.requests[0].tools.map(\.name), RigServer.names)
    }

    func testReadsThatStandTogetherRunAtTheSameTime() async throws {
        var rig = AgentRig()
        let started = [Gate(), Gate()]
        // Each waits for the other: one after the other would never end.
        rig.act = { _, arguments in
            let mine = arguments["title"] == "0" ? 0 : 1
            started[mine].open()
            await started[1 - mine].wait()
            return ToolOutput(text: "met")
        }
        let outcome = try await rig.run(
            ScriptedProvider([
                .calls([
                    AgentRig.call("1", "look", #"{"title":"0"}"#),
                    AgentRig.call("2", "look", #"{"title":"1"}"#),
                ]), .text(["Both."]),
            ]))
        XCTAssertEqual(outcome.status, .done)
        XCTAssertEqual(
            rig.timeline.all.filter { $0.hasPrefix("result") }, ["result 1 ok", "result 2 ok"])
    }

    func testWritesRunOneAfterTheOtherInTheOrderOfTheReply() async throws {
        var rig = AgentRig()
        let running = Atomic(0)
        let isOverlapping = Atomic(false)
        rig.act = { [timeline = rig.timeline] _, arguments in
            if running.add(1, ordering: .relaxed).newValue > 1 {
                isOverlapping.store(true, ordering: .relaxed)
            }
            for _ in 0..<20 { await Task.yield() }
            running.subtract(1, ordering: .relaxed)
            timeline.note("wrote \(arguments["title"]?.stringValue ?? "")")
            return ToolOutput(text: "ok")
        }
        let calls = (1...4).map { AgentRig.call("\($0)", "note", "{\"title\":\"\($0)\"}") }
        _ = try await rig.run(ScriptedProvider([.calls(calls), .text(["Done."])]))
        XCTAssertEqual(
            rig.timeline.all.filter { $0.hasPrefix("wrote") },
            ["wrote 1", "wrote 2", "wrote 3", "wrote 4"])
        XCTAssertFalse(isOverlapping.load(ordering: .relaxed))
    }

    func testAPauseAsksAgainAndKeepsBothPieces() async throws {
        let rig = AgentRig()
        let outcome = try await rig.run(
            ScriptedProvider([.text(["Half "], stop: .pause), .text(["whole."])]))
        XCTAssertEqual(outcome.status, .done)
        XCTAssertEqual(
            rig.timeline.all,
            [
                "begin Hello", "request", "append text Half ", "record assistant Half []",
                "request", "append text whole.", "record assistant whole.[]", "close done",
            ])
        XCTAssertEqual(AgentRig.violations(after: [outcome.turn]), [])
    }

    func testEveryStopIsClosedAsWhatItIs() async throws {
        let table: [(StopReason, Turn.Status, String)] = [
            (.end, .done, "close done"), (.stopSequence, .done, "close done"),
            (.toolUse, .done, "close done"), (.unknown("eos"), .done, "close done"),
            (.maxTokens, .truncated, "close truncated"),
            (.contextWindow, .truncated, "close truncated"),
            (.refusal, .refused, "close refused"), (.contentFilter, .refused, "close refused"),
        ]
        for (stop, status, closed) in table {
            let rig = AgentRig()
            let outcome = try await rig.run(ScriptedProvider([.text(["Text"], stop: stop)]))
            XCTAssertEqual(outcome.status, status, stop.name)
            XCTAssertEqual(outcome.stop, stop)
            XCTAssertEqual(rig.timeline.all.last, closed)
            XCTAssertEqual(AgentRig.violations(after: [outcome.turn]), [], stop.name)
        }
    }

    func testACallInAnAnswerThatWasCutDoesNotRun() async throws {
        for stop in [StopReason.maxTokens, .contextWindow, .refusal, .contentFilter] {
            let rig = AgentRig()
            var step = ScriptedProvider.Step.calls([call("1", "note")], text: "I will")
            step.result = step.result.map { completion in
                var cut = completion
                cut.stop = stop
                return cut
            }
            let outcome = try await rig.run(ScriptedProvider([step]))
            XCTAssertEqual(rig.timeline.count("run"), 0, stop.name)
            XCTAssertEqual(outcome.turn.messages.flatMap(\.toolCalls), [], stop.name)
            XCTAssertEqual(AgentRig.violations(after: [outcome.turn]), [], stop.name)
        }
    }

    func testAnswersWithNothingInThemAreNotedAndLeaveAValidConversation() async throws {
        let thinking = Part.thinking(Thinking(text: "Hm."))
        for parts in [[], [.text("")], [.text(" \n\t")], [thinking]] as [[Part]] {
            let rig = AgentRig()
            let outcome = try await rig.run(
                ScriptedProvider([
                    .init(
                        result: .success(
                            ModelAnswer(
                                message: Message(role: .assistant, parts: parts), stop: .end)
                        ))
                ]))
            XCTAssertEqual(outcome.note, .emptyAnswer)
            XCTAssertEqual(rig.timeline.all.last, "close done empty")
            XCTAssertEqual(AgentRig.violations(after: [outcome.turn]), [])
        }
    }

    func testALongResultIsCutAtACharacterAndSaysSo() async throws {
        var rig = AgentRig()
        // Three bytes each: the limit falls into the middle of one.
        rig.act = { _, _ in ToolOutput(text: String(repeating: "€", count: 40_000)) }
        let outcome = try await rig.run(
            ScriptedProvider([.calls([call("1", "look")]), .text(["Long."])]))
        guard case .toolResult(let result)? = outcome.turn.messages[2].parts.first else {
            return XCTFail("no result")
        }
        XCTAssertEqual(
            result.text,
            String(repeating: "€", count: 21_845)
                + "\n[cut: 120000 bytes, the first 65535 are shown]")
        XCTAssertEqual(ToolRunner.bounded("short"), "short")
        let exact = String(repeating: "x", count: ToolRunner.resultLimitInBytes)
        XCTAssertEqual(ToolRunner.bounded(exact), exact)
        let family = String(repeating: "👨‍👩‍👧‍👦", count: 4_000)
        XCTAssertLessThanOrEqual(ToolRunner.bounded(family).utf8.count, 65_536 + 60)
        XCTAssertFalse(ToolRunner.bounded(family).contains("\u{FFFD}"))
    }

    func testAFaultOfTheMachineIsToldToTheUserAndNotToTheModel() async throws {
        struct Fault: Error {}
        var rig = AgentRig()
        rig.act = { _, _ in throw Fault() }
        let outcome = try await rig.run(
            ScriptedProvider([.calls([call("1", "note")]), .text(["Sorry."])]))
        XCTAssertEqual(outcome.status, .done)
        XCTAssertEqual(
            rig.events.all.compactMap { event -> String? in
                if case .toolFinished(let result, let summary, _) = event {
                    return "\(result.text) | \(summary ?? "")"
                }
                return nil
            }, ["The tool failed on this machine. | ✗ note: Fault()"])
    }

    func testALocalTurnIsSavedWhole() async throws {
        let rig = AgentRig()
        let agent = Agent(
            registry: ToolRegistry(servers: []), environment: rig.clock.environment)
        let turn = try await agent.recordLocalTurn(
            message: .user("remind me"), answer: "✓ done", quotesUntrustedText: true,
            journal: RecordingJournal(rig.timeline))
        XCTAssertEqual(
            rig.timeline.all,
            ["begin remind me local", "record assistant ✓ done[]", "close done"])
        XCTAssertTrue(turn.isLocal && turn.hasUntrustedText)
        XCTAssertEqual(AgentRig.violations(after: [turn]), [])
    }
}
