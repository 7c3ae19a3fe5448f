import Synchronization
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base

/// Stopping a turn at every point, and what fails on its way.
final class AgentInterruptionTests: XCTestCase {
    /// Runs a turn, stops it once `reached` opens, and checks that the turn
    /// was closed once and that the conversation can go on.
    private func stop(
        _ rig: AgentRig, _ provider: ScriptedProvider, when reached: Gate, status: String,
        onEvent: @escaping @Sendable (AgentEvent) async -> Void = { _ in },
        file: StaticString = #filePath, line: UInt = #line
    ) async throws -> TurnOutcome {
        let task = Task { try await rig.run(provider, onEvent: onEvent) }
        await reached.wait()
        task.cancel()
        let outcome = try await task.value
        XCTAssertEqual(outcome.status, .interrupted, file: file, line: line)
        XCTAssertEqual(outcome.note, .cancelled, file: file, line: line)
        XCTAssertEqual(rig.timeline.count("close"), 1, file: file, line: line)
        XCTAssertEqual(rig.timeline.all.last, status, file: file, line: line)
        XCTAssertEqual(AgentRig.violations(after: [outcome.turn]), [], file: file, line: line)
        return outcome
    }

    /// Opens `reached` and then waits until the task is cancelled.
    private func holding(_ reached: Gate, _ clock: ManualClock) -> @Sendable () async throws -> Void
    {
        { [environment = clock.environment] in
            reached.open()
            try await environment.sleep(.seconds(1_000_000))
        }
    }

    func testBeforeTheFirstByte() async throws {
        let rig = AgentRig()
        let reached = Gate()
        var step = ScriptedProvider.Step.text([])
        step.pause = holding(reached, rig.clock)
        let outcome = try await stop(
            rig, ScriptedProvider([step]), when: reached, status: "close interrupted cancelled")
        XCTAssertEqual(outcome.turn.messages, [.user("Hello")])
    }

    func testInTheMiddleOfText() async throws {
        let rig = AgentRig()
        let reached = Gate()
        var step = ScriptedProvider.Step.text(["Half an ", "answer"])
        step.pause = holding(reached, rig.clock)
        let outcome = try await stop(
            rig, ScriptedProvider([step]), when: reached, status: "close interrupted cancelled")
        XCTAssertEqual(outcome.turn.messages.last?.text, "Half an answer")
        XCTAssertEqual(rig.timeline.count("append"), 2)
    }

    func testInTheMiddleOfAToolCall() async throws {
        let rig = AgentRig()
        let reached = Gate()
        var step = ScriptedProvider.Step.calls([AgentRig.call("1", "note")], text: "I note")
        step.pause = holding(reached, rig.clock)
        let outcome = try await stop(
            rig, ScriptedProvider([step]), when: reached, status: "close interrupted cancelled")
        XCTAssertEqual(rig.timeline.count("run"), 0)
        XCTAssertEqual(outcome.turn.messages.last?.text, "I note")
    }

    func testWhileAToolRuns() async throws {
        var rig = AgentRig()
        let reached = Gate()
        let hold = holding(reached, rig.clock)
        rig.act = { name, _ in
            try await hold()
            return ToolOutput(text: name)
        }
        let outcome = try await stop(
            rig,
            ScriptedProvider([
                .calls([
                    AgentRig.call("1", "note"), AgentRig.call("2", "wipe"),
                    AgentRig.call("3", "note"),
                ])
            ]), when: reached, status: "close interrupted cancelled")
        XCTAssertEqual(rig.timeline.count("run"), 1)
        XCTAssertEqual(
            outcome.turn.messages.last?.parts.compactMap { part -> String? in
                guard case .toolResult(let result) = part else { return nil }
                return result.text
            },
            [
                "Stopped by the user before it finished; it is not known whether it ran.",
                "Not run: wipe needs the user's approval, and the user cannot be asked here.",
                "Not run: the user stopped it.",
            ])
    }

    func testWhileAQuestionIsOpen() async throws {
        var rig = AgentRig()
        rig.policy = ApprovalPolicy(isInteractive: true)
        let reached = Gate()
        let hold = holding(reached, rig.clock)
        rig.approver = Approver { _ in
            // The terminal's answer to Ctrl-C is no.
            do { try await hold() } catch { return false }
            return true
        }
        _ = try await stop(
            rig, ScriptedProvider([.calls([AgentRig.call("1", "wipe")])]), when: reached,
            status: "close interrupted cancelled")
        XCTAssertEqual(rig.timeline.count("run"), 0)
    }

    func testAYesThatComesAfterTheStopDoesNothing() async throws {
        var rig = AgentRig()
        rig.policy = ApprovalPolicy(isInteractive: true)
        let reached = Gate()
        let hold = holding(reached, rig.clock)
        rig.approver = Approver { _ in
            do { try await hold() } catch { return true }
            return true
        }
        _ = try await stop(
            rig, ScriptedProvider([.calls([AgentRig.call("1", "wipe")])]), when: reached,
            status: "close interrupted cancelled")
        XCTAssertEqual(rig.timeline.count("run"), 0)
    }

