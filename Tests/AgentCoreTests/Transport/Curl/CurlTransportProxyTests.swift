import TestSupport
import XCTest

@testable import AgentCore

/// The proxy variables are libcurl's own and live in the process, so these
/// tests set and remove them. No other test uses a host that is not loopback.
final class CurlTransportProxyTests: XCTestCase {
    private let names = ["http_proxy", "https_proxy", "no_proxy", "all_proxy", "HTTPS_PROXY"]

    override func setUp() {
        for name in names { unsetenv(name) }
    }

    override func tearDown() {
        for name in names { unsetenv(name) }
    }

    func testLoopbackHostsNeverGoThroughAProxy() async throws {
        let proxy = try LoopbackServer(always: .text(200, "proxy"))
        defer { proxy.stop() }
        let server = try LoopbackServer(always: .text(200, "direct"))
        defer { server.stop() }
        setenv("http_proxy", proxy.url(), 1)
        setenv("all_proxy", proxy.url(), 1)
        for host in ["127.0.0.1", "localhost", "127.1"] {
            let body = try await CurlTransport().send(
                HTTPRequest(method: "GET", url: "http://\(host):\(server.port)/")
            ).body.all()
            XCTAssertEqual(String(decoding: body, as: UTF8.self), "direct", host)
        }
        XCTAssertEqual(proxy.connectionCount, 0)
    }

    func testTunnelIsAskedForWithoutHeadersOfTheRequest() async throws {
        let proxy = try LoopbackServer(always: .text(502, "no"))
        defer { proxy.stop() }
        setenv("https_proxy", proxy.url(), 1)
        let error = await failure("https://model.invalid/v1")
        XCTAssertEqual(error?.reason, .proxy)
        XCTAssertEqual(error?.host, "model.invalid")
        XCTAssertEqual(error?.afterResponse, false)
        XCTAssertEqual(proxy.requests.map(\.method), ["CONNECT"])
        XCTAssertEqual(proxy.requests.map(\.path), ["model.invalid:443"])
        let sent = proxy.requests.flatMap(\.headers).map { "\($0.name): \($0.value)" }
        XCTAssertFalse(sent.joined().contains("secret"), "\(sent)")
    }

    func testProxyThatWantsAPasswordIsAProxyFailure() async throws {
        let proxy = try LoopbackServer(
            always: .response(407, headers: [HTTPHeader("Proxy-Authenticate", "Basic")]))
        defer { proxy.stop() }
        setenv("https_proxy", proxy.url(), 1)
        let error = await failure("https://model.invalid/v1")
        XCTAssertEqual(error?.reason, .proxy)
    }

    func testDeadProxyIsNamed() async throws {
        let proxy = try LoopbackServer(always: .text(200, ""))
        proxy.stop()
        setenv("https_proxy", "http://user:password@127.0.0.1:\(proxy.port)", 1)
        let error = await failure("https://model.invalid/v1")
        XCTAssertEqual(error?.reason, .proxy)
        XCTAssertTrue(error?.detail.text.contains("127.0.0.1 port \(proxy.port)") == true)
        XCTAssertFalse(error?.detail.text.contains("password") == true)
    }

    func testUnusableProxySettingDoesNotShowItsPassword() async throws {
        setenv("https_proxy", "http://user:password@[::bad", 1)
        let error = await failure("https://model.invalid/v1")
        XCTAssertEqual(error?.reason, .proxy)
        XCTAssertFalse(error?.detail.text.contains("password") == true, error?.detail.text ?? "")
    }

    func testHostsOfNoProxyGoDirectly() async throws {
        let proxy = try LoopbackServer(always: .text(200, "proxy"))
        defer { proxy.stop() }
        setenv("https_proxy", proxy.url(), 1)
        setenv("no_proxy", ".invalid", 1)
        let error = await failure("https://model.invalid/v1")
        XCTAssertEqual(error?.reason, .nameNotResolved)
        XCTAssertEqual(proxy.connectionCount, 0)
    }

    private func failure(_ url: String) async -> TransportError? {
        do {
            let response = try await CurlTransport().send(
                HTTPRequest(method: "GET", url: url, headers: [HTTPHeader("X-Key", "secret")]))
            XCTFail("status \(response.head.status)")
            return nil
        } catch {
            return error as? TransportError
        }
    }
}
