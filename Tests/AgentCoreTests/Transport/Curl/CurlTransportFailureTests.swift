import TestSupport
import XCTest

@testable import AgentCore

final class CurlTransportFailureTests: XCTestCase {
    private let transport = CurlTransport()

    // MARK: No connection

    func testClosedPortIsRefused() async throws {
        let server = try LoopbackServer(always: .text(200, ""))
        server.stop()
        let (error, bytes) = await failure(HTTPRequest(method: "GET", url: server.url()))
        XCTAssertEqual(error?.reason, .connectionRefused)
        XCTAssertEqual(error?.host, "127.0.0.1:\(server.port)")
        XCTAssertEqual(error?.afterResponse, false)
        XCTAssertEqual(bytes, [])
        XCTAssertTrue(error?.detail.text.contains("127.0.0.1") == true, error?.detail.text ?? "")
    }

    func testUnknownNameIsNotResolved() async throws {
        let (error, _) = await failure(
            HTTPRequest(method: "GET", url: "https://nonexistent.invalid/v1"))
        XCTAssertEqual(error?.reason, .nameNotResolved)
        XCTAssertEqual(error?.host, "nonexistent.invalid")
        XCTAssertEqual(error?.detail, "Could not resolve host: nonexistent.invalid")
    }

    func testConnectionThatNeverComesEndsAtTheConnectLimit() async throws {
        let listener = try FullListener()
        let (error, _) = await failure(
            HTTPRequest(
                method: "GET", url: listener.url,
                limits: TransferLimits(connect: .milliseconds(200))))
        XCTAssertEqual(error?.reason, .connectTimeout)
    }

    func testUnusableURLsAreRefusedBeforeAnythingIsSent() async throws {
        for url in [
            "", "x", "/path", "ftp://127.0.0.1/", "file:///etc/passwd", "gopher://127.0.0.1/",
            "http://user:secret@127.0.0.1/", "http://127.0.0.1:99999/",
            "https://exa mple/", "127.0.0.1:80",
        ] {
            let (error, _) = await failure(HTTPRequest(method: "GET", url: url))
            XCTAssertEqual(error?.reason, .badURL, url)
            XCTAssertFalse("\(String(describing: error))".contains("secret"))
        }
    }

    func testHeaderWithALineBreakIsRefusedWithoutItsValue() async throws {
        let server = try LoopbackServer(always: .text(200, ""))
        defer { server.stop() }
        let (error, _) = await failure(
            HTTPRequest(
                method: "GET", url: server.url(),
                headers: [HTTPHeader("X-Key", "secret\r\nX-Evil: 1")]))
        XCTAssertEqual(error?.reason, .other)
        XCTAssertEqual(error?.detail, "a header contains a line break")
        XCTAssertEqual(server.connectionCount, 0)
    }

    // MARK: A connection that breaks

    func testResetBeforeTheHeadIsALostConnection() async throws {
        try await expect(
            [.reset], reason: .connectionLost, bytes: [], afterResponse: false)
    }

    func testCloseBeforeTheHeadIsALostConnection() async throws {
        try await expect([.cut], reason: .connectionLost, bytes: [], afterResponse: false)
    }

    func testCloseWithinTheHeadIsALostConnection() async throws {
        try await expect(
            [.bytes([UInt8]("HTTP/1.1 200 OK\r\nA: b\r\n".utf8)), .cut],
            reason: .connectionLost, bytes: [], afterResponse: true)
    }

    func testCloseWithinABodyOfKnownLengthIsALostConnection() async throws {
        try await expect(
            [.head(200, [HTTPHeader("Content-Length", "10")]), .bytes([1, 2, 3]), .cut],
            reason: .connectionLost, bytes: [1, 2, 3], afterResponse: true)
    }

    func testCloseWithinAChunkedBodyIsALostConnection() async throws {
        try await expect(
            [ServerScript.sseHead(), .chunk([1, 2]), .cut],
            reason: .connectionLost, bytes: [1, 2], afterResponse: true)
    }

