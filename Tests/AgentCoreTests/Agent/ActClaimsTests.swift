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

    func testAnAnswerToAnOrderIsAClaimUnlessItLeavesTheActOpen() {
        let order = "put me down for yoga on Thursday"
        XCTAssert(isMarked(order, "You're down for yoga, Thursday at 6:30 pm."))
        XCTAssert(isMarked("wake me at six", "Six o'clock, sleep tight!"))
        for answer in [
            "Which class, the one at 6 or the one at 8?", "I can't book classes.",
            "Tell me your membership number first.", "Call the studio, the number is on its site.",
        ] {
            XCTAssertFalse(isMarked(order, answer), answer)
        }
        // A word that was asked for is not an act.
        XCTAssertFalse(isMarked("order these by size: ant, cow, dog", "Ant, dog, cow."))
    }

    func testEachOfSeveralOrdersNeedsItsCall() {
        let orders = "cancel lunch and tell Jo"
        let answer = "Lunch is cancelled and Jo knows."
        XCTAssert(isMarked(orders, calls: ["delete_event"], answer))
        XCTAssertFalse(isMarked(orders, calls: ["delete_event", "chat_post"], answer))
        XCTAssert(
            isMarked(
                "remind me of the rent and add the concert to my calendar",
                calls: ["create_reminder"], "Both are in."))
    }

    func testAnOrdinalEndsNoSentence() {
        let text =
            "Der Zug (Gleis 3, 2. Klasse, am Fenster) fährt am 5. Mai um 9 Uhr. Dr. Berg kommt mit."
        XCTAssertEqual(ActClaimText(text, words: .shared).sentences.count, 2)
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
