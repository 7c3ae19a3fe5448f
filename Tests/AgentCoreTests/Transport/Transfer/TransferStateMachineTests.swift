import XCTest

@testable import AgentCore

/// Each test is a row or a path of the table at the head of the machine.
final class TransferStateMachineTests: XCTestCase {
    private let head = HTTPResponseHead(status: 200, headers: [HTTPHeader("A", "b")])
    private let lost = TransportError(reason: .connectionLost, host: "h:1", detail: "gone")

    private func machine(limit: Int = 1_000) -> TransferStateMachine {
        TransferStateMachine(
            host: "h:1", limitInBytes: limit, buffer: WatermarkBuffer(low: 2, high: 4))
    }

    private func streaming(limit: Int = 1_000) -> TransferStateMachine {
        var machine = machine(limit: limit)
        machine.receive(head: head)
        return machine
    }

    func testHeadThatIsThereIsGivenAtOnce() {
        var machine = streaming()
        XCTAssertEqual(machine.awaitHead(), .give(head))
        XCTAssertEqual(machine.flush(), .none)
    }

    func testHeadThatComesLaterIsGivenByTheFlush() {
        var machine = machine()
        XCTAssertEqual(machine.awaitHead(), .wait)
        XCTAssertEqual(machine.flush(), .none)
        machine.receive(head: head)
        XCTAssertEqual(machine.flush(), .head(.give(head)))
        XCTAssertEqual(machine.flush(), .none)
    }

    func testFailureBeforeTheHeadIsThrownAtTheHead() {
        var early = machine()
        early.finish(lost)
        XCTAssertEqual(early.awaitHead(), .fail(lost))

        var late = machine()
        XCTAssertEqual(late.awaitHead(), .wait)
        late.finish(lost)
        XCTAssertEqual(late.flush(), .head(.fail(lost)))
    }

    func testEndWithoutAHeadIsALostConnection() {
        var machine = machine()
        machine.finish(nil)
        guard case .fail(let error) = machine.awaitHead() else { return XCTFail("no failure") }
        XCTAssertEqual(error.reason, .connectionLost)
        XCTAssertEqual(error.host, "h:1")
        XCTAssertTrue(error.afterResponse)
    }

    func testBytesAreGivenTogetherAndInOrder() {
        var machine = streaming()
        XCTAssertEqual(machine.receive([1, 2]), .taken)
        XCTAssertEqual(machine.receive([3]), .taken)
        XCTAssertEqual(machine.read(), .give([1, 2, 3], resume: false))
        XCTAssertEqual(machine.read(), .wait)
        XCTAssertEqual(machine.receive([4]), .taken)
        XCTAssertEqual(machine.receive([5]), .taken)
        XCTAssertEqual(machine.flush(), .read(.give([4, 5], resume: false)))
        XCTAssertEqual(machine.flush(), .none)
    }

    func testFullBufferPausesAndReadingResumes() {
        var machine = streaming()
        XCTAssertEqual(machine.receive([1, 2, 3, 4]), .taken)
        XCTAssertEqual(machine.receive([5]), .pause)
        XCTAssertEqual(machine.read(), .give([1, 2, 3, 4], resume: true))
        XCTAssertEqual(machine.receive([5]), .taken)
        XCTAssertEqual(machine.read(), .give([5], resume: false))
    }

    func testPausedTransferThatEndedIsNotResumed() {
        var machine = streaming()
        XCTAssertEqual(machine.receive([1, 2, 3, 4]), .taken)
        XCTAssertEqual(machine.receive([5]), .pause)
        machine.finish(lost)
        XCTAssertEqual(machine.read(), .give([1, 2, 3, 4], resume: false))
        XCTAssertEqual(machine.read(), .fail(lost))
    }

    func testBytesAboveTheLimitAreNotTaken() {
        var machine = streaming(limit: 3)
        XCTAssertEqual(machine.receive([1, 2, 3]), .taken)
        XCTAssertEqual(machine.receive([]), .taken)
        XCTAssertEqual(machine.receive([4]), .tooLarge)
        XCTAssertEqual(machine.read(), .give([1, 2, 3], resume: false))
    }

    func testRefusedBytesDoNotCountTwice() {
        var machine = streaming(limit: 5)
        XCTAssertEqual(machine.receive([1, 2, 3, 4]), .taken)
        XCTAssertEqual(machine.receive([5]), .pause)
        XCTAssertEqual(machine.read(), .give([1, 2, 3, 4], resume: true))
        XCTAssertEqual(machine.receive([5]), .taken)
    }

    func testEndComesAfterTheRestAndStays() {
        var machine = streaming()
        XCTAssertEqual(machine.receive([1]), .taken)
        machine.finish(nil)
        XCTAssertEqual(machine.read(), .give([1], resume: false))
        XCTAssertEqual(machine.read(), .end)
        XCTAssertEqual(machine.read(), .end)
    }

    func testFailureComesAfterTheRestAndStays() {
        var machine = streaming()
        XCTAssertEqual(machine.read(), .wait)
        XCTAssertEqual(machine.receive([1]), .taken)
        machine.finish(lost)
        XCTAssertEqual(machine.flush(), .read(.give([1], resume: false)))
        XCTAssertEqual(machine.read(), .fail(lost))
        XCTAssertEqual(machine.read(), .fail(lost))
    }

    func testWaitingReaderLearnsOfTheEnd() {
        var machine = streaming()
        XCTAssertEqual(machine.read(), .wait)
        machine.finish(nil)
        XCTAssertEqual(machine.flush(), .read(.end))
    }

    func testCancelWhileWaitingForTheHead() {
        var machine = machine()
        XCTAssertEqual(machine.awaitHead(), .wait)
        XCTAssertEqual(machine.cancel(), .remove)
        XCTAssertEqual(machine.flush(), .head(.cancelled))
        XCTAssertTrue(machine.isCancelled)
    }

    func testCancelDropsWhatIsThereAndRefusesMore() {
        var machine = streaming()
        XCTAssertEqual(machine.receive([1]), .taken)
        XCTAssertEqual(machine.cancel(), .remove)
        XCTAssertEqual(machine.receive([2]), .refused)
        XCTAssertEqual(machine.read(), .cancelled)
        XCTAssertEqual(machine.awaitHead(), .cancelled)
        machine.finish(lost)
        XCTAssertEqual(machine.read(), .cancelled)
    }

    func testCancelBeforeTheReaderWaits() {
        var machine = machine()
        XCTAssertEqual(machine.cancel(), .remove)
        XCTAssertEqual(machine.awaitHead(), .cancelled)
    }

    func testOnlyTheFirstCancelOfARunningTransferRemovesIt() {
        var running = streaming()
        XCTAssertEqual(running.cancel(), .remove)
        XCTAssertEqual(running.cancel(), .none)
        for error in [nil, lost] {
            var ended = streaming()
            ended.finish(error)
            XCTAssertEqual(ended.cancel(), .none)
            XCTAssertEqual(ended.read(), .cancelled)
        }
    }

    func testTakeBufferedNeverWaits() {
        var machine = streaming()
        XCTAssertNil(machine.takeBuffered())
        XCTAssertEqual(machine.receive([1]), .taken)
        XCTAssertEqual(machine.takeBuffered()?.bytes, [1])
        XCTAssertNil(machine.takeBuffered())
        XCTAssertEqual(machine.flush(), .none)
    }
}

extension TransferStateMachine {
    fileprivate mutating func receive(_ bytes: [UInt8]) -> ReceiveAction {
        bytes.withUnsafeBytes { receive(bytes: $0) }
    }
}
