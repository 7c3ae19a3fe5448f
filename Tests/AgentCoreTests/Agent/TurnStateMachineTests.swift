import XCTest

@testable import AgentCore

final class TurnStateMachineTests: XCTestCase {
    private let origin = ModelOrigin(provider: .claude, format: .messages, model: "m")

    private func completion(
        _ text: String = "", calls: [ToolCall] = [], stop: StopReason = .end
    ) -> ModelAnswer {
        var parts: [Part] = text.isEmpty ? [] : [.text(text)]
        parts += calls.map(Part.toolCall)
        return ModelAnswer(
            message: Message(role: .assistant, parts: parts, origin: origin), stop: stop)
    }

    private let call = ToolCall(id: "1", name: "list_reminders", arguments: "{}")
    private let error = ProviderError(reason: .overloaded, provider: .claude, host: "h")

    private func started() -> TurnStateMachine {
        var machine = TurnStateMachine()
        XCTAssertEqual(machine.start(), .ask)
        return machine
    }

    func testTextEndsTheTurn() {
        var machine = started()
        let answer = completion("Hello")
        XCTAssertEqual(machine.completed(answer), .finish(.done, answer.message, note: nil))
    }

    func testCallsAreRunWhateverTheStopIsCalled() {
        for stop in [StopReason.end, .toolUse, .stopSequence, .unknown("eos")] {
            var machine = started()
            let answer = completion("Looking.", calls: [call], stop: stop)
            XCTAssertEqual(machine.completed(answer), .run(answer.message, calls: [call]))
            XCTAssertEqual(machine.roundFinished(valid: 1, limit: nil), .ask)
        }
    }

    func testCallsOfACutOrRefusedAnswerAreDropped() {
        let table: [(StopReason, Turn.Status)] = [
            (.maxTokens, .truncated), (.contextWindow, .truncated), (.refusal, .refused),
            (.contentFilter, .refused),
        ]
        for (stop, status) in table {
            var machine = started()
            let kept = completion("Half").message
            XCTAssertEqual(
                machine.completed(completion("Half", calls: [call], stop: stop)),
                .finish(status, kept, note: nil), stop.name)
        }
    }

    func testAnAnswerOfWhiteSpaceIsNoted() {
        var machine = started()
        let answer = completion(" \n")
        XCTAssertEqual(
            machine.completed(answer), .finish(.done, answer.message, note: .emptyAnswer))
    }

    func testAFailureIsTriedAgainOnlyWhenThePolicyGivesADelay() {
        var machine = started()
        XCTAssertEqual(
            machine.failed(error, retryAfter: 0.5), .wait(seconds: 0.5, error: error, attempt: 1))
        XCTAssertEqual(machine.waited(), .ask)
        XCTAssertEqual(machine.attempts, 2)
        XCTAssertEqual(
            machine.failed(error, retryAfter: nil), .finish(.failed, nil, note: .failed(error)))
    }

    func testAFailureAfterSomethingWasShownIsNeverTriedAgain() {
        var machine = started()
        machine.shown()
        XCTAssertEqual(
            machine.failed(error, retryAfter: 0.5), .finish(.failed, nil, note: .failed(error)))
    }

    func testAttemptsStartAnewAfterARoundOfTools() {
        var machine = started()
        _ = machine.failed(error, retryAfter: 1)
        _ = machine.waited()
        _ = machine.completed(completion(calls: [call]))
        XCTAssertEqual(machine.roundFinished(valid: 1, limit: nil), .ask)
        XCTAssertEqual(machine.attempts, 1)
        XCTAssertFalse(machine.hasShownAnything)
    }

    func testRoomIsMadeOnceAndTheSameRequestIsSentAgain() {
        let tooLong = ProviderError(reason: .contextTooLong, provider: .claude, host: "h")
        var machine = TurnStateMachine(canMakeRoom: true, canMoveOn: true)
        XCTAssertEqual(machine.start(), .ask)
        XCTAssertEqual(machine.failed(tooLong, retryAfter: nil), .makeRoom(tooLong))
        XCTAssertEqual(machine.madeRoom(true, after: tooLong), .ask)
        XCTAssertEqual(
            machine.failed(tooLong, retryAfter: nil),
            .finish(.failed, nil, note: .failed(tooLong)))
        var other = TurnStateMachine(canMakeRoom: true)
        _ = other.start()
        _ = other.failed(tooLong, retryAfter: nil)
        XCTAssertEqual(
            other.madeRoom(false, after: tooLong), .finish(.failed, nil, note: .failed(tooLong)))
    }

