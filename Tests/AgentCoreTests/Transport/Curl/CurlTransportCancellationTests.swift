import TestSupport
import XCTest

@testable import AgentCore

/// Nothing here has an idle limit that could end a transfer: a test that
/// returns was ended by its cancellation.
final class CurlTransportCancellationTests: XCTestCase {
    private let transport = CurlTransport()

    func testCancelledBeforeItBeganSendsNothing() async throws {
        let server = try LoopbackServer(always: .text(200, ""))
        defer { server.stop() }
        let began = Gate()
        let task = Task { [transport] in
            await began.wait()
            _ = try await transport.send(HTTPRequest(method: "GET", url: server.url()))
        }
        task.cancel()
        began.open()
        await expectCancellation(of: task)
        XCTAssertEqual(server.connectionCount, 0)
    }

    func testCancelledWhileConnecting() async throws {
        let listener = try FullListener()
        let task = Task { [transport] in
            _ = try await transport.send(HTTPRequest(method: "GET", url: listener.url))
        }
        // Whether it hangs in connect already or is about to makes no difference.
        await Task.yield()
        task.cancel()
        await expectCancellation(of: task)
    }

    func testCancelledWhileWaitingForTheHead() async throws {
        let server = try LoopbackServer(always: ServerScript([.stall]))
        defer { server.stop() }
        let task = Task { [transport] in
            _ = try await transport.send(HTTPRequest(method: "GET", url: server.url()))
        }
        await server.waitForRequests(1)
        task.cancel()
        await expectCancellation(of: task)
    }

    func testCancelledWhileReadingTheBody() async throws {
        let server = try LoopbackServer(
            always: ServerScript([ServerScript.sseHead(), .chunk([1]), .stall]))
        defer { server.stop() }
        let isReading = Gate()
        let task = Task { [transport] in
            let body = try await transport.send(HTTPRequest(method: "GET", url: server.url())).body
            let first = try await body.next()
            XCTAssertEqual(first, [1])
            isReading.open()
            _ = try await body.next()
        }
        await isReading.wait()
        task.cancel()
        await expectCancellation(of: task)
    }

    func testCancelledTaskGetsNoMoreBytesEvenIfTheyAreThere() async throws {
        let server = try LoopbackServer(always: .text(200, "text"))
        defer { server.stop() }
        let response = try await transport.send(HTTPRequest(method: "GET", url: server.url()))
        let isCancelled = Gate()
        let task = Task {
            await isCancelled.wait()
            _ = try await response.body.next()
        }
        task.cancel()
        isCancelled.open()
        await expectCancellation(of: task)
    }

    func testTransportWorksOnAfterACancellation() async throws {
        let server = try LoopbackServer { request in
            request.path == "/stall" ? ServerScript([.stall]) : .text(200, "fine")
        }
        defer { server.stop() }
        for round in 1...20 {
            let task = Task { [transport] in
                _ = try await transport.send(
                    HTTPRequest(method: "GET", url: server.url("/stall")))
            }
            await server.waitForRequests(2 * round - 1)
            task.cancel()
            await expectCancellation(of: task)
            let body = try await transport.send(
                HTTPRequest(method: "GET", url: server.url("/fine"))
            ).body.all()
            XCTAssertEqual(String(decoding: body, as: UTF8.self), "fine")
        }
    }

    func testDroppedBodyClosesTheConnection() async throws {
        let isClosed = Gate()
        let server = try LoopbackServer(
            always: ServerScript([ServerScript.sseHead(), .chunk([1]), .stall]),
            onClose: { isClosed.open() })
        defer { server.stop() }
        var response: HTTPResponse? = try await transport.send(
            HTTPRequest(method: "GET", url: server.url()))
        let first = try await response?.body.next()
        XCTAssertEqual(first, [1])
        response = nil
        await isClosed.wait()
    }

    func testShutDownCancelsWhatIsRunningAndWhatComesLater() async throws {
        let server = try LoopbackServer(always: ServerScript([.stall]))
        defer { server.stop() }
        let task = Task { [transport] in
            _ = try await transport.send(HTTPRequest(method: "GET", url: server.url()))
        }
        await server.waitForRequests(1)
        transport.shutDown()
        await expectCancellation(of: task)
        let late = Task { [transport] in
            _ = try await transport.send(HTTPRequest(method: "GET", url: server.url()))
        }
        await expectCancellation(of: late)
        XCTAssertEqual(server.requests.count, 1)
    }

    func testRacingCancellationsAndAnswersNeverHang() async throws {
        let server = try LoopbackServer(always: .sse("data: 1\n\n"))
        defer { server.stop() }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<300 {
                let task = Task { [transport] in
                    let request = HTTPRequest(method: "GET", url: server.url("/\(number)"))
                    _ = try await transport.send(request).body.all()
                }
                group.addTask {
                    for _ in 0..<(number % 7) { await Task.yield() }
                    task.cancel()
                    // Either outcome is right; a hang or a trap is not.
                    _ = await task.result
                }
            }
        }
        let body = try await transport.send(HTTPRequest(method: "GET", url: server.url())).body
            .all()
        XCTAssertEqual(String(decoding: body, as: UTF8.self), "data: 1\n\n")
    }

    private func expectCancellation(
        of task: Task<Void, any Error>, line: UInt = #line
    ) async {
        switch await task.result {
        case .success: XCTFail("not cancelled", line: line)
        case .failure(let error): XCTAssertTrue(error is CancellationError, "\(error)", line: line)
        }
    }
}
