import TestSupport
import XCTest

@testable import AgentCore

final class CompactorTests: XCTestCase {
    private let clock = ManualClock()

    private func compactor(_ provider: ScriptedProvider, limit: Int = 8_192) -> Compactor {
        Compactor(
            generator: ModelTextGenerator(
                provider: provider, model: "scripted", environment: clock.environment
            ) { _, _, _ in },
            window: ContextWindow(limit: limit, outputLimit: 32_000), sendsLocalTurns: true)
    }

    private func turns(_ count: Int, words: Int = 20) -> [Turn] {
        (0..<count).map { number in
            Turn(
                status: .done,
                messages: [
                    .user("\(number) " + String(repeating: "word ", count: words)),
                    Message(role: .assistant, parts: [.text("Yes.")]),
                ])
        }
    }

    func testOneRequestWithoutToolsAndTheSummaryBeforeIsTakenUp() async throws {
        let provider = ScriptedProvider([.text(["  They spoke", " of ferries.\n"])])
        let made = try await compactor(provider).sumUp(
            turns(3), previous: "A trip.", focus: "prices")
        XCTAssertEqual(made.text, "They spoke of ferries.")
        let request = try XCTUnwrap(provider.requests.first)
        XCTAssertEqual(request.tools, [])
        XCTAssertEqual(request.turns.count, 1)
        let text = request.turns[0].messages[0].text
        XCTAssertTrue(text.contains("A trip."))
        XCTAssertTrue(text.contains("prices"))
    }

    func testWhatDoesNotFitIntoOneRequestIsSummedUpPieceByPiece() async throws {
        let provider = ScriptedProvider([.text(["one"]), .text(["two"]), .text(["three"])])
        let made = try await compactor(provider).sumUp(
            turns(24, words: 300), previous: nil, focus: nil)
        XCTAssertEqual(made.text, "three")
        XCTAssertTrue(provider.requests[1].turns[0].messages[0].text.contains("one"))
        for request in provider.requests {
            XCTAssertLessThan(
                ContextWindow.tokens(of: request.turns, system: request.system, tools: []), 6_144)
        }
    }

    func testRefusalsAndEmptyAnswersAreFailures() async throws {
        let table: [(ScriptedProvider.Step, CompactionError.Reason)] = [
            (.text(["No."], stop: .refusal), .generation(.refused)),
            (.text([" \n"]), .generation(.empty)),
            (.text(["x"], stop: .contentFilter), .generation(.refused)),
        ]
        for (step, reason) in table {
            do {
                _ = try await compactor(ScriptedProvider([step])).sumUp(
                    turns(3), previous: nil, focus: nil)
                XCTFail("\(reason)")
            } catch let error as CompactionError {
                XCTAssertEqual(error.reason, reason)
            }
        }
    }

    func testAKeyThatIsRejectedEndsItAtOnce() async throws {
        do {
            _ = try await compactor(ScriptedProvider([.failure(.keyRejected)])).sumUp(
                turns(3), previous: nil, focus: nil)
            XCTFail("no error")
        } catch let error as CompactionError {
            guard case .generation(.provider(let cause)) = error.reason else {
                return XCTFail("\(error)")
            }
            XCTAssertEqual(cause.reason, .keyRejected)
        }
    }
}
