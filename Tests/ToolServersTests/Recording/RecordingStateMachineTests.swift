import Glibc
import XCTest

@testable import Sound

/// Each event in each state, as a table of what happens.
final class RecordingStateMachineTests: XCTestCase {
    private typealias Machine = RecordingStateMachine

    private func machine(cap: Int = 1_000, silence: Double? = nil) -> Machine {
        Machine(program: "fake", capInBytes: cap, stopAfterSilence: silence)
    }

    private func recording(cap: Int = 1_000, silence: Double? = nil) -> Machine {
        var machine = machine(cap: cap, silence: silence)
        XCTAssertEqual(machine.received(100), [.append(100)])
        return machine
    }

    /// The actions of ticks every 50 ms for so long, with their times.
    private func ticks(
        _ machine: inout Machine, from start: Double = 10, seconds: Double,
        _ level: RecordingLevel = RecordingLevel()
    ) -> [String] {
        (0...Int((seconds / 0.05).rounded())).flatMap { index in
            machine.tick(start + Double(index) * 0.05, level).map { action in
                let name =
                    switch action {
                    case .append(let count): "append \(count)"
                    case .signal(SIGINT): "SIGINT"
                    case .signal(SIGTERM): "SIGTERM"
                    case .signal(SIGKILL): "SIGKILL"
                    case .signal(let number): "signal \(number)"
                    case .abandon: "abandon"
                    }
                return "\((Double(index) * 5).rounded() / 100) \(name)"
            }
        }
    }

    func testStopSendsSIGINTAndKeepsWhatStillComes() {
        var machine = recording()
        XCTAssertEqual(machine.stop(), [.signal(SIGINT)])
        XCTAssertEqual(machine.stop(), [])
        XCTAssertEqual(machine.received(50), [.append(50)])
        XCTAssertEqual(machine.ended(status: 1, message: "interrupted"), .recorded(.stop))
        XCTAssertEqual(machine.bytes, 150)
    }

    func testARecorderThatDoesNotEndIsToldHarderAndHarderAndThenLeft() {
        var machine = recording()
        XCTAssertEqual(machine.stop(), [.signal(SIGINT)])
        _ = machine.tick(10, RecordingLevel())
        XCTAssertEqual(
            ticks(&machine, seconds: 2.5), ["1.0 SIGTERM", "1.5 SIGKILL", "2.5 abandon"])
        XCTAssertEqual(machine.ended(status: 137, message: ""), .recorded(.stop))
    }

    func testWithoutItsServerAProgramHasThreeTenthsOfASecond() {
        func machine() -> Machine {
            Machine(program: "fake", capInBytes: 1_000, missing: .pulseAudio)
        }
        var silent = machine()
        XCTAssertEqual(ticks(&silent, seconds: 1), ["0.3 SIGKILL"])
        XCTAssertEqual(silent.received(8), [], "too late")
        XCTAssertEqual(
            silent.ended(status: 137, message: ""),
            .unusable(
                .init(
                    program: "fake", status: 137, message: "could not connect to PulseAudio")))
        // It has found another way.
        var sounding = machine()
        XCTAssertEqual(sounding.received(100), [.append(100)])
        XCTAssertEqual(ticks(&sounding, seconds: 1), [])
    }

    func testStoppedBeforeAnySoundThereIsNothing() {
        var machine = machine()
        XCTAssertEqual(machine.stop(), [.signal(SIGINT)])
        XCTAssertEqual(machine.ended(status: 0, message: ""), .failed(.nothingRecorded))
    }

    func testSoundThatWasOnItsWayWhenStopCameIsARecording() {
        var machine = machine()
        XCTAssertEqual(machine.stop(), [.signal(SIGINT)])
        XCTAssertEqual(machine.received(64), [.append(64)])
        XCTAssertEqual(machine.ended(status: 0, message: ""), .recorded(.stop))
    }

    func testCancelKillsAndTakesNothingMore() {
        for var machine in [machine(), recording()] {
            XCTAssertEqual(machine.cancel(), [.signal(SIGKILL)])
            XCTAssertEqual(machine.received(64), [])
            XCTAssertEqual(machine.ended(status: 137, message: ""), .cancelled)
        }
    }

    func testCancelOutranksAStopThatIsUnderWay() {
        var machine = recording()
        XCTAssertEqual(machine.stop(), [.signal(SIGINT)])
        XCTAssertEqual(machine.cancel(), [.signal(SIGKILL)])
        XCTAssertEqual(machine.stop(), [])
        XCTAssertEqual(machine.interrupt(), [])
        XCTAssertEqual(machine.ended(status: 137, message: ""), .cancelled)
    }

