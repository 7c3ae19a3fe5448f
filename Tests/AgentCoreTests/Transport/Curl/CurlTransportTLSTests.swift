import TestSupport
import XCTest

@testable import AgentCore

final class CurlTransportTLSTests: XCTestCase {
    func testServerWithACertificateOfAKnownAuthorityIsAccepted() async throws {
        let certificates = try Certificates()
        let server = try TLSServer(certificates.leaf("good"))
        let transport = CurlTransport(caFile: certificates.authority)
        for host in ["127.0.0.1", "localhost"] {
            let body = try await transport.send(request(server, host: host)).body.all()
            XCTAssertEqual(String(decoding: body, as: UTF8.self), "secure")
        }
        XCTAssertGreaterThan(try server.finish().bytes, 0)
    }

    func testExpiredCertificateIsRefused() async throws {
        let certificates = try Certificates()
        try await expectRefusal(
            by: TLSServer(certificates.leaf("expired", days: -1)), certificates)
    }

    func testCertificateForAnotherHostIsRefused() async throws {
        let certificates = try Certificates()
        try await expectRefusal(
            by: TLSServer(certificates.leaf("other", names: "DNS:example.org,IP:127.0.0.2")),
            certificates)
    }

    func testSelfSignedCertificateIsRefused() async throws {
        let certificates = try Certificates()
        try await expectRefusal(by: TLSServer(certificates.selfSigned("self")), certificates)
    }

    func testUnknownAuthorityIsRefused() async throws {
        let certificates = try Certificates()
        try await expectRefusal(
            by: TLSServer(Certificates().leaf("stranger")), certificates)
    }

    func testSystemAuthoritiesDoNotKnowOurs() async throws {
        let server = try TLSServer(Certificates().leaf("good"))
        try await expectRefusal(by: server, nil)
    }

    func testMissingIntermediateIsRefused() async throws {
        let certificates = try Certificates()
        _ = try certificates.leaf("intermediate", isAuthority: true)
        try await expectRefusal(
            by: TLSServer(certificates.leaf("leaf", signer: "intermediate")), certificates)
    }

    func testOldProtocolVersionIsRefused() async throws {
        let certificates = try Certificates()
        try await expectRefusal(
            by: TLSServer(certificates.leaf("good"), mode: .old), certificates)
    }

    func testPlainHTTPOnATLSPortIsRefused() async throws {
        let certificates = try Certificates()
        try await expectRefusal(
            by: TLSServer(certificates.leaf("good"), mode: .plain), certificates)
    }

    private func request(_ server: TLSServer, host: String = "127.0.0.1") -> HTTPRequest {
        HTTPRequest(
            method: "POST", url: server.url(host: host), headers: [HTTPHeader("X-Key", "secret")],
            body: .bytes([1, 2, 3]))
    }

    /// The transfer fails as a TLS failure and the server sees no byte of it.
    private func expectRefusal(
        by server: TLSServer, _ certificates: Certificates?, line: UInt = #line
    ) async throws {
        let transport = CurlTransport(caFile: certificates?.authority)
        do {
            _ = try await transport.send(request(server))
            XCTFail("accepted", line: line)
        } catch let error as TransportError {
            XCTAssertEqual(error.reason, .tls, error.detail.text, line: line)
            XCTAssertEqual(error.host, "127.0.0.1:\(server.port)", line: line)
            XCTAssertFalse(error.afterResponse, line: line)
            XCTAssertFalse(error.detail.text.contains("secret"), line: line)
        }
        transport.shutDown()
        let (connections, bytes) = try server.finish()
        XCTAssertEqual(connections, 1, line: line)
        XCTAssertEqual(bytes, 0, line: line)
    }
}
