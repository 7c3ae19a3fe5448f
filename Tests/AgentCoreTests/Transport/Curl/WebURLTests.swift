import XCTest

@testable import AgentCore

final class WebURLTests: XCTestCase {
    private func read(_ text: String) -> WebURL? { try? WebURL(text) }

    func testAnAddressIsNormalisedAndItsHostIsWhatIsConnectedTo() throws {
        let table: [(String, String, String, Int)] = [
            ("https://Example.org", "https://example.org/", "example.org", 443),
            (
                "  http://example.org:8080/a b?c=ü#part ", "http://example.org:8080/a%20b?c=%C3%BC",
                "example.org", 8080
            ),
            ("HTTPS://example.org/a/../b/./c", "https://example.org/b/c", "example.org", 443),
            ("http://0x7f000001/", "http://127.0.0.1/", "127.0.0.1", 80),
            ("http://2130706433/", "http://127.0.0.1/", "127.0.0.1", 80),
            ("http://0177.1/", "http://127.0.0.1/", "127.0.0.1", 80),
            ("http://[::FFFF:127.0.0.1]/", "http://[::ffff:127.0.0.1]/", "::ffff:127.0.0.1", 80),
        ]
        for (text, whole, host, port) in table {
            let url = try WebURL(text)
            XCTAssertEqual(url.text.lowercased(), whole.lowercased(), text)
            XCTAssertEqual(url.host, host, text)
            XCTAssertEqual(url.port, port, text)
            XCTAssertEqual(url.isSecure, text.lowercased().contains("https"), text)
        }
    }

    func testWhatIsNoWebAddressIsRefused() {
        for text in [
            "", " ", "example.org", "/path", "//example.org", "ftp://example.org/",
            "file:///etc/passwd",
            "gopher://example.org", "javascript:alert(1)", "data:text/html,x", "http://",
            "https://user@example.org/", "https://user:secret@example.org/",
            "https://example.org@127.0.0.1/", "http://[fe80::1%25lo]/", "http://exa mple.org/",
            "http://example.org:99999/", "http://example.org/\u{0}x", "http://example.org/\nx",
            "https://example.org/" + String(repeating: "a", count: 2_100),
        ] {
            XCTAssertNil(read(text), text)
        }
    }

    func testAnInternationalNameIsSeenAsItIsLookedUp() throws {
        // The first letter of "apple" is Cyrillic.
        for (text, whole) in [
            (
                "https://B\u{DC}cher.example:8443/\u{FC}",
                "https://xn--bcher-kva.example:8443/%C3%BC"
            ),
            ("https://\u{430}pple.com/", "https://xn--pple-43d.com/"),
            (
                "https://\u{4F8B}\u{3048}.\u{30C6}\u{30B9}\u{30C8}",
                "https://xn--r8jz45g.xn--zckzah/"
            ),
            ("https://faß.de/", "https://xn--fa-hia.de/"),
            ("http://faß:8080/", "http://xn--fa-hia:8080/"),
            // RFC 3492 §7.1 (B).
            (
                "https://\u{4ED6}\u{4EEC}\u{4E3A}\u{4EC0}\u{4E48}\u{4E0D}\u{8BF4}\u{4E2D}\u{6587}.cn/",
                "https://xn--ihqwcrb4cv8a8dqg056pqjye.cn/"
            ),
        ] {
            XCTAssertEqual(try WebURL(text).text, whole, text)
        }
        XCTAssertNotEqual(read("http://\u{FF11}\u{FF12}\u{FF17}.0.0.1/")?.host, "127.0.0.1")
        XCTAssertNil(read("https://" + String(repeating: "\u{FC}", count: 80) + ".example/"))
        XCTAssertEqual(
            try WebURL("https://a.org/").resolving("\u{FC}?u=http://x").text,
            "https://a.org/%C3%BC?u=http://x")
        XCTAssertEqual(
            try WebURL("https://a.org/x").resolving("\u{FC}/b c").text, "https://a.org/%C3%BC/b%20c"
        )
    }

    func testReferencesAreResolvedAsBrowsersDo() throws {
        let page = try WebURL("https://example.org/a/b?q#f")
        let table = [
            ("c", "https://example.org/a/c"), ("/c", "https://example.org/c"),
            ("../c", "https://example.org/c"), ("?x", "https://example.org/a/b?x"),
            ("//other.org/x", "https://other.org/x"), ("http://other.org", "http://other.org/"),
        ]
        for (reference, whole) in table {
            XCTAssertEqual(try page.resolving(reference).text, whole, reference)
        }
        XCTAssertThrowsError(try page.resolving("file:///etc/passwd"))
        XCTAssertThrowsError(try page.resolving("//user@other.org/"))
    }

    func testTheSamePlaceIsSchemeHostAndPortOrTheirUpgrade() throws {
        let table = [
            ("http://a.org/", "http://a.org/b", true), ("http://a.org/", "https://a.org/", true),
            ("http://a.org/", "http://a.org:8080/", false),
            ("http://a.org:8080/", "https://a.org/", false),
            ("https://a.org/", "https://www.a.org/", false),
            ("https://a.org/", "https://a.org:443/x", true),
        ]
        for (one, other, isSame) in table {
            XCTAssertEqual(
                try WebURL(other).isSamePlace(as: WebURL(one)), isSame, "\(one) \(other)")
        }
    }
}
