import AgentCore
import TestSupport
import XCTest

@testable import Outside

/// Which addresses `fetch_url` reaches: none that is not public, whatever it is called.
final class FetchAddressTests: XCTestCase {
    func testNoAddressOfThisMachineOrItsNetworkIsReachedByAnySpelling() async throws {
        let counter = try LoopbackServer(at: ("0.0.0.0", 0)) { _ in .text(200, "secret") }
        defer { counter.stop() }
        let rig = try WebRig(names: [
            "localhost.": [["127.0.0.1"]], "rebound.example": [["127.0.0.1"]],
            "v6.example": [["::1"]], "mapped.example": [["::ffff:127.0.0.1"]],
            "xn--lclhost-q2a.example": [["127.0.0.1"]], "127.0.0.1.": [["127.0.0.1"]],
            "cloud.example": [["169.254.169.254"]], "aws6.example": [["fd00:ec2::254"]],
        ])
        let port = counter.port
        let hosts = [
            "127.0.0.1", "127.0.0.3", "127.255.255.254", "127.1", "127.0.1", "2130706433",
            "0x7f000001",
            "0x7F.0x0.0x0.0x1", "0177.0.0.1", "017700000001", "0", "0.0.0.0", "0x0", "127.0.0.1.",
            "localhost", "LOCALHOST", "localhost.", "a.localhost", "[::1]", "[0:0:0:0:0:0:0:1]",
            "[::]",
            "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::127.0.0.1]",
            "[2002:7f00:1::]", "[2001:0:7f00:1::]", "[fe80::1]", "[fe80::1%25lo]", "[fc00::1]",
            "[fd00:ec2::254]", "[ff02::1]", "10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1",
            "169.254.169.254", "2852039166", "0xa9fea9fe", "168.63.129.16", "224.0.0.1",
            "255.255.255.255",
            "metadata.google.internal", "metadata.google.internal.", "router.local",
            "rebound.example",
            "v6.example", "mapped.example", "xn--lclhost-q2a.example", "cloud.example",
            "aws6.example",
            "user@127.0.0.1", "user:password@127.0.0.1", "example.org@127.0.0.1", "１２７.0.0.1",
            "127。0。0。1", "ⓛocalhost",
        ]
        XCTAssertGreaterThan(hosts.count, 40)
        for host in hosts {
            for scheme in ["http", "https"] {
                let output = try await rig.fetch("\(scheme)://\(host):\(port)/")
                XCTAssertTrue(output.isError, host)
                XCTAssertFalse(output.text.contains("secret"), host)
            }
        }
        XCTAssertEqual(counter.connectionCount, 0)
    }

    func testOtherSchemesAreRefusedBeforeAQuestion() async throws {
        let rig = try WebRig()
        for url in [
            "file:///etc/passwd", "ftp://example.org/", "gopher://example.org/",
            "dict://example.org/",
            "data:text/plain,x", "javascript:1", "example.org", "http://127.0.0.1/",
            "http://[::1]/",
            "http://localhost/", "http://169.254.169.254/latest/meta-data/",
        ] {
            guard
                case .fails(let output) = await rig.server.preview(
                    of: "fetch_url", arguments: WebRig.address(url))
            else {
                XCTFail("the user would be asked about \(url)")
                continue
            }
            XCTAssertTrue(output.isError)
        }
        XCTAssertEqual(rig.lookups, [])
    }

    func testAnAddressOfVersionSixIsFetched() async throws {
        guard let page = try? WebRig.server(at: "::1", { _ in WebRig.html("<p>six</p>") }) else {
            throw XCTSkip("this machine has no IPv6")
        }
        defer { page.stop() }
        let rig = try WebRig(resolver: .system, open: "::1")
        for host in ["[::1]", "[0:0:0:0:0:0:0:1]"] {
            let output = try await rig.fetch("http://\(host):\(page.port)/")
            XCTAssertTrue(output.text.hasSuffix("\n\nsix"), output.text)
        }
        // Nothing but the asking is different for one of the public internet.
        let preview = await rig.server.preview(
            of: "fetch_url", arguments: WebRig.address("https://[2606:4700::1111]/"))
        XCTAssertEqual(preview, .touches("from 2606:4700::1111"))
    }

