import XCTest

@testable import AgentCore

final class RequestOriginTests: XCTestCase {
    func testOriginsOfUsableURLs() throws {
        for (url, name, isLoopback) in [
            ("https://api.example.com/v1/x?y", "api.example.com", false),
            ("http://API.Example.com", "api.example.com", false),
            ("https://h:8443/", "h:8443", false),
            ("http://localhost:11434/v1", "localhost:11434", true),
            ("http://127.0.0.1", "127.0.0.1", true),
            ("http://127.9.9.9:1", "127.9.9.9:1", true),
            ("http://127.1:1", "127.0.0.1:1", true),
            ("http://[::1]:5/", "[::1]:5", true),
            ("http://app.localhost/", "app.localhost", true),
            ("http://127.0.0.1.example.com/", "127.0.0.1.example.com", false),
            ("http://localhost.example.com/", "localhost.example.com", false),
            ("http://128.0.0.1/", "128.0.0.1", false),
        ] {
            let origin = try RequestOrigin(url: url)
            XCTAssertEqual(origin.name, name, url)
            XCTAssertEqual(origin.isLoopback, isLoopback, url)
        }
    }

    func testOtherURLsAreRefused() {
        for url in [
            "", " ", "example.com", "//example.com", "ftp://h/", "file:///x", "http://",
            "http://u@h/", "http://u:p@h/", "http://h:0x50/", "http://h\u{0}/", "http://a b/",
        ] {
            XCTAssertThrowsError(try RequestOrigin(url: url), url) { error in
                XCTAssertEqual((error as? TransportError)?.reason, .badURL, url)
            }
        }
    }
}