    func testNobodyIsAskedAfterTheStop() async throws {
        var rig = AgentRig()
        rig.policy = ApprovalPolicy(isInteractive: true)
        let timeline = rig.timeline
        rig.approver = Approver { _ in
            timeline.note("asked")
            return true
        }
        let reached = Gate()
        let goOn = Gate()
        // The answer is complete, and the stop comes before its calls are run.
        _ = try await stop(
            rig, ScriptedProvider([.calls([AgentRig.call("1", "wipe")])]), when: reached,
            status: "close interrupted cancelled"
        ) { event in
            guard case .answered = event else { return }
            reached.open()
            while !Task.isCancelled { await Task.yield() }
            goOn.open()
        }
        XCTAssertEqual(timeline.count("asked"), 0)
        XCTAssertEqual(timeline.count("run"), 0)
    }

    func testInTheWaitBeforeAnotherAttempt() async throws {
        let rig = AgentRig()
        let reached = Gate()
        let waiting = Task { [clock = rig.clock] in
            await clock.waitForSleeps(1)
            reached.open()
        }
        let outcome = try await stop(
            rig, ScriptedProvider([.failure(.overloaded)]), when: reached,
            status: "close interrupted cancelled")
        await waiting.value
        XCTAssertEqual(outcome.turn.messages, [.user("Hello")])
        XCTAssertEqual(rig.timeline.count("request"), 1)
    }