    func testCloseWithinAChunkIsALostConnection() async throws {
        try await expect(
            [ServerScript.sseHead(), .bytes([UInt8]("9\r\nabc".utf8)), .cut],
            reason: .connectionLost, bytes: [UInt8]("abc".utf8), afterResponse: true)
    }

    func testResetWithinTheBodyIsALostConnection() async throws {
        let gate = Gate()
        let server = try LoopbackServer(
            always: ServerScript([
                ServerScript.sseHead(), .chunk([1, 2]), .wait(gate), .reset,
            ]))
        defer { server.stop() }
        let response = try await transport.send(get(server))
        let bytes = try await response.body.next()
        XCTAssertEqual(bytes, [1, 2])
        gate.open()
        do {
            let more = try await response.body.next()
            XCTFail("got \(String(describing: more))")
        } catch let error as TransportError {
            XCTAssertEqual(error.reason, .connectionLost)
            XCTAssertTrue(error.afterResponse)
        }
        // The failure is kept: reading on never looks like a regular end.
        do {
            _ = try await response.body.next()
            XCTFail("ended normally after a failure")
        } catch let error as TransportError {
            XCTAssertEqual(error.reason, .connectionLost)
        }
    }

    func testCutAtEveryByteOfAResponseNeverLooksComplete() async throws {
        let whole = [UInt8](
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n"
                .utf8)
        for length in 0..<(whole.count - 2) {
            let server = try LoopbackServer(
                always: ServerScript([.bytes(Array(whole[..<length])), .cut]))
            defer { server.stop() }
            let (error, bytes) = await failure(get(server))
            XCTAssertEqual(error?.reason, .connectionLost, "cut at \(length)")
            XCTAssertTrue("abcdefg".utf8.starts(with: bytes))
        }
    }

    // MARK: Silence

    func testSilenceBeforeTheHeadEndsAtTheIdleLimit() async throws {
        try await expect(
            [.stall], limits: TransferLimits(idle: .milliseconds(100)),
            reason: .idleTimeout, bytes: [], afterResponse: false)
    }

    func testSilenceWithinTheBodyEndsAtTheIdleLimit() async throws {
        try await expect(
            [ServerScript.sseHead(), .chunk([1]), .stall],
            limits: TransferLimits(idle: .milliseconds(100)),
            reason: .idleTimeout, bytes: [1], afterResponse: true)
    }

    func testBodyThatTakesTooLongEndsAtTheTotalLimit() async throws {
        try await expect(
            [ServerScript.sseHead(), .chunk([1]), .stall],
            limits: TransferLimits(total: .milliseconds(100)),
            reason: .totalTimeout, bytes: [1], afterResponse: true)
    }

    func testReaderThatDoesNotReadIsNotTheSilenceOfTheServer() async throws {
        let size = 8 << 20
        let server = try LoopbackServer(
            always: .response(200, body: [UInt8](repeating: 1, count: size)))
        defer { server.stop() }
        let stalling = try LoopbackServer(always: ServerScript([.stall]))
        defer { stalling.stop() }
        let limits = TransferLimits(idle: .milliseconds(100))
        let response = try await transport.send(
            HTTPRequest(method: "GET", url: server.url(), limits: limits))
        // Its idle limit passes while the first body waits, unread.
        let (error, _) = await failure(
            HTTPRequest(
                method: "GET", url: stalling.url(),
                limits: TransferLimits(idle: .milliseconds(300))))
        XCTAssertEqual(error?.reason, .idleTimeout)
        let count = try await response.body.all().count
        XCTAssertEqual(count, size)
    }

    // MARK: Too much, or not HTTP

    func testHeadAboveTheLimitIsRefused() async throws {
        let headers = (0..<100).map {
            HTTPHeader("X-\($0)", String(repeating: "v", count: 1_000))
        }
        try await expect(
            [.head(200, headers)], limits: TransferLimits(headBytes: 50_000),
            reason: .tooLarge, bytes: [], afterResponse: true)
    }