    func testTheQuestionNamesTheHostThatIsReached() async throws {
        let rig = try WebRig()
        let preview = await rig.server.preview(
            of: "fetch_url", arguments: WebRig.address("https://example.org:8443/a?b=c"))
        XCTAssertEqual(preview, .touches("from example.org"))
        let tools = rig.server.listTools()
        XCTAssertEqual(tools.map(\.name), ["fetch_url", "read_page"])
        XCTAssertEqual(tools.map(\.toolClass), [.outward, .read])
    }

    func testANameThatIsReboundBetweenCheckAndConnectReachesWhatWasChecked() async throws {
        let open = try WebRig.server { _ in WebRig.html("<p>public</p>") }
        defer { open.stop() }
        let hidden = try WebRig.server(at: "127.0.0.1", port: open.port) { _ in
            .text(200, "secret")
        }
        defer { hidden.stop() }
        let rig = try WebRig(names: ["rebind.example": [[WebRig.open], ["127.0.0.1"]]])
        let first = try await rig.fetch("http://rebind.example:\(open.port)/")
        XCTAssertTrue(first.text.hasSuffix("\n\npublic"), first.text)
        XCTAssertEqual(rig.lookups, ["rebind.example"])
        let second = try await rig.fetch("http://rebind.example:\(open.port)/")
        XCTAssertTrue(second.isError)
        XCTAssertTrue(second.text.contains("loopback"), second.text)
        XCTAssertEqual(hidden.connectionCount, 0)
        XCTAssertEqual(open.connectionCount, 1)
    }

    func testANameWithAPublicAndAPrivateAddressIsNotConnectedTo() async throws {
        let open = try WebRig.server { _ in WebRig.html("public") }
        defer { open.stop() }
        let hidden = try WebRig.server(at: "127.0.0.1", port: open.port) { _ in
            .text(200, "secret")
        }
        defer { hidden.stop() }
        for answer in [
            [WebRig.open, "127.0.0.1"], ["127.0.0.1", WebRig.open], [WebRig.open, "::1"],
        ] {
            let rig = try WebRig(names: ["both.example": [answer]])
            let output = try await rig.fetch("http://both.example:\(open.port)/")
            XCTAssertTrue(output.isError, "\(answer)")
        }
        XCTAssertEqual(open.connectionCount, 0)
        XCTAssertEqual(hidden.connectionCount, 0)
    }

    // MARK: - Redirects

    func testARedirectToAnotherHostIsLeftToTheUser() async throws {
        let hidden = try WebRig.server(at: "127.0.0.1") { _ in .text(200, "secret") }
        defer { hidden.stop() }
        let targets = [
            "http://127.0.0.1:\(hidden.port)/", "http://localhost:\(hidden.port)/",
            "//127.0.0.1:\(hidden.port)/x", "http://[::ffff:127.0.0.1]:\(hidden.port)/",
            "http://other.example/", "http://\(WebRig.open):1/",
        ]
        for target in targets {
            for status in [301, 302, 303, 307, 308] {
                let server = try WebRig.server { _ in WebRig.redirect(status, to: target) }
                defer { server.stop() }
                let rig = try WebRig()
                let output = try await rig.fetch("http://\(WebRig.open):\(server.port)/")
                XCTAssertTrue(output.isUntrusted)
                XCTAssertTrue(output.text.contains("redirects to another host"), output.text)
                XCTAssertEqual(server.requests.count, 1)
            }
        }
        XCTAssertEqual(hidden.connectionCount, 0)
    }

