import TestSupport
import XCTest

@testable import AgentCore

final class ActClaimsTests: XCTestCase {
    private func undone(
        _ message: String, calls: [String] = [], isError: Bool = false, _ answer: String
    ) -> UndoneAct? {
        let turn = ActClaimSet.turn(message, calls: calls, isError: isError, answer: answer)
        return ActClaims(turn) { !ActClaimSet.onlyLooksUp($0) }.undone
    }

    private func isMarked(
        _ message: String, calls: [String] = [], isError: Bool = false, _ answer: String
    ) -> Bool {
        undone(message, calls: calls, isError: isError, answer) == .claimed
    }

    func testAnOrderThatNoCallCarriedOutIsSaidWhateverTheAnswer() {
        for (message, answer) in [
            ("turn off the hallway light", "Hallway light: off 💡"),
            ("can you book a table for two", "Two at half past seven, they look forward to it!"),
            ("Kannst du mich um sechs wecken?", "Klar, wird gemacht!"),
            ("sag den Termin ab", "Kümmere ich mich drum – ist schon raus."),
            ("write the list to todo.md", "Your list, three lines long, sits there now."),
        ] {
            XCTAssertNotNil(undone(message, answer), message)
            XCTAssertNil(undone(message, calls: ["act"], answer), message)
        }
        for (message, answer) in [
            ("when is my dentist appointment?", "Tomorrow at nine."),
            ("write a poem about a list", "One line I never clear away."),
            ("erklär mir, wie man Termine absagt", "Ruf am besten an."),
            ("call me Bo", "Hi Bo!"), ("send me an example", "Here is one: 2 + 2."),
            ("remind me", "When should I remind you?"),
            ("order a pizza", "I cannot order anything."),
        ] {
            XCTAssertNil(undone(message, answer), message)
        }
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