    /// Stops after every single event of a long turn, one run for each.
    func testAfterEveryEvent() async throws {
        for point in 0..<40 {
            var rig = AgentRig()
            rig.policy = ApprovalPolicy(allowedTools: ["wipe"], isInteractive: false)
            let seen = Atomic(0)
            let task = Mutex<Task<TurnOutcome, any Error>?>(nil)
            let isReady = Gate()
            let started = Task { [rig] in
                await isReady.wait()
                return try await rig.run(
                    ScriptedProvider([
                        .calls(
                            [
                                AgentRig.call("1", "look"),
                                AgentRig.call("2", "look", #"{"title":"b"}"#),
                            ],
                            text: "First."),
                        .calls([AgentRig.call("3", "note"), AgentRig.call("4", "wipe")]),
                        .text(["Pause"], stop: .pause),
                        .text(["The ", "end"]),
                    ])
                ) { _ in
                    if seen.add(1, ordering: .relaxed).newValue == point + 1 {
                        task.withLock { $0 }?.cancel()
                    }
                }
            }
            task.withLock { $0 = started }
            isReady.open()
            let outcome = try await started.value
            XCTAssertEqual(rig.timeline.count("close"), 1, "point \(point)")
            XCTAssertEqual(AgentRig.violations(after: [outcome.turn]), [], "point \(point)")
            let runs = rig.timeline.all.filter { $0.hasPrefix("run") }
            XCTAssertLessThanOrEqual(runs.count, 4)
            XCTAssertTrue([.done, .interrupted].contains(outcome.status), "point \(point)")
        }
    }

    // MARK: - Retries

    private func delays(_ rig: AgentRig) -> [Double] {
        rig.events.all.compactMap { event in
            if case .retrying(_, _, _, let delay) = event { delay } else { nil }
        }
    }

    func testFailuresBeforeAnythingWasShownAreTriedAgain() async throws {
        let rig = AgentRig()
        let clock = rig.clock
        let time = Task {
            await clock.waitForSleeps(1)
            clock.advance(by: .seconds(1))
            await clock.waitForSleeps(2)
            clock.advance(by: .seconds(7))
        }
        let outcome = try await rig.run(
            ScriptedProvider([
                .failure(.overloaded), .failure(.rateLimited, retryAfter: 7), .text(["Here."]),
            ]))
        await time.value
        XCTAssertEqual(outcome.status, .done)
        // 0.5 s less an eighth, then what the server asked for.
        XCTAssertEqual(delays(rig), [0.4375, 7])
        XCTAssertEqual(clock.sleeps, [.milliseconds(437.5), .seconds(7)])
        XCTAssertEqual(rig.timeline.count("request"), 3)
        XCTAssertEqual(rig.timeline.count("begin"), 1)
    }

    func testThreeAttemptsAreTheMost() async throws {
        let rig = AgentRig()
        let clock = rig.clock
        let time = Task {
            for number in 1...2 {
                await clock.waitForSleeps(number)
                clock.advance(by: .seconds(10))
            }
        }
        let outcome = try await rig.run(
            ScriptedProvider([
                .failure(.serverFailure), .failure(.serverFailure), .failure(.serverFailure),
            ]))
        await time.value
        XCTAssertEqual(outcome.status, .failed)
        XCTAssertEqual(rig.timeline.all.last, "close failed failed: network")
    }

    func testNothingIsTriedAgainOnceTextWasShown() async throws {
        let rig = AgentRig()
        let outcome = try await rig.run(
            ScriptedProvider([.failure(.brokenStream, after: ["Half "])]))
        XCTAssertEqual(outcome.status, .failed)
        XCTAssertEqual(outcome.turn.messages.last?.text, "Half ")
        XCTAssertEqual(delays(rig), [])
        XCTAssertEqual(AgentRig.violations(after: [outcome.turn]), [])
    }

    func testNothingIsTriedAgainWhereItCannotHelpOrWouldTakeTooLong() async throws {
        let hopeless: [ProviderError.Reason] = [
            .keyRejected, .forbidden, .modelNotFound, .quotaExhausted, .badRequest,
            .contextTooLong, .redirected,
        ]
        for reason in hopeless {
            let rig = AgentRig()
            let outcome = try await rig.run(ScriptedProvider([.failure(reason)]))
            XCTAssertEqual(outcome.status, .failed)
            XCTAssertEqual(delays(rig), [])
        }
        let rig = AgentRig()
        let outcome = try await rig.run(
            ScriptedProvider([.failure(.rateLimited, retryAfter: 3_600)]))
        XCTAssertEqual(outcome.status, .failed)
        XCTAssertEqual(delays(rig), [])
    }

    func testARoundOfToolsIsNotRepeatedWhenTheNextRequestFails() async throws {
        let rig = AgentRig()
        let clock = rig.clock
        let time = Task {
            await clock.waitForSleeps(1)
            clock.advance(by: .seconds(1))
        }
        let outcome = try await rig.run(
            ScriptedProvider([
                .calls([AgentRig.call("1", "note")]), .failure(.overloaded), .text(["Done."]),
            ]))
        await time.value
        XCTAssertEqual(outcome.status, .done)
        XCTAssertEqual(rig.timeline.count("run"), 1)
    }

    // MARK: - The journal

    private func failure(_ rig: AgentRig, _ provider: ScriptedProvider) async -> String? {
        do {
            _ = try await rig.run(provider)
            return nil
        } catch let error as RecordingJournal.Failure {
            return error.entry
        } catch {
            return "\(error)"
        }
    }

    func testNothingIsSentThatIsNotSaved() async throws {
        var rig = AgentRig()
        rig.fails = { $0.hasPrefix("begin") }
        let failed = await failure(rig, ScriptedProvider([]))
        XCTAssertEqual(failed, "begin Hello")
        XCTAssertEqual(rig.timeline.all, ["begin Hello"])
    }

    func testNoToolRunsWhoseCallIsNotSaved() async throws {
        var rig = AgentRig()
        rig.fails = { $0.hasPrefix("record") }
        let failed = await failure(
            rig, ScriptedProvider([.calls([AgentRig.call("1", "note")])]))
        XCTAssertEqual(failed, "record assistant [1]")
        XCTAssertEqual(rig.timeline.count("run"), 0)
        XCTAssertEqual(rig.timeline.all.last, "close failed fault")
    }

    func testNothingFollowsAResultThatIsNotSaved() async throws {
        var rig = AgentRig()
        rig.fails = { $0.hasPrefix("result") }
        let failed = await failure(
            rig,
            ScriptedProvider([.calls([AgentRig.call("1", "note"), AgentRig.call("2", "note")])]))
        XCTAssertEqual(failed, "result 1 ok")
        XCTAssertEqual(rig.timeline.count("run"), 1)
        XCTAssertEqual(rig.timeline.count("request"), 1)
        XCTAssertEqual(rig.timeline.all.last, "close failed fault")
    }

    func testAnAnswerThatCannotBeSavedSaysSoAndIsClosedOnce() async throws {
        var rig = AgentRig()
        rig.fails = { $0.hasPrefix("close") }
        let failed = await failure(rig, ScriptedProvider([.text(["Hi"])]))
        XCTAssertEqual(failed, "close done")
        XCTAssertEqual(rig.timeline.count("close"), 1)
    }

    func testTextThatCannotBeSavedAtOnceIsStillShownAndSavedWithTheAnswer() async throws {
        var rig = AgentRig()
        rig.fails = { $0.hasPrefix("append") }
        let outcome = try await rig.run(ScriptedProvider([.text(["Hi ", "there"])]))
        XCTAssertEqual(outcome.status, .done)
        XCTAssertEqual(
            rig.events.all.compactMap { event -> String? in
                if case .text(let text) = event { text } else { nil }
            }, ["Hi ", "there"])
        XCTAssertEqual(rig.timeline.count("record assistant Hi there"), 1)
    }

    func testAFaultThatIsNotTheProvidersStillClosesTheTurn() async throws {
        struct Fault: Error {}
        let rig = AgentRig()
        var step = ScriptedProvider.Step.text(["Hi"])
        step.pause = { throw Fault() }
        let failed = await failure(rig, ScriptedProvider([step]))
        XCTAssertEqual(failed, "Fault()")
        XCTAssertEqual(rig.timeline.all.last, "close failed fault")
    }
}
