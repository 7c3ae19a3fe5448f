import XCTest

@testable import Sound

/// Who gets the sound, and who is told, as events and actions.
final class SoundTurnsTests: XCTestCase {
    func testWhoTakesItFirstHasItAndIsToldWhenAnotherWantsIt() {
        var turns = SoundTurns()
        XCTAssertEqual(turns.take(1, .story("A")), [.grant(1)])
        XCTAssertEqual(turns.take(2, .reading), [.tell(1, .wanted(by: .reading))])
        XCTAssertEqual(turns.use, .story("A"))
        XCTAssertEqual(turns.release(1), [.grant(2)])
        XCTAssertEqual(turns.use, .reading)
        XCTAssertEqual(turns.release(2), [])
        XCTAssertTrue(turns.isFree)
        XCTAssertEqual(turns.release(2), [])
    }

    func testAfterAnAlertTheOneBeforeGoesOnAndNotAfterAnythingElse() {
        var turns = SoundTurns()
        _ = turns.take(1, .story("A"))
        XCTAssertEqual(turns.take(2, .alert), [.tell(1, .wanted(by: .alert))])
        XCTAssertEqual(turns.release(1), [.grant(2)])
        XCTAssertEqual(turns.release(2), [.tell(1, .free)])
        _ = turns.take(1, .story("A"))
        _ = turns.take(3, .answer)
        _ = turns.release(1)
        XCTAssertEqual(turns.release(3), [])
    }

    func testWhatIsReadDuringAnAlertTakesThePlaceOfTheStoryForGood() {
        var turns = SoundTurns()
        _ = turns.take(1, .story("A"))
        _ = turns.take(2, .alert)
        _ = turns.release(1)
        XCTAssertEqual(turns.take(3, .reading), [], "an alert is waited for")
        XCTAssertEqual(turns.release(2), [.grant(3), .tell(1, .wanted(by: .reading))])
        XCTAssertEqual(turns.release(3), [])
    }

    func testAStoryThatItsUserResumesDuringAnAlertIsNotToldToPauseForItself() {
        var turns = SoundTurns()
        _ = turns.take(1, .story("A"))
        _ = turns.take(2, .alert)
        _ = turns.release(1)
        XCTAssertEqual(turns.take(1, .story("A")), [])
        XCTAssertEqual(turns.release(2), [.grant(1)])
    }

    func testNothingIsHeardWhileSomethingIsRecorded() {
        var turns = SoundTurns()
        _ = turns.take(1, .recording)
        for use in [SoundUse.story("A"), .reading, .preview, .answer, .alert, .recording] {
            XCTAssertEqual(turns.take(2, use), [.refuse(2)])
        }
        XCTAssertEqual(turns.release(1), [])
        XCTAssertEqual(turns.take(2, .alert), [.grant(2)])
    }

    func testThoseThatWaitBehindARecordingAreRefusedWhenItBegins() {
        var turns = SoundTurns()
        _ = turns.take(1, .story("A"))
        _ = turns.take(2, .recording)
        XCTAssertEqual(turns.take(3, .reading), [.tell(1, .wanted(by: .reading))])
        XCTAssertEqual(turns.release(1), [.grant(2), .refuse(3)])
    }

    func testOneThatNoLongerWaitsIsForgotten() {
        var turns = SoundTurns()
        _ = turns.take(1, .story("A"))
        _ = turns.take(2, .reading)
        XCTAssertEqual(turns.release(2), [.forget(2)])
        XCTAssertEqual(turns.release(1), [])
        XCTAssertTrue(turns.isFree)
    }

    func testTheNextOfSeveralIsToldOfTheOneBehindIt() {
        var turns = SoundTurns()
        _ = turns.take(1, .story("A"))
        _ = turns.take(2, .answer)
        _ = turns.take(3, .reading)
        XCTAssertEqual(turns.release(1), [.grant(2), .tell(2, .wanted(by: .reading))])
    }

    func testWhatWasAskedForEarlierAndIsReadyLaterYields() {
        var turns = SoundTurns()
        _ = turns.take(7, .reading)
        XCTAssertEqual(turns.take(5, .story("A")), [.yield(5, to: .reading)])
        XCTAssertEqual(turns.take(6, .alert), [.tell(7, .wanted(by: .alert))], "it is no wish")
        XCTAssertEqual(turns.release(7), [.grant(6)])
        // Behind an alert they follow each other as they were asked for.
        XCTAssertEqual(turns.take(9, .reading), [])
        XCTAssertEqual(turns.take(8, .story("A")), [])
        XCTAssertEqual(
            turns.release(6),
            [.grant(8), .tell(7, .wanted(by: .story("A"))), .tell(8, .wanted(by: .reading))])
        XCTAssertEqual(turns.release(8), [.grant(9)])
        XCTAssertEqual(turns.take(10, .recording), [.tell(9, .wanted(by: .recording))])
        XCTAssertEqual(turns.release(9), [.grant(10)])
        XCTAssertEqual(turns.take(4, .story("A")), [.refuse(4)])
    }
}
