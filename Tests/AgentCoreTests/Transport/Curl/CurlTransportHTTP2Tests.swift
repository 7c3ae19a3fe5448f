import Synchronization
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base

final class CurlTransportHTTP2Tests: XCTestCase {
    private let size = 24 << 20

    private struct Rig {
        var server: HTTP2Server
        var transport: CurlTransport
        var folder: TemporaryFolder
        var certificates: Certificates

        func get(_ path: String, limits: TransferLimits = TransferLimits()) -> HTTPRequest {
            HTTPRequest(method: "GET", url: server.url(path), limits: limits)
        }
    }

    private func rig() throws -> Rig {
        guard HTTP2Server.program != nil else {
            throw XCTSkip("nghttpd is not installed (Debian: nghttp2-server)")
        }
        let certificates = try Certificates()
        let folder = try TemporaryFolder()
        try folder.write("hello".utf8, to: "hello")
        try folder.write([UInt8](repeating: 9, count: size), to: "big")
        return Rig(
            server: try HTTP2Server(certificates.leaf("h2"), folder: folder),
            transport: CurlTransport(caFile: certificates.authority), folder: folder,
            certificates: certificates)
    }

    func testItIsSpokenOverTLS() async throws {
        let rig = try rig()
        defer { rig.server.stop() }
        let response = try await rig.transport.send(rig.get("/hello"))
        let body = try await response.body.all()
        XCTAssertEqual(response.head.status, 200)
        // Only this server writes this, and names are lower case in HTTP/2.
        XCTAssertTrue(response.head["server"]?.contains("nghttp") == true)
        XCTAssertTrue(response.head.headers.allSatisfy { $0.name == $0.name.lowercased() })
        XCTAssertEqual(String(decoding: body, as: UTF8.self), "hello")
    }

    func testUploadsArrive() async throws {
        let rig = try rig()
        defer { rig.server.stop() }
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let body = try await rig.transport.send(
            HTTPRequest(method: "POST", url: rig.server.url("/echo"), body: .bytes(bytes))
        ).body.all()
        XCTAssertEqual(body, bytes)
    }

    func testSlicesArriveAndAreCounted() async throws {
        let rig = try rig()
        defer { rig.server.stop() }
        let file = try OpenFile(rig.folder.path("big"))
        let counts = Mutex<[Int]>([])
        var request = HTTPRequest(
            method: "POST", url: rig.server.url("/echo"),
            body: .slices([.bytes([1, 2]), .file(file, offset: 5, count: 3_000_000), .bytes([3])]))
        request.onUpload = { count in counts.withLock { $0.append(count) } }
        let body = try await rig.transport.send(request).body.all()
        XCTAssertEqual(body, [1, 2] + [UInt8](repeating: 9, count: 3_000_000) + [3])
        let told = counts.withLock { $0 }
        XCTAssertEqual(told, told.sorted())
        XCTAssertEqual(told.last, 3_000_003)
    }

    func testUnreadBodyHoldsUpNobodyElseAndLosesNothing() async throws {
        let rig = try rig()
        defer { rig.server.stop() }
        let slow = try await rig.transport.send(
            rig.get("/big", limits: TransferLimits(idle: .milliseconds(500))))
        for _ in 0..<30 {
            let body = try await rig.transport.send(rig.get("/hello")).body.all()
            XCTAssertEqual(String(decoding: body, as: UTF8.self), "hello")
        }
        var count = 0
        while let chunk = try await slow.body.next() { count += chunk.count }
        XCTAssertEqual(count, size)
    }

    func testCancelledStreamLeavesTheOthersAlone() async throws {
        let rig = try rig()
        defer { rig.server.stop() }
        for _ in 0..<10 {
            let kept = try await rig.transport.send(rig.get("/big"))
            var dropped: HTTPResponse? = try await rig.transport.send(rig.get("/big"))
            _ = try await dropped?.body.next()
            dropped = nil
            let count = try await kept.body.all().count
            XCTAssertEqual(count, size)
        }
    }

    func testManyStreamsAtOnce() async throws {
        let rig = try rig()
        defer { rig.server.stop() }
        let total = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<60 {
                group.addTask {
                    try await rig.transport.send(rig.get(number % 20 == 0 ? "/big" : "/hello"))
                        .body.all().count
                }
            }
            return try await group.reduce(0, +)
        }
        XCTAssertEqual(total, 3 * size + 57 * 5)
    }

    func testServerThatDiesWithinTheBodyIsALostConnection() async throws {
        let rig = try rig()
        let response = try await rig.transport.send(rig.get("/big"))
        _ = try await response.body.next()
        rig.server.stop()
        do {
            while try await response.body.next() != nil {}
            XCTFail("ended normally")
        } catch let error as TransportError {
            XCTAssertEqual(error.reason, .connectionLost, error.detail.text)
            XCTAssertTrue(error.afterResponse)
        }
    }

    func testBodyAboveTheLimitIsRefused() async throws {
        let rig = try rig()
        defer { rig.server.stop() }
        do {
            _ = try await rig.transport.send(
                rig.get("/big", limits: TransferLimits(bodyBytes: 100_000))
            ).body.all()
            XCTFail("not refused")
        } catch let error as TransportError {
            XCTAssertEqual(error.reason, .tooLarge)
        }
        let body = try await rig.transport.send(rig.get("/hello")).body.all()
        XCTAssertEqual(body.count, 5)
    }
}
