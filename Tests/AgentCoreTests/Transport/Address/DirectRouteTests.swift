import TestSupport
import XCTest

@testable import AgentCore

/// The last check of an address: where libcurl connects.
final class DirectRouteTests: XCTestCase {
    private let transport = CurlTransport()

    private func request(
        _ url: String, _ policy: AddressPolicy = .publicOnly, to addresses: [String] = []
    ) -> HTTPRequest {
        var request = HTTPRequest(method: "GET", url: url)
        request.route = DirectRoute(
            policy: policy, addresses: addresses.compactMap { IPAddress($0) })
        return request
    }

    private func outcome(_ request: HTTPRequest) async -> Result<String, TransportError> {
        do {
            let response = try await transport.send(request)
            return .success(String(decoding: try await response.body.all(), as: UTF8.self))
        } catch let error as TransportError {
            return .failure(error)
        } catch {
            return .failure(
                TransportError(reason: .other, host: "", detail: "unexpected"))
        }
    }

    private func assertForbidden(
        _ result: Result<String, TransportError>, _ kind: String, _ message: String = "",
        line: UInt = #line
    ) {
        guard case .failure(let error) = result else {
            return XCTFail("connected \(message)", line: line)
        }
        XCTAssertEqual(error.reason, .forbiddenAddress, message, line: line)
        XCTAssertEqual(error.detail.text, kind, message, line: line)
    }

    func testNoSpellingOfThisMachineIsConnectedTo() async throws {
        let server = try LoopbackServer(at: ("0.0.0.0", 0)) { _ in .text(200, "secret") }
        defer { server.stop() }
        for host in [
            "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1",
            "localhost", "127.0.0.53", "127.255.255.254", "0", "0.0.0.0", "[::1]", "[::]",
            "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:0:0:1]",
        ] {
            let result = await outcome(request("http://\(host):\(server.port)/"))
            guard case .failure(let error) = result else { return XCTFail("connected to \(host)") }
            XCTAssertEqual(error.reason, .forbiddenAddress, "\(host): \(error.detail)")
        }
        XCTAssertEqual(server.connectionCount, 0)
    }

    func testAConnectionKeptByAnotherRequestIsNotUsed() async throws {
        let server = try LoopbackServer(always: .text(200, "kept"))
        defer { server.stop() }
        let plain = HTTPRequest(method: "GET", url: server.url())
        guard case .success("kept") = await outcome(plain) else { return XCTFail("no answer") }
        assertForbidden(await outcome(request(server.url())), "loopback")
        XCTAssertEqual(server.requests.count, 1)
        XCTAssertEqual(server.connectionCount, 1)
    }

    func testAPinnedNameIsNotLookedUpAgain() async throws {
        let server = try LoopbackServer(at: ("127.0.0.2", 0)) { _ in .text(200, "pinned") }
        defer { server.stop() }
        let address = try XCTUnwrap(IPAddress("127.0.0.2"))
        // No resolver has this name.
        let result = await outcome(
            request(
                "http://page.invalid:\(server.port)/", AddressPolicy(exceptions: [address]),
                to: ["127.0.0.2"]))
        guard case .success("pinned") = result else { return XCTFail("\(result)") }
        XCTAssertEqual(server.requests.first?[header: "Host"], "page.invalid:\(server.port)")
    }

    /// What is before the port of an entry of libcurl's has no colons, and needs no entry.
    func testAnAddressOfVersionSixIsReachedWhereItIsAllowed() async throws {
        guard let server = try? LoopbackServer(at: ("::1", 0), { _ in .text(200, "six") }) else {
            throw XCTSkip("this machine has no IPv6")
        }
        defer { server.stop() }
        let address = try XCTUnwrap(IPAddress("::1"))
        let url = "http://[::1]:\(server.port)/"
        let allowed = await outcome(
            request(url, AddressPolicy(exceptions: [address]), to: ["::1"]))
        guard case .success("six") = allowed else { return XCTFail("\(allowed)") }
        XCTAssertEqual(server.requests.first?[header: "Host"], "[::1]:\(server.port)")
        assertForbidden(await outcome(request(url, to: ["::1"])), "loopback")
        XCTAssertEqual(server.connectionCount, 1)
    }

    func testAPinnedAddressIsJudgedAllTheSame() async throws {
        let server = try LoopbackServer(always: .text(200, "secret"))
        defer { server.stop() }
        assertForbidden(
            await outcome(request("http://page.invalid:\(server.port)/", to: ["127.0.0.1"])),
            "loopback")
        XCTAssertEqual(server.connectionCount, 0)
    }

    func testARouteLeavesNoConnectionBehind() async throws {
        let server = try LoopbackServer(always: .text(200, "x"))
        defer { server.stop() }
        let policy = AddressPolicy(exceptions: Set(["127.0.0.1"].compactMap { IPAddress($0) }))
        for _ in 0..<2 {
            guard case .success = await outcome(request(server.url(), policy)) else {
                return XCTFail("no answer")
            }
        }
        XCTAssertEqual(server.connectionCount, 2)
    }
}
