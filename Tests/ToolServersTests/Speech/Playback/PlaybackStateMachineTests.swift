import XCTest

@testable import Sound

final class PlaybackStateMachineTests: XCTestCase {
    private func machine(_ count: Int, all: Bool = true) -> PlaybackStateMachine {
        var machine = PlaybackStateMachine()
        for index in 0..<count { machine.arrived(Utterance(text: "\(index)")) }
        if all { machine.allArrived() }
        return machine
    }

    func testItReadsWhatComesWaitsForMoreAndFinishes() {
        var machine = machine(0, all: false)
        XCTAssertEqual(machine.next(), .wait)
        machine.arrived(Utterance(text: "a"))
        XCTAssertEqual(machine.next(), .play(index: 0, offset: 0, turn: 0))
        machine.gave(40, turn: 0)
        XCTAssertEqual(machine.next(), .play(index: 0, offset: 40, turn: 0))
        machine.ended(turn: 0)
        XCTAssertEqual(machine.next(), .wait)
        XCTAssertFalse(machine.isAtEnd)
        machine.arrived(Utterance(text: "b"))
        XCTAssertEqual(machine.next(), .play(index: 1, offset: 0, turn: 1))
        machine.allArrived()
        machine.arrived(Utterance(text: "too late"))
        machine.ended(turn: 1)
        XCTAssertEqual(machine.next(), .finish)
        XCTAssertTrue(machine.isAtEnd)
        XCTAssertEqual(machine.utterances.map(\.text), ["a", "b"])
    }

    func testPausingKeepsThePlaceToTheByte() {
        var machine = machine(2)
        machine.gave(120, turn: 0)
        machine.pause()
        XCTAssertEqual(machine.next(), .wait)
        // The block that was under way counts.
        machine.gave(40, turn: 0)
        machine.resume()
        XCTAssertEqual(machine.next(), .play(index: 0, offset: 160, turn: 0))
    }

    func testSkippingGoesToAStartAndForgetsWhatWasUnderWay() {
        var machine = machine(4)
        machine.gave(40, turn: 0)
        machine.skip(2, secondsIn: 9)
        XCTAssertEqual(machine.next(), .play(index: 2, offset: 0, turn: 1))
        machine.gave(40, turn: 0)
        machine.ended(turn: 0)
        XCTAssertEqual(machine.next(), .play(index: 2, offset: 0, turn: 1))
        // Back: first to the start of this one, then to the one before.
        machine.gave(40, turn: 1)
        machine.skip(-1, secondsIn: 1.5)
        XCTAssertEqual(machine.next(), .play(index: 2, offset: 0, turn: 2))
        machine.skip(-1, secondsIn: 0.5)
        XCTAssertEqual(machine.next(), .play(index: 1, offset: 0, turn: 3))
        machine.skip(-5, secondsIn: 0)
        XCTAssertEqual(machine.next(), .play(index: 0, offset: 0, turn: 4))
        machine.skip(0, secondsIn: 0)
        XCTAssertEqual(machine.next(), .play(index: 0, offset: 0, turn: 4))
        machine.skip(Int.max / 2, secondsIn: 0)
        XCTAssertEqual(machine.next(), .finish)
    }

    func testSkippingWhilePausedStaysPaused() {
        var machine = machine(2)
        machine.pause()
        machine.skip(1, secondsIn: 0)
        XCTAssertEqual(machine.next(), .wait)
        XCTAssertEqual(machine.utterance?.text, "1")
        machine.resume()
        XCTAssertEqual(machine.next(), .play(index: 1, offset: 0, turn: 1))
    }

    func testNothingMovesAfterAStop() {
        var machine = machine(2)
        machine.gave(40, turn: 0)
        machine.stop()
        machine.resume()
        machine.skip(1, secondsIn: 0)
        XCTAssertEqual(machine.next(), .stop)
        XCTAssertEqual(machine.index, 0)
        XCTAssertEqual(machine.offset, 40)
    }
}
