import XCTest

@testable import AgentCore

final class WatermarkBufferTests: XCTestCase {
    func testItIsBoundedByTheMarkAndOneChunk() {
        var buffer = WatermarkBuffer(low: 0, high: 10)
        XCTAssertTrue(buffer.append([UInt8](repeating: 1, count: 9)))
        XCTAssertTrue(buffer.append([UInt8](repeating: 2, count: 7)))
        XCTAssertFalse(buffer.append([3]))
        XCTAssertEqual(buffer.bytes.count, 16)
        XCTAssertTrue(buffer.isProducerPaused)
    }

    func testTakingEverythingLetsAPausedProducerGoOnOnce() {
        var buffer = WatermarkBuffer(low: 0, high: 1)
        XCTAssertTrue(buffer.append([1]))
        XCTAssertFalse(buffer.append([2]))
        let first = buffer.take()
        XCTAssertEqual(first.bytes, [1])
        XCTAssertTrue(first.mayGoOn)
        let second = buffer.take()
        XCTAssertEqual(second.bytes, [])
        XCTAssertFalse(second.mayGoOn)
    }

    func testProducerThatWasNotRefusedIsNotTold() {
        var buffer = WatermarkBuffer(low: 0, high: 1)
        XCTAssertTrue(buffer.append([1]))
        XCTAssertFalse(buffer.take().mayGoOn)
        XCTAssertTrue(buffer.isEmpty)
    }

    func testClearForgetsEverything() {
        var buffer = WatermarkBuffer(low: 0, high: 1)
        XCTAssertTrue(buffer.append([1]))
        XCTAssertFalse(buffer.append([2]))
        buffer.clear()
        XCTAssertEqual(buffer, WatermarkBuffer(low: 0, high: 1))
    }
}

extension WatermarkBuffer {
    fileprivate mutating func append(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { append($0) }
    }
}
