import TestSupport
import XCTest

@testable import AgentCore

final class ActClaimsTests: XCTestCase {
    private func isMarked(
        _ message: String, calls: [String] = [], isError: Bool = false, _ answer: String
    ) -> Bool {
        let turn = ActClaimSet.turn(message, calls: calls, isError: isError, answer: answer)
        return ActClaims(turn) { !ActClaimSet.onlyLooksUp($0) }.areUnmet
    }

    func testAFailedCallBearsOutNothing() {
        let answer = "I've set a reminder to call Bo."
        XCTAssert(
            isMarked("remind me to call Bo", calls: ["create_reminder"], isError: true, answer))
        XCTAssertFalse(isMarked("remind me to call Bo", calls: ["create_reminder"], answer))
    }

    func testACallOfAnotherKindDoesNotBearOutAClaim() {
        XCTAssert(
            isMarked("lunch friday", calls: ["create_reminder"], "I've added it to your calendar."))
        XCTAssert(
            isMarked("mail Sam", calls: ["create_reminder"], "I've emailed Sam."))
        XCTAssert(
            isMarked("lunch is off", calls: ["create_event"], "I've deleted lunch."))
        // What an external server's tool does is not known.
        XCTAssertFalse(isMarked("mail Sam", calls: ["gmail_send"], "I've emailed Sam."))
    }

    func testNothingOfAnAnswerThatIsLongTakesLong() {
        let pieces = [
            "I 'x *a \"b ", "added ", "if I've added, ", "( [ ", "I've added it. ", "is now ",
            "**Done: `", "notiert ", "a? ", "your calendar ", "and ", "- added\n",
        ]
        for piece in pieces {
            let message = "what is that?"
            let short = String(repeating: piece, count: 2_000)
            let long = String(repeating: piece, count: 20_000)
            _ = isMarked(message, short)
            let few = ProcessorTime.measure { _ = isMarked(message, short) }
            let many = ProcessorTime.measure { _ = isMarked(message, long) }
            XCTAssertLessThan(many, few * 40 + .milliseconds(50), piece)
        }
    }
}