    func testAnotherProviderIsAskedOnceAndHasItsOwnAttempts() {
        var machine = TurnStateMachine(canMoveOn: true)
        _ = machine.start()
        _ = machine.failed(error, retryAfter: 1)
        _ = machine.waited()
        XCTAssertEqual(machine.attempts, 2)
        XCTAssertEqual(machine.failed(error, retryAfter: nil), .moveOn(error))
        XCTAssertEqual(machine.movedOn(true, after: error), .ask)
        XCTAssertEqual(machine.attempts, 1)
        XCTAssertEqual(
            machine.failed(error, retryAfter: nil), .finish(.failed, nil, note: .failed(error)))
        var shown = TurnStateMachine(canMakeRoom: true, canMoveOn: true)
        _ = shown.start()
        shown.shown()
        XCTAssertEqual(
            shown.failed(error, retryAfter: nil), .finish(.failed, nil, note: .failed(error)))
    }

    func testAPauseSendsAgainAndIsBounded() {
        var machine = started()
        let paused = completion("…", stop: .pause)
        for _ in 0..<LoopGuard.pauseLimit {
            XCTAssertEqual(machine.completed(paused), .recordAndAsk(paused.message))
        }
        XCTAssertEqual(
            machine.completed(paused),
            .finish(.interrupted, paused.message, note: .limit(.pauses(LoopGuard.pauseLimit))))
    }

    func testCancellingEndsTheTurnFromEveryState() {
        var asking = started()
        XCTAssertEqual(asking.cancelled(), .finish(.interrupted, nil, note: .cancelled))
        var waiting = started()
        _ = waiting.failed(error, retryAfter: 1)
        XCTAssertEqual(waiting.cancelled(), .finish(.interrupted, nil, note: .cancelled))
        var tools = started()
        _ = tools.completed(completion(calls: [call]))
        XCTAssertEqual(tools.cancelled(), .finish(.interrupted, nil, note: .cancelled))
    }

    func testIdenticalCallsEndTheTurnAfterFive() {
        var machine = started()
        for round in 1...LoopGuard.identicalLimit {
            XCTAssertEqual(machine.admit([call]).admitted, 1, "round \(round)")
            XCTAssertEqual(machine.roundFinished(valid: 1, limit: nil), .ask)
        }
        let (admitted, limit) = machine.admit([call])
        XCTAssertEqual(admitted, 0)
        XCTAssertEqual(limit, .identical(tool: "list_reminders", 5))
        XCTAssertEqual(
            machine.roundFinished(valid: 0, limit: limit),
            .finish(.interrupted, nil, note: .limit(.identical(tool: "list_reminders", 5))))
    }

    func testTwentyFiveCallsAreTheMost() {
        var machine = started()
        let calls = (0..<30).map { ToolCall(id: "\($0)", name: "t", arguments: "{\"n\":\($0)}") }
        let (admitted, limit) = machine.admit(calls)
        XCTAssertEqual(admitted, 25)
        XCTAssertEqual(limit, .calls(25))
    }

    func testThreeRoundsOfInvalidCallsEndTheTurn() {
        var machine = started()
        XCTAssertEqual(machine.roundFinished(valid: 0, limit: nil), .ask)
        XCTAssertEqual(machine.roundFinished(valid: 1, limit: nil), .ask)
        XCTAssertEqual(machine.roundFinished(valid: 0, limit: nil), .ask)
        XCTAssertEqual(machine.roundFinished(valid: 0, limit: nil), .ask)
        XCTAssertEqual(
            machine.roundFinished(valid: 0, limit: nil),
            .finish(.interrupted, nil, note: .limit(.invalidRounds(3))))
    }
}