    func testRedirectsOnTheSameHostAreFollowedFiveTimes() async throws {
        let server = try WebRig.server { request in
            let number = Int(request.path.dropFirst()) ?? 0
            return number == 0
                ? WebRig.html("<title>End</title>here") : WebRig.redirect(302, to: "/\(number - 1)")
        }
        defer { server.stop() }
        let rig = try WebRig()
        let base = "http://\(WebRig.open):\(server.port)"
        let five = try await rig.fetch("\(base)/5")
        XCTAssertTrue(five.text.hasPrefix("URL: \(base)/0\nTitle: End\n"), five.text)
        let six = try await rig.fetch("\(base)/6")
        XCTAssertTrue(six.isError)
        XCTAssertTrue(six.text.contains("more than 5 times"), six.text)
        XCTAssertEqual(server.requests.count, 12)
    }

    func testARedirectOnTheSameNameIsResolvedAndJudgedAgain() async throws {
        let server = try WebRig.server { _ in WebRig.redirect(302, to: "/again") }
        defer { server.stop() }
        let hidden = try WebRig.server(at: "127.0.0.1", port: server.port) { _ in
            .text(200, "secret")
        }
        defer { hidden.stop() }
        let rig = try WebRig(names: ["turn.example": [[WebRig.open], ["127.0.0.1"]]])
        let output = try await rig.fetch("http://turn.example:\(server.port)/")
        XCTAssertTrue(output.isError)
        XCTAssertEqual(server.connectionCount, 1)
        XCTAssertEqual(hidden.connectionCount, 0)
    }

    func testRedirectsAreDecidedByTheirTarget() throws {
        let limits = FetchRules.Limits()
        let table: [(String, String?, Int, FetchRules.Redirect)] = [
            ("https://a.org/x", "/y", 0, .follow(try WebURL("https://a.org/y"))),
            ("https://a.org/x", "/y", 4, .follow(try WebURL("https://a.org/y"))),
            ("https://a.org/x", "/y", 5, .refuse("redirects more than 5 times")),
            ("http://a.org/x", "https://a.org/x", 0, .follow(try WebURL("https://a.org/x"))),
            ("https://a.org/x", "http://a.org/x", 0, .refuse("redirects from https to http")),
            ("https://a.org/x", "http://b.org/x", 0, .refuse("redirects from https to http")),
            ("https://a.org/x", "https://www.a.org/x", 0, .ask(try WebURL("https://www.a.org/x"))),
            ("https://a.org/x", "https://a.org:8443/", 0, .ask(try WebURL("https://a.org:8443/"))),
            ("https://a.org/x", nil, 0, .refuse("leads nowhere")),
            (
                "https://a.org/x", "file:///etc/passwd", 0,
                .refuse("redirects to something that is not a web address")
            ),
            (
                "https://a.org/x", "https://me@a.org/", 0,
                .refuse("redirects to something that is not a web address")
            ),
        ]
        for (page, location, count, expected) in table {
            XCTAssertEqual(
                FetchRules.redirect(
                    from: try WebURL(page), to: location, count: count, limits: limits),
                expected, "\(page) \(location ?? "nil")")
        }
    }

    // MARK: - Proxies

    func testBehindAProxyNothingIsFetched() async throws {
        let server = try WebRig.server { _ in WebRig.html("public") }
        defer { server.stop() }
        let url = "http://\(WebRig.open):\(server.port)/"
        for name in ["http_proxy", "all_proxy", "ALL_PROXY"] {
            let rig = try WebRig(variables: [name: "http://proxy.example:3128"])
            let output = try await rig.fetch(url)
            XCTAssertTrue(output.isError)
            XCTAssertTrue(output.text.contains("behind a proxy (\(name))"), output.text)
            guard
                case .fails = await rig.server.preview(
                    of: "fetch_url", arguments: WebRig.address(url))
            else { return XCTFail("asked behind a proxy") }
        }
        XCTAssertEqual(server.connectionCount, 0)
        let rig = try WebRig(variables: ["https_proxy": "http://p.example", "no_proxy": "*"])
        let output = try await rig.fetch(url)
        XCTAssertFalse(output.isError, output.text)
    }
}