    func testAnInterruptedRecordingIsEndedSoonAndItsLastSoundTaken() {
        var machine = recording()
        XCTAssertEqual(machine.interrupt(), [.signal(SIGINT)])
        XCTAssertEqual(machine.received(10), [.append(10)])
        XCTAssertEqual(
            ticks(&machine, seconds: 0.5), ["0.2 SIGTERM", "0.3 SIGKILL", "0.5 abandon"])
        XCTAssertEqual(machine.ended(status: 137, message: ""), .interrupted)
    }

    func testNoSoundForTwoSecondsIsASilentProgram() {
        var machine = machine()
        XCTAssertEqual(ticks(&machine, seconds: 2), ["2.0 SIGKILL"])
        XCTAssertEqual(
            machine.ended(status: 137, message: ""), .failed(.programSilent("fake")))
    }

    func testAHangInBetweenIsShownAfterTwoSecondsAndEndsAfterTen() {
        var machine = recording()
        XCTAssertEqual(ticks(&machine, seconds: 1.95), [])
        XCTAssertFalse(machine.isStalled)
        XCTAssertEqual(ticks(&machine, from: 12, seconds: 0.05), [])
        XCTAssertTrue(machine.isStalled)
        XCTAssertEqual(machine.received(2), [.append(2)])
        XCTAssertFalse(machine.isStalled)
        XCTAssertEqual(ticks(&machine, from: 12.05, seconds: 10), ["10.0 SIGKILL"])
        XCTAssertEqual(machine.received(2), [.append(2)], "what it sends late is sound too")
        XCTAssertEqual(
            machine.ended(status: 137, message: ""), .failed(.programSilent("fake")))
    }

    func testTimeInWhichWeWereStoppedOurselvesIsNoSilence() {
        var machine = machine()
        XCTAssertEqual(machine.tick(10, RecordingLevel()), [])
        XCTAssertEqual(machine.tick(500, RecordingLevel()), [])
        XCTAssertEqual(ticks(&machine, from: 500, seconds: 1.75), [])
    }

    func testTheCapCutsToTheByteAndStops() {
        var machine = recording(cap: 150)
        XCTAssertEqual(machine.received(100), [.append(50), .signal(SIGINT)])
        XCTAssertEqual(machine.received(100), [])
        XCTAssertEqual(machine.ended(status: 0, message: ""), .recorded(.cap))
        XCTAssertEqual(machine.bytes, 150)
    }

    func testSilenceAfterSpeechStopsWhenThatIsWanted() {
        var level = RecordingLevel()
        level.hasHeard = true
        level.silence = 3
        var patient = recording()
        XCTAssertEqual(patient.tick(10, level), [])
        var machine = recording(silence: 3.5)
        XCTAssertEqual(machine.tick(10, level), [])
        level.silence = 3.5
        XCTAssertEqual(machine.tick(10.05, level), [.signal(SIGINT)])
        XCTAssertEqual(machine.ended(status: 0, message: ""), .recorded(.silence))
    }

    func testWhoHasNotBegunToSpeakMayThinkForLonger() {
        var level = RecordingLevel()
        level.silence = 9
        var machine = recording(silence: 2)
        XCTAssertEqual(machine.tick(10, level), [])
        level.silence = 10
        XCTAssertEqual(machine.tick(10.05, level), [.signal(SIGINT)])
    }

    func testTheEndOfTheRecorderItself() {
        var unusable = machine()
        XCTAssertEqual(
            unusable.ended(status: 1, message: "Host is down"),
            .unusable(.init(program: "fake", status: 1, message: "Host is down")))
        var complete = recording()
        XCTAssertEqual(complete.ended(status: 0, message: ""), .recorded(.recorder))
        var crashed = recording()
        XCTAssertEqual(
            crashed.ended(status: 3, message: "unplugged"),
            .failed(.programFailed("fake", status: 3, message: "unplugged")))
    }

    func testAFullDiskEndsItAndCancelStillOutranksThat() {
        var machine = recording()
        XCTAssertEqual(machine.fileFailed(ENOSPC, bytes: 40), [.signal(SIGKILL)])
        XCTAssertEqual(machine.received(100), [])
        XCTAssertEqual(machine.bytes, 40)
        var cancelled = machine
        XCTAssertEqual(machine.ended(status: 137, message: ""), .failed(.file(ENOSPC)))
        XCTAssertEqual(cancelled.cancel(), [.signal(SIGKILL)])
        XCTAssertEqual(cancelled.fileFailed(ENOSPC, bytes: 40), [])
        XCTAssertEqual(cancelled.ended(status: 137, message: ""), .cancelled)
    }

    func testSoundOfAnotherKindMakesTheProgramUnusable() {
        var machine = machine()
        XCTAssertEqual(machine.receivedUnreadable(), [.signal(SIGKILL)])
        XCTAssertEqual(machine.received(10), [])
        XCTAssertEqual(
            machine.ended(status: 137, message: ""),
            .unusable(.init(program: "fake", status: 0, message: "not 16-bit PCM")))
    }
}
