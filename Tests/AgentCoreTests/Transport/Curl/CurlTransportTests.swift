import TestSupport
import XCTest

@testable import AgentCore

final class CurlTransportTests: XCTestCase {
    func testAnswerArrivesWholeWithStatusAndHeaders() async throws {
        let server = try LoopbackServer(
            always: .response(201, headers: [HTTPHeader("X-Thing", "a: b")], body: [1, 2, 3]))
        defer { server.stop() }
        let transport = CurlTransport()

        let response = try await transport.send(
            HTTPRequest(
                method: "POST", url: server.url("/v1/things?q=1"),
                headers: [HTTPHeader("X-Key", "secret"), HTTPHeader("X-Empty", "")],
                body: .bytes([UInt8](#"{"a":1}"#.utf8))))
        let body = try await response.body.all()

        XCTAssertEqual(response.head.status, 201)
        XCTAssertEqual(
            response.head.headers,
            [HTTPHeader("X-Thing", "a: b"), HTTPHeader("Content-Length", "3")])
        XCTAssertEqual(body, [1, 2, 3])
        XCTAssertEqual(
            server.requests,
            [
                RecordedRequest(
                    method: "POST", path: "/v1/things?q=1",
                    headers: [
                        HTTPHeader("Host", "127.0.0.1:\(server.port)"),
                        HTTPHeader("Accept", "*/*"), HTTPHeader("X-Key", "secret"),
                        HTTPHeader("X-Empty", ""), HTTPHeader("Content-Length", "7"),
                    ], body: [UInt8](#"{"a":1}"#.utf8), connection: 0)
            ])
    }

    func testReadingAfterTheEndGivesTheEndAgain() async throws {
        let server = try LoopbackServer(always: .text(200, "x"))
        defer { server.stop() }
        let response = try await CurlTransport().send(get(server))
        let first = try await response.body.all()
        let second = try await response.body.next()
        XCTAssertEqual(first, [UInt8(ascii: "x")])
        XCTAssertNil(second)
    }

    func testEveryMethodAndBodyIsSentAsAsked() async throws {
        let server = try LoopbackServer(always: .text(200, ""))
        defer { server.stop() }
        let transport = CurlTransport()
        let json = [HTTPHeader("Content-Type", "application/json")]
        let cases: [(String, HTTPRequest.Body)] = [
            ("GET", .none), ("POST", .none), ("POST", .bytes([])), ("POST", .bytes([65])),
            ("PUT", .bytes([66])), ("DELETE", .none),
        ]
        for (method, body) in cases {
            let response = try await transport.send(
                HTTPRequest(method: method, url: server.url(), headers: json, body: body))
            _ = try await response.body.all()
        }
        XCTAssertEqual(
            server.requests.map { "\($0.method) \($0[header: "content-length"] ?? "-")" },
            ["GET -", "POST 0", "POST 0", "POST 1", "PUT 1", "DELETE -"])
        XCTAssertEqual(server.requests.map(\.body), [[], [], [], [65], [66], []])
        XCTAssertEqual(
            Set(server.requests.map { $0[header: "content-type"] }), ["application/json"])
    }

    func testConnectionIsReused() async throws {
        let server = try LoopbackServer(always: .text(200, "again"))
        defer { server.stop() }
        let transport = CurlTransport()
        for _ in 0..<5 {
            _ = try await transport.send(get(server)).body.all()
        }
        XCTAssertEqual(server.connectionCount, 1)
        XCTAssertEqual(server.requests.map(\.connection), [0, 0, 0, 0, 0])
    }

    func testServerThatClosedAKeptConnectionIsAskedOnANewOne() async throws {
        let server = try LoopbackServer(
            always: ServerScript([
                .head(200, [HTTPHeader("Content-Length", "2")]), .bytes([1, 2]), .cut,
            ]))
        defer { server.stop() }
        let transport = CurlTransport()
        for _ in 0..<3 {
            let body = try await transport.send(get(server)).body.all()
            XCTAssertEqual(body, [1, 2])
        }
        XCTAssertEqual(server.requests.count, 3)
    }

    func testManyTransfersRunAtOnce() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            ServerScript([
                .head(200, [HTTPHeader("Content-Length", "6")]), .wait(gate),
                .bytes([UInt8](request.path.suffix(6).utf8)),
            ])
        }
        defer { server.stop() }
        let transport = CurlTransport()
        let numbers = 100_000..<100_040
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for number in numbers {
                group.addTask {
                    let request = HTTPRequest(method: "GET", url: server.url("/\(number)"))
                    return String(
                        decoding: try await transport.send(request).body.all(), as: UTF8.self)
                }
            }
            await server.waitForRequests(numbers.count)
            gate.open()
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        XCTAssertEqual(answers, Set(numbers.map(String.init)))
    }

    func testInterimResponsesAreSkipped() async throws {
        let server = try LoopbackServer(
            always: ServerScript([
                .head(100, []), .head(103, [HTTPHeader("Link", "</a>")]),
                .head(200, [HTTPHeader("Content-Length", "1"), HTTPHeader("A", "b")]), .bytes([7]),
            ]))
        defer { server.stop() }
        let response = try await CurlTransport().send(get(server))
        let body = try await response.body.all()
        XCTAssertEqual(
            response.head,
            HTTPResponseHead(
                status: 200, headers: [HTTPHeader("Content-Length", "1"), HTTPHeader("A", "b")]))
        XCTAssertEqual(body, [7])
    }

    func testTrailersAreNotHeaders() async throws {
        let server = try LoopbackServer(
            always: ServerScript([
                ServerScript.sseHead(), .chunk([1]), .bytes([UInt8]("0\r\nX-Late: 1\r\n\r\n".utf8)),
            ]))
        defer { server.stop() }
        let response = try await CurlTransport().send(get(server))
        let body = try await response.body.all()
        XCTAssertEqual(body, [1])
        XCTAssertNil(response.head["X-Late"])
    }

    func testRedirectIsGivenToTheCallerAndNotFollowed() async throws {
        let other = try LoopbackServer(always: .text(200, "stolen"))
        defer { other.stop() }
        for status in [301, 302, 303, 307, 308] {
            for target in [other.url(), "https://localhost/", "file:///etc/passwd", "/same"] {
                let server = try LoopbackServer(
                    always: .response(status, headers: [HTTPHeader("Location", target)]))
                defer { server.stop() }
                let response = try await CurlTransport().send(get(server))
                XCTAssertEqual(response.head.status, status)
                XCTAssertEqual(response.head["location"], target)
                _ = try await response.body.all()
                XCTAssertEqual(server.requests.count, 1)
            }
        }
        XCTAssertEqual(other.connectionCount, 0)
    }

    func testCookiesAreNotKept() async throws {
        let server = try LoopbackServer(
            always: .response(200, headers: [HTTPHeader("Set-Cookie", "a=b; Path=/")]))
        defer { server.stop() }
        let transport = CurlTransport()
        for _ in 0..<2 { _ = try await transport.send(get(server)).body.all() }
        XCTAssertEqual(server.requests.map { $0[header: "cookie"] }, [nil, nil])
    }

    func testStreamIsReadAsItArrives() async throws {
        let second = Gate()
        let server = try LoopbackServer(
            always: ServerScript([
                ServerScript.sseHead(), .chunk([1, 2]), .wait(second), .chunk([3]), .lastChunk,
            ]))
        defer { server.stop() }
        let response = try await CurlTransport().send(get(server))
        let first = try await response.body.next()
        XCTAssertEqual(first, [1, 2])
        second.open()
        let rest = try await response.body.all()
        XCTAssertEqual(rest, [3])
    }

    func testBytesOneByOneAreTheSameBytes() async throws {
        let bytes = (0..<3_000).map { UInt8(truncatingIfNeeded: $0) }
        let server = try LoopbackServer(
            always: ServerScript([
                .head(200, [HTTPHeader("Content-Length", "3000")]), .pieces(bytes, size: 1),
            ]))
        defer { server.stop() }
        let body = try await CurlTransport().send(get(server)).body.all()
        XCTAssertEqual(body, bytes)
    }

    func testUnreadBodyHoldsTheServerBackAndLosesNothing() async throws {
        let size = 32 << 20
        let isWritten = Gate()
        let bytes = [UInt8](repeating: 0x61, count: size)
        let server = try LoopbackServer(
            always: ServerScript([
                .head(200, [HTTPHeader("Content-Length", String(size))]), .bytes(bytes),
                .open(isWritten),
            ]))
        defer { server.stop() }
        let transport = CurlTransport()
        let response = try await transport.send(get(server))
        // A second transfer passes through the same thread meanwhile: what the
        // first has buffered by then is all it will buffer.
        let other = try LoopbackServer(always: .text(200, "other"))
        defer { other.stop() }
        for _ in 0..<50 { _ = try await transport.send(get(other)).body.all() }
        XCTAssertFalse(isWritten.isOpen, "the server could write \(size) bytes that nobody read")

        var count = 0
        var largest = 0
        while let chunk = try await response.body.next() {
            count += chunk.count
            largest = max(largest, chunk.count)
        }
        XCTAssertEqual(count, size)
        XCTAssertLessThanOrEqual(largest, (1 << 20) + (512 << 10))
    }

    func testTwentyThousandSmallEventsArriveInFewReads() async throws {
        let event = [UInt8]("data: {\"delta\":\"word \"}\n\n".utf8)
        let stream = (0..<20_000).flatMap { _ in ServerScript.chunked(event) }
        let server = try LoopbackServer(
            always: ServerScript([ServerScript.sseHead(), .bytes(stream), .lastChunk]))
        defer { server.stop() }
        let response = try await CurlTransport().send(get(server))
        var bytes: [UInt8] = []
        var reads = 0
        while let chunk = try await response.body.next() {
            bytes += chunk
            reads += 1
        }
        XCTAssertEqual(bytes.count, 20_000 * event.count)
        XCTAssertLessThan(reads, 2_000)
    }

    func testTransportEndsItsThreadAndItsConnections() async throws {
        let isClosed = Gate()
        let server = try LoopbackServer(
            always: .text(200, "bye"), onClose: { isClosed.open() })
        defer { server.stop() }
        weak var leaked: CurlTransport?
        do {
            let transport = CurlTransport()
            leaked = transport
            _ = try await transport.send(get(server)).body.all()
            XCTAssertFalse(isClosed.isOpen)
        }
        // Its end joins the thread, which closes the kept connection last.
        XCTAssertNil(leaked)
        await isClosed.wait()
        XCTAssertEqual(server.connectionCount, 1)
    }

    func testManyTransportsLeaveNoDescriptorBehind() async throws {
        func descriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }
        func round() async throws {
            let server = try LoopbackServer { request in
                request.path == "/stall" ? ServerScript([.stall]) : .text(200, "x")
            }
            defer { server.stop() }
            let transport = CurlTransport()
            _ = try await transport.send(get(server)).body.all()
            let request = HTTPRequest(method: "GET", url: server.url("/stall"))
            let task = Task { try await transport.send(request) }
            await server.waitForRequests(2)
            task.cancel()
            _ = await task.result
            transport.shutDown()
        }
        // The first round also opens what the libraries keep for good.
        try await round()
        let before = try descriptors()
        for _ in 0..<20 { try await round() }
        XCTAssertEqual(try descriptors(), before)
    }

    func testBodyKeepsTheTransportAliveUntilItIsRead() async throws {
        let server = try LoopbackServer(always: .text(200, "whole"))
        defer { server.stop() }
        let body = try await CurlTransport().send(get(server)).body
        let bytes = try await body.all()
        XCTAssertEqual(String(decoding: bytes, as: UTF8.self), "whole")
    }

    private func get(_ server: LoopbackServer) -> HTTPRequest {
        HTTPRequest(method: "GET", url: server.url())
    }
}