    func testEndlessInterimHeadsAreRefused() async throws {
        let heads = [UInt8](
            String(repeating: "HTTP/1.1 103 Early\r\nA: b\r\n\r\n", count: 20_000).utf8)
        try await expect(
            [.bytes(heads), .stall], reason: .tooLarge, bytes: [], afterResponse: true)
    }

    func testOneEndlessHeaderLineIsRefused() async throws {
        let line = [UInt8](("A: " + String(repeating: "x", count: 1 << 20)).utf8)
        try await expect(
            [.bytes([UInt8]("HTTP/1.1 200 OK\r\n".utf8)), .bytes(line), .stall],
            reason: .tooLarge, bytes: [], afterResponse: true)
    }

    func testBodyAboveTheLimitIsRefusedWhateverItsFraming() async throws {
        let body = [UInt8](repeating: 1, count: 5_000)
        let framings: [[ServerScript.Step]] = [
            [.head(200, [HTTPHeader("Content-Length", "5000")]), .bytes(body)],
            [ServerScript.sseHead(), .chunk(body), .lastChunk],
            [.head(200, []), .bytes(body), .cut],
        ]
        for steps in framings {
            let server = try LoopbackServer(always: ServerScript(steps))
            defer { server.stop() }
            let (error, bytes) = await failure(
                HTTPRequest(
                    method: "GET", url: server.url(), limits: TransferLimits(bodyBytes: 4_999)))
            XCTAssertEqual(error?.reason, .tooLarge)
            XCTAssertLessThanOrEqual(bytes.count, 4_999)
        }
    }

    func testBodyOfExactlyTheLimitIsFine() async throws {
        let server = try LoopbackServer(
            always: .response(200, body: [UInt8](repeating: 1, count: 5_000)))
        defer { server.stop() }
        let body = try await transport.send(
            HTTPRequest(method: "GET", url: server.url(), limits: TransferLimits(bodyBytes: 5_000))
        ).body.all()
        XCTAssertEqual(body.count, 5_000)
    }

    func testOtherProtocolsAndBrokenFramingAreViolations() async throws {
        let answers = [
            "SSH-2.0-OpenSSH_9.2\r\n", "\u{0}\u{1}\u{2}\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc",
        ]
        for answer in answers {
            let server = try LoopbackServer(
                always: ServerScript([.bytes([UInt8](answer.utf8)), .stall]))
            defer { server.stop() }
            let (error, _) = await failure(get(server))
            XCTAssertEqual(error?.reason, .protocolViolation, "\(answer): \(error?.detail ?? "-")")
        }
    }

    // MARK: -

    private func get(_ server: LoopbackServer) -> HTTPRequest {
        HTTPRequest(method: "GET", url: server.url())
    }

    private func expect(
        _ steps: [ServerScript.Step], limits: TransferLimits = TransferLimits(),
        reason: TransportError.Reason, bytes: [UInt8], afterResponse: Bool,
        line: UInt = #line
    ) async throws {
        let server = try LoopbackServer(always: ServerScript(steps))
        defer { server.stop() }
        let (error, received) = await failure(
            HTTPRequest(method: "GET", url: server.url(), limits: limits))
        XCTAssertEqual(error?.reason, reason, error?.detail.text ?? "no error", line: line)
        XCTAssertEqual(error?.host, "127.0.0.1:\(server.port)", line: line)
        XCTAssertEqual(error?.afterResponse, afterResponse, line: line)
        XCTAssertEqual(received, bytes, line: line)
        XCTAssertEqual(server.requests.count, 1, line: line)
    }

    /// The error of a request and what could be read before it.
    private func failure(_ request: HTTPRequest) async -> (TransportError?, [UInt8]) {
        var bytes: [UInt8] = []
        do {
            let response = try await transport.send(request)
            while let chunk = try await response.body.next() { bytes += chunk }
            return (nil, bytes)
        } catch {
            return (error as? TransportError, bytes)
        }
    }
}
