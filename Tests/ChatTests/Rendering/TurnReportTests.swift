import XCTest

@testable import AgentCore
@testable import Base
@testable import ChatKit

final class TurnReportTests: XCTestCase {
    private func lines(
        _ status: Turn.Status, note: TurnStateMachine.Note? = nil, stop: StopReason? = nil,
        usage: Usage = Usage(), said: [Message] = []
    ) -> [String] {
        let turn = Turn(status: status, messages: [.user("Hi")] + said, usage: usage)
        return TurnReport.lines(
            TurnOutcome(status: status, turn: turn, note: note, stop: stop), seconds: 1.12
        ).map(\.text)
    }

    func testAWholeAnswerSaysOnlyWhatItUsed() {
        XCTAssertEqual(lines(.done), [])
        XCTAssertEqual(
            lines(.done, usage: Usage(input: 1204, output: 96)), ["  1,204 in · 96 out · 1.1 s"])
        XCTAssertEqual(
            lines(.done, usage: Usage(input: 2000, cachedInput: 1024, output: 1)),
            ["  2,000 in (1,024 cached) · 1 out · 1.1 s"])
    }

    func testAClaimThatNoCallBearsOutIsSaidAboveWhatWasUsed() {
        let turn = Turn(
            status: .done, messages: [.user("Hi")], usage: Usage(input: 1204, output: 96))
        var outcome = TurnOutcome(status: .done, turn: turn, stop: .end)
        for (undone, line) in [
            (UndoneAct.claimed, "  ! not done: no tool did this in this answer · /retry"),
            (.ordered, "  · nothing was changed: no tool did anything in this answer"),
        ] {
            outcome.undone = undone
            XCTAssertEqual(
                TurnReport.lines(outcome, seconds: 1.12).map(\.text),
                [line, "  1,204 in · 96 out · 1.1 s"])
        }
    }

    func testEveryOtherEndIsSaid() {
        XCTAssertEqual(
            lines(.done, note: .emptyAnswer), ["  (the model's answer was empty)"])
        XCTAssertEqual(
            lines(.truncated, stop: .maxTokens),
            ["  ! Cut off by the length limit. Say \"go on\" for the rest."])
        XCTAssertEqual(
            lines(.truncated, stop: .contextWindow),
            ["  ! The conversation fills the model's context; /new starts a new one."])
        XCTAssertEqual(lines(.refused), ["  ! The model declined to answer this."])
        XCTAssertEqual(
            lines(.interrupted, note: .cancelled), ["  (stopped; your message is kept)"])
        XCTAssertEqual(
            lines(
                .interrupted, note: .cancelled,
                said: [Message(role: .assistant, parts: [.text("Half")])]),
            ["  (stopped; what is above is kept)"])
        XCTAssertEqual(
            lines(.interrupted, note: .limit(.calls(25))),
            [
                "  ! Stopped after 25 tool calls, the limit for one message.",
                "    Say \"go on\" to let it continue.",
            ])
        let error = ProviderError(reason: .brokenStream, provider: .claude, host: "h")
        XCTAssertEqual(
            lines(.failed, note: .failed(error)),
            [
                "  ! Claude's answer broke off.",
                "    What arrived is kept. Ask again to go on.",
            ])
    }
}
