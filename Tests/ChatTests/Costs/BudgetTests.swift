import AgentCore
import Base
import XCTest

@testable import ChatKit

final class BudgetTests: XCTestCase {
    private func dollars(_ amount: Double) -> Money { Money(dollars: amount) }

    func testWithoutCapsNothingIsAskedOrSummed() {
        let budget = Budget(Settings.Budget())
        XCTAssertEqual(budget.periods, [])
        XCTAssertNil(budget.excess(spent: [:], estimate: dollars(1_000)))
    }

    func testACapThatIsReachedOrWouldBePassedAsks() {
        let budget = Budget(.init(conversation: nil, day: 1, month: 10))
        XCTAssertEqual(budget.periods, [.day, .month])
        XCTAssertNil(budget.excess(spent: [.day: dollars(0.9)], estimate: dollars(0.1)))
        XCTAssertEqual(
            budget.excess(spent: [.day: dollars(0.95)], estimate: dollars(0.1))?.sentence,
            "Today has cost $0.95 of $1.00; the next message about $0.10."
        )
        XCTAssertEqual(
            budget.excess(spent: [.day: dollars(0.1), .month: dollars(12)], estimate: .zero)?
                .sentence, "This month has cost $12.00; its budget is $10.00.")
        XCTAssertNotNil(
            Budget(.init(day: 0)).excess(spent: [:], estimate: .zero), "nothing may be spent")
    }

    func testAfterAYesTheNextQuestionComesAQuarterLater() throws {
        var budget = Budget(.init(conversation: 1))
        var spent = 1.0
        var questions: [Double] = []
        for _ in 0..<60 {
            if let excess = budget.excess(
                spent: [.conversation: dollars(spent)], estimate: dollars(0.02))
            {
                questions.append((spent * 100).rounded() / 100)
                budget.allow(excess)
            }
            spent += 0.02
        }
        XCTAssertEqual(questions, [1.0, 1.26, 1.52, 1.78, 2.04])
        budget.startConversation()
        XCTAssertNotNil(budget.excess(spent: [.conversation: dollars(1)], estimate: .zero))
    }

    func testTheEstimateIsTheMeanOfTheLastTurnsAndNothingWithoutAny() {
        func turn(_ input: Int, isLocal: Bool = false) -> Turn {
            Turn(
                status: .done, messages: [], isLocal: isLocal, usage: Usage(input: input))
        }
        let table = PriceTable()
        func estimate(_ turns: [Turn]) -> Int {
            Budget.estimate(turns, model: "claude-haiku-4-5", provider: .claude, table).micros
        }
        XCTAssertEqual(estimate([]), 0)
        XCTAssertEqual(estimate([turn(5, isLocal: true)]), 0)
        XCTAssertEqual(estimate([turn(100), turn(300)]), 200)
        XCTAssertEqual(estimate([turn(900_000)] + Array(repeating: turn(10), count: 5)), 10)
    }
}
